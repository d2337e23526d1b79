//! Steps of the chosen method: the covered pixels, their weights, the levels of a chain, and the sum term by term.

use super::{
    super::reference::trace::{Trace, Window},
    patch::{Patch, brightness, thousandths, weight_color},
    subject::{Subject, numbers, value_of},
};
use crate::settings::Method;
use glam::DVec4;
use technique::{Arrow, Cell, Grid, ReplayStep, Role};

/// Steps of a sum, at most.
const BANDS: usize = 8;
/// Most terms that are added one by one.
const TERMS: usize = 8;

pub(super) fn steps(subject: &Subject<'_>) -> Vec<ReplayStep> {
    let mut steps = vec![cover(subject), weigh(subject)];
    if let Some(longest) = subject.traces.iter().max_by_key(|trace| trace.windows.len()) {
        steps.extend((1..longest.windows.len().saturating_sub(1)).map(|level| halve(subject, longest, level)));
    }
    steps.extend(add(subject));
    steps
}

/// Windows of the picture, with the share of each path.
pub(super) fn of_picture(traces: &[Trace]) -> impl Iterator<Item = (f64, &Window)> + Clone {
    traces.iter().filter_map(|trace| Some((trace.share, trace.windows.first()?)))
}

fn cover(subject: &Subject<'_>) -> ReplayStep {
    let windows = of_picture(&subject.traces).map(|(_, window)| window);
    let margin = [0, 1].map(|axis| (subject.from[axis].div_ceil(subject.to[axis]) as usize).max(2));
    let patch = Patch::around(windows).with_margin(margin, subject.from);
    let values = patch.means(&subject.source);
    let mut grid = patch.colors(format!("Pixels of the picture: {}", patch.size()), &values, subject.source.linear);
    grid.drawings.push(patch.frame(subject.covered()));
    let [columns, rows] = subject.covered().map(|[from, to]| to - from);
    let sentence = format!(
        "Pixel {}, {} of a result of {}x{} covers {} x {} pixels of the picture, the ones in the frame, and its one colour has to speak for all of them.",
        subject.at[0],
        subject.at[1],
        subject.to[0],
        subject.to[1],
        ratio(columns),
        ratio(rows)
    );
    let figures = vec![("averages", if subject.source.linear { "linear light" } else { "encoded values" }.into())];
    ReplayStep::new("Cover", sentence, vec![grid]).figures(figures)
}

fn ratio(pixels: f64) -> String {
    if pixels.fract() == 0.0 { format!("{pixels}") } else { format!("{pixels:.2}") }
}

/// The end of a sentence.
pub(super) fn weighing(method: Method) -> &'static str {
    match method {
        Method::Nearest => "takes the pixel in the middle alone, so that all others are skipped",
        Method::Bilinear => {
            "weighs the 4 pixels around the middle by their nearness, so that above a ratio of 2 others are skipped"
        }
        Method::Bicubic => {
            "weighs the 16 pixels around the middle by a spline that is negative further out, so that above a ratio of 4 others are skipped"
        }
        Method::RasterChain | Method::BlitChain => {
            "reads every level once with the linear filter, half as large each time, so that in the end each covered pixel counts"
        }
        Method::AreaFragment | Method::AreaCompute => {
            "weighs each pixel by the part of it that is covered, and no other pixel: the exact mean"
        }
        Method::Table => {
            "takes the sum of a whole box of pixels from four words of a table, so that the weights are those of the exact mean at any ratio"
        }
        Method::MipChain => {
            "reads the mip chain between the two levels whose sizes are next to the result's, so that the pixels around count, too"
        }
        Method::Mitchell => {
            "weighs 4 result pixels' width by a cubic that is hardly negative, a compromise between blur and rings"
        }
        Method::CatmullRom => {
            "weighs 4 result pixels' width by a cubic with negative sides, which keeps edges sharp and puts rings beside them"
        }
        Method::Lanczos3 => {
            "weighs 6 result pixels' width by a windowed sinc, which keeps most of what the result can hold and puts rings beside edges"
        }
        Method::Tap13 => {
            "makes each level by 13 linear reads that overlap those of the neighbours, so that a bright pixel does not flicker as it moves"
        }
        Method::Kawase => {
            "makes each level by 5 linear reads, the middle and the corners around it, so that few reads weigh many pixels"
        }
    }
}

