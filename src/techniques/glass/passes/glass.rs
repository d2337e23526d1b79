//! Glass of a body of lenses: what its shaders take, and what its passes are planned with.

use super::uniforms::{GlassBlock, GpuLens};
use crate::lens::shape::Lenses;
use crate::lens::tiles::Outskirts;
use crate::light::{SHADOW_REACH, SceneLight, halfway, rim_reach};
use crate::optics::{row_reach, sight};
use crate::text::contrast::Legible;
use glam::Vec2;
use scene::{Blur, OpticsModel};

#[derive(Clone, Debug)]
pub struct Glass {
    pub block: GlassBlock,
    /// The outlines in the block, with their letters.
    pub lenses: Lenses,
    pub optics: OpticsModel,
    pub blur: Blur,
    /// The look of a lens follows the brightness below it.
    pub needs_brightness: bool,
    pub is_legible: bool,
    /// Only the tiles of the lenses are drawn; the result is the same.
    pub is_bounded: bool,
}

/// Radians over the screen: never straight above the bevel, nor behind the glass.
const ELEVATIONS: [f32; 2] = [0.06, 0.5];

impl Glass {
    pub fn with_lenses(self, lenses: Lenses) -> Glass {
        let Lenses { count, melt, magnify, .. } = lenses;
        let block = GlassBlock { lens: GpuLens::of(&lenses), count: count as u32, melt, magnify, ..self.block };
        Glass { block, lenses, ..self }
    }

    pub fn lit_by(mut self, light: &SceneLight) -> Glass {
        let across = Vec2::new(light.toward.x, -light.toward.y);
        let axis = (across + Vec2::new(0.0, -0.02)).normalize_or(Vec2::NEG_Y);
        let elevation = light.toward.z.clamp(-1.0, 1.0).asin().clamp(ELEVATIONS[0], ELEVATIONS[1]);
        (self.block.axis, self.block.halfway, self.block.light_color) = (axis, halfway(elevation), light.color);
        self
    }

    pub fn pressed(mut self, place: Vec2, strength: f32) -> Glass {
        (self.block.pressed, self.block.glow) = (place, strength);
        self
    }

    pub fn shaded(mut self, Legible { ground, strength }: Legible) -> Glass {
        (self.block.ground, self.block.legible) = (ground, strength);
        Glass { is_legible: true, ..self }
    }

    pub fn outskirts(&self) -> Outskirts {
        let block = &self.block;
        let shadow_reach = if block.shadow > 0.0 { SHADOW_REACH * block.shadow_sigma } else { 0.0 };
        let shadow_drop = if shadow_reach > 0.0 { block.shadow_drop } else { 0.0 };
        Outskirts { shadow_reach, shadow_drop, rim_reach: rim_reach(block.rim_width) }
    }

    pub fn longest_offset(&self) -> f32 {
        let pull = self.lenses.used().iter().map(|l| l.reach().length()).fold(0.0, f32::max);
        let bevels = self.lenses.used().iter().map(|l| l.bevel.max(1.0));
        1.02 * bevels.map(|bevel| self.longest_reach(bevel)).fold(0.0, f32::max)
            + 2.0
            + pull * (1.0 - 1.0 / self.lenses.magnify).abs()
    }

    /// Pixels. Smooth but for the rim, whose first pixels are sampled closely.
    fn longest_reach(&self, bevel: f32) -> f32 {
        let depths = (0..16).map(|i| i as f32 * 0.25).chain((1..=32).map(|i| 4.0 + bevel * i as f32 / 32.0));
        let reach = |z: f32| {
            let sight = sight(-z, bevel, 1.0, &self.block, self.optics);
            sight.offset.abs() + row_reach(&sight, &self.block)
        };
        depths.map(reach).fold(0.0, f32::max)
    }
}
