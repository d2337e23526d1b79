//! Frost: a true Gaussian, and the methods that are something else by design.

use super::optics::SHARP_SIGMA;
use super::picture::{Level, Picture};
use crate::settings::Blur;
use base::boxes::Boxes;
use glam::{IVec2, UVec2, Vec2, Vec3};

pub struct Blurred<'a> {
    picture: &'a Picture,
    blur: Blur,
    made: Option<Level>,
}

impl<'a> Blurred<'a> {
    /// A pre-blur is the Gaussian that it approximates, less the read after it, and no sharper than that read: a third
    /// of a texel's variance.
    pub fn new(picture: &'a Picture, blur: Blur, sigma: f64) -> Self {
        let (level, variance) = (&picture.chain[0], (sigma * sigma) as f32);
        let made = match blur {
            Blur::Preblur => Some(gaussian(level, (variance.max(1.0 / 3.0) - 1.0 / 6.0).sqrt())),
            Blur::Kawase => Some(kawase(level, sigma as f32, picture.chain.len())),
            Blur::Table => Some(boxes(level, sigma as f32)),
            Blur::Box81 | Blur::Trilinear | Blur::Bicubic => None,
        };
        Self { picture, blur, made }
    }

    /// By `sigma`, where the method allows one for each point.
    pub fn at(&self, point: Vec2, sigma: f64) -> Vec3 {
        let (picture, variance) = (self.picture, (sigma * sigma) as f32);
        if let Some(made) = &self.made {
            return made.sample(point / picture.size().as_vec2());
        }
        match self.blur {
            Blur::Box81 => box81(picture, point, sigma as f32),
            Blur::Bicubic => bicubic(picture, point, variance),
            _ => picture.sample(point, lod_from_sigma(sigma as f32)),
        }
    }

    /// The bevel's footprint adds `extra` pixels. There is no frost up to half a pixel, and no pre-blur where the
    /// footprint is wider.
    pub fn frosted(&self, point: Vec2, frost: f64, extra: f64) -> Vec3 {
        let sigma = frost.hypot(extra);
        if self.blur == Blur::Box81 {
            return self.at(point, sigma);
        }
        let part = part_of_method(self.blur, frost, extra);
        let plain = self.picture.sample(point, lod_from_sigma(sigma as f32));
        if frost <= SHARP_SIGMA || part == 0.0 { plain } else { plain.lerp(self.at(point, sigma), part as f32) }
    }
}

/// The rest is a trilinear read.
pub fn part_of_method(blur: Blur, frost: f64, extra: f64) -> f64 {
    let over = match blur {
        Blur::Box81 => return 1.0,
        Blur::Bicubic => 0.0,
        _ => smoothstep(0.5, 1.5, extra / frost.max(1e-3)),
    };
    smoothstep(SHARP_SIGMA, 0.9, frost) * (1.0 - over)
}

