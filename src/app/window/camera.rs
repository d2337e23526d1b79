//! The hand on the camera, and the camera's own slow drift: the part of the demo that looks round.

use super::demo::Demo;
use crate::scene::{SceneSettings, Source};
use crate::ui::hand::{Button, HandEvent};
use crate::ui::orbit::{Heard, Seen};
use std::time::{Duration, Instant};

impl Demo {
    /// Whether a world lies under the glass, and not a picture.
    pub(super) fn shows_world(&self) -> bool {
        self.settings.scene.source == Source::World
    }

    /// Whether the event was for the camera alone: lenses, panels and the line of a split view go first.
    pub(super) fn lay_hand_on_camera(&mut self, event: HandEvent) -> bool {
        if !self.shows_world() {
            return false;
        }
        let over_lens = self.with_table(|hand, table| hand.hovers(table).is_some() || hand.holds().is_some());
        let pressed = event == HandEvent::Pressed(Button::Primary);
        let taken = over_lens && event != HandEvent::Pressed(Button::Other) || pressed && self.is_near_line();
        let (area_px, home) = (self.surface.area_px(), self.renderer.home());
        let now = self.settings.scene.viewpoint(home, self.drifted_s);
        let scene = &mut self.settings.scene;
        let heard = self.orbit.feel(event, &mut Seen { scene, home, now, area_px, taken });
        if heard != Heard::No {
            self.ask();
        }
        heard == Heard::Taken
    }

    /// Lets the camera drift for `seconds`, and asks for the next frame while it does.
    pub(super) fn drift(&mut self, seconds: f32) {
        let scene = &self.settings.scene;
        if self.shows_world() && scene.drift && !self.settings.hand.reduced_motion {
            if !self.orbit.is_held() {
                self.drifted_s += seconds;
            }
            self.pacing.ask_within(Duration::ZERO, Instant::now());
        }
    }

    /// Part of its pixels that the world is drawn with in the next frame, along each side.
    pub(super) fn world_scale(&mut self, now: Instant) -> f32 {
        let scene = &self.settings.scene;
        let seen = (scene.clone(), scene.drift.then_some(self.drifted_s));
        let moves = self.shows_world() && self.seen_scene.replace(seen.clone()).is_some_and(|last| last != seen);
        if !scene.adapt {
            return 1.0;
        }
        let (scale, again) = self.resolution.frame(self.surface.number(), moves, now);
        if let Some(again) = again {
            self.pacing.ask_within(again, now);
        }
        scale
    }

    /// The camera goes back to where the scene begins.
    pub(super) fn reset_camera(&mut self) {
        let fresh = SceneSettings::default();
        let scene = &mut self.settings.scene;
        (scene.orbit, scene.height, scene.zoom) = (fresh.orbit, fresh.height, fresh.zoom);
        (scene.pan_x, scene.pan_y, scene.pan_z) = (fresh.pan_x, fresh.pan_y, fresh.pan_z);
        self.drifted_s = 0.0;
    }

    /// Stops the drift where it is, or lets it go on.
    pub(super) fn toggle_drift(&mut self) {
        self.settings.scene.drift = !self.settings.scene.drift;
        self.ask();
    }
}
