//! Settings of the glass: those that all lenses share, and those that each lens owns: its style, optics, light and tone.

use crate::Lens;
use base::settings::{AnySettings as _, Field, FieldMut, Settings as _, ShortText, lay};
use base::{choices, settings};
use glam::Vec2;

choices! {
    /// What outline a lens has.
    pub enum Shape {
        /// A superellipse, |x / a|^n + |y / b|^n = 1: curved all the way round.
        Superellipse = "superellipse",
        /// Two straight sides joined by round ends: half circles at an exponent of 2, squarer ones above.
        Capsule = "capsule",
        /// A rectangle whose corners have a radius: quarter circles at an exponent of 2, squarer ones above.
        Rounded = "rounded" as "Rounded rectangle",
    }
}

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
        /// Clear glass as Apple's interfaces draw it.
        SystemClear = "system_clear" as "Apple-like, clear",
        /// Milky glass as Apple's interfaces draw it.
        SystemRegular = "system_regular" as "Apple-like, regular",
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

choices! {
    /// Which glass is drawn.
    pub enum Mode {
        /// The source article's shader as published, faults included.
        Source = "source" as "Reference",
        /// Our lens.
        Lens = "lens" as "Meniscus",
    }
}

choices! {
    /// Where the light on the glass comes from.
    pub enum LightFrom {
        /// From the sun of the 3D scene, as the camera sees it; over a picture from the angle below.
        Scene = "scene",
        /// From the angle below.
        Fixed = "fixed" as "Fixed angle",
    }
}

choices! {
    /// How the frost blur is computed.
    pub enum Blur {
        /// The source's 9 by 9 box, stretched to the width of the frost: 81 taps.
        Box81 = "box81" as "81-tap box",
        /// One trilinear tap of the mip chain.
        Trilinear = "trilinear" as "Trilinear (1 tap)",
        /// Cubic B-splines on the two nearest mip levels: 8 taps.
        Bicubic = "bicubic" as "Bicubic (8 taps)",
        /// Dual Kawase: downsampling with 5 and upsampling with 8 taps, then one tap.
        Kawase = "kawase" as "Dual Kawase",
        /// One mip level is blurred around the lens beforehand, then read with a cubic B-spline of four taps.
        Preblur = "preblur" as "Pre-blur (4 taps)",
        /// Three boxes from summed-area tables around the lens beforehand: the same cost for any frost. Then one bilinear tap.
        Table = "table" as "Summed-area table",
    }
}

