//! Texel formats of a chain: the image's format, and the one through which compute shaders write it.

use gpu::{Format, Image, Use};

base::choices! {
    /// Texels of the chain.
    pub enum ChainFormat {
        /// Half floats, linear: what the glass reads.
        Rgba16F = "rgba16f" as "RGBA16F",
        /// 8 bits per channel, linear.
        Rgba8 = "rgba8" as "RGBA8",
        /// 8 bits per channel, sRGB: decoded and encoded exactly by the shader.
        Srgb8 = "srgb8" as "RGBA8 sRGB",
        /// 8 bits per channel, linear, blue first.
        Bgra8 = "bgra8" as "BGRA8",
        /// One 32-bit float: the red channel only.
        R32F = "r32f" as "R32F",
    }
}

impl ChainFormat {
    pub fn image(self) -> Format {
        match self {
            Self::Rgba16F => Format::Rgba16F,
            Self::Rgba8 => Format::Rgba8,
            Self::Srgb8 => Format::Rgba8Srgb,
            Self::Bgra8 => Format::Bgra8,
            Self::R32F => Format::R32F,
        }
    }

    pub fn of(format: Format) -> Option<Self> {
        Self::ALL.iter().copied().find(|each| each.image() == format)
    }

    /// Or an integer for the four bytes.
    pub fn stored(self) -> Format {
        if self.image().can_be_stored() { self.image() } else { Format::R32U }
    }

    pub(super) fn variant(self) -> &'static str {
        match self {
            Self::Rgba16F => "rgba16f",
            Self::Rgba8 => "rgba8",
            Self::R32F => "r32f",
            Self::Srgb8 | Self::Bgra8 => "bytes",
        }
    }

    pub(super) fn constants(self) -> Vec<(&'static str, u32)> {
        match self {
            Self::Srgb8 => vec![("ENCODING", 1)],
            Self::Bgra8 => vec![("ENCODING", 2)],
            _ => vec![],
        }
    }

    pub fn is_srgb(self) -> bool {
        self == Self::Srgb8
    }

    pub(super) fn can_write(self, image: &Image) -> bool {
        image.is_for(Use::Storage) && image.shows_as(self.stored())
    }
}
