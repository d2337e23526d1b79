//! Steps of all methods on one pixel: their weights side by side, and their results.

use super::{
    super::reference::trace::Trace,
    patch::{Patch, brightness},
    steps::of_picture,
    subject::{Subject, color, source_of, stored, value_of},
};
use crate::settings::Method;
use glam::DVec4;
use technique::{Cell, Grid, ReplayStep, Role};

/// Methods of similar weights: a name, a sentence and the methods.
const FAMILIES: [(&str, &str, &[Method]); 4] = [
    (
        "Methods that skip",
        "Their reads do not grow with the ratio, so that most covered pixels do not count at all: cheap, sharp, and full of false patterns where the picture is finer than the result.",
        &[Method::Nearest, Method::Bilinear, Method::Bicubic],
    ),
    (
        "Means",
        "All pixels that are covered count by the part that is covered, and no others: a dispatch, a fragment shader and a table differ in cost and not in weights, and a chain of means has them at powers of two.",
        &[Method::AreaCompute, Method::Table, Method::MipChain],
    ),
    (
        "Chains",
        "Each level is half as large as the one above: few reads a level make weights as wide as wished, and the wider ones overlap, which costs sharpness and quietens what moves.",
        &[Method::RasterChain, Method::Tap13, Method::Kawase],
    ),
    (
        "Kernels",
        "Their curves are as wide as 4 or 6 result pixels, whatever the ratio, and dip below zero, drawn in magenta: what is beside an edge is pushed away from it, which the eye takes for sharpness.",
        &[Method::Mitchell, Method::CatmullRom, Method::Lanczos3],
    ),
];

pub(super) fn steps(subject: &Subject<'_>) -> Vec<ReplayStep> {
    let traces: Vec<(Method, Vec<Trace>)> =
        Method::ALL.iter().map(|method| (*method, subject.traces(*method))).collect();
    let windows = traces.iter().flat_map(|(_, traces)| of_picture(traces).map(|(_, window)| window));
    let patch = Patch::around(windows);
    let mut steps: Vec<ReplayStep> =
        FAMILIES.iter().map(|family| of_family(subject, &patch, &traces, family)).collect();
    steps.push(results(subject, &traces));
    steps
}

fn of_family(
    subject: &Subject<'_>,
    patch: &Patch,
    traces: &[(Method, Vec<Trace>)],
    (name, sentence, members): &(&str, &str, &[Method]),
) -> ReplayStep {
    let pixels =
        patch.colors(format!("Pixels around: {}", patch.size()), &patch.means(&subject.source), subject.source.linear);
    let mut grids = vec![pixels];
    let shown = traces.iter().filter(|(method, _)| members.contains(method));
    grids.extend(shown.map(|(method, traces)| {
        let count = pixels_of(traces);
        let noun = if count == 1 { "pixel counts" } else { "pixels count" };
        patch.weight_grid(format!("{}: {count} {noun}", method.title()), &patch.weights(of_picture(traces)))
    }));
    let covered = patch.frame(subject.covered());
    grids.iter_mut().for_each(|grid| grid.drawings.push(covered.clone()));
    ReplayStep::new(*name, *sentence, grids)
}

fn pixels_of(traces: &[Trace]) -> usize {
    let all = of_picture(traces).flat_map(|(_, window)| window.places().zip(&window.weights));
    all.filter(|(_, weight)| **weight != 0.0).map(|(place, _)| place).collect::<std::collections::BTreeSet<_>>().len()
}

/// A row for each method: its name, its colour, its light and its distance from the exact mean.
fn results(subject: &Subject<'_>, traces: &[(Method, Vec<Trace>)]) -> ReplayStep {
    let shown = |method: Method, value: DVec4| stored(value, subject.light, source_of(subject.source, method).linear);
    let mean = traces.iter().find(|(method, _)| *method == Method::AreaCompute);
    let mean = mean.map(|(method, traces)| shown(*method, value_of(traces))).unwrap_or_default();
    let mut cells = Vec::new();
    for (method, traces) in traces {
        let value = value_of(traces);
        let away = brightness(shown(*method, value) - mean);
        let is_chosen = *method == subject.method;
        let plain = |text: String| Cell::words(text, if is_chosen { Role::Active } else { Role::Idle });
        cells.push(plain(method.title()));
        cells.push(Cell::new(color(value, source_of(subject.source, *method).linear), ""));
        cells.push(plain(format!("{:.2}", brightness(shown(*method, value)))));
        cells.push(plain(format!("{away:+.2}")));
    }
    let title = "Method, colour, its mean of red, green and blue in steps of 255, and steps from the exact mean";
    let sentence = format!(
        "The same pixel by every method, {} marked: where the picture is smooth they agree, and at edges and in fine detail each shows what it skips, blurs or sharpens.",
        subject.method.title()
    );
    let grids = vec![Grid::new(title, 4, cells).aspect(7.5)];
    ReplayStep::new("All methods", sentence, grids)
}
