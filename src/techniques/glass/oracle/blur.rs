//! The frost: tent mips, the pre-blur of one sigma per lens, the rivals, and a true Gaussian to judge them by.

use super::picture::{Level, Picture};
use glam::{IVec2, UVec2, Vec2, Vec3};

/// Taps of the pre-blur on one side of the middle.
pub const SIDE_TAPS: usize = 6;
/// Frost up to this many pixels is no more than a pixel's own width: the picture is read as it is.
pub const SHARP_SIGMA: f32 = 0.5;
/// From here on the pre-blur alone is read; between the two they are mixed, so that nothing pops.
pub const FROST_SIGMA: f32 = 0.9;

/// How the blurred level is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Read {
    /// One bilinear tap.
    Bilinear,
    /// A cubic B-spline by four bilinear taps (Sigg and Hadwiger, GPU Gems 2).
    Spline,
}

/// A pre-blur that together with the mip level before it and the read after it makes a Gaussian of one sigma.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Preblur {
    /// The mip level that is blurred and then read.
    pub level: u32,
    /// Weights of the taps 0..=6 on either side; the whole kernel of 13 sums to 1.
    pub weights: [f32; SIDE_TAPS + 1],
}

/// Chooses level and kernel. The variances add: the tent chain up to level L has `(4^L-1)/4` px^2, the kernel `s^2 4^L`, the
/// read `r 4^L` with r = 1/3 for the spline and, on average over the phase, 1/6 for a bilinear tap.
pub fn preblur(sigma: f32, read: Read, levels: u32) -> Preblur {
    let level = (sigma.max(1.0).log2().floor() as u32).min(levels.saturating_sub(1));
    let scale = 4_f32.powi(level as i32);
    let r = if read == Read::Spline { 1.0 / 3.0 } else { 1.0 / 6.0 };
    let variance = ((sigma * sigma - (scale - 1.0) * 0.25) / scale - r).max(1e-3);
    let mut weights = [0.0; SIDE_TAPS + 1];
    for (k, w) in weights.iter_mut().enumerate() {
        *w = (-((k * k) as f32) / (2.0 * variance)).exp();
    }
    let sum = weights[0] + 2.0 * weights[1..].iter().sum::<f32>();
    Preblur { level, weights: weights.map(|w| w / sum) }
}

/// Three bilinear taps a side and one in the middle carry the 13 weights: (offset in texels, weight) of each.
pub fn paired_taps(weights: &[f32; SIDE_TAPS + 1]) -> [(f32, f32); 4] {
    let pair = |k: usize| {
        let w = weights[k] + weights[k + 1];
        (k as f32 + weights[k + 1] / w.max(1e-20), w)
    };
    [(0.0, weights[0]), pair(1), pair(3), pair(5)]
}

/// Both passes of a pre-blur over one whole level, mirrored at the border.
pub fn blur_level(level: &Level, weights: &[f32; SIDE_TAPS + 1]) -> Level {
    let along = |level: &Level, step: IVec2| {
        let mut texels = Vec::with_capacity(level.texels.len());
        for y in 0..level.size.y as i32 {
            for x in 0..level.size.x as i32 {
                let at = IVec2::new(x, y);
                let mut sum = level.mirrored(at) * weights[0];
                for (k, w) in (1..).zip(&weights[1..]) {
                    sum += (level.mirrored(at + step * k) + level.mirrored(at - step * k)) * *w;
                }
                texels.push(sum);
            }
        }
        Level { size: level.size, texels }
    };
    along(&along(level, IVec2::X), IVec2::Y)
}

/// Cubic B-spline read of a level at `uv`: four bilinear taps, placed so that the sampler's own weights do the rest.
pub fn sample_spline(level: &Level, uv: Vec2) -> Vec3 {
    let size = level.size.as_vec2();
    let p = uv * size - 0.5;
    let (i, f) = (p.floor(), p - p.floor());
    let f2 = f * f;
    let f3 = f2 * f;
    let w0 = (Vec2::ONE - 3.0 * f + 3.0 * f2 - f3) / 6.0;
    let w1 = (4.0 - 6.0 * f2 + 3.0 * f3) / 6.0;
    let w3 = f3 / 6.0;
    let w2 = Vec2::ONE - w0 - w1 - w3;
    let (low, high) = (w0 + w1, w2 + w3);
    let a = (i - 0.5 + w1 / low) / size;
    let b = (i + 1.5 + w3 / high) / size;
    (level.sample(a) * low.x + level.sample(Vec2::new(b.x, a.y)) * high.x) * low.y
        + (level.sample(Vec2::new(a.x, b.y)) * low.x + level.sample(b) * high.x) * high.y
}

