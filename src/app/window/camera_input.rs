//! The camera under pointer and keys, its slow drift, and with how many pixels the world is drawn while it moves.

use super::dynamic_resolution::DynamicResolution;
use crate::base::timing::FrameTiming;
use crate::scene::{Drift, SceneSettings, Source, world::Viewpoint};
use crate::techniques::Settings;
use crate::ui::hand::{Button, HandEvent};
use crate::ui::orbit::{Heard, Orbit, Seen};
use glam::Vec2;
use std::time::{Duration, Instant};

/// What an event for the camera needs to know of the window.
#[derive(Clone, Copy, Debug)]
pub struct CameraArea {
    /// Width and height in pixels.
    pub px: Vec2,
    /// Where the scene begins.
    pub home: Viewpoint,
    /// A lens is held or lies under the pointer.
    pub over_lens: bool,
    /// The pointer could take the line of a split view.
    pub near_line: bool,
}

/// See the module.
pub struct CameraInput {
    /// The CPU draws.
    is_software: bool,
    orbit: Orbit,
    /// Seconds for which the camera has drifted.
    drifted_s: f32,
    resolution: DynamicResolution,
    /// The scene as the last frame had it, and how far the camera had drifted then.
    seen: Option<(SceneSettings, f32)>,
}

/// Whether a world lies under the glass, and not a picture.
fn shows_world(settings: &Settings) -> bool {
    settings.scene.source == Source::World
}

impl CameraInput {
    /// Where the scene begins; `is_software`: the CPU draws.
    pub fn new(is_software: bool) -> Self {
        let (orbit, resolution) = (Orbit::default(), DynamicResolution::new(is_software));
        Self { is_software, orbit, drifted_s: 0.0, resolution, seen: None }
    }

    /// Seconds for which the camera has drifted.
    pub fn drifted_s(&self) -> f32 {
        self.drifted_s
    }

    /// Lets an event work on the camera: lenses, panels and the line of a split view go first.
    pub fn take(&mut self, event: HandEvent, settings: &mut Settings, area: CameraArea) -> Heard {
        if !shows_world(settings) {
            return Heard::No;
        }
        let pressed = event == HandEvent::Pressed(Button::Primary);
        let taken = area.over_lens && event != HandEvent::Pressed(Button::Other) || pressed && area.near_line;
        let now = settings.scene.viewpoint(area.home, self.drifted_s);
        let scene = &mut settings.scene;
        self.orbit.feel(event, &mut Seen { scene, home: area.home, now, area_px: area.px, taken })
    }

    /// Lets the camera drift for `seconds`. Whether it goes on.
    pub fn drift(&mut self, settings: &Settings, seconds: f32) -> bool {
        let drifts = shows_world(settings) && settings.scene.drifts(self.is_software) && !settings.hand.reduced_motion;
        if drifts && !self.orbit.is_held() {
            self.drifted_s += seconds;
        }
        drifts
    }

    /// Stops the drift where it is, or lets it go on.
    pub fn toggle_drift(&mut self, settings: &mut Settings) {
        let scene = &mut settings.scene;
        scene.drift = if scene.drifts(self.is_software) { Drift::Off } else { Drift::On };
    }

    /// Part of its pixels that the world is drawn with in frame `number`, along each side, and part of those that its reflections have;
    /// and how long until it should be drawn again with more of them, if so.
    pub fn scales(&mut self, settings: &Settings, number: u64, now: Instant) -> ([f32; 2], Option<Duration>) {
        let scene = &settings.scene;
        let seen = (scene.clone(), self.drifted_s);
        let moves = shows_world(settings) && self.seen.replace(seen.clone()).is_some_and(|last| last != seen);
        let shares = settings.reflections.in_shares(self.is_software);
        if scene.adapt { self.resolution.frame(number, moves, shares, now) } else { ([1.0; 2], None) }
    }

    /// Takes the times of a frame that has ended.
    pub fn on_timing(&mut self, timing: &FrameTiming) {
        self.resolution.on_timing(timing);
    }

    /// Frame `number` drew a part of the world, which the next ones go on with.
    pub fn drew_part(&mut self, number: u64) {
        self.resolution.drew_part(number);
    }

    /// The camera goes back to where the scene begins.
    pub fn reset(&mut self, settings: &mut Settings) {
        let (scene, fresh) = (&mut settings.scene, SceneSettings::default());
        (scene.orbit, scene.height, scene.zoom) = (fresh.orbit, fresh.height, fresh.zoom);
        (scene.pan_x, scene.pan_y, scene.pan_z) = (fresh.pan_x, fresh.pan_y, fresh.pan_z);
        self.drifted_s = 0.0;
    }
}
