//! Texel formats.
use ash::vk;
use media::array::Element;

macro_rules! formats {
    ($($(#[$meta:meta])* $name:ident = $raw:ident,)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Format {
            $($(#[$meta])* $name,)*
        }

        impl Format {
            pub const ALL: [Self; [$(Self::$name),*].len()] = [$(Self::$name),*];

            pub(super) fn raw(self) -> vk::Format {
                match self {
                    $(Self::$name => vk::Format::$raw,)*
                }
            }
        }
    };
}

formats! {
    Rgba8 = R8G8B8A8_UNORM,
    Rgba8Srgb = R8G8B8A8_SRGB,
    Bgra8 = B8G8R8A8_UNORM,
    Bgra8Srgb = B8G8R8A8_SRGB,
    Rgba16F = R16G16B16A16_SFLOAT,
    Rgba32F = R32G32B32A32_SFLOAT,
    R32F = R32_SFLOAT,
    Rgba32U = R32G32B32A32_UINT,
    R32U = R32_UINT,
    Rg32U = R32G32_UINT,
    Depth32F = D32_SFLOAT,
}

impl Format {
    /// Type and number of the channels.
    pub fn channels(self) -> (Element, usize) {
        match self {
            Self::Rgba8 | Self::Rgba8Srgb | Self::Bgra8 | Self::Bgra8Srgb => (Element::U8, 4),
            Self::Rgba16F => (Element::F16, 4),
            Self::Rgba32F => (Element::F32, 4),
            Self::R32F | Self::Depth32F => (Element::F32, 1),
            Self::R32U => (Element::U32, 1),
            Self::Rgba32U => (Element::U32, 4),
            Self::Rg32U => (Element::U32, 2),
        }
    }

    pub fn bytes(self) -> u32 {
        let (element, channels) = self.channels();
        (element.bytes() * channels) as u32
    }

    pub fn is_srgb(self) -> bool {
        matches!(self, Self::Rgba8Srgb | Self::Bgra8Srgb)
    }

    pub fn decoding(self) -> Self {
        match self {
            Self::Rgba8 => Self::Rgba8Srgb,
            Self::Bgra8 => Self::Bgra8Srgb,
            other => other,
        }
    }

    pub fn encoded(self) -> Self {
        match self {
            Self::Rgba8Srgb => Self::Rgba8,
            Self::Bgra8Srgb => Self::Bgra8,
            other => other,
        }
    }

    /// Every device supports it as a storage image; others are written as an integer format of the same size.
    pub fn can_be_stored(self) -> bool {
        !self.is_srgb() && !self.is_depth() && self != Self::Bgra8
    }

    pub fn is_depth(self) -> bool {
        self == Self::Depth32F
    }

    pub(super) fn aspect(self) -> vk::ImageAspectFlags {
        if self.is_depth() { vk::ImageAspectFlags::DEPTH } else { vk::ImageAspectFlags::COLOR }
    }
}
