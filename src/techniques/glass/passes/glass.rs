//! Values that the shaders take.

use crate::scene::Blur;
use crate::techniques::glass::lens::shape::Lenses;
use crate::techniques::glass::light::Light;
use crate::techniques::glass::optics::Optics;
use crate::techniques::glass::optics::surface::Bevel;
use crate::techniques::glass::system::System;
use crate::techniques::glass::text::contrast::Legible;

/// Lengths are pixels of the window.
#[derive(Clone, Debug)]
pub struct Glass {
    pub lenses: Lenses,
    pub bevel: Bevel,
    pub optics: Optics,
    /// In place of Snell's.
    pub system: Option<System>,
    /// Sigma; the system's over dark pictures.
    pub frost: f32,
    pub blur: Blur,
    /// Only the tiles of the lenses are drawn; the result is the same.
    pub is_bounded: bool,
    pub light: Light,
    pub legible: Option<Legible>,
}

impl Glass {
    pub fn widest_frost(&self) -> f32 {
        self.system.map_or(self.frost, |system| system.frost_light.max(self.frost))
    }

    pub fn needs_brightness(&self) -> bool {
        self.system.map_or(self.light.tone.adaptive > 0.0, |system| system.is_auto)
    }
}

pub fn smoothstep(low: f32, high: f32, x: f32) -> f32 {
    let t = ((x - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}
