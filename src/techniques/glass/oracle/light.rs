//! What light does to the glass: shadow and contour around it, rim light, gloss, caustic, tint, and the last half step of dither.

use super::optics::fresnel;
use super::surface::Surface;
use glam::{Vec2, Vec3};

/// Lights, shadow and tone; lengths are pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Light {
    /// Unit vector on the screen that points to the light.
    pub axis: Vec2,
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
    /// Darkness of the shadow straight below.
    pub shadow: f32,
    /// Softness (sigma) of the shadow.
    pub shadow_sigma: f32,
    /// How far down the shadow falls.
    pub shadow_drop: f32,
    /// Darkness of the line around the glass.
    pub contour: f32,
    /// Colour strength of what is seen through the glass; 1 leaves it.
    pub saturation: f32,
    /// Colour of the glass, linear light.
    pub tint: Vec3,
    /// Part of the tint in what is seen, 0..1.
    pub tint_part: f32,
    /// How much the glass suits the brightness of the picture, 0..1.
    pub adaptive: f32,
}

/// Luminance weights of linear Rec. 709 light.
pub const LUMA: Vec3 = Vec3::new(0.2126, 0.7152, 0.0722);
/// Elevation of the light over the screen, radians.
pub const ELEVATION: f32 = 0.12;
/// Rim light all around, of the lobe towards the light, and of the lobe where the light leaves.
const RIM_BASE: f32 = 0.4;
const RIM_NEAR: f32 = 0.6;
const RIM_FAR: f32 = 0.45;
/// Width of the contour outside the edge, pixels.
pub const CONTOUR_WIDTH: f32 = 0.9;
/// The shadow ends where it is this many sigma away: there it is under half a display step.
pub const SHADOW_REACH: f32 = 2.6;
/// The part of the Gaussian integral that lies beyond [`SHADOW_REACH`], taken off so that the shadow ends at zero.
const SHADOW_TAIL: f32 = 0.0047;

impl Light {
    /// Axis and half-way vector for a light at `azimuth` radians, clockwise from the right as seen on the screen.
    pub fn directions(azimuth: f32) -> (Vec2, Vec2) {
        let half = Vec2::new(ELEVATION.cos(), ELEVATION.sin() + 1.0).normalize();
        (Vec2::new(azimuth.cos(), azimuth.sin()), half)
    }
}

/// Part of a Gaussian of unit sigma above `x`, that is erfc(x/sqrt 2)/2, by the logistic fit of Bowling et al. (2009),
/// within 2e-4; less its tail, so that it is zero from [`SHADOW_REACH`] on.
pub fn shade_above(x: f32) -> f32 {
    let z = x * (1.5976 + 0.070_56 * x * x);
    (1.0 / (1.0 + z.min(40.0).exp()) - SHADOW_TAIL).max(0.0)
}

/// Light that is left outside the glass: shadow by the distance of the dropped outline, contour by that of the outline.
pub fn left_outside(dropped_d: f32, d: f32, light: &Light) -> f32 {
    let shadow = light.shadow * shade_above(dropped_d / light.shadow_sigma);
    // The pixel's overlap with a line of constant width just outside the edge.
    let line = ((d + 0.5).min(CONTOUR_WIDTH) - (d - 0.5).max(0.0)).clamp(0.0, 1.0);
    (1.0 - shadow) * (1.0 - light.contour * line)
}

/// Tone of what is seen through the glass.
pub fn tone(c: Vec3, light: &Light) -> Vec3 {
    let grey = Vec3::splat(c.dot(LUMA));
    grey.lerp(c, light.saturation).max(Vec3::ZERO).lerp(light.tint, light.tint_part)
}

/// Sharpness of the gloss, the Blinn-Phong exponent: 48, by squaring, which costs less than a power.
fn to_the_48th(x: f32) -> f32 {
    let x2 = x * x;
    let x4 = x2 * x2;
    let x8 = x4 * x4;
    let x16 = x8 * x8;
    x16 * x16 * x16
}

