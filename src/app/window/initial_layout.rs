//! The first moments of a window. Its size and its display's scale are guesses until it is shown (Wayland tells neither before),
//! so what was laid out for the guess is laid out again, until a button, a key or a finger is pressed.

use glam::Vec2;
use winit::dpi::PhysicalSize;
use winit::event::{ElementState, WindowEvent};

/// What the arguments ask of the window.
pub struct InitialLayout {
    /// Pixels.
    pub size: Option<PhysicalSize<u32>>,
    /// The centre of the first lens, pixels.
    pub lens_at: Option<Vec2>,
}

/// Whether a button, a key, the wheel or a finger is pressed or turned.
pub(super) fn is_hold(event: &WindowEvent) -> bool {
    match event {
        WindowEvent::MouseInput { state, .. } => *state == ElementState::Pressed,
        WindowEvent::KeyboardInput { event, is_synthetic, .. } => event.state == ElementState::Pressed && !is_synthetic,
        WindowEvent::MouseWheel { .. } | WindowEvent::Touch(_) => true,
        _ => false,
    }
}
