//! Error bound of a result, from the roundings on the way to it.
//!
//! A chain's step has weights that are not negative and add up to 1, so it never enlarges an error of what it reads:
//! the bound is the sum of the largest roundings along the steps from the picture to this result. On average a rounding
//! is off by half of that.

use super::reference;
use crate::{
    passes::methods::BlockReads,
    plan,
    settings::{DownsampleSettings, Light, Method},
};
use glam::DVec4;
use gpu::Gpu;
use lab::Verdict;
use media::difference::Errors;

/// In the shaders (shaders/downsample/stored.glsl).
const ROUNDED: f64 = 0.5;
/// Conversions by a GPU, as in blits, and filtered reads of rounded values: what Direct3D allows a conversion to 8 bits
/// (D3D11_FLOAT32_TO_INTEGER_TOLERANCE_IN_ULP).
const CONVERTED: f64 = 0.6;
/// Vulkan leaves open to which of its two neighbours a half float is rounded; Mesa's software driver cuts off.
const HALF: f64 = 255.0 / 2048.0;
/// Mesa's software drivers filter bytes in bytes: three linear steps between four texels, across and then down, each
/// rounded to the nearest byte.
const BYTE_FILTER: f64 = 2.0 * 0.5;
/// A sampler rounds a place between two texels to 1/256 (`subTexelPrecisionBits`); Vulkan leaves the direction open. A
/// place that is a whole number of parts may be off by half a part (an H100: 0.41).
const PLACE: f64 = 255.0 / 256.0;
/// For blocks read by a sampler, in the middle of four: half a part along each axis.
const MIDDLE: f64 = 2.0 * 0.5 * PLACE;
/// Mesa's software drivers round places to the nearest.
const SOFTWARE_PLACE: f64 = 0.5 * 255.0 / 256.0;
/// Weights and sums in floats, and a power function, which is a polynomial on software drivers. Roundings of a sum of
/// 4096 floats add up to 64 times 2^-25, as they are independent: 0.0005.
const ARITHMETIC: f64 = 0.01;
/// Error of Mesa's software drivers when they decode sRGB: the largest error of their polynomial, 0.0023 + 0.0030 x +
/// 0.6935 x^2 + 0.3012 x^3, is that of byte 218.
const SOFTWARE_DECODING: f64 = 0.305;
/// Others: half a step of the encoded value (D3D11_SRGB_TO_FLOAT_TOLERANCE_IN_ULP), at white, where the curve is
/// steepest.
const DECODING: f64 = 0.5 * 2.4 / 1.055;
/// On average: an error that is as likely to be of any size is half of the largest.
const MEAN: f64 = 0.5;

#[derive(Clone, Copy, Debug)]
pub(super) struct Driver {
    /// Error added by its decoding of the picture, steps of 255.
    pub decoding: f64,
    /// It samples on the CPU.
    pub cpu_sampler: bool,
}

