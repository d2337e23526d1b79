//! The glass' own presets: named sets of its other settings.

use super::settings::{GlassSettings, Preset};
use crate::base::settings::ShortText;
use crate::scene::Shape;

impl Preset {
    /// Gives `settings` this preset's values; mode and methods stay as they are.
    pub fn apply(self, settings: &mut GlassSettings) {
        let GlassSettings { mode, source_blur, blur, taps, bounds, by, measure, .. } = *settings;
        let clear =
            GlassSettings { mode, source_blur, blur, taps, bounds, by, measure, preset: self, ..Default::default() };
        *settings = match self {
            Preset::Clear => clear,
            Preset::Frosted => GlassSettings { frost: 7.0, saturation: 1.35, tint_part: 0.03, ..clear },
            Preset::Tinted => {
                GlassSettings { frost: 2.5, tint: [0.16, 0.36, 0.95], tint_part: 0.36, saturation: 1.5, ..clear }
            }
            Preset::Loupe => GlassSettings { half_width: 120.0, half_height: 120.0, magnify: 1.3, ..clear },
            Preset::Pill => GlassSettings {
                half_width: 190.0,
                half_height: 55.0,
                shape: Shape::Capsule,
                exponent: 2.0,
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
            // Far beyond any glass: what parts the colours is to be seen at a glance.
            Preset::Prism => GlassSettings { abbe: 2.0, gap: 90.0, caustic: 0.6, ..clear },
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::settings::AnySettings;
    use crate::techniques::{DrawnBy, glass::Mode};

    #[test]
    fn presets_are_in_range_and_named_by_themselves() {
        for preset in Preset::ALL {
            let by = DrawnBy::Compute;
            let mut settings = GlassSettings { mode: Mode::Source, by, ..Default::default() };
            preset.apply(&mut settings);
            assert_eq!(settings.check(), Ok(()));
            assert_eq!((settings.preset, settings.mode, settings.by), (*preset, Mode::Source, by));
        }
        let mut settings = GlassSettings::default();
        Preset::Clear.apply(&mut settings);
        assert_eq!(settings, GlassSettings::default());
    }
}
