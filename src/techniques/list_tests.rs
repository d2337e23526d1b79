//! Tests of the properties that every technique of the list has.

use super::*;
use base::settings::Field;
use std::{fs, path::Path};
use technique::{FieldPlace, Mention, field_at, mention};

#[test]
fn names_agree() {
    let root = Path::new(env!("MENISCUS_CHECKOUT"));
    let settings = toml::Table::try_from(Settings::default()).unwrap();
    for info in INFOS {
        // An example has all of it in one folder.
        let example = root.join("examples").join(info.id);
        let own =
            ["src/techniques/ID", "shaders/ID", "docs/ID.md"].map(|place| root.join(place.replace("ID", info.id)));
        assert!(example.exists() || own.iter().all(|place| place.exists()), "{own:?}: one is missing");
        assert!(settings.contains_key(info.id), "{}: its id is not the name of its settings", info.id);
        let lab = info.lab;
        assert!(!lab.checks.is_empty() && !lab.benches.is_empty(), "{} has no check or no benchmark", info.id);
        assert!(!info.outputs.is_empty(), "{} names nothing that it makes", info.id);
        for output in info.outputs {
            let row = format!("| `{}/{}` | {} |", info.id, output.name, output.kind());
            assert!(info.doc.contains(&row), "the page of {} has no {row}", info.id);
        }
    }
    let entries = fs::read_dir(root.join("src/techniques")).unwrap().map(|entry| entry.unwrap());
    let folders = entries.filter(|entry| entry.path().is_dir()).map(|entry| entry.file_name().into_string().unwrap());
    for folder in folders {
        assert!(info(&folder).is_some(), "src/techniques/{folder} is not in the list");
    }
}

#[test]
fn defaults_are_in_range() {
    for section in Settings::default().sections() {
        section.settings.check().unwrap();
    }
}

#[test]
fn names_with_a_number_are_found() {
    let info = INFOS.iter().find(|info| info.id == "mip_chain").unwrap();
    for name in ["level 0", "level 3", "level 4294967295"] {
        assert_eq!(info.output(name).unwrap().name, "level N");
    }
    for name in
        ["level", "level ", "level N", "level 03", "level +3", "level -1", "level 4294967296", "levels", "level 3 "]
    {
        let said = info.output(name).unwrap_err();
        assert!(said.contains("level 0"), "{name}: {said}");
    }
    let level = info.output("level 5").unwrap();
    assert_eq!(level.count(|name| ["level 0", "level 1", "level 3"].contains(&name)), Some(2));
    let ids = INFOS[0].output("ids").unwrap();
    assert_eq!((ids.kind().as_str(), ids.count(|_| true)), ("u32, h x w", None));
    assert!(INFOS[0].output("ids 3").is_err());
}

#[test]
fn names_are_words_and_differ() {
    for info in INFOS {
        for (i, output) in info.outputs.iter().enumerate() {
            let word = output.name.strip_suffix(" N").unwrap_or(output.name);
            assert!(word.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_'), "{}/{}", info.id, output.name);
            assert!(!output.elements.is_empty() && !output.doc.is_empty() && !output.needs.is_empty());
            assert!(info.outputs[..i].iter().all(|other| other.name != output.name));
        }
    }
}

fn all_fields() -> Vec<(&'static str, &'static [Field])> {
    Settings::default().sections().iter().map(|section| (section.id, section.settings.fields())).collect()
}

#[test]
fn code_is_found_among_settings_values_and_views() {
    let fields = all_fields();
    let of = |code| mention(code, "downsample", INFOS, &fields);
    let name = |place: FieldPlace| field_at(place, &fields).unwrap().name;
    let Some(Mention::Setting(place)) = of("downsample.ratio") else { panic!("a setting") };
    assert_eq!((place.section, name(place)), ("downsample", "ratio"));
    let Some(Mention::Setting(place)) = of("method") else { panic!("a setting of the page") };
    assert_eq!(name(place), "method");
    let Some(Mention::Value(place, value)) = of("lanczos3") else { panic!("a value") };
    assert_eq!((name(place), value.as_str()), ("method", Some("lanczos3")));
    let Some(Mention::Value(place, value)) = of("mip_chain.filter=box") else { panic!("a value elsewhere") };
    assert_eq!((place.section, name(place), value.as_str()), ("mip_chain", "filter", Some("box")));
    assert!(matches!(of("ratio = 16"), Some(Mention::Value(_, toml::Value::Integer(16)))));
    let Some(Mention::View([info, view])) = of("downsample/read") else { panic!("a view") };
    assert_eq!((INFOS[info].id, INFOS[info].views[view].name), ("downsample", "read"));
    for other in ["downsample.no", "no", "downsample/no", "ratio=many", "method=no", "", "/", "=", "bilinear.no"] {
        assert_eq!(of(other), None, "{other}");
    }
}

#[test]
fn pages_name_what_there_is() {
    use base::markdown::{Block, Style, blocks, pieces};
    let fields = all_fields();
    let (mut settings, mut views) = (0, 0);
    for info in INFOS {
        for block in blocks(info.doc) {
            let (Block::Text(text) | Block::Item(_, _, text)) = block else { continue };
            for (style, code) in pieces(&text) {
                let is_path = code.contains([' ', '=', '*']) || code.ends_with(".rs") || code.ends_with(".md");
                if style != Style::Code || is_path {
                    continue;
                }
                let found = mention(code, info.id, INFOS, &fields);
                if let Some((section, _)) =
                    code.split_once('.').filter(|(of, _)| INFOS.iter().any(|info| info.id == *of))
                {
                    settings += 1;
                    assert!(matches!(found, Some(Mention::Setting(_))), "{}: `{code}` of {section}", info.id);
                }
                views += usize::from(matches!(found, Some(Mention::View(_))));
            }
        }
    }
    assert!(settings > 60 && views > 40, "{settings} {views}");
}

#[test]
fn steps_of_the_story_have_names_and_settings_of_their_own() {
    for info in INFOS {
        for (number, step) in info.lab.story.iter().enumerate() {
            assert!(info.lab.story[..number].iter().all(|other| other.name != step.name), "{}/{}", info.id, step.name);
            let shaders = Path::new(env!("MENISCUS_CHECKOUT")).join("shaders").join(info.id);
            let texts: Vec<String> =
                fs::read_dir(shaders).unwrap().map(|file| fs::read_to_string(file.unwrap().path()).unwrap()).collect();
            assert!(step.passes.is_empty() || !step.lines.is_empty() || step.name == "light", "{}: no line", step.name);
            for line in step.lines {
                let count = texts.iter().filter(|text| text.contains(line)).count();
                assert!(count > 0, "{}/{}: no shader has the line {line}", info.id, step.name);
            }
            if !step.off.is_empty() {
                let off = Settings::default().lacks(&[step.off]);
                assert_eq!(off, [step.off], "{}/{} is left out by default, or by nothing", info.id, step.name);
            }
        }
    }
}
