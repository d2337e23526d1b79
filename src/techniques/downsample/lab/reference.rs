//! CPU reference of every method, in f64, by its taps.

pub mod trace;

pub use crate::taps::{Plane, Rows, Taps};

use crate::{
    plan,
    settings::Method,
    taps::{Axis, Part, Route, Step, linear, routes, steps},
};
use base::srgb;
use glam::DVec4;
use std::{borrow::Cow, sync::LazyLock};

#[derive(Clone, Copy)]
pub struct Bytes<'a> {
    pub size: [u32; 2],
    /// Four bytes each, sRGB-encoded.
    pub rgba: &'a [u8],
    /// Whether linear light is averaged, or the bytes as they are.
    pub linear: bool,
}

static LINEAR: LazyLock<[f64; 256]> = LazyLock::new(|| srgb::LINEAR_OF_BYTE.map(f64::from));

impl Rows<DVec4> for Bytes<'_> {
    fn size(&self) -> [u32; 2] {
        self.size
    }

    fn row(&self, y: usize) -> Cow<'_, [DVec4]> {
        let width = self.size[0] as usize * 4;
        let part = |v: u8| f64::from(v) / 255.0;
        let value = |v: u8| if self.linear { LINEAR[usize::from(v)] } else { part(v) };
        let texel = |t: &[u8; 4]| DVec4::new(value(t[0]), value(t[1]), value(t[2]), part(t[3]));
        Cow::Owned(self.rgba[y * width..(y + 1) * width].as_chunks::<4>().0.iter().map(texel).collect())
    }
}

#[cfg(test)]
pub(super) fn halving_step(from: [u32; 2], to: [u32; 2], change: impl Fn(usize, Taps) -> Taps) -> Step {
    let axis = |axis: usize| linear(from[axis], to[axis], 0.0).into_iter().map(|taps| change(axis, taps)).collect();
    Step::sum(vec![(1.0, [0, 1].map(axis))])
}

/// For a mip chain, that of the box's chain.
pub fn downsampled(method: Method, source: &dyn Rows<DVec4>, to: [u32; 2]) -> Plane {
    let mut sum = Plane { size: to, texels: vec![DVec4::ZERO; to[0] as usize * to[1] as usize] };
    for route in routes(method, source.size(), to, (32, false)) {
        let mut plane: Option<Plane> = None;
        for step in &route.steps {
            plane = Some(step.apply(plane.as_ref().map_or(source, |plane| plane)));
        }
        for (sum, texel) in sum.texels.iter_mut().zip(plane.iter().flat_map(|plane| &plane.texels)) {
            *sum += *texel * route.share;
        }
    }
    sum
}

/// By how much `method`, which is no chain, may enlarge an error of the picture: the largest sum of its weights without
/// their signs.
pub fn gain(method: Method, from: [u32; 2], to: [u32; 2]) -> f64 {
    let sum = |taps: &Taps| taps.weights.iter().map(|weight| weight.abs()).sum();
    let along = |axis: &Axis| axis.iter().map(sum).fold(1.0, f64::max);
    let of = |step: &Step| {
        step.parts.iter().map(|part| part.share * along(&part.axes[0]) * along(&part.axes[1])).sum::<f64>()
    };
    steps(method, from, to).iter().map(of).product()
}

/// Trilinear, from the levels of a mip chain, level 0 first.
pub fn read_from_chain(levels: &[Plane], to: [u32; 2]) -> Plane {
    let from = levels.first().map_or(to, |top| top.size);
    let (level, next) = plan::place_in_chain(from, to, levels.len() as u32);
    let mut sum = Plane { size: to, texels: vec![DVec4::ZERO; to[0] as usize * to[1] as usize] };
    let next = f64::from(next);
    for (level, share) in levels.iter().skip(level as usize).zip([1.0 - next, next]) {
        let read = Step::of(level.size, to, |n, results| linear(n, results, 0.0)).apply(level);
        sum.texels.iter_mut().zip(&read.texels).for_each(|(sum, texel)| *sum += *texel * share);
    }
    sum
}
