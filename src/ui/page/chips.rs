//! Chips of a page: a setting, which opens its row of the panel, with its present value apart; a value, which a click sets.

use super::super::settings::{enabled::Applies, panel, value_text::value_text};
use super::super::{UiAction, UiState, theme};
use base::settings::{Field, FieldKind, Named};
use egui::epaint::RectShape;
use egui::text::{LayoutJob, TextFormat};
use egui::{Button, Popup, PopupCloseBehavior, Shape, StrokeKind, Ui, WidgetInfo, WidgetType};
use technique::{Fields, Mention, field_at};

const ROW: f32 = 290.0;

pub(super) fn show(
    ui: &mut Ui,
    found: &Mention,
    state: &mut UiState<'_>,
    (fields, applies, size): (Fields<'_>, &Applies, f32),
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
            let response = chip(ui, (&text, "", size), is_now, &spoken).on_hover_text(hint);
            response.clicked() && !is_now && section.settings.set(place.index, value).is_ok()
        }
        _ => {
            let now = format!("  now {}", value_text(field, &now));
            let response = chip(ui, (&field.title(), &now, size), false, &format!("Setting {}", field.title()))
                .on_hover_text(field.doc);
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

/// One line of the text around it, on its baseline; it is never broken. `now` is no part of the sentence.
fn chip(ui: &mut Ui, (text, now, size): (&str, &str, f32), is_on: bool, spoken: &str) -> egui::Response {
    ui.spacing_mut().button_padding = egui::vec2(5.0, 0.0);
    let color = if is_on { theme::STRONG } else { theme::ACCENT.lerp_to_gamma(theme::STRONG, 0.55) };
    let part = |color| TextFormat { color, ..super::format(size) };
    let mut job = LayoutJob::default();
    job.append(text, 0.0, part(color));
    job.append(now, 0.0, part(theme::DIM));
    let ground = ui.painter().add(Shape::Noop);
    let response = ui.add(Button::new(job).small().frame(false).wrap_mode(egui::TextWrapMode::Extend));
    let visuals = ui.style().interact_selectable(&response, is_on);
    // The space between lines is below the letters.
    let place =
        response.rect.expand2(egui::vec2(2.0, 0.0)).with_max_y(response.rect.bottom() - size * (super::LINE - 1.25));
    let (fill, edge) = (visuals.weak_bg_fill, visuals.bg_stroke);
    ui.painter().set(ground, RectShape::new(place, 6, fill, edge, StrokeKind::Inside));
    response.widget_info(|| WidgetInfo::selected(WidgetType::Button, true, is_on, spoken));
    response
}
