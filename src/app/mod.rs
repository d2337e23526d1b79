//! Command line, window, headless, bench, verify: the only floor that knows `winit` and `clap`.

pub mod bench;
pub mod cli;
pub mod complaints;
pub mod device;
pub mod failure;
pub mod folders;
pub mod headless;
pub mod launch;
pub mod layout;
pub mod list;
pub mod obituary;
pub mod presets;
pub mod progress;
pub mod reading;
pub mod record;
pub mod remembered;
pub mod report;
pub mod save;
pub mod session;
pub mod table;
pub mod trace;
pub mod values;
pub mod verify;
pub mod window;

use failure::Failure;
use std::io::{ErrorKind, Write as _};

/// Writes to standard output. A reader that went away (`meniscus list | head`) has what it wanted: no failure.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::failed(format!("standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// Keeps the first failure to say something, so that what is worth keeping is written before the program ends for it.
#[derive(Debug, Default)]
pub struct Said(Option<Failure>);

impl Said {
    /// Notes how it went to say something.
    pub fn note(&mut self, said: Result<(), Failure>) {
        self.0 = self.0.take().or(said.err());
    }

    /// The first failure.
    ///
    /// # Errors
    /// That.
    pub fn end(self) -> Result<(), Failure> {
        self.0.map_or(Ok(()), Err)
    }
}
