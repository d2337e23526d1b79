//! Tables of a technique's counters, below its settings.

use super::figure_table::{self, Figure};
use super::theme;
use egui::Ui;
use technique::Report;

pub fn show(ui: &mut Ui, report: &Report) {
    ui.add_space(4.0);
    theme::note(ui, &report.title);
    let Some((names, heads)) = report.head.split_first() else { return };
    let heads: Vec<_> = heads.iter().map(|head| (*head, "")).collect();
    let row = |row: &Vec<String>| {
        let (name, figures) = row.split_first()?;
        Some((name.clone(), figures.iter().map(Figure::new).collect::<Vec<_>>()))
    };
    let rows: Vec<_> = report.rows.iter().filter_map(row).collect();
    figure_table::show(ui, &report.title, (names, &heads), &rows);
}
