//! Redraw: the time of the next frame, the animation clock, the camera's drift, and the resolution of the moving world.

use super::document::Document;
use super::dynamic_resolution::{Drawn, DynamicResolution};
use glass::{FADE_S, GlassSettings, HOLD_S};
use gpu::DevicePolicy;
use instrument::WorldTime;
use renderer::{FramePlan, PlanInput, Renderer, Repeat, WindowPace};
use scene::{Lens, SceneSettings};
use std::time::{Duration, Instant};
use techniques::Settings;

/// egui returns the maximum duration if it needs no frame.
const NEVER: Duration = Duration::from_secs(24 * 3600);

const LONGEST: Duration = Duration::from_millis(50);

/// Of a motif of use: its text must not wait for ten slow frames.
const LONGEST_OF_MOTIF: Duration = Duration::from_millis(250);

const STILL: Duration = Duration::from_millis(150);

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Next {
    Now,
    At(Instant),
    Wait,
}

pub struct Redraw {
    policy: DevicePolicy,
    pub pacing: Pacing,
    activity: Activity,
    pub resolution: DynamicResolution,
    last_scene: Option<(SceneSettings, f32)>,
    is_requested: bool,
    /// A sharper frame follows at rest.
    pub sharpens: bool,
}

impl Redraw {
    pub fn new(policy: DevicePolicy) -> Self {
        Self {
            policy,
            pacing: Pacing::default(),
            activity: Activity::default(),
            resolution: DynamicResolution::new(policy.mirror_scale),
            last_scene: None,
            is_requested: false,
            sharpens: false,
        }
    }

    pub fn request(&mut self) {
        self.is_requested = true;
        self.pacing.request(Instant::now());
    }

    pub fn request_in(&mut self, delay: Duration) {
        self.pacing.request_in(delay, Instant::now());
    }

    pub fn request_when_still(&mut self) {
        let now = Instant::now();
        self.pacing.request_in(self.activity.still_in(now), now);
    }

    pub fn take_request(&mut self) -> bool {
        std::mem::take(&mut self.is_requested)
    }

    pub fn picture_changed(&mut self) {
        self.activity.picture_changed();
        self.request();
    }

    pub fn input_received(&mut self) {
        self.activity.changed_at = Some(Instant::now());
        self.request();
    }

    /// `is_dragged`: the camera; `is_calm`: nothing moves by itself.
    pub fn advance(
        &mut self,
        document: &mut Document,
        lenses: &[Lens],
        is_dragged: bool,
        is_calm: bool,
        time: WorldTime,
    ) -> f32 {
        let Settings { glass, scene, .. } = &document.state().settings;
        let (seconds, more) = self.activity.frame(Instant::now(), lenses, glass, scene);
        let seconds = if let WorldTime::Steps(step) = time { step.as_secs_f32() } else { seconds };
        let drifts = document.state().shows_world()
            && scene.drifts(!self.policy.is_slow)
            && !is_calm
            && time != WorldTime::Paused;
        if drifts && !is_dragged {
            document.adapt(|state| state.drifted_s += seconds);
        }
        if more || drifts && time == WorldTime::Runs {
            self.request();
        }
        seconds
    }

