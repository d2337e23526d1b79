//! Translation of winit events into manipulator events.

use glam::Vec2;
use ui::manipulator::{Button, InputEvent};
use winit::event::{ElementState, MouseButton, MouseScrollDelta, Touch, TouchPhase, WindowEvent};

const NOTCH_PX: f32 = 40.0;

/// Two fingers move a lens by their midpoint, scale and turn it; others are ignored.
#[derive(Debug, Default)]
pub struct PointerInput {
    fingers: Vec<(u64, Vec2)>,
}

const SPAN_PX: f32 = 8.0;

impl PointerInput {
    /// Drops input of the panels, except moves, releases and the loss of focus: a drag always ends.
    pub fn translate(&mut self, event: &WindowEvent, over_panel: bool, scale: f32) -> Vec<InputEvent> {
        match event {
            WindowEvent::CursorMoved { position, .. } => vec![InputEvent::Moved(point(position))],
            WindowEvent::CursorLeft { .. } => vec![InputEvent::Left],
            WindowEvent::MouseInput { state: ElementState::Released, button, .. } => {
                which(*button).map(InputEvent::Released).into_iter().collect()
            }
            WindowEvent::MouseInput { button, .. } if !over_panel => {
                which(*button).map(InputEvent::Pressed).into_iter().collect()
            }
            WindowEvent::MouseWheel { delta, .. } if !over_panel => vec![InputEvent::Wheel(notches(delta, scale))],
            WindowEvent::Touch(touch) => self.touch(touch, over_panel),
            WindowEvent::ModifiersChanged(now) => {
                let state = now.state();
                vec![InputEvent::Modifiers { shift: state.shift_key(), ctrl: state.control_key() }]
            }
            WindowEvent::Focused(false) => {
                self.fingers.clear();
                vec![InputEvent::FocusLost]
            }
            _ => Vec::new(),
        }
    }

    fn touch(&mut self, touch: &Touch, over_panel: bool) -> Vec<InputEvent> {
        let at = point(&touch.location);
        let known = self.fingers.iter().position(|(finger, _)| *finger == touch.id);
        match (touch.phase, known) {
            (TouchPhase::Started, None) if !over_panel && self.fingers.len() < 2 => {
                self.fingers.push((touch.id, at));
                match self.fingers[..] {
                    [_] => vec![InputEvent::Moved(at), InputEvent::Pressed(Button::Primary)],
                    _ => vec![InputEvent::Regripped(self.middle())],
                }
            }
            (TouchPhase::Moved, Some(index)) => {
                let before = self.span();
                self.fingers[index].1 = at;
                let mut events = vec![InputEvent::Moved(self.middle())];
                if let Some((before, now)) = before.zip(self.span()) {
                    let (ratio, turn) = (now.length() / before.length(), before.angle_to(now));
                    events.push(InputEvent::Spread { ratio, turn });
                }
                events
            }
            (TouchPhase::Ended | TouchPhase::Cancelled, Some(index)) => {
                self.fingers.remove(index);
                if self.fingers.is_empty() {
                    vec![InputEvent::Released(Button::Primary), InputEvent::Left]
                } else {
                    vec![InputEvent::Regripped(self.middle())]
                }
            }
            _ => Vec::new(),
        }
    }

    fn middle(&self) -> Vec2 {
        self.fingers.iter().map(|(_, at)| *at).sum::<Vec2>() / self.fingers.len().max(1) as f32
    }

    fn span(&self) -> Option<Vec2> {
        match self.fingers[..] {
            [(_, first), (_, second)] => Some(second - first).filter(|span| span.length() >= SPAN_PX),
            _ => None,
        }
    }
}

pub fn point(position: &winit::dpi::PhysicalPosition<f64>) -> Vec2 {
    Vec2::new(position.x as f32, position.y as f32)
}

fn which(button: MouseButton) -> Option<Button> {
    match button {
        MouseButton::Left => Some(Button::Primary),
        MouseButton::Right => Some(Button::Secondary),
        MouseButton::Back | MouseButton::Forward => None,
        MouseButton::Middle | MouseButton::Other(_) => Some(Button::Other),
    }
}

