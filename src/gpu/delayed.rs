//! Values of frames that complete later.

use std::collections::VecDeque;

/// Frames complete in order: the value of a dropped frame is removed when a later one completes.
#[derive(Clone, Debug)]
pub struct Delayed<T> {
    pending: VecDeque<(u64, T)>,
}

impl<T> Default for Delayed<T> {
    fn default() -> Self {
        Self { pending: VecDeque::new() }
    }
}

impl<T> Delayed<T> {
    pub fn put(&mut self, frame: u64, value: T) {
        self.pending.retain(|(number, _)| *number != frame);
        self.pending.push_back((frame, value));
    }

    pub fn take(&mut self, ended: u64) -> Option<T> {
        while self.pending.front().is_some_and(|(number, _)| *number < ended) {
            self.pending.pop_front();
        }
        self.pending.pop_front_if(|(number, _)| *number == ended).map(|(_, value)| value)
    }

    pub fn is_pending(&self) -> bool {
        !self.pending.is_empty()
    }

    pub fn forget(&mut self) {
        self.pending.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_comes_back_with_its_own_frame() {
        let mut delayed = Delayed::default();
        delayed.put(3, "three");
        delayed.put(5, "five");
        // A frame before it, its own, the same again, one that gave nothing.
        assert_eq!([2, 3, 3, 4, 5].map(|frame| delayed.take(frame)), [None, Some("three"), None, None, Some("five")]);
        assert!(!delayed.is_pending());
    }

    #[test]
    fn values_of_frames_that_never_ended_go() {
        let mut delayed = Delayed::default();
        delayed.put(1, 'a');
        delayed.put(2, 'b');
        delayed.put(2, 'c');
        assert_eq!(delayed.take(2), Some('c'), "a frame's later value counts");
        assert!(!delayed.is_pending(), "the one of frame 1 was dropped");
        delayed.put(7, 'd');
        delayed.forget();
        assert_eq!(delayed.take(7), None);
    }
}
