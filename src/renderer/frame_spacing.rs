//! Spacing of incremental world renders.

/// Frames a second: below the first the next picture of the world waits for a frame more, above the second for one
/// less.
const SLOW: f32 = 26.0;
const QUICK: f32 = 32.0;
/// Frames a second, below which waiting does not help.
const LOST: f32 = 15.0;
/// Frames between two pictures of the world.
const MOST_FREE: u32 = 4;
/// Seconds; longer intervals are pauses.
const LONGEST: f32 = 0.15;

#[derive(Clone, Copy, Debug, Default)]
pub struct FrameSpacing {
    frames: f32,
    seconds: f32,
    free: u32,
    left: u32,
}

impl FrameSpacing {
    pub fn frame(&mut self, seconds: f32) {
        if seconds > 0.0 && seconds < LONGEST {
            (self.frames, self.seconds) = (self.frames + 1.0, self.seconds + seconds);
        }
    }

    pub fn whole(&mut self) {
        if self.seconds * LOST > self.frames {
            self.free = 0;
        } else if self.seconds * SLOW > self.frames {
            self.free = (self.free + 1).min(MOST_FREE);
        } else if self.seconds * QUICK < self.frames {
            self.free = self.free.saturating_sub(1);
        }
        (self.left, self.frames, self.seconds) = (self.free, 0.0, 0.0);
    }

    pub fn waits(&mut self) -> bool {
        let waits = self.left > 0;
        self.left = self.left.saturating_sub(1);
        waits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settled(frame: f32, step: f32) -> u32 {
        let (mut pace, mut made) = (FrameSpacing::default(), 0);
        for _ in 0..400 {
            let waits = made == 0 && pace.waits();
            pace.frame((frame + if waits { 0.0 } else { step }) / 1000.0);
            made = if waits { 0 } else { (made + 1) % 4 };
            if made == 0 && !waits {
                pace.whole();
            }
        }
        pace.free
    }

    #[test]
    fn slow_steps_are_spread_further_and_quick_ones_are_not() {
        assert_eq!(settled(10.0, 10.0), 0);
        assert_eq!(settled(30.0, 20.0), MOST_FREE);
        assert_eq!(settled(100.0, 50.0), 0, "it would not help");
        assert!((1..MOST_FREE).contains(&settled(26.0, 17.0)), "{}", settled(26.0, 17.0));
    }

    #[test]
    fn a_pause_is_no_slow_frame() {
        let mut pace = FrameSpacing::default();
        pace.frame(0.02);
        pace.frame(3.0);
        pace.frame(0.0);
        pace.whole();
        assert!(!pace.waits());
    }
}
