//! Pointer and keys on the camera, its slow drift, and the resolution of the world while it moves.

use super::document::{Document, DocumentState, Edit};
use super::dynamic_resolution::DynamicResolution;
use crate::base::timing::FrameTiming;
use crate::scene::{Drift, SceneSettings, Source, world::Viewpoint};
use crate::techniques::Settings;
use crate::ui::manipulator::{Button, InputEvent};
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

/// Pointer and keys on the camera of a document.
pub struct CameraInput {
    /// The CPU draws.
    is_software: bool,
    orbit: Orbit,
    resolution: DynamicResolution,
    /// The scene as the last frame had it, and how far the camera had drifted then.
    seen: Option<(SceneSettings, f32)>,
}

/// Whether a world lies under the glass, and not a picture.
fn shows_world(settings: &Settings) -> bool {
    settings.scene.source == Source::World
}

impl CameraInput {
    /// Nothing is held; `is_software`: the CPU draws.
    pub fn new(is_software: bool) -> Self {
        let (orbit, resolution) = (Orbit::default(), DynamicResolution::new(is_software));
        Self { is_software, orbit, resolution, seen: None }
    }

    /// Lets an event work on the camera: lenses, panels and the line of a split view go first.
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

    /// Lets the camera drift for `seconds`. Whether it goes on.
    pub fn drift(&mut self, state: &mut DocumentState, seconds: f32) -> bool {
        let settings = &state.settings;
        let drifts = shows_world(settings) && settings.scene.drifts(self.is_software) && !settings.hand.reduced_motion;
        if drifts && !self.orbit.is_held() {
            state.drifted_s += seconds;
        }
        drifts
    }

    /// Stops the drift where it is, or lets it go on.
    pub fn toggle_drift(&self, document: &mut Document) {
        let is_software = self.is_software;
        document.edit(Edit::Once, |state| {
            let scene = &mut state.settings.scene;
            scene.drift = if scene.drifts(is_software) { Drift::Off } else { Drift::On };
        });
    }

    /// Part of its pixels that the world is drawn with in frame `number`, along each side, and part of those that its reflections have;
    /// and how long until it should be drawn again with more of them, if so. `is_measured`: bounces are.
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
        let shares = settings.reflections.in_shares(self.is_software, is_measured);
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
}
