//! How far a result may be from the exact one: from the roundings on the way to it.
//!
//! Weights of a chain's step are not negative and add up to 1, so a step never enlarges an error of what it reads, and errors of single
//! roundings add up: the bound is the sum of the most that each can be, along the steps from the picture to this result. On average a
//! rounding is off by half of that.

use super::{DownsampleSettings, Light, Method, passes::Reads, plan};
use crate::{base::difference::Errors, gpu::Gpu, lab::Verdict};
use glam::DVec4;

/// Conversion to 8 bits: half a step, and what Direct3D lets hardware add (D3D11_FLOAT32_TO_INTEGER_TOLERANCE_IN_ULP is 0.6).
const BYTE: f64 = 0.6;
/// A half float at or below 1 lies within 2^-11 of what it was made of: Vulkan leaves open to which of the two neighbours a value is rounded, and
/// Mesa's software driver cuts off.
const HALF: f64 = 255.0 / 2048.0;
/// Software drivers filter bytes in bytes: three linear steps between four texels, across and then down, each rounded to a byte.
const BYTE_FILTER: f64 = 2.0 * 0.5;
/// A sampler knows a place between two texels to one part of 256 (`subTexelPrecisionBits`): so much of the way from black to white.
const PLACE: f64 = 255.0 / 256.0;
/// Middles of four are places that it knows; a coordinate that is a rounded float may be taken for the nearer half of the part beside it,
/// along each axis.
const MIDDLE: f64 = 2.0 * 0.5 * PLACE;
/// Sums of floats and a power function, which is a polynomial on software drivers.
const ARITHMETIC: f64 = 0.01;
/// What Mesa's software drivers add when they decode sRGB, by a polynomial.
const SOFTWARE_DECODING: f64 = 0.305;
/// Half a step of the encoded value, at white, where the curve is steepest.
const DECODING: f64 = 0.5 * 2.4 / 1.055;
/// On average of all pixels: an error that is as likely to be of any size is half of the largest.
const MEAN: f64 = 0.5;

/// What a driver does in its own way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Driver {
    /// What its decoding of the picture may add, steps of 255.
    pub decoding: f64,
    /// It runs on the CPU.
    pub is_software: bool,
}

impl Driver {
    pub fn of(gpu: &Gpu, light: Light) -> Self {
        let is_software = gpu.facts().is_software();
        let decoding = match light {
            Light::Encoded => 0.0,
            Light::Linear if is_software => SOFTWARE_DECODING,
            Light::Linear => DECODING,
        };
        Self { decoding, is_software }
    }
}

/// How a result is made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Made {
    pub method: Method,
    pub light: Light,
    /// How blocks are read, whatever the device.
    pub reads: Option<Reads>,
    pub from: [u32; 2],
    pub to: [u32; 2],
}

impl Made {
    pub fn by(settings: &DownsampleSettings, reads: Option<Reads>, from: [u32; 2]) -> Self {
        let (method, light, to) = (settings.method, settings.light, plan::result_size(settings, from));
        Self { method, light, reads, from, to }
    }

    /// The most that a channel of a pixel may be off, steps of 255.
    pub fn bound(&self, driver: Driver) -> f64 {
        let is_bytes = self.light == Light::Encoded;
        let written = if is_bytes { BYTE } else { 0.0 };
        let middle = if self.reads == Some(Reads::Sampler) { MIDDLE } else { 0.0 };
        let once = written + middle + driver.decoding * gain(self.method) + ARITHMETIC;
        if !self.method.is_chain() {
            return once;
        }
        let sizes = plan::halvings(self.from, self.to);
        let steps = sizes.len() as f64;
        let above = std::iter::once(&self.from).chain(&sizes);
        let places: f64 = above.zip(&sizes).map(|(above, below)| places(*above, *below)).sum();
        let each = match (is_bytes, driver.is_software) {
            // One read of bytes is a byte.
            (true, true) if matches!(self.method, Method::RasterChain | Method::BlitChain) => {
                return steps * BYTE_FILTER + places * PLACE + ARITHMETIC;
            }
            (true, true) => return steps * (BYTE_FILTER + BYTE) + places * PLACE + ARITHMETIC,
            (true, false) => steps * BYTE + places * PLACE,
            // They filter floats in floats.
            (false, true) => 0.0,
            (false, false) => places * PLACE,
        };
        // The last of linear light is a float; a blit reads a level 0 of half floats.
        let halves = if self.method == Method::BlitChain { steps } else { steps - 1.0 };
        each + if is_bytes { 0.0 } else { halves * HALF } + driver.decoding + ARITHMETIC
    }
}

/// Axes along which linear reads of a step lie neither in the middle between two texels nor on one.
fn places(above: [u32; 2], below: [u32; 2]) -> f64 {
    let is_between = |axis: &usize| above[*axis] != below[*axis] && above[*axis] != 2 * below[*axis];
    [0, 1].iter().filter(|axis| is_between(axis)).count() as f64
}

