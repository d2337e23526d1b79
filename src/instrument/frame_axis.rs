//! A frame on one axis: the CPU's recording, both queues, the waits between them, and the reasons of gaps.

use base::text::micros;
use base::timing::FrameTiming;
use std::sync::Arc;

/// Microseconds; shorter gaps have no reason: GPU clocks have steps of about that.
const GAP_LEAST_US: f64 = 0.5;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    Cpu,
    Graphics,
    Compute,
}

impl Lane {
    pub fn title(self) -> &'static str {
        match self {
            Self::Cpu => "CPU",
            Self::Graphics => "Graphics",
            Self::Compute => "Compute",
        }
    }
}

/// Microseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AxisBar {
    pub pass: usize,
    pub from: f64,
    pub to: f64,
}

/// Why nothing runs on a lane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reason {
    /// The CPU has not submitted the commands.
    Submission,
    /// The GPU executes the frame before.
    EarlierFrame,
    /// Index of the wait for the other queue.
    Queue(usize),
    /// The window has no free image.
    WindowImage,
    Compiles,
    /// The CPU is busy outside of passes.
    OutsidePasses,
    /// The frame has nothing more to do there.
    Ended,
    Unknown,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gap {
    pub from: f64,
    pub to: f64,
    pub reason: Reason,
}

#[derive(Clone, Debug, PartialEq)]
pub struct AxisLane {
    pub lane: Lane,
    pub bars: Vec<AxisBar>,
    pub gaps: Vec<Gap>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arrow {
    pub wait: usize,
    pub from: (Lane, f64),
    pub to: (Lane, f64),
}

/// Which clocks can be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clocks {
    One,
    /// Those of the queues, but not that of the CPU.
    CpuApart,
    AllApart,
}

impl Clocks {
    /// What the axis does not show, if anything.
    pub fn note(self) -> Option<&'static str> {
        match self {
            Self::One => None,
            Self::CpuApart => Some("The device has no calibrated timestamps: CPU and GPU begin at 0 each."),
            Self::AllApart => Some("The clocks cannot be compared: CPU and each queue begin at 0 each."),
        }
    }
}

/// Microseconds from the start of its recording.
#[derive(Clone, Debug)]
pub struct FrameAxis {
    pub timing: Arc<FrameTiming>,
    pub lanes: Vec<AxisLane>,
    pub arrows: Vec<Arrow>,
    pub clocks: Clocks,
    pub end: f64,
}

impl FrameAxis {
    /// Without a second queue all passes are on the graphics lane.
    pub fn of(timing: Arc<FrameTiming>, before: Option<&FrameTiming>, is_one_queue: bool) -> Self {
        let has_gpu = timing.passes.iter().any(|pass| pass.gpu_us.is_some());
        let clocks = match timing.gpu_after_us {
            _ if timing.clocks_apart => Clocks::AllApart,
            None if has_gpu => Clocks::CpuApart,
            _ => Clocks::One,
        };
        let mut axis = Self { lanes: Vec::new(), arrows: Vec::new(), clocks, end: timing.length_us(), timing };
        let lanes: &[Lane] =
            if is_one_queue { &[Lane::Cpu, Lane::Graphics] } else { &[Lane::Cpu, Lane::Graphics, Lane::Compute] };
        let of = |pass: usize| if is_one_queue { Lane::Graphics } else { axis.lane_of(pass) };
        let bars = |lane: Lane| {
            let all = (0..axis.timing.passes.len()).filter_map(|pass| match lane {
                Lane::Cpu => Some(axis.recording(pass)),
                lane if of(pass) == lane => axis.execution(pass),
                _ => None,
            });
            let mut bars: Vec<AxisBar> = all.collect();
            bars.sort_by(|a, b| a.from.total_cmp(&b.from));
            bars
        };
        let bars: Vec<Vec<AxisBar>> = lanes.iter().map(|lane| bars(*lane)).collect();
        axis.end = bars.iter().flatten().map(|bar| bar.to).fold(axis.end, f64::max);
        let earlier_end = before.and_then(|before| axis.end_of_earlier(before));
        let made = lanes.iter().zip(bars).map(|(lane, bars)| {
            let gaps = axis.gaps(*lane, &bars, earlier_end);
            AxisLane { lane: *lane, bars, gaps }
        });
        axis.lanes = made.collect();
        if !is_one_queue {
            axis.arrows = (0..axis.timing.waits.len()).filter_map(|wait| axis.arrow(wait)).collect();
        }
        axis
    }

    fn lane_of(&self, pass: usize) -> Lane {
        let is_compute = self.timing.passes.get(pass).is_some_and(|pass| pass.on_compute_queue);
        if is_compute { Lane::Compute } else { Lane::Graphics }
    }

    fn recording(&self, pass: usize) -> AxisBar {
        let timing = &self.timing.passes[pass];
        AxisBar { pass, from: timing.cpu_start_us, to: timing.cpu_start_us + timing.cpu_us }
    }

    fn execution(&self, pass: usize) -> Option<AxisBar> {
        let timing = self.timing.passes.get(pass)?;
        let from = self.timing.gpu_after_us.unwrap_or(0.0) + timing.gpu_start_us?;
        Some(AxisBar { pass, from, to: from + timing.gpu_us? })
    }

