//! Light and tone of the glass: shadow and contour around it, rim light, gloss, caustic, tint, and dither of half a step.

use super::blur::smoothstep;
use super::optics::{Surface, fresnel};
use super::outline::band;
use glam::{Vec2, Vec3};

/// Lengths are pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Light {
    /// Unit vector to the light.
    pub axis: Vec2,
    /// Between the light and the eye: along the axis, and upwards.
    pub halfway: Vec2,
    /// The strongest channel is 1.
    pub color: Vec3,
    pub rim_width: f32,
    pub rim: f32,
    pub gloss: f32,
    pub caustic: f32,
    pub mirror: f32,
    /// 0..0.9.
    pub fire: f32,
    pub shadow: Shadow,
    pub tone: Tone,
    /// Pixels, strength, and distance at which half is left.
    pub press: Option<(Vec2, f32, f32)>,
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

/// Rec. 709.
pub const LUMA: Vec3 = Vec3::new(0.2126, 0.7152, 0.0722);
/// Red one way, blue the other.
const SPECTRUM: Vec3 = Vec3::new(1.0, 0.0, -1.0);

/// Simpson's rule.
fn gaussian_above(x: f64) -> f64 {
    let (x, steps) = (x.clamp(-6.0, 6.0), 48);
    let density = |i: i32| {
        let y = x * f64::from(i) / f64::from(steps);
        (-0.5 * y * y).exp() * if i == 0 || i == steps { 1.0 } else { f64::from(2 + 2 * (i % 2)) }
    };
    0.5 - (0..=steps).map(density).sum::<f64>() * x / f64::from(3 * steps) / std::f64::consts::TAU.sqrt()
}

/// The shadow is a wide one, and one of contact that ends 5/11 of its sigma to either side of the dropped outline.
pub fn left_outside(dropped_d: f64, d: f64, light: &Light) -> f32 {
    let shadow = &light.shadow;
    // Ends at 2.6 sigma.
    let above = (gaussian_above(dropped_d / f64::from(shadow.sigma)) - 0.0047).max(0.0) as f32;
    let reach = f64::from(shadow.sigma) / 2.2;
    let contact = smoothstep(-reach, reach, -dropped_d) as f32;
    // Overlap with a line 0.9 px wide just outside the edge.
    let line = ((d + 0.5).min(0.9) - (d - 0.5).max(0.0)).clamp(0.0, 1.0) as f32;
    let left = [0.7 * shadow.darkness * above, 0.9 * shadow.darkness * contact, shadow.contour * line];
    left.into_iter().map(|taken| 1.0 - taken).product()
}

/// `bright`: 0..1. A thin white tint is a veil, which lifts what is dark in its own hue and is left out over a bright
/// picture.
pub fn tone(c: Vec3, bright: f32, tone: &Tone) -> Vec3 {
    let grey = Vec3::splat(c.dot(LUMA));
    let c = (grey + (c - grey) * tone.saturation).max(Vec3::ZERO);
    let whiteness = tone.tint.min_element() / tone.tint.max_element().max(1e-6);
    let veil = whiteness * (1.0 - tone.part).powf(8.0);
    let hue = (c + 0.002) / (c.max_element() + 0.002);
    let tint = tone.tint * (1.0 + (hue - 1.0) * veil);
    c + (tint + (c - tint) * veil * bright - c) * tone.part
}

pub fn glowing(c: Vec3, frag: Vec2, light: &Light) -> Vec3 {
    let Some((at, strength, half)) = light.press else { return c };
    let glow = strength * 0.5_f32.powf((frag - at).length_squared() / (half * half));
    c * (1.0 + 0.5 * glow) + 0.16 * glow * light.color
}

/// Height 1 is the face; law of Beer and Lambert.
pub fn absorbed(height: f32, body: Vec3) -> Vec3 {
    body.powf(height)
}

