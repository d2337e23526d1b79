//! Checks and benchmark of the reflections on drawn worlds.

mod bench;
mod cones;
mod lamps;
mod light;
mod motion;
#[cfg(test)]
mod motion_tests;
mod pass_checks;
mod paths;
mod scene;

pub use bench::{DEPTH, RATES};
#[cfg(test)]
pub use scene::{MirrorScene, shading};

use lab::Check;

pub fn checks() -> Vec<Check> {
    let of_pictures = [
        Check::of::<paths::AllPaths>(),
        Check::of::<paths::InQueues>(),
        Check::of::<paths::Sorted>(),
        Check::of::<pass_checks::ResolvedLight>(),
        Check::of::<pass_checks::VisitCounts>(),
        Check::of::<pass_checks::Plane>(),
        Check::of::<pass_checks::Dim>(),
        Check::of::<motion::TakenOver>(),
        Check::of::<pass_checks::ByHardware>(),
        Check::of::<light::Tiles>(),
        Check::of::<light::Cell>(),
        Check::of::<light::Coats>(),
        Check::of::<lamps::Lamps>(),
        Check::of::<cones::Widths>(),
        Check::of::<light::Hazy>(),
        Check::of::<paths::Furnace>(),
    ];
    let primaries = Check::of::<paths::Primaries>().draws();
    of_pictures.map(|check| check.depends_on_subgroups().draws()).into_iter().chain([primaries]).collect()
}
