//! Position in a replay over time: playing, single steps, transitions.

/// Seconds from one step to the next, and for reading a step.
const TRANSITION_S: f32 = 0.6;
const READING_S: f32 = 3.4;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReplayClock {
    step: usize,
    from: usize,
    /// Progress of the transition, 0 to 1.
    part: f32,
    /// Seconds since its end.
    shown_s: f32,
    /// Time of the last frame, unless nothing moved after it.
    last_s: Option<f64>,
    is_playing: bool,
}

impl Default for ReplayClock {
    fn default() -> Self {
        Self { step: 0, from: 0, part: 1.0, shown_s: 0.0, last_s: None, is_playing: false }
    }
}

impl ReplayClock {
    pub fn step(&self) -> usize {
        self.step
    }

    /// The step that cells come from, and the progress, 0 to 1.
    pub fn transition(&self) -> (usize, f32) {
        let part = self.part;
        (self.from, part * part * (3.0 - 2.0 * part))
    }

    pub fn is_playing(&self) -> bool {
        self.is_playing
    }

    pub fn toggle(&mut self, count: usize) {
        self.is_playing = !self.is_playing;
        if self.is_playing && self.step + 1 >= count {
            self.go_to(0, count);
        }
        self.shown_s = 0.0;
    }

    pub fn pause_at(&mut self, step: usize, count: usize) {
        self.is_playing = false;
        self.go_to(step, count);
    }

    fn go_to(&mut self, step: usize, count: usize) {
        let step = step.min(count.saturating_sub(1));
        if step != self.step {
            (self.from, self.step, self.part, self.shown_s) = (self.step, step, 0.0, 0.0);
        }
    }

    pub fn advance_by(&mut self, steps: isize, count: usize) {
        self.pause_at(self.step.saturating_add_signed(steps), count);
    }

    /// `now_s`: of the frame; frames may be seconds apart. `is_still`: without transitions. Returns the seconds until something changes,
    /// if anything does.
    pub fn advance(&mut self, now_s: f64, count: usize, is_still: bool) -> Option<f32> {
        let seconds = (now_s - self.last_s.unwrap_or(now_s)) as f32;
        self.step = self.step.min(count.saturating_sub(1));
        self.from = self.from.min(count.saturating_sub(1));
        let left_s = if is_still { 0.0 } else { (1.0 - self.part) * TRANSITION_S };
        self.part = if seconds >= left_s { 1.0 } else { self.part + seconds / TRANSITION_S };
        let wait_s = self.wait_s((seconds - left_s).max(0.0), count);
        self.last_s = wait_s.map(|_| now_s);
        wait_s
    }

    /// `shown_s`: of the seconds since the last frame.
    fn wait_s(&mut self, shown_s: f32, count: usize) -> Option<f32> {
        if self.part < 1.0 {
            return Some(0.0);
        }
        if !self.is_playing {
            return None;
        }
        self.shown_s += shown_s;
        let left_s = READING_S - self.shown_s;
        if left_s > 0.0 {
            return Some(left_s);
        }
        self.is_playing = self.step + 1 < count;
        self.go_to(self.step + 1, count);
        self.is_playing.then_some(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Draws only the frames that the clock asks for, and at least `frame_s` apart.
    #[test]
    fn it_plays_to_the_end_and_stops() {
        for frame_s in [0.01, 0.05, 1.0] {
            let mut clock = ReplayClock::default();
            let mut now_s = 100.0;
            assert_eq!(clock.advance(now_s, 3, false), None, "it rests");
            now_s = 200.0;
            clock.toggle(3);
            let mut frames = 0;
            while let Some(wait_s) = clock.advance(now_s, 3, false) {
                (now_s, frames) = (now_s + f64::from(wait_s).max(frame_s), frames + 1);
                assert!(frames < 1000, "{clock:?}");
            }
            assert_eq!((clock.step(), clock.is_playing()), (2, false));
            // Three steps are read, two transitions seen.
            let expected = 200.0 + f64::from(3.0 * READING_S + 2.0 * TRANSITION_S);
            assert!((now_s - expected).abs() < 3.5 * frame_s, "{now_s}, frames of {frame_s} s");
            clock.toggle(3);
            assert_eq!((clock.step(), clock.is_playing()), (0, true), "again from the start");
        }
    }

    #[test]
    fn steps_do_what_they_say() {
        let mut clock = ReplayClock::default();
        clock.advance_by(1, 3);
        assert_eq!(clock.advance(5.0, 3, false), Some(0.0));
        clock.advance(5.0 + f64::from(TRANSITION_S) / 2.0, 3, false);
        assert_eq!(clock.step(), 1);
        assert!(clock.transition().0 == 0 && (clock.transition().1 - 0.5).abs() < 1e-5);
        clock.advance_by(9, 3);
        clock.advance_by(-1, 3);
        assert_eq!((clock.step(), clock.transition()), (1, (2, 0.0)));
        clock.advance(5.0, 3, true);
        assert_eq!(clock.transition(), (2, 1.0), "reduced motion");
        clock.advance_by(-5, 3);
        assert_eq!(clock.step(), 0);
        clock.go_to(2, 3);
        clock.advance(9.0, 1, false);
        assert_eq!((clock.step(), clock.transition().0), (0, 0));
    }
}
