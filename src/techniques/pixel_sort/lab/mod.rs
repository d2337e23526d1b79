//! Reference, checks, benchmark, steps and story of the sort; the published kernel beside which it is timed.

mod bench;
mod breaks;
mod checks;
pub mod reference;
mod replay;
mod source;
mod source_table;
mod story;

use super::PixelSort;
use crate::{
    lab::{Bench, BreakInfo, Card, Check, Comparison, SourceTable},
    techniques::{Benches, Breaks, Checks, Compares, Measures},
};

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
    type State = ();

    fn comparison<'a>(&'a mut self, _: &'a mut ()) -> &'a mut Comparison {
        &mut self.payoff.comparison
    }

    fn card(&self, _: &()) -> Card {
        self.payoff.card(self.measure.figures())
    }
}
