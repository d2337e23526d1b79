//! Alpha modes of materials.

use super::{Material, World};
use gpu::gpu_consts;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u32)]
pub enum AlphaMode {
    #[default]
    Opaque = 0,
    Mask = 1,
    Blend = 2,
}

gpu_consts! { "include/material.glsl":
    /// Bits of [`Material::flags`] with an [`AlphaMode`].
    pub const COVER_BITS: u32 = 3;
    /// In [`Material::flags`]: displayed regardless of the light.
    pub const UNLIT: u32 = 4;
    /// In [`Material::flags`]: opaque, regardless of its colour's alpha.
    pub const WHOLE: u32 = 8;
}

/// In [`Material::flags`]: the first texture uses the second coordinates; the bits above are those of the others.
pub const SECOND_UV: u32 = 16;

impl Material {
    pub fn alpha_mode(&self) -> AlphaMode {
        match self.flags & COVER_BITS {
            1 => AlphaMode::Mask,
            2 => AlphaMode::Blend,
            _ => AlphaMode::Opaque,
        }
    }

    pub fn has_second_uv(&self) -> bool {
        self.flags / SECOND_UV != 0
    }
}

impl World {
    pub fn spans(&self) -> [(AlphaMode, [u32; 2]); 3] {
        let all = self.meshlet_instances.len() as u32;
        let (masked, blended) = (self.masked.min(all), self.blended.min(all - self.masked.min(all)));
        let solid = all - masked - blended;
        [
            (AlphaMode::Opaque, [0, solid]),
            (AlphaMode::Mask, [solid, masked]),
            (AlphaMode::Blend, [solid + masked, blended]),
        ]
    }
}
