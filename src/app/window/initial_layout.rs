//! Initial layout of a window. Wayland reports size and scale only once it is shown, so the layout is repeated until
//! the first press.

use glam::Vec2;
use winit::dpi::PhysicalSize;
use winit::event::{ElementState, WindowEvent};

pub struct InitialLayout {
    pub size: Option<PhysicalSize<u32>>,
    pub lens_at: Option<Vec2>,
}

pub(super) fn is_hold(event: &WindowEvent) -> bool {
    match event {
        WindowEvent::MouseInput { state, .. } => *state == ElementState::Pressed,
        WindowEvent::KeyboardInput { event, is_synthetic, .. } => event.state == ElementState::Pressed && !is_synthetic,
        WindowEvent::MouseWheel { .. } | WindowEvent::Touch(_) => true,
        _ => false,
    }
}
