//! Toolbar of glass with the built-in presets.

use egui::{Color32, Frame, Margin, RichText, Ui, vec2};

use super::{PresetAction, PresetName, UiAction, panel_rects, theme};
use scene::GlassPanelKind;

const MOST: usize = 9;

pub(super) fn show(ui: &mut Ui, presets: &[PresetName], active: Option<&str>, actions: &mut Vec<UiAction>) {
    let bar = Frame::new().corner_radius(19).inner_margin(Margin::symmetric(8, 5));
    panel_rects::show(ui, bar, GlassPanelKind::Toolbar, |ui| {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            ui.spacing_mut().button_padding = vec2(11.0, 5.0);
            let widgets = &mut ui.visuals_mut().widgets;
            for widget in [&mut widgets.inactive, &mut widgets.hovered, &mut widgets.active] {
                widget.corner_radius = 14.into();
            }
            widgets.inactive.weak_bg_fill = Color32::TRANSPARENT;
            widgets.inactive.bg_stroke = egui::Stroke::NONE;
            for preset in presets.iter().filter(|preset| preset.file.is_none()).take(MOST) {
                let is_active = active == Some(preset.name.as_str());
                let text = RichText::new(base::text::sentence(&preset.title)).size(13.0).color(theme::STRONG);
                let mut button = egui::Button::new(text);
                if is_active {
                    button = button.fill(theme::CHOSEN);
                }
                if ui.add(button).clicked() {
                    actions.push(UiAction::Preset(PresetAction::Load(preset.name.clone())));
                }
            }
        });
    });
}
