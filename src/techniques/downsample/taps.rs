//! Taps of every method along each axis, step by step, in f64; and transposed, the weight of each pixel of the picture.

use super::{plan, settings::Method};
use base::threads::share;
use glam::DVec4;
use gpu::mip_size;
use std::{
    borrow::Cow,
    ops::{AddAssign, Mul},
};

/// A colour, or a weight.
pub trait Value: Copy + Default + Send + Sync + AddAssign + Mul<f64, Output = Self> {}
impl Value for f64 {}
impl Value for DVec4 {}

pub trait Rows<T: Value>: Sync {
    fn size(&self) -> [u32; 2];
    fn row(&self, y: usize) -> Cow<'_, [T]>;
}

#[derive(Clone, Debug, PartialEq)]
pub struct Plane<T = DVec4> {
    pub size: [u32; 2],
    pub texels: Vec<T>,
}

impl<T: Value> Rows<T> for Plane<T> {
    fn size(&self) -> [u32; 2] {
        self.size
    }

    fn row(&self, y: usize) -> Cow<'_, [T]> {
        let width = self.size[0] as usize;
        Cow::Borrowed(&self.texels[y * width..(y + 1) * width])
    }
}

/// Along one axis: the pixels that one pixel is made of, and their weights.
#[derive(Clone, Debug, PartialEq)]
pub struct Taps {
    pub first: usize,
    pub weights: Vec<f64>,
}

pub(super) type Axis = Vec<Taps>;
/// Number of source pixels, number of result pixels.
type AxisBuilder<'a> = &'a dyn Fn(u32, u32) -> Axis;

pub(super) struct Part {
    pub(super) share: f64,
    pub(super) axes: [Axis; 2],
}

pub struct Step {
    pub(super) parts: Vec<Part>,
}

impl Step {
    pub(super) fn of(from: [u32; 2], to: [u32; 2], axis: impl Fn(u32, u32) -> Axis) -> Self {
        Self::sum(vec![(1.0, [0, 1].map(|i| axis(from[i], to[i])))])
    }

    pub(super) fn sum(parts: Vec<(f64, [Axis; 2])>) -> Self {
        Self { parts: parts.into_iter().map(|(share, axes)| Part { share, axes }).collect() }
    }

    /// The weight of each source pixel in each result pixel.
    fn transposed(&self, from: [u32; 2]) -> Self {
        let flipped =
            |part: &Part| Part { share: part.share, axes: [0, 1].map(|i| transposed(&part.axes[i], from[i] as usize)) };
        Self { parts: self.parts.iter().map(flipped).collect() }
    }

    pub fn apply<T: Value>(&self, source: &dyn Rows<T>) -> Plane<T> {
        let axes = |part: &Part| part.axes.each_ref().map(|axis| axis.len() as u32);
        let size = self.parts.first().map_or([1, 1], axes);
        let mut sum = Plane { size, texels: vec![T::default(); size[0] as usize * size[1] as usize] };
        self.parts.iter().for_each(|part| part.add(source, &mut sum));
        sum
    }
}

impl Part {
    fn add<T: Value>(&self, source: &dyn Rows<T>, sum: &mut Plane<T>) {
        let ([columns, rows], [width, height]) = (&self.axes, source.size().map(|n| n as usize));
        let (results, work) = (columns.len(), width * height);
        // Rows that are never read are left out.
        let mut is_read = vec![false; height];
        for taps in rows {
            is_read[taps.first..][..taps.weights.len()].fill(true);
        }
        let mut narrow = vec![T::default(); results * height];
        share(narrow.chunks_mut(results).zip(is_read).enumerate(), work, |(y, (narrow, is_read))| {
            if is_read {
                let row = source.row(y);
                for (to, taps) in narrow.iter_mut().zip(columns) {
                    for (texel, weight) in row[taps.first..].iter().zip(&taps.weights) {
                        *to += *texel * *weight;
                    }
                }
            }
        });
        share(sum.texels.chunks_mut(results).zip(rows), work, |(to, taps)| {
            for (row, weight) in narrow.chunks(results).skip(taps.first).zip(&taps.weights) {
                for (to, texel) in to.iter_mut().zip(row) {
                    *to += *texel * (*weight * self.share);
                }
            }
        });
    }
}

fn transposed(axis: &[Taps], n: usize) -> Axis {
    let mut by_pixel: Vec<Option<Taps>> = vec![None; n];
    for (i, taps) in axis.iter().enumerate() {
        for (k, weight) in (taps.first..).zip(&taps.weights) {
            let to = by_pixel[k].get_or_insert_with(|| Taps { first: i, weights: Vec::new() });
            to.weights.resize(i + 1 - to.first, 0.0);
            to.weights[i - to.first] += weight;
        }
    }
    by_pixel.into_iter().map(|taps| taps.unwrap_or(Taps { first: 0, weights: Vec::new() })).collect()
}

