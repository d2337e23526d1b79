//! Test that every linked library has a licence allowed by deny.toml, and that NOTICES.txt contains its text. `MENISCUS_ACCEPT=1 cargo test
//! --test licences` writes NOTICES.txt again.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Targets of the notices: the list of libraries differs elsewhere.
const HOST: &str = "x86_64-unknown-linux-gnu";
const WINDOWS: &str = "x86_64-pc-windows-gnu";
const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// C++ libraries within shaderc-sys, by the folder of their licence.
const WITHIN_SHADERC: [&str; 4] = ["shaderc", "glslang", "spirv-tools", "spirv-headers"];

struct Library {
    name: String,
    version: String,
    licence: String,
    place: String,
    folder: PathBuf,
}

/// Libraries of both targets, or of the host alone if cargo has not downloaded all of the other: it does when a lock file changes, not for
/// every build.
fn libraries() -> (Vec<Library>, bool) {
    let mut all = linked(HOST).unwrap();
    let windows = linked(WINDOWS);
    let has_windows = windows.is_some();
    all.extend(windows.into_iter().flatten());
    all.sort_by(|a, b| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
    all.dedup_by(|a, b| (&a.name, &a.version) == (&b.name, &b.version));
    (all, has_windows)
}

/// All linked libraries of a target: no build scripts, no tests.
fn linked(target: &str) -> Option<Vec<Library>> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let told = Command::new(cargo)
        .args(["metadata", "--locked", "--offline", "--format-version", "1", "--filter-platform", target])
        .current_dir(ROOT)
        .output()
        .unwrap();
    if !told.status.success() {
        assert!(target != HOST, "{}", String::from_utf8_lossy(&told.stderr));
        return None;
    }
    let told: Value = serde_json::from_slice(&told.stdout).unwrap();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let nodes: BTreeMap<String, Value> =
        list(&told["resolve"]["nodes"]).into_iter().map(|node| (text(&node["id"]), node)).collect();
    let (mut linked, mut todo) = (BTreeSet::new(), vec![text(&told["resolve"]["root"])]);
    while let Some(id) = todo.pop() {
        for needed in list(&nodes[&id]["deps"]) {
            let is_linked = list(&needed["dep_kinds"]).iter().any(|kind| kind["kind"].is_null());
            if is_linked && linked.insert(text(&needed["pkg"])) {
                todo.push(text(&needed["pkg"]));
            }
        }
    }
    // Our own crates come from no registry.
    let is_library = |package: &Value| !package["source"].is_null() && linked.contains(&text(&package["id"]));
    let packages = list(&told["packages"]).into_iter().filter(is_library);
    let libraries: Vec<Library> = packages
        .map(|package| Library {
            name: text(&package["name"]),
            version: text(&package["version"]),
            licence: text(&package["license"]),
            place: text(&package["repository"]),
            folder: Path::new(&text(&package["manifest_path"])).parent().unwrap().to_owned(),
        })
        .collect();
    assert!(libraries.len() > 50, "{} libraries", libraries.len());
    Some(libraries)
}

fn allowed() -> Vec<spdx::Licensee> {
    let deny: toml::Table = fs::read_to_string(Path::new(ROOT).join("deny.toml")).unwrap().parse().unwrap();
    let list = deny["licenses"]["allow"].as_array().unwrap();
    list.iter().map(|name| spdx::Licensee::parse(name.as_str().unwrap()).unwrap()).collect()
}

/// The texts of a library's licences: MIT alone is enough if there is a choice.
fn texts(folder: &Path) -> Vec<(String, String)> {
    let is_licence = |name: &str| {
        let name = name.to_lowercase();
        let begins =
            ["licen", "copying", "notice", "unlicense", "ofl", "ufl", "hack-regular.txt", "emoji-icon-font-mit"];
        begins.iter().any(|begin| name.starts_with(begin)) && !name.ends_with(".rs") && !name.ends_with(".cfg")
    };
    let mut found = Vec::new();
    for folder in [folder.to_owned(), folder.join("fonts"), folder.join("LICENSES"), folder.join("licenses")] {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if let (true, Ok(text)) = (is_licence(&name), fs::read_to_string(entry.path())) {
                found.push((name, text));
            }
        }
    }
    found.sort();
    if found.iter().any(|(name, _)| name.to_lowercase().contains("mit")) {
        found.retain(|(name, _)| !name.to_lowercase().contains("apache") && !name.to_lowercase().contains("unlicense"));
    }
    found
}

