//! How far a long command is: a bar on standard error where that is a terminal, else a line there now and then.

use super::failure::Failure;
use super::print;
use indicatif::{ProgressBar, ProgressStyle};
use std::time::{Duration, Instant};

/// Between two lines.
const PAUSE: Duration = Duration::from_secs(10);

/// See the module.
pub struct Progress {
    bar: ProgressBar,
    started: Instant,
    said: Instant,
}

impl Progress {
    /// Of so many steps.
    pub fn new(steps: usize) -> Self {
        let bar = ProgressBar::new(steps as u64);
        // A template of our own that is known to be well formed; the default serves if it ever is not.
        let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg} {eta}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Self { bar, started: Instant::now(), said: Instant::now() }
    }

    /// What is done now.
    pub fn begin(&self, what: &str) {
        self.bar.set_message(what.to_owned());
    }

    /// What is done now, from the start; how many steps it has is not known yet.
    pub fn begin_again(&self, what: &str) {
        self.bar.reset();
        self.begin(what);
    }

    /// One step is done.
    pub fn step(&self) {
        self.bar.inc(1);
    }

    /// One of so many steps is done.
    pub fn step_of(&self, steps: usize) {
        self.bar.set_length(steps as u64);
        self.step();
    }

    /// Says in a line, where there is no bar and it is time again, which step was the last.
    pub fn tell(&mut self, step: &str) {
        if self.bar.is_hidden() && self.said.elapsed() >= PAUSE {
            self.said = Instant::now();
            let [at, of] = [self.bar.position(), self.bar.length().unwrap_or(0)];
            eprintln!("{:4.0} s  {} {at}/{of}  {step}", self.started.elapsed().as_secs_f64(), self.bar.message());
        }
    }

    /// Writes to standard output, past the bar.
    pub fn print(&self, text: &str) -> Result<(), Failure> {
        self.bar.suspend(|| print(text))
    }

    /// Takes the bar away.
    pub fn end(self) {
        self.bar.finish_and_clear();
    }
}
