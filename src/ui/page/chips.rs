//! Chips of a page: a setting, which opens its row of the panel, with its present value apart; a value, which a click sets.

use super::super::settings::{enabled::Applies, panel, value_text::value_text};
use super::super::{UiAction, UiState, theme};
use base::settings::{Field, FieldKind, Named};
use egui::text::{LayoutJob, TextFormat};
use egui::{Button, CornerRadius, FontId, Popup, PopupCloseBehavior, Ui, WidgetInfo, WidgetType};
use technique::{Fields, Mention, field_at};

const TEXT: f32 = 12.0;
const NOW: f32 = 10.0;
const ROW: f32 = 290.0;

pub(super) fn show(
    ui: &mut Ui,
    found: &Mention,
    state: &mut UiState<'_>,
    (fields, applies): (Fields<'_>, &Applies),
    actions: &mut Vec<UiAction>,
) {
    let (Mention::Setting(place) | Mention::Value(place, _)) = found else { return };
    let Some(field) = field_at(*place, fields) else { return };
    let Some(section) = state.sections.iter_mut().find(|section| section.id == place.section) else { return };
    let now = section.settings.value(place.index);
    let is_changed = match found {
        Mention::Value(_, value) => {
            let (shown, is_now) = (value_text(field, value), *value == now);
            let text = match field.kind {
                FieldKind::Choice(_) => shown.clone(),
                _ => format!("{}: {shown}", field.title()),
            };
            let hint =
                format!("{}\nClick: {} of {} becomes {shown}", doc_of(field, value), field.title(), section.title);
            let spoken = format!("Set {} to {shown}", field.title());
            let response = chip(ui, (&text, ""), is_now, &spoken).on_hover_text(hint);
            response.clicked() && !is_now && section.settings.set(place.index, value).is_ok()
        }
        _ => {
            let now = format!("  now {}", value_text(field, &now));
            let response =
                chip(ui, (&field.title(), &now), false, &format!("Setting {}", field.title())).on_hover_text(field.doc);
            let row = |ui: &mut Ui| {
                ui.set_width(ROW);
                ui.label(theme::small(format!("{}: {}", section.title, field.doc)));
                panel::row(ui, section.id, section.settings, place.index, field, applies)
            };
            let popup = Popup::menu(&response).close_behavior(PopupCloseBehavior::CloseOnClickOutside);
            popup.show(row).is_some_and(|shown| shown.inner)
        }
    };
    if is_changed {
        actions.push(UiAction::Changed { section: place.section, field: field.name });
    }
}

fn doc_of(field: &Field, value: &toml::Value) -> &'static str {
    let choices: &[Named] = if let FieldKind::Choice(choices) = field.kind { choices } else { &[] };
    choices.iter().find(|choice| value.as_str() == Some(choice.name)).map_or(field.doc, |choice| choice.doc)
}

/// As high as a line of text; it is never broken. `now` is no part of the sentence.
fn chip(ui: &mut Ui, (text, now): (&str, &str), is_on: bool, spoken: &str) -> egui::Response {
    ui.spacing_mut().button_padding = egui::vec2(5.0, 0.0);
    let color = if is_on { theme::STRONG } else { theme::ACCENT.lerp_to_gamma(theme::STRONG, 0.55) };
    let part = |size, color| TextFormat { font_id: FontId::proportional(size), color, ..TextFormat::default() };
    let mut job = LayoutJob::default();
    job.append(text, 0.0, part(TEXT, color));
    job.append(now, 0.0, part(NOW, theme::DIM));
    let button = Button::new(job).small().corner_radius(CornerRadius::same(6)).selected(is_on);
    let response = ui.add(button.wrap_mode(egui::TextWrapMode::Extend));
    response.widget_info(|| WidgetInfo::selected(WidgetType::Button, true, is_on, spoken));
    response
}
