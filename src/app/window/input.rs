//! What the window system says, in the words of the hand.

use crate::ui::hand::{Button, HandEvent, Key};
use crate::ui::hand_grip::CursorShape;
use egui::CursorIcon;
use glam::Vec2;
use winit::event::{ElementState, KeyEvent, MouseButton, MouseScrollDelta, Touch, TouchPhase, WindowEvent};
use winit::keyboard::{Key as Typed, NamedKey};

/// Pixels that a touchpad scrolls for what a wheel calls a notch, at a scale of one.
const NOTCH_PX: f32 = 40.0;

/// What the panels want for themselves right now.
#[derive(Clone, Copy, Debug, Default)]
pub struct PanelWants {
    /// The pointer is over one of them, or they drag something.
    pub pointer: bool,
    /// Somebody types into one of them.
    pub keyboard: bool,
}

/// The first finger on the screen moves lenses; the others are not listened to.
#[derive(Debug, Default)]
pub struct Input {
    finger: Option<u64>,
}

impl Input {
    /// The hand's events that one event of the window comes to. What belongs to the panels is left out; moves, releases and the loss of focus
    /// never are, so that no lens stays stuck to the pointer.
    pub fn translate(&mut self, event: &WindowEvent, wants: PanelWants, scale: f32) -> Vec<HandEvent> {
        match event {
            WindowEvent::CursorMoved { position, .. } => vec![HandEvent::Moved(point(position))],
            WindowEvent::CursorLeft { .. } => vec![HandEvent::Left],
            WindowEvent::MouseInput { state: ElementState::Released, button, .. } => {
                vec![HandEvent::Released(which(*button))]
            }
            WindowEvent::MouseInput { button, .. } if !wants.pointer => vec![HandEvent::Pressed(which(*button))],
            WindowEvent::MouseWheel { delta, .. } if !wants.pointer => vec![HandEvent::Wheel(notches(delta, scale))],
            WindowEvent::Touch(touch) => self.touch(touch, wants),
            WindowEvent::KeyboardInput { event, is_synthetic: false, .. } if !wants.keyboard => {
                key(event).map(|key| HandEvent::Key { key, repeat: event.repeat }).into_iter().collect()
            }
            WindowEvent::ModifiersChanged(now) => {
                let state = now.state();
                vec![HandEvent::Modifiers { shift: state.shift_key(), ctrl: state.control_key() }]
            }
            WindowEvent::Focused(false) => vec![HandEvent::FocusLost],
            WindowEvent::Resized(_) => vec![HandEvent::Resized],
            _ => Vec::new(),
        }
    }

    fn touch(&mut self, touch: &Touch, wants: PanelWants) -> Vec<HandEvent> {
        let at = HandEvent::Moved(point(&touch.location));
        match (touch.phase, self.finger) {
            (TouchPhase::Started, None) if !wants.pointer => {
                self.finger = Some(touch.id);
                vec![at, HandEvent::Pressed(Button::Primary)]
            }
            (_, Some(finger)) if finger != touch.id => Vec::new(),
            (TouchPhase::Moved, Some(_)) => vec![at],
            (TouchPhase::Ended | TouchPhase::Cancelled, Some(_)) => {
                self.finger = None;
                vec![HandEvent::Released(Button::Primary), HandEvent::Left]
            }
            _ => Vec::new(),
        }
    }
}

/// The pointer's look in egui's words, which sets it for the window.
pub fn icon(shape: CursorShape) -> CursorIcon {
    match shape {
        CursorShape::Default => CursorIcon::Default,
        CursorShape::Grab => CursorIcon::Grab,
        CursorShape::Grabbing => CursorIcon::Grabbing,
        CursorShape::ResizeHorizontal => CursorIcon::ResizeHorizontal,
        CursorShape::ResizeVertical => CursorIcon::ResizeVertical,
        CursorShape::ResizeFalling => CursorIcon::ResizeNwSe,
        CursorShape::ResizeRising => CursorIcon::ResizeNeSw,
    }
}

