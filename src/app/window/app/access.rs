//! Actions of assistive technology on the window, preferences of the desktop, and the size of the panels' text.

use super::App;
use crate::app::window::desktop_preferences::DesktopPreference;
use crate::app::window::document::Edit;
use crate::app::window::lens_input::Area;
use crate::app::window::lens_values;
use crate::base::settings::{FieldKind, Settings as _};
use crate::gpu::DisplaySettings;
use crate::ui::lens_nodes::LensNode;
use crate::ui::manipulator::LensPart;
use egui_winit::accesskit_winit::WindowEvent as AccessEvent;
use std::time::Duration;

impl App {
    /// Handles an event of assistive technology.
    pub(super) fn handle_access(&mut self, event: AccessEvent) {
        self.panels.handle_access(event);
        self.redraw.request_in(Duration::ZERO);
    }

    /// Takes a preference of the desktop.
    pub(super) fn set_desktop(&mut self, preference: DesktopPreference) {
        self.panels.set_desktop(preference);
        self.redraw.request();
    }

    /// Applies size, contrast, lightness and motion to the panels.
    pub(super) fn theme_panels(&mut self) {
        self.panels.set_preferences(self.document.settings(), self.scale_ahead());
        let now = self.panels.preferences();
        self.input.lenses.is_calm = now.reduced_motion;
        let adapts = self.document.settings().display.panels.adapts() && !now.high_contrast;
        if self.panels.set_light(adapts && self.presenter.renderer.wants_bright_panels()) {
            self.redraw.request();
        }
    }

    /// Nodes of the lenses, if assistive technology reads the window.
    pub(super) fn lens_nodes(&self, area: Area) -> Vec<LensNode> {
        let panel_scale = self.panel_scale();
        let nodes = || lens_values::nodes(self.document.state(), (area.px, area.scale), panel_scale);
        self.panels.is_read().then(nodes).unwrap_or_default()
    }

    /// Selects a lens, and gives it a number.
    pub(super) fn place_lens(&mut self, index: usize, number: Option<(LensPart, f32)>) {
        let area = self.area();
        match number {
            Some((part, to)) => self.input.lenses.place((index, part, to), &mut self.document, area),
            None => self.input.lenses.select(index, &mut self.document, area),
        }
    }

    /// Makes the text larger or smaller; 0: as at first.
    pub(super) fn resize_text(&mut self, steps: i8) {
        self.document.edit(Edit::Fields(vec![("display", "text_scale")]), |state| {
            let scale = &mut state.settings.display.text_scale;
            *scale = stepped(*scale, steps);
        });
    }
}

/// The setting `scale` of the size of text after this many steps of a tenth; after none, its default.
fn stepped(scale: f32, steps: i8) -> f32 {
    let field = DisplaySettings::FIELDS.iter().find(|field| field.name == "text_scale");
    let [least, most] = match field.map(|field| field.kind) {
        Some(FieldKind::Float { min, max, .. }) => [min as f32, max as f32],
        _ => [scale; 2],
    };
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
