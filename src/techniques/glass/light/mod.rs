//! Lights on the glass: where they come from, and how far they reach.

pub mod look_turn;
pub mod luminance_adaptation;

use glam::{Vec2, Vec3};
use gpu::gpu_consts;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SceneLight {
    pub toward: Vec3,
    /// The strongest channel is 1.
    pub color: Vec3,
}

gpu_consts! { "include/luma.glsl":
    /// Rec. 709.
    pub const LUMA: Vec3 = Vec3::new(0.2126, 0.7152, 0.0722);
}

/// Radians over the screen.
const ELEVATION: f32 = 0.12;

/// In sigma: there it is under half a display step.
pub const SHADOW_REACH: f32 = 2.6;

gpu_consts! { "glass/light.glsl":
    const RIM_SWELL: f32 = 0.8;
    /// In widths of the rim.
    const COMPANION_WIDTH: f32 = 3.2;
}

/// Pixels inwards of a rim and its companion.
pub fn rim_reach(width: f32) -> f32 {
    width * (1.0 + RIM_SWELL + COMPANION_WIDTH) + 0.5
}

/// Axis and half-way vector; `azimuth`: radians, clockwise from the right.
pub fn directions(azimuth: f32) -> (Vec2, Vec2) {
    (Vec2::new(azimuth.cos(), azimuth.sin()), halfway(ELEVATION))
}

/// Radians over the screen.
pub fn halfway(elevation: f32) -> Vec2 {
    Vec2::new(elevation.cos(), elevation.sin() + 1.0).normalize()
}

/// `relative`: half of one over the Abbe number. 0 from an Abbe number of 25 on, above which clear glasses look alike.
pub fn fire(relative: f32) -> f32 {
    (3.3 * (relative - 0.02)).clamp(0.0, 0.9)
}

/// How far a tint is a thin white veil, 0..1, which takes on the picture's hue.
pub fn veil(tint: Vec3, part: f32) -> f32 {
    let whiteness = tint.min_element() / tint.max_element().max(1e-6);
    whiteness * (1.0 - part).powi(8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_real_glass_parts_its_lights() {
        for (abbe, parts) in [(90.0, false), (26.0, false), (25.0, false), (8.0, true), (2.0, true)] {
            assert_eq!(fire(0.5 / abbe) > 1e-6, parts, "{abbe}");
        }
        assert_eq!((fire(0.0), fire(9.0)), (0.0, 0.9));
    }
}
