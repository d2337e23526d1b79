//! CPU reference of the chain, in f64.

use crate::plan::Filter;
use base::threads::share;
use glam::DVec4;
use gpu::mip_size;
use std::borrow::Cow;

pub trait Rows: Sync {
    fn size(&self) -> [u32; 2];
    fn row(&self, y: usize) -> Cow<'_, [DVec4]>;
}

#[derive(Clone)]
pub struct Plane {
    pub size: [u32; 2],
    pub texels: Vec<DVec4>,
}

impl Rows for Plane {
    fn size(&self) -> [u32; 2] {
        self.size
    }

    fn row(&self, y: usize) -> Cow<'_, [DVec4]> {
        let width = self.size[0] as usize;
        Cow::Borrowed(&self.texels[y * width..(y + 1) * width])
    }
}

/// Along one axis: the texels that one texel is made of; the weights add up to 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Taps {
    pub first: usize,
    pub weights: Vec<f64>,
}

/// Weights of each of `results` texels over `n` texels of the same length: the box's exact share of every texel that it
/// covers; the tent's after a blur by (1 2 1) / 4 with a clamped edge.
pub fn taps(filter: Filter, n: u32, results: u32) -> Vec<Taps> {
    let (n, results) = (n as usize, results as usize);
    let area = |i: usize| {
        // The axis has n * results units: a texel of the result has n of them, a texel of the source `results`.
        let (from, to) = (i * n, (i + 1) * n);
        let (first, end) = (from / results, to.div_ceil(results));
        let covered = |k: usize| to.min((k + 1) * results) - from.max(k * results);
        Taps { first, weights: (first..end).map(|k| covered(k) as f64 / n as f64).collect() }
    };
    let blurred = |area: Taps| {
        let first = area.first.saturating_sub(1);
        let mut weights = vec![0.0; (area.first + area.weights.len()).min(n - 1) + 1 - first];
        for (at, weight) in (area.first..).zip(area.weights) {
            for (to, share) in [(at.saturating_sub(1), 0.25), (at, 0.5), ((at + 1).min(n - 1), 0.25)] {
                weights[to - first] += share * weight;
            }
        }
        Taps { first, weights }
    };
    match filter {
        Filter::Box => (0..results).map(area).collect(),
        Filter::Tent => (0..results).map(|i| blurred(area(i))).collect(),
    }
}

fn reduced(source: &dyn Rows, size: [u32; 2], filter: Filter) -> Plane {
    reduced_by(source, size, [0, 1].map(|axis| taps(filter, source.size()[axis], size[axis])))
}

pub(super) fn reduced_by(source: &dyn Rows, size: [u32; 2], [columns, rows]: [Vec<Taps>; 2]) -> Plane {
    let narrowed = |y: usize| -> Vec<DVec4> {
        let row = source.row(y);
        columns.iter().map(|taps| weighted(&row[taps.first..], &taps.weights)).collect()
    };
    let width = size[0] as usize;
    let mut texels = vec![DVec4::ZERO; width * rows.len()];
    let strip = (rows.len() / 64).clamp(1, 32);
    share(texels.chunks_mut(width * strip).zip(rows.chunks(strip)), work_of(source), |(texels, rows)| {
        // Rows that two rows of the result use.
        let mut cached: Vec<(usize, Vec<DVec4>)> = Vec::new();
        for (sums, taps) in texels.chunks_mut(width).zip(rows) {
            cached.retain(|(y, _)| *y >= taps.first);
            for (y, weight) in (taps.first..).zip(&taps.weights) {
                let known = cached.iter().position(|(at, _)| *at == y);
                let at = known.unwrap_or_else(|| {
                    if cached.len() == CACHED_ROWS {
                        cached.remove(0);
                    }
                    cached.push((y, narrowed(y)));
                    cached.len() - 1
                });
                for (sum, texel) in sums.iter_mut().zip(&cached[at].1) {
                    *sum += *texel * *weight;
                }
            }
        }
    });
    Plane { size, texels }
}

/// More than two neighbours have in common.
const CACHED_ROWS: usize = 4;

fn weighted(texels: &[DVec4], weights: &[f64]) -> DVec4 {
    let mut sum = DVec4::ZERO;
    for (texel, weight) in texels.iter().zip(weights) {
        sum += *texel * *weight;
    }
    sum
}

pub(super) fn work_of(rows: &dyn Rows) -> usize {
    let [w, h] = rows.size();
    w as usize * h as usize
}

pub fn chain(top: &dyn Rows, filter: Filter, levels: u32) -> Vec<Plane> {
    below(top, levels, |above| reduced(above, mip_size(above.size(), 1), filter))
}

pub fn blit_chain(top: &dyn Rows, levels: u32) -> Vec<Plane> {
    below(top, levels, blitted)
}