/// Mip level that one trilinear tap reads for a blur of `sigma` pixels: the chain's variance `(4^L-1)/4` plus the read's,
/// about `4^L/4`, set equal to sigma^2. At [`SHARP_SIGMA`] and below this is level 0.
pub fn lod_from_sigma(sigma: f32) -> f32 {
    0.5 * (2.0 * sigma * sigma + 0.5).max(1.0).log2()
}

/// Spacing in pixels of the 9 by 9 box that has this sigma: nine points h apart have the variance 20/3 h^2.
pub fn box_spacing(sigma: f32) -> f32 {
    sigma * (3.0_f32 / 20.0).sqrt()
}

/// The 81-tap box of the source, stretched to `sigma`, on level 0.
pub fn sample_box81(picture: &Picture, point: Vec2, sigma: f32) -> Vec3 {
    let step = box_spacing(sigma);
    let size = picture.size().as_vec2();
    let mut sum = Vec3::ZERO;
    for y in -4..=4 {
        for x in -4..=4 {
            sum += picture.chain[0].sample((point + Vec2::new(x as f32, y as f32) * step) / size);
        }
    }
    sum / 81.0
}

/// The next level of the chain by the separable tent `[1 3 3 1]/8`: four bilinear taps at 0.75 texels from the middle.
pub fn tent_level(level: &Level) -> Level {
    let size = (level.size / 2).max(UVec2::ONE);
    let texel = Vec2::ONE / level.size.as_vec2();
    // An axis of one texel has nothing to average.
    let off = Vec2::new(if level.size.x > 1 { 0.75 } else { 0.0 }, if level.size.y > 1 { 0.75 } else { 0.0 }) * texel;
    let mut texels = Vec::with_capacity((size.x * size.y) as usize);
    for y in 0..size.y {
        for x in 0..size.x {
            let uv = (Vec2::new(x as f32, y as f32) + 0.5) / size.as_vec2();
            let taps = [Vec2::new(-off.x, -off.y), Vec2::new(off.x, -off.y), Vec2::new(-off.x, off.y), off];
            texels.push(taps.iter().fold(Vec3::ZERO, |sum, &o| sum + level.sample_clamped(uv + o)) * 0.25);
        }
    }
    Level { size, texels }
}

/// All levels down to one texel.
pub fn tent_chain(level: Level) -> Vec<Level> {
    let mut chain = vec![level];
    while let Some(last) = chain.last().filter(|l| l.size != UVec2::ONE) {
        let next = tent_level(last);
        chain.push(next);
    }
    chain
}

/// The judge: a Gaussian cut at four sigma, mirrored at the border.
pub fn gaussian(level: &Level, sigma: f32) -> Level {
    let reach = (4.0 * sigma).ceil() as i32;
    let weights: Vec<f32> = (-reach..=reach).map(|k| (-((k * k) as f32) / (2.0 * sigma * sigma)).exp()).collect();
    let sum: f32 = weights.iter().sum();
    let along = |level: &Level, step: IVec2| {
        let mut texels = Vec::with_capacity(level.texels.len());
        for y in 0..level.size.y as i32 {
            for x in 0..level.size.x as i32 {
                let at = IVec2::new(x, y);
                let blurred =
                    (-reach..=reach).zip(&weights).fold(Vec3::ZERO, |c, (k, w)| c + level.mirrored(at + step * k) * *w);
                texels.push(blurred / sum);
            }
        }
        Level { size: level.size, texels }
    };
    along(&along(level, IVec2::X), IVec2::Y)
}

#[cfg(test)]
mod tests {
    use super::super::picture::encoded_from_linear;
    use super::*;

    /// Text-like detail: bars of several widths, a checker, a disc.
    fn detail(size: u32) -> Level {
        let mut texels = Vec::new();
        for y in 0..size {
            for x in 0..size {
                let bars = (x * x / 97 + y / 9) % 2 == 0;
                let checker = (x / 3 + y / 3) % 2 == 0;
                let disc = Vec2::new(x as f32 - 90.0, y as f32 - 80.0).length() < 30.0;
                let v = if disc {
                    1.0
                } else if x > size / 2 {
                    f32::from(u8::from(checker))
                } else {
                    f32::from(u8::from(bars)) * 0.7
                };
                texels.push(Vec3::new(v, 1.0 - v, 0.3 + 0.4 * v));
            }
        }
        Level { size: UVec2::splat(size), texels }
    }

