//! Camera input of the window: orbit, pan, zoom, and the switch of the drift.

use super::document::{Document, DocumentState, Edit};
use glam::Vec2;
use scene::{Drift, world::Viewpoint};
use ui::manipulator::{Button, Handled, InputEvent};
use ui::orbit::{CameraContext, Orbit};

#[derive(Default)]
pub struct CameraInput {
    orbit: Orbit,
}

impl CameraInput {
    pub fn handle(
        &mut self,
        event: InputEvent,
        document: &mut Document,
        area_px: Vec2,
        home: Viewpoint,
        over_lens: bool,
    ) -> Handled {
        if !document.state().shows_world() {
            return Handled::No;
        }
        let pans = matches!(event, InputEvent::Pressed(Button::Secondary | Button::Other));
        let taken = over_lens && !pans;
        let kind = match event {
            InputEvent::Moved(_) | InputEvent::Spread { .. } => self.orbit.is_held().then_some(Edit::Orbit),
            InputEvent::Wheel(_) => (!taken).then_some(Edit::Zoom),
            _ => None,
        };
        let turn = |state: &mut DocumentState| {
            let scene = &mut state.settings.scene;
            let now = scene.viewpoint(home, state.drifted_s);
            self.orbit.handle(event, &mut CameraContext { scene, home, now, area_px, taken })
        };
        match kind {
            Some(kind) => document.edit(kind, turn).0,
            None => document.adapt(turn),
        }
    }

    pub fn is_dragging(&self) -> bool {
        self.orbit.is_held()
    }
}

pub fn toggle_drift(document: &mut Document, by_default: bool) {
    document.edit(Edit::Once, |state| {
        let scene = &mut state.settings.scene;
        scene.drift = if scene.drifts(by_default) { Drift::Off } else { Drift::On };
    });
}
