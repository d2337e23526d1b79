//! The frost: tent mips, the pre-blur of one sigma per lens, the rivals, and a true Gaussian to judge them by.

use super::picture::{Level, Picture};
use glam::{IVec2, UVec2, Vec2, Vec3};

/// Taps of the pre-blur on one side of the middle.
pub const SIDE_TAPS: usize = 12;
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

/// Weights of the taps 0..=12 on either side; the whole kernel of 25 sums to 1. Those from 7 on are next to nothing unless the
/// level is a finer one than usual.
pub type Weights = [f32; SIDE_TAPS + 1];

/// A pre-blur that together with the mip level before it and the read after it makes a Gaussian of one sigma.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Preblur {
    /// The mip level that is blurred and then read.
    pub level: u32,
    /// Weights along x, then along y: levels of odd sizes are not scaled alike.
    pub weights: [Weights; 2],
}

/// Pixels for each texel of a level, along x and y; levels round their sizes down.
pub fn texel_px(full: UVec2, level: u32) -> Vec2 {
    full.as_vec2() / (full >> level).max(UVec2::ONE).as_vec2()
}

/// Chooses level and kernels for a picture of `full` pixels. The variances add: the tent chain up to a level whose texels are
/// c pixels wide has `(c^2-1)/4` px^2, the kernel `s^2 c^2`, the read `r c^2` with r = 1/3 for the spline and, on average over
/// the phase, 1/6 for a bilinear tap.
pub fn preblur(sigma: f32, read: Read, levels: u32, full: UVec2) -> Preblur {
    let usual = (sigma.max(1.0).log2().floor() as u32).min(levels.saturating_sub(1));
    // The texels of a level whose size was odd do not pair up, which costs 10 dB: then the level before it, and more taps.
    let is_even = |level: u32| full.x.trailing_zeros() >= level && full.y.trailing_zeros() >= level;
    let level = if is_even(usual) { usual } else { usual.saturating_sub(1) };
    let r = if read == Read::Spline { 1.0 / 3.0 } else { 1.0 / 6.0 };
    let along = |texel: f32| {
        let square = texel * texel;
        let variance = ((sigma * sigma - (square - 1.0) * 0.25) / square - r).max(1e-3);
        let mut weights = [0.0; SIDE_TAPS + 1];
        for (k, w) in weights.iter_mut().enumerate() {
            *w = (-((k * k) as f32) / (2.0 * variance)).exp();
        }
        let sum = weights[0] + 2.0 * weights[1..].iter().sum::<f32>();
        weights.map(|w| w / sum)
    };
    let texel = texel_px(full, level);
    Preblur { level, weights: [along(texel.x), along(texel.y)] }
}

/// Bilinear taps a side of the pre-blur, each of two weights.
pub const PAIRS: usize = SIDE_TAPS / 2;

/// The middle's weight, and offset in texels and weight of the bilinear taps on either side, which carry two each.
pub fn paired_taps(weights: &Weights) -> (f32, [(f32, f32); PAIRS]) {
    let pair = |at: usize| {
        let k = 2 * at + 1;
        let w = weights[k] + weights[k + 1];
        (k as f32 + weights[k + 1] / w.max(1e-20), w)
    };
    (weights[0], std::array::from_fn(pair))
}

/// How many of the pairs count.
pub fn pairs_needed(weights: &[Weights; 2]) -> u32 {
    let counts = |weights: &Weights| {
        let (_, pairs) = paired_taps(weights);
        pairs.iter().take_while(|(_, weight)| *weight > 1e-5).count()
    };
    counts(&weights[0]).max(counts(&weights[1])) as u32
}

