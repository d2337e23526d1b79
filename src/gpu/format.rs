//! Texel formats.
use ash::vk;

/// A texel format. Names are the channels in memory order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// 8 bits a channel, 0..1.
    Rgba8,
    /// 8 bits a channel, decoded from and encoded to sRGB by the hardware.
    Rgba8Srgb,
    /// 8 bits a channel, 0..1, blue first.
    Bgra8,
    /// 8 bits a channel, sRGB, blue first.
    Bgra8Srgb,
    /// Half floats.
    Rgba16F,
    /// Floats.
    Rgba32F,
    /// One float.
    R32F,
    /// Four unsigned 32-bit integers.
    Rgba32U,
    /// One unsigned 32-bit integer.
    R32U,
    /// Two unsigned 32-bit integers.
    Rg32U,
    /// One unsigned 16-bit integer.
    R16U,
    /// One 8-bit channel, 0..1.
    R8,
    /// Depth, float.
    Depth32F,
    /// Depth, float, and 8 bits of stencil. Shaders and copies see the depth.
    Depth32FStencil8,
}

impl Format {
    /// Every format, for tables and tests.
    pub const ALL: [Self; 14] = [
        Self::Rgba8,
        Self::Rgba8Srgb,
        Self::Bgra8,
        Self::Bgra8Srgb,
        Self::Rgba16F,
        Self::Rgba32F,
        Self::R32F,
        Self::Rgba32U,
        Self::R32U,
        Self::Rg32U,
        Self::R16U,
        Self::R8,
        Self::Depth32F,
        Self::Depth32FStencil8,
    ];

    /// Vulkan's name of it.
    pub(super) fn raw(self) -> vk::Format {
        match self {
            Self::Rgba8 => vk::Format::R8G8B8A8_UNORM,
            Self::Rgba8Srgb => vk::Format::R8G8B8A8_SRGB,
            Self::Bgra8 => vk::Format::B8G8R8A8_UNORM,
            Self::Bgra8Srgb => vk::Format::B8G8R8A8_SRGB,
            Self::Rgba16F => vk::Format::R16G16B16A16_SFLOAT,
            Self::Rgba32F => vk::Format::R32G32B32A32_SFLOAT,
            Self::R32F => vk::Format::R32_SFLOAT,
            Self::Rgba32U => vk::Format::R32G32B32A32_UINT,
            Self::R32U => vk::Format::R32_UINT,
            Self::Rg32U => vk::Format::R32G32_UINT,
            Self::R16U => vk::Format::R16_UINT,
            Self::R8 => vk::Format::R8_UNORM,
            Self::Depth32F => vk::Format::D32_SFLOAT,
            Self::Depth32FStencil8 => vk::Format::D32_SFLOAT_S8_UINT,
        }
    }

    /// Bytes of one texel.
    #[must_use]
    pub fn bytes(self) -> u32 {
        match self {
            Self::Rgba32F | Self::Rgba32U => 16,
            Self::Rgba16F | Self::Rg32U => 8,
            Self::R16U => 2,
            Self::R8 => 1,
            _ => 4,
        }
    }

    /// Whether the hardware decodes and encodes sRGB.
    #[must_use]
    pub fn is_srgb(self) -> bool {
        matches!(self, Self::Rgba8Srgb | Self::Bgra8Srgb)
    }

    /// The format of the same bits with hardware sRGB decoding; itself if there is none.
    #[must_use]
    pub fn decoding(self) -> Self {
        match self {
            Self::Rgba8 => Self::Rgba8Srgb,
            Self::Bgra8 => Self::Bgra8Srgb,
            other => other,
        }
    }

    /// The format of the same bits without sRGB decoding; itself if there is none.
    #[must_use]
    pub fn encoded(self) -> Self {
        match self {
            Self::Rgba8Srgb => Self::Rgba8,
            Self::Bgra8Srgb => Self::Bgra8,
            other => other,
        }
    }

    /// Whether every device supports it as a storage image; others are written through an integer format of the same size.
    #[must_use]
    pub fn can_be_stored(self) -> bool {
        !self.is_srgb() && !self.is_depth() && self != Self::Bgra8
    }

    /// Whether it has a depth, with or without a stencil.
    #[must_use]
    pub fn is_depth(self) -> bool {
        matches!(self, Self::Depth32F | Self::Depth32FStencil8)
    }

    /// Whether it has a stencil.
    #[must_use]
    pub fn has_stencil(self) -> bool {
        self == Self::Depth32FStencil8
    }

    /// Aspect seen by shaders and copies.
    pub(super) fn aspect(self) -> vk::ImageAspectFlags {
        if self.is_depth() { vk::ImageAspectFlags::DEPTH } else { vk::ImageAspectFlags::COLOR }
    }

    /// All aspects: for barriers and attachments.
    pub(super) fn aspects(self) -> vk::ImageAspectFlags {
        let stencil = if self.has_stencil() { vk::ImageAspectFlags::STENCIL } else { vk::ImageAspectFlags::empty() };
        self.aspect() | stencil
    }
}
