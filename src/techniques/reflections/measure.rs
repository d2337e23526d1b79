//! What each bounce worked on and what it took, read some frames later.

use super::{
    passes::pass_of,
    plan::{DEPTH_MOST, PlanBlock, WORD},
};
use crate::{
    base::{
        text::{bar, micros},
        timing::FrameTiming,
    },
    gpu::{Buffer, Delayed, Frame, ReadBack, Result},
    techniques::Report,
};

/// One bounce.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounce {
    /// Pixels that trace a ray.
    pub lanes: u32,
    /// Words that hold one.
    pub words: u32,
    /// Microseconds on the GPU.
    pub us: Option<f64>,
}

/// All bounces of a frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Figures {
    /// Pixels of the reflections.
    pub pixels: u32,
    /// Words of the mask.
    pub words: u32,
    /// Microseconds of the whole frame.
    pub frame_us: Option<f64>,
    /// From the first on.
    pub bounces: Vec<Bounce>,
}

impl Figures {
    /// From the words of the counts.
    fn new(plan: &PlanBlock, counts: &[u32], timing: &FrameTiming) -> Self {
        let time = |bounce: u32| {
            // In queues a bounce is several passes.
            let name = pass_of(bounce);
            let passes = timing.passes.iter().filter(|pass| pass.name == name);
            passes.map(|pass| pass.gpu_us).reduce(|sum, us| Some(sum? + us?)).flatten()
        };
        let both = counts.chunks_exact(2).zip(0..plan.depth);
        let bounces = both.map(|(c, bounce)| Bounce { lanes: c[0], words: c[1], us: time(bounce) }).collect();
        Self { pixels: plan.size.x * plan.size.y, words: plan.words, frame_us: timing.gpu_us, bounces }
    }

    /// Frames in a second if there were only so many bounces.
    fn rate(&self, bounces: usize) -> Option<f64> {
        let later = self.bounces[bounces..].iter().map(|bounce| bounce.us).sum::<Option<f64>>()?;
        self.frame_us.map(|frame| 1e6 / (frame - later)).filter(|rate| rate.is_finite() && *rate > 0.0)
    }

    /// A row for each bounce, live pixels and lane use as bars.
    pub fn report(&self) -> Report {
        let part = |of: u32, whole: u32| f64::from(of) / f64::from(whole.max(1));
        let row = |(number, bounce): (usize, &Bounce)| {
            vec![
                (number + 1).to_string(),
                bar(part(bounce.lanes, self.pixels)),
                bounce.us.map_or("-".into(), micros),
                self.rate(number + 1).map_or("-".into(), |rate| format!("{rate:.1}")),
                format!("{:.1} %", 100.0 * (1.0 - part(bounce.words, self.words))),
                bar(part(bounce.lanes, bounce.words * WORD)),
            ]
        };
        Report {
            title: "Bounces".into(),
            head: vec!["bounce", "live pixels", "time", "frames/s", "words skipped", "lane use"],
            rows: self.bounces.iter().enumerate().map(row).collect(),
        }
    }
}

/// The figures of the last frame that was counted, and those on their way.
#[derive(Default)]
pub struct Measure {
    pending: Delayed<(PlanBlock, ReadBack)>,
    done: Option<Figures>,
}

impl Measure {
    /// Reads the counts of this frame unless others are on their way.
    pub fn begin(&mut self, frame: &mut Frame, plan: &PlanBlock, counts: &Buffer) -> Result<()> {
        debug_assert!(counts.size() >= 8 * u64::from(DEPTH_MOST));
        if !self.pending.is_pending() {
            let read = frame.read_buffer(counts)?;
            self.pending.put(frame.number(), (*plan, read));
        }
        Ok(())
    }

    pub fn on_timing(&mut self, timing: &FrameTiming) -> Result<()> {
        if let Some((plan, counts)) = self.pending.take(timing.frame) {
            self.done = Some(Figures::new(&plan, &counts.read::<u32>()?, timing));
        }
        Ok(())
    }

    pub fn is_pending(&self) -> bool {
        self.pending.is_pending()
    }

    pub fn forget(&mut self) {
        self.done = None;
    }

    pub fn report(&self) -> Option<Report> {
        self.done.as_ref().map(Figures::report)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{base::timing::PassTiming, techniques::reflections::ReflectionsSettings};
    use bytemuck::Zeroable as _;
    use glam::UVec2;

    #[test]
    fn counts_and_times_stand_in_their_rows() {
        let plan = PlanBlock { size: UVec2::new(64, 10), words: 20, depth: 2, ..PlanBlock::zeroed() };
        let pass = |name: String, us| PassTiming { name, gpu_us: Some(us), ..PassTiming::default() };
        let passes = vec![pass(pass_of(1), 7.0), pass(pass_of(0), 30.0)];
        let timing = FrameTiming { passes, gpu_us: Some(1007.0), ..FrameTiming::default() };
        let figures = Figures::new(&plan, &[320, 15, 8, 1, 9, 9], &timing);
        let rows: Vec<Vec<String>> = figures.report().rows;
        let cells = |row: &[String]| row.iter().map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
        assert_eq!(cells(&rows[0]), ["1", "████      50 %", "30.0 µs", "1000.0", "25.0 %", "█████▍    67 %"]);
        assert_eq!(cells(&rows[1]), ["2", "▏          1 %", "7.00 µs", "993.0", "95.0 %", "██        25 %"]);
        assert_eq!((rows.len(), ReflectionsSettings::default().depth <= DEPTH_MOST), (2, true));
    }
}