fn notches(delta: &MouseScrollDelta, scale: f32) -> f32 {
    match delta {
        MouseScrollDelta::LineDelta(_, lines) => *lines,
        MouseScrollDelta::PixelDelta(position) => position.y as f32 / (NOTCH_PX * scale.max(0.1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use winit::dpi::PhysicalPosition;
    use winit::event::DeviceId;

    fn button(state: ElementState, button: MouseButton) -> WindowEvent {
        WindowEvent::MouseInput { device_id: DeviceId::dummy(), state, button }
    }

    fn finger(id: u64, phase: TouchPhase, x: f64) -> WindowEvent {
        let location = PhysicalPosition::new(x, 0.0);
        WindowEvent::Touch(Touch { device_id: DeviceId::dummy(), phase, location, force: None, id })
    }

    #[test]
    fn panels_keep_presses_but_never_releases() {
        let mut input = PointerInput::default();
        let mut hand = |event: &WindowEvent, over_panel| input.translate(event, over_panel, 1.0);
        let (down, up) =
            (button(ElementState::Pressed, MouseButton::Left), button(ElementState::Released, MouseButton::Left));
        assert_eq!(hand(&down, true), []);
        assert_eq!(hand(&up, true), [InputEvent::Released(Button::Primary)]);
        assert_eq!(hand(&down, false), [InputEvent::Pressed(Button::Primary)]);
        let right = button(ElementState::Pressed, MouseButton::Right);
        assert_eq!(hand(&right, false), [InputEvent::Pressed(Button::Secondary)]);
        for side in [MouseButton::Back, MouseButton::Forward] {
            let events = [ElementState::Pressed, ElementState::Released].map(|state| button(state, side));
            assert!(events.iter().all(|event| hand(event, false).is_empty()), "{side:?} is a shortcut");
        }
        assert_eq!(hand(&WindowEvent::Focused(false), true), [InputEvent::FocusLost]);
        assert_eq!(hand(&WindowEvent::Focused(true), true), []);
    }

    #[test]
    fn one_finger_moves_and_two_spread() {
        let mut input = PointerInput::default();
        let mut touch = |id, phase, x| input.translate(&finger(id, phase, x), false, 1.0);
        let at = |x| InputEvent::Moved(Vec2::new(x, 0.0));
        assert_eq!(touch(7, TouchPhase::Started, 10.0), [at(10.0), InputEvent::Pressed(Button::Primary)]);
        assert_eq!(touch(7, TouchPhase::Moved, 20.0), [at(20.0)]);
        assert_eq!(touch(8, TouchPhase::Started, 120.0), [InputEvent::Regripped(Vec2::new(70.0, 0.0))]);
        assert_eq!(touch(9, TouchPhase::Started, 5.0), [], "a third finger");
        assert_eq!(touch(9, TouchPhase::Ended, 6.0), []);
        assert_eq!(touch(8, TouchPhase::Moved, 220.0), [at(120.0), InputEvent::Spread { ratio: 2.0, turn: 0.0 }]);
        assert_eq!(touch(8, TouchPhase::Moved, 21.0), [at(20.5)], "too near to say anything");
        assert_eq!(touch(7, TouchPhase::Ended, 20.0), [InputEvent::Regripped(Vec2::new(21.0, 0.0))]);
        assert_eq!(touch(8, TouchPhase::Moved, 30.0), [at(30.0)]);
        assert_eq!(touch(8, TouchPhase::Cancelled, 30.0), [InputEvent::Released(Button::Primary), InputEvent::Left]);
        assert_eq!(input.translate(&finger(1, TouchPhase::Started, 5.0), true, 1.0), []);
    }

    #[test]
    fn a_pen_drags_and_a_lost_focus_ends_its_drag() {
        let mut input = PointerInput::default();
        let pen = |phase, x| {
            let location = PhysicalPosition::new(x, 0.0);
            let force = Some(winit::event::Force::Normalized(0.3));
            WindowEvent::Touch(Touch { device_id: DeviceId::dummy(), phase, location, force, id: 40 })
        };
        let mut hand = |event: &WindowEvent| input.translate(event, false, 1.0);
        let at = |x| InputEvent::Moved(Vec2::new(x, 0.0));
        assert_eq!(hand(&pen(TouchPhase::Started, 10.0)), [at(10.0), InputEvent::Pressed(Button::Primary)]);
        assert_eq!(hand(&pen(TouchPhase::Moved, 30.0)), [at(30.0)]);
        assert_eq!(hand(&WindowEvent::Focused(false)), [InputEvent::FocusLost]);
        assert_eq!(hand(&pen(TouchPhase::Moved, 50.0)), []);
        assert_eq!(
            hand(&finger(41, TouchPhase::Started, 5.0)),
            [at(5.0), InputEvent::Pressed(Button::Primary)],
            "the first again"
        );
    }

    #[test]
    fn wheels_and_touchpads_agree() {
        assert_eq!(notches(&MouseScrollDelta::LineDelta(0.0, -2.0), 2.0), -2.0);
        assert_eq!(notches(&MouseScrollDelta::PixelDelta(PhysicalPosition::new(0.0, 80.0)), 2.0), 1.0);
        let parts = (0..120).map(|_| notches(&MouseScrollDelta::LineDelta(0.0, 1.0 / 120.0), 1.0));
        assert!((parts.sum::<f32>() - 1.0).abs() < 1e-4);
    }
}
