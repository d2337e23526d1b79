//! Frame plan: resolution and pace of the world and its mirrors, for window and headless alike.

use super::active_view::ActiveView;
use crate::{
    gpu::DevicePolicy,
    techniques::{
        Settings, Technique as _,
        reflections::{Reflections, Trace},
    },
};

/// Share of the world's work that a frame does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FramePlan {
    /// Resolution scale of the world per side, in addition to the settings.
    pub world_scale: f32,
    /// The same for reflections, relative to the world; 0: mirrors show the sky only.
    pub mirror_scale: f32,
    /// Time at which mirrors in queues are traced.
    pub mirror_pace: MirrorPace,
    /// Weak mirrors have fewer rays while the picture moves.
    pub thins_mirrors: bool,
    /// During slow camera motion the world is drawn over several frames, and its last picture is reprojected meanwhile.
    pub is_incremental: bool,
    /// An unchanged world is drawn again for further samples of each pixel, if needed.
    pub gathers: bool,
    /// Equal frames are equal in every pixel, also on devices where that takes longer.
    pub is_exact: bool,
}

/// Time at which mirrors in queues are traced: software drivers need seconds for all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MirrorPace {
    /// All of them in this frame.
    AtOnce,
    /// A few pixels in a frame that is redrawn, a share of the others in each frame that is not.
    Shares,
    /// As shares, but frames that are not redrawn trace nothing: something else moves.
    Paused,
}

/// State besides the settings that a plan depends on.
#[derive(Clone, Copy, Debug)]
pub struct PlanInput<'a> {
    /// Policy of the device.
    pub policy: &'a DevicePolicy,
    /// Bounces are measured: each frame traces all of them.
    pub measures_bounces: bool,
    /// The active view.
    pub view: Option<ActiveView>,
    /// Techniques whose outputs are saved.
    pub saved: &'a [&'static str],
    /// Frames follow each other in a window; `None`: each is a finished picture.
    pub window: Option<WindowPace>,
}

/// Pace of a window's frames.
#[derive(Clone, Copy, Debug)]
pub struct WindowPace {
    /// Dynamic resolution: scales per side of the world and of its mirrors.
    pub scales: [f32; 2],
    /// Nothing changed for a while.
    pub is_still: bool,
}

impl FramePlan {
    /// Everything at once and at full resolution.
    pub const WHOLE: Self = {
        let (thins_mirrors, is_incremental, mirror_pace) = (true, false, MirrorPace::AtOnce);
        let (world_scale, mirror_scale, gathers, is_exact) = (1.0, 1.0, true, false);
        Self { world_scale, mirror_scale, mirror_pace, thins_mirrors, is_incremental, gathers, is_exact }
    };

    /// The plan of a frame with these settings.
    #[must_use]
    pub fn of(settings: &Settings, input: &PlanInput<'_>) -> Self {
        let reflections = &settings.reflections;
        let is_looked_at = input.measures_bounces
            || input.view.is_some_and(|view| view.technique == Reflections::ID)
            || input.saved.contains(&Reflections::ID);
        let traces = reflections.traces(input.policy.headless_mirrors, is_looked_at);
        let scale_of = |traces: bool, scale| if traces { scale } else { 0.0 };
        let Some(WindowPace { scales: [world_scale, mirror_scale], is_still }) = input.window else {
            return Self { mirror_scale: scale_of(traces, 1.0), thins_mirrors: !is_looked_at, ..Self::WHOLE };
        };
        let (mirror_scale, mirror_pace) = if input.shares_mirrors(settings) {
            let pace = if is_still { MirrorPace::Shares } else { MirrorPace::Paused };
            (scale_of(reflections.trace != Trace::Off, 1.0), pace)
        } else {
            (scale_of(traces, mirror_scale), MirrorPace::AtOnce)
        };
        let is_incremental = input.policy.incremental_world;
        let (gathers, thins_mirrors) = (!is_incremental || is_still, !is_looked_at);
        let is_exact = false;
        Self { world_scale, mirror_scale, mirror_pace, thins_mirrors, is_incremental, gathers, is_exact }
    }
}

impl PlanInput<'_> {
    /// Whether a window's mirrors are traced over several frames, and limit their own time.
    #[must_use]
    pub fn shares_mirrors(&self, settings: &Settings) -> bool {
        settings.reflections.in_shares(self.policy.ray_queues, self.measures_bounces)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::renderer::ViewPlacement;

    #[test]
    fn mirrors_of_a_software_driver_are_traced_where_they_are_looked_at() {
        let (settings, scales) = (Settings::default(), [0.5, 0.25]);
        let [software, hardware] = ["software", "discrete"].map(|kind| DevicePolicy::new(kind, "", 8));
        let picture = PlanInput { policy: &software, measures_bounces: false, view: None, saved: &[], window: None };
        let plan = |input: PlanInput<'_>| FramePlan::of(&settings, &input);
        assert_eq!(plan(picture), FramePlan { mirror_scale: 0.0, ..FramePlan::WHOLE });
        let looked_at = FramePlan { thins_mirrors: false, ..FramePlan::WHOLE };
        assert_eq!(plan(PlanInput { saved: &[Reflections::ID], ..picture }), looked_at);
        assert_eq!(plan(PlanInput { policy: &hardware, ..picture }), FramePlan::WHOLE);
        let view = ActiveView::find(Reflections::ID, "depth", ViewPlacement::Full).ok();
        assert_eq!(plan(PlanInput { view, ..picture }), looked_at);
        let window = |is_still| PlanInput { window: Some(WindowPace { scales, is_still }), ..picture };
        let moving = plan(window(false));
        assert_eq!((moving.world_scale, moving.mirror_scale), (0.5, 1.0), "shares limit their time themselves");
        assert_eq!((moving.mirror_pace, moving.is_incremental, moving.gathers), (MirrorPace::Paused, true, false));
        let still = plan(window(true));
        assert_eq!((still.mirror_pace, still.gathers), (MirrorPace::Shares, true));
        let gpu = plan(PlanInput { policy: &hardware, ..window(false) });
        let expected = FramePlan { world_scale: 0.5, mirror_scale: 0.25, ..FramePlan::WHOLE };
        assert_eq!(gpu, expected);
    }
}
