//! Rules of the source tree that cargo does not hold. Cargo holds which crate may use which, clippy that nothing panics outside tests.

mod crates;
mod guards;
mod language;
mod mutations;
mod passes;

use std::{fs, path::Path};

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

/// Lines that ask whether a device is a software driver; only the device's policy does.
fn asks_for_software(path: &str, text: &str) -> Vec<String> {
    if !path.starts_with("src/") || path == "src/gpu/device_policy.rs" {
        return Vec::new();
    }
    let asks = |line: &&str| {
        let code = line.split("//").next().unwrap_or_default();
        ["is_software", "== \"software\"", "!= \"software\""].iter().any(|word| code.contains(word))
    };
    let said =
        |line: &str| format!("{path}: asks for a software driver; expected a field of DevicePolicy: {}", line.trim());
    text.lines().filter(asks).map(said).collect()
}

#[test]
fn only_the_policy_asks_for_software_drivers() {
    hold_for_texts(asks_for_software);
    let found = |path: &str, text: &str| asks_for_software(path, text).len();
    assert_eq!(found("src/a.rs", "if info.is_software() {}\nif kind == \"software\" {}\n// is_software\n"), 2);
    assert_eq!(found("src/gpu/device_policy.rs", "let is_software = true;\n"), 0);
}

/// Lines outside of `lab/` and of tests that name the `lab` of their technique. A build without the feature `lab` holds the same.
fn names_lab(path: &str, text: &str) -> Vec<String> {
    let Some(file) = path.strip_prefix("src/techniques/").and_then(|path| path.split_once('/')) else {
        return Vec::new();
    };
    if file.1.starts_with("lab/") || file.1.ends_with("tests.rs") {
        return Vec::new();
    }
    let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    let names = |line: &&str| ["crate::lab::", "super::lab::", "self::lab::"].iter().any(|name| line.contains(name));
    code.lines().filter(names).map(|line| format!("{path}: {}", line.trim())).collect()
}

#[test]
fn what_runs_names_no_lab() {
    hold_for_texts(names_lab);
    let found = |path: &str, text: &str| names_lab(path, text).len();
    assert_eq!(found("src/techniques/shade/passes.rs", "use crate::lab::reference;\nuse lab::Check;\n"), 1);
    assert_eq!(
        found("src/techniques/shade/passes.rs", "#[cfg(test)]\nmod tests {\n    use crate::lab::reference;\n}"),
        0
    );
    assert_eq!(found("src/techniques/shade/lab/checks.rs", "use crate::lab::reference;\n"), 0);
}

/// The reference of the glass knows nothing of the plan that the checks compare it with.
#[test]
fn the_glass_reference_is_independent() {
    let rooms = ["passes", "frost", "light", "optics", "system", "panels", "text", "lens::shape", "lens::tiles"];
    let names = |line: &&str| rooms.iter().any(|room| line.contains(&format!("crate::{room}")));
    hold_for_texts(|path, text| {
        let is_reference = path.starts_with("src/techniques/glass/lab/reference/");
        let code = text.split("#[cfg(test)]\nmod ").next().filter(|_| is_reference).unwrap_or_default();
        code.lines().filter(names).map(|line| format!("{path}: {}", line.trim())).collect()
    });
}

#[test]
fn headers_are_noun_phrases() {
    hold_for_texts(language::header);
}

/// The rules name the words themselves.
#[test]
fn prose_has_plain_words() {
    hold_for_texts(
        |path, text| if path == "tests/house/language.rs" { Vec::new() } else { language::words(path, text) },
    );
}

#[test]
fn paths_in_prose_exist() {
    let rule = |path: &str, text: &str| language::paths(path, text, &language::exists);
    hold_for_texts(|path, text| if path == "tests/house/language.rs" { Vec::new() } else { rule(path, text) });
}

/// Lines of code in the sources, tests and scripts with one of these texts, which name an example, outside its own folder.
fn lines_with(texts: &[&str]) -> Vec<String> {
    let folders = [("src", &["rs"][..]), ("tests", &["rs"]), ("scripts", &["sh"])];
    let all = folders.into_iter().flat_map(|(folder, endings)| {
        files(folder, endings).into_iter().map(move |(path, text)| (format!("{folder}/{path}"), text))
    });
    let lines = all.filter(|(path, _)| path != "tests/house/main.rs").flat_map(|(path, text)| {
        let code = text.lines().filter(|line| !line.contains("//!") && !line.contains("///"));
        let about = code.filter(|line| texts.iter().any(|text| line.contains(text)));
        about.map(|line| format!("{path}: {}", line.trim())).collect::<Vec<_>>()
    });
    let mut lines: Vec<String> = lines.collect();
    lines.sort();
    lines
}

/// Of the code outside its folder a technique costs one line in the list and one call in the frame; CONTRIBUTING.md has those of the manifests.
#[test]
fn a_technique_costs_two_lines() {
    assert_eq!(
        lines_with(&["techniques.histogram", "histogram: Histogram", "examples/histogram/"]),
        [
            "src/renderer/frame.rs: self.techniques.histogram.record(frame, &settings.histogram, &picture)?;",
            "src/techniques/lib.rs: histogram: Histogram [Checks, Benches],",
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

/// A source archive has no list of tracked files.
#[test]
fn nothing_stray_lies_at_the_top() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let Ok(listed) = std::process::Command::new("git").arg("ls-files").current_dir(root).output() else { return };
    if !root.join(".git").exists() || !listed.status.success() {
        return;
    }
    let listed = String::from_utf8(listed.stdout).unwrap();
    let mut here: Vec<&str> = listed.lines().filter(|path| !path.contains('/')).collect();
    here.sort_unstable();
    let expected = ".gitattributes .gitignore CHANGELOG.md CONTRIBUTING.md Cargo.lock Cargo.toml LICENSE-APACHE \
        LICENSE-MIT NOTICES.txt README.md SECURITY.md build.rs clippy.toml deny.toml rustfmt.toml";
    assert_eq!(here.join(" "), expected);
}