/// The pixel that contains the middle.
fn nearest(n: u32, results: u32) -> Axis {
    let at = |i: u32| (u64::from(2 * i + 1) * u64::from(n) / u64::from(2 * results)) as usize;
    (0..results).map(|i| Taps { first: at(i), weights: vec![1.0] }).collect()
}

/// A linear read `aside` pixels from the middle, beyond the border the border pixel.
pub(super) fn linear(n: u32, results: u32, aside: f64) -> Axis {
    let taps = |i: u32| {
        let place = (f64::from(i) + 0.5) * f64::from(n) / f64::from(results) - 0.5 + aside;
        let inside = |at: f64| at.clamp(0.0, f64::from(n - 1)) as usize;
        let (low, part) = (place.floor(), place - place.floor());
        let (first, second) = (inside(low), inside(low + 1.0));
        Taps { first, weights: if first == second { vec![1.0] } else { vec![1.0 - part, part] } }
    };
    (0..results).map(taps).collect()
}

fn mean(axes: &[(f64, Axis)]) -> Axis {
    let one = |i: usize| {
        let all = || axes.iter().map(|(share, axis)| (share, &axis[i]));
        let first = all().map(|(_, taps)| taps.first).min().unwrap_or(0);
        let end = all().map(|(_, taps)| taps.first + taps.weights.len()).max().unwrap_or(0);
        let mut weights = vec![0.0; end - first];
        for (share, taps) in all() {
            for (k, weight) in (taps.first - first..).zip(&taps.weights) {
                weights[k] += share * weight;
            }
        }
        Taps { first, weights }
    };
    (0..axes.first().map_or(0, |(_, axis)| axis.len())).map(one).collect()
}

/// The share of each pixel that is covered.
fn area(n: u32, results: u32) -> Axis {
    let [n, results] = [n, results].map(|side| side as usize);
    let taps = |i: usize| {
        let (from, to) = (i * n, (i + 1) * n);
        let (first, end) = (from / results, to.div_ceil(results));
        let covered = |k: usize| to.min((k + 1) * results) - from.max(k * results);
        Taps { first, weights: (first..end).map(|k| covered(k) as f64 / n as f64).collect() }
    };
    (0..results).map(taps).collect()
}

/// A kernel that reaches `reach` times `stretch` pixels; pixels beyond the border have no weight.
fn filtered(n: u32, results: u32, kernel: fn(f64) -> f64, reach: f64, stretch: f64) -> Axis {
    let taps = |i: u32| {
        let middle = (f64::from(i) + 0.5) * f64::from(n) / f64::from(results);
        let first = (middle - reach * stretch - 0.5).floor().max(0.0) as usize;
        let end = ((middle + reach * stretch + 0.5).ceil() as usize).min(n as usize);
        let weight = |k: usize| kernel((k as f64 + 0.5 - middle).abs() / stretch);
        let mut weights: Vec<f64> = (first..end).map(weight).collect();
        let total: f64 = weights.iter().sum();
        weights.iter_mut().for_each(|weight| *weight /= total);
        Taps { first, weights }
    };
    (0..results).map(taps).collect()
}

fn scaled(n: u32, results: u32, kernel: fn(f64) -> f64, reach: f64) -> Axis {
    filtered(n, results, kernel, reach, f64::from(n) / f64::from(results))
}

/// Keys' cubic of slope -1/2 (1981), the spline of Catmull and Rom.
fn catmull_rom(x: f64) -> f64 {
    match x {
        x if x < 1.0 => (1.5 * x - 2.5) * x * x + 1.0,
        x if x < 2.0 => ((-0.5 * x + 2.5) * x - 4.0) * x + 2.0,
        _ => 0.0,
    }
}

/// The cubic that Mitchell and Netravali (1988) prefer: B = C = 1/3.
fn mitchell(x: f64) -> f64 {
    match x {
        x if x < 1.0 => (7.0 * x * x * x - 12.0 * x * x + 16.0 / 3.0) / 6.0,
        x if x < 2.0 => (-7.0 / 3.0 * x * x * x + 12.0 * x * x - 20.0 * x + 32.0 / 3.0) / 6.0,
        _ => 0.0,
    }
}

fn sinc(x: f64) -> f64 {
    let turn = std::f64::consts::PI * x;
    if turn == 0.0 { 1.0 } else { turn.sin() / turn }
}

fn lanczos3(x: f64) -> f64 {
    if x < 3.0 { sinc(x) * sinc(x / 3.0) } else { 0.0 }
}

/// A blur by (1 2 1) / 4 at the same size, beyond the border the border pixel.
fn tent(n: u32, _: u32) -> Axis {
    mean(&[(0.5, linear(n, n, 0.0)), (0.25, linear(n, n, -1.0)), (0.25, linear(n, n, 1.0))])
}

