//! Application layer: command line, window, headless, bench, verify. The only layer that depends on `winit` and `clap`.

pub mod animation;
pub mod arguments;
mod baseline;
pub mod bench;
mod bench_options;
pub mod cli;
pub mod crash_report;
pub mod device;
pub mod failure;
pub mod file_dialog_log;
pub mod file_loader;
pub mod folders;
pub mod headless;
mod headless_options;
mod headless_pair;
pub mod last_session;
pub mod launch;
pub mod lens_layout;
pub mod list;
pub mod logging;
mod measure;
mod motion_error;
mod page;
pub mod presets;
pub mod progress;
mod ray_choice;
mod recording;
mod run_summary;
pub mod save;
pub mod session;
pub mod shaders;
mod signals;
pub mod source_tables;
mod stills;
pub mod text_table;
pub mod trace;
pub mod verify;
mod video;
pub mod window;

use base::file::{STANDARD_OUTPUT, write_atomically};
use failure::Failure;
use std::io::{ErrorKind, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Messages go to standard error then.
static IS_FOR_CONTENT: AtomicBool = AtomicBool::new(false);

pub fn is_standard_output(file: &Path) -> bool {
    file.as_os_str() == STANDARD_OUTPUT
}

pub fn keep_standard_output() {
    IS_FOR_CONTENT.store(true, Relaxed);
}

pub fn write(file: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    if !is_standard_output(file) {
        return write_atomically(file, bytes);
    }
    Ok(check_stream("standard output", write_whole(&mut std::io::stdout().lock(), bytes))?)
}

pub fn print(text: &str) -> Result<(), Failure> {
    if IS_FOR_CONTENT.load(Relaxed) {
        return check_stream("standard error", write_whole(&mut std::io::stderr().lock(), text.as_bytes()));
    }
    check_stream("standard output", write_whole(&mut std::io::stdout().lock(), text.as_bytes()))
}

fn write_whole(to: &mut impl Write, bytes: &[u8]) -> std::io::Result<()> {
    to.write_all(bytes).and_then(|()| to.flush())
}

/// A closed pipe (`meniscus list | head`) is no failure.
fn check_stream(stream: &str, written: std::io::Result<()>) -> Result<(), Failure> {
    match written {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Failure::failed(format!("{stream}: {error}"))),
        _ => Ok(()),
    }
}

#[derive(Debug, Default)]
pub struct FirstError(Option<Failure>);

impl FirstError {
    pub fn note(&mut self, said: Result<(), Failure>) {
        self.0 = self.0.take().or(said.err());
    }

    pub fn end(self) -> Result<(), Failure> {
        self.0.map_or(Ok(()), Err)
    }
}
