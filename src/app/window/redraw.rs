//! Redraw: the time of the next frame, the animation clock, the camera's drift, and the resolution of the moving world.

use super::document::Document;
use super::dynamic_resolution::DynamicResolution;
use crate::base::timing::FrameTiming;
use crate::gpu::DevicePolicy;
use crate::renderer::{FramePlan, PlanInput, Renderer, WindowPace};
use crate::scene::{Lens, SceneSettings};
use crate::techniques::Settings;
use crate::techniques::glass::{FOLLOW_S, GlassSettings};
use crate::ui::timeline::WorldTime;
use std::time::{Duration, Instant};

/// A longer delay means never: egui returns the maximum duration if it needs no frame.
const NEVER: Duration = Duration::from_secs(24 * 3600);

/// A longer frame interval is a pause without motion.
const LONGEST: Duration = Duration::from_millis(50);

/// Step of the world's time while it is paused, seconds.
const STEP_S: f32 = 1.0 / 60.0;

/// Time without a change or an event after which slow work may run.
const STILL: Duration = Duration::from_millis(150);

/// What the event loop waits for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Next {
    /// A frame is due.
    Now,
    /// A frame is due at this time, unless an event comes before.
    At(Instant),
    /// No frame is due without an event.
    Wait,
}

/// Schedule and pace of the frames. While nothing moves, none is due.
pub struct Redraw {
    policy: DevicePolicy,
    pacing: Pacing,
    activity: Activity,
    resolution: DynamicResolution,
    /// Scene and drift of the last frame.
    last_scene: Option<(SceneSettings, f32)>,
    /// A redraw was requested since the last query.
    is_requested: bool,
}

impl Redraw {
    /// For a device with this policy.
    pub fn new(policy: DevicePolicy) -> Self {
        Self {
            policy,
            pacing: Pacing::default(),
            activity: Activity::default(),
            resolution: DynamicResolution::new(policy.mirror_scale),
            last_scene: None,
            is_requested: false,
        }
    }

    /// Requests a redraw after a motion or a change.
    pub fn request(&mut self) {
        self.is_requested = true;
        self.pacing.request(Instant::now());
    }

    /// Requests a redraw within `delay`.
    pub fn request_in(&mut self, delay: Duration) {
        self.pacing.request_in(delay, Instant::now());
    }

    /// Requests a redraw once nothing has changed for a while.
    pub fn request_when_still(&mut self) {
        let now = Instant::now();
        self.pacing.request_in(self.activity.still_in(now), now);
    }

    /// Whether something was requested since the last call.
    pub fn take_request(&mut self) -> bool {
        std::mem::take(&mut self.is_requested)
    }

    /// No frame can be drawn now: retries after `delay`, or with the next request.
    pub fn postpone(&mut self, delay: Duration) {
        self.pacing.postpone(delay, Instant::now());
    }

    /// The window was hidden or shown.
    pub fn hide(&mut self, hidden: bool) {
        self.pacing.hide(hidden, Instant::now());
    }

    /// What to wait for now.
    pub fn next(&self) -> Next {
        self.pacing.next(Instant::now())
    }

    /// Starts a frame that satisfies all requests. Returns the time of the first motion not yet drawn, if any.
    pub fn begin(&mut self) -> Option<Instant> {
        self.pacing.begin()
    }

    /// The picture under the glass changed.
    pub fn picture_changed(&mut self) {
        self.activity.picture_changed();
        self.request();
    }

    /// The user moves the pointer or types: frames must be fast.
    pub fn input_received(&mut self) {
        self.activity.request_animation(Instant::now());
        self.request();
    }

    /// Advances glass and camera to now, and requests what follows; returns the seconds since the last frame. `is_dragged`: the camera is;
    /// `is_calm`: nothing moves by itself.
    pub fn advance(
        &mut self,
        document: &mut Document,
        lenses: &[Lens],
        (is_dragged, is_calm, time): (bool, bool, WorldTime),
    ) -> f32 {
        let Settings { glass, scene, .. } = document.settings();
        let (seconds, more) = self.activity.frame(Instant::now(), lenses, glass, scene);
        let seconds = if time == WorldTime::Steps { STEP_S } else { seconds };
        let drifts =
            document.state().shows_world() && scene.drifts(self.policy.drifts) && !is_calm && time != WorldTime::Paused;
        if drifts && !is_dragged {
            document.adapt(|state| state.drifted_s += seconds);
        }
        if more || drifts && time == WorldTime::Runs {
            self.request();
        }
        seconds
    }

