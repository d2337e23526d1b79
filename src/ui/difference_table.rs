//! Table of times of two sides, their difference, and what it means.

use super::theme;
use crate::base::text::micros;
use egui::{Label, RichText, Ui};

/// Points.
const FIGURE: f32 = 58.0;

pub(super) struct DifferenceRow<'a> {
    pub name: &'a str,
    /// Microseconds of both sides.
    pub us: [Option<f64>; 2],
    pub difference: Option<RowDifference>,
}

/// Times of the second side minus the first.
pub(super) struct RowDifference {
    pub us: f64,
    pub interval_us: [f64; 2],
    /// `None`: not known.
    pub is_slower: Option<bool>,
    pub verdict: &'static str,
    /// "12 pairs of frames".
    pub source: String,
}

/// "-3.1 µs".
pub(super) fn signed(us: f64) -> String {
    if us < 0.0 { format!("-{}", micros(-us)) } else { micros(us) }
}

/// `heads`: both sides and the difference, with their tooltips.
pub(super) fn show<'a>(ui: &mut Ui, id: &str, heads: [(&str, &str); 3], rows: impl Iterator<Item = DifferenceRow<'a>>) {
    const GAP: f32 = 8.0;
    let grid = egui::Grid::new(id).striped(true).num_columns(4).spacing(egui::vec2(GAP, 3.0));
    let names = (ui.available_width() - 3.0 * (FIGURE + GAP)).clamp(48.0, 104.0);
    grid.show(ui, |ui| {
        ui.label("");
        for (head, meaning) in heads {
            ui.label(theme::small(head)).on_hover_text(meaning);
        }
        ui.end_row();
        for DifferenceRow { name, us, difference } in rows {
            ui.scope(|ui| {
                ui.set_width(names);
                ui.add(Label::new(theme::small(name)).wrap());
            });
            for us in us {
                ui.label(theme::figure(us.map_or("-".into(), micros)));
            }
            match difference {
                Some(difference) => difference.show(ui),
                None => drop(ui.label(theme::figure("-"))),
            }
            ui.end_row();
        }
    });
}

impl RowDifference {
    fn show(self, ui: &mut Ui) {
        let color = match self.is_slower {
            Some(true) => theme::BAD,
            Some(false) => theme::GOOD,
            None => theme::QUIET,
        };
        let text = RichText::new(signed(self.us)).font(egui::FontId::monospace(11.0)).color(color);
        let [low, high] = self.interval_us.map(signed);
        ui.label(text).on_hover_text(format!("{}: {low} to {high}, from {}", self.verdict, self.source));
    }
}