/// For [`Method::MipChain`] see [`Route`].
pub(super) fn steps(method: Method, from: [u32; 2], to: [u32; 2]) -> Vec<Step> {
    let chain = |step: &dyn Fn([u32; 2], [u32; 2]) -> Step| {
        let mut above = from;
        let next = |size| step(std::mem::replace(&mut above, size), size);
        plan::halvings(from, to).into_iter().map(next).collect()
    };
    let two = |from: [u32; 2], to: [u32; 2], parts: [(f64, AxisBuilder<'_>); 2]| {
        Step::sum(parts.map(|(share, axis)| (share, [0, 1].map(|i| axis(from[i], to[i])))).into())
    };
    let near = |n, results| mean(&[(0.5, linear(n, results, -1.0)), (0.5, linear(n, results, 1.0))]);
    let far = |n, results| {
        mean(&[(0.25, linear(n, results, -2.0)), (0.5, linear(n, results, 0.0)), (0.25, linear(n, results, 2.0))])
    };
    match method {
        Method::Nearest => vec![Step::of(from, to, nearest)],
        Method::Bilinear => vec![Step::of(from, to, |n, results| linear(n, results, 0.0))],
        Method::Bicubic => vec![Step::of(from, to, |n, results| filtered(n, results, catmull_rom, 2.0, 1.0))],
        Method::Mitchell => vec![Step::of(from, to, |n, results| scaled(n, results, mitchell, 2.0))],
        Method::CatmullRom => vec![Step::of(from, to, |n, results| scaled(n, results, catmull_rom, 2.0))],
        Method::Lanczos3 => vec![Step::of(from, to, |n, results| scaled(n, results, lanczos3, 3.0))],
        Method::AreaFragment | Method::AreaCompute | Method::Table | Method::MipChain => vec![Step::of(from, to, area)],
        Method::RasterChain | Method::BlitChain => {
            chain(&|from, to| Step::of(from, to, |n, results| linear(n, results, 0.0)))
        }
        Method::Tap13 => chain(&|from, to| two(from, to, [(0.5, &near), (0.5, &far)])),
        Method::Kawase => {
            chain(&|from, to| two(from, to, [(0.5, &near), (0.5, &|n, results| linear(n, results, 0.0))]))
        }
    }
}

/// A path from the picture to the result: its share of the result, the sizes that it passes and the steps between them.
pub(super) struct Route {
    pub(super) share: f64,
    pub(super) sizes: Vec<[u32; 2]>,
    pub(super) steps: Vec<Step>,
}

/// A mip chain of `levels` levels, made by a tent or by the box, has one through each of two levels.
pub(super) fn routes(method: Method, from: [u32; 2], to: [u32; 2], (levels, is_tent): (u32, bool)) -> Vec<Route> {
    if method != Method::MipChain {
        let steps = steps(method, from, to);
        let mut sizes = vec![from];
        sizes.extend(if steps.len() > 1 { plan::halvings(from, to) } else { vec![to] });
        return vec![Route { share: 1.0, sizes, steps }];
    }
    let (level, next) = plan::place_in_chain(from, to, levels);
    let through = |level: u32, share: f64| {
        let (mut sizes, mut steps) = (vec![from], Vec::new());
        let mut add = |step: Step, size| {
            steps.push(step);
            sizes.push(size);
        };
        for level in 1..=level {
            let [above, below] = [mip_size(from, level - 1), mip_size(from, level)];
            if is_tent {
                add(Step::of(above, above, tent), above);
            }
            add(Step::of(above, below, area), below);
        }
        add(Step::of(mip_size(from, level), to, |n, results| linear(n, results, 0.0)), to);
        Route { share, sizes, steps }
    };
    let next = f64::from(next);
    let mut both = vec![through(level, 1.0 - next)];
    both.extend((next > 0.0).then(|| through(level + 1, next)));
    both
}

/// Weight of each pixel of the picture in the result, 1 being its fair share. `chain`: levels of the mip chain, and
/// whether the tent made it.
pub fn pixel_weights(method: Method, from: [u32; 2], to: [u32; 2], chain: (u32, bool)) -> Plane<f64> {
    let area = |size: [u32; 2]| size[0] as usize * size[1] as usize;
    let mut sum = Plane { size: from, texels: vec![0.0; area(from)] };
    let fair = area(from) as f64 / area(to) as f64;
    for route in routes(method, from, to, chain) {
        let mut plane = Plane { size: to, texels: vec![route.share * fair; area(to)] };
        for (step, from) in route.steps.iter().zip(&route.sizes).rev() {
            plane = step.transposed(*from).apply(&plane);
        }
        sum.texels.iter_mut().zip(&plane.texels).for_each(|(sum, weight)| *sum += weight);
    }
    sum
}
