//! Filter of frames whose timings are displayed.

use std::collections::VecDeque;

/// Number of pending frames; older ones, which may have been dropped, are forgotten.
const MOST: usize = 64;

/// The frames in flight.
#[derive(Debug, Default)]
pub struct ShownFrames {
    /// Number, and whether it showed something new.
    frames: VecDeque<(u64, bool)>,
}

impl ShownFrames {
    /// A frame was presented. `moved`: it showed something new, and did not only refresh the panels, whose figures would otherwise change
    /// each other for ever.
    pub fn shown(&mut self, number: u64, moved: bool) {
        self.frames.push_back((number, moved));
        let overfull = self.frames.len().saturating_sub(MOST);
        self.frames.drain(..overfull);
    }

    /// Whether this frame's timings are displayed.
    pub fn take(&mut self, number: u64) -> bool {
        while let Some((shown, moved)) = self.frames.pop_front() {
            if shown == number {
                return moved;
            }
            if shown > number {
                self.frames.push_front((shown, moved));
                break;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refreshes_of_panels_are_not_counted() {
        let mut frames = ShownFrames::default();
        for (number, moved) in [(0, true), (1, true), (2, false), (3, true), (5, true)] {
            frames.shown(number, moved);
        }
        assert!(frames.take(0) && frames.take(1));
        assert!(!frames.take(2), "a refresh");
        assert!(frames.take(3));
        assert!(!frames.take(4), "never shown");
        assert!(frames.take(5) && !frames.take(5));
        (0..200).for_each(|number| frames.shown(number, true));
        assert!(!frames.take(10) && frames.take(199), "the oldest are forgotten");
    }
}
