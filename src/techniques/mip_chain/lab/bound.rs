//! Error bound of a level of a chain, from the roundings on the way to it.
//!
//! Every filter has weights that are not negative and add up to 1, so no step enlarges an error of what it reads: the
//! bound is the number of roundings times the largest one.

use crate::{
    passes::strips,
    pixel::ChainFormat,
    settings::{Method, MipChainSettings},
};
use gpu::{full_chain, mip_size};

/// Vulkan leaves open to which of its two neighbours a half float is rounded; Mesa's software driver cuts off.
const HALF: f64 = 255.0 / 2048.0;
const FLOAT: f64 = 255.0 / 16_777_216.0;
/// packUnorm4x8.
const PACKED: f64 = 0.5;
/// Conversion to 8 bits by the device: 0.6 of a step is what Direct3D allows
/// (D3D11_FLOAT32_TO_INTEGER_TOLERANCE_IN_ULP).
const CONVERTED: f64 = 0.6;
/// Most that means of linear light enlarge an error of encoded values. The slope of the decoding curve is concave
/// except below 0.0031, where means of black and of texels four times as bright enlarge it by 1.322.
const TOE: f64 = 1.33;
/// Encoded steps per step of light, relative to the light, at white where it is largest.
const ENCODING: f64 = 1.055 / 2.4;
pub(super) const STORED_LIGHT: f64 = ENCODING * HALF;
/// Some 30 roundings of 2^-24 a level: weights, and sums of up to 25 products.
const SUMS: f64 = 30.0 * FLOAT;
/// Tenfold for power functions, which are polynomials on software drivers.
const POWERS: f64 = 300.0 * FLOAT;
/// A sampler rounds a place between two texels to 1/256 (`subTexelPrecisionBits`); Vulkan leaves the direction open. A
/// place that is a whole number of parts may be off by half a part (an H100: 0.41).
const PLACE: f64 = 255.0 / 256.0;

#[derive(Clone, Copy)]
pub(super) struct ChainBounds<'a> {
    pub settings: &'a MipChainSettings,
    pub size: [u32; 2],
    pub from_picture: bool,
    pub exact_places: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Roundings {
    stored: u32,
    passed_on: u32,
    sampled: u32,
}

impl ChainBounds<'_> {
    fn roundings(&self, level: u32) -> Roundings {
        let (settings, last) = (self.settings, self.settings.levels.min(full_chain(self.size)));
        // A single pass passes on halves of the first level, or of the blocks of the second
        // (shaders/mip_chain/block.glsl, aligned.glsl).
        let mut partial = 0;
        let stored = match settings.method {
            Method::SinglePass => {
                partial = 1;
                1
            }
            Method::Strips => {
                let read = strips::reread_levels(self.size, last, settings.filter);
                // Weighed rows are passed on (shaders/mip_chain/columns.comp), and a single pass may make the last
                // levels.
                partial = 1 + u32::from(level > 2);
                1 + read.iter().filter(|read| **read > 0 && **read < level).count() as u32
            }
            // Tiles of more levels need more shared memory than every device has (src/techniques/mip_chain/passes/cascade.rs).
            Method::Ladder => {
                level.div_ceil(settings.levels_per_dispatch.clamp(1, if settings.filter.reach() > 0 { 3 } else { 5 }))
            }
            Method::Auto => {
                partial = 1;
                level
            }
            Method::PerLevel | Method::Raster | Method::Blit => level,
        };
        let stored = stored.min(level).max(1);
        let passed_on = if level == 0 { 0 } else { level - stored + partial };
        let sampled = match settings.method {
            _ if !settings.hardware_filter || level == 0 => 0,
            Method::SinglePass | Method::Auto => 1,
            Method::Strips => stored - 1,
            Method::Ladder => stored,
            Method::PerLevel | Method::Raster | Method::Blit => 0,
        };
        Roundings { stored, passed_on, sampled }
    }

    /// Parts by which places of a blit may be off, along both axes, down to this level. The place of texel i, (i + 1/2)
    /// above / below - 1/2, is a whole number of parts where below divides 128 above.
    fn places(&self, level: u32) -> f64 {
        let off = |level: u32, axis: usize| {
            let [above, below] = [level - 1, level].map(|level| mip_size(self.size, level)[axis]);
            match (128 * u64::from(above)).is_multiple_of(u64::from(below)) {
                _ if above == below => 0.0,
                true => 0.5,
                false => 1.0,
            }
        };
        (1..=level).flat_map(|level| [0, 1].map(|axis| off(level, axis))).sum()
    }

    /// A coordinate and its place are each rounded, and are as large as the side: units of a float's rounding of one
    /// texel.
    fn coordinates(&self, level: u32) -> u32 {
        (0..level).flat_map(|above| mip_size(self.size, above)).map(|side| 2 * side).sum()
    }

    /// 8-bit steps.
    pub fn bound(&self, level: u32) -> f64 {
        let settings = self.settings;
        let byte = if matches!(settings.method, Method::Raster | Method::Blit) { CONVERTED } else { PACKED };
        // Values are passed on as half floats (shaders/mip_chain/texel.glsl), except in the format of one float.
        let (stored, passed_on) = match settings.format {
            ChainFormat::Rgba16F => (HALF, HALF),
            ChainFormat::R32F => (FLOAT, FLOAT),
            ChainFormat::Rgba8 => (CONVERTED, HALF),
            ChainFormat::Bgra8 => (byte, HALF),
            ChainFormat::Srgb8 => (byte, STORED_LIGHT),
        };
        let is_encoded = settings.format == ChainFormat::Srgb8;
        let reread = if is_encoded { TOE * stored } else { stored };
        let roundings = self.roundings(level);
        let of = |count: u32, each: f64| f64::from(count) * each;
        // A sampler's result need not be finer than the texels.
        let read = of(roundings.stored - 1 + roundings.sampled, reread) + of(roundings.passed_on, passed_on);
        let top = if self.from_picture { reread } else { 0.0 };
        let places = match settings.method {
            Method::Blit if self.exact_places => of(self.coordinates(level), FLOAT),
            Method::Blit => self.places(level) * PLACE,
            _ => 0.0,
        };
        stored + read + top + places + of(level.max(1), if is_encoded { POWERS } else { SUMS })
    }

    /// Of levels 1, 2 and on, in units of their bounds.
    pub fn worst_part(&self, errors: impl IntoIterator<Item = f64>) -> f64 {
        media::difference::largest((1..).zip(errors).map(|(level, error)| error / self.bound(level)))
    }
}
