//! Tables of a technique's counters, below its settings.

use super::theme;
use crate::techniques::Report;
use egui::{Align, Grid, Label, Layout, RichText, ScrollArea, TextStyle, TextWrapMode, Ui, WidgetText};

/// Points.
const GAP: f32 = 12.0;

/// A table wider than the dock scrolls.
pub fn show(ui: &mut Ui, report: &Report) {
    ui.add_space(4.0);
    ui.add(Label::new(theme::small(&report.title)).wrap());
    ScrollArea::horizontal().id_salt(&report.title).auto_shrink([false, true]).show(ui, |ui| {
        // Extra width goes to the names: a grid would give it to the last column.
        let widths: Vec<f32> = (0..report.head.len()).map(|column| widest(ui, report, column)).collect();
        let figures: f32 = widths.iter().skip(1).map(|width| width + GAP).sum();
        let names = (ui.available_width() - figures - 1.0).max(0.0);
        let grid = Grid::new(&report.title).num_columns(report.head.len()).spacing([GAP, 1.0]).min_col_width(0.0);
        grid.show(ui, |ui| {
            for (at, head) in report.head.iter().enumerate() {
                let head = theme::small(*head);
                if at == 0 {
                    ui.scope(|ui| {
                        ui.set_min_width(names);
                        ui.label(head);
                    });
                } else {
                    at_right(ui, widths[at], |ui| drop(ui.label(head)));
                }
            }
            ui.end_row();
            for row in &report.rows {
                for (at, cell) in row.iter().enumerate() {
                    if at == 0 {
                        ui.label(cell);
                    } else {
                        at_right(ui, widths.get(at).copied().unwrap_or(0.0), |ui| figure(ui, cell));
                    }
                }
                ui.end_row();
            }
        });
    });
}

fn widest(ui: &Ui, report: &Report, column: usize) -> f32 {
    let width = |text: RichText| {
        WidgetText::from(text).into_galley(ui, Some(TextWrapMode::Extend), f32::INFINITY, TextStyle::Body).size().x
    };
    let cells = report.rows.iter().filter_map(|row| row.get(column)).map(|cell| width(theme::figure(cell)));
    let head = report.head.get(column).map_or(0.0, |head| width(theme::small(*head)));
    cells.fold(head, f32::max)
}

/// Right-aligned, even beyond the visible area, which scrolls.
fn at_right(ui: &mut Ui, width: f32, add: impl FnOnce(&mut Ui)) {
    let size = [width, ui.available_height()];
    ui.allocate_ui_with_layout(size.into(), Layout::right_to_left(Align::Center), |ui| {
        ui.set_min_width(width);
        add(ui);
    });
}

fn figure(ui: &mut Ui, cell: &str) {
    // The other units of time have two letters.
    let second = if cell.ends_with(" s") { "\u{a0}" } else { "" };
    ui.label(theme::figure(format!("{cell}{second}")).color(theme::TEXT));
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui_kittest::kittest::Queryable as _;

    #[test]
    fn columns_of_figures_are_together_at_the_right() {
        let cells = |row: [&str; 4]| row.map(str::to_owned).to_vec();
        let rows = vec![cells(["first", "1", "22.5", "50.0 %"]), cells(["second", "123", "4", "-"])];
        let report = Report { title: "t".into(), head: vec!["name", "taps", "time", "part"], rows };
        let mut harness = egui_kittest::Harness::builder().with_size([300.0, 200.0]).build_ui(|ui| {
            theme::install(ui.ctx());
            ui.set_width(280.0);
            show(ui, &report);
        });
        harness.run();
        let place = |text| harness.get_by_label(text).rect();
        let gap = place("time").right() - place("taps").right();
        assert!(gap < 50.0, "{gap}");
        let gap = place("part").right() - place("time").right();
        assert!(gap < 60.0, "{gap}");
        assert!(place("part").right() > place("name").left() + 275.0);
    }

    #[test]
    fn headings_of_a_wide_table_are_apart() {
        let row = ["1", "50.0 %", "84.7 ms", "1.5", "11.4 %", "50.0 %"].map(str::to_owned).to_vec();
        let head = vec!["bounce", "live pixels", "time", "frames/s", "words skipped", "lane use"];
        let report = Report { title: "t".into(), head: head.clone(), rows: vec![row; 3] };
        let mut harness = egui_kittest::Harness::builder().with_size([300.0, 200.0]).build_ui(|ui| {
            theme::install(ui.ctx());
            ui.set_width(280.0);
            show(ui, &report);
        });
        harness.run();
        let places: Vec<_> = head.iter().map(|word| harness.get_by_label(word).rect()).collect();
        for (two, words) in places.windows(2).zip(head.windows(2)) {
            assert!(two[0].right() + 0.5 * GAP < two[1].left(), "{words:?}: {two:?}");
        }
    }

    #[test]
    fn a_wide_table_stays_within_its_room() {
        let cell = "a very wide cell indeed".to_owned();
        let report = Report {
            title: "t".into(),
            head: vec!["a", "b", "c", "d"],
            rows: vec![vec![cell; 4], vec!["x".into(); 4]],
        };
        let mut width = 0.0;
        egui_kittest::Harness::new_ui(|ui| {
            ui.set_max_width(200.0);
            width = ui.vertical(|ui| show(ui, &report)).response.rect.width();
        })
        .run();
        assert!(width > 0.0 && width <= 201.0, "{width}");
    }
}
