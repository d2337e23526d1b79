//! Static site of the pages: `cargo run --example site -- ROOT FIGURES OUT`, as `scripts/docs` calls it. FIGURES has a folder for each
//! technique with steps: their pictures, and their names in `steps.txt`.

mod check;
mod html;
mod pages;

use anyhow::{Context as _, ensure};
use std::path::PathBuf;

fn main() -> anyhow::Result<()> {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [root, figures, out] = &arguments[..] else {
        anyhow::bail!("expected the root, a folder of figures and a folder to write")
    };
    let site = pages::Site::new(root, figures);
    let files = site.files()?;
    for (name, bytes) in &files {
        let file = out.join(name);
        let folder = file.parent().context("a file is in a folder")?;
        std::fs::create_dir_all(folder)?;
        std::fs::write(&file, bytes).with_context(|| file.display().to_string())?;
    }
    let wrong = check::problems(&files);
    ensure!(wrong.is_empty(), "{}", wrong.join("\n"));
    let count = |end: &str| files.keys().filter(|name| name.ends_with(end)).count();
    println!("{}: {} pages, {} pictures, every link resolves", out.display(), count(".html"), count(".png"));
    Ok(())
}
