//! Table of figures: names at the left, right-aligned figures at the right.

use super::theme;
use egui::{Align, Color32, Grid, Label, Layout, RichText, ScrollArea, TextStyle, TextWrapMode, Ui, WidgetText};

/// Points between columns.
const GAP: f32 = 12.0;
/// Least width of names.
const NAMES: f32 = 48.0;

pub(super) struct Figure {
    pub text: String,
    pub color: Color32,
    pub hint: String,
}

impl Figure {
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), color: theme::TEXT, hint: String::new() }
    }

    fn rich(&self) -> RichText {
        let second = if self.text.ends_with(" s") { "\u{a0}" } else { "" };
        theme::figure(format!("{}{second}", self.text)).color(self.color)
    }
}

/// Heads of the names, and of the figures with their tooltips. A table wider than its room scrolls.
pub(super) fn show(ui: &mut Ui, id: &str, (names, heads): (&str, &[(&str, &str)]), rows: &[(String, Vec<Figure>)]) {
    let width = |ui: &Ui, text: RichText| {
        let galley = WidgetText::from(text).into_galley(ui, Some(TextWrapMode::Extend), f32::INFINITY, TextStyle::Body);
        galley.size().x
    };
    let widest = |column: usize| {
        let figures = rows.iter().filter_map(|(_, figures)| figures.get(column)).map(|figure| width(ui, figure.rich()));
        figures.fold(width(ui, theme::small(heads[column].0)), f32::max)
    };
    let widths: Vec<f32> = (0..heads.len()).map(widest).collect();
    ScrollArea::horizontal().id_salt(id).auto_shrink([false, true]).show(ui, |ui| {
        let room = (ui.available_width() - widths.iter().map(|width| width + GAP).sum::<f32>() - 1.0).max(NAMES);
        let named = |ui: &mut Ui, text: RichText| {
            ui.scope(|ui| {
                ui.set_width(room);
                ui.add(Label::new(text).wrap());
            });
        };
        Grid::new(id).striped(true).spacing([GAP, 2.0]).min_col_width(0.0).show(ui, |ui| {
            named(ui, theme::small(names));
            for ((head, meaning), width) in heads.iter().zip(&widths) {
                at_right(ui, *width, theme::small(*head), meaning);
            }
            ui.end_row();
            for (name, figures) in rows {
                named(ui, theme::small(name).color(theme::TEXT));
                for (figure, width) in figures.iter().zip(&widths) {
                    at_right(ui, *width, figure.rich(), &figure.hint);
                }
                ui.end_row();
            }
        });
    });
}

fn at_right(ui: &mut Ui, width: f32, text: RichText, hint: &str) {
    let size = [width, ui.available_height()];
    ui.allocate_ui_with_layout(size.into(), Layout::right_to_left(Align::Center), |ui| {
        ui.set_min_width(width);
        let label = ui.add(Label::new(text).extend());
        if !hint.is_empty() {
            label.on_hover_text(hint);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui_kittest::kittest::Queryable as _;

    #[test]
    fn figures_are_at_the_right_and_a_wide_table_stays_within_its_room() {
        for (heads, room) in [(["taps", "time"], 280.0), (["a head that is wide", "another wide head"], 150.0)] {
            let heads = heads.map(|head| (head, ""));
            let row = |name: &str, texts: [&str; 2]| (name.to_owned(), Vec::from(texts.map(Figure::new)));
            let rows = [row("first", ["1", "22.5 ms"]), row("second", ["123", "4 s"])];
            let mut harness = egui_kittest::Harness::builder().with_size([300.0, 200.0]).build_ui(|ui| {
                theme::install(ui.ctx());
                ui.set_max_width(room);
                let width = ui.vertical(|ui| show(ui, "t", ("", &heads), &rows)).response.rect.width();
                assert!(width <= room + 1.0, "{width} of {room}");
            });
            harness.run();
            let place = |text| harness.get_by_label(text).rect();
            assert!((place("22.5 ms").right() - place(heads[1].0).right()).abs() < 1.0);
            assert!(room < 200.0 || place("22.5 ms").right() > place("first").left() + room - 5.0);
        }
    }
}
