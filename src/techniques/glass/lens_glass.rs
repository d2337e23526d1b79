//! Glass of single lenses: the settings that a lens can have for itself.

use super::settings::GlassSettings;
use crate::base::settings::{AnySettings as _, Settings as _, lay};
use crate::scene::{Lens, LensGlass, LensLight, LensOptics, LensTone};

const FIELDS: [&str; 20] = [
    "preset",
    "magnify",
    "frost",
    "optics",
    "material",
    "bevel_width",
    "bevel_height",
    "gap",
    "ior",
    "abbe",
    "rim",
    "gloss",
    "caustic",
    "mirror",
    "shadow",
    "saturation",
    "tint",
    "tint_part",
    "body",
    "adaptive",
];

pub fn is_of_lens(field: &str) -> bool {
    FIELDS.contains(&field)
}

impl GlassSettings {
    pub fn lens_glass(&self) -> LensGlass {
        LensGlass {
            style: self.preset,
            magnify: self.magnify,
            frost: self.frost,
            optics: LensOptics {
                model: self.optics,
                material: self.material,
                bevel_width: self.bevel_width,
                bevel_height: self.bevel_height,
                gap: self.gap,
                ior: self.ior,
                abbe: self.abbe,
            },
            light: LensLight {
                rim: self.rim,
                gloss: self.gloss,
                caustic: self.caustic,
                mirror: self.mirror,
                shadow: self.shadow,
            },
            tone: LensTone {
                saturation: self.saturation,
                tint: self.tint,
                tint_part: self.tint_part,
                body: self.body,
                adaptive: self.adaptive,
            },
        }
    }

    pub fn take_lens_glass(&mut self, glass: &LensGlass) {
        let LensGlass { style, magnify, frost, optics, light, tone } = *glass;
        (self.preset, self.magnify, self.frost) = (style, magnify, frost);
        (self.optics, self.material) = (optics.model, optics.material);
        (self.bevel_width, self.bevel_height, self.gap) = (optics.bevel_width, optics.bevel_height, optics.gap);
        (self.ior, self.abbe) = (optics.ior, optics.abbe);
        (self.rim, self.gloss, self.caustic) = (light.rim, light.gloss, light.caustic);
        (self.mirror, self.shadow) = (light.mirror, light.shadow);
        (self.saturation, self.tint, self.tint_part) = (tone.saturation, tone.tint, tone.tint_part);
        (self.body, self.adaptive) = (tone.body, tone.adaptive);
    }

    pub fn any_follows_brightness(&self, lenses: &[Lens]) -> bool {
        let follows = |glass: &LensGlass| {
            let mut own = Self::default();
            own.take_lens_glass(glass);
            own.follows_brightness()
        };
        self.follows_brightness() || lenses.iter().filter_map(|lens| lens.glass.as_ref()).any(follows)
    }

    pub fn lens_table(glass: &LensGlass) -> toml::Table {
        let mut settings = Self::default();
        settings.take_lens_glass(glass);
        let fields = Self::FIELDS.iter().enumerate().filter(|(_, field)| is_of_lens(field.name));
        fields.map(|(index, field)| (field.name.to_owned(), settings.value(index))).collect()
    }

    /// A style is applied first; other settings are as here.
    pub fn lens_glass_of(&self, own: &toml::Table) -> Result<LensGlass, String> {
        if let Some(name) = own.keys().find(|name| !is_of_lens(name)) {
            return Err(format!(
                "{name}: not a setting of the glass of one lens; expected one of {}",
                FIELDS.join(", ")
            ));
        }
        let mut settings = self.clone();
        if let Some(style) = own.get("preset") {
            lay(&mut settings, &toml::Table::from_iter([("preset".to_owned(), style.clone())]))?;
            settings.preset.apply(&mut settings);
        }
        lay(&mut settings, own)?;
        Ok(settings.lens_glass())
    }

    /// Leaves out what no lens can have, and values out of range.
    pub fn lay_over_lenses(sections: &toml::Table, lenses: &mut [Lens]) {
        let Some(toml::Value::Table(values)) = sections.get("glass") else { return };
        let of_lens = values.iter().filter(|(name, _)| is_of_lens(name));
        let values: toml::Table = of_lens.map(|(name, value)| (name.clone(), value.clone())).collect();
        for glass in lenses.iter_mut().filter_map(|lens| lens.glass.as_mut()) {
            let mut own = Self::default();
            own.take_lens_glass(glass);
            *glass = own.lens_glass_of(&values).unwrap_or(*glass);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Preset;

    #[test]
    fn the_glass_of_a_lens_comes_back_by_its_names() {
        for preset in Preset::ALL {
            let mut settings = GlassSettings::default();
            preset.apply(&mut settings);
            let glass = settings.lens_glass();
            let table = GlassSettings::lens_table(&glass);
            assert_eq!((table.len(), settings.lens_glass().style), (FIELDS.len(), *preset));
            assert_eq!(GlassSettings::default().lens_glass_of(&table), Ok(glass), "{preset:?}");
            let styled = toml::Table::from_iter([("preset".to_owned(), preset.name().into())]);
            let other = GlassSettings { frost: 30.0, rim: 0.1, ..Default::default() };
            assert_eq!(other.lens_glass_of(&styled), Ok(glass), "{preset:?}");
            let mut back = GlassSettings::default();
            back.take_lens_glass(&glass);
            assert_eq!(back.lens_glass(), glass);
        }
    }

    #[test]
    fn what_a_lens_does_not_say_is_shared_and_faults_are_named() {
        let own = |text: &str| GlassSettings { rim: 0.7, ..Default::default() }.lens_glass_of(&text.parse().unwrap());
        let some = own("frost = 9.0").unwrap();
        assert_eq!((some.frost, some.light.rim), (9.0, 0.7));
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
    fn values_are_laid_over_lenses_with_their_own_glass() {
        let glass = GlassSettings { frost: 3.0, rim: 0.25, ..Default::default() }.lens_glass();
        let mut lenses = [Lens { glass: Some(glass), ..Lens::default() }, Lens::default()];
        let mut laid = |text: &str| {
            GlassSettings::lay_over_lenses(&text.parse().unwrap(), &mut lenses);
            lenses.map(|lens| lens.glass)
        };
        assert_eq!(laid("[glass]\nfrost = 9.0\nmelt = 3.0"), [Some(LensGlass { frost: 9.0, ..glass }), None]);
        assert_eq!(laid("[shade]\nfrost = 1.0"), [Some(LensGlass { frost: 9.0, ..glass }), None]);
        let amber = GlassSettings::default().lens_glass_of(&"preset = \"amber\"".parse().unwrap()).unwrap();
        assert_eq!(laid("[glass]\npreset = \"amber\""), [Some(amber), None]);
    }
}
