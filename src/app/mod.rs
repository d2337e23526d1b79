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
pub mod pass_file;
pub mod presets;
pub mod progress;
pub mod replay;
mod run_summary;
pub mod save;
pub mod session;
pub mod shaders;
pub mod source_tables;
mod story;
pub mod text_table;
pub mod trace;
mod trace_reader;
pub mod verify;
pub mod window;

use crate::base::file::write_atomically;
use failure::Failure;
use std::io::{ErrorKind, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// File name of standard output.
const STANDARD_OUTPUT: &str = "-";

/// Standard output receives a file's content; messages go to standard error.
static IS_FOR_CONTENT: AtomicBool = AtomicBool::new(false);

/// Whether this name is standard output.
pub fn is_standard_output(file: &Path) -> bool {
    file.as_os_str() == STANDARD_OUTPUT
}

/// Reserves standard output for the content of a file.
pub fn keep_standard_output() {
    IS_FOR_CONTENT.store(true, Relaxed);
}

/// Writes a file named by the arguments, or standard output.
///
/// # Errors
/// Names the file and the system's error.
pub fn write(file: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    if !is_standard_output(file) {
        return write_atomically(file, bytes);
    }
    Ok(check_stream("standard output", write_whole(&mut std::io::stdout().lock(), bytes))?)
}

/// Prints text to standard output.
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

/// Stores the first output error and reports it after state has been saved.
#[derive(Debug, Default)]
pub struct FirstError(Option<Failure>);

impl FirstError {
    /// Records the result of an output.
    pub fn note(&mut self, said: Result<(), Failure>) {
        self.0 = self.0.take().or(said.err());
    }

    /// The first failure.
    pub fn end(self) -> Result<(), Failure> {
        self.0.map_or(Ok(()), Err)
    }
}
