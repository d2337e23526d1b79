//! Reference, checks, benchmark, steps and story of the particles.

mod bench;
mod check_fixture;
mod checks;
mod look_checks;
mod overlap;
mod queue_frame;
mod reference;
mod replay;
mod story;

use super::{Particles, ParticlesSettings};
use base::timing::FrameTiming;
use gpu::{Feature, Result};
use lab::{Bench, Card, Check, Comparison};
use technique::{Benches, Checks, Compares, Measures};

impl Checks for Particles {
    const CHECKS: &'static [Check] = checks::ALL;
}

impl Benches for Particles {
    const BENCHES: &'static [Bench] = &[bench::PARTICLES];
}

impl Compares for Particles {
    const MEASURES: Measures = Measures {
        label: "Measure overlap",
        doc: "Frame times with and without the compute queue, in turns.",
        chooses: "",
    };
    type State = overlap::Overlap;

    fn comparison<'a>(&'a mut self, state: &'a mut Self::State) -> &'a mut Comparison {
        &mut state.comparison
    }

    fn card(&self, state: &Self::State) -> Card {
        state.card()
    }

    fn read_times(&mut self, state: &mut Self::State, timing: &FrameTiming) -> Result<()> {
        state.on_timing(timing);
        Ok(())
    }

    fn is_pending(&self, state: &Self::State) -> bool {
        state.comparison.is_active()
    }

    fn why_not_measured(&self, settings: &ParticlesSettings) -> Option<String> {
        let why = match &self.system {
            _ if !self.gpu.has(Feature::AsyncCompute) => "This device has one queue: nothing can run at the same time",
            None => "No particles are shown",
            Some(_) if settings.speed <= 0.0 => "The simulation is paused",
            Some(_) => return None,
        };
        Some(why.into())
    }
}