/// Both passes of a pre-blur over one whole level, mirrored at the border.
pub fn blur_level(level: &Level, weights: &[Weights; 2]) -> Level {
    let along = |level: &Level, step: IVec2, weights: &Weights| {
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
    along(&along(level, IVec2::X, &weights[0]), IVec2::Y, &weights[1])
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

/// Mip level at which two B-spline reads, blended, have this variance: the chain's `(4^L-1)/4` and the spline's `4^L/3`.
pub fn bicubic_lod(variance: f32) -> f32 {
    0.5 * ((variance + 0.25) * (12.0 / 7.0)).max(1.0).log2()
}

/// Cubic B-spline reads of the two levels next to the right one: 8 taps.
pub fn sample_bicubic(picture: &Picture, point: Vec2, variance: f32) -> Vec3 {
    let uv = point / picture.size().as_vec2();
    let lod = bicubic_lod(variance).min((picture.chain.len() - 1) as f32);
    let low = lod.floor() as usize;
    let high = (low + 1).min(picture.chain.len() - 1);
    sample_spline(&picture.chain[low], uv).lerp(sample_spline(&picture.chain[high], uv), lod.fract())
}

/// Level of the 6 by 6 window, and the variance in texels along x and y that its weights add there: the smallest level at which the window
/// holds the rest, 1.1 texels (none coarser than the picture) or 1.36.
pub fn window_level(variance: f32, levels: u32, full: UVec2) -> (u32, Vec2) {
    let wanted = if variance <= 1.21 { 0.0 } else { (0.5 * ((variance + 0.25) / 2.0996).log2()).ceil().max(0.0) };
    let level = (wanted as u32).min(levels.saturating_sub(1));
    let square = texel_px(full, level) * texel_px(full, level);
    (level, ((Vec2::splat(variance) - (square - 1.0) * 0.25) / square).max(Vec2::splat(1e-3)))
}

/// A Gaussian of 6 by 6 texels around the point, two to a tap: 9 taps. Its sigma may differ from pixel to pixel.
pub fn sample_window(picture: &Picture, point: Vec2, variance: f32) -> Vec3 {
    let (level, rest) = window_level(variance, picture.chain.len() as u32, picture.size());
    let level = &picture.chain[level as usize];
    let size = level.size.as_vec2();
    let p = point / picture.size().as_vec2() * size - 0.5;
    let (i, f) = (p.floor(), p - p.floor());
    let weight = |k: f32| {
        let x = Vec2::splat(k) - f;
        let power = x * x / (2.0 * rest);
        Vec2::new((-power.x).exp(), (-power.y).exp())
    };
    let pair = |k: f32| {
        let (a, b) = (weight(k), weight(k + 1.0));
        let sum = a + b;
        (sum, i + 0.5 + k + b / sum.max(Vec2::splat(1e-20)))
    };
    let pairs = [pair(-2.0), pair(0.0), pair(2.0)];
    let all = pairs[0].0 + pairs[1].0 + pairs[2].0;
    let mut sum = Vec3::ZERO;
    for (wy, py) in pairs {
        for (wx, px) in pairs {
            sum += level.sample(Vec2::new(px.x, py.y) / size) * (wx.x * wy.y);
        }
    }
    sum / (all.x * all.y)
}

/// Dual Kawase (Bjorge, SIGGRAPH 2015): so often down to half the size and up again, the taps so many half texels apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Kawase {
    /// Halvings, at least 1.
    pub steps: u32,
    /// Spread of the taps; 1 is the usual one.
    pub spread: f32,
}

/// Widest spread: beyond it the taps leave gaps.
const WIDEST: f32 = 1.5;

/// Steps and spread for a sigma: one way down and up has `(4^n-1)/3 (1 + 11/6 o^2)` px^2, summed over its steps.
pub fn kawase(sigma: f32, levels: u32) -> Kawase {
    let most = levels.saturating_sub(1).max(1);
    let spread = |steps: u32| {
        let one = (4_f32.powi(steps as i32) - 1.0) / 3.0;
        ((sigma * sigma / one - 1.0) * (6.0 / 11.0)).max(0.0).sqrt()
    };
    let steps = (1..=most).find(|steps| spread(*steps) <= WIDEST).unwrap_or(most);
    Kawase { steps, spread: spread(steps) }
}

/// All passes of a dual Kawase over level 0.
pub fn blur_kawase(level: &Level, plan: &Kawase) -> Level {
    let each = |size: UVec2, read: &dyn Fn(Vec2) -> Vec3| {
        let texel = |at: u32| read((Vec2::new((at % size.x) as f32, (at / size.x) as f32) + 0.5) / size.as_vec2());
        Level { size, texels: (0..size.x * size.y).map(texel).collect() }
    };
    let mut sizes = vec![level.size];
    let mut now = level.clone();
    for _ in 0..plan.steps {
        let h = Vec2::splat(plan.spread) / now.size.as_vec2();
        let read = |uv: Vec2| {
            let corners = [h, -h, Vec2::new(h.x, -h.y), Vec2::new(-h.x, h.y)];
            (now.sample(uv) * 4.0 + corners.iter().map(|c| now.sample(uv + *c)).sum::<Vec3>()) / 8.0
        };
        let size = (now.size / 2).max(UVec2::ONE);
        sizes.push(size);
        now = each(size, &read);
    }
    sizes.pop();
    for size in sizes.into_iter().rev() {
        let h = Vec2::splat(0.5 * plan.spread) / now.size.as_vec2();
        let read = |uv: Vec2| {
            let far = [Vec2::X, Vec2::NEG_X, Vec2::Y, Vec2::NEG_Y].map(|d| now.sample(uv + 2.0 * h * d));
            let near = [h, -h, Vec2::new(h.x, -h.y), Vec2::new(-h.x, h.y)].map(|c| now.sample(uv + c));
            (far.iter().sum::<Vec3>() + 2.0 * near.iter().sum::<Vec3>()) / 12.0
        };
        now = each(size, &read);
    }
    now
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
        let plan = preblur(sigma, read, 8, UVec2::splat(160));
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
                let plan = preblur(sigma, read, 12, UVec2::new(1280, 720));
                let weights = plan.weights[1];
                let sum = weights[0] + 2.0 * weights[1..].iter().sum::<f32>();
                assert!((sum - 1.0).abs() < 1e-5, "{sigma}: {sum}");
                let taps = paired_taps(&weights);
                let paired = taps.0 + 2.0 * taps.1.iter().map(|pair| pair.1).sum::<f32>();
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
        // In steps of half a per cent, the changes of level at 2, 4, 8 and 16 px among them, and closely around those.
        let slide = |sigmas: &[f32], bound: f32| {
            let mut last = read_row(sigmas[0]);
            for &sigma in &sigmas[1..] {
                let now = read_row(sigma);
                let worst = last.iter().zip(&now).map(|(a, b)| (*a - *b).abs().max_element()).fold(0.0, f32::max);
                assert!(worst * 255.0 < bound, "to sigma {sigma}: {}", worst * 255.0);
                last = now;
            }
        };
        slide(&(0..58).map(|i| 1.9 * 1.005_f32.powi(i)).collect::<Vec<_>>(), 3.0);
        for change in [2.0, 4.0, 8.0, 16.0] {
            slide(&[change * 0.9999, change * 1.0001], 3.0);
        }
    }

    fn read_row(sigma: f32) -> Vec<Vec3> {
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
