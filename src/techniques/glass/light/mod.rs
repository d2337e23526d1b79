//! Lights of the glass and their tone, as the shaders take them.

pub mod look_turn;
pub mod luminance_adaptation;

use crate::gpu_consts;
use glam::{Vec2, Vec3};

/// Lengths are pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Light {
    /// Unit vector to the light.
    pub axis: Vec2,
    /// The strongest channel is 1.
    pub color: Vec3,
    /// Along the axis, and upwards.
    pub halfway: Vec2,
    pub rim_width: f32,
    pub rim: f32,
    pub gloss: f32,
    pub caustic: f32,
    pub mirror: f32,
    /// 0..0.9; see [`fire`].
    pub fire: f32,
    pub shadow: Shadow,
    pub tone: Tone,
    pub glow: Glow,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shadow {
    pub darkness: f32,
    pub sigma: f32,
    /// Downwards.
    pub drop: f32,
    pub contour: f32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tone {
    /// Saturation; 1 leaves it.
    pub saturation: f32,
    /// Linear light.
    pub tint: Vec3,
    /// 0..1.
    pub part: f32,
    /// Transmittance through the whole thickness; above 0.
    pub body: Vec3,
    /// 0..1.
    pub adaptive: f32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Glow {
    /// Pixels.
    pub place: Vec2,
    /// Pixels at which half of it is left; above 0.
    pub reach: f32,
    pub strength: f32,
}

impl Glow {
    pub const NONE: Glow = Glow { place: Vec2::ZERO, reach: 1.0, strength: 0.0 };
}

gpu_consts! { "include/luma.glsl":
    /// Rec. 709.
    pub const LUMA: Vec3 = Vec3::new(0.2126, 0.7152, 0.0722);
}

/// Radians over the screen.
pub const ELEVATION: f32 = 0.12;

/// In sigma: there it is under half a display step.
pub const SHADOW_REACH: f32 = 2.6;

gpu_consts! { "glass/light.glsl":
    const RIM_SWELL: f32 = 0.8;
    /// In widths of the rim.
    const COMPANION_WIDTH: f32 = 3.2;
}

impl Light {
    /// Pixels inwards of rim and companion.
    pub fn rim_reach(&self) -> f32 {
        self.rim_width * (1.0 + RIM_SWELL + COMPANION_WIDTH) + 0.5
    }

    /// Axis and half-way vector; `azimuth`: radians, clockwise from the right.
    pub fn directions(azimuth: f32) -> (Vec2, Vec2) {
        (Vec2::new(azimuth.cos(), azimuth.sin()), Light::halfway(ELEVATION))
    }

    /// Radians over the screen.
    pub fn halfway(elevation: f32) -> Vec2 {
        Vec2::new(elevation.cos(), elevation.sin() + 1.0).normalize()
    }
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
