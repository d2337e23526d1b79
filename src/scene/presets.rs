//! Presets of the glass: named sets of its other settings.

use crate::{GlassSettings, Material, Mode, OpticsModel, Preset, Shape};
use base::settings::ShortText;

impl GlassSettings {
    /// Mode, methods and font stay. Index, Abbe number and absorption of materials: docs/glass.md; the rest by eye.
    pub fn styled(&self, preset: Preset) -> Self {
        let GlassSettings { mode, blur, taps, font, .. } = *self;
        let clear = GlassSettings { mode, blur, taps, font, preset, ..Default::default() };
        match preset {
            Preset::Clear => clear,
            Preset::Frosted => GlassSettings { frost: 7.0, saturation: 1.35, tint_part: 0.03, ..clear },
            Preset::Tinted => {
                GlassSettings { frost: 2.5, tint: [0.16, 0.36, 0.95], tint_part: 0.36, saturation: 1.5, ..clear }
            }
            Preset::Loupe => {
                GlassSettings { half_width: 120.0, half_height: 120.0, exponent: 2.0, magnify: 1.3, ..clear }
            }
            Preset::Pill => GlassSettings {
                half_width: 190.0,
                half_height: 55.0,
                shape: Shape::Capsule,
                exponent: 2.0,
                bevel_width: 60.0,
                bevel_height: 34.0,
                gap: 40.0,
                ..clear
            },
            Preset::Words => {
                GlassSettings { half_width: 260.0, half_height: 150.0, text: ShortText::from("Glass"), ..clear }
            }
            Preset::Star => path("star 5", clear),
            Preset::Polygon => path("polygon 6", clear),
            Preset::Heart => path("heart", clear),
            // 20 pt wide, 60 pt at the edge, as measured.
            Preset::SystemClear => GlassSettings {
                optics: OpticsModel::System,
                material: Material::Clear,
                shape: Shape::Rounded,
                radius: 48.0,
                bevel_width: 20.0,
                bevel_height: 60.0,
                shadow: 0.12,
                ..clear
            },
            Preset::SystemRegular => GlassSettings {
                optics: OpticsModel::System,
                material: Material::Regular,
                shape: Shape::Rounded,
                radius: 48.0,
                bevel_width: 20.0,
                bevel_height: 60.0,
                frost: 6.0,
                shadow: 0.18,
                ..clear
            },
            // Absorption of a metre.
            Preset::Water => GlassSettings {
                ior: 1.333,
                abbe: 55.7,
                body: [0.747, 0.945, 0.991],
                half_width: 150.0,
                half_height: 130.0,
                exponent: 2.3,
                bevel_width: 120.0,
                bevel_height: 78.0,
                gap: 46.0,
                tint_part: 0.0,
                gloss: 0.8,
                caustic: 0.5,
                rim: 0.7,
                ..clear
            },
            // Absorption of a metre.
            Preset::Ice => GlassSettings {
                ior: 1.31,
                abbe: 52.0,
                body: [0.813, 0.949, 0.997],
                frost: 2.5,
                shape: Shape::Rounded,
                radius: 34.0,
                exponent: 3.0,
                bevel_width: 44.0,
                bevel_height: 70.0,
                gap: 80.0,
                tint_part: 0.05,
                gloss: 0.6,
                ..clear
            },
            Preset::Diamond => GlassSettings {
                ior: 2.417,
                abbe: 55.3,
                half_width: 130.0,
                half_height: 130.0,
                exponent: 2.0,
                bevel_width: 65.0,
                bevel_height: 60.0,
                gap: 50.0,
                tint_part: 0.0,
                gloss: 1.4,
                caustic: 0.6,
                rim: 1.3,
                ..clear
            },
            Preset::Bubble => GlassSettings {
                ior: 1.0,
                abbe: 100.0,
                half_width: 140.0,
                half_height: 140.0,
                exponent: 2.0,
                bevel_width: 70.0,
                bevel_height: 130.0,
                gap: 0.0,
                saturation: 1.0,
                tint_part: 0.0,
                mirror: 2.0,
                gloss: 1.2,
                caustic: 0.5,
                shadow: 0.06,
                adaptive: 0.0,
                ..clear
            },
            Preset::Obsidian => GlassSettings {
                ior: 1.49,
                abbe: 58.0,
                body: [0.016, 0.012, 0.011],
                bevel_width: 56.0,
                saturation: 1.0,
                tint_part: 0.0,
                gloss: 1.2,
                caustic: 0.0,
                mirror: 1.4,
                shadow: 0.5,
                adaptive: 0.0,
                ..clear
            },
            Preset::Amber => GlassSettings {
                ior: 1.54,
                abbe: 40.0,
                body: [0.82, 0.36, 0.035],
                half_width: 160.0,
                half_height: 115.0,
                exponent: 2.5,
                bevel_width: 100.0,
                bevel_height: 80.0,
                gap: 40.0,
                tint_part: 0.0,
                gloss: 0.9,
                caustic: 0.7,
                shadow: 0.4,
                ..clear
            },
            // Soda-lime glass, green by its iron, with one rough side.
            Preset::Bathroom => GlassSettings {
                ior: 1.523,
                abbe: 58.6,
                body: [0.85, 0.95, 0.9],
                frost: 13.0,
                half_width: 150.0,
                half_height: 190.0,
                shape: Shape::Rounded,
                radius: 6.0,
                exponent: 2.0,
                bevel_width: 12.0,
                bevel_height: 12.0,
                gap: 60.0,
                saturation: 1.0,
                tint_part: 0.06,
                gloss: 0.2,
                caustic: 0.1,
                ..clear
            },
            Preset::Prism => GlassSettings { abbe: 2.0, gap: 90.0, caustic: 0.6, ..clear },
        }
    }

    /// The outline is not kept.
    pub fn cleared(&self) -> GlassSettings {
        GlassSettings { mode: Mode::Lens, magnify: self.magnify, melt: self.melt, ..self.styled(Preset::Clear) }
    }
}

fn path(text: &str, clear: GlassSettings) -> GlassSettings {
    let path = ShortText::from(text);
    GlassSettings { half_width: 150.0, half_height: 150.0, path, ..clear }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::settings::AnySettings;

    #[test]
    fn the_loupe_is_a_circle() {
        let lens = GlassSettings::default().styled(Preset::Loupe).outline();
        assert_eq!((lens.half_width, lens.shape, lens.exponent), (lens.half_height, Shape::Superellipse, 2.0));
    }

    #[test]
    fn presets_are_in_range_and_named_by_themselves() {
        for preset in Preset::ALL {
            let mut settings = GlassSettings { mode: Mode::Source, taps: 3, ..Default::default() }.styled(*preset);
            assert_eq!(settings.check(), Ok(()));
            assert_eq!((settings.preset, settings.mode, settings.taps), (*preset, Mode::Source, 3));
        }
        assert_eq!(GlassSettings::default().styled(Preset::Clear), GlassSettings::default());
    }
}
