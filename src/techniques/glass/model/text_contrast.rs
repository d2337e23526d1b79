//! Shade for legible light text on glass: only where the picture is too bright, and no more than needed.
//!
//! Contrast is that of the Web Content Accessibility Guidelines: (text + 0.05) / (ground + 0.05), of relative luminances.

use super::blur::lod_from_sigma;
use super::lens::Glass;
use super::light::LUMA;
use super::luminance_adaptation;
use super::picture::Picture;
use crate::gpu_consts;
use glam::{IVec2, UVec2, Vec2, Vec3};

/// Least contrast of text that is not large, by the guidelines (1.4.3).
pub const CONTRAST: f32 = 4.5;

gpu_consts! { "glass/text_contrast.glsl":
    /// Side of a cell, pixels: about a letter.
    pub const CELL: f32 = 8.0;
    /// The shade: linear light.
    pub const SHADE: Vec3 = Vec3::new(0.010, 0.012, 0.017);
}

/// Parameters of legible text on glass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Legible {
    /// Largest luminance of the ground below text.
    pub ground: f32,
    /// Strength of the shade, 0..1.
    pub strength: f32,
}

impl Legible {
    /// For text of that luminance.
    #[must_use]
    pub fn of_ink(luminance: f32) -> Legible {
        Legible { ground: (luminance + 0.05) / CONTRAST - 0.05, strength: 1.0 }
    }
}

/// Luminance of the bright parts of a cell: mean and a standard deviation of 4 by 4 looks, as frosted glass shows it.
pub fn bright_parts(picture: &Picture, frost: f32, middle: Vec2) -> f32 {
    // Without frost each look is the mean of four pixels: it is between them.
    let lod = lod_from_sigma(frost);
    let (mut sum, mut squares) = (0.0, 0.0);
    for i in 0..16_u8 {
        let place = middle + (Vec2::new(f32::from(i % 4), f32::from(i / 4)) - 1.5) * (0.25 * CELL);
        let y = picture.sample(place, lod).dot(LUMA).clamp(0.0, 1.0);
        sum += y;
        squares += y * y;
    }
    let mean = sum / 16.0;
    (mean + (squares / 16.0 - mean * mean).max(0.0).sqrt()).min(1.0)
}

/// The luminance seen through the glass: absorbed, tinted, lightened or darkened.
pub fn through_glass(glass: &Glass, y: f32, middle: Vec2) -> f32 {
    let (light, y) = (&glass.light, y * glass.light.body.dot(LUMA));
    let tinted = y + (light.tint.dot(LUMA) - y) * light.tint_part;
    tinted * luminance_adaptation::gain(light.adaptive, luminance_adaptation::brightness(&glass.lenses, middle))
}

/// The part of the shade that a ground of luminance `y` needs.
pub fn needed(y: f32, ground: f32) -> f32 {
    ((y - ground) / (y - SHADE.dot(LUMA)).max(1e-4)).clamp(0.0, 1.0)
}

/// A lattice of corners of cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lattice {
    /// Pixels, from the picture's corner, half a cell left of and above the first corner.
    pub first: Vec2,
    /// Corners across and down.
    pub size: UVec2,
}

impl Lattice {
    /// So large that every pixel of the part from `low` to `high` has corners around it.
    #[must_use]
    pub fn around(low: IVec2, high: IVec2) -> Lattice {
        let cell = CELL as i32;
        let first = low.div_euclid(IVec2::splat(cell));
        let size = (high - first * cell).max(IVec2::ONE).as_uvec2().map(|side| side.div_ceil(cell as u32) + 1);
        Lattice { first: (first * cell).as_vec2() - 0.5 * CELL, size }
    }

    /// The corner in this column and row, pixels.
    fn corner(&self, at: UVec2) -> Vec2 {
        self.first + (at.as_vec2() + 0.5) * CELL
    }
}

/// The shade at every corner of a lattice: as much as the brightest of the four cells around it needs, so that each cell has enough
/// wherever in it one looks.
#[derive(Clone, Debug)]
pub struct Shades {
    lattice: Lattice,
    parts: Vec<f32>,
}

impl Shades {
    /// Shade of a glass with legible text.
    pub fn of(picture: &Picture, glass: &Glass, legible: &Legible, lattice: Lattice) -> Shades {
        let shown = |middle| through_glass(glass, bright_parts(picture, glass.frost, middle), middle);
        let cell = |middle| needed(shown(middle), legible.ground);
        let around = [(-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5)].map(|(x, y)| Vec2::new(x, y) * CELL);
        let part = |at: UVec2| {
            let corner = lattice.corner(at);
            legible.strength * around.iter().map(|way| cell(corner + *way)).fold(0.0, f32::max)
        };
        let corners = (0..lattice.size.y).flat_map(|y| (0..lattice.size.x).map(move |x| UVec2::new(x, y)));
        Shades { lattice, parts: corners.map(part).collect() }
    }

    /// The part of the shade at a pixel.
    pub fn at(&self, point: Vec2) -> f32 {
        let place = (point - self.lattice.first) / CELL - 0.5;
        let (low, part) = (place.floor(), place - place.floor());
        let limit = self.lattice.size.as_ivec2() - 1;
        let look = |x: i32, y: i32| {
            let at = (low.as_ivec2() + IVec2::new(x, y)).clamp(IVec2::ZERO, limit).as_uvec2();
            self.parts[(at.y * self.lattice.size.x + at.x) as usize]
        };
        let across = |y| look(0, y) + (look(1, y) - look(0, y)) * part.x;
        across(0) + (across(1) - across(0)) * part.y
    }

    /// Colour seen through the glass with the shade on it.
    pub fn over(&self, c: Vec3, point: Vec2) -> Vec3 {
        c.lerp(SHADE, self.at(point))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_that_is_shaded_has_the_contrast_asked_for_and_no_more() {
        for ink in [1.0, 0.5, 0.3_f32] {
            let ground = Legible::of_ink(ink).ground;
            for y in [0.0, 0.02, 0.1, 0.3, 0.7, 1.0_f32] {
                let part = needed(y, ground);
                let shown = y + (SHADE.dot(LUMA) - y) * part;
                let contrast = (ink + 0.05) / (shown + 0.05);
                assert!(contrast > CONTRAST - 1e-3, "{ink} on {y}: {contrast}");
                assert!(part == 0.0 || contrast < CONTRAST + 1e-3, "{ink} on {y}: {contrast}, more than needed");
            }
        }
    }

    #[test]
    fn every_pixel_of_a_part_lies_between_corners() {
        for (low, high) in [((0, 0), (8, 8)), ((-13, 5), (40, 6)), ((3, -1), (4, 95))] {
            let (low, high) = (IVec2::from(low), IVec2::from(high));
            let lattice = Lattice::around(low, high);
            let (first, last) = (lattice.corner(UVec2::ZERO), lattice.corner(lattice.size - 1));
            assert!(first.cmple(low.as_vec2()).all() && last.cmpge(high.as_vec2()).all(), "{low} {high} {lattice:?}");
            assert!(first.cmpgt(low.as_vec2() - CELL).all(), "{low} {lattice:?}");
        }
    }
}
