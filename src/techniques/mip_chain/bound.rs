//! How far a level of a chain may be from the exact one: from the roundings on the way to it.
//!
//! Every filter of the chain but a blit's has exact places, weights that are not negative, and a sum of weights of 1. A step therefore never
//! enlarges an error of what it reads, and errors of single roundings add up: the bound is their number times the most that one can be.

use super::{ChainFormat, Method, MipChainSettings};

/// A half float at or below 1 lies within 2^-11 of what it was made of: Vulkan leaves open to which of the two neighbours a value is rounded, and
/// Mesa's software driver cuts off.
const HALF: f64 = 255.0 / 2048.0;
/// The same for a float.
const FLOAT: f64 = 255.0 / 16_777_216.0;
/// Conversion to 8 bits: half a step, and what Direct3D lets hardware add (D3D11_FLOAT32_TO_INTEGER_TOLERANCE_IN_ULP is 0.6).
pub(super) const BYTE: f64 = 0.6;
/// By how much means of linear light can enlarge an error of encoded values. The slope of the decoding curve is a concave function of the
/// light but for the curve's straight start, whose light is below 0.0031: there means of texels four times as bright enlarge it most.
const TOE: f64 = 1.33;
/// Encoded steps per step of light, relative to the light, where that is largest: at white, 1.055 / 2.4.
const ENCODING: f64 = 1.055 / 2.4;
/// Sums of up to 25 products in floats, and quotients: some 30 roundings of 2^-24 a level, tenfold for drivers whose power functions are
/// polynomials.
const ARITHMETIC: f64 = 300.0 * 255.0 / 16_777_216.0;
/// A blit's place between two texels has 8 bits (`subTexelPrecisionBits`): along each axis one part of 256 of the way from black to white.
const PLACES: f64 = 2.0 * 255.0 / 256.0;

/// How often what becomes level `level` was stored, and how often it was handed on within a dispatch.
fn roundings(settings: &MipChainSettings, level: u32) -> [u32; 2] {
    let stored = match settings.method {
        Method::SinglePass => 1,
        // Two levels at once, then two or three.
        Method::Strips => 1 + level.saturating_sub(2).div_ceil(2),
        _ => level,
    };
    // Level 0 is stored once where it is made at all.
    let stored = stored.min(level).max(1);
    // Strips hand on what they have weighed down the columns before they weigh it across (shaders/mip_chain/columns.comp).
    let columns = u32::from(settings.method == Method::Strips);
    [stored, level.saturating_sub(stored) + columns]
}

/// The most that a texel of level `level` may be off, in 8-bit steps of what the format holds.
pub(super) fn bound(settings: &MipChainSettings, level: u32) -> f64 {
    // Values are handed on as half floats (shaders/mip_chain/texel.glsl), but for the format of one float.
    let (stored, handed) = match settings.format {
        ChainFormat::Rgba16F => (HALF, HALF),
        ChainFormat::R32F => (FLOAT, FLOAT),
        ChainFormat::Rgba8 | ChainFormat::Bgra8 => (BYTE, HALF),
        ChainFormat::Srgb8 => (TOE * BYTE, TOE * ENCODING * HALF),
    };
    let [stores, hands] = roundings(settings, level).map(f64::from);
    let own = matches!(settings.method, Method::SinglePass | Method::Strips | Method::Ladder);
    // A sampler's result need not be finer than the texels.
    let sampled = if own && settings.hardware_filter { stored } else { 0.0 };
    let places = if settings.method == Method::Blit { PLACES * f64::from(level) } else { 0.0 };
    stores * stored + hands * handed + sampled + places + ARITHMETIC * f64::from(level.max(1))
}

/// The largest of `errors`, those of levels 1, 2 and on, as a part of what it may be; 1 is just right.
pub(super) fn worst_part(settings: &MipChainSettings, errors: impl IntoIterator<Item = f64>) -> f64 {
    crate::base::difference::largest((1..).zip(errors).map(|(level, error)| error / bound(settings, level)))
}

#[cfg(test)]
mod tests {
    use super::{
        super::{
            Filter,
            texels::{Texels, level_zero, worst},
            twin::{Plane, Rows, Taps, chain, reduced_by, taps},
        },
        *,
    };
    use crate::{
        base::half::{from_f64, to_f64},
        gpu::{full_chain, mip_size},
    };
    use glam::DVec4;

