//! Reference, checks, benchmark, steps and story of the mirrors, and the worlds of their checks.

mod bench;
mod breaks;
mod checks;
mod fence;
mod hardware_checks;
mod measure;
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

use super::{
    Preferences, Reflections, ReflectionsSettings, Trace,
    pipelines::{Lanes, Pipelines},
};
use base::timing::FrameTiming;
use gpu::{Gpu, Result};
use lab::{Bench, BreakInfo, Card, Check, Comparison, SourceTable};
use std::sync::Arc;
use technique::{Benches, Breaks, Checks, Compares, Measures};

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
    type State = measure::Measure;

    fn comparison<'a>(&'a mut self, state: &'a mut Self::State) -> &'a mut Comparison {
        &mut state.comparison
    }

    fn card(&self, state: &Self::State) -> Card {
        state.card()
    }

    fn read_times(&mut self, state: &mut Self::State, timing: &FrameTiming) -> Result<()> {
        state.on_timing(timing)
    }

    fn is_pending(&self, state: &Self::State) -> bool {
        state.is_pending()
    }

    fn why_not_measured(&self, settings: &ReflectionsSettings) -> Option<String> {
        if settings.trace == Trace::Off || settings.depth == 0 {
            return Some("Mirrors show the sky only".into());
        }
        self.building.refusal().map(str::to_owned)
    }
}

impl Reflections {
    pub fn variants(gpu: &Arc<Gpu>) -> Vec<(String, Self)> {
        let variant = |lanes: &Lanes| {
            let pipelines = Pipelines::with_lanes(gpu, *lanes);
            let own = Self::empty(gpu);
            let prefers = Preferences { queues: false, ..own.prefers };
            (format!("{lanes:?}"), Self { pipelines, prefers, ..own })
        };
        Lanes::all(gpu).iter().map(variant).collect()
    }

    pub fn with_levels(gpu: &Arc<Gpu>, is_flat: bool) -> Self {
        let own = Self::empty(gpu);
        Self { prefers: Preferences { flat: if is_flat { u64::MAX } else { 0 }, ..own.prefers }, ..own }
    }
}
