//! Reference, checks, benchmark and story of antialiasing.

mod bench;
mod breaks;
mod checks;
mod reference;
mod reproject_checks;
mod story;
mod synthetic_samples;

pub use reference::catmull_rom;

use super::Antialias;
use lab::{Bench, BreakInfo, Check};
use technique::{Benches, Breaks, Checks};

impl Checks for Antialias {
    const CHECKS: &'static [Check] =
        &[Check::of::<checks::Resolve>().may_draw(), Check::of::<reproject_checks::Reproject>().may_draw()];
}

impl Benches for Antialias {
    const BENCHES: &'static [Bench] = &[bench::RESOLVE];
}

impl Breaks for Antialias {
    const BREAKS: &'static [BreakInfo] = breaks::BREAKS;
}
