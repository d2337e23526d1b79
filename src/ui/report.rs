//! Small tables that techniques have measured, below their settings.

use super::theme;
use crate::techniques::Report;
use egui::{Align, Grid, Label, Layout, RichText, ScrollArea, Sense, TextStyle, TextWrapMode, Ui, WidgetText};

/// Points of a bar that stands for a whole.
const BAR: [f32; 2] = [44.0, 9.0];
/// Points of a percentage.
const FIGURE: f32 = 36.0;
/// Points between a bar and its percentage.
const BETWEEN: f32 = 6.0;
/// Points between two columns.
const GAP: f32 = 12.0;

/// A value of one of the section's choices.
#[derive(Clone, Debug)]
pub struct Name {
    /// As it stands in tables and in `--set`.
    pub name: &'static str,
    /// What the panel calls it.
    pub title: String,
    /// Whether it is picked.
    pub is_chosen: bool,
}

/// What some words of tables mean.
const MEANINGS: [(&str, &str); 13] = [
    ("frames/s", "Frames per second there would be if this bounce were the last."),
    ("words skipped", "Words of the mask, of 32 pixels each, that have no live pixel: threads end there at once."),
    ("lane use", "Threads with a live pixel, of all in words that have one."),
    ("break-even shading time", "Sorting pays where unsorted shading takes at least this long."),
    (
        "predicted saving",
        "What the distinct IDs per warp promise: unsorted shading times (1 - sorted / unsorted IDs), less the sort. What reading the \
         list costs the shading is not in it.",
    ),
    (
        "measured saving",
        "Unsorted shading, less sorted shading, less the sort: medians of the last frames, shaded both ways in turn.",
    ),
    ("shading, sorted", "Median GPU time of shading in the order of the sorted list."),
    ("shading, unsorted", "Median GPU time of shading in blocks of 8x4 pixels."),
    ("x minimum", "Times as long as it takes to move the least data that any method must move."),
    ("PSNR (dB)", "Peak signal-to-noise ratio: higher is better; above 40 dB hardly anyone sees a difference."),
    (
        "samples",
        "Texture reads for each pixel; before the plus those of one look, after it those of what is made beforehand.",
    ),
    ("MiB", "Bytes read and written."),
    ("flicker", "How much the result changes when the picture moves by a fraction of a pixel."),
];

fn meaning(word: &str) -> Option<&'static str> {
    MEANINGS.iter().find(|(known, _)| *known == word).map(|(_, meaning)| *meaning)
}

/// Names on the left, figures on the right; a table too wide for the dock can be scrolled. Rows that are named as one of `titles` say its
/// title, and the one that is picked is marked.
pub fn show(ui: &mut Ui, report: &Report, titles: &[Name]) {
    ui.add_space(4.0);
    ui.add(Label::new(theme::small(&report.title)).wrap());
    ScrollArea::horizontal().id_salt(&report.title).auto_shrink([false, true]).show(ui, |ui| {
        // What is left over goes to the names: a grid would give it to the last figures, and set them apart from the others.
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
                    at_right(ui, widths[at], |ui| explained(ui.label(head), report.head[at]));
                }
            }
            ui.end_row();
            for row in &report.rows {
                for (at, cell) in row.iter().enumerate() {
                    if at == 0 {
                        first(ui, cell, titles);
                    } else {
                        at_right(ui, widths.get(at).copied().unwrap_or(0.0), |ui| figure(ui, cell));
                    }
                }
                ui.end_row();
            }
        });
    });
}

fn explained(response: egui::Response, word: &str) {
    if let Some(meaning) = meaning(word) {
        response.on_hover_text(meaning);
    }
}