/// Packages of one author under one licence, whose text only some of them contain.
const WITHOUT_FILE: [(&str, &str); 1] = [("i_key_sort", "i_float")];

/// Without line formatting, so that equal texts appear once.
fn plain(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    lines.join("\n").trim_matches(['\n', '\u{feff}', '\u{c}']).to_owned()
}

fn notices(libraries: &[Library]) -> String {
    let mut text = String::from(
        "Meniscus contains the libraries and fonts of this list. The texts of their licences follow; where there is a choice of\n\
         licences, the one that is taken. This file is made by a program: CONTRIBUTING.md says how.\n\n",
    );
    let mut of_text: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut bare: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for Library { name, version, licence, place, folder } in libraries {
        text += &format!("{name} {version}  {licence}  {place}\n");
        let mut found = texts(folder);
        if let Some((_, sibling)) = WITHOUT_FILE.iter().find(|(without, _)| without == name) {
            let sibling = libraries.iter().find(|other| other.name == *sibling);
            found = sibling.map(|sibling| texts(&sibling.folder)).unwrap_or_default();
        }
        if found.is_empty() {
            bare.entry(licence.clone()).or_default().push(name.clone());
        }
        for (_, licence) in found {
            of_text.entry(plain(&licence)).or_default().push(name.clone());
        }
        if name == "shaderc-sys" {
            for part in WITHIN_SHADERC {
                let found = texts(&folder.join("build").join(part));
                assert!(!found.is_empty(), "{part}");
                text += &format!("  within it: {part}\n");
                found.iter().for_each(|(_, licence)| of_text.entry(plain(licence)).or_default().push(part.into()));
            }
        }
    }
    let apache = fs::read_to_string(Path::new(ROOT).join("LICENSE-APACHE")).unwrap();
    for (licence, names) in bare {
        // It asks for no notice with machine code.
        if licence == "BSL-1.0" {
            continue;
        }
        assert!(licence.contains("Apache-2.0"), "{names:?}: no text of {licence}");
        of_text.entry(plain(&apache)).or_default().extend(names);
    }
    let mut all: Vec<(Vec<String>, String)> = of_text.into_iter().map(|(text, names)| (names, text)).collect();
    all.sort();
    for (mut names, licence) in all {
        names.dedup();
        text += &format!("\n{}\n{}\n\n{licence}\n", "-".repeat(80), names.join(", "));
    }
    text
}

#[test]
fn every_licence_is_one_that_is_allowed() {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return;
    }
    let allowed = allowed();
    for Library { name, licence, .. } in libraries().0 {
        let licence = spdx::Expression::parse_mode(&licence, spdx::ParseMode::LAX)
            .unwrap_or_else(|why| panic!("{name}: {licence}: {why}"));
        let fits = licence.evaluate(|wanted| allowed.iter().any(|licensee| licensee.satisfies(wanted)));
        assert!(fits, "{name}: {licence} is not among those of deny.toml");
    }
    let manifest = fs::read_to_string(Path::new(ROOT).join("Cargo.toml")).unwrap();
    assert!(manifest.contains("license = \"MIT OR Apache-2.0\""));
}

#[test]
fn the_notices_are_current() {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return;
    }
    let (libraries, has_windows) = libraries();
    let (file, made) = (Path::new(ROOT).join("NOTICES.txt"), notices(&libraries));
    if !has_windows {
        let there = fs::read_to_string(&file).unwrap();
        for Library { name, version, .. } in libraries {
            assert!(there.contains(&format!("\n{name} {version}  ")), "NOTICES.txt lacks {name} {version}");
        }
        return;
    }
    if std::env::var_os("MENISCUS_ACCEPT").is_some() {
        fs::write(&file, &made).unwrap();
    }
    let there = fs::read_to_string(&file).unwrap_or_default();
    let differs = made.lines().zip(there.lines()).find(|(made, there)| made != there);
    assert!(
        made == there,
        "NOTICES.txt is not current (MENISCUS_ACCEPT=1 writes it again); first line apart: {differs:?}"
    );
}
