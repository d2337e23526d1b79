//! Frame scheduling: the time of the next frame. While nothing moves, none is due.

use std::time::{Duration, Instant};

/// A longer delay means never: egui returns the maximum duration if it needs no frame.
const NEVER: Duration = Duration::from_secs(24 * 3600);

/// What to wait for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Next {
    /// A frame is due.
    Now,
    /// A frame is due at this time, unless an event comes before.
    At(Instant),
    /// No frame is due without an event.
    Never,
}

impl Next {
    /// The same, but waking at this time at the latest.
    pub fn or_at(self, at: Instant) -> Self {
        match self {
            Self::Now => Self::Now,
            Self::At(due) => Self::At(due.min(at)),
            Self::Never => Self::At(at),
        }
    }
}

/// Time of the earliest requested frame.
#[derive(Clone, Copy, Debug, Default)]
pub struct FramePacing {
    due: Option<Instant>,
    /// Time of the first motion not yet drawn.
    moved_at: Option<Instant>,
    hidden: bool,
}

impl FramePacing {
    /// Requests a redraw after a motion.
    pub fn ask(&mut self, now: Instant) {
        self.moved_at.get_or_insert(now);
        self.ask_within(Duration::ZERO, now);
    }

    /// Requests a redraw of the panels within `delay`.
    pub fn ask_within(&mut self, delay: Duration, now: Instant) {
        if delay < NEVER {
            let at = now + delay;
            self.due = Some(self.due.map_or(at, |due| due.min(at)));
        }
    }

    /// No frame can be drawn now: retries after `delay`, or with the next request.
    pub fn put_off(&mut self, delay: Duration, now: Instant) {
        self.due = Some(now + delay);
        self.moved_at = self.moved_at.map(|_| now + delay);
    }

    /// Starts a frame that satisfies all requests. Returns the time of the first motion not yet drawn, if any; time in which no frame could
    /// be drawn is excluded.
    pub fn begin(&mut self) -> Option<Instant> {
        self.due = None;
        self.moved_at.take()
    }

    /// The window was hidden or shown; requests made while hidden become due when shown.
    pub fn hide(&mut self, hidden: bool, now: Instant) {
        self.hidden = hidden;
        self.moved_at = self.moved_at.map(|_| now);
    }

    /// What to wait for now.
    pub fn next(&self, now: Instant) -> Next {
        match self.due {
            Some(due) if !self.hidden && due <= now => Next::Now,
            Some(due) if !self.hidden => Next::At(due),
            _ => Next::Never,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_earliest_request_wins_and_a_frame_satisfies_all() {
        let (now, ms) = (Instant::now(), Duration::from_millis);
        let mut pacing = FramePacing::default();
        assert_eq!(pacing.next(now), Next::Never);
        pacing.ask_within(ms(50), now);
        pacing.ask_within(ms(20), now);
        pacing.ask_within(ms(30), now);
        assert_eq!(pacing.next(now), Next::At(now + ms(20)));
        assert_eq!(pacing.next(now + ms(20)), Next::Now);
        assert_eq!(pacing.begin(), None, "nothing moved");
        assert_eq!(pacing.next(now + ms(100)), Next::Never);
    }

    #[test]
    fn endless_delays_are_no_wish() {
        let mut pacing = FramePacing::default();
        pacing.ask_within(Duration::MAX, Instant::now());
        assert_eq!(pacing.next(Instant::now()), Next::Never);
    }

    #[test]
    fn postponed_requests_are_kept() {
        let (now, later) = (Instant::now(), Duration::from_millis(100));
        let mut pacing = FramePacing::default();
        pacing.ask(now);
        pacing.put_off(later, now);
        assert_eq!(pacing.next(now), Next::At(now + later));
        assert_eq!(pacing.next(now + later), Next::Now);
        pacing.ask(now);
        assert_eq!(pacing.next(now), Next::Now, "what is asked for meanwhile is tried at once");
        assert_eq!(pacing.begin(), Some(now + later), "that something moved is still known");
        pacing.ask(now);
        pacing.ask(now + later);
        assert_eq!((pacing.begin(), pacing.begin()), (Some(now), None));
    }

    #[test]
    fn hidden_windows_wait_until_shown() {
        let now = Instant::now();
        let mut pacing = FramePacing::default();
        pacing.hide(true, now);
        pacing.ask(now);
        assert_eq!(pacing.next(now), Next::Never);
        let seen = now + Duration::from_secs(3600);
        pacing.hide(false, seen);
        assert_eq!(pacing.next(seen), Next::Now);
        assert_eq!(pacing.begin(), Some(seen), "the hour in which it could not be seen does not count");
    }
}
