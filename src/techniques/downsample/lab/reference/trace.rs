//! One result pixel of a method, traced: on each size on its way the texels that count, their weights and their values.

use super::{Part, Route, Rows, Step, Taps, routes};
use crate::techniques::downsample::settings::Method;
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

#[cfg(test)]
mod tests {
    use super::{
        super::{Bytes, downsampled},
        *,
    };
    use crate::{lab::test_picture, techniques::downsample::taps::pixel_weights};

    const SIZES: [([u32; 2], [u32; 2]); 5] =
        [([64, 48], [16, 12]), ([97, 61], [24, 15]), ([100, 75], [37, 29]), ([40, 90], [1, 1]), ([7, 5], [7, 5])];

    /// The value of a traced pixel is the method's, and the weights of all pixels add up to those of the whole.
    #[test]
    fn traces_are_the_method() {
        for (from, to) in SIZES {
            let rgba = test_picture(from);
            let source = Bytes { size: from, rgba: &rgba, linear: true };
            for method in Method::ALL {
                let (whole, paths) = (downsampled(*method, &source, to), Paths::new(*method, from, to, (32, false)));
                let mut counts = vec![0.0; (from[0] * from[1]) as usize];
                for (number, texel) in whole.texels.iter().enumerate() {
                    let at = [number % to[0] as usize, number / to[0] as usize];
                    let mut sum = DVec4::ZERO;
                    for Trace { share, windows } in paths.trace(&source, at) {
                        let last = &windows[windows.len() - 1];
                        assert_eq!((last.first, last.extent), (at, [1, 1]));
                        sum += last.values[0] * share;
                        for window in &windows {
                            let weighted =
                                window.values.iter().zip(&window.weights).map(|(value, weight)| *value * *weight);
                            let off = (weighted.sum::<DVec4>() - last.values[0]).abs().max_element();
                            assert!(off < 1e-9, "{} {from:?} to {to:?} at {at:?}: {off}", method.name());
                        }
                        for ([x, y], weight) in windows[0].places().zip(&windows[0].weights) {
                            counts[y * from[0] as usize + x] += share * weight;
                        }
                    }
                    let off = (sum - *texel).abs().max_element();
                    assert!(off < 1e-9, "{} {from:?} to {to:?} at {at:?}: {off}", method.name());
                }
                let fair = f64::from(from[0] * from[1]) / f64::from(to[0] * to[1]);
                let weights = pixel_weights(*method, from, to, (32, false));
                let off = counts.iter().zip(&weights.texels).map(|(a, b)| (a * fair - b).abs()).fold(0.0, f64::max);
                assert!(off < 1e-9, "{} {from:?} to {to:?}: {off}", method.name());
            }
        }
    }
}
