//! Frost: tent mips, the blur methods that read them, and a true Gaussian to compare them with.

use super::picture::{Level, Picture};
use super::preblur::{Frosted, Region};
use crate::base::boxes::Boxes;
use crate::gpu_consts;
use glam::{IVec2, UVec2, Vec2, Vec3};

gpu_consts! { "glass/optics.glsl":
    /// Frost up to this many pixels is no more than a pixel's own width: the picture is read as it is.
    pub const SHARP_SIGMA: f32 = 0.5;
}

/// From here on the pre-blur alone is read; between the two they are mixed, so that nothing pops.
pub const FROST_SIGMA: f32 = 0.9;

/// Pixels for each texel of a level, along x and y; levels round their sizes down.
pub fn texel_px(full: UVec2, level: u32) -> Vec2 {
    full.as_vec2() / (full >> level).max(UVec2::ONE).as_vec2()
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

/// Dual Kawase (Bjorge, SIGGRAPH 2015): n times down to half the size and up again, the taps that many half texels apart.
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

/// Three boxes over a part of level 0 (pixels; it may reach over the border, where the picture is mirrored).
pub fn blur_boxes(level: &Level, sigma: f32, shown: Region) -> Frosted {
    let texel = |[x, y]: [u32; 2]| level.texels[(y * level.size.x + x) as usize].to_array().map(f64::from);
    let part = [shown.0.to_array(), shown.1.to_array()];
    let texels = Boxes::of(sigma).blur(level.size.to_array(), texel, part);
    let texels = texels.into_iter().map(|texel| Vec3::from_array(texel.map(|c| c as f32))).collect();
    let level = Level { size: (shown.1 - shown.0).as_uvec2(), texels };
    Frosted { level, spacing: Vec2::ONE, first: shown.0.as_vec2() }
}

/// Weights of the texels `first..` (clamped to the level) for texel `i` of the next level, where a level has `n`: the exact mean of the
/// area after a blur by (1 2 1)/4. Where n is even that is (1 3 3 1)/8, else five texels.
fn tent_weights(i: u32, n: u32) -> (i32, Vec<f32>) {
    let (at, half, all) = (i as f32, (n / 2) as f32, n as f32);
    let area = match n {
        1 => vec![1.0],
        n if n % 2 == 1 => vec![(half - at) / all, half / all, (at + 1.0) / all],
        _ => vec![0.5, 0.5],
    };
    let mut weights = vec![0.0; area.len() + 2];
    for (at, share) in area.iter().enumerate() {
        for (k, part) in [0.25, 0.5, 0.25].into_iter().enumerate() {
            weights[at + k] += part * share;
        }
    }
    (2 * i as i32 - 1, weights)
}

/// The next level of the chain, as the mip chain's tent makes it.
pub fn tent_level(level: &Level) -> Level {
    let size = (level.size / 2).max(UVec2::ONE);
    let plan = |n: u32, next: u32| (0..next).map(|i| tent_weights(i, n)).collect::<Vec<_>>();
    let (columns, rows) = (plan(level.size.x, size.x), plan(level.size.y, size.y));
    let mut texels = Vec::with_capacity((size.x * size.y) as usize);
    for (top, down) in &rows {
        for (left, along) in &columns {
            let mut sum = Vec3::ZERO;
            for (y, v) in (*top..).zip(down) {
                for (x, u) in (*left..).zip(along) {
                    sum += level.clamped(IVec2::new(x, y)) * (u * v);
                }
            }
            texels.push(sum);
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
    use super::super::preblur::{Read, blur_area, preblur};
    use super::*;
    use crate::base::difference::largest;

    /// Odd at every level.
    const SIZE: UVec2 = UVec2::new(159, 161);

    /// Text-like detail: bars of several widths, a checker, a disc.
    fn detail(size: UVec2) -> Level {
        let mut texels = Vec::new();
        for y in 0..size.y {
            for x in 0..size.x {
                let bars = (x * x / 97 + y / 9) % 2 == 0;
                let checker = (x / 3 + y / 3) % 2 == 0;
                let disc = Vec2::new(x as f32 - 90.0, y as f32 - 80.0).length() < 30.0;
                let v = if disc {
                    1.0
                } else if x > size.x / 2 {
                    f32::from(u8::from(checker))
                } else {
                    f32::from(u8::from(bars)) * 0.7
                };
                texels.push(Vec3::new(v, 1.0 - v, 0.3 + 0.4 * v));
            }
        }
        Level { size, texels }
    }

    fn psnr(sigma: f32, read: impl Fn(&Picture, Vec2) -> Vec3) -> f32 {
        let linear = detail(SIZE);
        let chain = tent_chain(linear.clone());
        let truth = gaussian(&linear, sigma);
        let picture = Picture { encoded: linear, chain };
        let (mut error, mut count) = (0.0, 0.0);
        for y in 24..136 {
            for x in 24..136 {
                let point = Vec2::new(x as f32 + 0.37, y as f32 + 0.61);
                let want = encoded_from_linear(truth.sample(point / SIZE.as_vec2()));
                error += (read(&picture, point).max(Vec3::ZERO) - Vec3::ZERO).distance_squared(want);
                count += 3.0;
            }
        }
        -10.0 * (error / count).log10()
    }

    fn read_preblur(sigma: f32, read: Read) -> impl Fn(&Picture, Vec2) -> Vec3 {
        let linear = tent_chain(detail(SIZE));
        let plan = preblur(sigma, read, linear.len() as u32, SIZE);
        let made = blur_area(&linear, &plan, (IVec2::ZERO, SIZE.as_ivec2()));
        move |_, p| {
            let uv = made.uv(p);
            encoded_from_linear(if read == Read::Spline {
                sample_spline(&made.level, uv)
            } else {
                made.level.sample(uv)
            })
        }
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
        let slide = |sigmas: &[f32], bound: f64| {
            let mut last = read_row(sigmas[0]);
            for &sigma in &sigmas[1..] {
                let now = read_row(sigma);
                let steps = last.iter().zip(&now).map(|(a, b)| f64::from((*a - *b).abs().max_element()) * 255.0);
                let worst = largest(steps);
                assert!(worst < bound, "to sigma {sigma}: {worst}");
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
        let dot = Level::filled(UVec2::ONE, Vec3::ONE);
        let picture = Picture { encoded: dot.clone(), chain: vec![dot] };
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