fn point(position: &winit::dpi::PhysicalPosition<f64>) -> Vec2 {
    Vec2::new(position.x as f32, position.y as f32)
}

fn which(button: MouseButton) -> Button {
    if button == MouseButton::Left { Button::Primary } else { Button::Other }
}

fn notches(delta: &MouseScrollDelta, scale: f32) -> f32 {
    match delta {
        MouseScrollDelta::LineDelta(_, lines) => *lines,
        MouseScrollDelta::PixelDelta(position) => position.y as f32 / (NOTCH_PX * scale.max(0.1)),
    }
}

/// Letters by what they write, so that they are where the keyboard's own layout has them.
fn key(event: &KeyEvent) -> Option<Key> {
    if event.state == ElementState::Released {
        return None;
    }
    match &event.logical_key {
        Typed::Named(NamedKey::ArrowLeft) => Some(Key::Left),
        Typed::Named(NamedKey::ArrowRight) => Some(Key::Right),
        Typed::Named(NamedKey::ArrowUp) => Some(Key::Up),
        Typed::Named(NamedKey::ArrowDown) => Some(Key::Down),
        Typed::Named(NamedKey::Escape) => Some(Key::Escape),
        Typed::Named(NamedKey::Tab) => Some(Key::Tab),
        Typed::Named(NamedKey::Space) => Some(Key::Space),
        Typed::Character(text) if text.eq_ignore_ascii_case("r") => Some(Key::R),
        Typed::Character(text) if text.eq_ignore_ascii_case("h") => Some(Key::H),
        _ => None,
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
        let wants = PanelWants { pointer: true, keyboard: true };
        let mut input = Input::default();
        let mut hand = |event: &WindowEvent, wants| input.translate(event, wants, 1.0);
        let (down, up) =
            (button(ElementState::Pressed, MouseButton::Left), button(ElementState::Released, MouseButton::Left));
        assert_eq!(hand(&down, wants), []);
        assert_eq!(hand(&up, wants), [HandEvent::Released(Button::Primary)]);
        assert_eq!(hand(&down, PanelWants::default()), [HandEvent::Pressed(Button::Primary)]);
        let right = button(ElementState::Pressed, MouseButton::Right);
        assert_eq!(hand(&right, PanelWants::default()), [HandEvent::Pressed(Button::Other)]);
        assert_eq!(hand(&WindowEvent::Focused(false), wants), [HandEvent::FocusLost]);
        assert_eq!(hand(&WindowEvent::Focused(true), wants), []);
    }

    #[test]
    fn one_finger_moves_and_others_are_ignored() {
        let mut input = Input::default();
        let mut touch = |id, phase, x| input.translate(&finger(id, phase, x), PanelWants::default(), 1.0);
        let at = |x| HandEvent::Moved(Vec2::new(x, 0.0));
        assert_eq!(touch(7, TouchPhase::Started, 1.0), [at(1.0), HandEvent::Pressed(Button::Primary)]);
        assert_eq!(touch(8, TouchPhase::Started, 5.0), []);
        assert_eq!(touch(8, TouchPhase::Moved, 6.0), []);
        assert_eq!(touch(7, TouchPhase::Moved, 2.0), [at(2.0)]);
        assert_eq!(touch(8, TouchPhase::Ended, 6.0), []);
        assert_eq!(touch(7, TouchPhase::Cancelled, 2.0), [HandEvent::Released(Button::Primary), HandEvent::Left]);
    }

    #[test]
    fn wheels_and_touchpads_agree() {
        assert_eq!(notches(&MouseScrollDelta::LineDelta(0.0, -2.0), 2.0), -2.0);
        assert_eq!(notches(&MouseScrollDelta::PixelDelta(PhysicalPosition::new(0.0, 80.0)), 2.0), 1.0);
    }
}