/// What a row is of.
fn first(ui: &mut Ui, cell: &str, names: &[Name]) {
    // What follows the name is a mark of the table's own.
    let (word, rest) = cell.split_at(cell.find(' ').unwrap_or(cell.len()));
    match names.iter().find(|name| name.name == word) {
        Some(name) => {
            let text = RichText::new(format!("{}{rest}", name.title));
            let text = if name.is_chosen { text.color(theme::ACCENT) } else { text };
            let response = ui.label(text);
            if name.is_chosen {
                let at = response.rect.left_center() - egui::vec2(7.0, 0.0);
                ui.painter().circle_filled(at, 2.2, theme::ACCENT);
                response.on_hover_text("Chosen");
            }
        }
        None => explained(ui.label(cell), cell),
    }
}

/// Points that a column of figures needs.
fn widest(ui: &Ui, report: &Report, column: usize) -> f32 {
    let width = |text: RichText| {
        WidgetText::from(text).into_galley(ui, Some(TextWrapMode::Extend), f32::INFINITY, TextStyle::Body).size().x
    };
    let cells = report.rows.iter().filter_map(|row| row.get(column)).map(|cell| match share(cell) {
        Some((_, text)) => width(theme::figure(text)).max(FIGURE) + BETWEEN + BAR[0],
        None => width(theme::figure(cell)),
    });
    let head = report.head.get(column).map_or(0.0, |head| width(theme::small(*head)));
    cells.fold(head, f32::max)
}

/// In a column of this width, whatever room there is: what lies beyond it is scrolled to.
fn at_right(ui: &mut Ui, width: f32, add: impl FnOnce(&mut Ui)) {
    let size = [width, ui.available_height()];
    ui.allocate_ui_with_layout(size.into(), Layout::right_to_left(Align::Center), |ui| {
        ui.set_min_width(width);
        add(ui);
    });
}

/// A figure; a share of a whole with a bar before it.
fn figure(ui: &mut Ui, cell: &str) {
    let Some((share, text)) = share(cell) else {
        // The other units of time have two letters.
        let second = if cell.ends_with(" s") { "\u{a0}" } else { "" };
        ui.label(theme::figure(format!("{cell}{second}")).color(theme::TEXT));
        return;
    };
    ui.spacing_mut().item_spacing.x = BETWEEN;
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
    use egui_kittest::kittest::Queryable as _;

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
    fn columns_of_figures_stand_together_at_the_right() {
        let cells = |row: [&str; 4]| row.map(str::to_owned).to_vec();
        let rows = vec![cells(["first", "1", "22.5", "████      50 %"]), cells(["second", "123", "4", "-"])];
        let report = Report { title: "t".into(), head: vec!["name", "taps", "time", "part"], rows };
        let mut harness = egui_kittest::Harness::builder().with_size([300.0, 200.0]).build_ui(|ui| {
            theme::install(ui.ctx());
            ui.set_width(280.0);
            show(ui, &report, &[]);
        });
        harness.run();
        let place = |text| harness.get_by_label(text).rect();
        let gap = place("time").right() - place("taps").right();
        assert!(gap < 50.0, "{gap}");
        let bar = BAR[0] + BETWEEN + FIGURE;
        let gap = place("part").right() - place("time").right();
        assert!((gap - bar - GAP).abs() < 3.0, "{gap}");
        assert!(place("part").right() > place("name").left() + 275.0);
    }

    #[test]
    fn headings_of_a_wide_table_stand_apart() {
        let row = ["1", "████      50 %", "84.7 ms", "1.5", "11.4 %", "████      50 %"].map(str::to_owned).to_vec();
        let head = vec!["bounce", "live pixels", "time", "frames/s", "words skipped", "lane use"];
        let report = Report { title: "t".into(), head: head.clone(), rows: vec![row; 3] };
        let mut harness = egui_kittest::Harness::builder().with_size([300.0, 200.0]).build_ui(|ui| {
            theme::install(ui.ctx());
            ui.set_width(280.0);
            show(ui, &report, &[]);
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
            width = ui.vertical(|ui| show(ui, &report, &[])).response.rect.width();
        })
        .run();
        assert!(width > 0.0 && width <= 201.0, "{width}");
    }
}
