//! Presets of the glass: named sets of its other settings.

use super::materials;
use super::settings::{GlassSettings, Material, Mode, OpticsModel, Preset};
use crate::base::settings::ShortText;
use crate::scene::Shape;

impl Preset {
    /// Gives `settings` this preset's values; mode, methods and font stay as they are.
    pub fn apply(self, settings: &mut GlassSettings) {
        let GlassSettings { mode, blur, taps, font, .. } = *settings;
        let clear = GlassSettings { mode, blur, taps, font, preset: self, ..Default::default() };
        *settings = match self {
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
            Preset::Words => GlassSettings {
                half_width: 260.0,
                half_height: 150.0,
                text: ShortText::from("Glass").unwrap_or_default(),
                ..clear
            },
            Preset::Star => path("star 5", clear),
            Preset::Polygon => path("polygon 6", clear),
            Preset::Heart => path("heart", clear),
            // The quarter circle that was measured: 20 pt wide, 60 pt at the edge.
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
            Preset::Water
            | Preset::Ice
            | Preset::Diamond
            | Preset::Bubble
            | Preset::Obsidian
            | Preset::Amber
            | Preset::Bathroom => materials::apply(self, clear),
            // Far beyond any glass: what parts the colours is to be seen at a glance.
            Preset::Prism => GlassSettings { abbe: 2.0, gap: 90.0, caustic: 0.6, ..clear },
        };
    }
}

/// A path as large as the star, the polygon and the heart are.
fn path(text: &str, clear: GlassSettings) -> GlassSettings {
    let path = ShortText::from(text).unwrap_or_default();
    GlassSettings { half_width: 150.0, half_height: 150.0, path, ..clear }
}

impl GlassSettings {
    /// Clear glass of the same shape, for views.
    #[must_use]
    pub fn cleared(&self) -> GlassSettings {
        let mut clear = self.clone();
        Preset::Clear.apply(&mut clear);
        GlassSettings {
            mode: Mode::Lens,
            half_width: self.half_width,
            half_height: self.half_height,
            shape: self.shape,
            exponent: self.exponent,
            radius: self.radius,
            path: self.path,
            text: self.text,
            weight: self.weight,
            angle: self.angle,
            magnify: self.magnify,
            melt: self.melt,
            ..clear
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::settings::AnySettings;

    #[test]
    fn a_view_is_seen_through_clear_glass_whatever_the_preset() {
        for preset in Preset::ALL {
            let mut settings = GlassSettings { mode: Mode::Source, legible: true, ..Default::default() };
            preset.apply(&mut settings);
            let clear = settings.cleared();
            let lens = settings.placed(glam::Vec2::ZERO, 1.0);
            assert_eq!((clear.mode, clear.placed(glam::Vec2::ZERO, 1.0)), (Mode::Lens, lens), "{preset:?}");
            let [own, plain] = [&clear, &GlassSettings::default()].map(|glass| {
                let glass = glass.glass(&[], 1.0);
                (glass.light, glass.optics, glass.bevel, glass.legible.is_some())
            });
            assert_eq!(own, plain, "{preset:?}");
            assert!((clear.frost, clear.tint_part) == (0.5, 0.02), "{preset:?}");
        }
    }

    #[test]
    fn the_loupe_is_a_circle() {
        let mut settings = GlassSettings::default();
        Preset::Loupe.apply(&mut settings);
        let lens = settings.placed(glam::Vec2::ZERO, 1.0);
        assert_eq!((lens.half.x, lens.shape, lens.exponent), (lens.half.y, Shape::Superellipse, 2.0));
    }

    #[test]
    fn presets_are_in_range_and_named_by_themselves() {
        for preset in Preset::ALL {
            let mut settings = GlassSettings { mode: Mode::Source, taps: 3, ..Default::default() };
            preset.apply(&mut settings);
            assert_eq!(settings.check(), Ok(()));
            assert_eq!((settings.preset, settings.mode, settings.taps), (*preset, Mode::Source, 3));
        }
        let mut settings = GlassSettings::default();
        Preset::Clear.apply(&mut settings);
        assert_eq!(settings, GlassSettings::default());
    }
}