    const SIZE: [u32; 2] = [321, 180];
    const FORMAT: ChainFormat = ChainFormat::Rgba16F;

    /// Down to the next half float: what the roughest driver does at each store.
    fn cut_off(plane: &mut Plane) {
        let cut = |value: f64| {
            let nearest = from_f64(value);
            to_f64(if to_f64(nearest) > value { nearest - 1 } else { nearest })
        };
        plane.texels.iter_mut().for_each(|texel| *texel = DVec4::from_array(texel.to_array().map(cut)));
    }

    /// A chain by other taps, rounded at each level: how near it is to the right one, by the bounds.
    fn part(filter: Filter, wrong: &dyn Fn(u32, usize, Taps) -> Taps) -> f64 {
        let bytes = level_zero(SIZE, FORMAT);
        let top = Texels { size: SIZE, format: FORMAT, bytes: &bytes };
        let right = chain(&top, filter, full_chain(SIZE));
        let mut made: Vec<Plane> = Vec::new();
        for level in 1..full_chain(SIZE) {
            let above: &dyn Rows = made.last().map_or(&top as &dyn Rows, |above| above);
            let (from, to) = (above.size(), mip_size(SIZE, level));
            let axes = [0, 1].map(|axis| {
                let right = taps(filter, from[axis], to[axis]).into_iter();
                right.map(|taps| if from[axis] < 4 { taps } else { wrong(level, from[axis] as usize, taps) }).collect()
            });
            let mut plane = reduced_by(above, to, axes);
            cut_off(&mut plane);
            made.push(plane);
        }
        let settings = MipChainSettings { method: Method::PerLevel, filter, format: FORMAT, ..Default::default() };
        worst_part(&settings, right.iter().zip(&made).map(|(right, made)| worst(FORMAT, right, made)))
    }

    /// The roughest rounding passes; a wrong weight, a tap beside its place and a level that is left out do not.
    #[test]
    fn rounding_passes_and_faults_do_not() {
        for filter in [Filter::Box, Filter::Tent] {
            let rounded = part(filter, &|_, _, taps| taps);
            assert!(rounded <= 1.0 && rounded > 0.2, "{filter:?}: {rounded}");
            // One part of a hundred from the first tap to the second, at one level.
            for at in [1, 3, 5] {
                let weight = part(filter, &|level, _, mut taps| {
                    if level == at {
                        taps.weights[0] -= 0.01;
                        taps.weights[1] += 0.01;
                    }
                    taps
                });
                assert!(weight > 1.0, "{filter:?}, level {at}: {weight}");
                let shift = part(filter, &|level, n, mut taps| {
                    if level == at && taps.first + taps.weights.len() < n {
                        taps.first += 1;
                    }
                    taps
                });
                assert!(shift > 1.0, "{filter:?}, level {at}: {shift}");
                // As if each texel of a level were one of the level above it.
                let skipped = part(filter, &|level, _, mut taps| {
                    if level == at {
                        taps.weights.truncate(1);
                        taps.weights[0] = 1.0;
                    }
                    taps
                });
                assert!(skipped > 1.0, "{filter:?}, level {at}: {skipped}");
            }
        }
    }

    #[test]
    fn bounds_follow_from_formats_and_roundings() {
        let of = |method, format, level| {
            let hardware_filter = false;
            bound(&MipChainSettings { method, format, hardware_filter, ..Default::default() }, level)
        };
        let near = |found: f64, wanted: f64| assert!((found - wanted).abs() < 0.06, "{found}, expected {wanted}");
        near(of(Method::PerLevel, ChainFormat::Rgba16F, 10), 10.0 * HALF);
        near(of(Method::SinglePass, ChainFormat::Rgba8, 1), BYTE);
        near(of(Method::SinglePass, ChainFormat::Rgba8, 5), BYTE + 4.0 * HALF);
        near(of(Method::Strips, ChainFormat::Rgba8, 5), 3.0 * BYTE + 2.0 * HALF);
        near(of(Method::PerLevel, ChainFormat::Bgra8, 4), 4.0 * BYTE);
        near(of(Method::Blit, ChainFormat::Rgba16F, 3), 3.0 * (HALF + PLACES));
        assert!(of(Method::PerLevel, ChainFormat::R32F, 10) < 0.06);
    }
}
