//! What a surface leaves to be seen behind it.

use super::{Material, World};

/// How a material covers what lies behind it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u32)]
pub enum Cover {
    /// All of it.
    #[default]
    Opaque = 0,
    /// All of it, or nothing where it is cut out.
    Mask = 1,
    /// A part of it.
    Blend = 2,
}

/// The bits of [`Material::flags`] that are a [`Cover`].
pub const COVER_BITS: u32 = 3;
/// In [`Material::flags`]: its colour is what is seen, whatever the light.
pub const UNLIT: u32 = 4;
/// In [`Material::flags`]: all of it is there, whatever its colour's alpha says.
pub const WHOLE: u32 = 8;
/// In [`Material::flags`]: the first texture has the second coordinates; the bits above are those of the others.
pub const SECOND_UV: u32 = 16;

impl Material {
    /// How it covers what lies behind it.
    #[must_use]
    pub fn cover(&self) -> Cover {
        match self.flags & COVER_BITS {
            1 => Cover::Mask,
            2 => Cover::Blend,
            _ => Cover::Opaque,
        }
    }

    /// Whether one of its textures has the second coordinates.
    #[must_use]
    pub fn has_second_uv(&self) -> bool {
        self.flags / SECOND_UV != 0
    }
}

impl World {
    /// Meshlet instances by what they leave to be seen: the first, and how many.
    #[must_use]
    pub fn spans(&self) -> [(Cover, [u32; 2]); 3] {
        let all = self.placed.len() as u32;
        let (masked, blended) = (self.masked.min(all), self.blended.min(all - self.masked.min(all)));
        let solid = all - masked - blended;
        [(Cover::Opaque, [0, solid]), (Cover::Mask, [solid, masked]), (Cover::Blend, [solid + masked, blended])]
    }
}
