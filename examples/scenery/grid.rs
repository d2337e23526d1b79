//! Smooth functions over the picture, evaluated at few points.

use std::ops::{Add, Mul};

use glam::Vec2;

use crate::parts::each;

pub struct Grid<T> {
    low: Vec2,
    spacing: Vec2,
    density: Vec2,
    columns: usize,
    rows: usize,
    values: Vec<T>,
}

impl<T: Copy + Send + Add<Output = T> + Mul<f32, Output = T>> Grid<T> {
    /// `value` at points `spacing` apart, on all cores; wider for more than `most` points.
    pub fn new(low: Vec2, high: Vec2, spacing: Vec2, most: f32, value: impl Fn(Vec2) -> T + Sync) -> Self {
        let across = (high - low).max(Vec2::ZERO) / spacing;
        let spacing = spacing * (across.x * across.y / most).sqrt().max(1.0);
        let [columns, rows] = ((high - low).max(Vec2::ZERO) / spacing).to_array().map(|cells| cells as usize + 2);
        let row = |y: usize| -> Vec<T> {
            (0..columns).map(|x| value(low + spacing * Vec2::new(x as f32, y as f32))).collect()
        };
        Self {
            low,
            spacing,
            density: spacing.recip(),
            columns,
            rows,
            values: each(rows, row).into_iter().flatten().collect(),
        }
    }

    pub fn spacing(&self) -> Vec2 {
        self.spacing
    }

    pub fn line(&self, y: f32) -> Line<T> {
        let place = ((y - self.low.y) * self.density.y).clamp(0.0, (self.rows - 1) as f32);
        let row = (place as usize).min(self.rows - 2);
        let down = place - row as f32;
        let (upper, lower) = self.values[row * self.columns..][..2 * self.columns].split_at(self.columns);
        let values = upper.iter().zip(lower).map(|(upper, lower)| *upper * (1.0 - down) + *lower * down).collect();
        Line { low: self.low.x, density: self.density.x, values }
    }

    pub fn at(&self, p: Vec2) -> T {
        let last = Vec2::new((self.columns - 1) as f32, (self.rows - 1) as f32);
        let place = ((p - self.low) * self.density).clamp(Vec2::ZERO, last);
        let (x, y) = ((place.x as usize).min(self.columns - 2), (place.y as usize).min(self.rows - 2));
        let (right, down) = (place.x - x as f32, place.y - y as f32);
        let row = |y: usize| {
            let at = y * self.columns + x;
            self.values[at] * (1.0 - right) + self.values[at + 1] * right
        };
        row(y) * (1.0 - down) + row(y + 1) * down
    }
}

pub struct Line<T> {
    low: f32,
    density: f32,
    values: Vec<T>,
}

impl<T: Copy + Add<Output = T> + Mul<f32, Output = T>> Line<T> {
    pub fn at(&self, x: f32) -> T {
        let place = ((x - self.low) * self.density).clamp(0.0, (self.values.len() - 1) as f32);
        let at = (place as usize).min(self.values.len() - 2);
        let right = place - at as f32;
        self.values[at] * (1.0 - right) + self.values[at + 1] * right
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plane_is_exact_and_the_number_of_points_has_a_limit() {
        let plane = |p: Vec2| 3.0 * p.x - 2.0 * p.y + 1.0;
        for most in [1e6, 100.0] {
            let grid = Grid::new(Vec2::new(-7.0, 2.0), Vec2::new(53.0, 42.0), Vec2::new(2.0, 1.0), most, plane);
            assert!(grid.values.len() as f32 <= most + 60.0, "{} points", grid.values.len());
            for p in [Vec2::new(-7.0, 2.0), Vec2::new(11.3, 17.9), Vec2::new(53.0, 42.0)] {
                assert!((grid.at(p) - plane(p)).abs() < 1e-3, "{p}");
                assert!((grid.line(p.y).at(p.x) - plane(p)).abs() < 1e-3, "{p}");
            }
        }
    }
}
