//! Reference, checks, benchmark, steps and story of the mirrors, and the worlds of their checks.

mod bench;
mod breaks;
mod checks;
mod fence;
mod hardware_checks;
mod reference;
mod replay;
mod scenes;
mod source_table;
mod story;

pub use checks::{LIMITS, cast};
pub use fence::fenced_mirror;
pub use reference::rays::{Target, all_met, targets};
pub use scenes::{
    CastRay, GLOW, coated_balls, dim_mirrors, furnace, mirror_cell, mirror_room, plane_mirror, plane_mirror_behind,
    tiled_room,
};
pub use source_table::{RATE_ROWS, SOURCE as STENCIL_SOURCE};

use super::{Reflections, ReflectionsSettings, Trace};
use crate::{
    lab::{Bench, BreakInfo, Card, Check, Comparison, SourceTable},
    techniques::{Benches, Breaks, Checks, Compares, Measures},
};

impl Checks for Reflections {
    const CHECKS: &'static [Check] = &[
        Check::of::<checks::Stencil>().depends_on_subgroups(),
        Check::of::<checks::Rays>(),
        Check::of::<hardware_checks::HardwareRays>(),
        Check::of::<checks::Counts>().depends_on_subgroups(),
    ];
}

impl Benches for Reflections {
    const BENCHES: &'static [Bench] = &[bench::STENCIL];
    const SOURCE_TABLES: &'static [SourceTable] = &[source_table::FLAGS];
}

impl Breaks for Reflections {
    const BREAKS: &'static [BreakInfo] = breaks::BREAKS;
}

impl Compares for Reflections {
    const MEASURES: Measures = Measures {
        label: "Measure bounces",
        doc: "Time, live pixels, threads with work and skipped words of each bounce.",
        chooses: "",
    };
    type State = ();

    fn comparison<'a>(&'a mut self, _: &'a mut ()) -> &'a mut Comparison {
        &mut self.measure.comparison
    }

    fn card(&self, _: &()) -> Card {
        self.measure.card()
    }

    fn why_not_measured(&self, settings: &ReflectionsSettings) -> Option<String> {
        if settings.trace == Trace::Off || settings.depth == 0 {
            return Some("Mirrors show the sky only".into());
        }
        self.building.refusal().map(str::to_owned)
    }
}
