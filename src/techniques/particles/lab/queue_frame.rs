//! Passes of a measured frame on the axis of time, by queue.

use crate::passes::step::{BODIES, COPY, STEP};
use base::timing::{FrameTiming, PassTiming, QueueWait, technique_of};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    Step,
    Draw,
    Other,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    pub work: Work,
    pub on_compute_queue: bool,
    /// Microseconds from the frame's first timestamp.
    pub from_us: f64,
    pub to_us: f64,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct QueueFrame {
    pub spans: Vec<Span>,
    /// And the resources.
    pub waits: Vec<[String; 2]>,
}

impl QueueFrame {
    /// `None` without a measured step, or if the queues' clocks cannot be compared.
    pub fn of(timing: &FrameTiming) -> Option<Self> {
        let is_step = |pass: &PassTiming| [STEP, BODIES, COPY].iter().any(|id| id.is(pass));
        if timing.clocks_apart || !timing.passes.iter().any(is_step) {
            return None;
        }
        let own = technique_of(STEP.as_ref());
        let span = |pass: &PassTiming| {
            let work = match pass {
                pass if is_step(pass) => Work::Step,
                pass if technique_of(&pass.name) == own => Work::Draw,
                _ => Work::Other,
            };
            let (from_us, us) = (pass.gpu_start_us?, pass.gpu_us?);
            Some(Span { work, on_compute_queue: pass.on_compute_queue, from_us, to_us: from_us + us })
        };
        let wait = |wait: &QueueWait| Some([timing.passes.get(wait.pass)?.name.clone(), wait.resource.clone()]);
        let spans: Vec<Span> = timing.passes.iter().filter_map(span).collect();
        (!spans.is_empty()).then(|| Self { spans, waits: timing.waits.iter().filter_map(wait).collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passes_are_sorted_by_what_they_are() {
        let pass = |name: &str, from: f64, on_compute_queue| PassTiming {
            name: name.into(),
            gpu_us: Some(10.0),
            gpu_start_us: Some(from),
            on_compute_queue,
            ..Default::default()
        };
        let passes = vec![
            pass("shade/list", 0.0, false),
            pass("particles/step", 2.0, true),
            pass("particles/draw", 12.0, false),
        ];
        let waits = vec![QueueWait { pass: 2, after: None, resource: "particles 0".into() }];
        let timing = FrameTiming { passes, waits, ..Default::default() };
        let frame = QueueFrame::of(&timing).unwrap();
        let works: Vec<_> = frame.spans.iter().map(|span| (span.work, span.on_compute_queue, span.to_us)).collect();
        assert_eq!(works, [(Work::Other, false, 10.0), (Work::Step, true, 12.0), (Work::Draw, false, 22.0)]);
        assert_eq!(frame.waits, [["particles/draw", "particles 0"]]);
        assert_eq!(QueueFrame::of(&FrameTiming { clocks_apart: true, ..timing.clone() }), None);
        assert_eq!(QueueFrame::of(&FrameTiming { passes: vec![pass("glass/lens", 0.0, false)], ..timing }), None);
    }
}
