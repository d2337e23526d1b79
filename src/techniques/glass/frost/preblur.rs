//! Pre-blur: a Gaussian of one sigma for the whole lens, made around it from a few mip levels and read by a spline. Its
//! grid has texels of exactly `2^level` pixels. Mip levels of odd sizes do not pair up, and halving them costs 10 dB
//! and more: the chain is read up to the last exact level, and further ones are halved here around the lens, mirrored
//! beyond the picture's border.

use glam::{IVec2, UVec2};

/// On one side of the middle.
pub const SIDE_TAPS: usize = 8;
/// Of two weights each.
pub const PAIRS: usize = SIDE_TAPS / 2;
/// Texels that the spline reads around the area, and one more.
const MARGIN: i32 = 3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Read {
    Bilinear,
    /// Cubic B-spline by four bilinear taps (Sigg and Hadwiger, GPU Gems 2).
    Spline,
}

/// Taps 0..=8 on either side; all 17 sum to 1.
pub type Weights = [f32; SIDE_TAPS + 1];

/// First texel, and one past the last; may be outside.
pub type Region = (IVec2, IVec2);

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Preblur {
    /// The wanted one, or the last with texels of one size.
    pub from: u32,
    /// Level that is blurred.
    pub level: u32,
    pub weights: Weights,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Regions {
    /// From [`Preblur::from`] to the wanted one.
    pub halved: Vec<Region>,
    /// Blurred along the rows.
    pub rows: Region,
    /// Blurred along both.
    pub done: Region,
}

/// The last level up to which both sides halve without a rest.
pub fn whole_level(full: UVec2, levels: u32) -> u32 {
    full.x.trailing_zeros().min(full.y.trailing_zeros()).min(levels.saturating_sub(1))
}

/// Variances add: the tent chain has `(4^L-1)/4` px^2, the kernel `s^2 4^L`, the read `r 4^L` with r = 1/3 for the
/// spline and on average 1/6 for a bilinear tap.
pub fn preblur(sigma: f32, read: Read, levels: u32, full: UVec2) -> Preblur {
    let level = sigma.max(1.0).log2().floor() as u32;
    let r = if read == Read::Spline { 1.0 / 3.0 } else { 1.0 / 6.0 };
    let square = 4_f32.powi(level as i32);
    let variance = ((sigma * sigma - (square - 1.0) * 0.25) / square - r).max(1e-3);
    let weights: Weights = std::array::from_fn(|k| (-((k * k) as f32) / (2.0 * variance)).exp());
    let sum = weights[0] + 2.0 * weights[1..].iter().sum::<f32>();
    Preblur { from: level.min(whole_level(full, levels)), level, weights: weights.map(|w| w / sum) }
}

/// The middle's weight; offset in texels and weight of the taps on either side.
pub fn paired_taps(weights: &Weights) -> (f32, [(f32, f32); PAIRS]) {
    let pair = |at: usize| {
        let k = 2 * at + 1;
        let w = weights[k] + weights[k + 1];
        (k as f32 + weights[k + 1] / w.max(1e-20), w)
    };
    (weights[0], std::array::from_fn(pair))
}

pub fn pairs_needed(weights: &Weights) -> u32 {
    let (_, pairs) = paired_taps(weights);
    pairs.iter().take_while(|(_, weight)| *weight > 1e-5).count() as u32
}

impl Preblur {
    /// Pixels; may reach over the border.
    pub fn regions(&self, area: Region) -> Regions {
        let side = 1 << self.level;
        let done = (
            area.0.div_euclid(IVec2::splat(side)) - MARGIN,
            (area.1 + side - 1).div_euclid(IVec2::splat(side)) + MARGIN,
        );
        let reach = 2 * pairs_needed(&self.weights) as i32 + 1;
        let rows = (done.0 - IVec2::new(0, reach), done.1 + IVec2::new(0, reach));
        let mut region = (done.0 - reach, done.1 + reach);
        let mut halved = Vec::new();
        for _ in self.from..self.level {
            halved.push(region);
            region = (region.0 * 2 - 2, region.1 * 2 + 2);
        }
        halved.reverse();
        Regions { halved, rows, done }
    }
}
