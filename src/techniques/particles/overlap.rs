//! What the compute queue saves: frames with it and frames without take turns, and their times are compared.

use crate::{
    base::{stats, text::micros, timing::FrameTiming},
    gpu::Delayed,
    techniques::Report,
};
use std::collections::VecDeque;

/// Frames of one way before the other's turn.
const TURN: u64 = 60;
/// Frames after a change of turns that are of neither: their work still waits for the other's.
const BETWEEN: u64 = 4;
/// Frames of each way that count, the newest ones.
const COUNTED: usize = 240;
/// So many are enough for a figure.
const ENOUGH: usize = 20;

/// Whether the frame of this number of a measurement is one with the compute queue, and whether it counts.
fn turn(number: u64) -> (bool, bool) {
    (number / TURN % 2 == 1, number % TURN >= BETWEEN)
}

/// Times of one way, microseconds.
#[derive(Default)]
struct Times {
    whole: VecDeque<f64>,
    step: VecDeque<f64>,
}

/// While `particles.measure` is on.
#[derive(Default)]
pub struct Overlap {
    frames: u64,
    pending: Delayed<bool>,
    serial: Times,
    parallel: Times,
    is_apart: bool,
}

impl Overlap {
    /// The way of the frame of this number (`frame`), which is recorded now.
    pub fn begin(&mut self, frame: u64) -> bool {
        let (parallel, counts) = turn(self.frames);
        self.frames += 1;
        if counts {
            self.pending.put(frame, parallel);
        }
        parallel
    }

    /// Takes the times of a frame that has ended.
    pub fn on_timing(&mut self, timing: &FrameTiming) {
        let Some(parallel) = self.pending.take(timing.frame) else { return };
        self.is_apart |= timing.clocks_apart;
        let steps = timing.passes.iter().filter(|pass| is_step(&pass.name));
        let step: Option<f64> = steps.map(|pass| pass.gpu_us).sum();
        if let (Some(whole), Some(step)) = (timing.gpu_us.filter(|_| !timing.clocks_apart), step) {
            let times = if parallel { &mut self.parallel } else { &mut self.serial };
            for (series, us) in [(&mut times.whole, whole), (&mut times.step, step)] {
                series.push_back(us);
                if series.len() > COUNTED {
                    series.pop_front();
                }
            }
        }
    }

    /// What was found; `is_one_queue`: nothing can run beside anything.
    pub fn report(&self, is_one_queue: bool) -> Report {
        let median = |times: &VecDeque<f64>| stats::median(&mut times.iter().copied().collect::<Vec<_>>());
        let row = |what: &str, us: f64, n: usize| vec![what.to_owned(), micros(us), n.to_string()];
        let (serial, parallel) = (&self.serial, &self.parallel);
        let enough = serial.whole.len().min(parallel.whole.len()) >= ENOUGH;
        let title = match enough {
            _ if self.is_apart => "The queues' clocks cannot be compared here".to_owned(),
            false => "Comparing frames with and without the compute queue ...".to_owned(),
            true => {
                let (one_after, beside) = (median(&serial.whole), median(&parallel.whole));
                let step = median(&serial.step);
                let most = step.min(one_after - step).max(0.0);
                let saved = one_after - beside;
                let note = if is_one_queue { " (one queue: no overlap)" } else { "" };
                match saved >= 0.0 {
                    true => format!("Async saves {} of at most {}{note}", micros(saved), micros(most)),
                    false => format!("Async costs {}; it could save {}{note}", micros(-saved), micros(most)),
                }
            }
        };
        let rows = match enough {
            false => vec![],
            true => vec![
                row("frame, one queue", median(&serial.whole), serial.whole.len()),
                row("frame, two queues", median(&parallel.whole), parallel.whole.len()),
                row("step, one queue", median(&serial.step), serial.step.len()),
                row("step, two queues", median(&parallel.step), parallel.step.len()),
            ],
        };
        Report { title, head: vec!["what", "median", "frames"], rows }
    }
}

/// Passes that move particles.
fn is_step(pass: &str) -> bool {
    ["particles/step", "particles/bodies", "particles/copy"].contains(&pass)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::timing::PassTiming;

    #[test]
    fn saved_time_is_that_between_the_two_ways() {
        let mut overlap = Overlap::default();
        let (mut both, mut counted) = ([0, 0], 0);
        for frame in 0..4 * TURN {
            let parallel = overlap.begin(frame);
            both[usize::from(parallel)] += 1;
            let pass = |name: &str, us| PassTiming { name: name.into(), gpu_us: Some(us), ..Default::default() };
            let whole = if parallel { 70.0 } else { 100.0 } + if frame % TURN < BETWEEN { 999.0 } else { 0.0 };
            let passes = vec![pass("particles/step", 40.0), pass("shade/list", 60.0)];
            overlap.on_timing(&FrameTiming { frame, gpu_us: Some(whole), passes, ..Default::default() });
            counted += 1;
        }
        assert_eq!((both, counted), ([120, 120], 240));
        let report = overlap.report(false);
        assert_eq!(report.title, format!("Async saves {} of at most {}", micros(30.0), micros(40.0)));
        assert_eq!(report.rows[1], ["frame, two queues", &micros(70.0), &(2 * (TURN - BETWEEN)).to_string()]);
        assert!(overlap.report(true).title.contains("one queue"));
    }

    #[test]
    fn clocks_that_differ_measure_nothing() {
        let mut overlap = Overlap::default();
        for frame in 0..2 * TURN {
            overlap.begin(frame);
            let timing = FrameTiming { frame, gpu_us: Some(9.0), clocks_apart: true, ..Default::default() };
            overlap.on_timing(&timing);
        }
        let report = overlap.report(false);
        assert!(report.title.contains("cannot be compared") && report.rows.is_empty(), "{report:?}");
        assert!(Overlap::default().report(false).rows.is_empty());
    }
}
