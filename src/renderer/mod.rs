//! A frame from top to bottom: the score, the targets it writes, and what is shown.

mod active_view;
mod antialias_checks;
mod backdrop;
mod bench;
mod first_picture;
#[cfg(test)]
mod garbage_tests;
#[cfg(test)]
mod gltf_light_tests;
#[cfg(test)]
mod gltf_studio;
#[cfg(test)]
mod gltf_tests;
mod laboratory;
mod making;
mod measurements;
mod mirror_bench;
mod mirror_checks;
mod mirror_cones;
mod mirror_lamps;
mod mirror_light;
mod mirror_parts;
mod pace;
mod panels;
mod params;
mod score;
mod sort_payoff;
mod subject;
mod table_bench;
mod table_checks;
mod targets;
mod world;
mod worlds;

pub use active_view::{ActiveView, ViewPlacement};
pub use backdrop::{Backdrop, Patience};
pub use bench::{bench_tables, benches};
pub use params::{FrameParams, MirrorPace};
pub use score::Renderer;
pub use worlds::Worlds;

use crate::lab::Check;

/// The oracles that `technique` has beside its own: what it does with what others make.
#[must_use]
pub fn checks(technique: &str) -> Vec<Check> {
    let all = [mirror_checks::checks, table_checks::checks, antialias_checks::checks, first_picture::checks];
    all.into_iter().flat_map(|checks| checks(technique)).collect()
}
