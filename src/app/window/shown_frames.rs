//! Filter of frames whose timings are displayed.

use std::collections::VecDeque;

const MOST: usize = 64;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shown {
    New,
    Repeat,
    /// Their figures would change each other for ever.
    Refresh,
}

#[derive(Debug, Default)]
pub struct ShownFrames {
    frames: VecDeque<(u64, Shown)>,
}

impl ShownFrames {
    pub fn shown(&mut self, number: u64, shown: Shown) {
        self.frames.push_back((number, shown));
        let overfull = self.frames.len().saturating_sub(MOST);
        self.frames.drain(..overfull);
    }

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
