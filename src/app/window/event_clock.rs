//! Times of events. winit reports none: an event that arrives while a frame is drawn is handled after it, however long that takes.

use std::time::{Duration, Instant};

/// Events this soon after a frame, or within an eighth of its time, were queued while it was drawn.
const WAITED: Duration = Duration::from_millis(10);

#[derive(Clone, Copy, Debug)]
pub struct EventClock {
    last: [Instant; 2],
    drawing: Option<Instant>,
}

impl EventClock {
    pub fn new(now: Instant) -> Self {
        Self { last: [now; 2], drawing: None }
    }

    pub fn begin_frame(&mut self, now: Instant) {
        self.drawing = Some(now);
    }

    pub fn end_frame(&mut self, now: Instant) {
        self.last = [self.drawing.take().unwrap_or(now), now];
    }

    pub fn latest(&self, now: Instant) -> Instant {
        self.drawing.unwrap_or(now)
    }

    pub fn earliest(&self, now: Instant) -> Instant {
        let (now, [begin, end]) = (self.latest(now), self.last);
        let waited = WAITED.max(end.saturating_duration_since(begin) / 8);
        if now.saturating_duration_since(end) < waited { begin } else { now }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_that_waited_for_a_frame_may_have_come_at_its_begin() {
        let start = Instant::now();
        let at = |ms: u64| start + Duration::from_millis(ms);
        let mut clock = EventClock::new(start);
        assert_eq!(clock.earliest(at(500)), at(500));
        clock.begin_frame(at(1000));
        assert_eq!([clock.earliest(at(1900)), clock.latest(at(1900))], [at(1000); 2], "handled in the frame");
        clock.end_frame(at(2000));
        assert_eq!([clock.earliest(at(2009)), clock.latest(at(2009))], [at(1000), at(2009)]);
        assert_eq!(clock.earliest(at(2300)), at(2300));
        clock.begin_frame(at(2010));
        assert_eq!(clock.earliest(at(2500)), at(1000), "two frames without a pause");
    }
}
