//! Grids of a part of a picture: colours, weights and terms of its pixels, several in a cell where they are many.

use super::{
    super::reference::{Rows, trace::Window},
    subject::color,
};
use glam::DVec4;
use technique::{Cell, Drawing, Grid, first_around};

/// Cells along a side, at most.
const MOST: usize = 64;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Patch {
    first: [usize; 2],
    extent: [usize; 2],
    /// Pixels of a cell along a side.
    pub each: usize,
}

impl Patch {
    /// The smallest that contains all the windows.
    pub fn around<'a>(windows: impl Iterator<Item = &'a Window> + Clone) -> Self {
        let along = |axis: usize| {
            let first = windows.clone().map(|window| window.first[axis]).min().unwrap_or_default();
            let end = windows.clone().map(|window| window.first[axis] + window.extent[axis]).max().unwrap_or_default();
            (first, end.saturating_sub(first).max(1))
        };
        Self::along(&along)
    }

    /// At most `shown` columns and rows around a place, a pixel in a cell.
    pub fn near(at: [usize; 2], shown: [usize; 2], size: [u32; 2]) -> Self {
        let size = size.map(|side| side as usize);
        let first = [0, 1].map(|axis| first_around(at[axis], shown[axis], size[axis]));
        Self { first, extent: [0, 1].map(|axis| shown[axis].min(size[axis])), each: 1 }
    }

    /// From the first place and the number of places of each axis.
    fn along(along: &dyn Fn(usize) -> (usize, usize)) -> Self {
        let [(left, columns), (top, rows)] = [along(0), along(1)];
        Self { first: [left, top], extent: [columns, rows], each: columns.max(rows).div_ceil(MOST) }
    }

    /// `margin` pixels more on every side, within a picture.
    pub fn with_margin(self, margin: [usize; 2], size: [u32; 2]) -> Self {
        let along = |axis: usize| {
            let first = self.first[axis].saturating_sub(margin[axis]);
            let end = (self.first[axis] + self.extent[axis] + margin[axis]).min(size[axis] as usize);
            (first, end - first)
        };
        Self::along(&along)
    }

    pub fn columns(&self) -> usize {
        self.extent[0].div_ceil(self.each)
    }

    pub fn rows(&self) -> usize {
        self.extent[1].div_ceil(self.each)
    }

    pub fn cell(&self, at: [usize; 2]) -> Option<usize> {
        let [x, y] = [0, 1].map(|axis| at[axis].checked_sub(self.first[axis]).filter(|at| *at < self.extent[axis]));
        Some(y? / self.each * self.columns() + x? / self.each)
    }

    pub fn size(&self) -> String {
        let cells = match self.each {
            1 => String::new(),
            each => format!(", {each}x{each} in a cell"),
        };
        format!("{}x{}{cells}", self.extent[0], self.extent[1])
    }

    /// Around what is within limits along both axes, in fractions of pixels.
    pub fn frame(&self, limits: [[f64; 2]; 2]) -> Drawing {
        let place = |axis: usize, end: usize| ((limits[axis][end] - self.first[axis] as f64) / self.each as f64) as f32;
        Drawing::frame([place(0, 0), place(1, 0)], [place(0, 1), place(1, 1)])
    }

    /// Sum of the weights in each cell; `None` where no pixel has one.
    pub fn weights<'a>(&self, windows: impl Iterator<Item = (f64, &'a Window)>) -> Vec<Option<f64>> {
        let mut sums = vec![None; self.columns() * self.rows()];
        for (share, window) in windows {
            for (place, weight) in window.places().zip(&window.weights) {
                if let Some(cell) = self.cell(place).filter(|_| *weight != 0.0) {
                    *sums[cell].get_or_insert(0.0) += share * weight;
                }
            }
        }
        sums
    }

    /// Sum of weights times values in each cell.
    pub fn terms<'a>(&self, windows: impl Iterator<Item = (f64, &'a Window)>) -> Vec<DVec4> {
        let mut sums = vec![DVec4::ZERO; self.columns() * self.rows()];
        for (share, window) in windows {
            for ((place, weight), value) in window.places().zip(&window.weights).zip(&window.values) {
                if let Some(cell) = self.cell(place) {
                    sums[cell] += *value * (share * weight);
                }
            }
        }
        sums
    }

    pub fn means(&self, source: &dyn Rows<DVec4>) -> Vec<DVec4> {
        let mut sums = vec![(DVec4::ZERO, 0.0); self.columns() * self.rows()];
        let [[left, top], [columns, rows]] = [self.first, self.extent];
        for y in top..top + rows {
            let row = source.row(y);
            for x in left..left + columns {
                if let (Some(cell), Some(value)) = (self.cell([x, y]), row.get(x)) {
                    sums[cell] = (sums[cell].0 + *value, sums[cell].1 + 1.0);
                }
            }
        }
        sums.into_iter().map(|(sum, count)| if count > 0.0 { sum / count } else { sum }).collect()
    }

    /// Values in their colours, with their mean of red, green and blue.
    pub fn colors(&self, title: String, values: &[DVec4], is_linear: bool) -> Grid {
        let cell = |value: &DVec4| Cell::new(color(*value, is_linear), format!("{:.2}", brightness(*value)));
        Grid::new(title, self.columns(), values.iter().map(cell).collect())
    }

    /// In thousandths: none, above zero, below zero.
    pub fn weight_grid(&self, title: String, weights: &[Option<f64>]) -> Grid {
        let most = weights.iter().flatten().fold(1e-12_f64, |most, weight| most.max(weight.abs()));
        let cell = |weight: &Option<f64>| match weight {
            None => Cell::default(),
            Some(weight) => Cell::new(weight_color(weight / most), thousandths(*weight)),
        };
        Grid::new(title, self.columns(), weights.iter().map(cell).collect())
    }
}

