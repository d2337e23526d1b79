//! Resolution and pace of the world and its mirrors.

use super::active_view::ActiveView;
use gpu::DevicePolicy;
use reflections::{AutoRays, Rate, Reflections};
use scene::AntialiasMode;
use technique::Technique as _;
use techniques::Settings;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FramePlan {
    /// Per side, in addition to the settings.
    pub world_scale: f32,
    /// Relative to the world; 0: mirrors show the sky only.
    pub mirror_scale: f32,
    pub mirror_pace: MirrorPace,
    pub may_share_rays: bool,
    pub auto_rays: AutoRays,
    pub is_incremental: bool,
    pub gathers: bool,
    pub is_exact: bool,
    pub repeat: Repeat,
}

/// Passes of an unchanged picture that are recorded once more for captures, without a change of what later frames
/// accumulate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Repeat {
    #[default]
    Nothing,
    /// On software drivers tracing takes seconds.
    Passes,
    Rays,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MirrorPace {
    AtOnce,
    /// A few pixels in a redrawn frame, a share of the others in each other frame.
    Shares,
    /// As shares, but frames that are not redrawn trace nothing.
    Paused,
}

#[derive(Clone, Copy, Debug)]
pub struct PlanInput<'a> {
    pub policy: &'a DevicePolicy,
    pub measures_bounces: bool,
    pub view: Option<ActiveView>,
    pub saved: &'a [&'static str],
    /// `None`: each frame is a finished picture.
    pub window: Option<WindowPace>,
}

#[derive(Clone, Copy, Debug)]
pub struct WindowPace {
    /// Per side, of the world and of its mirrors.
    pub scales: [f32; 2],
    pub is_still: bool,
    pub auto_rays: AutoRays,
}

impl FramePlan {
    pub const WHOLE: Self = Self {
        world_scale: 1.0,
        mirror_scale: 1.0,
        mirror_pace: MirrorPace::AtOnce,
        may_share_rays: true,
        auto_rays: AutoRays::NO_DISPLAY,
        is_incremental: false,
        gathers: true,
        is_exact: false,
        repeat: Repeat::Nothing,
    };

    pub fn of(settings: &Settings, input: &PlanInput<'_>) -> Self {
        let reflections = &settings.reflections;
        let is_looked_at = input.measures_bounces
            || input.view.is_some_and(|view| view.technique == Reflections::ID)
            || input.saved.contains(&Reflections::ID);
        let by_default = input.window.is_some() || !input.policy.is_slow;
        let traces = reflections.traces(by_default, is_looked_at);
        let whole = Self { mirror_scale: if traces { 1.0 } else { 0.0 }, may_share_rays: !is_looked_at, ..Self::WHOLE };
        let Some(WindowPace { scales: [world_scale, mirror_scale], is_still, auto_rays }) = input.window else {
            return whole;
        };
        let is_incremental = input.policy.is_slow;
        let window = Self { world_scale, auto_rays, is_incremental, gathers: !is_incremental || is_still, ..whole };
        match input.shares_mirrors(settings) {
            true if is_still => Self { mirror_pace: MirrorPace::Shares, ..window },
            true => Self { mirror_pace: MirrorPace::Paused, ..window },
            false => Self { mirror_scale: mirror_scale * whole.mirror_scale, ..window },
        }
    }

    /// `has_queues`: rays wait in queues. `None`: mirrors show the sky.
    pub fn rays_in_motion(&self, settings: &Settings, has_queues: bool) -> Option<(Rate, String)> {
        let (reflections, antialias) = (&settings.reflections, settings.scene.antialias);
        if self.mirror_scale == 0.0 || reflections.depth == 0 {
            return None;
        }
        let full = |why: &str| Some((Rate::Full, why.to_owned()));
        match reflections.rate {
            Rate::Full => full("reflections.rate is \"full\""),
            _ if has_queues => full("rays wait in queues"),
            _ if !reflections.may_share_rays() => full("this reflections.work traces every pixel"),
            _ if antialias != AntialiasMode::Temporal => {
                full("only the antialiasing of moving pictures accumulates shared rays")
            }
            _ if reflections.scale < 1.0 || self.mirror_scale < 1.0 => {
                full("the reflections have fewer pixels than the picture")
            }
            _ if !self.may_share_rays => full("mirrors are viewed, saved or measured"),
            Rate::Shared => Some((Rate::Shared, "reflections.rate is \"shared\"".into())),
            Rate::Auto if self.auto_rays.is_shared => Some((Rate::Shared, self.auto_rays.why.to_string())),
            Rate::Auto => Some((Rate::Full, self.auto_rays.why.to_string())),
        }
    }
}

