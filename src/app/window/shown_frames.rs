//! Filter of frames whose timings are displayed.

use std::collections::VecDeque;

/// Number of pending frames; older ones, which may have been dropped, are forgotten.
const MOST: usize = 64;

/// What a frame was presented for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shown {
    /// Something new.
    New,
    /// Passes that could be omitted, so that their resources can be looked at.
    Repeat,
    /// The panels alone, whose figures would otherwise change each other for ever.
    Refresh,
}

/// The frames in flight.
#[derive(Debug, Default)]
pub struct ShownFrames {
    /// By number.
    frames: VecDeque<(u64, Shown)>,
}

impl ShownFrames {
    /// A frame was presented.
    pub fn shown(&mut self, number: u64, shown: Shown) {
        self.frames.push_back((number, shown));
        let overfull = self.frames.len().saturating_sub(MOST);
        self.frames.drain(..overfull);
    }

    /// What this frame was presented for; `None` if it never was.
    pub fn take(&mut self, number: u64) -> Option<Shown> {
        while let Some((of, shown)) = self.frames.pop_front() {
            if of == number {
                return Some(shown);
            }
            if of > number {
                self.frames.push_front((of, shown));
                break;
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_frame_is_found_once() {
        let mut frames = ShownFrames::default();
        let all = [(0, Shown::New), (1, Shown::Repeat), (2, Shown::Refresh), (3, Shown::New), (5, Shown::New)];
        all.into_iter().for_each(|(number, shown)| frames.shown(number, shown));
        for (number, shown) in &all[..4] {
            assert_eq!(frames.take(*number), Some(*shown));
        }
        assert_eq!(frames.take(4), None, "never shown");
        assert_eq!([frames.take(5), frames.take(5)], [Some(Shown::New), None]);
        (0..200).for_each(|number| frames.shown(number, Shown::New));
        assert_eq!([frames.take(10), frames.take(199)], [None, Some(Shown::New)], "the oldest are forgotten");
    }
}
