//! Renderer: the frame sequence, its targets, and their contents.

mod active_view;
mod antialias_checks;
mod background;
mod bench;
mod frame;
mod frame_spacing;
#[cfg(test)]
mod garbage_tests;
#[cfg(test)]
mod gltf_light_tests;
#[cfg(test)]
mod gltf_studio;
#[cfg(test)]
mod gltf_tests;
mod incremental_world;
mod incremental_world_checks;
mod laboratory;
mod measurements;
mod mirror_bench;
mod mirror_checks;
mod mirror_cones;
mod mirror_lamps;
mod mirror_light;
mod mirror_parts;
mod panels;
mod params;
mod plan;
mod sort_payoff;
mod subject;
mod table_bench;
mod table_checks;
mod targets;
mod world;
mod world_loader;

pub use active_view::{ActiveView, ViewPlacement};
pub use background::{Background, LoadMode};
pub use bench::{bench_tables, benches};
pub use frame::Renderer;
pub use params::FrameParams;
pub use plan::{FramePlan, MirrorPace, PlanInput, WindowPace};
pub use world_loader::WorldLoader;

use crate::lab::Check;

/// The checks added to `technique`'s own: its work on other techniques' results.
#[must_use]
pub fn checks(technique: &str) -> Vec<Check> {
    let all = [mirror_checks::checks, table_checks::checks, antialias_checks::checks, incremental_world_checks::checks];
    all.into_iter().flat_map(|checks| checks(technique)).collect()
}