pub struct Rim {
    /// Blurred, outwards.
    pub outer: Vec3,
    /// Cosine to the light.
    pub facing: f32,
    /// Coverage.
    pub band: f32,
    pub companion: f32,
    /// Added to the brightness that darkens the rim.
    pub lean: f32,
}

impl Light {
    /// Pixels: 1.8 widths and 3.2, and half a pixel of the band's edge.
    pub fn rim_reach(&self) -> f64 {
        5.0 * f64::from(self.rim_width) + 0.5
    }

    /// Coverage of the band and part of its companion `d` px from the outline; `facing`: cosine to the light. In the
    /// lobes the band is 1.8 times as wide; the companion fades out over 3.2 widths.
    pub fn rim_at(&self, d: f64, facing: f32) -> [f32; 2] {
        let thin = f64::from(self.rim_width);
        let wide = thin * (1.0 + 0.8 * f64::from(facing).powi(2));
        let band = band(d, wide);
        let fade = ((3.2 * thin + wide + d) / (3.2 * thin)).clamp(0.0, 1.0) as f32;
        [band, fade * (1.0 - band)]
    }
}

/// `seen`: the picture through it.
pub fn light_bevel(seen: Vec3, rim: &Rim, surface: &Surface, eta: f64, light: &Light) -> Vec3 {
    let Rim { outer, facing, band, companion, lean } = *rim;
    let (s, t, fire) = (surface.s as f32, surface.t as f32, light.fire);
    // The surroundings, brighter towards the light.
    let mirrored = (fresnel(surface.s, eta) as f32 * light.mirror).min(1.0);
    let mut c = seen.lerp(outer * (1.0 + 0.5 * facing), mirrored);
    // Blinn and Phong; each colour has it at a slope a little different.
    let tilt = s.atan();
    let along = light.halfway.x * facing;
    let cosine = along * tilt.sin() + light.halfway.y * tilt.cos();
    let by_slope = (along * tilt.cos() - light.halfway.y * tilt.sin()) * tilt.cos().powi(2);
    let parted = (cosine + SPECTRUM * (0.5 * fire * s * by_slope)).max(Vec3::ZERO);
    let gloss = light.gloss * parted.powf(48.0) * s.min(1.0);
    // Light gathers on the far side: red nearest to the rim, in narrower bands where dispersed.
    let focus = t + SPECTRUM * (fire * t * (1.0 - t));
    let band_of = 4.0 * focus * (1.0 - focus);
    let gather = band_of * (1.0 - fire + fire * band_of * band_of);
    let caustic = light.caustic * facing.min(0.0).powi(2) * gather * gather;
    // Coloured by the glass, with some white; more where no colour would be seen.
    let lit_by = |white: f32| outer.lerp(light.color, white + 0.3 * fire);
    c += lit_by(0.25) * gloss + lit_by(0.08) * caustic;
    // A spectrum over something bright is dimmed as a whole.
    c /= 1.0 + (c.max_element() - 1.0).max(0.0) * fire;
    // One lobe towards the light and one away, in the colour of the surroundings at full brightness. Bright
    // surroundings are dark beside the lobes, and so is the glass inside.
    let lobe = facing.abs().powi(3) * if facing > 0.0 { 0.88 } else { 0.63 };
    let strength = (light.rim * band * (0.12 + lobe)).min(1.0);
    let glow = ((outer + 0.02) / (outer.max_element() + 0.02)).lerp(light.color, 0.35 + 0.35 * lobe).max(c);
    let dark = smoothstep(0.6, 0.95, f64::from(outer.dot(LUMA).min(1.0) + lean)) as f32 * (1.0 - facing * facing);
    c *= (1.0 - 0.42 * light.rim * companion * (0.2 + lobe)).max(0.0);
    let lit = c.lerp(glow, strength * (1.0 - dark));
    lit * (1.0 - (0.5 + lean) * light.rim * band * dark).max(0.0)
}

