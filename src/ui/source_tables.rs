//! Page of the tables of source documents, beside measurements of this machine.

use egui::{Button, Label, Layout, ProgressBar, RichText, ScrollArea, Ui, vec2};

use super::sheet_table::{self, Order};
use super::state::{SourceTableState, UiAction};
use super::{settings::collapsing, theme};
use crate::lab::{Card, End, Progress};

/// Id and title of the page.
pub(super) const PAGE: &str = "source tables";
pub(super) const TITLE: &str = "Tables of the sources";

/// The chosen table, and the order of its rows.
#[derive(Debug, Default)]
pub(super) struct SourceTables {
    chosen: usize,
    order: Order,
}

impl SourceTables {
    /// Width of the content in points.
    pub fn width(&self, ctx: &egui::Context, tables: &[SourceTableState]) -> f32 {
        let card = tables.get(self.chosen).and_then(|one| one.card.tables.first());
        card.map_or(0.0, |table| sheet_table::width(&sheet_table::widths(ctx, table)))
    }

    /// Fills the page; returns whether it is closed.
    pub fn show(&mut self, ui: &mut Ui, tables: &[SourceTableState], actions: &mut Vec<UiAction>) -> bool {
        let mut closes = false;
        ui.horizontal(|ui| {
            ui.label(RichText::new(TITLE).size(19.0).color(theme::STRONG));
            ui.with_layout(Layout::right_to_left(egui::Align::Center), |ui| {
                closes = collapsing::cross(ui, "Close the page");
            });
        });
        ui.add_space(4.0);
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = vec2(5.0, 5.0);
            for (index, table) in tables.iter().enumerate() {
                if ui.add(Button::new(table.title).selected(index == self.chosen)).clicked() {
                    (self.chosen, self.order) = (index, Order::default());
                }
            }
        });
        ui.add_space(6.0);
        let Some(table) = tables.get(self.chosen) else { return closes };
        self.action_row(ui, table, actions);
        let (first, rest) = table.notes.split_at(table.notes.len().min(2));
        let scroll = ScrollArea::both().id_salt((PAGE, self.chosen)).auto_shrink([false, false]);
        scroll.show(ui, |ui| {
            let width = ui.available_width();
            let note = |ui: &mut Ui, text: &str| {
                ui.set_max_width(width);
                ui.add(Label::new(theme::small(text)).wrap());
            };
            first.iter().for_each(|text| note(ui, text));
            ui.add_space(4.0);
            if let Some(rows) = table.card.tables.first() {
                let widths = sheet_table::widths(ui.ctx(), rows);
                sheet_table::show(ui, (PAGE, self.chosen), rows, &widths, &mut self.order, None);
            }
            rest.iter().for_each(|text| note(ui, text));
        });
        closes
    }

    /// Start or stop of the measurement with its progress, and the copy of the table.
    fn action_row(&self, ui: &mut Ui, table: &SourceTableState, actions: &mut Vec<UiAction>) {
        const BUTTON: f32 = 110.0;
        let size = vec2(BUTTON, theme::ROW + 2.0);
        ui.horizontal(|ui| {
            ui.set_height(size.y);
            match table.card.progress {
                Progress::Running { rounds, part } => {
                    if ui.add(Button::new("Stop").min_size(size)).on_hover_text("Stop after this row").clicked() {
                        actions.push(UiAction::StopTables);
                    }
                    let text = match table.is_queued {
                        true => "Waits for another table".to_owned(),
                        false => format!("Row {}", rounds + 1),
                    };
                    let bar = ProgressBar::new(part).text(text).fill(theme::ACCENT.gamma_multiply(0.55));
                    let width = (ui.available_width() - 60.0).clamp(60.0, 320.0);
                    ui.add(bar.corner_radius(6).desired_width(width).desired_height(size.y));
                }
                progress => {
                    let label = if progress == Progress::Idle { "Measure" } else { "Measure again" };
                    let hint = "Runs the benchmark of each row on a device of its own. Meanwhile the scene's time is paused: \
                                what the window draws beside it would be in the times.";
                    if ui.add(Button::new(label).min_size(size)).on_hover_text(hint).clicked() {
                        actions.push(UiAction::MeasureTable(self.chosen));
                    }
                    let text = match progress {
                        Progress::Done { rounds, end: End::Stopped } => format!("Stopped after {rounds} rows."),
                        Progress::Done { .. } => table.card.subject.clone(),
                        _ => "This machine was not measured yet.".to_owned(),
                    };
                    let width = (ui.available_width() - 60.0).max(40.0);
                    ui.scope(|ui| {
                        ui.set_max_width(width);
                        ui.add(Label::new(theme::small(text)).truncate());
                    });
                }
            }
            ui.with_layout(Layout::right_to_left(egui::Align::Center), |ui| {
                let copy = ui.add(Button::new("Copy"));
                if copy.on_hover_text("Copy the table as text, columns between tabs").clicked() {
                    let card = Card { notes: table.notes.clone(), ..table.card.clone() };
                    actions.push(UiAction::Copy(card.text(table.title)));
                }
            });
        });
        ui.add_space(4.0);
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_fixture::{World, at_1280, harness, press, world};
    use super::super::{PanelKey, UiAction};
    use super::*;
    use crate::lab::{CardRow, CardTable, Cell, Column};
    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable as _;

    fn table(title: &'static str, progress: Progress) -> SourceTableState {
        let columns = ["row", "source", "median"].map(|name| Column::new(name, "")).to_vec();
        let row = |title: &str, cells: [Cell; 2]| CardRow {
            title: title.into(),
            cells: cells.to_vec(),
            ..CardRow::default()
        };
        let rows = vec![
            row("first", [Cell::new(0.06, "0.06 ms"), Cell::us(Some(31.0))]),
            row("second", [Cell::new(0.03, "0.03 ms"), Cell::none()]),
        ];
        let card = Card {
            progress,
            subject: "A device (a driver)".into(),
            tables: vec![CardTable { title: String::new(), columns, rows }],
            ..Card::default()
        };
        let notes = ["Source: a document.", "Here: a time is of a pass.", "second: it cannot run."];
        SourceTableState { title, notes: notes.map(String::from).to_vec(), card, is_queued: false }
    }

    fn with(tables: Vec<SourceTableState>) -> World {
        let mut world = world();
        world.captures.tables = tables;
        world
    }

    fn opened(tables: Vec<SourceTableState>, size: [f32; 2]) -> Harness<'static, World> {
        let mut harness = harness(with(tables), size, 1.0);
        press(&mut harness, PanelKey::Help);
        harness.run_steps(3);
        harness.get_by_label(TITLE).click();
        harness.run_steps(4);
        harness
    }

    #[test]
    fn a_table_is_measured_stopped_and_copied() {
        let mut harness =
            opened(vec![table("Sorts", Progress::Idle), table("Levels", Progress::Idle)], [1280.0, 720.0]);
        harness.get_by_label("first: 0.06 ms, 31.0 µs");
        harness.get_by_label("Levels").click();
        harness.run_steps(3);
        harness.get_by_label("Measure").click();
        harness.run_steps(3);
        assert_eq!(harness.state().actions, [UiAction::MeasureTable(1)]);
        harness.state_mut().captures.tables[1].card.progress = Progress::Running { rounds: 1, part: 0.5 };
        harness.run_steps(3);
        harness.get_by_label("Stop").click();
        harness.run_steps(3);
        harness.get_by_label("Copy").click();
        harness.run_steps(3);
        let [_, UiAction::StopTables, UiAction::Copy(text)] = &harness.state().actions[..] else {
            panic!("{:?}", harness.state().actions)
        };
        assert!(text.starts_with("Levels\nA device (a driver)\n"), "{text}");
        assert!(text.contains("first\t0.06 ms\t31.0 µs\n") && text.contains("second: it cannot run."), "{text}");
    }

    #[test]
    fn search_finds_it_and_escape_closes_it() {
        let mut harness = at_1280(with(vec![table("Sorts", Progress::Idle)]));
        press(&mut harness, PanelKey::Search);
        harness.run_steps(2);
        harness.get_by_label("Search").type_text("tables sources");
        harness.run_steps(3);
        harness.get_by_label("Tables of the sources, page").click();
        harness.run_steps(4);
        harness.get_by_label("Measure");
        press(&mut harness, PanelKey::Close);
        harness.run_steps(3);
        assert!(harness.query_by_label("Measure").is_none());
    }

    #[test]
    fn a_small_window_has_all_of_it_inside() {
        let size = [640.0, 480.0];
        let harness = opened(vec![table("Sorts", Progress::Idle), table("Levels", Progress::Idle)], size);
        for label in ["Measure", "Copy", "Close the page", "first: 0.06 ms, 31.0 µs"] {
            let rect = harness.get_by_label(label).rect();
            assert!(rect.left() >= 0.0 && rect.right() <= size[0] && rect.bottom() <= size[1], "{label}: {rect:?}");
        }
    }
}
