//! Bar of A and B: what is displayed, how pictures and times differ, and the table of the passes.

use crate::figure_table::{self, Figure};
use crate::layout::opaque;
use crate::pair_key::KEYS;
use crate::pair_state::{PairAction, PairState};
use crate::settings::{collapsing, differences};
use crate::{UiAction, theme};
use ab::{PairDifference, PairLayout, TimeRow};
use base::text::micros;
use egui::{Align2, Context, DragValue, Label, Rect, ScrollArea, Ui};
use media::difference::Difference;
use std::mem::discriminant;
use std::path::Path;
use techniques::info;

const WIDTH: f32 = 560.0;
/// Height of the table, as a fraction of the room: the picture below it stays visible.
const TABLE: f32 = 0.16;

const LAYOUTS: [(PairLayout, &str, &str); 5] = [
    (PairLayout::Split(0.5), "Split", "A left of the line, B right of it; drag the line"),
    (PairLayout::Lens, "Lens", "B inside of the lens, A outside"),
    (PairLayout::OnlyA, "A", "A alone (Space: A or B)"),
    (PairLayout::OnlyB, "B", "B alone (Space: A or B)"),
    (PairLayout::Difference(8.0), "Difference", "Absolute difference of the encoded colours"),
];

/// `shows_passes`: the table is open.
pub(super) fn show(
    ctx: &Context,
    space: Rect,
    state: &PairState<'_>,
    shows_passes: &mut bool,
    actions: &mut Vec<UiAction>,
) -> Rect {
    let width = WIDTH.min(space.width());
    opaque(ctx, "A and B", (space, Align2::CENTER_TOP), theme::chip(), |ui, _| {
        ui.set_width(width - theme::chip().total_margin().sum().x);
        ui.spacing_mut().item_spacing.y = 5.0;
        heading(ui, state, actions);
        let is_alike = |(layout, ..): &&(PairLayout, &str, &str)| discriminant(layout) == discriminant(&state.layout);
        let before = LAYOUTS.iter().find(is_alike).map_or(state.layout, |(layout, ..)| *layout);
        let mut now = before;
        collapsing::segments(ui, &mut now, &LAYOUTS);
        if now != before {
            actions.push(UiAction::Pair(PairAction::Layout(now)));
        }
        if state.broken.is_some() {
            return; // it is looked at; its times say nothing
        }
        pictures(ui, state, actions);
        ui.horizontal(|ui| {
            theme::from_right(ui, |ui| {
                shaders(ui, state.shaders, actions);
                theme::rest(ui, |ui| times(ui, state, shows_passes, actions));
            });
        });
        sum(ui, state);
        if *shows_passes && !state.rows.is_empty() {
            let height = TABLE * space.height();
            ScrollArea::vertical().id_salt("times").max_height(height).show(ui, |ui| table(ui, state));
        }
    })
}

fn heading(ui: &mut Ui, state: &PairState<'_>, actions: &mut Vec<UiAction>) {
    let wait = if state.is_ready && !state.awaits_step { "" } else { ", is being drawn ..." };
    let broken = state.broken.map(|broken| format!("B is broken: {}{wait}", broken.title()));
    ui.horizontal(|ui| {
        ui.label(theme::heading("A and B"));
        if state.broken.is_none() {
            let [edited, other] = state.names();
            let hint = format!("Settings, presets and frost are those of {edited}. A click: of {other}.");
            let chip = egui::Button::new(theme::small(format!("Edits {edited}")).color(theme::ACCENT)).selected(true);
            if ui.add(chip).on_hover_text(hint).clicked() {
                actions.push(UiAction::Pair(PairAction::Edit { b: !state.edits_b }));
            }
        }
        theme::from_right(ui, |ui| {
            if collapsing::cross(ui, &format!("Close A and B ({} or Esc)", KEYS.name())) {
                actions.push(UiAction::Pair(PairAction::Remove));
            }
            let text = match differences::count(ui.ctx()) {
                _ if broken.is_some() => broken.clone().unwrap_or_default(),
                0 => "equal, until one is changed".to_owned(),
                1 => "1 setting differs".to_owned(),
                count => format!("{count} settings differ"),
            };
            theme::rest(ui, |ui| {
                ui.add(Label::new(theme::small(text)).truncate());
            });
        });
    });
}

fn pictures(ui: &mut Ui, state: &PairState<'_>, actions: &mut Vec<UiAction>) {
    ui.horizontal_wrapped(|ui| {
        let text = match state.difference {
            _ if !state.is_ready => "The scene of B is prepared ...".to_owned(),
            _ if state.awaits_step => "B is drawn, then both begin in one frame ...".to_owned(),
            None => "Pictures are compared ...".to_owned(),
            Some(PairDifference { numbers, .. }) if numbers.max == 0 && state.is_unfinished => {
                "The pictures are equal so far ...".to_owned()
            }
            Some(PairDifference { numbers, .. }) if numbers.max == 0 => "The pictures are equal.".to_owned(),
            Some(PairDifference { numbers: Difference { mean, max, psnr_db, .. }, ssim, .. }) => {
                let so_far = if state.is_unfinished { "so far " } else { "" };
                format!("{so_far}mean {mean:.3}, largest {max} of 255, {psnr_db:.1} dB, SSIM {ssim:.4}")
            }
        };
        ui.add(Label::new(theme::figure(text)).wrap());
        if let PairLayout::Difference(gain) = state.layout {
            let mut gain = gain;
            let factor = DragValue::new(&mut gain).range(1.0..=64.0).speed(0.1).max_decimals(0).prefix("x");
            if ui.add(factor).on_hover_text("Factor of the displayed difference").changed() {
                actions.push(UiAction::Pair(PairAction::Layout(PairLayout::Difference(gain))));
            }
        }
    });
}

