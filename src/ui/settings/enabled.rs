//! Enabled state of settings, from the conditions in their descriptions ([`Field::when`]); disabled ones are greyed.

use base::settings::{Field, FieldKind};
use scene::{Source, picture::Motif};
use technique::Section;

use super::super::OpenFiles;

/// Fields of "scene" that select built-in content: an open file overrides them.
const BUILT_IN: [(&str, Source); 3] =
    [("motif", Source::Picture), ("place", Source::World), ("instances", Source::World)];

#[derive(Debug, Default)]
pub struct Applies {
    values: Vec<Known>,
    draws_world: bool,
    files: OpenFiles,
}

#[derive(Debug)]
struct Known {
    section: &'static str,
    field: &'static Field,
    value: &'static str,
}

impl Applies {
    pub fn of(sections: &[Section<'_>], draws_world: bool, files: &OpenFiles) -> Self {
        let known = |section: &Section<'_>| {
            let (section, settings) = (section.id, &*section.settings);
            let value = |(index, field): (usize, &'static Field)| {
                let value = match field.kind {
                    FieldKind::Choice(choices) => {
                        let value = settings.value(index);
                        choices.iter().find(|choice| value.as_str() == Some(choice.name))?.name
                    }
                    FieldKind::Bool if settings.value(index).as_bool()? => "true",
                    FieldKind::Bool => "false",
                    FieldKind::Text if settings.value(index).as_str()?.trim().is_empty() => "",
                    FieldKind::Text => "set",
                    _ => return None,
                };
                Some(Known { section, field, value })
            };
            settings.fields().iter().enumerate().filter_map(value).collect::<Vec<_>>()
        };
        Self { values: sections.iter().flat_map(known).collect(), draws_world, files: files.clone() }
    }

    /// The pieces of a motif of use have the lens' glass and a shape of their own.
    pub fn motif(&self) -> Option<Motif> {
        let is = |id: &str, name: &str, value: &str| {
            self.values.iter().any(|known| (known.section, known.field.name, known.value) == (id, name, value))
        };
        let has_pieces =
            self.files.picture.is_none() && is("scene", "source", "picture") && is("glass", "mode", "lens");
        let mut used = Motif::ALL.iter().copied().filter(|motif| motif.is_used());
        used.find(|motif| has_pieces && is("scene", "motif", motif.name()))
    }

    pub fn hides(&self, id: &str, field: &Field) -> bool {
        let is_shape = field.group == "Shape" && !matches!(field.name, "magnify" | "melt");
        id == "glass" && is_shape && self.motif().is_some()
    }

    pub fn why_not(&self, id: &str, field: &Field) -> Option<String> {
        if let Some((_, of)) = BUILT_IN.iter().find(|(name, _)| id == "scene" && *name == field.name) {
            let file = if *of == Source::World { &self.files.world } else { &self.files.picture };
            if let Some(file) = file {
                return Some(format!("Has no effect now: {file} is open."));
            }
        }
        if (id, field.name) == ("scene", "speed") && self.files.picture.is_some() && self.files.clip.is_none() {
            return Some("Has no effect now: the open picture does not move.".into());
        }
        let alternatives: Vec<&str> = field.when.split(" or ").collect();
        let holds = |alternative: &&str| alternative.split_whitespace().all(|term| self.holds(id, term));
        if field.when.is_empty() || alternatives.iter().any(holds) {
            return None;
        }
        let needs: Vec<String> = alternatives
            .iter()
            .map(|alternative| {
                let missing = alternative.split_whitespace().filter(|term| !self.holds(id, term));
                missing.filter_map(|term| self.condition_text(id, term)).collect::<Vec<_>>().join(" and ")
            })
            .collect();
        Some(format!("Has no effect now. It needs {}.", needs.join(", or ")))
    }

    fn holds(&self, id: &str, term: &str) -> bool {
        if term == "scene.source=world" || (id == "scene" && term == "source=world") {
            return self.draws_world;
        }
        let Some((known, values)) = self.term(id, term) else { return true };
        match values.strip_prefix('!') {
            Some(values) => !values.split('|').any(|value| value == known.value),
            None => values.split('|').any(|value| value == known.value),
        }
    }

