//! Glass of single lenses in files and on the command line.

use crate::{GlassSettings, LensGlass};
use base::settings::{AnySettings as _, Settings as _, lay};

impl GlassSettings {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Preset;

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
