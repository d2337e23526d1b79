//! The complete lens: one pixel from outline to display value.

use super::blur::{
    FROST_SIGMA, SHARP_SIGMA, blur_boxes, blur_kawase, kawase, lod_from_sigma, sample_bicubic, sample_box81,
    sample_spline, sample_window,
};
use super::light::{Light, absorbed, dither, glowing, left_outside, light_bevel, tone};
use super::luminance_adaptation;
use super::optics::{Optics, Sight, row, row_place, row_weight, sight};
use super::picture::{Level, Picture, encoded_from_linear};
use super::preblur::{Frosted, Read, Region, blur_area, preblur};
use super::shape::{Edge, Lenses, band, coverage, edge};
use super::surface::Bevel;
use super::text_contrast::{Lattice, Legible, Shades};
use crate::gpu_consts;
use glam::{IVec2, UVec2, Vec2, Vec3};

/// Blur method of the frost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blur {
    /// The source's 81 taps, stretched.
    Box81,
    /// One trilinear tap of the chain.
    Trilinear,
    /// B-splines on two levels of the chain.
    Bicubic,
    /// A window of 6 by 6 texels in 9 taps.
    Window,
    /// Dual Kawase, then one bilinear tap.
    Kawase,
    /// Pre-blur, then one bilinear tap.
    PreblurBilinear,
    /// Pre-blur, then a B-spline of four taps.
    Preblur,
    /// Three boxes beforehand, then one bilinear tap.
    Table,
}

/// Everything that the pixels of the glass depend on; lengths are pixels of the window.
#[derive(Clone, Debug)]
pub struct Glass {
    /// The outlines.
    pub lenses: Lenses,
    /// The bevel.
    pub bevel: Bevel,
    /// The material.
    pub optics: Optics,
    /// Sigma of the frost.
    pub frost: f32,
    /// Blur method of the frost.
    pub blur: Blur,
    /// Whether only the tiles of the lenses are drawn; the result is the same.
    pub is_bounded: bool,
    /// Light and tone.
    pub light: Light,
    /// Shade for legible text, if requested.
    pub legible: Option<Legible>,
}

impl Glass {
    /// The same with fields of words as fine as the GPU's.
    pub fn refined(mut self) -> Glass {
        for letters in self.lenses.lens.iter_mut().filter_map(|lens| lens.letters.as_mut()) {
            *letters = letters.refined();
        }
        self
    }
}

/// A picture with the frost ready to be read.
pub struct FrostedPicture<'a> {
    picture: &'a Picture,
    frosted: Option<Frosted>,
    shades: Option<Shades>,
}

