//! Values of the glass in pixels, from settings and lenses.

use super::light::{Light, Shadow, Tone};
use super::optics::{Optics, footprint_sigma};
use super::outline::Lens;
use super::system::{System, assumed, frost_growth, frost_parts, largeness};
use crate::settings::{Blur, GlassSettings, OpticsModel, SceneLight};
use glam::{Vec2, Vec3};
use scene::Press;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ink {
    pub luminance: f32,
    /// 0..1.
    pub strength: f32,
}

/// What plan and reference are both made from.
#[derive(Clone, Debug)]
pub struct GlassScene {
    pub settings: GlassSettings,
    pub lenses: Vec<scene::Lens>,
    /// 0.5 where none is given.
    pub bright: Vec<f32>,
    pub scale: f32,
    pub light: Option<SceneLight>,
    pub press: Option<Press>,
    pub ink: Option<Ink>,
    /// The GPU skips what the glass does not reach.
    pub is_bounded: bool,
}

impl GlassScene {
    pub fn new(settings: &GlassSettings, lenses: &[scene::Lens], scale: f32) -> Self {
        let (settings, lenses) = (settings.clone(), lenses.to_vec());
        Self { settings, lenses, bright: Vec::new(), scale, light: None, press: None, ink: None, is_bounded: true }
    }

    pub fn one(settings: &GlassSettings, center: Vec2, scale: f32) -> Self {
        Self::new(settings, &[settings.placed(center)], scale)
    }
}

/// Lengths are pixels.
#[derive(Clone, Debug)]
pub struct Glass {
    /// In the order in which they melt.
    pub lenses: Vec<Lens>,
    /// Below this distance outlines reach for each other.
    pub melt: f64,
    pub magnify: f64,
    pub optics: Optics,
    /// In place of Snell's.
    pub system: Option<System>,
    /// Sigma; of the system's glass over dark pictures.
    pub frost: f64,
    pub blur: Blur,
    pub light: Light,
    pub ink: Option<Ink>,
}

impl Glass {
    pub fn new(scene: &GlassScene) -> Glass {
        let (settings, scale) = (&scene.settings, f64::from(scene.scale));
        let px = |length: f32| f64::from(length) * scale;
        let eta = f64::from(settings.ior);
        let is_system = settings.optics == OpticsModel::System;
        let half_spread =
            if settings.taps > 1 && !is_system { 0.5 * (eta - 1.0) / f64::from(settings.abbe) } else { 0.0 };
        let optics = Optics {
            eta,
            spread: half_spread,
            height: px(settings.bevel_height),
            profile: if is_system { 2.0 } else { 3.0 },
            gap: px(settings.gap),
            taps: settings.taps,
            displaces: is_system.then(|| px(settings.bevel_width)),
        };
        // Half a pixel is clear glass at any scale. Reduced transparency: at least 10 px of frost and 80 % of the tint.
        let solid = settings.reduced_transparency;
        let frost = if solid { settings.frost.max(10.0) } else { settings.frost };
        let magnify = f64::from(settings.magnify);
        let large = |lens: &scene::Lens| {
            if is_system { largeness(2.0 * f64::from(lens.half(scene.scale).max_element()) / scale) } else { 0.0 }
        };
        let largest = scene.lenses.iter().map(large).fold(0.0, f64::max);
        let [frost, frost_light] = frost_parts(settings).map(|part| {
            let frost = frost_growth(settings, largest) as f32 * part * frost;
            let sigma = if frost <= 0.5 { f64::from(frost) } else { px(frost) };
            sigma.hypot(footprint_sigma(1.0 / magnify))
        });
        let bright = |at: usize| assumed(settings).unwrap_or(scene.bright.get(at).copied().unwrap_or(0.5));
        let lens = |(at, lens): (usize, &scene::Lens)| {
            // A sixth of the shorter side, up to a quarter from 40 to 60 px; of the system's glass a quarter.
            let part = if is_system { 0.25 } else { (f64::from(settings.bevel_width) / 240.0).clamp(1.0 / 6.0, 0.25) };
            Lens::new(lens, scene.scale, (1.0 + 0.35 * large(lens)) * px(settings.bevel_width), part, bright(at))
        };
        let lenses: Vec<Lens> = scene.lenses.iter().enumerate().map(lens).collect();
        let always = settings.legible.then_some(Ink { luminance: 1.0, strength: 1.0 });
        Glass {
            melt: if lenses.len() > 1 { px(settings.melt) } else { 0.0 },
            lenses,
            magnify,
            optics,
            system: System::of(settings, (frost_light > frost).then_some(frost_light)),
            frost,
            blur: settings.blur,
            light: light(scene, 0.5 / settings.abbe * f32::from(settings.taps > 1)),
            ink: scene.ink.or(always),
        }
    }
}

/// `parted`: half the spread of the index by its excess over 1.
fn light(scene: &GlassScene, parted: f32) -> Light {
    let (settings, scale) = (&scene.settings, scene.scale);
    // Fixed: 0.12 rad over the screen. A scene's: where it is seen, 0.06 to 0.5 rad over it.
    let fixed = (Vec2::from_angle(settings.light_angle.to_radians()), 0.12);
    let seen = |light: &SceneLight| {
        let on_screen = Vec2::new(light.toward.x, -0.02 - light.toward.y);
        (on_screen.normalize_or(Vec2::NEG_Y), light.toward.z.clamp(-1.0, 1.0).asin().clamp(0.06, 0.5))
    };
    let (axis, elevation) = scene.light.as_ref().map_or(fixed, seen);
    let of_snell = if settings.optics == OpticsModel::Snell { 1.0 } else { 0.0 };
    // Half-way between the light and the eye straight above.
    let halfway = Vec2::from_angle(0.5 * (elevation + std::f32::consts::FRAC_PI_2));
    Light {
        axis,
        halfway,
        color: scene.light.as_ref().map_or(Vec3::ONE, |light| light.color),
        rim_width: 1.3 * scale,
        rim: settings.rim,
        // The system's glass has highlights alone.
        gloss: of_snell * settings.gloss,
        caustic: of_snell * settings.caustic,
        mirror: of_snell * settings.mirror,
        // None from an Abbe number of 25 on.
        fire: if settings.ior > 1.0 { (3.3 * parted - 0.066).clamp(0.0, 0.9) } else { 0.0 },
        shadow: Shadow { darkness: settings.shadow, sigma: 20.0 * scale, drop: 14.0 * scale, contour: 0.16 },
        tone: Tone {
            saturation: settings.saturation,
            tint: Vec3::from_array(settings.tint),
            part: if settings.reduced_transparency { settings.tint_part.max(0.8) } else { settings.tint_part },
            body: Vec3::from_array(settings.body.map(|part| part.max(1.0 / 255.0))),
            adaptive: settings.adaptive,
        },
        press: scene.press.map(|press| (press.at, press.strength, 70.0 * scale)),
    }
}
