//! Highlight of a setting that was searched for.

use egui::{Align, Context, Id, Rect, Ui, vec2};

use super::super::{anchors, theme};

/// Seconds.
const HIGHLIGHT_S: f64 = 2.0;

/// Scrolls to a setting and highlights its row, from the next frame on.
pub fn find(ctx: &Context, section: &str, field: &str) {
    let end_s = ctx.input(|input| input.time) + HIGHLIGHT_S;
    ctx.data_mut(|data| data.insert_temp(Id::new("found setting"), (format!("{section}.{field}"), end_s)));
}

pub(super) fn highlight(ui: &Ui, row: Rect, (section, field): (&str, &str)) {
    anchors::note(ui, || format!("setting {section}.{field}"), row);
    let found = ui.ctx().data(|data| data.get_temp::<(String, f64)>(Id::new("found setting")));
    let Some((name, end_s)) = found else { return };
    let left_s = end_s - ui.input(|input| input.time);
    if left_s <= 0.0 || name.split_once('.') != Some((section, field)) {
        return;
    }
    // Sections open and scroll meanwhile.
    if left_s > HIGHLIGHT_S - 0.7 {
        ui.scroll_to_rect(row.expand(40.0), Some(Align::Center));
    }
    let part = (left_s / HIGHLIGHT_S) as f32;
    ui.painter().rect_filled(row.expand2(vec2(4.0, 1.0)), 5.0, theme::ACCENT.gamma_multiply(0.35 * part));
    ui.ctx().request_repaint();
}