impl Driver {
    pub fn of(gpu: &Gpu, light: Light) -> Self {
        let cpu_sampler = gpu.policy().runs_on_cpu;
        let decoding = match light {
            Light::Encoded => 0.0,
            Light::Linear if cpu_sampler => SOFTWARE_DECODING,
            Light::Linear => DECODING,
        };
        Self { decoding, cpu_sampler }
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct ResultFormat {
    pub method: Method,
    pub light: Light,
    pub reads: Option<BlockReads>,
    pub from: [u32; 2],
    pub to: [u32; 2],
}

impl ResultFormat {
    pub fn by(settings: &DownsampleSettings, reads: Option<BlockReads>, from: [u32; 2]) -> Self {
        let (method, light, to) = (settings.method, settings.light, plan::result_size(settings, from));
        Self { method, light, reads, from, to }
    }

    /// Added by a level of half floats, steps of 255.
    pub const HALF_STEPS: f64 = HALF;

    /// The most that a channel of a pixel may be off, steps of 255.
    pub fn bound(&self, driver: Driver) -> f64 {
        let is_bytes = self.light == Light::Encoded;
        if !self.method.is_chain() {
            let written = match (is_bytes, self.method) {
                (false, _) => 0.0,
                (true, Method::AreaCompute) if !driver.cpu_sampler => CONVERTED,
                (true, _) => ROUNDED,
            };
            let gain = if driver.decoding > 0.0 { reference::gain(self.method, self.from, self.to) } else { 1.0 };
            let middle = if self.reads == Some(BlockReads::Sampler) && !driver.cpu_sampler { MIDDLE } else { 0.0 };
            return written + middle + driver.decoding * gain + ARITHMETIC;
        }
        let sizes = plan::halvings(self.from, self.to);
        let steps = sizes.len() as f64;
        // A software driver filters floats in floats.
        let off = match (driver.cpu_sampler, is_bytes) {
            (true, true) => [SOFTWARE_PLACE, 0.0],
            (true, false) => [0.0; 2],
            (false, _) => [PLACE, 0.5 * PLACE],
        };
        let above = std::iter::once(&self.from).chain(&sizes);
        let places: f64 = above.zip(&sizes).map(|(above, below)| places(*above, *below, off)).sum();
        let written = match (is_bytes, driver.cpu_sampler) {
            (true, true) if matches!(self.method, Method::RasterChain | Method::BlitChain) => steps * BYTE_FILTER,
            (true, true) => steps * (BYTE_FILTER + ROUNDED),
            (true, false) => steps * CONVERTED,
            (false, _) if self.method == Method::BlitChain => steps * HALF,
            (false, _) => (steps - 1.0) * HALF,
        };
        written + places + driver.decoding + ARITHMETIC
    }
}

/// Along both axes of a step. The place of texel i, (i + 1/2) above / below - 1/2, is a whole number of 256ths where
/// below divides 128 above.
fn places(above: [u32; 2], below: [u32; 2], [between, whole]: [f64; 2]) -> f64 {
    let along = |axis: usize| match (128 * u64::from(above[axis])).is_multiple_of(u64::from(below[axis])) {
        _ if above[axis] == below[axis] => 0.0,
        true => whole,
        false => between,
    };
    along(0) + along(1)
}

/// Infinite where a pixel is missing.
pub(super) fn parts(expected: &[Vec<DVec4>], results: &[Vec<DVec4>], light: Light, bounds: &[f64]) -> Errors {
    let whole = expected.len() == results.len()
        && expected.len() == bounds.len()
        && expected.iter().zip(results).all(|(a, b)| a.len() == b.len());
    let storable = |value: DVec4| match light {
        Light::Linear => value,
        Light::Encoded => value.clamp(DVec4::ZERO, DVec4::ONE),
    };
    let all = expected.iter().zip(results).zip(bounds).filter(|_| whole);
    Errors::of(all.flat_map(|((expected, result), bound)| {
        let pairs = expected.iter().zip(result);
        pairs.flat_map(move |(expected, result)| ((storable(*expected) - *result) * 255.0 / *bound).to_array())
    }))
}

pub(super) fn verdict(parts: &Errors, bounds: &[f64]) -> Verdict {
    let steps = bounds.iter().copied().fold(0.0, f64::max);
    let what = format!("parts of what rounding may add (up to {steps:.2} steps of 255)");
    Verdict::within(&what, parts, [MEAN, 1.0, 1.0])
}

#[cfg(test)]
mod tests {
    use super::{
        super::reference::{Bytes, Plane, Taps},
        *,
    };
    use lab::test_picture;

    const LOOKS: [([u32; 2], [u32; 2]); 4] =
        [([97, 61], [24, 15]), ([192, 64], [6, 2]), ([300, 300], [2, 1]), ([256, 256], [1, 1])];
    const SOFTWARE: Driver = Driver { decoding: 0.0, cpu_sampler: true };

    /// As a software driver does at its roughest: up.
    fn rounded(plane: &mut Plane) {
        let up = |value: f64| ((value * 255.0 + BYTE_FILTER * 0.99).floor() / 255.0).min(1.0);
        plane.texels.iter_mut().for_each(|texel| *texel = DVec4::from_array(texel.to_array().map(up)));
    }

    fn passes(wrong: &dyn Fn(usize, u32, Taps) -> Taps) -> bool {
        let (mut expected, mut results, mut bounds) = (vec![], vec![], vec![]);
        for (from, to) in LOOKS {
            let rgba = test_picture(from);
            let picture = Bytes { size: from, rgba: &rgba, linear: false };
            expected.push(reference::downsampled(Method::RasterChain, &picture, to).texels);
            let mut plane: Option<Plane> = None;
            for (step, size) in plan::halvings(from, to).into_iter().enumerate() {
                let above = plane.as_ref().map_or(from, |above| above.size);
                let by = reference::halving_step(above, size, |axis, taps| wrong(step, above[axis], taps));
                let mut below = match &plane {
                    Some(above) => by.apply(above),
                    None => by.apply(&picture),
                };
                rounded(&mut below);
                plane = Some(below);
            }
            results.push(plane.map(|plane| plane.texels).unwrap_or_default());
            let format = ResultFormat { method: Method::RasterChain, light: Light::Encoded, reads: None, from, to };
            bounds.push(format.bound(SOFTWARE));
        }
        parts(&expected, &results, Light::Encoded, &bounds).max() <= 1.0
    }

    #[test]
    fn rounding_passes_and_faults_do_not() {
        assert!(passes(&|_, _, taps| taps));
        for at in [0, 1] {
            let weight = passes(&|step, _, mut taps| {
                if step == at && taps.weights.len() == 2 {
                    taps.weights = vec![taps.weights[0] - 0.03, taps.weights[1] + 0.03];
                }
                taps
            });
            let shift = passes(&|step, n, mut taps| {
                if step == at && taps.first + taps.weights.len() < n as usize {
                    taps.first += 1;
                }
                taps
            });
            let skipped = passes(&|step, _, mut taps| {
                if step == at {
                    taps.weights = vec![1.0];
                }
                taps
            });
            assert_eq!([weight, shift, skipped], [false; 3], "step {at}");
        }
    }

    #[test]
    fn kernels_enlarge_errors() {
        let near = |method, to, most: f64| {
            let gain = reference::gain(method, [26, 26], [to, to]);
            assert!((gain - most * most).abs() < 1e-3, "{method:?} {to}: {gain}");
        };
        near(Method::AreaFragment, 10, 1.0);
        near(Method::Bilinear, 10, 1.0);
        near(Method::Bicubic, 13, 1.25);
        near(Method::Lanczos3, 25, 1.5526);
    }
}
