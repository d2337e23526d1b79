//! Button of a measurement, whose sheet shows it, and what it found.

use egui::{Button, Label, Ui, vec2};

use super::{UiAction, theme};
use lab::{Answer, Progress};
use technique::Measurement;

pub(super) fn show(ui: &mut Ui, measurement: &Measurement, open: &mut Option<String>, actions: &mut Vec<UiAction>) {
    button(ui, measurement, open, actions);
    let (text, color) = match (&measurement.why_not, measurement.card.progress, &measurement.card.answer) {
        (_, Progress::Done { .. }, Some(answer)) => (answer.text.clone(), color_of(answer)),
        (Some(why), ..) => (format!("{why}."), theme::QUIET),
        _ => (measurement.measures.doc.to_owned(), theme::QUIET),
    };
    ui.add(Label::new(theme::small(text).color(color)).wrap());
    if matches!(measurement.card.progress, Progress::Done { .. }) {
        theme::note(ui, format!("Measured at {}.", measurement.card.subject));
    }
    ui.add_space(4.0);
}

/// Begins it, or shows or hides what it found. It is also below the setting that it chooses.
pub(super) fn button(ui: &mut Ui, measurement: &Measurement, open: &mut Option<String>, actions: &mut Vec<UiAction>) {
    let Measurement { id, measures, why_not, card } = measurement;
    let (is_open, is_new) = (open.as_deref() == Some(*id), card.progress == Progress::Idle);
    let button = Button::new(theme::middle(measures.label)).selected(is_open);
    let button = button.min_size(vec2(ui.available_width(), theme::ROW + 2.0));
    let hint = why_not.as_ref().map_or(measures.doc.to_owned(), |why| format!("{why}."));
    let is_enabled = why_not.is_none() || !is_new;
    let response = ui.add_enabled(is_enabled, button).on_hover_text(&hint).on_disabled_hover_text(&hint);
    if response.clicked() {
        actions.extend(is_new.then_some(UiAction::Measure(id)));
        *open = (is_new || !is_open).then(|| (*id).to_owned());
    }
}

pub(super) fn progress_text(rounds: usize, part: f32) -> String {
    match rounds {
        0 => "Preparing ...".into(), // pipelines are compiled
        _ => format!("Round {}, {:.0} % of the longest that it may take", rounds + 1, part * 100.0),
    }
}

pub(super) fn color_of(answer: &Answer) -> egui::Color32 {
    match answer.pays {
        Some(true) => theme::GOOD,
        Some(false) => theme::WARN,
        None => theme::TEXT,
    }
}
