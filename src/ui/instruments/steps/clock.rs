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
    is_playing: bool,
}

impl Default for ReplayClock {
    fn default() -> Self {
        Self { step: 0, from: 0, part: 1.0, shown_s: 0.0, is_playing: false }
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

    /// `is_still`: without transitions. Returns the seconds until something changes, if anything does.
    pub fn advance(&mut self, seconds: f32, count: usize, is_still: bool) -> Option<f32> {
        self.step = self.step.min(count.saturating_sub(1));
        self.from = self.from.min(count.saturating_sub(1));
        self.part = if is_still { 1.0 } else { (self.part + seconds / TRANSITION_S).min(1.0) };
        if self.part < 1.0 {
            return Some(0.0);
        }
        if !self.is_playing {
            return None;
        }
        self.shown_s += seconds;
        let left = READING_S - self.shown_s;
        if left > 0.0 {
            return Some(left);
        }
        self.is_playing = self.step + 1 < count;
        self.go_to(self.step + 1, count);
        self.is_playing.then_some(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_plays_to_the_end_and_stops() {
        let mut clock = ReplayClock::default();
        clock.toggle(3);
        let mut seconds = 0.0;
        while clock.is_playing() && seconds < 60.0 {
            clock.advance(0.05, 3, false);
            seconds += 0.05;
        }
        assert_eq!(clock.step(), 2);
        // Three steps are read, two transitions seen.
        assert!((seconds - (3.0 * READING_S + 2.0 * TRANSITION_S)).abs() < 0.5, "{seconds}");
        assert_eq!(clock.advance(0.05, 3, false), None, "nothing more to draw");
        clock.toggle(3);
        assert_eq!((clock.step(), clock.is_playing()), (0, true), "again from the start");
    }

    #[test]
    fn steps_do_what_they_say() {
        let mut clock = ReplayClock::default();
        clock.advance_by(1, 3);
        clock.advance(TRANSITION_S / 2.0, 3, false);
        assert_eq!((clock.step(), clock.transition()), (1, (0, 0.5)));
        clock.advance_by(9, 3);
        clock.advance_by(-1, 3);
        assert_eq!((clock.step(), clock.transition()), (1, (2, 0.0)));
        clock.advance(0.0, 3, true);
        assert_eq!(clock.transition(), (2, 1.0), "reduced motion");
        clock.advance_by(-5, 3);
        assert_eq!(clock.step(), 0);
        clock.go_to(2, 3);
        clock.advance(1.0, 1, false);
        assert_eq!((clock.step(), clock.transition().0), (0, 0));
    }
}
