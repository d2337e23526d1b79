//! Settings of earlier versions that presets may still have.

/// Section, field, and its replacement.
const RETIRED: [(&str, &str, &str); 7] = [
    ("mip_chain", "measure", MEASURING),
    ("summed_area", "measure", MEASURING),
    ("pixel_sort", "measure", MEASURING),
    ("downsample", "measure", MEASURING),
    ("glass", "measure", MEASURING),
    ("particles", "measure", MEASURING),
    ("reflections", "measure", MEASURING),
];

const MEASURING: &str = "measuring is a button of the section, or headless --measure";

/// Takes them out of a preset. A line for all that became the same thing says what that is.
pub fn remove(table: &mut toml::Table) -> Vec<String> {
    let mut lines: Vec<(&str, Vec<String>)> = Vec::new();
    for (id, field, now) in RETIRED {
        let section = table.get_mut(id).and_then(toml::Value::as_table_mut);
        if section.and_then(|section| section.remove(field)).is_none() {
            continue;
        }
        let name = format!("{id}.{field}");
        match lines.iter_mut().find(|(of, _)| *of == now) {
            Some((_, names)) => names.push(name),
            None => lines.push((now, vec![name])),
        }
    }
    lines.into_iter().map(|(now, names)| format!("{} ignored: {now}", names.join(", "))).collect()
}

#[cfg(test)]
mod tests {
    use crate::techniques::Settings;

    #[test]
    fn presets_of_earlier_versions_are_accepted() {
        let text =
            "[glass]\nfrost = 3.0\nmeasure = true\n[mip_chain]\nmeasure = false\n[reflections]\nmeasure = true\n";
        let mut table: toml::Table = toml::from_str(text).unwrap();
        let said = "mip_chain.measure, glass.measure, reflections.measure ignored: measuring is a button of the section, or headless --measure";
        assert_eq!(super::remove(&mut table.clone()), [said]);
        let mut settings = Settings::default();
        settings.lay(table.clone()).unwrap();
        assert_eq!(settings.glass.frost, 3.0);
        assert_eq!((super::remove(&mut table).len(), super::remove(&mut table).len()), (1, 0));
    }

    /// Measuring marks no preset as changed: no section has a setting for it.
    #[test]
    fn no_setting_measures() {
        for section in Settings::default().sections() {
            assert!(section.settings.fields().iter().all(|field| field.name != "measure"), "{}", section.id);
        }
    }
}