/// A part of the settings that each lens owns.
macro_rules! lens_part {
    ($(#[doc = $doc:literal])+ pub struct $name:ident { $( $field:ident : $type:ty = $default:expr; )* }) => {
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct $name { $( pub $field: $type, )* }

        impl Default for $name {
            fn default() -> Self {
                Self { $( $field: $default, )* }
            }
        }

        impl $name {
            pub const NAMES: &[&str] = &[ $( stringify!($field), )* ];

            pub fn has(name: &str) -> bool {
                Self::NAMES.contains(&name)
            }

            fn of(settings: &GlassSettings) -> Self {
                Self { $( $field: settings.$field, )* }
            }

            fn write(&self, settings: &mut GlassSettings) {
                $( settings.$field = self.$field; )*
            }
        }
    };
}

/// Declares settings. Each lens owns an outline, of those in parentheses, and its glass, of those in brackets.
macro_rules! glass_settings {
    ($(#[doc = $doc:literal])+ pub struct $name:ident { $(
        $(#[doc = $field_doc:literal])+
        $(($outline:ident))? $([$glass:ident])? $($shared:ident)? : $type:ty = $default:expr
        $(, $option:ident $( ( $($number:expr),+ ) )? $($text:literal)? )* ;
    )* }) => {
        settings! {
            $(#[doc = $doc])+
            pub struct $name { $(
                $(#[doc = $field_doc])+
                $($outline)? $($glass)? $($shared)? : $type = $default
                $(, $option $( ( $($number),+ ) )? $($text)? )* ;
            )* }
        }

        lens_part! {
            /// Outline of a lens. Lengths are pixels at a display scale of 1, the angle is in degrees.
            pub struct LensOutline { $($( $outline: $type = $default; )?)* }
        }

        lens_part! {
            /// Glass of a lens. Lengths are pixels at a display scale of 1.
            pub struct LensGlass { $($( $glass: $type = $default; )?)* }
        }
    };
}

impl GlassSettings {
    pub fn outline(&self) -> LensOutline {
        LensOutline::of(self)
    }

    pub fn lens_glass(&self) -> LensGlass {
        LensGlass::of(self)
    }

    pub fn with_outline(mut self, outline: &LensOutline) -> Self {
        outline.write(&mut self);
        self
    }

    pub fn with_glass(mut self, glass: &LensGlass) -> Self {
        glass.write(&mut self);
        self
    }

    /// With defaults in the fields that lenses own.
    pub fn shared(self) -> Self {
        self.with_outline(&LensOutline::default()).with_glass(&LensGlass::default())
    }

    pub fn placed(&self, center: Vec2) -> Lens {
        Lens { center, outline: self.outline(), glass: self.lens_glass(), ..Lens::default() }
    }

    /// With outline and glass of a lens, as far as the ranges allow.
    pub fn of_lens(self, lens: &Lens) -> Self {
        let mut own = self.with_outline(&lens.outline).with_glass(&lens.glass);
        let is_owned = |field: &Field| LensOutline::has(field.name);
        for (index, field) in Self::FIELDS.iter().enumerate().filter(|(_, field)| is_owned(field)) {
            if let (FieldMut::Float(value), Some([low, high])) = (own.field_mut(index), Self::range(field.name)) {
                *value = value.clamp(low, high);
            }
        }
        own
    }

    pub fn table(&self, has: &dyn Fn(&str) -> bool) -> toml::Table {
        let fields = Self::FIELDS.iter().enumerate().filter(|(_, field)| has(field.name));
        fields.map(|(index, field)| (field.name.to_owned(), self.value(index))).collect()
    }

    /// A style is applied first; other settings are as here.
    pub fn lens_glass_of(&self, own: &toml::Table) -> Result<LensGlass, String> {
        if let Some(name) = own.keys().find(|name| !LensGlass::has(name)) {
            return Err(format!(
                "{name}: not a setting of the glass of one lens; expected one of {}",
                LensGlass::NAMES.join(", ")
            ));
        }
        let mut settings = self.clone();
        if let Some(style) = own.get("preset") {
            lay(&mut settings, &toml::Table::from_iter([("preset".to_owned(), style.clone())]))?;
            settings = settings.styled(settings.preset);
        }
        lay(&mut settings, own)?;
        Ok(settings.lens_glass())
    }

    /// Leaves out what no lens can have, and values out of range.
    pub fn lay_over(sections: &toml::Table, glass: &mut LensGlass) {
        let Some(toml::Value::Table(values)) = sections.get("glass") else { return };
        let mut values = values.clone();
        values.retain(|name, _| LensGlass::has(name));
        *glass = Self::default().with_glass(glass).lens_glass_of(&values).unwrap_or(*glass);
    }
}

glass_settings! {
    /// The liquid glass: lenses over the picture that refract, frost and light what is below. Lengths are pixels at a
    /// display scale of 1.
    pub struct GlassSettings {
        /// Which glass is drawn: the source article's shader or our lens.
        mode: Mode = Mode::Lens, choice, label "Glass";
        /// Named set of the settings below; choosing one applies it.
        [preset]: Preset = Preset::Clear, choice, label "Style", when "mode=lens";
        /// Half the width of the selected lens.
        (half_width): f32 = 190.0, range(8.0, 2000.0), unit "px", log, group "Shape", label "Width", times(2.0), when "mode=lens";
        /// Half the height of the selected lens.
        (half_height): f32 = 120.0, range(8.0, 2000.0), unit "px", log, group "Shape", label "Height", times(2.0), when "mode=lens";
        /// Outline of the lens.
        (shape): Shape = Shape::Superellipse, choice, group "Shape", when "mode=lens", yields_to "text path";
        /// Exponent of the curved parts of the outline: 2 is round, 10 nearly square.
        (exponent): f32 = 4.5, range(2.0, 10.0), group "Shape", label "Squareness", when "mode=lens path= text=";
        /// Radius of the corners of a rounded rectangle.
        (radius): f32 = 32.0, range(0.0, 400.0), unit "px", group "Shape", label "Corner radius", when "mode=lens shape=rounded path= text=";
        /// What becomes the selected lens in place of the shape: an SVG file, path data (`M0 0 L1 0 1 1`; `evenodd` before it is that rule),
        /// `star 5`, `polygon 6` or `heart`.
        (path): ShortText = ShortText::new(), chars(4096), asks "SVG path or file", group "Shape", when "mode=lens text=";
        /// Words that become the selected lens in place of the shape or the path. Without any, it has the shape.
        (text): ShortText = ShortText::new(), asks "Words as the shape", group "Shape", label "Words", when "mode=lens";
        /// Font file for the words (TrueType or OpenType). Empty: the interface's fonts, and those of the system for what they lack.
        font: ShortText = ShortText::new(), chars(4096), asks "Path of a font file", group "Shape", label "Font file", when "mode=lens text=set";
        /// What is added all around to the strokes of the words, in parts of their size.
        (weight): f32 = 0.045, range(0.0, 0.15), group "Shape", label "Weight of words", when "mode=lens text=set";
        /// Clockwise rotation of the selected lens.
        (angle): f32 = 0.0, range(-180.0, 180.0), unit "degrees", group "Shape", label "Rotation", when "mode=lens";
        /// Magnification of the flat face.
        [magnify]: f32 = 1.0, range(0.5, 4.0), log, group "Shape", label "Magnification", when "mode=lens";
        /// Distance below which two lenses merge.
        melt: f32 = 45.0, range(0.0, 90.0), unit "px", group "Shape", label "Melting distance", when "mode=lens";
        /// Blur (sigma) of frosted glass; up to 0.5 px is clear. Regular glass of the system has 7/12 of it over dark pictures, and twice as much on
        /// large lenses.
        [frost]: f32 = 0.5, range(0.0, 64.0), unit "px", group "Frost", when "mode=lens";
        /// How the frost blur is computed. The reference glass takes its 81 taps, or with "trilinear" one tap of the mip chain.
        blur: Blur = Blur::Preblur, choice, group "Frost", label "Frost blur";
        /// How the glass displaces the picture.
        [optics]: OpticsModel = OpticsModel::Snell, choice, group "Optics", folded, when "mode=lens";
        /// What the system's glass does to the colours below it.
        [material]: Material = Material::Clear, choice, group "Optics", folded, when "mode=lens optics=system";
        /// Width of the bevel: at most a sixth of the lens' shorter side, up to a quarter where it is 60 px or more. Words: a quarter of their strokes.
        /// The system's glass: a quarter, and 1.35 times the width on large lenses.
        [bevel_width]: f32 = 40.0, range(1.0, 400.0), unit "px", log, group "Optics", folded, when "mode=lens";
        /// Height of the bevel: thickness of the glass above its edge. With the system's optics: displacement of the picture at the edge.
        [bevel_height]: f32 = 56.0, range(0.0, 400.0), unit "px", group "Optics", folded, when "mode=lens";
        /// Gap between glass and picture. A large gap mirrors the picture at the rim.
        [gap]: f32 = 64.0, range(0.0, 400.0), unit "px", group "Optics", folded, label "Distance to background",
            when "mode=lens optics=snell";
        /// Index of refraction.
        [ior]: f32 = 1.5, range(1.0, 2.5), group "Optics", folded, when "mode=lens optics=snell";
        /// Abbe number: lower means more dispersion, and wider colour fringes. Real glass has 20 to 90.
        [abbe]: f32 = 26.0, range(1.0, 100.0), log, group "Optics", folded, label "Abbe number", when "mode=lens optics=snell";
        /// Maximum samples per bevel pixel, taken where the picture is compressed or its colours separate. 1 means a single
        /// sample: no dispersion, and the same blur in all directions.
        taps: u32 = 9, range(1, 16), group "Optics", folded, label "Max. samples", when "mode=lens";
        /// Where the light on the glass comes from. The highlights of the system's glass are always at the upper left and the lower right.
        light: LightFrom = LightFrom::Scene, choice, group "Light", folded, label "Light from", when "mode=lens optics=snell";
        /// Direction that the light comes from: 0 is right, 90 is below.
        light_angle: f32 = -123.0, range(-180.0, 180.0), unit "degrees", group "Light", label "Light angle",
            when "mode=lens optics=snell light=fixed or mode=lens optics=snell scene.source=picture";
        /// Strength of the rim light.
        [rim]: f32 = 1.0, range(0.0, 2.0), group "Light", folded, label "Rim light", when "mode=lens";
        /// Strength of the highlight on the lit side of the bevel.
        [gloss]: f32 = 0.35, range(0.0, 2.0), group "Light", folded, label "Highlight", when "mode=lens optics=snell";
        /// Strength of the light focused in the bevel opposite the light.
        [caustic]: f32 = 0.22, range(0.0, 1.0), group "Light", folded, when "mode=lens optics=snell";
        /// Strength of the surroundings reflected in the bevel.
        [mirror]: f32 = 1.0, range(0.0, 2.0), group "Light", folded, label "Reflection", when "mode=lens optics=snell";
        /// Darkness of the drop shadow.
        [shadow]: f32 = 0.3, range(0.0, 1.0), group "Light", folded, when "mode=lens";
        /// Saturation of what is seen through the glass; 1 leaves it unchanged.
        [saturation]: f32 = 1.08, range(0.0, 2.0), group "Tone", folded, when "mode=lens optics=snell";
        /// Tint of the glass.
        [tint]: [f32; 3] = [1.0, 1.0, 1.0], color, group "Tone", folded, when "mode=lens optics=snell";
        /// Amount of tint.
        [tint_part]: f32 = 0.02, range(0.0, 1.0), group "Tone", folded, label "Tint strength", when "mode=lens optics=snell";
        /// What is left of light that passes through the glass where it is thickest; thinner glass at the rim keeps more. White absorbs nothing.
        [body]: [f32; 3] = [1.0, 1.0, 1.0], color, group "Tone", folded, label "Absorption", when "mode=lens optics=snell";
        /// How strongly rim and tone adapt to the brightness below the lens: darker over bright pictures, lighter over dark ones.
        [adaptive]: f32 = 1.0, range(0.0, 1.0), group "Tone", folded, label "Adapt to background", when "mode=lens optics=snell";
        /// From the glass as it is to more tinted, more frosted glass, on which text is easier to read.
        tinted: f32 = 0.0, range(0.0, 1.0), group "Tone", folded, label "Clear to tinted", when "mode=lens";
        /// Shade the glass where it is too bright for white text on it, as little as gives the text a contrast of 4.5:1. The view
        /// "Shade for text" shows where.
        legible: bool = false, group "Tone", folded, label "Legible text", when "mode=lens";
        /// More opaque, more frosted glass, so that text on it stays readable.
        reduced_transparency: bool = false, group "Tone", folded, when "mode=lens";
    }
}

/// Of glass that is tinted altogether: least frost in pixels, least part of the tint.
const TINTED_FROST: f32 = 9.0;
const TINTED_PART: f32 = 0.62;

impl LensGlass {
    /// `part`: [`GlassSettings::tinted`]. Of the system's glass, the milky material from the middle on.
    pub fn tinted(self, part: f32) -> Self {
        if part <= 0.0 {
            return self;
        }
        let toward = |now: f32, goal: f32| now + (goal - now).max(0.0) * part;
        let material = match self.material {
            _ if part < 0.5 => self.material,
            Material::Clear => Material::Regular,
            Material::ClearLight => Material::RegularLight,
            Material::ClearDark => Material::RegularDark,
            other => other,
        };
        let (frost, tint_part) = (toward(self.frost, TINTED_FROST), toward(self.tint_part, TINTED_PART));
        Self { frost, tint_part, material, ..self }
    }

    pub fn follows_brightness(&self) -> bool {
        match self.optics {
            OpticsModel::Snell => self.adaptive > 0.0,
            OpticsModel::System => self.material.brightness().is_none(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_glass_of_a_lens_comes_back_by_its_names() {
        for preset in Preset::ALL {
            let settings = GlassSettings::default().styled(*preset);
            let glass = settings.lens_glass();
            let table = settings.table(&LensGlass::has);
            assert_eq!((table.len(), glass.preset), (LensGlass::NAMES.len(), *preset));
            assert_eq!(GlassSettings::default().lens_glass_of(&table), Ok(glass), "{preset:?}");
            let styled = toml::Table::from_iter([("preset".to_owned(), preset.name().into())]);
            let other = GlassSettings { frost: 30.0, rim: 0.1, ..Default::default() };
            assert_eq!(other.lens_glass_of(&styled), Ok(glass), "{preset:?}");
        }
    }

    #[test]
    fn what_a_lens_does_not_say_is_shared_and_faults_are_named() {
        let own = |text: &str| GlassSettings { rim: 0.7, ..Default::default() }.lens_glass_of(&text.parse().unwrap());
        let some = own("frost = 9.0").unwrap();
        assert_eq!((some.frost, some.rim), (9.0, 0.7));
        for (text, said) in [
            ("half_width = 20.0", "half_width: not a setting of the glass of one lens"),
            ("frost = -1.0", "frost"),
            ("preset = \"clea\"", "preset"),
        ] {
            let why = own(text).unwrap_err();
            assert!(why.contains(said), "{text}: {why}");
        }
    }

    #[test]
    fn tinted_glass_is_never_clearer_than_it_was() {
        for preset in Preset::ALL {
            let glass = GlassSettings::default().styled(*preset).lens_glass();
            assert_eq!(glass.tinted(0.0), glass);
            let mut last = glass;
            for part in [0.1, 0.5, 0.9, 1.0] {
                let now = glass.tinted(part);
                assert!(now.frost >= last.frost && now.tint_part >= last.tint_part, "{preset:?} {part}");
                last = now;
            }
            assert!(last.frost >= TINTED_FROST && last.tint_part >= TINTED_PART);
            assert!(last.optics == OpticsModel::Snell || last.material.is_regular());
        }
    }

    #[test]
    fn values_are_laid_over_all_lenses() {
        let glass = LensGlass { frost: 3.0, rim: 0.25, ..Default::default() };
        let mut glasses = [glass, LensGlass::default()];
        let mut laid = |text: &str| {
            glasses.iter_mut().for_each(|glass| GlassSettings::lay_over(&text.parse().unwrap(), glass));
            glasses
        };
        let frosted = [glass, LensGlass::default()].map(|glass| LensGlass { frost: 9.0, ..glass });
        assert_eq!(laid("[glass]\nfrost = 9.0\nmelt = 3.0"), frosted);
        assert_eq!(laid("[shade]\nfrost = 1.0"), frosted);
        let amber = GlassSettings::default().lens_glass_of(&"preset = \"amber\"".parse().unwrap()).unwrap();
        assert_eq!(laid("[glass]\npreset = \"amber\""), [amber; 2]);
    }
}
