//! Lighting of the glass: shadow and contour around it, rim light, gloss, caustic, tint, and the final dither of half a step.

use super::optics::fresnel;
use super::surface::Surface;
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
    /// Darkness of the shadow straight below.
    pub shadow: f32,
    /// Softness (sigma) of the shadow.
    pub shadow_sigma: f32,
    /// Offset of the shadow downwards.
    pub shadow_drop: f32,
    /// Darkness of the line around the glass.
    pub contour: f32,
    /// Saturation of the picture seen through the glass; 1 leaves it.
    pub saturation: f32,
    /// Colour of the glass, linear light.
    pub tint: Vec3,
    /// Part of the tint in the final colour, 0..1.
    pub tint_part: f32,
    /// Transmittance through the whole thickness; above 0.
    pub body: Vec3,
    /// Strength of the adaptation to the brightness of the picture, 0..1.
    pub adaptive: f32,
    /// Glow of the pressed place.
    pub glow: Glow,
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
    /// Rim light all around, of the lobe towards the light, and of the lobe where the light leaves.
    const RIM_BASE: f32 = 0.12;
    const RIM_NEAR: f32 = 0.88;
    const RIM_FAR: f32 = 0.63;
    /// Part of white in the rim light's colour, which else is that of the surroundings, and the light below which those have none.
    const RIM_WHITE: f32 = 0.35;
    const RIM_DARK: f32 = 0.02;
    /// Light below which the picture has no hue that a veil could take on.
    const VEIL_DARK: f32 = 0.002;
    /// Directions of the colours of dispersed light: red one way, blue the other.
    const SPECTRUM: Vec3 = Vec3::new(1.0, 0.0, -1.0);
    /// By what part of the slope the whole spectrum parts the gloss.
    const GLOSS_SPLIT: f32 = 0.5;
    /// Part of white that a spectrum's light has more than one that is not parted: in the light of dark surroundings no colour is seen.
    const FIRE_WHITE: f32 = 0.3;
    /// White in the light of a pressed place, and the part by which it lifts the picture there.
    const GLOW_WHITE: f32 = 0.16;
    const GLOW_LIFT: f32 = 0.5;
    /// Width of the contour outside the edge, pixels.
    pub const CONTOUR_WIDTH: f32 = 0.9;
}

/// The shadow ends where it is this many sigma away: there it is under half a display step.
pub const SHADOW_REACH: f32 = 2.6;

gpu_consts! { "glass/light.glsl":
    /// The part of the Gaussian integral that is beyond [`SHADOW_REACH`], taken off so that the shadow ends at zero.
    const SHADOW_TAIL: f32 = 0.0047;
}

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

/// Degree to which a tint is a thin white veil, 0..1: that takes on the hue of the picture below. A colour of its own keeps that, and so
/// does a tint that is there to cover.
pub fn veil(tint: Vec3, part: f32) -> f32 {
    let whiteness = tint.min_element() / tint.max_element().max(1e-6);
    whiteness * (1.0 - part).powi(8)
}

/// Tone of the picture seen through the glass, of assumed brightness 0 to 1. A veil lifts what is dark in its own hue, and
/// is left out over a bright picture, where it would only make text paler.
pub fn tone(c: Vec3, bright: f32, light: &Light) -> Vec3 {
    let grey = Vec3::splat(c.dot(LUMA));
    let c = grey.lerp(c, light.saturation).max(Vec3::ZERO);
    let veil = veil(light.tint, light.tint_part);
    let hue = (c + VEIL_DARK) / (c.max_element() + VEIL_DARK);
    let tint = (light.tint * Vec3::ONE.lerp(hue, veil)).lerp(c, veil * bright);
    c.lerp(tint, light.tint_part)
}

/// Colour with the light of a pressed place.
pub fn glowing(c: Vec3, frag: Vec2, light: &Light) -> Vec3 {
    let away = (frag - light.glow.place) / light.glow.reach;
    let glow = light.glow.strength * (-away.length_squared().min(24.0)).exp2();
    c + glow * (GLOW_WHITE * light.color + GLOW_LIFT * c)
}

/// Transmittance of the glass at a height, 1 on the face: by Beer and Lambert's law a power of what the
/// whole thickness leaves.
pub fn absorbed(height: f32, body: Vec3) -> Vec3 {
    (Vec3::new(body.x.log2(), body.y.log2(), body.z.log2()) * height).exp2()
}

/// Sharpness of the gloss, the Blinn-Phong exponent: 48, by squaring, which costs less than a power.
fn to_the_48th(x: Vec3) -> Vec3 {
    let x2 = x * x;
    let x4 = x2 * x2;
    let x8 = x4 * x4;
    let x16 = x8 * x8;
    x16 * x16 * x16
}