fn below(top: &dyn Rows, levels: u32, next: impl Fn(&dyn Rows) -> Plane) -> Vec<Plane> {
    let mut planes: Vec<Plane> = Vec::new();
    for _ in 1..levels {
        let plane = next(planes.last().map_or(top, |above| above));
        planes.push(plane);
    }
    planes
}

/// The exact mean of the part of `top` that each texel covers.
pub fn exact_chain(top: &dyn Rows, levels: u32) -> Vec<Plane> {
    let mut planes: Vec<Plane> = Vec::new();
    for level in 1..levels {
        let above: &dyn Rows = planes.last().map_or(top, |above| above);
        // Where a texel covers whole ones of the level above, their means suffice.
        let whole = above.size().iter().all(|n| *n == 1 || n % 2 == 0);
        let plane = reduced(if whole { above } else { top }, mip_size(top.size(), level), Filter::Box);
        planes.push(plane);
    }
    planes
}

/// Bilinear at the middle of each texel, clamped to the edge.
fn blitted(above: &dyn Rows) -> Plane {
    let size = mip_size(above.size(), 1);
    // By axis: for each texel its two neighbours, and its distance from the first.
    let [columns, rows] = [0, 1].map(|axis| -> Vec<(usize, usize, f64)> {
        let (n, results) = (above.size()[axis], size[axis]);
        let place = |i: u32| {
            let at = (f64::from(i) + 0.5) * f64::from(n) / f64::from(results) - 0.5;
            let clamped = |at: f64| at.clamp(0.0, f64::from(n - 1)) as usize;
            (clamped(at.floor()), clamped(at.floor() + 1.0), at - at.floor())
        };
        (0..results).map(place).collect()
    });
    let width = size[0] as usize;
    let mut texels = vec![DVec4::ZERO; width * rows.len()];
    share(texels.chunks_mut(width).zip(&rows), work_of(above), |(texels, (j, next, down))| {
        let (top, bottom) = (above.row(*j), above.row(*next));
        for (texel, (i, next, right)) in texels.iter_mut().zip(&columns) {
            let between = |row: &[DVec4]| row[*i].lerp(row[*next], *right);
            *texel = between(&top).lerp(between(&bottom), *down);
        }
    });
    Plane { size, texels }
}

/// Without alpha.
pub fn rms(a: &dyn Rows, b: &dyn Rows) -> f64 {
    let sums = by_row(a, b, |a, b| {
        let square = |(a, b): (&DVec4, &DVec4)| (*a - *b).truncate().length_squared();
        a.iter().zip(b).map(square).sum::<f64>()
    });
    (sums.iter().sum::<f64>() / (3.0 * work_of(a) as f64)).sqrt()
}

pub(super) fn by_row(a: &dyn Rows, b: &dyn Rows, of: impl Fn(&[DVec4], &[DVec4]) -> f64 + Sync) -> Vec<f64> {
    let mut figures = vec![f64::NAN; a.size()[1] as usize];
    if a.size() == b.size() {
        share(figures.iter_mut().enumerate(), work_of(a), |(y, figure)| *figure = of(&a.row(y), &b.row(y)));
    }
    figures
}

/// Linear light of an sRGB-encoded value (IEC 61966-2-1).
pub fn decode(encoded: f64) -> f64 {
    if encoded <= 0.04045 { encoded / 12.92 } else { ((encoded + 0.055) / 1.055).powf(2.4) }
}

pub fn encode(linear: f64) -> f64 {
    if linear <= 0.003_130_8 { linear * 12.92 } else { 1.055 * linear.powf(1.0 / 2.4) - 0.055 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_means_agree_with_a_plain_sum() {
        let size = [20u32, 13];
        let texels = (0..size[0] * size[1]).map(|i| DVec4::splat(f64::from(i * i % 97))).collect();
        let top = Plane { size, texels };
        for (level, plane) in (1..).zip(exact_chain(&top, 5)) {
            let made = mip_size(size, level);
            assert_eq!(plane.size, made);
            // Every texel as often as the common multiple of both sizes needs it.
            let scale = [0, 1].map(|axis| (size[axis], made[axis]));
            for y in 0..made[1] {
                for x in 0..made[0] {
                    let mut sum = DVec4::ZERO;
                    for v in y * scale[1].0..(y + 1) * scale[1].0 {
                        for u in x * scale[0].0..(x + 1) * scale[0].0 {
                            sum += top.texels[(v / made[1] * size[0] + u / made[0]) as usize];
                        }
                    }
                    let expected = sum / f64::from(size[0] * size[1]);
                    let result = plane.texels[(y * made[0] + x) as usize];
                    assert!((result - expected).abs().max_element() < 1e-9, "level {level} {x} {y}");
                }
            }
        }
    }
}
