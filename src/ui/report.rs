//! Small tables that techniques have measured, below their settings.

use super::theme;
use crate::techniques::Report;
use egui::{Align, Grid, Label, Layout, ScrollArea, Sense, Ui};

/// Points of a bar that stands for a whole.
const BAR: [f32; 2] = [44.0, 9.0];
/// Points of a percentage.
const FIGURE: f32 = 36.0;

/// Names on the left, figures on the right; a table too wide for the dock can be scrolled.
pub fn show(ui: &mut Ui, report: &Report) {
    ui.add_space(4.0);
    ui.add(Label::new(theme::small(&report.title)).wrap());
    ScrollArea::horizontal().id_salt(&report.title).auto_shrink([false, true]).show(ui, |ui| {
        Grid::new(&report.title).num_columns(report.head.len()).spacing([12.0, 1.0]).show(ui, |ui| {
            for (at, head) in report.head.iter().enumerate() {
                let head = theme::small(*head);
                if at == 0 {
                    ui.label(head);
                } else {
                    at_right(ui, |ui| drop(ui.label(head)));
                }
            }
            ui.end_row();
            for row in &report.rows {
                for (at, cell) in row.iter().enumerate() {
                    if at == 0 {
                        ui.label(cell);
                    } else {
                        at_right(ui, |ui| figure(ui, cell));
                    }
                }
                ui.end_row();
            }
        });
    });
}

fn at_right(ui: &mut Ui, add: impl FnOnce(&mut Ui)) {
    ui.with_layout(Layout::right_to_left(Align::Center), add);
}

/// A figure; a share of a whole with a bar before it.
fn figure(ui: &mut Ui, cell: &str) {
    let Some((share, text)) = share(cell) else {
        ui.label(theme::figure(cell).color(theme::TEXT));
        return;
    };
    ui.spacing_mut().item_spacing.x = 6.0;
    // All figures as wide, so that bars begin below each other.
    ui.allocate_ui_with_layout([FIGURE, ui.available_height()].into(), Layout::right_to_left(Align::Center), |ui| {
        ui.set_min_width(FIGURE);
        ui.label(theme::figure(text).color(theme::TEXT));
    });
    let (rect, _) = ui.allocate_exact_size(BAR.into(), Sense::hover());
    ui.painter().rect_filled(rect, 2.0, theme::RAIL);
    let filled = rect.with_max_x(rect.left() + rect.width() * share);
    ui.painter().rect_filled(filled, 2.0, theme::ACCENT);
}

/// What a cell says that was written for a terminal: a bar of block characters, as long as the percentage after it.
fn share(cell: &str) -> Option<(f32, &str)> {
    let is_bar = |c: char| ('█'..='▏').contains(&c) || c == ' ';
    let text = cell.trim_start_matches(is_bar);
    let percent: f32 = text.strip_suffix('%')?.trim().parse().ok()?;
    (text.len() < cell.len() && cell.chars().count() > text.chars().count() + 4)
        .then_some(((percent / 100.0).clamp(0.0, 1.0), text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_told_from_figures() {
        assert_eq!(share("████      50 %"), Some((0.5, "50 %")));
        assert_eq!(share("████████ 100 %"), Some((1.0, "100 %")));
        assert_eq!(share("▏          1 %"), Some((0.01, "1 %")));
        assert_eq!(share("           0 %"), Some((0.0, "0 %")));
        for plain in ["12.5 %", "1.13", "", "-", "4.0 us"] {
            assert_eq!(share(plain), None, "{plain}");
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