/// Interleaved gradient noise (Jimenez 2014), 0..1.
fn noise(pixel: Vec2) -> f32 {
    let fract = |x: f32| x - x.floor();
    fract(52.982_918 * fract(pixel.dot(Vec2::new(0.067_110_56, 0.005_837_15))))
}

/// Half an 8-bit step to either side, on display values.
pub fn dither(encoded: Vec3, pixel: Vec2) -> Vec3 {
    encoded + (noise(pixel) - 0.5) / 255.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::reference::optics::Optics;
    use crate::lab::reference::{Glass, GlassScene};
    use crate::{GlassSettings, Preset};

    fn of(preset: Preset) -> (Light, Optics) {
        let settings = GlassSettings::default().styled(preset);
        let glass = Glass::new(&GlassScene::one(&settings, Vec2::ZERO, 1.0));
        (glass.light, glass.optics)
    }

    #[test]
    fn by_day_the_lobes_stay_light_beside_a_dark_companion_and_nothing_is_brighter_than_the_light() {
        let (light, optics) = of(Preset::Clear);
        let edge = optics.surface(-0.5, 27.0, 1.0);
        let lit = |seen: f32, outer: f32, facing, [band, companion]: [f32; 2], lean| {
            let rim = Rim { outer: Vec3::splat(outer), facing, band, companion, lean };
            light_bevel(Vec3::splat(seen), &rim, &edge, optics.eta, &light).x
        };
        let page = |facing, parts| lit(0.9, 0.95, facing, parts, 0.0);
        for facing in [1.0, -1.0] {
            assert!(page(facing, [1.0, 0.0]) >= page(facing, [0.0; 2]), "{facing}: a light lobe");
            let companion = page(facing, [0.0, 1.0]) / page(facing, [0.0; 2]);
            assert!((0.5..0.75).contains(&companion), "{facing}: {companion}");
        }
        assert!(page(0.0, [0.0, 1.0]) > 0.9 * page(0.0, [0.0; 2]), "beside the lobes there is hardly any");
        for at in 0..3_u32.pow(5) {
            let part = |digit: u32| (at / 3_u32.pow(digit) % 3) as f32 * 0.5;
            let [seen, outer, facing] = [part(0), part(1), 2.0 * part(2) - 1.0];
            let bare = lit(seen, outer, facing, [0.0; 2], 0.2);
            let bound = bare.max(1.0) + 1e-6;
            let now = lit(seen, outer, facing, [part(3), part(4) * (1.0 - part(3))], 0.2);
            assert!((0.0..=bound).contains(&now), "{seen} {outer} {facing}: {now}, without a rim {bare}");
        }
        // The companion begins where the rim ends.
        let [inside, further, out] = [-2.5, -4.5, -8.0].map(|d| light.rim_at(d, 1.0));
        assert!(light.rim_at(-1.0, 1.0) == [1.0, 0.0] && inside[1] > 0.5 && further[1] < inside[1] && out[1] == 0.0);
    }

    #[test]
    fn the_shadow_is_darkest_in_contact_and_leaves_light() {
        let (light, _) = of(Preset::Clear);
        let left = |dropped| left_outside(dropped, 100.0, &light);
        assert!(left(-14.0) < 0.65 && left(14.0) > 0.93, "{} {}", left(-14.0), left(14.0));
        let (near, far) = (left(8.0) - left(0.0), left(40.0) - left(32.0));
        assert!(near > 4.0 * far, "{near} {far}");
        let deepest = Light { shadow: Shadow { darkness: 1.0, ..light.shadow }, ..light };
        for dropped in -80..=80 {
            let [here, next] = [dropped, dropped + 1].map(|d| left_outside(f64::from(d), 100.0, &deepest));
            assert!((0.0..=1.0).contains(&here) && next >= here, "{dropped}: {here} {next}");
        }
        assert_eq!(left(52.1), 1.0, "it ends where it did");
    }
}
