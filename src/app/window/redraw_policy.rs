//! Redraw policy: frames for as long as the glass adapts to the brightness below it after a change.

use crate::scene::{Lens, SceneSettings};
use crate::techniques::glass::{FOLLOW_S, GlassSettings};
use std::time::{Duration, Instant};

/// A longer frame interval is a pause without motion.
const LONGEST: Duration = Duration::from_millis(50);

/// Time without a change or an event after which slow work may run.
const STILL: Duration = Duration::from_millis(150);

/// What the glass adapts to, as of the last frame.
#[derive(Clone, Debug, Default)]
pub struct RedrawPolicy {
    seen: Option<(Vec<Lens>, GlassSettings, SceneSettings)>,
    drawn_at: Option<Instant>,
    until: Option<Instant>,
    changed_at: Option<Instant>,
}

impl RedrawPolicy {
    /// The picture changed.
    pub fn start(&mut self) {
        self.seen = None;
    }

    /// The user moves the pointer or types: frames must be fast.
    pub fn request_animation(&mut self, now: Instant) {
        self.changed_at = Some(now);
    }

    /// Time until nothing has changed for a while; zero if that is so already.
    pub fn still_in(&self, now: Instant) -> Duration {
        self.changed_at.map_or(Duration::ZERO, |at| (at + STILL).saturating_duration_since(now))
    }

    /// Called before drawing a frame: returns the seconds since the last one, and whether another is needed after it.
    pub fn frame(
        &mut self,
        now: Instant,
        lenses: &[Lens],
        glass: &GlassSettings,
        scene: &SceneSettings,
    ) -> (f32, bool) {
        let since = self.drawn_at.replace(now).map_or(Duration::ZERO, |then| now - then).min(LONGEST);
        let same = self.seen.as_ref().is_some_and(|(l, g, s)| l == lenses && g == glass && s == scene);
        if !same {
            if self.seen.replace((lenses.to_vec(), glass.clone(), scene.clone())).is_some() {
                self.changed_at = Some(now);
            }
            // A pause counts as the shortest one: an extra frame completes the last step.
            self.until = Some(now + Duration::from_secs_f32(FOLLOW_S) + LONGEST);
        }
        let more = glass.adaptive > 0.0 && self.until.is_some_and(|until| now < until);
        if !more {
            self.until = None;
        }
        (since.as_secs_f32(), more)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec2;

    #[test]
    fn a_change_is_followed_for_a_while_and_then_nothing_is_drawn() {
        let (start, glass, scene) = (Instant::now(), GlassSettings::default(), SceneSettings::default());
        let lens = |x| Lens { center: Vec2::new(x, 0.0), exponent: 4.0, ..Lens::default() };
        let mut follow = RedrawPolicy::default();
        for (begin, x) in [(0, 1.0), (5000, 2.0)] {
            let (mut whole, mut frames) = (0.0, 0);
            for frame in 0.. {
                let now = start + Duration::from_millis(begin + frame * 16);
                let (seconds, more) = follow.frame(now, &[lens(x)], &glass, &scene);
                (whole, frames) = (whole + seconds, frames + 1);
                if !more {
                    break;
                }
            }
            assert!(whole >= FOLLOW_S && frames < 30, "{whole} s in {frames} frames");
        }
        let now = start + Duration::from_secs(9);
        assert_eq!(follow.frame(now, &[lens(2.0)], &glass, &scene), (0.05, false), "a refresh of the panels");
        assert_eq!(follow.still_in(now), Duration::ZERO);
        follow.start();
        assert!(follow.frame(now, &[lens(2.0)], &glass, &scene).1);
        assert_eq!(follow.still_in(now), Duration::ZERO, "a picture that was painted is no movement");
        assert!(!follow.frame(now, &[lens(3.0)], &GlassSettings { adaptive: 0.0, ..glass }, &scene).1);
        assert_eq!((follow.still_in(now), follow.still_in(now + STILL)), (STILL, Duration::ZERO));
    }
}
