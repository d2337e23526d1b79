//! Benchmarks of the ID pass by path and by culling test.

use super::{
    By, Meshlets, MeshletsSettings,
    checks::{draw, paths, unculled},
    path_checks::{COMPUTE_APART, PATHS_APART},
};
use crate::{
    base::job::Progress,
    gpu::Gpu,
    lab::{BENCH_CACHES, Bench, BenchOptions, Row, TestBench},
    scene::{
        Place,
        world::{GpuScene, World, built_in},
    },
};
use std::sync::Arc;

const SIZES: [[u32; 2]; 1] = [[1920, 1080]];
const QUICK: [[u32; 2]; 1] = [[320, 180]];

pub const IDS: Bench = Bench {
    name: "ids",
    formats: Vec::new,
    rows: |options| {
        let paths = Gpu::headless(false).map_or(0, |gpu| paths(&gpu).len());
        options.sizes_or(&SIZES, &QUICK).len() * worlds_of(options).len() * VARIANTS.len() * paths
    },
    run,
};

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

fn worlds_of(options: &BenchOptions) -> Vec<(Place, u32)> {
    if options.quick { vec![(Place::Many, 20)] } else { vec![(Place::Court, 0), (Place::Many, 1000)] }
}

fn run(bench: &mut TestBench, options: &BenchOptions, each: &mut dyn FnMut(Row)) -> anyhow::Result<()> {
    for (place, instances) in worlds_of(options) {
        let name = if place == Place::Many { format!("many, {instances}") } else { place.name().into() };
        one_world(bench, options, &name, &Arc::new(built_in(place, instances, &Progress::default())), each)?;
    }
    Ok(())
}

fn one_world(
    bench: &mut TestBench,
    options: &BenchOptions,
    name: &str,
    world: &Arc<World>,
    each: &mut dyn FnMut(Row),
) -> anyhow::Result<()> {
    let camera = world.viewpoint.camera();
    let resident = bench.run(|frame| GpuScene::new(frame, world.clone()))?;
    for size in options.sizes_or(&SIZES, &QUICK) {
        let all = unculled();
        let mut plain = Meshlets::listing(bench.gpu(), super::LIST_MAX)?;
        let right = draw(bench, &mut plain, &all, &resident, &camera, size)?;
        for by in paths(bench.gpu()) {
            for (variant, [frustum, cone, occlusion]) in VARIANTS {
                let settings = MeshletsSettings { by, frustum, cone, occlusion, ..Default::default() };
                let mut technique = Meshlets::listing(bench.gpu(), super::LIST_MAX)?;
                let gpu_us = bench.measure(options.reps(), BENCH_CACHES, |frame| {
                    technique.record(frame, &settings, &resident, &camera, size).map(drop)
                })?;
                let drawn = draw(bench, &mut technique, &settings, &resident, &camera, size)?;
                // Triangles of the very same depth may change places; docs/meshlets.md says why.
                let pixels = size.into_iter().map(u64::from).product::<u64>();
                let both = drawn.1.iter().zip(&right.1).zip(drawn.0.iter().zip(&right.0).map(|(a, b)| a == b));
                let others = both.clone().filter(|(_, same)| !same).count();
                let (ties, apart) = if by == By::Compute {
                    (TIES.max(pixels as usize / COMPUTE_TIES), COMPUTE_APART)
                } else {
                    (TIES, PATHS_APART)
                };
                let far = |a: f32, b: f32| f64::from((a - b).abs()) > apart * f64::from(b.abs());
                let far = both.filter(|((a, b), same)| *same && far(**a, **b)).count();
                let checked = others <= ties && far == 0;
                // Each pixel's ID and depth once, the culling result of each meshlet instance, and its geometry once.
                let bytes = 8 * pixels
                    + 8 * world.meshlet_instances.len() as u64
                    + 48 * world.geometry.meshlets.len() as u64
                    + 12 * world.geometry.vertices.len() as u64
                    + 4 * world.geometry.triangles.len() as u64;
                let case = format!("{}x{} {name}, {} triangles", size[0], size[1], world.triangle_count());
                let variant = format!("{}, {variant}", by.name());
                each(Row { case, variant, gpu_us, bytes, probe_us: None, error_steps: None, checked });
            }
        }
    }
    Ok(())
}