/// The lit bevel: `seen` through it, `outer` the blurred surroundings outwards, `facing` the cosine between the outline's
/// direction and the light, `rim` the coverage of the rim band, `lean` what is added to the brightness that darkens the rim, and to how much it does.
#[expect(clippy::too_many_arguments, reason = "a formula, not an interface")]
pub fn light_bevel(
    seen: Vec3,
    outer: Vec3,
    surface: &Surface,
    facing: f32,
    rim: f32,
    lean: f32,
    eta: f32,
    light: &Light,
) -> Vec3 {
    let s = surface.s;
    let bright = outer.dot(LUMA).min(1.0);
    // Fresnel: the surroundings, brighter towards the light.
    let mirrored = (fresnel(s, eta) * light.mirror).min(1.0);
    let mut c = seen.lerp(outer * (1.0 + 0.5 * facing), mirrored);
    // Gloss: Blinn-Phong with the low light, on the lit side of the bevel.
    let toward = (light.halfway.x * facing * s + light.halfway.y) / (1.0 + s * s).sqrt();
    let gloss = light.gloss * to_the_48th(toward.max(0.0)) * s.min(1.0);
    // Caustic: light that went through gathers on the far side, inside the bevel.
    let far = (-facing).max(0.0);
    let t = surface.t;
    let gather = 4.0 * t * (1.0 - t);
    let caustic = light.caustic * far * far * gather * gather;
    // Light takes the colour of what it passes, with some white of its own.
    c += (outer * 0.75 + 0.25) * gloss + (outer * 0.92 + 0.08) * caustic;
    // Rim: one lobe towards the light, one where the light leaves; on bright surroundings it darkens instead.
    let lobe = facing * facing;
    let strength = light.rim * rim * (RIM_BASE + if facing > 0.0 { RIM_NEAR } else { RIM_FAR } * lobe * facing.abs());
    let glow = (outer * 0.4 + 0.6).max(c);
    let dark = ((bright + lean - 0.6) / 0.35).clamp(0.0, 1.0);
    let dark = dark * dark * (3.0 - 2.0 * dark);
    let lit = c.lerp(glow, strength.min(1.0) * (1.0 - dark));
    lit * (1.0 - (0.5 + lean) * light.rim * rim * dark * (1.0 - 0.7 * lobe)).max(0.0)
}

/// Interleaved gradient noise (Jimenez 2014) at a pixel, 0..1.
pub fn noise(pixel: Vec2) -> f32 {
    fract(52.982_918 * fract(pixel.dot(Vec2::new(0.067_110_56, 0.005_837_15))))
}

/// Half an 8-bit step of dither to either side, on display values.
pub fn dither(encoded: Vec3, pixel: Vec2) -> Vec3 {
    encoded + (noise(pixel) - 0.5) / 255.0
}

fn fract(x: f32) -> f32 {
    x - x.floor()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shade_is_the_gaussian_integral() {
        // Reference by summing the density.
        for i in -30..=26 {
            let x = i as f32 * 0.1;
            let sum: f64 = (0..100_000)
                .map(|k| f64::from(x) + 1e-4 * (k as f64 + 0.5))
                .map(|v| (-0.5 * v * v).exp() * 1e-4 / 2.506_628_274)
                .sum();
            assert!((f64::from(shade_above(x) + SHADOW_TAIL) - sum).abs() < 4e-4, "{x}: {} {sum}", shade_above(x));
        }
        assert_eq!(shade_above(SHADOW_REACH), 0.0);
        assert!(shade_above(-50.0) <= 1.0 && shade_above(500.0) == 0.0);
    }

    #[test]
    fn dither_never_leaves_its_step() {
        for i in 0..1000 {
            let pixel = Vec2::new((i * 7 % 1280) as f32 + 0.5, (i * 13 % 720) as f32 + 0.5);
            let code = (i % 256) as f32;
            let got = dither(Vec3::splat(code / 255.0), pixel).x * 255.0;
            assert!((got - code).abs() <= 0.5 + 1e-3);
        }
    }
}