    fn psnr(sigma: f32, read: impl Fn(&Picture, Vec2) -> Vec3) -> f32 {
        let linear = detail(160);
        let chain = tent_chain(linear.clone());
        let truth = gaussian(&linear, sigma);
        let picture = Picture { encoded: linear, chain };
        let (mut error, mut count) = (0.0, 0.0);
        for y in 24..136 {
            for x in 24..136 {
                let point = Vec2::new(x as f32 + 0.37, y as f32 + 0.61);
                let want = encoded_from_linear(truth.sample(point / 160.0));
                error += (read(&picture, point).max(Vec3::ZERO) - Vec3::ZERO).distance_squared(want);
                count += 3.0;
            }
        }
        -10.0 * (error / count).log10()
    }

    fn read_preblur(sigma: f32, read: Read) -> impl Fn(&Picture, Vec2) -> Vec3 {
        let plan = preblur(sigma, read, 8);
        let linear = tent_chain(detail(160));
        let level = blur_level(&linear[plan.level as usize], &plan.weights);
        move |_, p| {
            let uv = p / 160.0;
            encoded_from_linear(if read == Read::Spline { sample_spline(&level, uv) } else { level.sample(uv) })
        }
    }

    #[test]
    fn weights_sum_to_one() {
        for sigma in [0.3, 0.5, 0.7, 1.0, 1.99, 2.0, 7.0, 33.0, 64.0] {
            for read in [Read::Bilinear, Read::Spline] {
                let plan = preblur(sigma, read, 12);
                let sum = plan.weights[0] + 2.0 * plan.weights[1..].iter().sum::<f32>();
                assert!((sum - 1.0).abs() < 1e-5, "{sigma}: {sum}");
                let taps = paired_taps(&plan.weights);
                let paired = taps[0].1 + 2.0 * (taps[1].1 + taps[2].1 + taps[3].1);
                assert!((paired - 1.0).abs() < 1e-5);
            }
        }
        let flat = Level::filled(UVec2::splat(8), Vec3::splat(0.4));
        assert!((sample_spline(&flat, Vec2::new(0.31, 0.77)) - Vec3::splat(0.4)).length() < 1e-5);
    }

    #[test]
    fn preblur_is_nearly_a_gaussian() {
        for sigma in [2.0, 3.9, 7.0, 16.0] {
            let spline = psnr(sigma, read_preblur(sigma, Read::Spline));
            let bilinear = psnr(sigma, read_preblur(sigma, Read::Bilinear));
            let trilinear = psnr(sigma, |p, at| encoded_from_linear(p.sample(at, lod_from_sigma(sigma))));
            let box81 = psnr(sigma, |p, at| encoded_from_linear(sample_box81(p, at, sigma)));
            println!(
                "sigma {sigma}: spline {spline:.1} bilinear {bilinear:.1} trilinear {trilinear:.1} box81 {box81:.1} dB"
            );
            assert!(spline >= 49.0, "sigma {sigma}: {spline} dB");
            assert!(bilinear >= 42.0 && spline > trilinear && spline > box81);
        }
    }

    #[test]
    fn sliding_the_frost_does_not_pop() {
        // Across the change of level at 4 px the result moves no more than a hundredth of a step of sigma would.
        let (below, above) = (psnr_pair(3.999), psnr_pair(4.001));
        let worst = below.iter().zip(&above).map(|(a, b)| (*a - *b).abs().max_element()).fold(0.0, f32::max);
        assert!(worst < 1.5 / 255.0, "{worst}");
    }

    fn psnr_pair(sigma: f32) -> Vec<Vec3> {
        let read = read_preblur(sigma, Read::Spline);
        let picture = Picture { encoded: detail(4), chain: vec![detail(4)] };
        (0..800)
            .map(|i| read(&picture, Vec2::new(30.0 + (i % 100) as f32 + 0.37, 30.0 + (i / 100) as f32 * 9.0)))
            .collect()
    }

    #[test]
    fn one_pixel_frost_is_sharp() {
        assert_eq!(lod_from_sigma(SHARP_SIGMA), 0.0);
        assert!((lod_from_sigma(8.0) - 3.5).abs() < 0.05);
    }
}