    /// The plan of frame `number`; requests one at a higher resolution if that is due.
    /// `is_whole`: its passes are looked at, so that each does all of its work.
    pub fn plan(&mut self, document: &Document, renderer: &Renderer, number: u64, is_whole: bool) -> FramePlan {
        let (state, settings, now) = (document.state(), document.settings(), Instant::now());
        let policy = self.policy;
        let input = PlanInput {
            policy: &policy,
            measures_bounces: is_whole || renderer.measures_bounces(),
            view: state.view,
            saved: &[],
            window: None,
        };
        let scene = (settings.scene.clone(), state.drifted_s);
        let moves = state.shows_world() && self.last_scene.replace(scene.clone()).is_some_and(|last| last != scene);
        let (scales, sharper_in) = match settings.scene.adapt {
            true => self.resolution.frame(number, moves, input.shares_mirrors(settings), now),
            false => ([1.0; 2], None),
        };
        sharper_in.into_iter().for_each(|delay| self.request_in(delay));
        let is_still = is_whole || self.activity.still_in(now).is_zero();
        FramePlan::of(settings, &PlanInput { window: Some(WindowPace { scales, is_still }), ..input })
    }

    /// Takes the timing of a finished frame.
    pub fn on_timing(&mut self, timing: &FrameTiming) {
        self.resolution.on_timing(timing);
    }

    /// Reports that frame `number` drew a part of the world, which later frames continue.
    pub fn drew_part(&mut self, number: u64) {
        self.resolution.drew_part(number);
    }
}

/// Time of the earliest requested frame.
#[derive(Clone, Copy, Debug, Default)]
struct Pacing {
    due: Option<Instant>,
    /// Time of the first motion not yet drawn.
    moved_at: Option<Instant>,
    hidden: bool,
}

impl Pacing {
    /// Requests a redraw after a motion.
    fn request(&mut self, now: Instant) {
        self.moved_at.get_or_insert(now);
        self.request_in(Duration::ZERO, now);
    }

    /// Requests a redraw of the panels within `delay`.
    fn request_in(&mut self, delay: Duration, now: Instant) {
        if delay < NEVER {
            let at = now + delay;
            self.due = Some(self.due.map_or(at, |due| due.min(at)));
        }
    }

    /// No frame can be drawn now: retries after `delay`, or with the next request.
    fn postpone(&mut self, delay: Duration, now: Instant) {
        self.due = Some(now + delay);
        self.moved_at = self.moved_at.map(|_| now + delay);
    }

    /// Starts a frame that satisfies all requests. Returns the time of the first motion not yet drawn, if any; time in which no frame could
    /// be drawn is excluded.
    fn begin(&mut self) -> Option<Instant> {
        self.due = None;
        self.moved_at.take()
    }

    /// The window was hidden or shown; requests made while hidden become due when shown.
    fn hide(&mut self, hidden: bool, now: Instant) {
        self.hidden = hidden;
        self.moved_at = self.moved_at.map(|_| now);
    }

    /// What to wait for now.
    fn next(&self, now: Instant) -> Next {
        match self.due {
            Some(due) if !self.hidden && due <= now => Next::Now,
            Some(due) if !self.hidden => Next::At(due),
            _ => Next::Wait,
        }
    }
}

/// What the glass adapts to, as of the last frame.
#[derive(Clone, Debug, Default)]
struct Activity {
    seen: Option<(Vec<Lens>, GlassSettings, SceneSettings)>,
    drawn_at: Option<Instant>,
    until: Option<Instant>,
    changed_at: Option<Instant>,
}

impl Activity {
    /// The picture changed.
    fn picture_changed(&mut self) {
        self.seen = None;
    }

    /// The user moves the pointer or types: frames must be fast.
    fn request_animation(&mut self, now: Instant) {
        self.changed_at = Some(now);
    }

    /// Time until nothing has changed for a while; zero if that is so already.
    fn still_in(&self, now: Instant) -> Duration {
        self.changed_at.map_or(Duration::ZERO, |at| (at + STILL).saturating_duration_since(now))
    }