    /// A condition in display names: `Background: 3D`.
    fn condition_text(&self, id: &str, term: &str) -> Option<String> {
        let (known, values) = self.term(id, term)?;
        let condition_text = |value: &str| match known.field.kind {
            FieldKind::Choice(choices) => {
                choices.iter().find(|choice| choice.name == value).map_or(value.into(), |choice| choice.title())
            }
            FieldKind::Text => if value.is_empty() { "empty" } else { "some" }.to_owned(),
            _ => if value == "true" { "on" } else { "off" }.to_owned(),
        };
        let not = if values.starts_with('!') { "not " } else { "" };
        let values: Vec<String> = values.trim_start_matches('!').split('|').map(condition_text).collect();
        Some(format!("{}: {not}{}", known.field.title(), values.join(" or ")))
    }

    fn term<'a>(&self, id: &str, term: &'a str) -> Option<(&Known, &'a str)> {
        let (name, values) = term.split_once('=')?;
        let (id, name) = name.split_once('.').unwrap_or((id, name));
        let mut all = self.values.iter();
        all.find(|known| known.section == id && known.field.name == name).map(|known| (known, values))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use techniques::Settings;

    #[test]
    fn every_condition_names_a_field_and_values_that_there_are() {
        let mut settings = Settings::default();
        let sections = settings.sections();
        let applies = Applies::of(&sections, true, &OpenFiles::default());
        let mut conditions = 0;
        for section in &sections {
            for field in section.settings.fields().iter().filter(|field| !field.when.is_empty()) {
                for term in field.when.split(" or ").flat_map(str::split_whitespace) {
                    let (known, values) = applies
                        .term(section.id, term)
                        .unwrap_or_else(|| panic!("{}.{}: {term}", section.id, field.name));
                    for value in values.trim_start_matches('!').split('|') {
                        let is_known = match known.field.kind {
                            FieldKind::Choice(choices) => choices.iter().any(|choice| choice.name == value),
                            FieldKind::Text => ["", "set"].contains(&value),
                            _ => ["true", "false"].contains(&value),
                        };
                        assert!(is_known, "{}.{}: {term}", section.id, field.name);
                    }
                    conditions += 1;
                }
            }
        }
        assert!(conditions > 40, "{conditions}");
    }

    #[test]
    fn disabled_settings_say_what_they_need() {
        let why = |set: &str, draws_world: bool, id: &str, name: &str| {
            let mut settings = Settings::default();
            set.split_whitespace().for_each(|set| settings.lay(base::settings::parse_set(set).unwrap()).unwrap());
            let sections = settings.sections();
            let applies = Applies::of(&sections, draws_world, &OpenFiles::default());
            let fields = sections.iter().find(|section| section.id == id).unwrap().settings.fields();
            applies.why_not(id, fields.iter().find(|field| field.name == name).unwrap())
        };
        assert_eq!(why("scene.source=world", true, "scene", "drift"), None);
        let camera = why("scene.source=picture", false, "scene", "drift").unwrap();
        assert_eq!(camera, "Has no effect now. It needs Background: 3D.");
        assert_eq!(why("scene.source=picture", true, "scene", "drift"), None, "a view shows the world's inside");
        let cells = why("pixel_sort.input=scene", true, "pixel_sort", "cell_area").unwrap();
        assert_eq!(cells, "Has no effect now. It needs IDs from: Synthetic cells, or Background: Image.");
        assert_eq!(why("pixel_sort.input=cells", true, "pixel_sort", "cell_area"), None);
        let by_path = why("glass.path=heart", true, "glass", "exponent").unwrap();
        assert_eq!(by_path, "Has no effect now. It needs Path: empty.");
        let words = why("glass.path=heart", true, "glass", "weight").unwrap();
        assert_eq!(words, "Has no effect now. It needs Words: some.");
        let sky = why("reflections.trace=off", true, "reflections", "depth").unwrap();
        assert_eq!(sky, "Has no effect now. It needs Ray tracing: not Off.");
        assert!(why("glass.mode=source", true, "glass", "frost").unwrap().contains("Glass: Meniscus"));
        assert!(why("hand.reduced_motion=true", true, "hand", "inertia").unwrap().contains("Reduced motion: off"));
    }
}
