//! When the next frame is due. While nothing moves, none is.

use std::time::{Duration, Instant};

/// A delay beyond this is as good as never: egui asks for the longest there is when it wants nothing.
const NEVER: Duration = Duration::from_secs(24 * 3600);

/// What to wait for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Next {
    /// A frame is due.
    Now,
    /// One is due then, if nothing happens before.
    At(Instant),
    /// Only an event can make one due.
    Never,
}

impl Next {
    /// The same, but at this moment at the latest there is something else to do.
    pub fn or_at(self, at: Instant) -> Self {
        match self {
            Self::Now => Self::Now,
            Self::At(due) => Self::At(due.min(at)),
            Self::Never => Self::At(at),
        }
    }
}

/// Keeps the earliest moment at which a frame is due.
#[derive(Clone, Copy, Debug, Default)]
pub struct FramePacing {
    due: Option<Instant>,
    /// Since when something has moved that was not drawn yet.
    moved_at: Option<Instant>,
    hidden: bool,
}

impl FramePacing {
    /// Something moved: a frame is due.
    pub fn ask(&mut self, now: Instant) {
        self.moved_at.get_or_insert(now);
        self.ask_within(Duration::ZERO, now);
    }

    /// The panels want a frame after `delay` at the latest, for their own sake.
    pub fn ask_within(&mut self, delay: Duration, now: Instant) {
        if delay < NEVER {
            let at = now + delay;
            self.due = Some(self.due.map_or(at, |due| due.min(at)));
        }
    }

    /// No frame can be drawn now, whatever is due: the next try comes after `delay`, or when something else is asked for.
    pub fn put_off(&mut self, delay: Duration, now: Instant) {
        self.due = Some(now + delay);
        self.moved_at = self.moved_at.map(|_| now + delay);
    }

    /// A frame is about to show everything asked for so far. Since when something has moved, if anything did; a time in which no frame
    /// could be drawn is left out.
    pub fn begin(&mut self) -> Option<Instant> {
        self.due = None;
        self.moved_at.take()
    }

    /// The window cannot be seen, or can again; what was due meanwhile is due then.
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
    fn the_earliest_wish_wins_and_a_frame_fulfils_all() {
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
    fn what_is_put_off_is_not_forgotten() {
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
    fn what_is_hidden_waits_until_it_is_seen() {
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
