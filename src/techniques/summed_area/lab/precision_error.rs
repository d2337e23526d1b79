//! Error of box means read from a table, by its precision.

use super::reference::Plane;
use crate::table::Precision;
use media::difference::largest;
use std::ops::Range;

/// Pixels per side of the boxes, and from one box to the next.
const SIDE: usize = 15;
const STEP: usize = 7;

/// In steps of 1/255, over boxes all over the picture. `tables`: words as read, four for centred tables.
pub(super) fn worst_box_mean(plane: &Plane, tables: &[Vec<u32>], precision: Precision) -> f64 {
    let [w, h] = plane.size;
    let side = [SIDE.min(w), SIDE.min(h)];
    let area = (side[0] * side[1]) as f32;
    let table = |index: usize, size| FloatTable { words: &tables[index], size };
    let mean = (plane.sum(0..w, 0..h) * 256 / (w * h).max(1) as u64) as f32 / 256.0;
    let places = (0..=h - side[1]).step_by(STEP).flat_map(|y| (0..=w - side[0]).step_by(STEP).map(move |x| [x, y]));
    largest(places.map(|[x, y]| {
        let (xs, ys) = (x..x + side[0], y..y + side[1]);
        let found = match precision {
            Precision::U32 => table(0, [w, h]).whole(&xs, &ys) as f32 / area,
            Precision::F32 => table(0, [w, h]).sum(&xs, &ys) / area * 255.0,
            Precision::HalfOffset => (table(0, [w, h]).sum(&xs, &ys) / area + 0.5) * 255.0,
            Precision::MeanOffset => table(0, [w, h]).sum(&xs, &ys) / area * 255.0 + mean,
            Precision::Centred => {
                let quarters = [[false, false], [true, false], [false, true], [true, true]];
                let sums = quarters.iter().enumerate().map(|(index, [right, down])| {
                    let parts = (part(&xs, w, *right), part(&ys, h, *down));
                    table(index, [w.div_ceil(2), h.div_ceil(2)]).sum(&parts.0, &parts.1)
                });
                sums.sum::<f32>() / area * 255.0
            }
        };
        let exact = plane.sum(xs, ys) as f64 / f64::from(area);
        (f64::from(found) - exact).abs()
    }))
}

/// The part of a range in the half from the middle on, or before it, counted away from the middle.
fn part(range: &Range<usize>, size: usize, is_after: bool) -> Range<usize> {
    let middle = size / 2;
    match is_after {
        true => range.start.max(middle) - middle..range.end.max(middle) - middle,
        false => middle - range.end.min(middle)..middle - range.start.min(middle),
    }
}

struct FloatTable<'a> {
    words: &'a [u32],
    size: [usize; 2],
}

impl FloatTable<'_> {
    fn corners(&self, x: &Range<usize>, y: &Range<usize>) -> [u32; 4] {
        let upto = |x: usize, y: usize| if x == 0 || y == 0 { 0 } else { self.words[(y - 1) * self.size[0] + x - 1] };
        [upto(x.end, y.end), upto(x.start, y.end), upto(x.end, y.start), upto(x.start, y.start)]
    }

    fn whole(&self, x: &Range<usize>, y: &Range<usize>) -> u32 {
        let [all, left, above, both] = self.corners(x, y);
        all.wrapping_sub(left).wrapping_sub(above).wrapping_add(both)
    }

    fn sum(&self, x: &Range<usize>, y: &Range<usize>) -> f32 {
        let [all, left, above, both] = self.corners(x, y).map(f32::from_bits);
        (all - left) - (above - both)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_exact_and_every_other_precision_reads_the_same_picture() {
        let plane = Plane::from_fn([61, 47], |x, y| ((x * 37 + y * 91) % 256) as u32);
        assert!(worst_box_mean(&plane, &[plane.table().numbers], Precision::U32) < 1e-4);
        for precision in [Precision::F32, Precision::HalfOffset, Precision::MeanOffset, Precision::Centred] {
            let tables: Vec<Vec<u32>> = plane
                .float_tables(precision)
                .into_iter()
                .map(|table| table.into_iter().map(f32::to_bits).collect())
                .collect();
            let error = worst_box_mean(&plane, &tables, precision);
            assert!(error < 0.01, "{precision:?}: {error}");
            let mut wrong = tables.clone();
            wrong[0].iter_mut().for_each(|word| *word = (f32::from_bits(*word) * 1.5).to_bits());
            assert!(worst_box_mean(&plane, &wrong, precision) > 1.0, "{precision:?}");
        }
    }
}