fn weigh(subject: &Subject<'_>) -> ReplayStep {
    let windows = || of_picture(&subject.traces);
    let patch = Patch::around(windows().map(|(_, window)| window));
    let weights = patch.weights(windows());
    let mut pixels = patch.colors(
        format!("Pixels of the picture: {}", patch.size()),
        &patch.means(&subject.source),
        subject.source.linear,
    );
    for (cell, weight) in pixels.cells.iter_mut().zip(&weights) {
        cell.role = if weight.is_some() { Role::Active } else { Role::Faded };
    }
    // Frames would hide pixels that all count.
    if weights.iter().all(Option::is_some) {
        pixels.cells.iter_mut().for_each(|cell| cell.role = Role::Idle);
    }
    let mut grid = patch.weight_grid("Their weights, in thousandths".into(), &weights);
    grid.drawings.push(patch.frame(subject.covered()));
    let read = windows().flat_map(|(_, window)| &window.weights).filter(|weight| **weight != 0.0).count();
    let shares = || windows().flat_map(|(share, window)| window.weights.iter().map(move |weight| share * weight));
    let (all, below): (f64, f64) = (shares().sum(), shares().filter(|weight| *weight < 0.0).sum());
    let sentence = format!("{} {}.", subject.method.title(), weighing(subject.method));
    let figures = vec![
        ("pixels that count", read.to_string()),
        ("sum of the weights", format!("{all:.3}")),
        ("of it below zero", format!("{:.3}", 0.0 + below)),
    ];
    ReplayStep::new("Weigh", sentence, vec![pixels, grid]).figures(figures)
}

fn halve(subject: &Subject<'_>, trace: &Trace, level: usize) -> ReplayStep {
    let [above, made] = [&trace.windows[level - 1], &trace.windows[level]];
    let grid = |window: &Window, title: String| {
        let patch = Patch::around(std::iter::once(window));
        let values = patch.means(&WindowRows(window));
        (patch, patch.colors(title, &values, subject.source.linear))
    };
    let size =
        |window: &Window| format!("{}x{} of {}x{}", window.extent[0], window.extent[1], window.size[0], window.size[1]);
    let (from, first) = grid(above, format!("Texels above: {}", size(above)));
    let (to, second) = grid(made, format!("Texels made: {}", size(made)));
    let target = [0, 1].map(|axis| made.first[axis] + made.extent[axis] / 2);
    // The texels that cover it, from their corners.
    let corner = |axis: usize, end: usize| {
        let place = (target[axis] + end) as f64 * f64::from(above.size[axis]) / f64::from(made.size[axis]);
        let place = if end == 0 { place.floor() } else { place.ceil() - 1.0 } as usize;
        place.clamp(above.first[axis], above.first[axis] + above.extent[axis] - 1)
    };
    let mut arrows = Vec::new();
    for [x, y] in [[0, 0], [1, 0], [0, 1], [1, 1]] {
        if let (Some(start), Some(end)) = (from.cell([corner(0, x), corner(1, y)]), to.cell(target)) {
            arrows.push(Arrow { from: [0, start], to: [1, end] });
        }
    }
    arrows.dedup();
    let by = if above.size == made.size { "blurred at the same size" } else { "half as large" };
    let sentence = format!(
        "Of the next size, {by}, the pixel needs {} x {} texels, which are made of {} x {} above, and whatever a level rounds or blurs stays in all that follow.",
        made.extent[0], made.extent[1], above.extent[0], above.extent[1]
    );
    ReplayStep::new(format!("Make {}x{}", made.size[0], made.size[1]), sentence, vec![first, second]).arrows(arrows)
}

struct WindowRows<'a>(&'a Window);

impl super::super::reference::Rows<DVec4> for WindowRows<'_> {
    fn size(&self) -> [u32; 2] {
        self.0.size
    }

    fn row(&self, y: usize) -> std::borrow::Cow<'_, [DVec4]> {
        let Window { first, extent, values, .. } = self.0;
        let mut row = vec![DVec4::ZERO; first[0]];
        row.extend(values.iter().skip((y - first[1]) * extent[0]).take(extent[0]));
        std::borrow::Cow::Owned(row)
    }
}

