//! Animation clock: wall time in a window, a fixed step per frame where pictures must be reproducible bit for bit.

use std::time::{Duration, Instant};

/// Source of a frame's time.
#[derive(Clone, Copy, Debug)]
enum Source {
    Real { start: Instant },
    Fixed { step: Duration },
}

/// The longest step: after a pause (a debugger, a minimised window) animation continues without a jump.
const LONGEST_STEP: Duration = Duration::from_millis(100);

/// Time of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moment {
    /// Number of the frame, from 0.
    pub frame: u64,
    /// Seconds since the clock's start: the sum of the steps.
    pub seconds: f64,
    /// Seconds since the previous frame: 0 in the first, and at most a tenth.
    pub step_s: f64,
}

/// Source of each frame's [`Moment`].
#[derive(Clone, Debug)]
pub struct Clock {
    source: Source,
    last: Duration,
    elapsed: Duration,
    frame: u64,
}

impl Clock {
    /// Follows the wall clock.
    pub fn real() -> Self {
        Self::new(Source::Real { start: Instant::now() })
    }

    /// Advances by `step` per frame, regardless of the real time.
    pub fn fixed(step: Duration) -> Self {
        Self::new(Source::Fixed { step })
    }

    fn new(source: Source) -> Self {
        Self { source, last: Duration::ZERO, elapsed: Duration::ZERO, frame: 0 }
    }

    /// The time of the next frame. The first one is at zero seconds.
    pub fn tick(&mut self) -> Moment {
        let step = match self.source {
            Source::Real { start } => {
                let now = start.elapsed();
                let step = now.saturating_sub(self.last).min(LONGEST_STEP);
                self.last = now;
                step
            }
            Source::Fixed { step } => step,
        };
        let step = if self.frame == 0 { Duration::ZERO } else { step };
        self.elapsed += step;
        let moment = Moment { frame: self.frame, seconds: self.elapsed.as_secs_f64(), step_s: step.as_secs_f64() };
        self.frame += 1;
        moment
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fixed_clock_repeats_exactly() {
        let run = || {
            let mut clock = Clock::fixed(Duration::from_micros(16_667));
            (0..1000).map(|_| clock.tick()).collect::<Vec<_>>()
        };
        let first = run();
        assert_eq!(first, run());
        assert_eq!(first[0], Moment::default());
        assert_eq!(first[999].seconds, Duration::from_micros(16_667 * 999).as_secs_f64());
    }

    #[test]
    fn a_real_clock_never_runs_back_nor_leaps() {
        let mut clock = Clock::real();
        assert_eq!(clock.tick(), Moment::default());
        let mut before = 0.0;
        for _ in 0..100 {
            let moment = clock.tick();
            assert!(moment.seconds >= before && moment.step_s <= LONGEST_STEP.as_secs_f64());
            before = moment.seconds;
        }
    }
}
