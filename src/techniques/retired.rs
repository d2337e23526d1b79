//! Settings of earlier versions that presets may still have.

/// Section, fields, and what became of them.
const RETIRED: &[(&str, &[&str], &str)] = &[
    ("mip_chain", &["measure"], MEASURING),
    ("summed_area", &["measure"], MEASURING),
    ("pixel_sort", &["measure"], MEASURING),
    ("downsample", &["measure"], MEASURING),
    ("glass", &["measure"], MEASURING),
    ("particles", &["measure"], MEASURING),
    ("reflections", &["measure"], MEASURING),
    ("scene", &["every_frame"], RERUN),
    ("mip_chain", &["every_frame"], RERUN),
    ("pixel_sort", &["every_frame"], RERUN),
    ("downsample", &["every_frame"], RERUN),
    ("glass", &["by"], DRAWN),
    ("shade", &["tone_by"], DRAWN),
    ("antialias", &["drawn_by", "joined", "reproject"], DRAWN),
    ("shade", &["split"], DRAWN),
    ("mip_chain", &["shuffles", "hardware_filter"], BENCH),
    ("summed_area", &["order"], BENCH),
    ("pixel_sort", &["tries", "containers", "order", "walk"], BENCH),
    ("downsample", &["hardware_filter"], BENCH),
    ("particles", &["sharing"], BENCH),
    ("antialias", &["filter"], BENCH),
    ("glass", &["bounds"], BENCH),
    ("glass", &["profile", "rim_width", "glow", "shadow_blur", "shadow_drop", "contour"], CONSTANT),
    ("hand", &["squash", "press", "rubber_band"], CONSTANT),
    ("display", &["toolbar"], "the bar with the presets belongs to panels of glass"),
    ("glass", &["source_blur"], "glass.blur = \"trilinear\" selects the mip chain of the reference glass"),
    ("particles", &["pause", "restart"], "particles.speed = 0 pauses, and restarting is a button of the section"),
];

const MEASURING: &str = "measuring is a button of the section, or headless --measure";
const RERUN: &str = "scene.rerun names what is recorded in every frame";
const DRAWN: &str = "the device decides";
const BENCH: &str = "a variant of meniscus bench, no setting";
const CONSTANT: &str = "a constant now";

/// Section, field, values, and the value that replaces them.
const REPLACED: &[(&str, &str, &[&str], &str)] = &[("glass", "blur", &["window", "preblur1"], "preblur")];

/// One line for each result.
pub fn remove(table: &mut toml::Table) -> Vec<String> {
    let mut lines: Vec<(&str, Vec<String>)> = Vec::new();
    for (id, fields, now) in RETIRED {
        let Some(section) = table.get_mut(*id).and_then(toml::Value::as_table_mut) else { continue };
        for field in fields.iter().filter(|field| section.remove(**field).is_some()) {
            let name = format!("{id}.{field}");
            match lines.iter_mut().find(|(of, _)| of == now) {
                Some((_, names)) => names.push(name),
                None => lines.push((now, vec![name])),
            }
        }
    }
    let mut lines: Vec<String> =
        lines.into_iter().map(|(now, names)| format!("{} ignored: {now}", names.join(", "))).collect();
    for (id, field, values, now) in REPLACED {
        let Some(value) = table.get_mut(*id).and_then(|section| section.get_mut(*field)) else { continue };
        let Some(old) = values.iter().find(|old| value.as_str() == Some(**old)) else { continue };
        *value = (*now).into();
        lines.push(format!("{id}.{field} = \"{old}\" is \"{now}\" now"));
    }
    lines
}

#[cfg(test)]
mod tests {
    use crate::Settings;

    #[test]
    fn a_file_of_the_earlier_version_opens_and_each_removed_name_has_a_line() {
        let before: toml::Table = toml::from_str(include_str!("../../tests/retired/settings.toml")).unwrap();
        let mut table = before.clone();
        let lines = super::remove(&mut table);
        let named: Vec<&str> = lines
            .iter()
            .filter_map(|line| line.split_once(" ignored"))
            .flat_map(|(names, _)| names.split(", "))
            .collect();
        let mut settings = Settings::default();
        for section in settings.sections() {
            let names: Vec<&str> = section.settings.fields().iter().map(|field| field.name).collect();
            let Some(known) = before.get(section.id).and_then(toml::Value::as_table) else { continue };
            for (name, value) in known {
                let path = format!("{}.{name}", section.id);
                assert!(names.contains(&name.as_str()) != named.contains(&path.as_str()), "{path} = {value}");
            }
        }
        assert_eq!(settings.lay(before), Ok(()));
        let mut kept = Settings::default();
        kept.particles.draw = particles::Draw::Quads;
        kept.glass.bevel_width = 56.0;
        assert_eq!(settings, kept);
    }

    #[test]
    fn values_of_the_earlier_version_are_replaced() {
        for (id, field, values, now) in super::REPLACED {
            for old in *values {
                let mut table: toml::Table = toml::from_str(&format!("[{id}]\n{field} = \"{old}\"")).unwrap();
                assert!(Settings::default().lay(table.clone()).is_ok(), "{old}");
                assert_eq!(super::remove(&mut table).len(), 1, "{old}");
                assert_eq!(table[*id][*field].as_str(), Some(*now), "{old}");
            }
        }
    }

    #[test]
    fn retired_settings_are_gone() {
        let mut settings = Settings::default();
        for section in settings.sections() {
            let fields = section.settings.fields();
            let retired = super::RETIRED.iter().filter(|(id, ..)| *id == section.id).flat_map(|(_, names, _)| *names);
            retired.for_each(|name| assert!(fields.iter().all(|field| field.name != *name), "{}.{name}", section.id));
        }
    }
}
