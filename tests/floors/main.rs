//! Rules of the source tree: a layer uses only the layers below it; `ash` only in gpu, `winit` and `clap` only in app; techniques never
//! name each other; no panics or unsafe code outside of their places.

mod circles;
mod guards;
mod language;
mod mutations;
mod passes;
mod rules;
mod samples;
mod source;

use source::{Source, What, module_of};
use std::{collections::BTreeSet, fs, path::Path, sync::LazyLock};

/// Path below `folder` with `/`, and text, of every file below it whose name has one of these extensions.
fn files(folder: &str, endings: &[&str]) -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let (mut found, mut folders) = (Vec::new(), vec![root.clone()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| endings.iter().any(|ending| e == *ending)) {
                let name = path.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/");
                found.push((name, fs::read_to_string(&path).unwrap()));
            }
        }
    }
    found
}

/// Modules that are compiled for tests only, and those below them.
fn test_modules(sources: &[Source]) -> BTreeSet<Vec<String>> {
    let of = |source: &Source| {
        let places = source.named.iter().filter_map(|named| match &named.what {
            What::TestModule(place) => Some(place.clone()),
            _ => None,
        });
        places.collect::<Vec<_>>()
    };
    sources.iter().flat_map(of).collect()
}

static SOURCES: LazyLock<Vec<Source>> = LazyLock::new(|| {
    let texts = files("src", &["rs"]);
    let read = |is_test: &dyn Fn(&str) -> bool| -> Vec<Source> {
        texts.iter().map(|(path, text)| Source::read(path, text, is_test(path)).unwrap()).collect()
    };
    let for_tests = test_modules(&read(&|_| false));
    let sources = read(&|path| {
        let module = module_of(path);
        (1..=module.len()).any(|length| for_tests.contains(&module[..length]))
    });
    let named: usize = sources.iter().map(|source| source.named.len()).sum();
    assert!(sources.len() > 150 && named > 10_000, "{named} names in {} files: too little was read", sources.len());
    sources
});

fn hold(rule: impl Fn(&Source) -> Vec<String>) {
    let wrong: Vec<String> = SOURCES.iter().flat_map(rule).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn floors_use_only_what_is_below() {
    hold(rules::floors);
}

#[test]
fn libraries_stay_on_their_floor() {
    hold(rules::libraries);
}

#[test]
fn techniques_never_name_each_other() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/techniques");
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let ids: Vec<String> = entries
        .filter(|entry| entry.file_type().unwrap().is_dir())
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    assert!(ids.len() >= 5, "{ids:?}");
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    hold(|source| rules::techniques(source, &ids));
}

#[test]
fn what_runs_names_no_lab() {
    hold(rules::labs);
}

/// Places in which circles between files are left.
const CIRCLES_LEFT: [&str; 1] = ["gpu/"];

#[test]
fn files_import_in_no_circle() {
    let is_left = |file: &str| CIRCLES_LEFT.iter().any(|place| file.starts_with(place));
    let all = circles::circles(&SOURCES);
    let wrong: Vec<String> = all
        .iter()
        .filter(|circle| !circle.iter().all(|file| is_left(file)))
        .map(|circle| format!("{circle:?}"))
        .collect();
    assert!(wrong.is_empty(), "{} circles:\n{}", wrong.len(), wrong.join("\n"));
}

/// The reference of the glass knows nothing of the plan that the checks compare it with, and the plan nothing of the reference.
#[test]
fn the_glass_reference_is_independent() {
    hold(rules::glass_reference);
}

#[test]
fn nothing_panics_outside_tests() {
    hold(rules::panics);
}

/// Path and text of all files of the project that people read.
fn texts() -> Vec<(String, String)> {
    let endings = ["rs", "glsl", "comp", "vert", "frag", "mesh", "task", "py", "md"];
    let folders = ["src", "tests", "shaders", "examples", "scripts", "docs"];
    let below = |folder: &str| {
        let here = files(folder, &endings).into_iter();
        here.map(|(path, text)| (format!("{folder}/{path}"), text)).collect::<Vec<_>>()
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let pages = ["README.md", "CONTRIBUTING.md", "SECURITY.md"]
        .map(|page| (page.into(), fs::read_to_string(root.join(page)).unwrap()));
    folders.into_iter().flat_map(below).chain(pages).collect()
}

fn hold_for_texts(rule: impl Fn(&str, &str) -> Vec<String>) {
    let wrong: Vec<String> = texts().iter().flat_map(|(path, text)| rule(path, text)).collect();
    assert!(wrong.is_empty(), "{} in all:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn only_the_policy_asks_for_software_drivers() {
    hold_for_texts(rules::policy);
}

#[test]
fn headers_are_noun_phrases() {
    hold_for_texts(language::header);
}

/// The rules name the words themselves.
#[test]
fn prose_has_plain_words() {
    hold_for_texts(
        |path, text| if path == "tests/floors/language.rs" { Vec::new() } else { language::words(path, text) },
    );
}

#[test]
fn paths_in_prose_exist() {
    let rule = |path: &str, text: &str| language::paths(path, text, &language::exists);
    hold_for_texts(|path, text| if path == "tests/floors/language.rs" { Vec::new() } else { rule(path, text) });
}

/// Lines of code in the sources, tests and scripts with one of these texts, which name an example, outside its own folder.
fn lines_with(texts: &[&str]) -> Vec<String> {
    let folders = [("src", &["rs"][..]), ("tests", &["rs"]), ("scripts", &["sh"])];
    let all = folders.into_iter().flat_map(|(folder, endings)| {
        files(folder, endings).into_iter().map(move |(path, text)| (format!("{folder}/{path}"), text))
    });
    let lines = all.filter(|(path, _)| path != "tests/floors/main.rs").flat_map(|(path, text)| {
        let code = text.lines().filter(|line| !line.contains("//!") && !line.contains("///"));
        let about = code.filter(|line| texts.iter().any(|text| line.contains(text)));
        about.map(|line| format!("{path}: {}", line.trim())).collect::<Vec<_>>()
    });
    let mut lines: Vec<String> = lines.collect();
    lines.sort();
    lines
}

/// A technique costs its folder, its shaders, its page, one line in the list (of an example with the path of its module), and one call in
/// the frame.
#[test]
fn a_technique_costs_two_lines() {
    assert_eq!(
        lines_with(&["techniques.histogram", "histogram: Histogram", "examples/histogram/"]),
        [
            "src/renderer/frame.rs: self.techniques.histogram.record(frame, &settings.histogram, &picture)?;",
            r#"src/techniques/mod.rs: #[path = "../../examples/histogram/mod.rs"]"#,
            "src/techniques/mod.rs: histogram: Histogram [Checks, Benches],",
        ]
    );
}

/// An instrument costs its folder and one line in the list.
#[test]
fn an_instrument_costs_one_line() {
    assert_eq!(
        lines_with(&["PassCount", "examples/instrument/"]),
        [
            r#"src/ui/instruments/mod.rs: #[path = "../../../examples/instrument/mod.rs"]"#,
            "src/ui/instruments/mod.rs: pass_count: PassCount,",
        ]
    );
}

/// The packages that the project is built on: none of them is replaced.
#[test]
fn fixed_packages_stay() {
    let manifest = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml")).unwrap();
    for package in ["winit", "ash", "ash-window", "egui", "egui-ash-renderer", "glam", "image", "shaderc"] {
        let named = manifest.lines().any(|line| line.split(" = ").next() == Some(package));
        assert!(named, "{package} is missing from Cargo.toml");
    }
}
