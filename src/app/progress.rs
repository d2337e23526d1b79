//! Progress of a long command: a bar on standard error if that is a terminal, else a line from time to time.

use super::failure::Failure;
use super::print;
use indicatif::{ProgressBar, ProgressStyle};
use std::time::{Duration, Instant};

/// Interval of the lines.
const PAUSE: Duration = Duration::from_secs(10);

/// Progress of a command.
pub struct Progress {
    bar: ProgressBar,
    started: Instant,
    said: Instant,
}

impl Progress {
    /// With this many steps.
    pub fn new(steps: usize) -> Self {
        let bar = ProgressBar::new(steps as u64);
        // The template is a valid constant; the default is a fallback.
        let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg} {eta}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Self { bar, started: Instant::now(), said: Instant::now() }
    }

    /// Names the current step.
    pub fn begin(&self, what: &str) {
        self.bar.set_message(what.to_owned());
    }

    /// Names the current step and resets the progress; the number of steps is not known yet.
    pub fn begin_again(&self, what: &str) {
        self.bar.reset();
        self.begin(what);
    }

    /// Completes a step.
    pub fn step(&self) {
        self.bar.inc(1);
    }

    /// Completes one of this many steps.
    pub fn step_of(&self, steps: usize) {
        self.bar.set_length(steps as u64);
        self.step();
    }

    /// Without a bar, prints the last step if the interval has passed.
    pub fn report(&mut self, step: &str) {
        if self.bar.is_hidden() && self.said.elapsed() >= PAUSE {
            self.said = Instant::now();
            let [at, of] = [self.bar.position(), self.bar.length().unwrap_or(0)];
            eprintln!("{:4.0} s  {} {at}/{of}  {step}", self.started.elapsed().as_secs_f64(), self.bar.message());
        }
    }

    /// Writes to standard output without disturbing the bar.
    pub fn print(&self, text: &str) -> Result<(), Failure> {
        self.bar.suspend(|| print(text))
    }

    /// Removes the bar.
    pub fn end(self) {
        self.bar.finish_and_clear();
    }
}
