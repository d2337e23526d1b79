//! Reference, checks, benchmark, steps and story of the visibility buffer.

mod alpha_coverage;
mod bench;
mod breaks;
mod checks;
mod coverage_checks;
mod culling_reference;
mod layer_checks;
mod occlusion_checks;
mod path_checks;
pub mod reference;
mod replay;
mod seam_checks;
mod story;
#[cfg(test)]
mod tests;

use super::Meshlets;
use lab::{Bench, BreakInfo, Check};
use technique::{Benches, Breaks, Checks};

impl Checks for Meshlets {
    const CHECKS: &'static [Check] = &[
        Check::of::<checks::Raster>().draws(),
        Check::of::<seam_checks::Seams>(),
        Check::of::<seam_checks::Edges>(),
        Check::of::<path_checks::Culling>().draws(),
        Check::of::<path_checks::Depths>().draws(),
        Check::of::<layer_checks::Sun>().draws(),
        Check::of::<occlusion_checks::Hidden>().draws(),
        Check::of::<coverage_checks::Masks>().draws(),
        Check::of::<coverage_checks::Layers>().draws(),
        Check::of::<coverage_checks::Shadows>().draws(),
    ];
}

impl Benches for Meshlets {
    const BENCHES: &'static [Bench] = &[bench::IDS];
}

impl Breaks for Meshlets {
    const BREAKS: &'static [BreakInfo] = breaks::BREAKS;
}