impl<'a> FrostedPicture<'a> {
    /// Blurs what `glass` needs beforehand.
    pub fn new(picture: &'a Picture, glass: &Glass) -> FrostedPicture<'a> {
        let reach = IVec2::splat(glass.longest_offset().ceil() as i32);
        let shown = (-reach, picture.size().as_ivec2() + reach);
        let made = || made_before(picture, glass.blur, glass.frost, shown);
        let lattice = Lattice::around(shown.0, shown.1);
        let shades = glass.legible.map(|legible| Shades::of(picture, glass, &legible, lattice));
        FrostedPicture { picture, frosted: (glass.frost > SHARP_SIGMA).then(made).flatten(), shades }
    }

    /// Final colour at `frag`, where the glass shows the picture at `base`: shaded for text, and lit where it is pressed.
    fn finished(&self, c: Vec3, base: Vec2, frag: Vec2, glass: &Glass) -> Vec3 {
        let c = self.shades.as_ref().map_or(c, |shades| shades.over(c, base));
        glowing(c, frag, &glass.light)
    }

    /// The part of the shade for text that is put on at a pixel.
    pub fn shade_at(&self, point: Vec2) -> f32 {
        self.shades.as_ref().map_or(0.0, |shades| shades.at(point))
    }

    /// The picture as the glass shows it at `point`: frosted, and blurred further by the footprint of the bevel.
    pub fn look(&self, point: Vec2, extra: f32, glass: &Glass) -> Vec3 {
        let sigma = (glass.frost * glass.frost + extra * extra).sqrt();
        if glass.blur == Blur::Box81 {
            return sample_box81(self.picture, point, sigma);
        }
        let plain = || self.picture.sample(point, lod_from_sigma(sigma));
        let part = frosted_part(extra, glass);
        if glass.frost <= SHARP_SIGMA || glass.blur == Blur::Trilinear || part <= 0.0 {
            return plain();
        }
        let blurred = read_blurred(self.picture, self.frosted.as_ref(), glass.blur, point, sigma * sigma);
        if part >= 1.0 { blurred } else { plain().lerp(blurred, part) }
    }
}

/// Image that a blur method makes of the picture beforehand, if any; large enough to read `shown`.
pub fn made_before(picture: &Picture, blur: Blur, sigma: f32, shown: Region) -> Option<Frosted> {
    let read = match blur {
        Blur::Preblur => Read::Spline,
        Blur::PreblurBilinear => Read::Bilinear,
        Blur::Kawase => {
            let level = blur_kawase(&picture.chain[0], &kawase(sigma, picture.chain.len() as u32));
            return Some(Frosted { level, spacing: Vec2::ONE, first: Vec2::ZERO });
        }
        Blur::Table => return Some(blur_boxes(&picture.chain[0], sigma, (shown.0 - 1, shown.1 + 1))),
        Blur::Box81 | Blur::Trilinear | Blur::Bicubic | Blur::Window => return None,
    };
    let plan = preblur(sigma, read, picture.chain.len() as u32, picture.size());
    Some(blur_area(&picture.chain, &plan, shown))
}

/// The blurred picture at a point; `made` is what [`made_before`] gave.
pub fn read_blurred(picture: &Picture, made: Option<&Frosted>, blur: Blur, point: Vec2, variance: f32) -> Vec3 {
    match (blur, made) {
        (Blur::Preblur, Some(made)) => sample_spline(&made.level, made.uv(point)),
        (Blur::PreblurBilinear | Blur::Kawase | Blur::Table, Some(made)) => made.level.sample(made.uv(point)),
        (Blur::Bicubic, _) => sample_bicubic(picture, point, variance),
        (Blur::Window, _) => sample_window(picture, point, variance),
        (Blur::Box81, _) => sample_box81(picture, point, variance.sqrt()),
        _ => picture.sample(point, lod_from_sigma(variance.sqrt())),
    }
}

/// Part of the pre-blurred picture in the frost: none while the frost is a pixel's width, less where the footprint of the
/// bevel is wider than the frost (there the chain is read).
pub fn frosted_part(extra: f32, glass: &Glass) -> f32 {
    let frosted = smoothstep(SHARP_SIGMA, FROST_SIGMA, glass.frost);
    if matches!(glass.blur, Blur::Bicubic | Blur::Window) {
        return frosted; // these take the footprint in
    }
    frosted * (1.0 - smoothstep(0.5, 1.5, extra / glass.frost.max(1e-3)))
}

gpu_consts! { "glass/inside.glsl":
    /// Mip level of the surroundings that the rim mirrors, and how far outwards they are looked up.
    pub const AROUND_LOD: f32 = 4.0;
    /// Distance outwards at which the surroundings are looked up, as a part of the bevel's width.
    pub const AROUND_REACH: f32 = 0.75;
}

/// The encoded colour of one pixel, or nothing where the glass leaves the picture untouched. `frag` is the pixel's middle.
pub fn shade(below: &FrostedPicture, glass: &Glass, frag: Vec2) -> Option<Vec3> {
    let e = edge(&glass.lenses, frag);
    let cover = coverage(e.d);
    let outside = if cover < 1.0 {
        let dropped = edge(&glass.lenses, frag - Vec2::new(0.0, glass.light.shadow_drop));
        left_outside(dropped.d, e.d, &glass.light)
    } else {
        1.0
    };
    if cover <= 0.0 && outside >= 1.0 {
        return None;
    }
    let mut c = Vec3::ZERO;
    if cover < 1.0 {
        c = below.picture.sample(frag, 0.0) * outside;
    }
    if cover > 0.0 {
        c = c.lerp(inside(below, glass, frag, &e), cover);
    }
    Some(dither(encoded_from_linear(c.clamp(Vec3::ZERO, Vec3::ONE)), frag))
}

/// Linear light that leaves the glass at `frag`.
pub fn inside(below: &FrostedPicture, glass: &Glass, frag: Vec2, e: &Edge) -> Vec3 {
    let tilt = e.n.length();
    let base = frag + e.pull;
    let bright = luminance_adaptation::brightness(&glass.lenses, frag);
    let gain = luminance_adaptation::gain(glass.light.adaptive, bright);
    // Half a pixel further out than its middle, a pixel may still see the bevel.
    if -e.d >= e.bevel + 0.5 {
        let seen = tone(below.look(base, 0.0, glass) * glass.light.body, bright, &glass.light) * gain;
        return below.finished(seen, base, frag, glass);
    }
    let sight = sight(e.d, e.bevel, tilt, &glass.bevel, &glass.optics);
    let n = e.n / tilt.max(1e-3);
    let seen = refracted(below, glass, base, n, &sight, 1.0 - sight.offset * e.curl);
    let around = below.picture.sample(frag + n * (AROUND_REACH * e.bevel), AROUND_LOD);
    let facing = n.dot(glass.light.axis);
    let rim = band(e.d, glass.light.rim_width);
    let lean = luminance_adaptation::lean(glass.light.adaptive, bright);
    let light = &glass.light;
    let seen = seen * absorbed(sight.surface.h, light.body);
    let seen = below.finished(tone(seen, bright, light) * gain, base, frag, glass);
    light_bevel(seen, around, &sight.surface, facing, rim, lean, glass.optics.eta, light)
}

/// The picture seen through the bevel: a row of looks, one where the picture is neither squeezed nor parted.
fn refracted(below: &FrostedPicture, glass: &Glass, base: Vec2, n: Vec2, sight: &Sight, across: f32) -> Vec3 {
    let row = row(sight, across, &glass.optics, glass.frost);
    let (mut sum, mut weight) = (Vec3::ZERO, Vec3::ZERO);
    for i in 0..row.count {
        let x = if row.count == 1 { 0.0 } else { row_place(i, &row) };
        let w = row_weight(x, &row);
        sum += w * below.look(base - n * (sight.offset + x), row.extra, glass);
        weight += w;
    }
    sum / weight
}

/// A whole picture with the glass over it, in display values.
pub fn render(picture: &Picture, glass: &Glass) -> Level {
    let below = FrostedPicture::new(picture, glass);
    let size: UVec2 = picture.size();
    let mut out = picture.encoded.clone();
    for y in 0..size.y {
        for x in 0..size.x {
            if let Some(c) = shade(&below, glass, Vec2::new(x as f32 + 0.5, y as f32 + 0.5)) {
                out.texels[(y * size.x + x) as usize] = c.clamp(Vec3::ZERO, Vec3::ONE);
            }
        }
    }
    out
}

/// Hermite step from 0 at `low` to 1 at `high`.
pub fn smoothstep(low: f32, high: f32, x: f32) -> f32 {
    let t = ((x - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}