    pub fn plan(
        &mut self,
        document: &Document,
        (held, is_making): (Option<&SceneSettings>, bool),
        renderer: &Renderer,
        number: u64,
        repeat: Repeat,
    ) -> FramePlan {
        let (state, now) = (document.state(), Instant::now());
        let settings = &state.settings;
        let policy = self.policy;
        let input = PlanInput {
            policy: &policy,
            measures_bounces: renderer.measures_bounces(),
            view: state.view,
            saved: &[],
            window: None,
        };
        let scene = (held.unwrap_or(&settings.scene).clone(), state.drifted_s);
        // The last scene stays as sharp as it is until the next one is there.
        let is_waiting = held.is_some() || is_making;
        let is_other = state.shows_world() && self.last_scene.replace(scene.clone()).is_some_and(|last| last != scene);
        let moves = is_other && !is_waiting;
        let shares_time = input.shares_mirrors(settings);
        let is_repeated = repeat != Repeat::Nothing;
        let may_share_rays = !shares_time && settings.reflections.may_share_rays();
        let (scales, sharper_in) = match settings.scene.adapt {
            true => {
                let drawn = Drawn { moves, shares_time, may_share_rays, is_repeated };
                self.resolution.frame(number, drawn, now)
            }
            false => ([1.0; 2], None),
        };
        self.sharpens = sharper_in.is_some();
        sharper_in.into_iter().for_each(|delay| self.request_in(delay));
        let is_still = is_waiting || self.activity.still_in(now).is_zero();
        let auto_rays = self.resolution.auto_rays();
        let window = Some(WindowPace { scales, is_still, auto_rays });
        let plan = FramePlan::of(settings, &PlanInput { window, ..input });
        FramePlan { repeat, may_share_rays: plan.may_share_rays && !is_repeated, ..plan }
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Pacing {
    due: Option<Instant>,
    moved_at: Option<Instant>,
    hidden: bool,
}

impl Pacing {
    fn request(&mut self, now: Instant) {
        self.moved_at.get_or_insert(now);
        self.request_in(Duration::ZERO, now);
    }

    fn request_in(&mut self, delay: Duration, now: Instant) {
        if delay < NEVER {
            let at = now + delay;
            self.due = Some(self.due.map_or(at, |due| due.min(at)));
        }
    }

    /// Retries after `delay`, or with the next request.
    pub fn postpone(&mut self, delay: Duration, now: Instant) {
        self.due = Some(now + delay);
        self.moved_at = self.moved_at.map(|_| now + delay);
    }

    /// Returns the time of the first motion not yet drawn.
    pub fn begin(&mut self) -> Option<Instant> {
        self.due = None;
        self.moved_at.take()
    }

    pub fn hide(&mut self, hidden: bool, now: Instant) {
        self.hidden = hidden;
        self.moved_at = self.moved_at.map(|_| now);
    }

    pub fn next(&self, now: Instant) -> Next {
        match self.due {
            Some(due) if !self.hidden && due <= now => Next::Now,
            Some(due) if !self.hidden => Next::At(due),
            _ => Next::Wait,
        }
    }
}

#[derive(Clone, Debug, Default)]
struct Activity {
    seen: Option<(Vec<Lens>, GlassSettings, SceneSettings)>,
    drawn_at: Option<Instant>,
    /// Seconds of frames, few on a slow driver, until the glass rests.
    left_s: f32,
    changed_at: Option<Instant>,
}

impl Activity {
    fn picture_changed(&mut self) {
        self.seen = None;
    }

    fn still_in(&self, now: Instant) -> Duration {
        self.changed_at.map_or(Duration::ZERO, |at| (at + STILL).saturating_duration_since(now))
    }

    fn frame(&mut self, now: Instant, lenses: &[Lens], glass: &GlassSettings, scene: &SceneSettings) -> (f32, bool) {
        let longest = if scene.uses_motif() { LONGEST_OF_MOTIF } else { LONGEST };
        let since = self.drawn_at.replace(now).map_or(Duration::ZERO, |then| now - then).min(longest);
        let same = self.seen.as_ref().is_some_and(|(l, g, s)| l == lenses && g == glass && s == scene);
        if !same {
            if self.seen.replace((lenses.to_vec(), glass.clone(), scene.clone())).is_some() {
                self.changed_at = Some(now);
            }
            self.left_s = HOLD_S + FADE_S + 2.0 * LONGEST.as_secs_f32();
        }
        self.left_s -= since.as_secs_f32();
        let follows = scene.uses_motif() || lenses.iter().any(|lens| lens.glass.follows_brightness());
        let more = follows && self.left_s > 0.0;
        if !more {
            self.left_s = 0.0;
        }
        (since.as_secs_f32(), more)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec2;
    use scene::LensGlass;

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
        let lens = |x| Lens { center: Vec2::new(x, 0.0), ..Lens::default() };
        let mut activity = Activity::default();
        for (begin, x, frame_ms) in [(0, 1.0, 16), (5000, 2.0, 16), (9000, 4.0, 900)] {
            let (mut whole, mut frames) = (0.0, 0);
            for frame in 0.. {
                let now = start + Duration::from_millis(begin + frame * frame_ms);
                let (seconds, more) = activity.frame(now, &[lens(x)], &glass, &scene);
                (whole, frames) = (whole + seconds, frames + 1);
                if !more {
                    break;
                }
            }
            assert!(whole >= HOLD_S + FADE_S && frames < 60, "{whole} s in {frames} frames");
        }
        let now = start + Duration::from_secs(90);
        assert_eq!(activity.frame(now, &[lens(4.0)], &glass, &scene), (0.05, false), "a refresh of the panels");
        assert_eq!(activity.still_in(now), Duration::ZERO);
        activity.picture_changed();
        assert!(activity.frame(now, &[lens(4.0)], &glass, &scene).1);
        assert_eq!(activity.still_in(now), Duration::ZERO, "a picture that was painted is no movement");
        let still = Lens { glass: LensGlass { adaptive: 0.0, ..LensGlass::default() }, ..lens(3.0) };
        assert!(!activity.frame(now, &[still], &glass, &scene).1);
        assert_eq!((activity.still_in(now), activity.still_in(now + STILL)), (STILL, Duration::ZERO));
    }
}
