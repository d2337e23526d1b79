//! Areas of the window and the layout of the lenses in them; the display's scale, and the theme of the panels.

use super::App;
use crate::window::document::Edit;
use crate::window::lens_input::Area;
use crate::window::lens_values;
use crate::window::picture_frame::{PictureFrame, PictureKind};
use crate::window::poster;
use base::settings::Settings as _;
use glam::Vec2;
use gpu::DisplaySettings;
use media::picture::Picture;
use scene::motif::Part;
use ui::Level;
use ui::keys::{Shortcut, name};
use ui::lens_nodes::LensNode;
use ui::manipulator::LensPart;
use ui::regions::beside_dock;
use winit::event::InnerSizeWriter;
use winit::window::Fullscreen;

/// Under Wayland the scale is known after the first one.
const OPENING: u64 = 10;

impl App {
    pub(super) fn area(&self) -> Area {
        self.area_at(self.input.lenses.pointer())
    }

    pub(super) fn area_at(&self, at: Option<Vec2>) -> Area {
        let (px, scale) = (self.presenter.area_px(), self.scale);
        let panel_scale = self.panel_scale();
        let free = self.panels.ui.free(egui::vec2(px.x, px.y) / panel_scale);
        let hidden_from_px = self.input.hidden_from_px(self.document.state().view, px.x);
        let free_px = Vec2::new(free.right(), free.bottom()) * panel_scale;
        let over_panel = self.panels.wants_pointer(at);
        Area { px, free_px, scale, over_panel, hidden_from_px, frame: self.picture_frame() }
    }

    fn picture_frame(&self) -> PictureFrame {
        let (px, panel_scale, state) = (self.presenter.area_px(), self.panel_scale(), self.document.state());
        let kind = match &state.files.picture {
            _ if state.shows_world() => PictureKind::World,
            Some((_, picture)) => PictureKind::File(picture.size(), state.settings.scene.fit),
            None => PictureKind::Painted,
        };
        let window = egui::vec2(px.x, px.y) / panel_scale;
        PictureFrame::new(kind, px, beside_dock(window).right() * panel_scale)
    }

    pub(super) fn panel_scale(&self) -> f32 {
        self.window_scale() * self.panels.ctx().zoom_factor()
    }

    pub(super) fn lay_out(&mut self) {
        let area = self.area();
        if self.input.lenses.lay_out(&mut self.document, area) {
            self.redraw.request();
        }
    }

    pub(super) fn note_display(&mut self) {
        let monitor = self.presenter.surface.window().current_monitor();
        let rate = monitor.and_then(|monitor| monitor.refresh_rate_millihertz()).filter(|rate| *rate > 0);
        let display_us = rate.map(|rate| 1e9 / f64::from(rate));
        self.redraw.resolution.set_display_us(display_us);
        self.panels.display_us = display_us.or(self.panels.display_us);
    }

    pub(super) fn center_split(&mut self) {
        let area = self.area();
        self.input.split.center(area.free_px.x, area.px.x);
    }

    pub(super) fn toggle_fullscreen(&mut self) {
        let window = self.presenter.surface.window();
        let fills = window.fullscreen().is_none();
        window.set_fullscreen(fills.then(|| Fullscreen::Borderless(window.current_monitor())));
        if fills {
            self.say(Level::Info, format!("{}: a window again.", name(Shortcut::Fullscreen)));
        }
    }

    /// Lenses and panels keep their logical size. Under X11, winit 0.30 reports a new scale before its window has it
    /// and again when the window's place is reported, and requests another size each time: the second request is
    /// refused.
    pub(super) fn change_scale(&mut self, scale: f32, size: &InnerSizeWriter) {
        let window = self.presenter.surface.window();
        let is_known = scale == self.scale;
        // A size requested in pixels stays so.
        let opens = self.presenter.surface.number() < OPENING;
        let requested = self.input.lenses.requested_size().filter(|_| opens);
        let wanted = requested.or_else(|| is_known.then(|| window.inner_size()));
        if let Some(wanted) = wanted
            && let Err(why) = size.clone().request_inner_size(wanted)
        {
            log::warn!("the window cannot be {}x{} pixels large: {why}", wanted.width, wanted.height);
        }
        log::debug!("scale {scale}, the window's {}", window.scale_factor());
        self.input.lenses.set_scale(scale / self.scale);
        self.scale = scale;
        self.document.set_scale(scale);
        self.note_display();
        self.lay_out();
        self.redraw.request();
    }

    fn window_scale(&self) -> f32 {
        self.presenter.surface.window().scale_factor() as f32
    }

    /// The panels are bright or dark from the first frame on.
    pub(super) fn theme_as(&mut self, poster: &Picture) {
        let Area { px, free_px, .. } = self.area();
        let is_bright = poster::is_bright(poster, free_px.x / px.x.max(1.0));
        if self.document.state().settings.display.panels.adapts() {
            self.panels.set_light(Some(is_bright));
        }
    }

    pub(super) fn theme_panels(&mut self) {
        self.panels.set_preferences(&self.document.state().settings, self.scale / self.window_scale());
        let now = self.panels.preferences();
        self.input.lenses.is_calm = now.reduced_motion;
        let adapts = self.document.state().settings.display.panels.adapts() && !now.high_contrast;
        let wanted = if adapts { self.presenter.renderer.wants_bright_panels() } else { Some(false) };
        if self.panels.set_light(wanted) {
            self.redraw.request();
        }
    }

    pub(super) fn lens_nodes(&self, area: Area) -> Vec<LensNode> {
        let panel_scale = self.panel_scale();
        let nodes = || lens_values::nodes(self.document.state(), (area.px, area.scale), panel_scale);
        (self.panels.is_read() && !self.document.state().uses_motif()).then(nodes).unwrap_or_default()
    }

    /// Of a motif of use, in place of the lenses.
    pub(super) fn motif_parts(&self, area: Area) -> Vec<Part> {
        let state = self.document.state();
        let parts = || self.input.motif.parts(state, area);
        (self.panels.is_read() && state.uses_motif()).then(parts).unwrap_or_default()
    }

    pub(super) fn place_lens(&mut self, index: usize, number: Option<(LensPart, f32)>) {
        let area = self.area();
        match number {
            Some((part, to)) => self.input.lenses.place(index, part, to, &mut self.document, area),
            None => self.input.lenses.select(index, &mut self.document, area),
        }
    }

    pub(super) fn resize_text(&mut self, steps: i8) {
        self.document.edit(Edit::Fields(vec![("display", "text_scale")]), |state| {
            let scale = &mut state.settings.display.text_scale;
            *scale = stepped(*scale, steps);
        });
    }
}

fn stepped(scale: f32, steps: i8) -> f32 {
    let [least, most] = DisplaySettings::range("text_scale").unwrap_or([scale; 2]);
    match steps {
        0 => DisplaySettings::default().text_scale,
        _ => (0.1 * ((10.0 * scale).round() + f32::from(steps))).clamp(least, most),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_tenths_within_the_range_of_the_setting() {
        assert!((stepped(1.0, 1) - 1.1).abs() < 1e-6 && (stepped(1.26, -1) - 1.2).abs() < 1e-6);
        assert_eq!([stepped(2.5, 1), stepped(0.8, -1), stepped(1.7, 0)], [2.5, 0.75, 1.0]);
    }
}
