//! Shade for legible light text on glass, where the picture is too bright. Contrast is WCAG's (text + 0.05) / (ground +
//! 0.05).

use glam::{IVec2, UVec2, Vec2};
use gpu::gpu_consts;

/// Least for text that is not large (1.4.3).
const CONTRAST: f32 = 4.5;
gpu_consts! { "glass/text_contrast.glsl":
    /// Pixels: about a letter.
    pub const CELL: f32 = 8.0;
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Legible {
    /// Largest luminance below text.
    pub ground: f32,
    /// 0..1.
    pub strength: f32,
}

impl Legible {
    pub fn of_ink(luminance: f32) -> Legible {
        Legible { ground: (luminance + 0.05) / CONTRAST - 0.05, strength: 1.0 }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lattice {
    /// Half a cell left of and above the first corner.
    pub first: Vec2,
    pub size: UVec2,
}

impl Lattice {
    pub fn around(low: IVec2, high: IVec2) -> Lattice {
        let cell = CELL as i32;
        let first = low.div_euclid(IVec2::splat(cell));
        let size = (high - first * cell).max(IVec2::ONE).as_uvec2().map(|side| side.div_ceil(cell as u32) + 1);
        Lattice { first: (first * cell).as_vec2() - 0.5 * CELL, size }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pixel_of_a_part_lies_between_corners() {
        for (low, high) in [((0, 0), (8, 8)), ((-13, 5), (40, 6)), ((3, -1), (4, 95))] {
            let (low, high) = (IVec2::from(low), IVec2::from(high));
            let lattice = Lattice::around(low, high);
            let corner = |at: UVec2| lattice.first + (at.as_vec2() + 0.5) * CELL;
            let (first, last) = (corner(UVec2::ZERO), corner(lattice.size - 1));
            assert!(first.cmple(low.as_vec2()).all() && last.cmpge(high.as_vec2()).all(), "{low} {high} {lattice:?}");
            assert!(first.cmpgt(low.as_vec2() - CELL).all(), "{low} {lattice:?}");
        }
    }
}
