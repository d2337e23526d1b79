//! References, checks, benchmarks, steps and comparison of scans and tables.

mod bench;
mod blur_checks;
mod breaks;
mod checks;
mod comparison;
mod lookback_replay;
mod precision_error;
mod reference;
mod replay;
mod scan_checks;
mod scan_reference;
mod source_table;

use super::{
    SummedArea,
    passes::scan::{Array, Scan},
};
use base::timing::FrameTiming;
use gpu::{Frame, Result};
use lab::{Bench, BreakInfo, Card, Check, Comparison, SourceTable, TestBench};
use technique::{Benches, Breaks, Checks, Compares, Measures};

impl Checks for SummedArea {
    const CHECKS: &'static [Check] = &[
        Check::of::<scan_checks::Scans>().depends_on_subgroups(),
        Check::of::<checks::Tables>(),
        Check::of::<checks::Repeats>(),
        Check::of::<checks::Stalls>(),
        Check::of::<blur_checks::Boxes>(),
        Check::of::<blur_checks::Focus>(),
    ];
}

impl Benches for SummedArea {
    const BENCHES: &'static [Bench] = &[bench::SCANS, bench::TABLES, bench::BLURS];
    const SOURCE_TABLES: &'static [SourceTable] = &[source_table::METHODS];
}

impl Breaks for SummedArea {
    const BREAKS: &'static [BreakInfo] = breaks::BREAKS;
}

impl Compares for SummedArea {
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

impl SummedArea {
    pub fn scan(&mut self, frame: &mut Frame, scan: Scan, array: &Array<'_>) -> Result<()> {
        self.scans.record(&mut self.tables.scratch, frame, scan, array)
    }

    pub fn stood_in(&self, bench: &mut TestBench) -> anyhow::Result<u32> {
        let mut all = 0;
        for lookback in [&self.tables.resources.lookback, &self.scans.lookback] {
            if let Some(control) = lookback.control() {
                all = bench.read_buffer::<u32>(control)?[1].saturating_add(all);
            }
        }
        Ok(all)
    }
}
