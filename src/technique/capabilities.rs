//! Capabilities that a technique has through its `lab/`.

use super::{
    lab_info::{Measurement, Measures},
    technique::{Stage, Technique},
};
use base::timing::FrameTiming;
use lab::{Bench, BreakInfo, Card, Check, Comparison, SourceTable};

pub trait Checks: Technique {
    const CHECKS: &'static [Check];
}

pub trait Benches: Technique {
    const BENCHES: &'static [Bench];
    /// Tables of the documents that the technique follows.
    const SOURCE_TABLES: &'static [SourceTable] = &[];
}

/// A technique whose shaders can be broken on purpose.
pub trait Breaks: Technique {
    const BREAKS: &'static [BreakInfo];
}

/// A technique that times alternatives on the present picture.
pub trait Compares: Technique {
    const MEASURES: Measures;
    /// Kept by the list, next to the technique.
    type State: Default;

    fn comparison<'a>(&'a mut self, state: &'a mut Self::State) -> &'a mut Comparison;
    fn card(&self, state: &Self::State) -> Card;
    fn read_times(&mut self, _state: &mut Self::State, _timing: &FrameTiming) -> gpu::Result<()> {
        Ok(())
    }
    /// Whether another frame must follow.
    fn is_pending(&self, _state: &Self::State) -> bool {
        false
    }
    /// Apart from a missing world.
    fn why_not_measured(&self, _settings: &Self::Settings) -> Option<String> {
        None
    }
    fn measurement(&self, state: &Self::State, settings: &Self::Settings, has_world: bool) -> Measurement {
        let why_not = match Self::INFO.stage == Stage::World && !has_world {
            true => Some("It measures the 3D scene, which is not shown".to_owned()),
            false => self.why_not_measured(settings),
        };
        Measurement { id: Self::ID, measures: Self::MEASURES, why_not, card: self.card(state) }
    }
}
