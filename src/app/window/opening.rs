//! The first moments of a window. Its size and its display's scale are guesses until it is shown (Wayland tells neither before),
//! so what was laid out for the guess is laid out anew, until somebody takes hold of something.

use super::demo::Demo;
use crate::app::session::lenses;
use glam::Vec2;
use winit::dpi::PhysicalSize;
use winit::event::{ElementState, InnerSizeWriter, WindowEvent};

/// What the arguments ask of the window.
pub struct Opening {
    /// Pixels.
    pub size: Option<PhysicalSize<u32>>,
    /// The centre of the first lens, pixels.
    pub lens_at: Option<Vec2>,
}

/// Whether somebody presses, turns or touches something.
pub(super) fn is_hold(event: &WindowEvent) -> bool {
    match event {
        WindowEvent::MouseInput { state, .. } => *state == ElementState::Pressed,
        WindowEvent::KeyboardInput { event, is_synthetic, .. } => event.state == ElementState::Pressed && !is_synthetic,
        WindowEvent::MouseWheel { .. } | WindowEvent::Touch(_) => true,
        _ => false,
    }
}

impl Demo {
    /// The window has got another size, perhaps its true one.
    pub(super) fn lay_out_again(&mut self) {
        let Some(opening) = &self.opening else { return };
        let scale = self.surface.window().scale_factor() as f32;
        let layout = self.home_layout.as_ref();
        self.lenses = lenses(&self.settings, layout, opening.lens_at, self.surface.area_px(), scale);
    }

    /// The display's scale is known now: pixels that were asked for stay pixels.
    pub(super) fn keep_asked_size(&mut self, writer: &InnerSizeWriter) {
        if let Some(size) = self.opening.as_mut().and_then(|opening| opening.size.take())
            && let Err(why) = writer.clone().request_inner_size(size)
        {
            log::warn!("the window cannot be {}x{} pixels large: {why}", size.width, size.height);
        }
    }
}
