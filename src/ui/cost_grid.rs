//! GPU and CPU times of a pass, below each other.

use super::theme;
use egui::Ui;

pub(super) const HEADS: [&str; 3] = ["last", "a frame", "longest"];

pub(super) fn show(ui: &mut Ui, sides: &[[String; 3]; 2]) {
    ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Extend);
    let grid = egui::Grid::new("both sides").num_columns(4).spacing([10.0, 2.0]).min_col_width(0.0).min_row_height(0.0);
    grid.show(ui, |ui| {
        ui.label("");
        for head in HEADS {
            ui.label(theme::figure(format!("{head:>7}")).color(theme::QUIET));
        }
        ui.end_row();
        for (side, texts) in ["GPU", "CPU"].into_iter().zip(sides) {
            ui.label(theme::small(side));
            for text in texts {
                ui.label(theme::figure(format!("{text:>7}")));
            }
            ui.end_row();
        }
    });
    ui.style_mut().wrap_mode = None;
}