/// The largest sum of absolute weights: by how much errors of what is read may be enlarged. It is 1 but for kernels that go below 0, and of
/// those that along one axis, squared.
fn gain(method: Method) -> f64 {
    let along: f64 = match method {
        Method::Bicubic | Method::CatmullRom => 1.25,
        Method::Mitchell => 1.139,
        Method::Lanczos3 => 1.544,
        _ => 1.0,
    };
    along * along
}

/// How far results are from what is wanted, as parts of what each may be off; infinitely where a pixel is missing.
pub(super) fn parts(wanted: &[Vec<DVec4>], found: &[Vec<DVec4>], light: Light, bounds: &[f64]) -> Errors {
    let whole = wanted.len() == found.len()
        && wanted.len() == bounds.len()
        && wanted.iter().zip(found).all(|(a, b)| a.len() == b.len());
    // Bytes hold nothing below 0 or above 1.
    let held = |value: DVec4| match light {
        Light::Linear => value,
        Light::Encoded => value.clamp(DVec4::ZERO, DVec4::ONE),
    };
    let all = wanted.iter().zip(found).zip(bounds).filter(|_| whole);
    Errors::of(all.flat_map(|((wanted, found), bound)| {
        let pairs = wanted.iter().zip(found);
        pairs.flat_map(move |(wanted, found)| ((held(*wanted) - *found) * 255.0 / *bound).to_array())
    }))
}

/// The verdict on such parts.
pub(super) fn verdict(parts: &Errors, bounds: &[f64]) -> Verdict {
    let steps = bounds.iter().copied().fold(0.0, f64::max);
    let what = format!("parts of what rounding may add (up to {steps:.2} steps of 255)");
    Verdict::within(&what, parts, [MEAN, 1.0, 1.0])
}

#[cfg(test)]
mod tests {
    use super::{
        super::twin::{self, Bytes, Plane, Taps},
        *,
    };
    use crate::lab::test_picture;

    const LOOKS: [([u32; 2], [u32; 2]); 4] =
        [([97, 61], [24, 15]), ([192, 64], [6, 2]), ([300, 300], [2, 1]), ([256, 256], [1, 1])];
    const SOFTWARE: Driver = Driver { decoding: 0.0, is_software: true };

    /// Rounded to bytes as a software driver does at its roughest: up.
    fn rounded(plane: &mut Plane) {
        let up = |value: f64| ((value * 255.0 + BYTE_FILTER * 0.99).floor() / 255.0).min(1.0);
        plane.texels.iter_mut().for_each(|texel| *texel = DVec4::from_array(texel.to_array().map(up)));
    }

    /// A raster chain with other taps, rounded at each step: whether the bounds let it pass.
    fn passes(wrong: &dyn Fn(usize, u32, Taps) -> Taps) -> bool {
        let (mut wanted, mut found, mut bounds) = (vec![], vec![], vec![]);
        for (from, to) in LOOKS {
            let rgba = test_picture(from);
            let picture = Bytes { size: from, rgba: &rgba, linear: false };
            wanted.push(twin::made(Method::RasterChain, &picture, to).texels);
            let mut made: Option<Plane> = None;
            for (step, size) in plan::halvings(from, to).into_iter().enumerate() {
                let above = made.as_ref().map_or(from, |above| above.size);
                let by = twin::halved(above, size, |axis, taps| wrong(step, above[axis], taps));
                let mut below = match &made {
                    Some(above) => by.apply(above),
                    None => by.apply(&picture),
                };
                rounded(&mut below);
                made = Some(below);
            }
            found.push(made.map(|made| made.texels).unwrap_or_default());
            let made = Made { method: Method::RasterChain, light: Light::Encoded, reads: None, from, to };
            bounds.push(made.bound(SOFTWARE));
        }
        // Rounding up each time is biased; only the largest is judged here.
        parts(&wanted, &found, Light::Encoded, &bounds).max() <= 1.0
    }

    /// The roughest rounding passes; a wrong weight, a tap beside its place and a step that is left out do not.
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
    fn bounds_follow_from_formats_and_steps() {
        let of = |method, light, from, to, driver: Driver| {
            Made { method, light, reads: None, from, to }.bound(driver) - ARITHMETIC
        };
        let near = |found: f64, wanted: f64| assert!((found - wanted).abs() < 1e-9, "{found}, expected {wanted}");
        let gpu = Driver { decoding: 0.0, is_software: false };
        let (large, one) = ([4096, 4096], [1, 1]);
        near(of(Method::RasterChain, Light::Encoded, large, one, SOFTWARE), 12.0);
        near(of(Method::Kawase, Light::Encoded, large, one, SOFTWARE), 12.0 * 1.6);
        near(of(Method::RasterChain, Light::Encoded, large, one, gpu), 12.0 * BYTE);
        near(of(Method::RasterChain, Light::Linear, large, one, gpu), 11.0 * HALF);
        near(of(Method::BlitChain, Light::Linear, [5, 4], [2, 2], gpu), HALF + PLACE);
        near(of(Method::AreaCompute, Light::Encoded, large, one, gpu), BYTE);
        near(of(Method::Bicubic, Light::Linear, large, one, Driver { decoding: 0.2, ..gpu }), 0.2 * 1.5625);
    }
}
