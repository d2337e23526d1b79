//! The display's scale, which may change while the window is open: by the desktop's settings, or on another monitor.

use super::App;
use winit::event::InnerSizeWriter;

/// Number of frames within which a window that opens learns its scale: under Wayland, after the first one.
const OPENING: u64 = 10;

impl App {
    /// Takes the scale of the display: lenses and panels keep their size on it, in logical pixels.
    ///
    /// Under X11, winit 0.30 reports a scale that the desktop changes before its window returns it, and again when the window manager next tells
    /// the window's place. It asks for another size each time, so the second one is refused.
    pub(super) fn change_scale(&mut self, scale: f32, size: &InnerSizeWriter) {
        let window = self.presenter.surface.window();
        let is_known = scale == self.scale;
        // While it opens its scale becomes known: a size requested in pixels stays so.
        let opens = self.presenter.surface.number() < OPENING;
        let requested = self.input.lenses.requested_size().filter(|_| opens);
        let wanted = requested.or_else(|| is_known.then(|| window.inner_size()));
        if let Some(wanted) = wanted
            && let Err(why) = size.clone().request_inner_size(wanted)
        {
            log::warn!("the window cannot be {}x{} pixels large: {why}", wanted.width, wanted.height);
        }
        log::debug!("scale {scale}, the window's {}", window.scale_factor());
        self.scale = scale;
        self.document.set_scale(scale);
        self.lay_out();
        self.redraw.request();
    }

    /// The display's scale by that of the window, which may be an earlier one.
    pub(super) fn scale_ahead(&self) -> f32 {
        self.scale / self.window_scale()
    }

    /// The scale that winit uses for this window.
    pub(super) fn window_scale(&self) -> f32 {
        self.presenter.surface.window().scale_factor() as f32
    }
}