/// The terms, and their sum as it grows.
fn add(subject: &Subject<'_>) -> Vec<ReplayStep> {
    // Of a chain the last read, else the picture.
    let windows: Vec<(f64, &Window)> = match &subject.traces[..] {
        [only] => only.windows.iter().rev().nth(1).map(|window| (1.0, window)).into_iter().collect(),
        all => of_picture(all).collect(),
    };
    let patch = Patch::around(windows.iter().map(|(_, window)| *window));
    let (weights, terms) = (patch.weights(windows.iter().copied()), patch.terms(windows.iter().copied()));
    let counted: Vec<usize> = (0..weights.len()).filter(|cell| weights[*cell].is_some()).collect();
    // One by one, or row by row.
    let bands: Vec<Vec<usize>> = if counted.len() <= TERMS {
        counted.iter().map(|cell| vec![*cell]).collect()
    } else {
        let mut rows: Vec<usize> = counted.iter().map(|cell| cell / patch.columns()).collect();
        rows.dedup();
        let of =
            |rows: &[usize]| counted.iter().copied().filter(|cell| rows.contains(&(cell / patch.columns()))).collect();
        rows.chunks(rows.len().div_ceil(BANDS)).map(of).collect()
    };
    let mut sums = vec![DVec4::ZERO];
    for band in &bands {
        let sum = sums[sums.len() - 1] + band.iter().map(|cell| terms[*cell]).sum::<DVec4>();
        sums.push(sum);
    }
    let most = weights.iter().flatten().fold(1e-12_f64, |most, weight| most.max(weight.abs()));
    let term_cells = |role: &dyn Fn(usize) -> Role| {
        let cell = |at: usize| match weights[at] {
            None => Cell::default(),
            Some(weight) => {
                let shown = terms[at] / most;
                let color = if weight < 0.0 { weight_color(-brightness(shown).abs()) } else { subject.color(shown) };
                Cell::new(color, thousandths(brightness(terms[at]))).role(role(at))
            }
        };
        (0..weights.len()).map(cell).collect()
    };
    let step = |(number, band): (usize, &Vec<usize>)| {
        let role = |at: usize| match bands.iter().position(|band| band.contains(&at)) {
            Some(of) if of == number => Role::Active,
            Some(of) if of < number => Role::Idle,
            _ => Role::Faded,
        };
        let title = "Terms, in thousandths: weight times value (mean of red, green, blue)";
        let terms = Grid::new(title, patch.columns(), term_cells(&role));
        let mut factors = patch.weight_grid("Weights, in thousandths".into(), &weights);
        band.iter().for_each(|cell| factors.cells[*cell].role = Role::Active);
        let sum = |at: usize| match sums.get(at + 1).filter(|_| at <= number) {
            None => Cell::default(),
            Some(sum) => {
                let role = if at == number { Role::Active } else { Role::Idle };
                Cell::new(subject.color(*sum), format!("{:.3}", brightness(*sum))).role(role)
            }
        };
        let sums_grid = Grid::new("Sum so far", bands.len(), (0..bands.len()).map(sum).collect());
        let now = sums[number + 1];
        let so_far: f64 = bands[..=number].iter().flatten().filter_map(|cell| weights[*cell]).sum();
        let end = match number + 1 == bands.len() {
            false => format!("the weights so far add up to {so_far:.3}, and the colour is whole at 1"),
            true => "the weights have added up to 1, and the sum is the pixel's colour".to_owned(),
        };
        let sentence = format!("{}: {end}.", added(&patch, band));
        let figures = vec![("sum so far, red green blue", numbers(now))];
        let grids = vec![terms, factors, sums_grid.aspect(2.4).wide()];
        ReplayStep::new(format!("Add {} of {}", number + 1, bands.len()), sentence, grids).figures(figures)
    };
    let steps: Vec<ReplayStep> = bands.iter().enumerate().map(step).collect();
    debug_assert!((sums[sums.len() - 1] - value_of(&subject.traces)).abs().max_element() < 1e-6);
    steps
}

fn added(patch: &Patch, band: &[usize]) -> String {
    let row = |cell: &usize| cell / patch.columns();
    match band {
        [only] => format!(
            "The term of column {}, row {}, a weight times a value, is added",
            only % patch.columns(),
            row(only)
        ),
        _ => {
            let (first, last) = (band.first().map_or(0, row), band.last().map_or(0, row));
            let rows = if first == last { format!("row {first}") } else { format!("rows {first} to {last}") };
            format!("The {} terms of {rows}, each a weight times a value, are added", band.len())
        }
    }
}
