//! Compiles every shader below `shaders/` and embeds the SPIR-V; a GLSL error is a cargo error.

#[path = "src/gpu/compile.rs"]
mod compile;

use std::{env, fmt::Write, fs, path::PathBuf, process::ExitCode};

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
    let (shaders, out) = (var("CARGO_MANIFEST_DIR")?.join("shaders"), var("OUT_DIR")?);
    println!("cargo:rerun-if-changed=shaders");
    println!("cargo:rerun-if-changed=src/gpu/compile.rs");
    println!("cargo:rerun-if-changed=build.rs");
    let compiler = compile::Compiler::new()?;
    let (mut table, mut problems) = (String::from("&[\n"), Vec::new());
    for (index, name) in compile::shaders(&shaders)?.iter().enumerate() {
        match compiler.compile(&shaders, name) {
            Ok(words) => {
                let file = out.join(format!("{index}.spv"));
                let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
                fs::write(&file, bytes).map_err(|e| format!("{}: {e}", file.display()))?;
                writeln!(table, "    ({name:?}, include_bytes!({:?})),", file.display().to_string())
                    .map_err(|e| e.to_string())?;
            }
            Err(problem) => problems.push(problem),
        }
    }
    if !problems.is_empty() {
        return Err(problems.join("\n"));
    }
    let file = out.join("shaders.rs");
    fs::write(&file, table + "]\n").map_err(|e| format!("{}: {e}", file.display()))
}
