//! The rule of the house: a floor uses only the floors below it; `ash` only in gpu, `winit` and `clap` only in app;
//! techniques never name each other; files stay small; nothing panics or is unsafe where it must not.

use std::{fs, path::Path};

const FLOORS: [&str; 8] = ["base", "gpu", "scene", "lab", "techniques", "renderer", "ui", "app"];

/// Path below `src` with `/`, and text, of every source file.
fn sources() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut found, mut folders) = (Vec::new(), vec![root.clone()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let name = path.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/");
                found.push((name, fs::read_to_string(&path).unwrap()));
            }
        }
    }
    found
}

/// The text without comments and without what follows `#[cfg(test)]`.
fn code(text: &str) -> String {
    let body = text.split("#[cfg(test)]").next().unwrap_or_default();
    body.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

fn is_test(path: &str) -> bool {
    path.ends_with("tests.rs") || path.contains("/tests/")
}

#[test]
fn floors_use_only_what_is_below() {
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        let Some(floor) = FLOORS.iter().position(|floor| path.starts_with(&format!("{floor}/"))) else { continue };
        let text = code(&text);
        for (above, name) in FLOORS.iter().enumerate().skip(floor + 1) {
            // `use crate::{a::b, c}` and plain paths alike: the floor's name right after `crate::`, or in its braces.
            let plain = text.contains(&format!("crate::{name}::"));
            let grouped = text.split("crate::{").skip(1).any(|rest| {
                let mut depth = 1;
                let inside: String = rest
                    .chars()
                    .take_while(|c| {
                        depth += i32::from(*c == '{') - i32::from(*c == '}');
                        depth > 0
                    })
                    .collect();
                top_level(&inside).iter().any(|item| item.split("::").next() == Some(name))
            });
            if plain || grouped {
                wrong.push(format!("{path}: {} uses {} (floor {above} above)", FLOORS[floor], name));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

fn top_level(list: &str) -> Vec<String> {
    let (mut items, mut depth) = (vec![String::new()], 0);
    for c in list.chars() {
        depth += i32::from(c == '{') - i32::from(c == '}');
        match c {
            ',' if depth == 0 => items.push(String::new()),
            c if c.is_whitespace() => {}
            c => items.last_mut().unwrap().push(c),
        }
    }
    items
}

#[test]
fn libraries_stay_on_their_floor() {
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        let text = code(&text);
        for (library, floor) in [("ash", "gpu"), ("gpu_allocator", "gpu"), ("winit", "app"), ("clap", "app")] {
            let named = text.contains(&format!("use {library}::")) || text.contains(&format!(" {library}::"));
            if named && !path.starts_with(&format!("{floor}/")) {
                wrong.push(format!("{path} uses {library}"));
            }
        }
        if !path.starts_with("gpu/") && text.contains("unsafe ") {
            wrong.push(format!("{path} is unsafe"));
        }
        if path.starts_with("ui/") && text.contains("crate::gpu") {
            wrong.push(format!("{path} knows the GPU floor"));
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn techniques_never_name_each_other() {
    let ids: Vec<_> = meniscus::techniques::INFOS.iter().map(|info| info.id).collect();
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        let Some(own) = ids.iter().find(|id| path.starts_with(&format!("techniques/{id}/"))) else { continue };
        let text = code(&text);
        for other in ids.iter().filter(|id| *id != own) {
            if text.contains(&format!("techniques::{other}")) || text.contains(&format!("super::super::{other}")) {
                wrong.push(format!("{path} names {other}"));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn files_are_small_and_say_what_they_are() {
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        let lines = text.lines().count();
        if lines > 500 {
            wrong.push(format!("{path} has {lines} lines"));
        }
        if !text.starts_with("//! ") {
            wrong.push(format!("{path} does not open with what it is"));
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn nothing_panics_outside_tests() {
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        if is_test(&path) {
            continue;
        }
        for word in [".unwrap()", ".expect(", "todo!(", "unimplemented!("] {
            if code(&text).contains(word) {
                wrong.push(format!("{path}: {word}"));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
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
