//! Wall-clock times of frames: from the request of an image of the window to its presentation, waiting included.

use base::stats::median;
use base::timing::FrameTiming;
use std::collections::{BTreeSet, VecDeque};
use std::time::Instant;

const MOST: usize = 1000;

#[derive(Default)]
pub struct FrameWalls {
    begun: Option<Instant>,
    us: VecDeque<(u64, f64)>,
}

impl FrameWalls {
    pub fn begin(&mut self) {
        self.begun.get_or_insert_with(Instant::now);
    }

    pub fn cancel(&mut self) {
        self.begun = None;
    }

    pub fn end(&mut self, number: u64) {
        if let Some(begun) = self.begun.take() {
            self.us.push_back((number, begun.elapsed().as_secs_f64() * 1e6));
            self.us.drain(..self.us.len().saturating_sub(MOST));
        }
    }

    pub fn figures(&self, timings: &[FrameTiming]) -> Option<[f64; 2]> {
        let counted: BTreeSet<u64> =
            timings.iter().filter(|timing| !timing.compiles).map(|timing| timing.frame).collect();
        let mut us: Vec<f64> = self.us.iter().filter(|(frame, _)| counted.contains(frame)).map(|(_, us)| *us).collect();
        let longest = us.iter().copied().reduce(f64::max)?;
        Some([median(&mut us), longest])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_that_compile_do_not_count() {
        let mut walls = FrameWalls::default();
        for number in 0..4 {
            walls.begin();
            walls.end(number);
        }
        walls.begin();
        walls.cancel();
        walls.end(4);
        assert_eq!(walls.us.len(), 4, "the last had no image");
        walls.us = [(0, 900.0), (1, 10.0), (2, 20.0), (3, 60.0)].into();
        let timing = |frame| FrameTiming { frame, compiles: frame == 0, ..FrameTiming::default() };
        let timings: Vec<FrameTiming> = (0..4).map(timing).collect();
        assert_eq!(walls.figures(&timings), Some([20.0, 60.0]));
        assert_eq!(walls.figures(&timings[..1]), None);
    }
}