fn shaders(ui: &mut Ui, folder: Option<&Path>, actions: &mut Vec<UiAction>) {
    let folder = folder.map(|folder| folder.file_name().unwrap_or(folder.as_os_str()).to_string_lossy());
    if folder.is_some() && collapsing::cross(ui, "B with the shaders of A") {
        actions.push(UiAction::Pair(PairAction::Shaders(None)));
    }
    let name = folder.map_or("Other shaders ...".into(), |name| format!("Shaders of B: {name}"));
    if ui.add(egui::Button::new(theme::small(name)).truncate()).on_hover_text(SHADERS).clicked() {
        actions.push(UiAction::Pair(PairAction::PickShaders));
    }
}

const SHADERS: &str =
    "A folder with the shaders of B: a copy of the program's; or drop it on the window. Edits are taken at once.";

fn times(ui: &mut Ui, state: &PairState<'_>, shows_passes: &mut bool, actions: &mut Vec<UiAction>) {
    if let Some(part) = state.measured_part {
        ui.add(Label::new(theme::figure(format!("Measuring, {:.0} %", 100.0 * part))));
        return;
    }
    if theme::push(ui, "Measure", MEASURE) {
        actions.push(UiAction::Pair(PairAction::Measure));
    }
    let passes = egui::Button::new(theme::small("Passes")).selected(*shows_passes);
    if !state.rows.is_empty() && ui.add(passes).on_hover_text("Times of each pass of A and of B").clicked() {
        *shows_passes = !*shows_passes;
    }
}

/// Microseconds by which B differs, outside of the noise; a pass of one side differs by its whole time.
fn clear_us(row: &TimeRow) -> Option<f64> {
    match (row.a_us, row.b_us, &row.difference) {
        (Some(a_us), Some(_), Some(difference)) => difference.is_clear(a_us).then_some(difference.median_us),
        (None, Some(b_us), _) => Some(b_us),
        (Some(a_us), None, _) => Some(-a_us),
        _ => None,
    }
}

/// Without the sum: the largest clear difference first, those within the noise as they are.
fn by_difference(rows: &[TimeRow]) -> Vec<&TimeRow> {
    let mut rows: Vec<_> = rows.iter().filter(|row| !row.pass.is_empty()).collect();
    let size = |row: &TimeRow| clear_us(row).map_or(0.0, f64::abs);
    rows.sort_by(|a, b| size(b).total_cmp(&size(a)));
    rows
}

/// Most techniques or passes in the headline.
const NAMED: usize = 3;

/// Whole, over as many lines as it takes; with the techniques that differ, or else the passes.
fn sum(ui: &mut Ui, state: &PairState<'_>) {
    let sum = state.rows.iter().find(|row| row.pass.is_empty());
    let Some(TimeRow { a_us: Some(a_us), b_us: Some(b_us), difference: Some(difference), .. }) = sum else { return };
    let mut text = format!("A {}, B {}: {}", micros(*a_us), micros(*b_us), difference.verdict(*a_us));
    let named = |row: &TimeRow| {
        let (us, name) = (clear_us(row)?, info(&row.pass).map_or(&*row.pass, |info| info.title));
        Some(format!("{}{} in {name}", if us > 0.0 { "+" } else { "" }, signed(us)))
    };
    let clear = [state.techniques, state.rows].map(|rows| {
        let clear = by_difference(rows).into_iter().filter_map(named).take(NAMED);
        clear.collect::<Vec<_>>().join(", ")
    });
    let clear = clear.iter().find(|clear| !clear.is_empty());
    clear.into_iter().for_each(|clear| text += &format!("; clear differences: {clear}"));
    let color = if clear.is_some() || difference.is_clear(*a_us) { theme::STRONG } else { theme::TEXT };
    ui.add(Label::new(theme::figure(text).color(color)).wrap());
}

const MEASURE: &str = "GPU times of A and B: records all passes of both in 32 frames, in alternating order";

fn table(ui: &mut Ui, state: &PairState<'_>) {
    let time = |us: &Option<f64>| Figure::new(us.map_or("-".into(), micros));
    let row = |TimeRow { pass, a_us, b_us, difference }: &TimeRow| {
        let a = a_us.unwrap_or_default();
        let figure = difference.as_ref().map_or(Figure::new("-"), |difference| {
            let [low, high] = difference.interval_us.map(signed);
            Figure {
                text: signed(difference.median_us),
                color: match difference.is_clear(a) {
                    true if difference.median_us > 0.0 => theme::BAD,
                    true => theme::GOOD,
                    false => theme::QUIET,
                },
                hint: format!("{}: {low} to {high}, from {} pairs of frames", difference.verdict(a), difference.n),
            }
        });
        let name = if pass.is_empty() { "All passes" } else { pass };
        (name.to_owned(), vec![time(a_us), time(b_us), figure])
    };
    let all = state.rows.iter().filter(|row| row.pass.is_empty());
    let rows: Vec<_> = all.chain(by_difference(state.rows)).map(row).collect();
    figure_table::show(ui, "times of A and B", ("", &HEADS), &rows);
}

const HEADS: [(&str, &str); 3] = [
    ("A", "Median time of A"),
    ("B", "Median time of B"),
    (
        "paired B - A",
        "Median of the differences of frames drawn in turn, which share clocks and caches. It need not be the difference of the medians. Green and red are clear differences, the largest first; grey is within the noise; the pointer on a figure shows its interval.",
    ),
];

fn signed(us: f64) -> String {
    if us < 0.0 { format!("-{}", micros(-us)) } else { micros(us) }
}
