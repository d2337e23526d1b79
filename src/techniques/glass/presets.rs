//! The glass' own presets: named sets of its other settings, for the panel, for keys, and for `--set glass.preset=NAME`.

use super::settings::{GlassSettings, Preset};
use crate::base::settings::{AnySettings, Settings};
use toml::Table;

impl Preset {
    /// Gives `settings` this preset's values; mode and methods stay as they are.
    pub fn apply(self, settings: &mut GlassSettings) {
        let GlassSettings { mode, source_blur, blur, spectrum_taps, .. } = *settings;
        let clear = GlassSettings { mode, source_blur, blur, spectrum_taps, preset: self, ..Default::default() };
        *settings = match self {
            Preset::Clear => clear,
            Preset::Frosted => GlassSettings { frost: 7.0, saturation: 1.3, tint_part: 0.1, ..clear },
            Preset::Tinted => {
                GlassSettings { frost: 2.5, tint: [0.16, 0.36, 0.95], tint_part: 0.36, saturation: 1.5, ..clear }
            }
            Preset::Loupe => GlassSettings { half_width: 120.0, half_height: 120.0, magnify: 1.3, ..clear },
            Preset::Pill => GlassSettings {
                half_width: 190.0,
                half_height: 55.0,
                exponent: 2.6,
                bevel_height: 34.0,
                gap: 40.0,
                ..clear
            },
            Preset::Prism => GlassSettings { abbe: 8.0, spectrum_taps: spectrum_taps.max(7), ..clear },
        };
    }
}

/// Methods, which no preset touches.
const KEPT: [&str; 4] = ["mode", "source_blur", "blur", "spectrum_taps"];

/// Where a table that is to be laid over the settings names a preset (`[glass] preset = "frosted"`), puts the preset's
/// values below what else the table says of the glass. A name that is no preset is left for the laying to refuse.
pub fn expand(table: &mut Table) {
    let Some(section) = table.get_mut("glass").and_then(toml::Value::as_table_mut) else { return };
    let named = section.get("preset").and_then(toml::Value::as_str).and_then(|name| name.parse::<Preset>().ok());
    let Some(preset) = named else { return };
    let mut settings = GlassSettings::default();
    preset.apply(&mut settings);
    for (index, field) in GlassSettings::FIELDS.iter().enumerate().filter(|(_, field)| !KEPT.contains(&field.name)) {
        section.entry(field.name).or_insert_with(|| settings.value(index));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::settings::lay;
    use crate::techniques::glass::Mode;

    #[test]
    fn presets_are_in_range_and_named_by_themselves() {
        for preset in Preset::ALL {
            let mut settings = GlassSettings { mode: Mode::Source, ..Default::default() };
            preset.apply(&mut settings);
            assert_eq!(settings.check(), Ok(()));
            assert_eq!((settings.preset, settings.mode), (*preset, Mode::Source));
        }
        let mut settings = GlassSettings::default();
        Preset::Clear.apply(&mut settings);
        assert_eq!(settings, GlassSettings::default());
    }

    #[test]
    fn a_table_may_name_a_preset_and_differ_from_it() {
        let mut table: Table = "[glass]\npreset = \"frosted\"\nrim = 0.5\n".parse().unwrap();
        expand(&mut table);
        let mut settings = GlassSettings { mode: Mode::Source, ..Default::default() };
        lay(&mut settings, table["glass"].as_table().unwrap()).unwrap();
        assert_eq!((settings.frost, settings.rim, settings.mode), (7.0, 0.5, Mode::Source));
        let mut other: Table = "[glass]\nfrost = 3\n".parse().unwrap();
        expand(&mut other);
        assert_eq!(other, "[glass]\nfrost = 3\n".parse().unwrap());
    }
}