pub(super) fn brightness(value: DVec4) -> f64 {
    (value.x + value.y + value.z) / 3.0
}

/// Three digits.
pub(super) fn thousandths(weight: f64) -> String {
    let value = 1000.0 * weight;
    if value.abs() >= 99.95 { format!("{value:.0}") } else { format!("{value:.1}") }
}

/// Of a weight as a part of the largest: from dark to bright, magenta below zero as in the view of the read pixels.
pub(super) fn weight_color(part: f64) -> [u8; 3] {
    let strength = 0.3 + 0.7 * part.abs().min(1.0).sqrt();
    let full = if part < 0.0 { [214.0, 60.0, 200.0] } else { [250.0, 214.0, 110.0] };
    full.map(|channel: f64| (channel * strength).round() as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_hold_every_pixel_once() {
        let window = |first: [usize; 2], extent: [usize; 2]| Window {
            size: [500, 300],
            first,
            extent,
            weights: vec![1.0; extent[0] * extent[1]],
            values: vec![DVec4::ONE; extent[0] * extent[1]],
        };
        for (windows, size) in [
            (vec![window([3, 4], [8, 8])], "8x8"),
            (vec![window([3, 4], [8, 8]), window([0, 9], [5, 1])], "11x8"),
            (vec![window([10, 0], [97, 50])], "97x50, 2x2 in a cell"),
        ] {
            let patch = Patch::around(windows.iter());
            assert_eq!(patch.size(), size);
            let pixels: usize = windows.iter().map(|window| window.weights.len()).sum();
            let sum: f64 = patch.weights(windows.iter().map(|window| (1.0, window))).into_iter().flatten().sum();
            assert_eq!(sum, pixels as f64);
            let sum: DVec4 = patch.terms(windows.iter().map(|window| (0.5, window))).into_iter().sum();
            assert_eq!(sum, DVec4::splat(0.5 * pixels as f64));
            assert_eq!(patch.cell([600, 0]), None);
        }
    }

    #[test]
    fn frames_are_around_what_is_covered() {
        let patch = Patch { first: [10, 20], extent: [30, 20], each: 1 };
        let corners = |patch: Patch| {
            let frame = patch.frame([[12.0, 20.5], [20.0, 28.0]]);
            [frame.points[0], frame.points[2]]
        };
        assert_eq!(corners(patch), [[2.0, 0.0], [10.5, 8.0]]);
        let coarse = Patch { each: 4, ..patch };
        assert_eq!((coarse.columns(), coarse.rows()), (8, 5));
        assert_eq!(corners(coarse), [[0.5, 0.0], [2.625, 2.0]]);
        let wider = patch.with_margin([15, 3], [100, 42]);
        assert_eq!((wider.first, wider.extent), ([0, 17], [55, 25]));
    }
}
