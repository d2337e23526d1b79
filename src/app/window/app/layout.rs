//! Areas of the window: those free for the lenses, the layout of the lenses in them, and the full screen.

use super::App;
use crate::app::window::lens_input::Area;
use crate::ui::Level;
use glam::Vec2;
use winit::window::Fullscreen;

impl App {
    /// The window's area for the lenses, with the panels' claims at the pointer.
    pub(super) fn area(&self) -> Area {
        self.area_at(self.input.lenses.pointer())
    }

    pub(super) fn area_at(&self, at: Option<Vec2>) -> Area {
        let (px, scale) = (self.presenter.area_px(), self.scale);
        let panel_scale = self.panel_scale();
        let free = self.panels.ui.free(egui::vec2(px.x, px.y) / panel_scale);
        let hidden_from_px = self.input.hidden_from_px(self.document.state().view, px.x);
        let (free_px, wants) = (Vec2::new(free.right(), free.bottom()) * panel_scale, self.panels.wants(at));
        Area { px, free_px, scale, wants, hidden_from_px }
    }

    /// Physical pixels per point of the panels, whose text may be larger than the display's.
    pub(super) fn panel_scale(&self) -> f32 {
        self.window_scale() * self.panels.ctx().zoom_factor()
    }

    /// Before the first input, adapts the lens layout to the current window size. The display may be another one, too.
    pub(super) fn lay_out(&mut self) {
        let monitor = self.presenter.surface.window().current_monitor();
        if let Some(rate) = monitor.and_then(|monitor| monitor.refresh_rate_millihertz()).filter(|rate| *rate > 0) {
            self.panels.ui.instruments.timeline.set_display_us(1e9 / f64::from(rate));
        }
        let area = self.area();
        self.document.adapt(|state| self.input.lenses.lay_out(state, area));
    }

    pub(super) fn center_split(&mut self) {
        let area = self.area();
        self.input.split.center(area.free_px.x, area.px.x);
    }

    /// Fills the monitor that shows the window, without a border, or is a window again.
    pub(super) fn toggle_fullscreen(&mut self) {
        let window = self.presenter.surface.window();
        let fills = window.fullscreen().is_none();
        window.set_fullscreen(fills.then(|| Fullscreen::Borderless(window.current_monitor())));
        if fills {
            self.say(Level::Info, "F11 or Alt + Enter: a window again.");
        }
    }
}
