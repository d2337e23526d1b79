//! Reference, checks, measurements and steps of the methods.

mod bench;
mod bound;
mod checks;
mod comparison;
mod figures;
mod quality;
mod reference;
#[cfg(test)]
mod reference_tests;
mod replay;
mod source_table;

pub use comparison::{MOST_DB, MethodComparison, light_name};
pub use figures::{Figures, Material, MethodInputs};
pub use source_table::{COLUMNS as SOURCE_COLUMNS, ROWS as SOURCE_ROWS};

use super::Downsample;
use lab::{Bench, Card, Check, Comparison};
use technique::{Benches, Checks, Compares, Measures};

impl Checks for Downsample {
    const CHECKS: &'static [Check] = &[Check::of::<checks::Methods>().draws(), Check::of::<checks::Blocks>()];
}

impl Benches for Downsample {
    const BENCHES: &'static [Bench] = &[bench::BENCH];
}

impl Compares for Downsample {
    const MEASURES: Measures = Measures {
        label: "Compare methods",
        doc: "Every method on this picture: times, PSNR, SSIM, ringing, brightness, flicker.",
        chooses: "method",
    };
    type State = comparison::MethodComparison;

    fn comparison<'a>(&'a mut self, state: &'a mut Self::State) -> &'a mut Comparison {
        &mut state.comparison
    }

    fn card(&self, state: &Self::State) -> Card {
        state.card()
    }

    fn is_pending(&self, state: &Self::State) -> bool {
        state.comparison.is_active()
    }
}
