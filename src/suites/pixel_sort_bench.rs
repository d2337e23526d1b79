//! Benchmarks of the sort and of the shading that reads its list.

use crate::{
    base::job::Progress,
    gpu::ImageView,
    lab::{BENCH_CACHES, Bench, BenchOptions, Row, TestBench},
    scene::{
        Place, SceneSettings,
        world::{GpuScene, built_in},
    },
    techniques::{
        PixelList, Technique,
        meshlets::{Meshlets, MeshletsSettings},
        pixel_sort::{Key, PixelSort, PixelSortSettings},
        shade::{Shade, ShadeInput, ShadeSettings, Split, Work},
    },
};
use anyhow::Result;
use std::sync::Arc;

const SIZES: [[u32; 2]; 1] = [[2560, 1440]];
const QUICK: [[u32; 2]; 1] = [[320, 180]];
const WORLDS: [(&str, Place, u32); 2] = [("court", Place::Court, 0), ("1000 instances", Place::Many, 1000)];
const WEIGHTS: [u32; 3] = [1, 4, 8];
const READ: usize = 3;

pub const SCENES: Bench = Bench {
    name: "scenes",
    formats: Vec::new,
    rows: |options| {
        worlds(options).len() * options.sizes_or(&SIZES, &QUICK).len() * (8 + weights(options).len() * (1 + READ))
    },
    run,
};

fn worlds(options: &BenchOptions) -> &'static [(&'static str, Place, u32)] {
    if options.quick { &[("20 instances", Place::Many, 20)] } else { &WORLDS }
}

fn weights(options: &BenchOptions) -> &'static [u32] {
    if options.quick { &WEIGHTS[..1] } else { &WEIGHTS }
}

fn variants() -> [(&'static str, PixelSortSettings); 8] {
    let both = PixelSortSettings { key: Key::Meshlet, ..Default::default() };
    let with = |resolve, sort| PixelSortSettings { resolve, sort, ..both.clone() };
    [
        ("both, by meshlet", both.clone()),
        ("both, by material", PixelSortSettings { key: Key::Material, ..both.clone() }),
        ("packed, by meshlet", PixelSortSettings { packed: true, ..both.clone() }),
        ("none", with(false, false)),
        ("resolve", with(true, false)),
        ("sort", with(false, true)),
        ("16-bit list", PixelSortSettings { short_list: true, ..both.clone() }),
        ("deterministic", PixelSortSettings { deterministic: true, ..both }),
    ]
}

fn run(bench: &mut TestBench, options: &BenchOptions, each: &mut dyn FnMut(Row)) -> Result<()> {
    for (name, place, instances) in worlds(options) {
        let world = Arc::new(built_in(*place, *instances, &Progress::default()));
        let mut bench_scene = BenchScene::new(bench, world)?;
        for size in options.sizes_or(&SIZES, &QUICK) {
            bench_scene.run(bench, options, (name, size), each)?;
        }
    }
    Ok(())
}

struct BenchScene {
    meshlets: Meshlets,
    sort: PixelSort,
    shade: Shade,
    world: GpuScene,
}

impl BenchScene {
    fn new(bench: &mut TestBench, world: Arc<crate::scene::world::World>) -> Result<Self> {
        let gpu = bench.gpu().clone();
        let world = bench.run(|frame| GpuScene::new(frame, world))?;
        Ok(Self { meshlets: Meshlets::new(&gpu)?, sort: PixelSort::new(&gpu)?, shade: Shade::new(&gpu)?, world })
    }

    fn run(
        &mut self,
        bench: &mut TestBench,
        options: &BenchOptions,
        (name, size): (&str, [u32; 2]),
        each: &mut dyn FnMut(Row),
    ) -> Result<()> {
        let Self { meshlets, sort, shade, world } = self;
        let (reps, scene) = (options.reps(), SceneSettings::default());
        let (camera, sun) = (scene.viewpoint(world.world.viewpoint, 0.0).camera(), scene.sun());
        let settings = MeshletsSettings::default();
        let shadow = bench.run(|frame| meshlets.shadow(frame, &settings, world, sun))?;
        let ids: ImageView = bench.run(|frame| meshlets.record(frame, &settings, world, &camera, size))?.ids;
        let scene = ShadeInput { world, camera: &camera, sun, shadow: Some(&shadow), detail: 1.0 };
        let pixels = u64::from(size[0]) * u64::from(size[1]);
        let case = |what: String| format!("{}x{} {name}, {what}", size[0], size[1]);
        let row = |case: String, variant: &str, gpu_us, bytes, probe: f64| Row {
            case,
            variant: variant.into(),
            gpu_us,
            bytes,
            probe_us: Some(probe),
            error_steps: None,
            checked: false,
        };
        let mut rows = Vec::new();
        for (variant, settings) in variants() {
            let writes = if settings.short_list { 2 * pixels + pixels.div_ceil(8) } else { 4 * pixels };
            let probe = bench.traffic_probe(4 * pixels, writes, reps, BENCH_CACHES)?.median;
            let gpu_us = bench.measure(reps, BENCH_CACHES, |frame| {
                sort.record(frame, &settings, &ids, settings.keys(&world.material_of)).map(drop)
            })?;
            let row = row(case("sort".into()), variant, gpu_us, 4 * pixels + writes, probe);
            rows.push((row, Some(settings), 1));
        }
        let by_raster = std::iter::once(("raster", None));
        let ways: Vec<_> =
            by_raster.chain(variants().into_iter().take(READ).map(|(name, settings)| (name, Some(settings)))).collect();
        for weight in weights(options) {
            let settings = shading(*weight);
            for (variant, sorted) in &ways {
                let bytes = pixels * if sorted.is_some() { 16 } else { 12 };
                let probe = bench.traffic_probe(bytes - 8 * pixels, 8 * pixels, reps, BENCH_CACHES)?.median;
                let work = match sorted {
                    None => Work::Raster,
                    Some(how) => {
                        let keys = how.keys(&world.material_of);
                        Work::List(PixelList::from(&bench.run(|frame| sort.record(frame, how, &ids, keys))?))
                    }
                };
                let gpu_us = bench.measure(reps, BENCH_CACHES, |frame| {
                    shade.record(frame, &settings, &scene, &ids, &work).map(drop)
                })?;
                let row = row(case(format!("shading, weight {weight}")), variant, gpu_us, bytes, probe);
                rows.push((row, sorted.clone(), *weight));
            }
        }
        // After the timing, because an idle GPU lowers its clocks: every list must give the raster's picture, bit for bit.
        for (row, sorted, weight) in rows {
            let settings = shading(weight);
            let light = bench.run(|frame| shade.record(frame, &settings, &scene, &ids, &Work::Raster))?;
            let by_raster: Vec<u16> = bench.read(&light)?;
            let light = bench.run(|frame| {
                let work = match &sorted {
                    None => Work::Raster,
                    Some(how) => {
                        Work::List(PixelList::from(&sort.record(frame, how, &ids, how.keys(&world.material_of))?))
                    }
                };
                shade.record(frame, &settings, &scene, &ids, &work)
            })?;
            each(Row { checked: bench.read::<u16>(&light)? == by_raster, ..row });
        }
        Ok(())
    }
}

fn shading(weight: u32) -> ShadeSettings {
    ShadeSettings { weight, split: Split::Off, ..Default::default() }
}