pub fn smoothstep(low: f64, high: f64, x: f64) -> f64 {
    let t = ((x - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// One trilinear tap: (4^L - 1)/4 of the chain and 4^L/4 of the read are sigma^2.
pub fn lod_from_sigma(sigma: f32) -> f32 {
    0.5 * (2.0 * sigma * sigma + 0.5).max(1.0).log2()
}

/// 9 by 9 points of variance 20/3 of their distance squared.
fn box81(picture: &Picture, point: Vec2, sigma: f32) -> Vec3 {
    let step = sigma / (20.0_f32 / 3.0).sqrt();
    let offset = |at: i32| Vec2::new((at % 9 - 4) as f32, (at / 9 - 4) as f32) * step;
    let look = |at| picture.chain[0].sample((point + offset(at)) / picture.size().as_vec2());
    (0..81).map(look).sum::<Vec3>() / 81.0
}

/// From 2 texels left to 3 right, and the same along y.
fn weighed(level: &Level, uv: Vec2, weight: impl Fn(Vec2) -> Vec2) -> Vec3 {
    let place = uv * level.size.as_vec2() - 0.5;
    let first = place.floor().as_ivec2() - 2;
    let (mut sum, mut all) = (Vec3::ZERO, 0.0);
    for at in 0..36 {
        let texel = first + IVec2::new(at % 6, at / 6);
        let w = weight(texel.as_vec2() - place);
        sum += level.mirrored(texel) * w.x * w.y;
        all += w.x * w.y;
    }
    sum / all
}

/// Two levels: (4^L - 1)/4 of the chain and 4^L/3 of the spline.
fn bicubic(picture: &Picture, point: Vec2, variance: f32) -> Vec3 {
    let weight = |x: f32| match x.abs() {
        x if x < 1.0 => 2.0 / 3.0 - x * x + 0.5 * x * x * x,
        x => (2.0 - x).max(0.0).powi(3) / 6.0,
    };
    let last = picture.chain.len() - 1;
    let lod = (0.5 * ((variance + 0.25) * 12.0 / 7.0).max(1.0).log2()).min(last as f32);
    let read = |level: usize| {
        weighed(&picture.chain[level.min(last)], point / picture.size().as_vec2(), |d| {
            Vec2::new(weight(d.x), weight(d.y))
        })
    };
    read(lod as usize).lerp(read(lod as usize + 1), lod.fract())
}

/// Dual Kawase (Bjorge, SIGGRAPH 2015), the fewest steps whose taps are at most 1.5 times as far apart as usual: step i
/// adds 4^i (1 + 11/6 spread^2) px^2.
fn kawase(level: &Level, sigma: f32, levels: usize) -> Level {
    let most = levels.saturating_sub(1).max(1);
    let spread = |steps: &usize| {
        let one: f32 = (0..*steps as i32).map(|step| 4_f32.powi(step)).sum();
        ((sigma * sigma / one - 1.0) * 6.0 / 11.0).max(0.0).sqrt()
    };
    let steps = (1..=most).find(|steps| spread(steps) <= 1.5).unwrap_or(most);
    let spread = spread(&steps);
    // Ways in texels of the source.
    let each = |from: &Level, size: UVec2, taps: &[(Vec2, f32)]| {
        let all: f32 = taps.iter().map(|(_, weight)| weight).sum();
        let texel = |at: u32| {
            let uv = (UVec2::new(at % size.x, at / size.x).as_vec2() + 0.5) / size.as_vec2();
            taps.iter().map(|(way, w)| from.sample(uv + *way / from.size.as_vec2()) * *w).sum::<Vec3>() / all
        };
        Level { size, texels: (0..size.element_product()).map(texel).collect() }
    };
    let corners = [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)].map(Vec2::from);
    let sides = [Vec2::X, Vec2::NEG_X, Vec2::Y, Vec2::NEG_Y];
    let down: Vec<_> = corners.iter().map(|c| (*c * spread, 1.0)).chain([(Vec2::ZERO, 4.0)]).collect();
    let up = corners.iter().map(|c| (*c * 0.5 * spread, 2.0)).chain(sides.iter().map(|c| (*c * spread, 1.0)));
    let up: Vec<_> = up.collect();
    let (mut sizes, mut now) = (Vec::new(), level.clone());
    for _ in 0..steps {
        sizes.push(now.size);
        now = each(&now, (now.size / 2).max(UVec2::ONE), &down);
    }
    sizes.iter().rev().fold(now, |now, size| each(&now, *size, &up))
}

fn boxes(level: &Level, sigma: f32) -> Level {
    let size = level.size.to_array();
    let texel = |[x, y]: [u32; 2]| level.texels[(y * size[0] + x) as usize].to_array().map(f64::from);
    let made = Boxes::of(sigma).blur(size, texel, [[0; 2], size.map(|n| n as i32)]);
    Level { size: level.size, texels: made.into_iter().map(|c| Vec3::from_array(c.map(|c| c as f32))).collect() }
}

/// Cut at four sigma, mirrored at the border.
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
