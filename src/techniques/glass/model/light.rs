//! Lights of the glass and their tone, as the shaders take them.

use crate::gpu_consts;
use glam::{Vec2, Vec3};

/// Lights, shadow and tone; lengths are pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Light {
    /// Unit vector on the screen that points to the light.
    pub axis: Vec2,
    /// Colour of the light, the strongest channel 1.
    pub color: Vec3,
    /// Half-way vector between the light, low over the screen, and the eye: its part along the axis, and upwards.
    pub halfway: Vec2,
    /// Width of the rim light.
    pub rim_width: f32,
    /// Strength of the rim light.
    pub rim: f32,
    /// Strength of the gloss on the bevel.
    pub gloss: f32,
    /// Strength of the light gathered on the far side.
    pub caustic: f32,
    /// Strength of the mirrored surroundings.
    pub mirror: f32,
    /// Dispersion of gloss and caustic, 0..0.9; see [`fire`].
    pub fire: f32,
    /// Shadow and contour.
    pub shadow: Shadow,
    /// Tone of the picture seen through the glass.
    pub tone: Tone,
    /// Glow of the pressed place.
    pub glow: Glow,
}

/// Shadow and contour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shadow {
    /// Darkness straight below.
    pub darkness: f32,
    /// Softness.
    pub sigma: f32,
    /// Offset downwards.
    pub drop: f32,
    /// Darkness of the line around the glass.
    pub contour: f32,
}

/// Tone of the picture seen through the glass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tone {
    /// Saturation; 1 leaves it.
    pub saturation: f32,
    /// Colour of the glass, linear light.
    pub tint: Vec3,
    /// Part of the tint in the final colour, 0..1.
    pub part: f32,
    /// Transmittance through the whole thickness; above 0.
    pub body: Vec3,
    /// Strength of the adaptation to the brightness of the picture, 0..1.
    pub adaptive: f32,
}

/// Light that spreads in the glass from where the pointer presses it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Glow {
    /// Place, pixels.
    pub place: Vec2,
    /// Distance at which half of it is left, pixels; above 0.
    pub reach: f32,
    /// Strength; 0: none.
    pub strength: f32,
}

impl Glow {
    /// None.
    pub const NONE: Glow = Glow { place: Vec2::ZERO, reach: 1.0, strength: 0.0 };
}

gpu_consts! { "glass/light.glsl":
    /// Luminance weights of linear Rec. 709 light.
    pub const LUMA: Vec3 = Vec3::new(0.2126, 0.7152, 0.0722);
}

/// Elevation of the light over the screen, radians.
pub const ELEVATION: f32 = 0.12;

gpu_consts! { "glass/light.glsl":
    /// Width of the contour outside the edge, pixels.
    pub const CONTOUR_WIDTH: f32 = 0.9;
}

/// The shadow ends where it is this many sigma away: there it is under half a display step.
pub const SHADOW_REACH: f32 = 2.6;

impl Light {
    /// Axis and half-way vector for a light at `azimuth` radians, clockwise from the right as seen on the screen.
    pub fn directions(azimuth: f32) -> (Vec2, Vec2) {
        (Vec2::new(azimuth.cos(), azimuth.sin()), Light::halfway(ELEVATION))
    }

    /// Half-way vector for a light at `elevation` radians over the screen.
    pub fn halfway(elevation: f32) -> Vec2 {
        Vec2::new(elevation.cos(), elevation.sin() + 1.0).normalize()
    }
}

/// Dispersion of lights by glass whose index differs by `relative` of its excess over 1 between green and either end of the
/// spectrum, that is by half of one over the Abbe number: not at all from an Abbe number of 25 on, above which all clear glasses are
/// to the eye.
pub fn fire(relative: f32) -> f32 {
    (3.3 * (relative - 0.02)).clamp(0.0, 0.9)
}

/// Degree to which a tint is a thin white veil, 0..1: that takes on the hue of the picture below. A colour of its own keeps that, and so
/// does a tint that is there to cover.
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
