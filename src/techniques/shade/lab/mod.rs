//! Reference, checks, benchmark and story of shading.

mod bench;
mod breaks;
mod check_fixture;
mod checks;
#[cfg(test)]
mod flat_tests;
mod layer_checks;
mod lists;
mod reference;
#[cfg(test)]
mod sky_picture_tests;
mod story;

use super::Shade;
use lab::{Bench, BreakInfo, Check};
use technique::{Benches, Breaks, Checks};

impl Checks for Shade {
    const CHECKS: &'static [Check] = checks::ALL;
}

impl Benches for Shade {
    const BENCHES: &'static [Bench] = &[bench::SHADE];
}

impl Breaks for Shade {
    const BREAKS: &'static [BreakInfo] = breaks::BREAKS;
}