    /// Called before drawing a frame: returns the seconds since the last one, and whether another is needed after it.
    fn frame(&mut self, now: Instant, lenses: &[Lens], glass: &GlassSettings, scene: &SceneSettings) -> (f32, bool) {
        let since = self.drawn_at.replace(now).map_or(Duration::ZERO, |then| now - then).min(LONGEST);
        let same = self.seen.as_ref().is_some_and(|(l, g, s)| l == lenses && g == glass && s == scene);
        if !same {
            if self.seen.replace((lenses.to_vec(), glass.clone(), scene.clone())).is_some() {
                self.changed_at = Some(now);
            }
            // A pause counts as the shortest one: an extra frame completes the last step.
            self.until = Some(now + Duration::from_secs_f32(FOLLOW_S) + LONGEST);
        }
        let more = glass.any_follows_brightness(lenses) && self.until.is_some_and(|until| now < until);
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
    fn the_earliest_request_wins_and_a_frame_satisfies_all() {
        let (now, ms) = (Instant::now(), Duration::from_millis);
        let mut pacing = Pacing::default();
        assert_eq!(pacing.next(now), Next::Wait);
        pacing.request_in(ms(50), now);
        pacing.request_in(ms(20), now);
        pacing.request_in(ms(30), now);
        assert_eq!(pacing.next(now), Next::At(now + ms(20)));
        assert_eq!(pacing.next(now + ms(20)), Next::Now);
        assert_eq!(pacing.begin(), None, "nothing moved");
        assert_eq!(pacing.next(now + ms(100)), Next::Wait);
    }

    #[test]
    fn endless_delays_request_nothing() {
        let mut pacing = Pacing::default();
        pacing.request_in(Duration::MAX, Instant::now());
        assert_eq!(pacing.next(Instant::now()), Next::Wait);
    }

    #[test]
    fn postponed_requests_are_kept() {
        let (now, later) = (Instant::now(), Duration::from_millis(100));
        let mut pacing = Pacing::default();
        pacing.request(now);
        pacing.postpone(later, now);
        assert_eq!(pacing.next(now), Next::At(now + later));
        assert_eq!(pacing.next(now + later), Next::Now);
        pacing.request(now);
        assert_eq!(pacing.next(now), Next::Now, "what is requested meanwhile is tried at once");
        assert_eq!(pacing.begin(), Some(now + later), "that something moved is still known");
        pacing.request(now);
        pacing.request(now + later);
        assert_eq!((pacing.begin(), pacing.begin()), (Some(now), None));
    }

    #[test]
    fn hidden_windows_wait_until_shown() {
        let now = Instant::now();
        let mut pacing = Pacing::default();
        pacing.hide(true, now);
        pacing.request(now);
        assert_eq!(pacing.next(now), Next::Wait);
        let seen = now + Duration::from_secs(3600);
        pacing.hide(false, seen);
        assert_eq!(pacing.next(seen), Next::Now);
        assert_eq!(pacing.begin(), Some(seen), "the hour in which it could not be seen does not count");
    }

    #[test]
    fn a_change_is_followed_for_a_while_and_then_nothing_is_drawn() {
        let (start, glass, scene) = (Instant::now(), GlassSettings::default(), SceneSettings::default());
        let lens = |x| Lens { center: Vec2::new(x, 0.0), exponent: 4.0, ..Lens::default() };
        let mut activity = Activity::default();
        for (begin, x) in [(0, 1.0), (5000, 2.0)] {
            let (mut whole, mut frames) = (0.0, 0);
            for frame in 0.. {
                let now = start + Duration::from_millis(begin + frame * 16);
                let (seconds, more) = activity.frame(now, &[lens(x)], &glass, &scene);
                (whole, frames) = (whole + seconds, frames + 1);
                if !more {
                    break;
                }
            }
            assert!(whole >= FOLLOW_S && frames < 30, "{whole} s in {frames} frames");
        }
        let now = start + Duration::from_secs(9);
        assert_eq!(activity.frame(now, &[lens(2.0)], &glass, &scene), (0.05, false), "a refresh of the panels");
        assert_eq!(activity.still_in(now), Duration::ZERO);
        activity.picture_changed();
        assert!(activity.frame(now, &[lens(2.0)], &glass, &scene).1);
        assert_eq!(activity.still_in(now), Duration::ZERO, "a picture that was painted is no movement");
        assert!(!activity.frame(now, &[lens(3.0)], &GlassSettings { adaptive: 0.0, ..glass }, &scene).1);
        assert_eq!((activity.still_in(now), activity.still_in(now + STILL)), (STILL, Duration::ZERO));
    }
}
