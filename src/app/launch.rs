//! Launch without a command: the window, or without a display a picture and one line.

use super::cli::{Common, HeadlessOptions, ViewOptions};
use super::failure::{Failure, one_line};
use super::session::Session;
use super::window::{self, display::WindowExit};
use super::{headless, print};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

pub fn run(common: &Common, view: &ViewOptions) -> Result<(), Failure> {
    window::signals::watch();
    let started = Instant::now();
    let session = Session::begin(common, view, window::last(view))?;
    let why = match window::run(common, session, started, view) {
        Err(WindowExit::Unopened(why)) => why,
        ended => return Ok(ended?),
    };
    let file = place();
    // Antialiasing has converged after this many.
    let output = HeadlessOptions { frames: 16, png: Some(file.clone()), ..HeadlessOptions::default() };
    headless::frames(common, &Session::new(common, view)?, &output, |_| Ok(()))?;
    let line = format!("meniscus: no window ({why}); a picture of it lies in {}", file.display());
    print(&format!("{}\n", one_line(&line)))
}

fn place() -> PathBuf {
    let here = std::env::current_dir().map(|here| here.join("out")).ok().filter(|folder| is_writable(folder));
    match here {
        Some(folder) => folder.join("meniscus.png"),
        None => std::env::temp_dir().join(format!("meniscus-{}.png", std::process::id())),
    }
}

fn is_writable(folder: &Path) -> bool {
    let trial = folder.join(format!(".meniscus-{}.part", std::process::id()));
    fs::create_dir_all(folder).and_then(|()| fs::File::create_new(&trial)).and_then(|_| fs::remove_file(&trial)).is_ok()
}
