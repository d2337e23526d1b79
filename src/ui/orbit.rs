//! Camera controls: orbit, pan and zoom outside of lenses. Pure, and identical on every platform.

use super::manipulator::hit_test::wrapped;
use super::manipulator::{Button, Handled, InputEvent, NOTCHES_MAX};
use glam::Vec2;
use scene::{SceneSettings, world::Viewpoint};

/// Degrees for a drag over the height of the window.
const DEGREES: f32 = 150.0;
/// Zoom factor per wheel notch.
const NOTCH: f32 = 1.12;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Drag {
    Orbit,
    Pan,
}

pub struct CameraContext<'a> {
    pub scene: &'a mut SceneSettings,
    pub home: Viewpoint,
    pub now: Viewpoint,
    pub area_px: Vec2,
    /// The pointer is over something with precedence.
    pub taken: bool,
}

#[derive(Clone, Debug, Default)]
pub struct Orbit {
    at: Option<Vec2>,
    drag: Option<Drag>,
    shift: bool,
    ctrl: bool,
}

impl Orbit {
    pub fn is_held(&self) -> bool {
        self.drag.is_some()
    }

    /// The primary button orbits (with Shift: pans), any other pans, the wheel and two fingers zoom.
    pub fn handle(&mut self, event: InputEvent, context: &mut CameraContext<'_>) -> Handled {
        match event {
            InputEvent::Moved(at) if at.is_finite() => {
                let before = self.at.replace(at);
                match (self.drag, before) {
                    (Some(kind), Some(before)) if before != at => {
                        drag(kind, at - before, context);
                        Handled::Shared
                    }
                    _ => Handled::No,
                }
            }
            InputEvent::Pressed(button) if !context.taken => {
                let orbits = button == Button::Primary && !self.shift;
                self.drag = Some(if orbits { Drag::Orbit } else { Drag::Pan });
                // A click of the secondary button opens the menu of a lens.
                if button == Button::Secondary { Handled::Shared } else { Handled::Yes }
            }
            InputEvent::Regripped(at) => {
                self.at = Some(at);
                Handled::No
            }
            InputEvent::Spread { ratio, .. } if self.is_held() && ratio.is_finite() && ratio > 0.0 => {
                zoom(1.0 / ratio, context);
                Handled::Yes
            }
            InputEvent::Wheel(notches) if !context.taken && !self.ctrl && notches.is_finite() => {
                zoom(NOTCH.powf(-notches.clamp(-NOTCHES_MAX, NOTCHES_MAX)), context);
                Handled::Yes
            }
            InputEvent::Released(_) => {
                self.drag = None;
                Handled::No
            }
            InputEvent::FocusLost => {
                *self = Self { at: self.at, ..Self::default() };
                Handled::No
            }
            InputEvent::Modifiers { shift, ctrl, .. } => {
                (self.shift, self.ctrl) = (shift, ctrl);
                Handled::No
            }
            _ => Handled::No,
        }
    }
}

fn drag(kind: Drag, moved: Vec2, context: &mut CameraContext<'_>) {
    let height = context.area_px.y.max(1.0);
    let scene = &mut *context.scene;
    match kind {
        Drag::Orbit => {
            let turned = moved * (DEGREES / height);
            scene.orbit = wrapped(scene.orbit - turned.x);
            // Movement beyond the pole is discarded, so that the way back starts at once.
            let (lowest, highest) = (-89.0 - context.home.height, 89.0 - context.home.height);
            scene.height = (scene.height + turned.y).clamp(lowest.max(-90.0), highest.min(90.0));
        }
        Drag::Pan => {
            let [right, up] = context.now.camera().axes();
            let metres = 2.0 * (0.5 * context.now.angle.to_radians()).tan() * context.now.distance / height;
            let by = (up * moved.y - right * moved.x) * (metres / context.home.distance.max(1e-6));
            let pan = [&mut scene.pan_x, &mut scene.pan_y, &mut scene.pan_z];
            for (pan, by) in pan.into_iter().zip(by.to_array()) {
                *pan = (*pan + by).clamp(-20.0, 20.0);
            }
        }
    }
}

fn zoom(by: f32, context: &mut CameraContext<'_>) {
    context.scene.zoom = (context.scene.zoom * by).clamp(0.05, 20.0);
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    fn handle(orbit: &mut Orbit, scene: &mut SceneSettings, taken: bool, events: &[InputEvent]) -> Vec<Handled> {
        let home = Viewpoint::default();
        let area_px = Vec2::new(1000.0, 500.0);
        let mut one = |event: &InputEvent| {
            let now = scene.viewpoint(home, 0.0);
            orbit.handle(*event, &mut CameraContext { scene, home, now, area_px, taken })
        };
        events.iter().map(&mut one).collect()
    }

    const PRESS: InputEvent = InputEvent::Pressed(Button::Primary);

    fn at(x: f32, y: f32) -> InputEvent {
        InputEvent::Moved(Vec2::new(x, y))
    }

    #[test]
    fn poles_are_not_passed_and_turns_wrap() {
        let (mut orbit, mut scene) = (Orbit::default(), SceneSettings::default());
        handle(&mut orbit, &mut scene, false, &[at(0.0, 0.0), PRESS, at(-2000.0, 9000.0)]);
        assert!((scene.height - 74.0).abs() < 1e-3);
        assert!((-180.0..=180.0).contains(&scene.orbit));
        handle(&mut orbit, &mut scene, false, &[at(-2000.0, 8990.0)]);
        assert!((scene.height - 71.0).abs() < 1e-3, "back at once: {}", scene.height);
    }

    #[test]
    fn items_over_the_world_take_precedence() {
        let (mut orbit, mut scene) = (Orbit::default(), SceneSettings::default());
        let events = [at(0.0, 0.0), PRESS, at(50.0, 50.0), InputEvent::Wheel(1.0)];
        assert_eq!(handle(&mut orbit, &mut scene, true, &events), [Handled::No; 4]);
        assert_eq!(scene, SceneSettings::default());
    }

    #[test]
    fn a_pan_keeps_what_is_under_the_pointer_there() {
        let (mut orbit, mut scene) = (Orbit::default(), SceneSettings::default());
        let home = Viewpoint::default();
        let on_screen = |scene: &SceneSettings, point: Vec3| {
            let clip = scene.viewpoint(home, 0.0).camera().block([1000, 500]).clip_from_world * point.extend(1.0);
            Vec2::new(clip.x, clip.y) / clip.w
        };
        let before = on_screen(&scene, home.target);
        handle(&mut orbit, &mut scene, false, &[at(0.0, 0.0), InputEvent::Pressed(Button::Other), at(100.0, -50.0)]);
        let moved = on_screen(&scene, home.target) - before;
        assert!((moved - Vec2::new(0.2, -0.2)).length() < 1e-3, "{moved}");
    }

    #[test]
    fn wheel_and_fingers_zoom_within_limits() {
        let (mut orbit, mut scene) = (Orbit::default(), SceneSettings::default());
        handle(&mut orbit, &mut scene, false, &[InputEvent::Wheel(1.0)]);
        assert!((scene.zoom - 1.0 / NOTCH).abs() < 1e-6);
        handle(&mut orbit, &mut scene, false, &[at(0.0, 0.0), PRESS, InputEvent::Spread { ratio: 2.0, turn: 0.0 }]);
        assert!((scene.zoom - 0.5 / NOTCH).abs() < 1e-6);
        handle(&mut orbit, &mut scene, false, &[InputEvent::Wheel(-1e9), InputEvent::Wheel(-1e9)]);
        assert!(scene.zoom <= 20.0);
    }
}
