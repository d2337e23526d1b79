//! Measurement row of a section: button, progress and verdict, at a fixed height.

use egui::text::{LayoutJob, TextWrapping};
use egui::{Button, FontId, Rect, Sense, Ui, UiBuilder, WidgetInfo, WidgetType, pos2, vec2};

use super::{UiAction, theme};
use lab::{Answer, Progress};
use technique::Measurement;

/// Heights of the row with the button, of the lines below it, and of the space below each.
const ROW: f32 = theme::ROW + 2.0;
const LINES: f32 = 28.0;
const SPACE: f32 = 4.0;
const SECOND: f32 = 64.0;

pub(super) fn show(ui: &mut Ui, measurement: &Measurement, open: &mut Option<String>, actions: &mut Vec<UiAction>) {
    let width = ui.available_width();
    let (whole, _) = ui.allocate_exact_size(vec2(width, ROW + LINES + 2.0 * SPACE), Sense::hover());
    // Explicitly placed widgets would move the cursor.
    let ui = &mut ui.new_child(UiBuilder::new().max_rect(whole));
    let row = Rect::from_min_size(whole.min, vec2(width, ROW));
    let parts = |gap: f32| {
        let middle = (row.right() - SECOND).max(row.left());
        [row.with_max_x((middle - gap).max(row.left())), row.with_min_x(middle)]
    };
    let [first, second] = parts(4.0);
    let (id, label) = (measurement.id, measurement.measures.label);
    let is_open = open.as_deref() == Some(id);
    let mut toggles = false;
    match measurement.card.progress {
        Progress::Running { rounds, part } => {
            let text = progress_text(rounds, part);
            let bar = theme::progress(part, text);
            ui.put(first, bar.desired_width(first.width()).desired_height(ROW));
            if ui.put(second, Button::new("Stop")).on_hover_text("Stop with what was measured so far").clicked() {
                actions.push(UiAction::StopMeasuring(id));
            }
        }
        progress => {
            let is_done = progress != Progress::Idle;
            let place = if is_done { first } else { row };
            let button = Button::new(label).truncate();
            let response = ui.scope_builder(UiBuilder::new().max_rect(place), |ui| {
                ui.add_enabled_ui(measurement.why_not.is_none(), |ui| ui.put(place, button)).inner
            });
            let hint = match &measurement.why_not {
                Some(why) => format!("{why}."),
                None => measurement.measures.doc.to_owned(),
            };
            if response.inner.on_hover_text(&hint).on_disabled_hover_text(&hint).clicked() {
                actions.push(UiAction::Measure(id));
                *open = Some(id.to_owned());
            }
            if is_done {
                let table = Button::new("Table").selected(is_open);
                toggles = ui.put(second, table).on_hover_text("What was measured, beside the panel").clicked();
            }
        }
    }
    if toggles {
        *open = (!is_open).then(|| id.to_owned());
    }
    let lines = Rect::from_min_size(pos2(whole.left(), row.bottom() + SPACE), vec2(width, LINES));
    let (text, color) = match (&measurement.why_not, measurement.card.progress, &measurement.card.answer) {
        (_, Progress::Done { .. }, Some(answer)) => (answer.text.clone(), color_of(answer)),
        (Some(why), ..) => (format!("{why}."), theme::QUIET),
        _ => (measurement.measures.doc.to_owned(), theme::QUIET),
    };
    two_lines(ui, lines, &text, color);
}

pub(super) fn progress_text(rounds: usize, part: f32) -> String {
    match rounds {
        0 => "Preparing ...".into(), // pipelines are compiled
        _ => format!("Round {}, {:.0} % of the limit", rounds + 1, part * 100.0),
    }
}

pub(super) fn color_of(answer: &Answer) -> egui::Color32 {
    match answer.pays {
        Some(true) => theme::GOOD,
        Some(false) => theme::WARN,
        None => theme::TEXT,
    }
}

fn two_lines(ui: &mut Ui, place: Rect, text: &str, color: egui::Color32) {
    let mut job = LayoutJob::simple(text.to_owned(), FontId::proportional(11.0), color, place.width());
    job.wrap = TextWrapping { max_width: place.width(), max_rows: 2, ..TextWrapping::default() };
    let galley = ui.painter().layout_job(job);
    let is_cut = galley.elided;
    ui.painter().galley(place.min, galley, color);
    let response = ui.interact(place, ui.id().with(("lines", text)), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, text));
    if is_cut {
        response.on_hover_text(text);
    }
}
