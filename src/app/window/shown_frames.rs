//! Filter of frames whose timings are displayed.

use std::collections::VecDeque;

/// Number of pending frames; older ones, which may have been dropped, are forgotten.
const KEPT: usize = 64;

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
        let overfull = self.frames.len().saturating_sub(KEPT);
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
        let mut ledger = ShownFrames::default();
        for (number, moved) in [(0, true), (1, true), (2, false), (3, true), (5, true)] {
            ledger.shown(number, moved);
        }
        assert!(ledger.take(0) && ledger.take(1));
        assert!(!ledger.take(2), "a refresh");
        assert!(ledger.take(3));
        assert!(!ledger.take(4), "never shown");
        assert!(ledger.take(5) && !ledger.take(5));
        (0..200).for_each(|number| ledger.shown(number, true));
        assert!(!ledger.take(10) && ledger.take(199), "the oldest are forgotten");
    }
}
