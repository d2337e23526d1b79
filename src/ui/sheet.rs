//! Measurement sheet: a page beside the dock, as wide as its table.

use egui::{Button, Context, Label, RichText, ScrollArea, Ui, vec2};

use super::layout::scrolled;
use super::measurement::{color_of, progress_text};
use super::pair_state::PairAction;
use super::sheet_chooser::Chooser;
use super::sheet_table::{self, Clicked, text_width};
use super::{UiAction, settings::collapsing, theme};
use lab::{Pareto, Progress};
use technique::{Measurement, Section};

/// Width of the buttons beside the heading, and of the space before them.
const BUTTONS: f32 = 190.0;

#[derive(Debug, Default)]
pub struct Sheet {
    pub open: Option<String>,
}

/// Least width of instruments beside a sheet.
const BESIDE: f32 = 360.0;

impl Sheet {
    /// Points: the tables, and the heading with its buttons.
    pub(super) fn width(ctx: &Context, title: &str, measurement: &Measurement) -> f32 {
        let of = |table| sheet_table::width(table, &sheet_table::widths(ctx, table));
        let heading = text_width(ctx, &heading_of(title, measurement), theme::font(theme::TITLE));
        measurement.card.tables.iter().map(of).fold(heading.ceil() + BUTTONS, f32::max)
    }

    /// The part of an area left of the last frame's sheet, and whether instruments have room there.
    pub(super) fn beside(&self, ctx: &egui::Context, area: egui::Rect) -> (egui::Rect, bool) {
        let sheet = ctx.memory(|memory| memory.area_rect("sheet")).filter(|_| self.open.is_some());
        let Some(sheet) = sheet.filter(|sheet| sheet.intersects(area)) else { return (area, true) };
        let left = area.with_max_x((sheet.left() - theme::GAP).max(area.left()));
        (left, left.width() >= BESIDE)
    }

    pub(super) fn show(
        &mut self,
        ui: &mut Ui,
        room: egui::Vec2,
        measurement: &Measurement,
        section: &mut Section<'_>,
        actions: &mut Vec<UiAction>,
    ) {
        let (id, card) = (measurement.id, &measurement.card);
        let heading = heading_of(section.title, measurement);
        let mut chooser = Chooser::new(section.settings, measurement.measures.chooses);
        let widths: Vec<Vec<f32>> = card.tables.iter().map(|table| sheet_table::widths(ui.ctx(), table)).collect();
        let needed = card.tables.iter().zip(&widths).map(|(table, widths)| sheet_table::width(table, widths));
        let needed = needed.fold(0.0, f32::max);
        let width = room.x;
        ui.set_width(width);
        self.heading(ui, &heading, measurement, actions);
        let (mut chosen, mut changed) = (None, Vec::new());
        let scroll = ScrollArea::both().id_salt(id).auto_shrink([false, true]).max_height((room.y - 112.0).max(60.0));
        scrolled(ui, scroll, |ui| {
            ui.set_width(needed.max(width));
            for ((index, table), widths) in card.tables.iter().enumerate().zip(&widths) {
                let clicked = sheet_table::show(ui, (id, index), table, widths, &chooser);
                chosen = chosen.or(clicked.and_then(|(row, part)| Some((table.rows.get(row)?, part))));
            }
            match chosen {
                Some((row, Clicked::AsB)) => {
                    actions.push(UiAction::Pair(PairAction::Pin(Some((id, chooser.table(row))))));
                }
                Some((row, Clicked::Row)) => changed.extend(chooser.choose(row)),
                None => {}
            }
            if card.tables.iter().flat_map(|table| &table.rows).any(|row| chooser.can_choose(row)) {
                ui.label(theme::small("A click chooses a row; \"as B\" shows it next to A, the picture as it is."));
            }
            let front = card.pareto.as_ref().and_then(Pareto::sentence);
            for note in front.iter().chain(&card.notes) {
                ui.set_max_width(width);
                theme::note(ui, note);
            }
        });
        actions.extend(changed.into_iter().map(|field| UiAction::Changed { section: id, field }));
    }

    fn heading(&mut self, ui: &mut Ui, heading: &str, measurement: &Measurement, actions: &mut Vec<UiAction>) {
        let (id, card) = (measurement.id, &measurement.card);
        ui.horizontal(|ui| {
            ui.set_height(theme::ROW);
            theme::from_right(ui, |ui| {
                ui.spacing_mut().item_spacing.x = 4.0;
                if collapsing::cross(ui, "Close the table") {
                    self.open = None;
                }
                let copy = Button::new("Copy");
                if ui.add(copy).on_hover_text("Copy the table as text, columns between tabs").clicked() {
                    actions.push(UiAction::Copy(card.text(heading)));
                }
                match card.progress {
                    Progress::Running { .. } => {
                        if ui.button("Stop").on_hover_text("Stop with what was measured so far").clicked() {
                            actions.push(UiAction::StopMeasuring(id));
                        }
                    }
                    _ => {
                        let restart = ui.add_enabled(measurement.why_not.is_none(), Button::new("Measure again"));
                        if restart.clicked() {
                            actions.push(UiAction::Measure(id));
                        }
                    }
                }
                theme::rest(ui, |ui| {
                    ui.add(Label::new(RichText::new(heading).size(theme::TITLE).color(theme::STRONG)).truncate());
                });
            });
        });
        let subject = if card.subject.is_empty() { "Nothing was measured yet." } else { card.subject.as_str() };
        theme::note(ui, subject);
        let height = 34.0;
        ui.allocate_ui(vec2(ui.available_width(), height), |ui| {
            ui.set_height(height);
            match (card.progress, &card.answer) {
                (Progress::Running { rounds, part }, _) => {
                    ui.add(theme::progress(part, progress_text(rounds, part)).desired_height(theme::ROW));
                }
                (_, Some(answer)) => {
                    let text = RichText::new(&answer.text).size(theme::LARGE).color(color_of(answer));
                    ui.add(Label::new(text).wrap());
                }
                _ => {}
            }
        });
    }
}

/// `Pixel sort: does sorting pay?`
fn heading_of(title: &str, measurement: &Measurement) -> String {
    format!("{title}: {}", lower(measurement.measures.label))
}

fn lower(label: &str) -> String {
    let mut letters = label.chars();
    letters.next().map(|first| first.to_lowercase().chain(letters).collect()).unwrap_or_default()
}
