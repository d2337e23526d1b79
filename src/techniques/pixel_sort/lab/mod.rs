//! Reference, checks, benchmark, steps and story of the sort; the published kernel beside which it is timed.

mod bench;
mod breaks;
mod checks;
mod measure;
mod payoff;
pub mod reference;
mod replay;
mod source;
mod source_table;
mod story;

use super::PixelSort;
use base::timing::FrameTiming;
use gpu::{Frame, Result};
use lab::{Bench, BreakInfo, Card, Check, Comparison, SourceTable};
use measure::Measure;
use payoff::Payoff;
use technique::{Benches, Breaks, Checks, Compares, Measures};

impl Checks for PixelSort {
    const CHECKS: &'static [Check] = &[
        Check::of::<checks::Properties>().depends_on_subgroups(),
        Check::of::<checks::Coherence>().depends_on_subgroups(),
        Check::of::<checks::Distinct>(),
    ];
}

impl Benches for PixelSort {
    const BENCHES: &'static [Bench] = &[bench::SORT];
    const SOURCE_TABLES: &'static [SourceTable] = &[source_table::SORTS];
}

impl Breaks for PixelSort {
    const BREAKS: &'static [BreakInfo] = breaks::BREAKS;
}

impl Compares for PixelSort {
    const MEASURES: Measures = Measures {
        label: "Does sorting pay?",
        doc: "Shades by the sorted list and without it in turns: what sorting costs and saves.",
        chooses: "",
    };
    type State = SortComparison;

    fn comparison<'a>(&'a mut self, state: &'a mut Self::State) -> &'a mut Comparison {
        &mut state.payoff.comparison
    }

    fn card(&self, state: &Self::State) -> Card {
        state.payoff.card(state.measure.figures())
    }

    fn read_times(&mut self, state: &mut Self::State, timing: &FrameTiming) -> Result<()> {
        state.measure.on_timing(timing)
    }

    fn is_pending(&self, state: &Self::State) -> bool {
        state.measure.is_pending() || state.payoff.comparison.is_active()
    }
}

/// Times with and without a list, and the coherence of the pixels.
#[derive(Default)]
pub struct SortComparison {
    payoff: Payoff,
    measure: Measure,
}

impl SortComparison {
    pub fn mark(&self, technique: &mut PixelSort) {
        technique.is_compared = self.payoff.comparison.is_active();
        if !technique.is_compared {
            (technique.sorted, technique.shades_by_list) = (None, None);
        }
    }

    pub fn take_turn(&mut self, technique: &mut PixelSort, frame: u64) {
        if technique.shades_by_list.is_some() {
            return;
        }
        let Some((by_list, is_new)) = self.payoff.turn(frame) else { return };
        technique.shades_by_list = Some(by_list);
        if is_new {
            self.measure.forget();
        }
    }

    /// Of what the frame has sorted.
    pub fn count(&mut self, technique: &mut PixelSort, frame: &mut Frame) -> Result<()> {
        technique.sorted.take().map_or(Ok(()), |sorted| self.measure.begin(frame, &sorted))
    }

    /// Microseconds of sorting, if pixels were shaded by a list, and of shading.
    pub fn add(&mut self, frame: u64, sort_us: Option<f64>, shading_us: f64) {
        self.payoff.add(frame, sort_us, shading_us);
    }
}
