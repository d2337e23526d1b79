//! Glass of a lens: its style, optics, light and tone.

use crate::choices;

choices! {
    /// How the glass displaces the picture.
    pub enum OpticsModel {
        /// By Snell's law, from the slope of its surface and its index of refraction.
        Snell = "snell" as "Snell's law",
        /// As a system's interface does: by a profile of the distance to the edge, without dispersion, over a flat interior.
        System = "system",
    }
}

choices! {
    /// What the system's glass does to the colours below it.
    pub enum Material {
        /// Clear; light over bright pictures, dark over dark ones.
        Clear = "clear",
        /// Clear and light.
        ClearLight = "clear_light" as "Clear, light",
        /// Clear and dark.
        ClearDark = "clear_dark" as "Clear, dark",
        /// Milky; light over bright pictures, dark over dark ones.
        Regular = "regular",
        /// Milky and light.
        RegularLight = "regular_light" as "Regular, light",
        /// Milky and dark.
        RegularDark = "regular_dark" as "Regular, dark",
    }
}

impl Material {
    pub fn is_regular(self) -> bool {
        matches!(self, Self::Regular | Self::RegularLight | Self::RegularDark)
    }

    /// 1 for light and 0 for dark glass; `None` where the picture decides.
    pub fn brightness(self) -> Option<f32> {
        match self {
            Self::Clear | Self::Regular => None,
            Self::ClearLight | Self::RegularLight => Some(1.0),
            Self::ClearDark | Self::RegularDark => Some(0.0),
        }
    }
}

choices! {
    /// Named sets of the other settings.
    pub enum Preset {
        /// Clear glass with a bright rim.
        Clear = "clear",
        /// Frosted glass.
        Frosted = "frosted",
        /// Lightly frosted, coloured glass.
        Tinted = "tinted",
        /// A circle that magnifies by 1.3.
        Loupe = "loupe",
        /// A flat capsule.
        Pill = "pill",
        /// Extreme dispersion: rainbows in the bevel.
        Prism = "prism",
        /// Words of glass.
        Words = "words",
        /// A star.
        Star = "star",
        /// A hexagon; `glass.path` has the number of corners.
        Polygon = "polygon",
        /// A heart.
        Heart = "heart",
        /// Clear glass as a system's interface draws it.
        SystemClear = "system_clear" as "System clear",
        /// Milky glass as a system's interface draws it.
        SystemRegular = "system_regular" as "System regular",
        /// A drop of water.
        Water = "water",
        /// Clear ice, a metre of it deep.
        Ice = "ice",
        /// Diamond.
        Diamond = "diamond",
        /// A soap bubble: a film, too thin to bend anything.
        Bubble = "bubble" as "Soap bubble",
        /// Obsidian: black volcanic glass that is clear at its thin edge.
        Obsidian = "obsidian",
        /// Amber.
        Amber = "amber",
        /// A frosted bathroom window.
        Bathroom = "bathroom" as "Frosted bathroom",
    }
}

/// Lengths in pixels at a display scale of 1; the glass' settings of the same names explain each number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LensGlass {
    pub style: Preset,
    pub magnify: f32,
    pub frost: f32,
    pub optics: LensOptics,
    pub light: LensLight,
    pub tone: LensTone,
}

#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "the settings of these names say what they are")]
pub struct LensOptics {
    pub model: OpticsModel,
    pub material: Material,
    pub bevel_width: f32,
    pub bevel_height: f32,
    pub gap: f32,
    pub ior: f32,
    pub abbe: f32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "the settings of these names say what they are")]
pub struct LensLight {
    pub rim: f32,
    pub gloss: f32,
    pub caustic: f32,
    pub mirror: f32,
    pub shadow: f32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "the settings of these names say what they are")]
pub struct LensTone {
    pub saturation: f32,
    pub tint: [f32; 3],
    pub tint_part: f32,
    pub body: [f32; 3],
    pub adaptive: f32,
}