impl PlanInput<'_> {
    pub fn shares_mirrors(&self, settings: &Settings) -> bool {
        settings.reflections.in_shares(self.policy.runs_on_cpu, self.measures_bounces)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ViewPlacement;
    use reflections::{RaysReason, Trace, Work};

    #[test]
    fn mirrors_of_a_software_driver_are_traced_where_they_are_looked_at() {
        let (settings, scales) = (Settings::default(), [0.5, 0.25]);
        let [software, hardware] = ["software", "discrete"].map(|kind| DevicePolicy::new(kind, "", 8));
        let picture = PlanInput { policy: &software, measures_bounces: false, view: None, saved: &[], window: None };
        let plan = |input: PlanInput<'_>| FramePlan::of(&settings, &input);
        assert_eq!(plan(picture), FramePlan { mirror_scale: 0.0, ..FramePlan::WHOLE });
        let looked_at = FramePlan { may_share_rays: false, ..FramePlan::WHOLE };
        assert_eq!(plan(PlanInput { saved: &[Reflections::ID], ..picture }), looked_at);
        assert_eq!(plan(PlanInput { policy: &hardware, ..picture }), FramePlan::WHOLE);
        let view = ActiveView::find(Reflections::ID, "depth", ViewPlacement::Full).ok();
        assert_eq!(plan(PlanInput { view, ..picture }), looked_at);
        let auto_rays = AutoRays { is_shared: true, why: RaysReason::Unmeasured };
        let window = |is_still| PlanInput { window: Some(WindowPace { scales, is_still, auto_rays }), ..picture };
        let moving = plan(window(false));
        assert_eq!((moving.world_scale, moving.mirror_scale), (0.5, 1.0), "shares limit their time themselves");
        assert_eq!((moving.mirror_pace, moving.is_incremental, moving.gathers), (MirrorPace::Paused, true, false));
        let still = plan(window(true));
        assert_eq!((still.mirror_pace, still.gathers), (MirrorPace::Shares, true));
        let gpu = plan(PlanInput { policy: &hardware, ..window(false) });
        let expected = FramePlan { world_scale: 0.5, mirror_scale: 0.25, auto_rays, ..FramePlan::WHOLE };
        assert_eq!(gpu, expected);
    }

    #[test]
    fn a_chosen_way_of_work_traces_mirrors_unless_they_are_off() {
        let software = DevicePolicy::new("software", "Mesa 25.0.7", 8);
        let picture = PlanInput { policy: &software, measures_bounces: false, view: None, saved: &[], window: None };
        let pace = WindowPace { scales: [1.0, 0.25], is_still: true, auto_rays: AutoRays::NO_DISPLAY };
        let window = PlanInput { window: Some(pace), ..picture };
        for work in Work::ALL {
            let mut settings = Settings::default();
            settings.reflections.work = *work;
            let traces = |settings: &Settings, input| FramePlan::of(settings, &input).mirror_scale > 0.0;
            assert!(traces(&settings, window), "a window, {work:?}");
            assert_eq!(traces(&settings, picture), *work != Work::Auto, "headless, {work:?}");
            settings.reflections.trace = Trace::Off;
            assert!(!traces(&settings, window) && !traces(&settings, picture), "{work:?}");
        }
    }

    #[test]
    fn rays_in_motion_are_named_with_their_reason() {
        let (mut settings, shared) = (Settings::default(), AutoRays { is_shared: true, why: RaysReason::Unmeasured });
        let named = |settings: &Settings, plan: FramePlan| plan.rays_in_motion(settings, false).map(|(rate, _)| rate);
        let window = FramePlan { auto_rays: shared, ..FramePlan::WHOLE };
        assert_eq!(named(&settings, FramePlan::WHOLE), Some(Rate::Full), "without a display");
        assert_eq!(named(&settings, window), Some(Rate::Shared));
        assert_eq!(window.rays_in_motion(&settings, true).map(|(rate, _)| rate), Some(Rate::Full), "queues");
        for plan in [FramePlan { may_share_rays: false, ..window }, FramePlan { mirror_scale: 0.5, ..window }] {
            assert_eq!(named(&settings, plan), Some(Rate::Full));
        }
        assert_eq!(named(&settings, FramePlan { mirror_scale: 0.0, ..window }), None, "the sky");
        settings.reflections.rate = Rate::Shared;
        assert_eq!(named(&settings, FramePlan::WHOLE), Some(Rate::Shared));
        settings.scene.antialias = AntialiasMode::Off;
        assert_eq!(named(&settings, FramePlan::WHOLE), Some(Rate::Full));
        let why = RaysReason::Time { full_us: 3880.0, interval_us: 16667.0 };
        assert_eq!(why.to_string(), "with a ray for each pixel a frame takes 3.9 of 16.7 ms");
    }
}
