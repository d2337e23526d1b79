//! Values that the shaders take.

use super::light::Light;
use super::optics::Optics;
use super::shape::Lenses;
use super::surface::Bevel;
use super::system::System;
use super::text_contrast::Legible;
use crate::techniques::glass::blur_method::Blur;

/// Everything that the pixels of the glass depend on; lengths are pixels of the window.
#[derive(Clone, Debug)]
pub struct Glass {
    /// The outlines.
    pub lenses: Lenses,
    /// The bevel.
    pub bevel: Bevel,
    /// The material.
    pub optics: Optics,
    /// The system's glass, in place of Snell's.
    pub system: Option<System>,
    /// Sigma of the frost; of the system's glass over dark pictures, where it differs from that over bright ones.
    pub frost: f32,
    /// Blur method of the frost.
    pub blur: Blur,
    /// Whether only the tiles of the lenses are drawn; the result is the same.
    pub is_bounded: bool,
    /// Light and tone.
    pub light: Light,
    /// Shade for legible text, if requested.
    pub legible: Option<Legible>,
}

impl Glass {
    /// Widest sigma of the frost.
    pub fn widest_frost(&self) -> f32 {
        self.system.map_or(self.frost, |system| system.frost_light.max(self.frost))
    }

    /// Whether the brightness below the lenses is to be measured.
    pub fn needs_brightness(&self) -> bool {
        self.system.map_or(self.light.tone.adaptive > 0.0, |system| system.is_auto)
    }
}

/// Hermite step from 0 at `low` to 1 at `high`.
pub fn smoothstep(low: f32, high: f32, x: f32) -> f32 {
    let t = ((x - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}
