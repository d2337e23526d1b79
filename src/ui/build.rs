//! The list of the views' pictures.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), String> {
    let var = |name: &str| env::var_os(name).map(PathBuf::from).ok_or(format!("cargo did not set {name}"));
    let (root, out) = (var("CARGO_MANIFEST_DIR")?.join("../.."), var("OUT_DIR")?);
    println!("cargo:rerun-if-changed=build.rs");
    embed_view_pictures(&root, &out)
}

/// Writes the list of the views' pictures, by `technique/view`: the golden ones, or others where those show nothing.
fn embed_view_pictures(root: &Path, out: &Path) -> Result<(), String> {
    let mut pictures = BTreeMap::new();
    for folder in ["assets/goldens/views", "assets/thumbnails"] {
        println!("cargo:rerun-if-changed=../../{folder}");
        for technique in entries(&root.join(folder))?.iter().filter(|path| path.is_dir()) {
            for file in entries(technique)?.iter().filter(|path| path.extension().is_some_and(|e| e == "png")) {
                let name = file.strip_prefix(root.join(folder)).unwrap_or(file).with_extension("");
                pictures.insert(name.to_string_lossy().replace('\\', "/"), file.clone());
            }
        }
    }
    let lines: String =
        pictures.iter().map(|(name, file)| format!("    ({name:?}, include_bytes!({file:?})),\n")).collect();
    let table = format!("static VIEW_PICTURES: &[(&str, &[u8])] = &[\n{lines}];\n");
    fs::write(out.join("view_pictures.rs"), table).map_err(|e| format!("{}: {e}", out.display()))
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let said = |e: std::io::Error| format!("{}: {e}", folder.display());
    let all = fs::read_dir(folder).map_err(said)?.map(|entry| entry.map(|entry| entry.path()));
    all.collect::<Result<_, _>>().map_err(said)
}
