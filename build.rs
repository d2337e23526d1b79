//! Resources of the program for Windows.

use std::env;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    match add_windows_resources(Path::new(".")) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

/// Icon, version and manifest of the program on Windows.
fn add_windows_resources(root: &Path) -> Result<(), String> {
    println!("cargo:rerun-if-changed=assets/windows");
    if env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system != "windows") {
        return Ok(());
    }
    let folder = root.join("assets/windows");
    let file = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let mut resources = winresource::WindowsResource::new();
    resources
        .set_icon(&file("meniscus.ico"))
        .set_manifest_file(&file("meniscus.manifest"))
        .set("ProductName", "Meniscus")
        .set("FileDescription", "Meniscus")
        .set("LegalCopyright", "MIT OR Apache-2.0");
    resources.compile().map_err(|e| format!("resources of the program: {e}"))
}
