//! Measurement of the time that the compute queue saves, in alternating frames.

use crate::{
    Particles,
    passes::step::{BODIES, COPY, STEP},
};
use base::{stats::Quartiles, text::micros, timing::FrameTiming};
use gpu::{Delayed, Queue};
use lab::{Alternative, Answer, Card, Cell, Column, Comparison};

/// And how many of them wait for the other queue's work and do not count.
const TURN: u64 = 6;
const BETWEEN: u64 = 3;

const ONE: usize = 0;
const TWO: usize = 1;

const COLUMNS: [Column; 1] = [Column::new("step", "Median time of the passes that move particles")];

/// Whether the frame uses the compute queue, and whether it counts.
fn turn(number: u64) -> (bool, bool) {
    (number / TURN % 2 == 1, number % TURN >= BETWEEN)
}

#[derive(Default)]
pub struct Overlap {
    pub comparison: Comparison,
    frames: u64,
    pending: Delayed<usize>,
    steps: [Vec<f64>; 2],
    is_apart: bool,
}

impl Overlap {
    /// Before the particles of a frame are moved.
    pub fn mark(&mut self, technique: &mut Particles, frame: u64) {
        let key = technique.system.as_ref().map(|system| format!("{} {}", system.key.kind.name(), system.key.count));
        let parallel = key.and_then(|key| self.begin(frame, &key));
        technique.timed_queue = parallel.map(|parallel| if parallel { Queue::Compute } else { Queue::Graphics });
    }

    /// Whether `frame` uses the compute queue; `None` without a comparison. `key`: what is simulated.
    fn begin(&mut self, frame: u64, key: &str) -> Option<bool> {
        if !self.comparison.is_active() {
            return None;
        }
        if self.comparison.begin(frame, key, ["One queue", "Two queues"].map(Alternative::new).to_vec()) {
            (self.frames, self.steps, self.is_apart) = Default::default();
        }
        let (parallel, counts) = turn(self.frames);
        self.frames += 1;
        if counts {
            self.pending.put(frame, usize::from(parallel));
        }
        Some(parallel)
    }

    pub fn on_timing(&mut self, timing: &FrameTiming) {
        let counts = !timing.compiles && self.comparison.counts(timing.frame);
        let Some(alternative) = self.pending.take(timing.frame).filter(|_| counts) else { return };
        self.is_apart |= timing.clocks_apart;
        let whole = timing.gpu_us.filter(|_| !timing.clocks_apart);
        self.comparison.add(timing.frame, alternative, whole);
        self.steps[alternative].extend(timing.us_of(&[STEP, BODIES, COPY]));
    }

    pub fn card(&self) -> Card {
        let step = |alternative: usize| Quartiles::of(&self.steps[alternative]).map(|us| us.median);
        let mut card =
            Card::of(&self.comparison, "frame", &COLUMNS, &|alternative, _| vec![Cell::us(step(alternative))]);
        for (row, parallel) in card.tables.iter_mut().flat_map(|table| &mut table.rows).zip([false, true]) {
            row.sets = vec![("async_compute", parallel.into())];
        }
        card.answer = Some(self.answer(step(ONE)));
        card
    }

    fn answer(&self, step_us: Option<f64>) -> Answer {
        if self.is_apart {
            return Answer::plain("The queues' clocks cannot be compared here.");
        }
        let noisy = |us: [Quartiles; 2]| {
            let [one, two] = us.map(|us| format!("{} to {}", micros(us.low), micros(us.high)));
            format!("Too noisy to tell what async saves: {one} with one queue, {two} with two.")
        };
        let saved = match self.comparison.saved([ONE, TWO], &noisy) {
            Ok(saved) => saved.median,
            Err(none) => return none,
        };
        let one_us = self.comparison.alternatives()[ONE].times().map_or(0.0, |us| us.median);
        let most = step_us.map_or(0.0, |step| step.min(one_us - step)).max(0.0);
        let text = match saved >= 0.0 {
            true => format!("Async saves {} of at most {} a frame.", micros(saved), micros(most)),
            false => format!("Async costs {} a frame; it could save {}.", micros(-saved), micros(most)),
        };
        Answer { text, pays: Some(saved >= 0.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::timing::PassTiming;
    use std::time::Instant;

    fn measured(parallel_us: f64, is_apart: bool) -> (Overlap, [u64; 2]) {
        let (mut overlap, mut both) = (Overlap::default(), [0, 0]);
        assert_eq!(overlap.begin(0, "dust"), None, "nothing was asked for");
        overlap.comparison.request(Instant::now());
        for frame in 0..2000 {
            let Some(parallel) = overlap.begin(frame, "dust") else { break };
            both[usize::from(parallel)] += 1;
            let pass = |name: &str, us| PassTiming { name: name.into(), gpu_us: Some(us), ..Default::default() };
            let noise = (frame * 7919 % 11) as f64 * 0.5;
            let whole =
                if parallel { parallel_us } else { 100.0 } + noise + if frame % TURN < BETWEEN { 999.0 } else { 0.0 };
            let passes = vec![pass("particles/step", 40.0), pass("shade/list", 60.0)];
            let timing =
                FrameTiming { frame, gpu_us: Some(whole), clocks_apart: is_apart, passes, ..Default::default() };
            overlap.on_timing(&timing);
            overlap.comparison.check(Instant::now());
        }
        (overlap, both)
    }

    #[test]
    fn saved_time_is_that_between_the_two_ways() {
        let (overlap, both) = measured(70.0, false);
        assert!(both[0] >= both[1] && both[0] - both[1] <= TURN, "in turns: {both:?}");
        let card = overlap.card();
        let answer = card.answer.unwrap();
        assert!(
            answer.text.starts_with("Async saves ")
                && answer.text.ends_with(&format!("of at most {} a frame.", micros(40.0))),
            "{answer:?}"
        );
        assert_eq!(answer.pays, Some(true));
        let row = &card.tables[0].rows[1];
        assert_eq!((row.title.as_str(), &row.sets), ("Two queues", &vec![("async_compute", true.into())]));
        assert_eq!(row.cells[2].text, micros(40.0));
        let (overlap, _) = measured(101.0, false);
        assert!(overlap.card().answer.unwrap().text.starts_with("Too noisy to tell what async saves: "));
    }

    #[test]
    fn clocks_that_differ_measure_nothing() {
        let (overlap, _) = measured(70.0, true);
        let card = overlap.card();
        assert!(card.answer.unwrap().text.contains("cannot be compared"));
        assert!(overlap.comparison.alternatives().iter().all(|one| one.times().is_none()));
    }
}