    fn end_of_earlier(&self, before: &FrameTiming) -> Option<f64> {
        let follows = before.frame + 1 == self.timing.frame && self.clocks == Clocks::One;
        let end = before.begun_us + before.gpu_after_us? + before.gpu_us?;
        follows.then_some(end - self.timing.begun_us)
    }

    fn gaps(&self, lane: Lane, bars: &[AxisBar], earlier_end: Option<f64>) -> Vec<Gap> {
        let (mut gaps, mut at) = (Vec::new(), 0.0);
        for bar in bars {
            if bar.from > at + GAP_LEAST_US {
                match lane {
                    Lane::Cpu => gaps.push(Gap { from: at, to: bar.from, reason: Reason::OutsidePasses }),
                    _ => gaps.extend(self.reasons([at, bar.from], bar.pass, earlier_end)),
                }
            }
            at = bar.to.max(at);
        }
        let busy_until = if lane == Lane::Cpu { self.timing.cpu_us } else { at };
        for (until, reason) in [(busy_until, Reason::OutsidePasses), (self.end, Reason::Ended)] {
            if until > at + GAP_LEAST_US {
                gaps.push(Gap { from: at, to: until, reason });
                at = until;
            }
        }
        gaps
    }

    /// Why a queue rests until `pass` starts, in the order of time.
    fn reasons(&self, [from, to]: [f64; 2], pass: usize, earlier_end: Option<f64>) -> Vec<Gap> {
        let (mut gaps, mut at) = (Vec::new(), from);
        let mut until = |until: f64, reason: Reason| {
            let until = until.min(to);
            if until > at + GAP_LEAST_US {
                gaps.push(Gap { from: at, to: until, reason });
                at = until;
            }
        };
        if self.clocks == Clocks::One {
            until(self.timing.passes[pass].submitted_us, Reason::Submission);
        }
        earlier_end.into_iter().for_each(|end| until(end, Reason::EarlierFrame));
        let waits = || self.timing.waits.iter().enumerate().filter(|(_, wait)| wait.pass == pass);
        for (index, wait) in waits().filter(|_| self.clocks != Clocks::AllApart) {
            let end = wait.after.and_then(|after| Some(self.execution(after)?.to));
            end.into_iter().for_each(|end| until(end, Reason::Queue(index)));
        }
        // Their end is not known.
        let open = waits().find(|(_, wait)| wait.after.is_none() || self.clocks == Clocks::AllApart);
        let rest = match open {
            _ if self.timing.window_pass == Some(pass) => Reason::WindowImage,
            _ if self.timing.compiles => Reason::Compiles,
            Some((index, _)) => Reason::Queue(index),
            None => Reason::Unknown,
        };
        until(to, rest);
        gaps
    }

    fn arrow(&self, index: usize) -> Option<Arrow> {
        let wait = self.timing.waits.get(index)?;
        let to = (self.lane_of(wait.pass), self.execution(wait.pass)?.from);
        let other = if to.0 == Lane::Graphics { Lane::Compute } else { Lane::Graphics };
        let from = match wait.after {
            Some(after) => (self.lane_of(after), self.execution(after)?.to),
            None => (other, 0.0),
        };
        Some(Arrow { wait: index, from, to })
    }

    /// Microseconds in which both queues work; `None` without two queues on one clock.
    pub fn both_queues_us(&self) -> Option<f64> {
        let [_, graphics, compute] = &self.lanes[..] else { return None };
        let (mut us, mut counted_to) = (0.0, 0.0);
        if self.clocks == Clocks::AllApart {
            return None;
        }
        for bar in &graphics.bars {
            let mut from = bar.from.max(counted_to);
            for other in &compute.bars {
                let to = other.to.min(bar.to);
                us += (to - other.from.max(from)).max(0.0);
                from = from.max(to);
            }
            counted_to = bar.to.max(counted_to);
        }
        Some(us)
    }

    pub fn wait_text(&self, index: usize, title: &dyn Fn(&str) -> String) -> String {
        let Some(wait) = self.timing.waits.get(index) else { return String::new() };
        let name = |pass: usize| self.timing.passes.get(pass).map(|pass| title(&pass.name)).unwrap_or_default();
        let after = wait.after.map_or("the frame before".to_owned(), name);
        format!("{} waits for {after}, because of {}", name(wait.pass), wait.resource)
    }

    pub fn gap_text(&self, gap: &Gap, title: &dyn Fn(&str) -> String) -> String {
        let why = match gap.reason {
            Reason::Submission => "the CPU has not submitted the commands yet".into(),
            Reason::EarlierFrame => "the GPU executes the frame before".into(),
            Reason::Queue(wait) => self.wait_text(wait, title),
            Reason::WindowImage => "the window has no free image yet".into(),
            Reason::Compiles => "the driver compiles a pipeline that is new in this frame".into(),
            Reason::OutsidePasses => "work outside of passes".into(),
            Reason::Ended => "nothing more to do in this frame".into(),
            Reason::Unknown => "the reason is unknown".into(),
        };
        format!("{} from {} on: {why}", micros(gap.to - gap.from), micros(gap.from))
    }
}

#[cfg(test)]
#[path = "frame_axis_tests.rs"]
mod tests;
