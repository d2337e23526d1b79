//! Tests of the properties that every technique of the list has.

use super::*;
use std::{fs, path::Path};

#[test]
fn names_agree() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
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
