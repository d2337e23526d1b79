//! One result pixel of a method, traced: on each size on its way the texels that count, their weights and their values.

use super::{Part, Route, Rows, Step, Taps, routes};
use crate::settings::Method;
use glam::DVec4;

/// The texels of a size that count for a result pixel.
#[derive(Clone, Debug, PartialEq)]
pub struct Window {
    /// Of the whole size.
    pub size: [u32; 2],
    pub first: [usize; 2],
    /// Columns and rows.
    pub extent: [usize; 2],
    /// In the result pixel, row by row.
    pub weights: Vec<f64>,
    pub values: Vec<DVec4>,
}

impl Window {
    fn new(size: [u32; 2], first: [usize; 2], extent: [usize; 2]) -> Self {
        let texels = extent[0] * extent[1];
        Self { size, first, extent, weights: vec![0.0; texels], values: vec![DVec4::ZERO; texels] }
    }

    /// Places of the texels in the whole size, row by row.
    pub fn places(&self) -> impl Iterator<Item = [usize; 2]> + use<> {
        let ([x0, y0], [columns, rows]) = (self.first, self.extent);
        (0..rows).flat_map(move |y| (0..columns).map(move |x| [x0 + x, y0 + y]))
    }

    pub fn position(&self, [x, y]: [usize; 2]) -> usize {
        (y - self.first[1]) * self.extent[0] + x - self.first[0]
    }
}

/// A path to a result pixel.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// Its part of the result pixel.
    pub share: f64,
    /// From the picture to the result pixel.
    pub windows: Vec<Window>,
}

pub struct Paths {
    routes: Vec<Route>,
}

impl Paths {
    /// `chain`: levels of the mip chain, and whether the tent made it.
    pub fn new(method: Method, from: [u32; 2], to: [u32; 2], chain: (u32, bool)) -> Self {
        Self { routes: routes(method, from, to, chain) }
    }

    pub fn trace(&self, source: &dyn Rows<DVec4>, at: [usize; 2]) -> Vec<Trace> {
        self.routes.iter().map(|route| route.trace(source, at)).collect()
    }
}

impl Route {
    fn trace(&self, source: &dyn Rows<DVec4>, at: [usize; 2]) -> Trace {
        let to = self.sizes.last().copied().unwrap_or([1, 1]);
        let mut last = Window::new(to, at, [1, 1]);
        last.weights = vec![1.0];
        let mut windows = vec![last];
        for (step, size) in self.steps.iter().zip(&self.sizes).rev() {
            let above = step.read(windows.last().unwrap_or(&Window::new(to, at, [1, 1])), *size);
            windows.push(above);
        }
        windows.reverse();
        if let Some(top) = windows.first_mut() {
            let [[x0, y0], [columns, rows]] = [top.first, top.extent];
            let rows = (y0..y0 + rows).map(|y| source.row(y));
            top.values = rows.flat_map(|row| row[x0..x0 + columns].to_vec()).collect();
        }
        for (at, step) in (1..).zip(&self.steps) {
            let (above, below) = windows.split_at_mut(at);
            if let (Some(above), Some(below)) = (above.last(), below.first_mut()) {
                step.make(above, below);
            }
        }
        Trace { share: self.share, windows }
    }
}

impl Step {
    /// `size`: of all texels.
    fn read(&self, below: &Window, size: [u32; 2]) -> Window {
        let span = |axis: usize| {
            let end = below.first[axis] + below.extent[axis];
            let taps = self.parts.iter().flat_map(|part| &part.axes[axis][below.first[axis]..end]);
            let spans = taps.map(|taps| (taps.first, taps.first + taps.weights.len()));
            spans.fold((usize::MAX, 0), |(first, last), (from, to)| (first.min(from), last.max(to)))
        };
        let [(left, right), (top, bottom)] = [span(0), span(1)];
        let mut above = Window::new(size, [left, top], [right - left, bottom - top]);
        for (place, weight) in below.places().zip(&below.weights) {
            self.each_tap(place, |from, part| {
                let position = above.position(from);
                above.weights[position] += weight * part;
            });
        }
        above
    }

    fn make(&self, above: &Window, below: &mut Window) {
        let values = below.places().map(|place| {
            let mut sum = DVec4::ZERO;
            self.each_tap(place, |from, part| sum += above.values[above.position(from)] * part);
            sum
        });
        below.values = values.collect();
    }

    fn each_tap(&self, [x, y]: [usize; 2], mut act: impl FnMut([usize; 2], f64)) {
        for Part { share, axes: [columns, rows] } in &self.parts {
            let Taps { first: top, weights: down } = &rows[y];
            let Taps { first: left, weights: across } = &columns[x];
            for (row, weight) in (*top..).zip(down) {
                for (column, part) in (*left..).zip(across) {
                    act([column, row], share * weight * part);
                }
            }
        }
    }
}
