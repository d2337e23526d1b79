//! CPU reference of the table: plain sums over a picture of numbers, and over its boxes.

use crate::table::Precision;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Plane {
    pub size: [usize; 2],
    pub numbers: Vec<u32>,
}

impl Plane {
    pub fn from_fn(size: [u32; 2], number: impl Fn(usize, usize) -> u32) -> Self {
        let size = size.map(|n| n as usize);
        let numbers = (0..size[0] * size[1]).map(|at| number(at % size[0], at / size[0])).collect();
        Self { size, numbers }
    }

    pub fn at(&self, x: usize, y: usize) -> u32 {
        self.numbers[y * self.size[0] + x]
    }

    /// At each place the sum of all at or left of it and at or above it, modulo 2^32.
    pub fn table(&self) -> Self {
        let mut above = vec![0u32; self.size[0]];
        let mut numbers = Vec::with_capacity(self.numbers.len());
        for row in self.numbers.chunks_exact(self.size[0].max(1)) {
            let mut sum = 0u32;
            for (above, number) in above.iter_mut().zip(row) {
                sum = sum.wrapping_add(*number);
                *above = above.wrapping_add(sum);
                numbers.push(*above);
            }
        }
        Self { size: self.size, numbers }
    }

    /// The part that begins in the middle and goes right (`direction[0]`) or left and down or up, read away from the
    /// middle; 0 beyond the border.
    pub fn quarter(&self, direction: [bool; 2]) -> Self {
        let size = self.size.map(|n| n.div_ceil(2) as u32);
        let place = |axis: usize, at: usize| {
            let middle = self.size[axis] / 2;
            if direction[axis] { Some(middle + at) } else { middle.checked_sub(at + 1) }
                .filter(|at| *at < self.size[axis])
        };
        Self::from_fn(size, |x, y| place(0, x).zip(place(1, y)).map_or(0, |(x, y)| self.at(x, y)))
    }

    /// Tables of 8-bit numbers as floats 0..1 less an offset, rounded as in the shaders; their sums are exact, then
    /// rounded. Four for centred tables.
    pub fn float_tables(&self, precision: Precision) -> Vec<Vec<f32>> {
        let scale = 1.0f32 / 255.0;
        match precision {
            Precision::MeanOffset => {
                let [w, h] = self.size;
                // In whole 256ths, rounded down.
                let mean = (self.sum(0..w, 0..h) * 256 / (w * h) as u64) as f32 / 256.0;
                vec![self.float_table(|number| (number as f32 - mean) * scale)]
            }
            Precision::HalfOffset => vec![self.float_table(|number| number as f32 * scale - 0.5)],
            Precision::Centred => {
                let directions = [[false, false], [true, false], [false, true], [true, true]];
                directions.map(|direction| self.quarter(direction).float_table(|number| number as f32 * scale)).to_vec()
            }
            Precision::F32 | Precision::U32 => vec![self.float_table(|number| number as f32 * scale)],
        }
    }

    fn float_table(&self, value: impl Fn(u32) -> f32) -> Vec<f32> {
        let mut above = vec![0f64; self.size[0]];
        let mut sums = Vec::with_capacity(self.numbers.len());
        for row in self.numbers.chunks_exact(self.size[0].max(1)) {
            let mut sum = 0.0;
            for (above, number) in above.iter_mut().zip(row) {
                sum += f64::from(value(*number));
                *above += sum;
                sums.push(*above as f32);
            }
        }
        sums
    }

    pub fn sum(&self, x: std::ops::Range<usize>, y: std::ops::Range<usize>) -> u64 {
        y.map(|y| x.clone().map(|x| u64::from(self.at(x, y))).sum::<u64>()).sum()
    }
}

/// Words are bits of floats; in 2^-24 of the largest.
pub(super) fn worst_sum(expected: &[Vec<f32>], words: &[Vec<u32>]) -> f64 {
    let sums = || expected.iter().flatten().map(|sum| f64::from(*sum));
    let largest = sums().map(f64::abs).fold(1.0, f64::max);
    let result = words.iter().flatten().map(|word| f64::from(f32::from_bits(*word)));
    let worst = media::difference::largest(sums().zip(result).map(|(expected, result)| (expected - result).abs()));
    worst / largest * f64::from(1 << 24)
}

/// Derived: an addition is off by up to half a step of its sum, one of these units, in any direction. 4096 one after the
/// other, a row and a column of a large table, add up to sqrt(4096). Worst 5.1, of 261x131 (Mesa 25.0.7).
pub(super) const WORST_SUM: f64 = 64.0;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quarters_hold_everything_once() {
        for size in [[1, 1], [2, 3], [5, 4], [8, 8]] {
            let plane = Plane::from_fn(size, |x, y| 1 + (x + 10 * y) as u32);
            let all: Vec<_> = [[false, false], [true, false], [false, true], [true, true]]
                .iter()
                .flat_map(|direction| plane.quarter(*direction).numbers)
                .filter(|number| *number != 0)
                .collect();
            let mut sorted = all.clone();
            sorted.sort_unstable();
            let mut expected = plane.numbers.clone();
            expected.sort_unstable();
            assert_eq!(sorted, expected);
        }
        let plane = Plane::from_fn([4, 2], |x, y| (10 * y + x) as u32);
        assert_eq!(plane.quarter([false, true]).numbers, [11, 10]);
    }
}