/// The lit bevel: `seen` through it, `outer` the blurred surroundings outwards, `facing` the cosine between the outline's
/// direction and the light, `rim` the coverage of the rim band, `lean` what is added to the brightness that darkens the rim, and to how
/// much it does.
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
    let fire = light.fire;
    let bright = outer.dot(LUMA).min(1.0);
    // Fresnel: the surroundings, brighter towards the light.
    let mirrored = (fresnel(s, eta) * light.mirror).min(1.0);
    let mut c = seen.lerp(outer * (1.0 + 0.5 * facing), mirrored);
    // Gloss: Blinn-Phong with the low light, on the lit side of the bevel. Each colour has it where the slope is a little another: by
    // the cosine's derivative, which is `turn`.
    let upright = 1.0 / (1.0 + s * s).sqrt();
    let toward = (light.halfway.x * facing * s + light.halfway.y) * upright;
    let turn = (light.halfway.x * facing - light.halfway.y * s) * upright * upright * upright;
    let parted = (toward + SPECTRUM * (GLOSS_SPLIT * fire * s * turn)).max(Vec3::ZERO);
    let gloss = light.gloss * to_the_48th(parted) * s.min(1.0);
    // Caustic: light that went through gathers on the far side, inside the bevel: red nearest to the rim, in bands the narrower the
    // further they are parted.
    let far = (-facing).max(0.0);
    let t = surface.t;
    let focus = t + SPECTRUM * (fire * t * (1.0 - t));
    let gather = 4.0 * focus * (1.0 - focus);
    let gather = gather * Vec3::ONE.lerp(gather * gather, fire);
    let caustic = light.caustic * far * far * gather * gather;
    // Light takes the colour of the glass that it passes, with some white of its own.
    let lit_by = |white: f32| outer.lerp(light.color, white + FIRE_WHITE * fire);
    c += lit_by(0.25) * gloss + lit_by(0.08) * caustic;
    // A spectrum over something bright would be cut off to white: it is dimmed as a whole instead.
    c /= 1.0 + (c.max_element().max(1.0) - 1.0) * fire;
    // Rim: one lobe towards the light, one where the light leaves, in the colour of the surroundings at full brightness; on bright
    // surroundings it darkens instead.
    let lobe = facing * facing;
    let strength = light.rim * rim * (RIM_BASE + if facing > 0.0 { RIM_NEAR } else { RIM_FAR } * lobe * facing.abs());
    let strongest = outer.max_element() + RIM_DARK;
    let glow = ((outer + RIM_DARK) / strongest).lerp(light.color, RIM_WHITE).max(c);
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
    use super::super::surface::{Bevel, surface};
    use super::*;
    use crate::techniques::glass::{GlassSettings, Preset};

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

    /// Light and bevel of a preset.
    fn of(preset: Preset) -> (Light, Bevel, f32) {
        let mut settings = GlassSettings::default();
        preset.apply(&mut settings);
        let glass = settings.glass(&[settings.lens(Vec2::ZERO, 1.0)], 1.0);
        (glass.light, glass.bevel, glass.optics.eta)
    }

    #[test]
    fn the_rim_light_stands_in_two_lobes_and_takes_the_colour_of_the_surroundings() {
        for preset in [Preset::Clear, Preset::Frosted, Preset::Tinted, Preset::Pill] {
            let (light, bevel, eta) = of(preset);
            let edge = surface(-0.5, 27.0, 1.0, &bevel);
            for around in [Vec3::new(0.03, 0.04, 0.2), Vec3::new(0.4, 0.15, 0.05), Vec3::splat(0.1)] {
                let lit = |facing, rim| light_bevel(0.5 * around, around, &edge, facing, rim, 0.0, eta, &light);
                let added = |facing| (lit(facing, 1.0) - lit(facing, 0.0)).dot(LUMA);
                let (near, far, side) = (added(1.0), added(-1.0), added(0.0));
                assert!(
                    side > 0.0 && near > 4.0 * side && far > 3.0 * side,
                    "{preset:?} {around}: {near} {far} {side}"
                );
                for step in 4..=10 {
                    let [less, more] = [step - 1, step].map(|step| step as f32 * 0.1);
                    assert!(added(more) > added(less) && added(-more) > added(-less), "{preset:?} {around}: {more}");
                }
                // A hue of its own, not grey; brighter than anything around.
                let color = lit(1.0, 1.0);
                let [from, to] = [around, color].map(|c| c.min_element() / c.max_element());
                assert!(from > 0.9 || to < 0.75, "{preset:?} {around}: {color}");
                assert!(
                    color.max_element() > 0.8 && (color - around).min_element() > 0.0,
                    "{preset:?} {around}: {color}"
                );
            }
            let page = |rim| light_bevel(Vec3::ONE, Vec3::ONE, &edge, 0.0, rim, 0.0, eta, &light).x;
            assert!(page(1.0) < 0.8 * page(0.0), "on a white page it is a dark line");
        }
    }

    #[test]
    fn strong_dispersion_parts_the_lights_into_spectra_and_clear_glass_does_not() {
        let added = |preset, facing: f32, t: f32, around: f32| {
            let (light, bevel, eta) = of(preset);
            let bare = Light { gloss: 0.0, caustic: 0.0, ..light };
            let (at, around) = (surface(-t * 56.0, 56.0, 1.0, &bevel), Vec3::splat(around));
            let lit = |light| light_bevel(around, around, &at, facing, 0.0, 0.0, eta, light);
            (lit(&light), lit(&light) - lit(&bare))
        };
        let places = || (0..=200).map(|i| i as f32 / 200.0);
        for (facing, t) in [-1.0, -0.6, 0.0, 0.8, 1.0].into_iter().flat_map(|f| places().map(move |t| (f, t))) {
            let (_, clear) = added(Preset::Clear, facing, t, 0.2);
            assert!(clear.max_element() - clear.min_element() < 1e-6, "{facing} {t}: {clear}");
        }
        // Red gathers nearest to the rim, blue nearest to the face; at both ends there is none.
        let peak = |channel: usize| {
            let light = |t: &f32| added(Preset::Prism, -1.0, *t, 0.2).1[channel];
            places().max_by(|a, b| light(a).total_cmp(&light(b))).unwrap_or_default()
        };
        let peaks = [0, 1, 2].map(peak);
        assert!(peaks[0] + 0.1 < peaks[1] && peaks[1] + 0.1 < peaks[2], "{peaks:?}");
        assert!(added(Preset::Prism, -1.0, 1.0, 0.2).1.abs().max_element() < 1e-6);
        // The lit side has one too, and on a white page colours are seen, not more white.
        for (facing, around) in [(-1.0, 0.2), (1.0, 0.2), (-1.0, 1.0), (1.0, 1.0)] {
            let lit = |t: f32| added(Preset::Prism, facing, t, around).0;
            let most = places().map(|t| lit(t).max_element() - lit(t).min_element()).fold(0.0, f32::max);
            let brightest = places().map(|t| lit(t).max_element()).fold(0.0, f32::max);
            assert!(most > 0.05 && brightest < 1.2, "{facing} {around}: {most} {brightest}");
        }
    }

    #[test]
    fn no_real_glass_parts_its_lights() {
        for (abbe, parts) in [(90.0, false), (26.0, false), (25.0, false), (8.0, true), (2.0, true)] {
            assert_eq!(fire(0.5 / abbe) > 1e-6, parts, "{abbe}");
        }
        assert_eq!((fire(0.0), fire(9.0)), (0.0, 0.9));
    }

    #[test]
    fn clear_glass_lifts_the_dark_in_its_own_hue_and_leaves_ink_on_paper() {
        let linear = |code: [u8; 3]| Vec3::from_array(code.map(|c| (f32::from(c) / 255.0).powf(2.2)));
        let (light, ..) = of(Preset::Clear);
        for code in [[0x12, 0x14, 0x1c], [0x1c, 0x10, 0x10], [0x05, 0x20, 0x10]] {
            let (c, seen) = (linear(code), tone(linear(code), 0.0, &light));
            assert!((seen - c).min_element() > 0.005, "{code:?}: lifted, to {seen}");
            let spread = |c: Vec3| (c.max_element() - c.min_element()) / c.max_element();
            assert!(spread(seen) > 0.65 * spread(c), "{code:?}: {seen} is greyer");
        }
        // Grey and black stay grey.
        for grey in [0.0, 0.05, 0.5] {
            let seen = tone(Vec3::splat(grey), 0.0, &light);
            assert!(seen.max_element() - seen.min_element() < 1e-6, "{seen}");
        }
        for paper in [0.02, 0.2, 0.9] {
            let seen = tone(Vec3::splat(paper), 1.0, &light).x;
            assert!((seen / paper - 1.0).abs() < 0.15, "{paper}: {seen}");
        }
        // A colour is added as it is, and so is a white that covers.
        let (tinted, ..) = of(Preset::Tinted);
        let orange = Vec3::new(0.6, 0.2, 0.05);
        assert!((tone(orange, 1.0, &tinted) - tone(orange, 0.0, &tinted)).abs().max_element() < 0.01);
        let cover = Light { tint_part: 0.9, ..light };
        assert!((tone(Vec3::ZERO, 0.0, &cover) - 0.9).abs().max_element() < 1e-3);
        assert!(tone(Vec3::ZERO, 1.0, &cover).min_element() > 0.85);
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
