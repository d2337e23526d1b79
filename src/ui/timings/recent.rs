//! The last frames as they were measured.

use base::timing::{FrameTiming, PictureStep};
use std::collections::VecDeque;
use std::sync::Arc;

/// Number of frames that percentiles are of.
pub const FRAMES_RECENT: usize = 240;

#[derive(Clone, Debug)]
pub(crate) struct TimedFrame {
    pub at_s: f64,
    pub timing: Arc<FrameTiming>,
}

/// Frames in which drivers compiled included.
#[derive(Default)]
pub(crate) struct RecentFrames {
    frames: VecDeque<TimedFrame>,
    /// The last one that drew everything, or the last step of it.
    pub full: Option<TimedFrame>,
    displayed: usize,
}

impl RecentFrames {
    pub fn push(&mut self, frame: TimedFrame) {
        if self.frames.len() == FRAMES_RECENT {
            self.frames.pop_front();
            self.displayed = self.displayed.saturating_sub(1);
        }
        if matches!(frame.timing.picture, Some(PictureStep::Whole | PictureStep::Last)) {
            self.full = Some(frame.clone());
        }
        self.frames.push_back(frame);
    }

    pub fn look(&mut self) {
        self.displayed = self.frames.len();
    }

    pub fn displayed(&self) -> impl ExactSizeIterator<Item = &TimedFrame> {
        self.frames.range(..self.displayed)
    }
}
