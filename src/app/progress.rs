//! Progress of a long command: a bar on standard error if that is a terminal, else a line from time to time.

use super::failure::Failure;
use super::print;
use indicatif::{ProgressBar, ProgressStyle};
use std::time::{Duration, Instant};

const PAUSE: Duration = Duration::from_secs(10);

pub struct Progress {
    bar: ProgressBar,
    started: Instant,
    said: Instant,
}

impl Progress {
    pub fn new(steps: usize) -> Self {
        let bar = ProgressBar::new(steps as u64);
        let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg} {eta}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Self { bar, started: Instant::now(), said: Instant::now() }
    }

    pub fn begin(&self, what: &str) {
        self.bar.set_message(what.to_owned());
    }

    pub fn begin_again(&self, what: &str) {
        self.bar.reset();
        self.begin(what);
    }

    pub fn step(&self) {
        self.bar.inc(1);
    }

    pub fn step_of(&self, steps: usize) {
        self.bar.set_length(steps as u64);
        self.step();
    }

    pub fn report(&mut self, step: &str) {
        if self.bar.is_hidden() && self.said.elapsed() >= PAUSE {
            self.said = Instant::now();
            let [at, of] = [self.bar.position(), self.bar.length().unwrap_or(0)];
            eprintln!("{:4.0} s  {} {at}/{of}  {step}", self.started.elapsed().as_secs_f64(), self.bar.message());
        }
    }

    pub fn print(&self, text: &str) -> Result<(), Failure> {
        self.bar.suspend(|| print(text))
    }

    pub fn end(self) {
        self.bar.finish_and_clear();
    }
}
