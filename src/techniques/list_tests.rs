//! Tests of the properties that every technique of the list has.

use super::*;

macro_rules! tests {
    ($($id:ident: $technique:ty),* $(,)?) => {
        /// Ids, fields, folders, shader folders and docs have the same names.
        #[test]
        fn names_agree() {
            let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
            $(
                assert_eq!(stringify!($id), <$technique>::ID);
                let mut places = vec![];
                for place in ["src/techniques/ID", "shaders/ID", "docs/ID.md"] {
                    places.push(place.replace("ID", <$technique>::ID));
                }
                for place in places {
                    assert!(root.join(&place).exists(), "{place} is missing");
                }
                assert!(!<$technique>::checks().is_empty(), "{} has no oracle", <$technique>::ID);
                assert!(!<$technique>::benches().is_empty(), "{} has no benchmark", <$technique>::ID);
                assert!(!<$technique>::OUTPUTS.is_empty(), "{} names nothing that it makes", <$technique>::ID);
                for output in <$technique>::OUTPUTS {
                    let row = format!("| `{}/{}` | {} |", <$technique>::ID, output.name, output.kind());
                    assert!(<$technique>::DOC.contains(&row), "docs/{}.md has no {row}", <$technique>::ID);
                }
            )*
            let mut folders: Vec<_> = std::fs::read_dir(root.join("src/techniques")).unwrap()
                .map(|entry| entry.unwrap().file_name().into_string().unwrap())
                .filter(|name| !name.ends_with(".rs")).collect();
            folders.sort();
            let mut ids: Vec<_> = INFOS.iter().map(|info| info.id.to_owned()).collect();
            ids.sort();
            assert_eq!(folders, ids, "a folder that is not in the list");
        }
    };
}

every_technique!(tests);

#[test]
fn defaults_are_in_range() {
    for section in Settings::default().sections() {
        section.settings.check().unwrap();
    }
}
