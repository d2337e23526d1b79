//! Figures of the table of limits: bytes, bandwidth, part of a copy's.

use egui::Ui;

use super::super::limits::{figures, sentences};
use super::super::theme;
use super::history::Timings;
use super::table::{Layout, Row};
use instrument::{FrameResults, PassLimits};

pub(super) const COLUMNS: Layout = Layout {
    heads: &[
        ("bytes", "Read and written in a frame in which it runs"),
        ("a second", "Bytes by GPU time"),
        ("of a copy", "Bandwidth as a part of that of a copy of as many bytes on this GPU"),
    ],
    by_room: [&[2], &[1, 2], &[0, 1, 2], &[0, 1, 2]],
};

/// Replaces the times of a row by the limits of its passes; those without a time or bytes do not count.
pub(super) fn fill<'p>(
    row: &mut Row<'_>,
    timings: &Timings,
    passes: impl Iterator<Item = &'p str>,
    limits: &FrameResults<'_>,
) {
    let is_listed = |name: &&str| limits.passes.iter().any(|known| known.pass == **name);
    let timed: Vec<(&str, f64)> =
        passes.filter(is_listed).filter_map(|name| Some((name, timings.run_us(name)?))).collect();
    let us: f64 = timed.iter().map(|(_, us)| us).sum();
    let all = PassLimits::of(limits.passes, |pass| timed.iter().any(|(name, _)| *name == pass));
    let reach = all.and_then(|all| all.reach(us, limits.device()));
    row.cells = all.zip(reach.as_ref()).map(|(all, reach)| figures(&all, reach).to_vec()).unwrap_or_default();
    let texts: Vec<String> = row.cells.iter().flatten().map(|[figure, unit]| format!("{figure} {unit}")).collect();
    row.spoken = if texts.is_empty() { "no bytes known".into() } else { texts.join(", ") };
    row.notes = all.map(|all| sentences(&all, Some(us), limits.device())).unwrap_or_default();
}

pub(super) fn note(ui: &mut Ui) {
    ui.add_space(4.0);
    let text = "Each byte of what a pass binds counts once, read or written, unless the technique has a count of its own. \
                A pass is compared with a copy of as many bytes.";
    theme::note(ui, text);
}
