//! Reference, checks, benchmarks, steps and comparison of the chain.

mod bench;
mod bound;
mod breaks;
mod check_fixture;
mod checks;
mod comparison;
mod reference;
mod repeats;
mod replay;
mod source_table;
mod story;
mod texels;
mod variants;

use super::MipChain;
use base::timing::FrameTiming;
use gpu::Result;
use lab::{Bench, BreakInfo, Card, Check, Comparison, SourceTable};
use technique::{Benches, Breaks, Checks, Compares, Measures};

impl Checks for MipChain {
    const CHECKS: &'static [Check] = &[
        Check::of::<checks::Levels>().depends_on_subgroups().may_draw(),
        Check::of::<checks::Blur>().depends_on_subgroups().may_draw(),
        Check::of::<repeats::PartialChain>().depends_on_subgroups(),
        Check::of::<repeats::StaleLevels>().depends_on_subgroups(),
        Check::of::<repeats::Repeats>().depends_on_subgroups(),
    ];
}

impl Benches for MipChain {
    const BENCHES: &'static [Bench] = &[bench::BENCH];
    const SOURCE_TABLES: &'static [SourceTable] = &[source_table::LEVELS];
}

impl Breaks for MipChain {
    const BREAKS: &'static [BreakInfo] = breaks::BREAKS;
}

impl Compares for MipChain {
    const MEASURES: Measures = Measures {
        label: "Compare methods",
        doc: "Every method on this picture: time, ratio to the fastest possible copy, error, bytes.",
        chooses: "method",
    };
    type State = comparison::MethodComparison;

    fn comparison<'a>(&'a mut self, state: &'a mut Self::State) -> &'a mut Comparison {
        &mut state.rounds.comparison
    }

    fn card(&self, state: &Self::State) -> Card {
        state.card()
    }

    fn read_times(&mut self, state: &mut Self::State, timing: &FrameTiming) -> Result<()> {
        state.on_timing(timing)
    }

    fn is_pending(&self, state: &Self::State) -> bool {
        state.rounds.is_pending()
    }
}
