//! Series of frames that no longer changes, one of which is displayed.

use crate::timings::{TimedFrame, Timings};
use base::timing::FrameTiming;

pub(super) struct FrameSeries {
    frames: Vec<TimedFrame>,
    chosen: usize,
    /// Figures of the second before the displayed frame.
    pub table: Timings,
}

impl FrameSeries {
    pub fn new(frames: Vec<TimedFrame>, chosen: usize, before: &Timings) -> Option<Self> {
        let chosen = chosen.min(frames.len().checked_sub(1)?);
        let table = Timings::of(&frames[..=chosen], before);
        Some(Self { frames, chosen, table })
    }

    pub fn frames(&self) -> &[TimedFrame] {
        &self.frames
    }

    pub fn chosen(&self) -> usize {
        self.chosen
    }

    pub fn chosen_number(&self) -> u64 {
        self.frames[self.chosen].timing.frame
    }

    pub fn choose(&mut self, index: usize) {
        let index = index.min(self.frames.len().saturating_sub(1));
        if index != self.chosen {
            self.chosen = index;
            self.table = Timings::of(&self.frames[..=index], &self.table);
        }
    }
}

pub(super) fn before(frames: &[TimedFrame], index: usize) -> Option<&FrameTiming> {
    frames.get(index.checked_sub(1)?).map(|frame| &*frame.timing)
}
