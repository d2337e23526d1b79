//! Camera input, its slow drift, and the resolution of the world while it moves.

use super::document::{Document, DocumentState, Edit};
use super::dynamic_resolution::DynamicResolution;
use crate::base::timing::FrameTiming;
use crate::gpu::DevicePolicy;
use crate::scene::{Drift, SceneSettings, Source, world::Viewpoint};
use crate::techniques::Settings;
use crate::ui::manipulator::{Button, InputEvent};
use crate::ui::orbit::{Heard, Orbit, Seen};
use glam::Vec2;
use std::time::{Duration, Instant};

/// Window state that a camera event depends on.
#[derive(Clone, Copy, Debug)]
pub struct CameraArea {
    /// Width and height in pixels.
    pub px: Vec2,
    /// The scene's initial viewpoint.
    pub home: Viewpoint,
    /// A lens is dragged or under the pointer.
    pub over_lens: bool,
    /// The pointer can grab the line of a split view.
    pub near_line: bool,
}

/// Camera controls of a document.
pub struct CameraInput {
    policy: DevicePolicy,
    orbit: Orbit,
    resolution: DynamicResolution,
    /// Scene and drift of the last frame.
    seen: Option<(SceneSettings, f32)>,
}

/// Whether a world is under the glass, and not a picture.
fn shows_world(settings: &Settings) -> bool {
    settings.scene.source == Source::World
}

impl CameraInput {
    /// For the device with this policy.
    pub fn new(policy: DevicePolicy) -> Self {
        let (orbit, resolution) = (Orbit::default(), DynamicResolution::new(policy.mirror_scale));
        Self { policy, orbit, resolution, seen: None }
    }

    /// Applies an event to the camera, after lenses, panels and the line of a split view.
    pub fn take(&mut self, event: InputEvent, document: &mut Document, area: CameraArea) -> Heard {
        if !shows_world(document.settings()) {
            return Heard::No;
        }
        let pressed = event == InputEvent::Pressed(Button::Primary);
        let pans = matches!(event, InputEvent::Pressed(Button::Secondary | Button::Other));
        let taken = area.over_lens && !pans || pressed && area.near_line;
        let kind = match event {
            InputEvent::Moved(_) | InputEvent::Spread { .. } => self.orbit.is_held().then_some(Edit::Orbit),
            InputEvent::Wheel(_) => (!taken).then_some(Edit::Zoom),
            _ => None,
        };
        let mut turn = |state: &mut DocumentState| {
            let scene = &mut state.settings.scene;
            let now = scene.viewpoint(area.home, state.drifted_s);
            self.orbit.handle(event, &mut Seen { scene, home: area.home, now, area_px: area.px, taken })
        };
        match kind {
            Some(kind) => document.edit(kind, turn).0,
            None => turn(document.adapt()),
        }
    }

    /// Advances the drift by `seconds`; returns whether it continues.
    pub fn drift(&mut self, state: &mut DocumentState, seconds: f32) -> bool {
        let settings = &state.settings;
        let drifts =
            shows_world(settings) && settings.scene.drifts(self.policy.drifts) && !settings.hand.reduced_motion;
        if drifts && !self.orbit.is_held() {
            state.drifted_s += seconds;
        }
        drifts
    }

    /// Pauses or resumes the drift.
    pub fn toggle_drift(&self, document: &mut Document) {
        let by_default = self.policy.drifts;
        document.edit(Edit::Once, |state| {
            let scene = &mut state.settings.scene;
            scene.drift = if scene.drifts(by_default) { Drift::Off } else { Drift::On };
        });
    }

    /// Resolution scales per side of the world and of its reflections in frame `number`, and the time until a redraw at a higher
    /// resolution, if one is due. `is_measured`: bounces are.
    pub fn scales(
        &mut self,
        state: &DocumentState,
        is_measured: bool,
        number: u64,
        now: Instant,
    ) -> ([f32; 2], Option<Duration>) {
        let settings = &state.settings;
        let scene = &settings.scene;
        let seen = (scene.clone(), state.drifted_s);
        let moves = shows_world(settings) && self.seen.replace(seen.clone()).is_some_and(|last| last != seen);
        let shares = settings.reflections.in_shares(self.policy.ray_queues, is_measured);
        if scene.adapt { self.resolution.frame(number, moves, shares, now) } else { ([1.0; 2], None) }
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
