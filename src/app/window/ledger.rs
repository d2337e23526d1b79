//! Which frames' times are worth showing, and how far frames were apart.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// Frames further apart than this were not meant to follow each other.
const PAUSE: Duration = Duration::from_millis(100);

/// Frames whose times may never come (they were dropped) are forgotten after so many.
const KEPT: usize = 64;

/// What is known of the frames on their way.
#[derive(Debug, Default)]
pub struct Ledger {
    frames: VecDeque<Entry>,
    last: Option<(Instant, bool)>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    number: u64,
    moved: bool,
    interval_us: Option<f64>,
}

impl Ledger {
    /// A frame was handed to the window. `moved`: for a reason of its own, and not only to refresh the panels, whose figures would
    /// otherwise keep each other changing for ever.
    pub fn shown(&mut self, number: u64, moved: bool, now: Instant) {
        let since = self.last.filter(|(_, moved_before)| moved && *moved_before).map(|(at, _)| now - at);
        let interval_us = since.filter(|since| *since < PAUSE).map(|since| since.as_secs_f64() * 1e6);
        self.last = Some((now, moved));
        self.frames.push_back(Entry { number, moved, interval_us });
        let overfull = self.frames.len().saturating_sub(KEPT);
        self.frames.drain(..overfull);
    }

    /// Whether this frame's times are to be shown; with them the microseconds since the frame before, if one went before.
    pub fn take(&mut self, number: u64) -> Option<Option<f64>> {
        while let Some(entry) = self.frames.pop_front() {
            if entry.number == number {
                return entry.moved.then_some(entry.interval_us);
            }
            if entry.number > number {
                self.frames.push_front(entry);
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
    fn refreshes_of_panels_are_not_counted_and_pauses_are_no_intervals() {
        let (start, ms) = (Instant::now(), |ms| Duration::from_millis(ms));
        let mut ledger = Ledger::default();
        for (number, moved, at) in
            [(0, true, 0), (1, true, 10), (2, false, 20), (3, true, 30), (5, true, 40), (6, true, 500)]
        {
            ledger.shown(number, moved, start + ms(at));
        }
        assert_eq!(ledger.take(0), Some(None), "the first has none before it");
        assert_eq!(ledger.take(1), Some(Some(10_000.0)));
        assert_eq!(ledger.take(2), None);
        assert_eq!(ledger.take(3), Some(None), "after a refresh");
        assert_eq!(ledger.take(4), None, "never shown");
        assert_eq!(ledger.take(5), Some(Some(10_000.0)));
        assert_eq!(ledger.take(6), Some(None), "after a pause");
        assert_eq!(ledger.take(6), None);
    }
}
