//! Device tab: facts, optional features, and messages of the validation layers.

use egui::{Context, Id, Label, RichText, ScrollArea, Sense, Ui, pos2, vec2};

use super::layout::named;
use super::{settings::collapsing, theme};
use base::text::{counted, sentence};

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Device {
    pub gpus: Vec<GpuRow>,
    /// Empty before it was queried.
    pub memory: String,
    /// Name and value, in display order.
    pub facts: Vec<(String, String)>,
    pub features: Vec<Feature>,
    pub is_one_queue: bool,
    /// What recordings become.
    pub video: &'static str,
    pub validation: Validation,
}

#[derive(Clone, Debug, PartialEq)]
pub struct GpuRow {
    pub name: String,
    /// Kind, driver and version.
    pub note: String,
    pub state: GpuState,
}

#[derive(Clone, Debug, PartialEq)]
pub enum GpuState {
    Used,
    Usable,
    Unusable(String),
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Feature {
    pub name: String,
    pub present: bool,
    /// Its absence has no consequence.
    pub unneeded: bool,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub enum Validation {
    #[default]
    Off,
    On {
        /// Messages since the start.
        count: usize,
        /// Newest last.
        last: Vec<String>,
    },
}

fn shown() -> Id {
    Id::new("device shown")
}

pub fn take_shown(ctx: &Context) -> bool {
    ctx.data_mut(|data| data.remove_temp::<()>(shown())).is_some()
}

/// Returns the index of a GPU that was chosen.
pub fn show(ui: &mut Ui, device: &Device) -> Option<usize> {
    ui.data_mut(|data| data.insert_temp(shown(), ()));
    let chosen = if device.gpus.len() > 1 { gpus(ui, &device.gpus) } else { None };
    let known = [("Memory in use", device.memory.as_str()), ("Recordings", device.video)];
    let known = known.into_iter().filter(|(_, value)| !value.is_empty());
    for (name, value) in device.facts.iter().map(|(name, value)| (name.as_str(), value.as_str())).chain(known) {
        named(ui, RichText::new(name).color(theme::QUIET), Label::new(value).selectable(true));
    }
    if !device.features.is_empty() {
        ui.add_space(8.0);
        ui.label(theme::caption("Optional features"));
        for feature in &device.features {
            show_feature(ui, feature);
        }
    }
    ui.add_space(8.0);
    ui.label(theme::caption("Validation"));
    validation(ui, &device.validation);
    chosen
}

fn gpus(ui: &mut Ui, gpus: &[GpuRow]) -> Option<usize> {
    ui.label(theme::caption("GPUs"));
    let mut chosen = None;
    for (index, gpu) in gpus.iter().enumerate() {
        let (is_used, can_be_used) = (gpu.state == GpuState::Used, !matches!(gpu.state, GpuState::Unusable(_)));
        ui.add_enabled_ui(can_be_used, |ui| {
            let radio = ui.radio(is_used, gpu.name.as_str());
            let hint = match &gpu.state {
                GpuState::Used => "It draws the window.".to_owned(),
                GpuState::Usable => "Draw the window on this GPU. Settings, lenses and panels stay.".to_owned(),
                GpuState::Unusable(why) => format!("It cannot be used: {why}."),
            };
            if radio.on_hover_text(hint.as_str()).on_disabled_hover_text(hint.as_str()).clicked() && !is_used {
                chosen = Some(index);
            }
        });
        ui.horizontal_top(|ui| {
            ui.spacing_mut().item_spacing.x = 0.0;
            ui.add_space(ui.spacing().icon_width + ui.spacing().icon_spacing);
            theme::note(ui, &gpu.note);
        });
    }
    ui.add_space(8.0);
    ui.label(theme::caption("The GPU in use"));
    chosen
}

fn show_feature(ui: &mut Ui, feature: &Feature) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 18.0), Sense::hover());
    let center = pos2(rect.left() + 5.0, rect.center().y);
    ui.painter().add(theme::lamp(center, feature.present.then_some(theme::GOOD)));
    let color = if feature.present { theme::TEXT } else { theme::QUIET };
    let font = egui::TextStyle::Body.resolve(ui.style());
    ui.painter().text(
        pos2(rect.left() + 16.0, rect.center().y),
        egui::Align2::LEFT_CENTER,
        sentence(&feature.name),
        font.clone(),
        color,
    );
    let state = match (feature.present, feature.unneeded) {
        (true, _) => "present",
        (false, true) => "not needed",
        (false, false) => "missing",
    };
    ui.painter().text(rect.right_center(), egui::Align2::RIGHT_CENTER, state, font, theme::QUIET);
    let spoken = format!("{}: {state}", feature.name);
    theme::speak(&response, egui::WidgetType::Label, &spoken);
}

fn validation(ui: &mut Ui, validation: &Validation) {
    let (count, last) = match validation {
        Validation::Off => {
            ui.label(theme::small("Off. Start with --validate to turn it on."));
            return;
        }
        Validation::On { count: 0, .. } => {
            ui.label(RichText::new("On: no messages").color(theme::GOOD));
            return;
        }
        Validation::On { count, last } => (count, last),
    };
    ui.label(RichText::new(format!("On: {}", counted(*count, "message"))).color(theme::BAD));
    theme::well().show(ui, |ui| {
        ScrollArea::vertical().id_salt("validation").max_height(180.0).show(ui, |ui| {
            ui.set_width(ui.available_width());
            for (place, message) in last.iter().rev().enumerate() {
                if place > 0 {
                    collapsing::rule(ui);
                }
                ui.add(Label::new(theme::figure(message)).wrap().selectable(true));
            }
        });
    });
}
