//! Benchmarks of the ID pass by path and by culling test.

use super::{
    checks::{draw, paths, unculled},
    path_checks::{COMPUTE_APART, PATHS_APART},
};
use crate::{By, LIST_MAX, Meshlets, MeshletsSettings};
use base::job::Progress;
use lab::{Bench, BenchRun, Row};
use scene::{
    Place,
    world::{GpuScene, World, built_in},
};
use std::sync::Arc;

pub const IDS: Bench = Bench::new("ids", &[[1920, 1080]], measure);

/// Pixels that may show another triangle of the same depth.
const TIES: usize = 64;
/// By compute one pixel of n: a rasterizer may round a corner halfway between two grid steps either way.
const COMPUTE_TIES: usize = 10_000;

const VARIANTS: [(&str, [bool; 3]); 4] = [
    ("no culling", [false; 3]),
    ("frustum", [true, false, false]),
    ("frustum, cone", [true, true, false]),
    ("frustum, cone, occlusion", [true; 3]),
];

fn measure(run: &mut BenchRun<'_>) -> anyhow::Result<()> {
    let worlds = if run.options.quick { vec![(Place::Many, 20)] } else { vec![(Place::Court, 0), (Place::Many, 1000)] };
    for (place, instances) in worlds {
        let name = if place == Place::Many { format!("many, {instances}") } else { place.name().into() };
        one_world(run, &name, &Arc::new(built_in(place, instances, &Progress::default())))?;
    }
    Ok(())
}

fn one_world(run: &mut BenchRun<'_>, name: &str, world: &Arc<World>) -> anyhow::Result<()> {
    let (gpu, size, pixels) = (run.bench.gpu().clone(), run.size, run.pixels());
    let camera = world.viewpoint.camera();
    let resident = run.bench.run(|frame| GpuScene::new(frame, world.clone()))?;
    let mut plain = Meshlets::listing(&gpu, LIST_MAX)?;
    let right = draw(run.bench, &mut plain, &unculled(), &resident, &camera, size)?;
    for by in paths(&gpu) {
        for (variant, [frustum, cone, occlusion]) in VARIANTS {
            let settings = MeshletsSettings { by, frustum, cone, occlusion, ..Default::default() };
            let mut technique = Meshlets::listing(&gpu, LIST_MAX)?;
            let gpu_us =
                run.measure(&mut |frame| technique.record(frame, &settings, &resident, &camera, size).map(drop))?;
            let drawn = draw(run.bench, &mut technique, &settings, &resident, &camera, size)?;
            // Triangles of the very same depth may change places; docs/meshlets.md says why.
            let both = drawn.1.iter().zip(&right.1).zip(drawn.0.iter().zip(&right.0).map(|(a, b)| a == b));
            let others = both.clone().filter(|(_, same)| !same).count();
            let (ties, apart) = if by == By::Compute {
                (TIES.max(pixels as usize / COMPUTE_TIES), COMPUTE_APART)
            } else {
                (TIES, PATHS_APART)
            };
            let far = |a: f32, b: f32| f64::from((a - b).abs()) > apart * f64::from(b.abs());
            let far = both.filter(|((a, b), same)| *same && far(**a, **b)).count();
            // Each pixel's ID and depth once, the culling result of each meshlet instance, and its geometry once.
            let bytes = 8 * pixels
                + 8 * world.meshlet_instances.len() as u64
                + 48 * world.geometry.meshlets.len() as u64
                + 12 * world.geometry.vertices.len() as u64
                + 4 * world.geometry.triangles.len() as u64;
            let case = run.case(&format!("{name}, {} triangles", world.triangle_count()));
            let row = Row::new(case, format!("{}, {variant}", by.name()), gpu_us, bytes);
            run.row(row.checked(others <= ties && far == 0));
        }
    }
    Ok(())
}
