//! Grids of a part of the window, several pixels in a cell, and places over them.

use crate::lab::reference::picture::{Picture, encoded_from_linear};
use glam::{DVec2, Vec3};
use technique::{Cell, Drawing, Form, Grid, Role, contour, first_around};

pub(super) const PIXEL: [u8; 3] = [255, 255, 255];
pub(super) const OUTLINE: [u8; 3] = [120, 196, 255];
pub(super) const NORMAL_LINE: [u8; 3] = [240, 208, 120];
/// Red, green, blue.
pub(super) const COLORS: [[u8; 3]; 3] = [[255, 96, 88], [112, 224, 112], [104, 150, 255]];

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Region {
    pub first: DVec2,
    /// Pixels a side.
    pub cell: f64,
    pub columns: usize,
    pub rows: usize,
}

impl Region {
    pub fn around(middle: DVec2, wide: f64, [columns, rows]: [usize; 2]) -> Self {
        let cell = wide / columns as f64;
        let first = middle - 0.5 * cell * DVec2::new(columns as f64, rows as f64);
        Self { first, cell, columns, rows }
    }

    /// One pixel in a cell.
    pub fn pixels(at: DVec2, size: [u32; 2], most: [usize; 2]) -> Self {
        let [columns, rows] = [0, 1].map(|axis| most[axis].min(size[axis] as usize).max(1));
        let first = |axis: usize, shown: usize| first_around(at[axis] as usize, shown, size[axis] as usize) as f64;
        Self { first: DVec2::new(first(0, columns), first(1, rows)), cell: 1.0, columns, rows }
    }

    /// Column and row.
    pub fn place(&self, at: DVec2) -> [f32; 2] {
        ((at - self.first) / self.cell).as_vec2().to_array()
    }

    pub fn middles(self) -> impl Iterator<Item = DVec2> {
        (0..self.rows).flat_map(move |y| {
            (0..self.columns).map(move |x| self.first + self.cell * (DVec2::new(x as f64, y as f64) + 0.5))
        })
    }

    /// Encoded; nothing beyond the picture.
    pub fn of_picture(self, title: impl Into<String>, picture: &Picture) -> Grid {
        let size = picture.size().as_dvec2();
        let cell = |at: DVec2| {
            let is_inside = at.cmpge(DVec2::ZERO).all() && at.cmplt(size).all();
            if is_inside { colored(picture.encoded.clamped(at.floor().as_ivec2())) } else { Cell::default() }
        };
        Grid::new(title, self.columns, self.middles().map(cell).collect())
    }

    /// Where `of` is zero.
    pub fn contour(self, of: impl Fn(DVec2) -> f64, form: Form, color: [u8; 3]) -> Vec<Drawing> {
        let corners = (0..=self.rows).flat_map(|y| (0..=self.columns).map(move |x| DVec2::new(x as f64, y as f64)));
        let values: Vec<f64> = corners.map(|corner| of(self.first + self.cell * corner)).collect();
        let segments = contour(self.columns, &values);
        segments.into_iter().map(|segment| Drawing::new(form, segment.to_vec(), color)).collect()
    }
}

pub(super) fn colored(encoded: Vec3) -> Cell {
    Cell::new(bytes(encoded), "")
}

pub(super) fn lit(light: Vec3) -> Cell {
    colored(encoded_from_linear(light.clamp(Vec3::ZERO, Vec3::ONE)))
}

pub(super) fn bytes(encoded: Vec3) -> [u8; 3] {
    (encoded.clamp(Vec3::ZERO, Vec3::ONE) * 255.0).round().to_array().map(|channel| channel as u8)
}

pub(super) fn numbers(color: Vec3) -> String {
    // No minus before zeros.
    let [red, green, blue] = ((color * 1000.0).round() / 1000.0 + 0.0).to_array();
    format!("{red:.3} {green:.3} {blue:.3}")
}

pub(super) fn words(text: impl Into<String>, role: Role) -> Cell {
    Cell::words(text, role)
}
