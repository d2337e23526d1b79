//! The system's glass, as it was measured: displacement by the distance to the edge, lines of encoded values, two highlights. Lengths are
//! pixels. Figures and sources: docs/glass.md.

use super::light::{LUMA, Light};
use super::picture::{encoded_from_linear, linear_from_encoded};
use crate::settings::{GlassSettings, Material, OpticsModel};
use glam::{Vec2, Vec3};

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct System {
    /// Over a dark picture and over a bright one.
    pub body: [Body; 2],
    /// Shows more of the picture towards the edge.
    pub opens: bool,
    /// Over a bright picture, where it differs.
    pub frost_light: Option<f64>,
}

/// An encoded grey b becomes `slope` b + `black`; a colour's distance from its grey is multiplied by `chroma`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body {
    pub slope: f32,
    pub black: f32,
    pub chroma: f32,
}

impl Body {
    pub const NONE: Body = Body { slope: 1.0, black: 0.0, chroma: 1.0 };

    /// Linear light.
    pub fn through(&self, c: Vec3) -> Vec3 {
        let b = encoded_from_linear(c.clamp(Vec3::ZERO, Vec3::ONE));
        self.shown(b, self.black, self.chroma)
    }

    /// Encoded. What exceeds a light body's white is taken from all channels; bodies become light from a black of 0.3
    /// to one of 0.7.
    fn shown(&self, b: Vec3, black: f32, chroma: f32) -> Vec3 {
        let grey = Vec3::splat(b.dot(LUMA));
        let shown = grey * self.slope + black + (b - grey) * chroma;
        let above = (shown.max_element() - self.slope - black).max(0.0) * ((black - 0.3) / 0.4).clamp(0.0, 1.0);
        linear_from_encoded((shown - above).clamp(Vec3::ZERO, Vec3::ONE))
    }

    /// Opens by `open`, 1 at the edge: three tenths of the colours and eight tenths of what differs from the brightness
    /// around stay, the latter by 0.08 at most.
    pub fn through_edge(&self, c: Vec3, around: Vec3, open: f32) -> Vec3 {
        let [b, mean] = [c, around].map(|c| encoded_from_linear(c.clamp(Vec3::ZERO, Vec3::ONE)));
        let differs = 0.8 * open * (b - mean).dot(LUMA);
        let chroma = self.chroma + (1.0 - self.chroma) * 0.3 * open;
        self.shown(b, self.black + 0.08 * differs / (0.08 + differs.abs()), chroma)
    }

    pub fn lerp(&self, to: &Body, part: f32) -> Body {
        let mix = |a: f32, b: f32| a + (b - a) * part;
        Body { slope: mix(self.slope, to.slope), black: mix(self.black, to.black), chroma: mix(self.chroma, to.chroma) }
    }
}

/// Regular colours were measured over dark pictures (gain 0.311, saturation 2.55); bright ones assume the same
/// saturation.
pub fn measured(is_regular: bool) -> [Body; 2] {
    let body = |slope: f32, black: f32, chroma: f32| Body { slope, black: black / 255.0, chroma };
    if is_regular {
        [body(0.139, 41.0, 0.311 * 2.55), body(0.142, 212.0, 0.142 * 2.55)]
    } else {
        [body(0.712, 25.0, 0.712), body(1.041, 19.0, 1.041)]
    }
}

/// 1 light, 0 dark; nothing where the picture decides.
pub fn assumed(settings: &GlassSettings) -> Option<f32> {
    let is_system = settings.optics == OpticsModel::System;
    match settings.material {
        Material::ClearDark | Material::RegularDark if is_system => Some(0.0),
        Material::ClearLight | Material::RegularLight if is_system => Some(1.0),
        _ => None,
    }
}

pub fn frost_growth(settings: &GlassSettings, largeness: f64) -> f64 {
    if is_regular(settings) { 1.0 + largeness } else { 1.0 }
}

fn is_regular(settings: &GlassSettings) -> bool {
    settings.optics == OpticsModel::System
        && [Material::Regular, Material::RegularLight, Material::RegularDark].contains(&settings.material)
}

/// 3.5 and 6 pt of the regular glass.
pub fn frost_parts(settings: &GlassSettings) -> [f32; 2] {
    let dark = if is_regular(settings) { 3.5 / 6.0 } else { 1.0 };
    match assumed(settings) {
        Some(0.0) => [dark; 2],
        Some(_) => [1.0; 2],
        None => [dark, 1.0],
    }
}

impl System {
    /// Nothing for Snell's glass.
    pub fn of(settings: &GlassSettings, frost_light: Option<f64>) -> Option<System> {
        if settings.optics != OpticsModel::System {
            return None;
        }
        let solid = settings.reduced_transparency;
        let mut body = measured(solid || is_regular(settings));
        if solid {
            // A fifth of the contrast, about middle grey.
            let flat = |of: Body| {
                let slope = 0.2 * of.slope;
                Body { slope, black: of.black + 0.5 * (of.slope - slope), chroma: 0.2 * of.chroma }
            };
            body = body.map(flat);
        }
        Some(System { body, opens: is_regular(settings) && !solid, frost_light })
    }

    pub fn body_over(&self, bright: f32) -> Body {
        self.body[0].lerp(&self.body[1], bright)
    }

    /// `inside`: part of the bevel's width.
    pub fn opening(&self, inside: f64) -> f32 {
        if self.opens { 1.0 - inside.clamp(0.0, 1.0) as f32 } else { 0.0 }
    }
}

/// 0 up to 320 pt, 1 from 460 pt on: a bevel 1.35 times as wide and, of regular glass, twice the frost.
pub fn largeness(longer: f64) -> f64 {
    ((longer - 320.0) / 140.0).clamp(0.0, 1.0)
}

/// `n`: direction of the outline. 1.6 times the display's white at the upper left, 0.8 of that at the lower right.
pub fn highlighted(c: Vec3, n: Vec2, band: f32, light: &Light) -> Vec3 {
    let facing = n.dot(Vec2::NEG_ONE.normalize());
    let lobe = facing.powi(6) * if facing > 0.0 { 1.0 } else { 0.8 };
    c.lerp(Vec3::splat(1.6), (light.rim * band * lobe).min(1.0))
}
