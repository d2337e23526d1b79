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
