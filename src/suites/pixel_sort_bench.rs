//! Benchmarks of the sort and of the shading that reads its list.

use anyhow::Result;
use base::job::Progress;
use gpu::{Frame, ImageView};
use lab::{Bench, BenchOptions, BenchRun};
use meshlets::{Meshlets, MeshletsSettings};
use pixel_sort::{Key, PixelSort, PixelSortSettings};
use scene::{
    Place, SceneSettings,
    world::{GpuScene, built_in},
};
use shade::{Shade, ShadeInput, ShadeSettings, Work};
use std::sync::Arc;
use technique::{PixelList, Technique};

const WORLDS: [(&str, Place, u32); 2] = [("court", Place::Court, 0), ("1000 instances", Place::Many, 1000)];
const WEIGHTS: [u32; 3] = [1, 4, 8];
const READ: usize = 3;

pub const SCENES: Bench = Bench::new("scenes", &[[2560, 1440]], measure);

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

fn measure(run: &mut BenchRun<'_>) -> Result<()> {
    for (name, place, instances) in worlds(run.options) {
        let world = Arc::new(built_in(*place, *instances, &Progress::default()));
        let world = run.bench.run(|frame| GpuScene::new(frame, world))?;
        one_world(run, name, &world)?;
    }
    Ok(())
}

fn one_world(run: &mut BenchRun<'_>, name: &str, world: &GpuScene) -> Result<()> {
    let (gpu, size, pixels) = (run.bench.gpu().clone(), run.size, run.pixels());
    let (mut meshlets, mut sort, mut shade) = (Meshlets::new(&gpu)?, PixelSort::new(&gpu)?, Shade::new(&gpu)?);
    let scene = SceneSettings::default();
    let (camera, sun) = (scene.viewpoint(world.world.viewpoint, 0.0).camera(), scene.sun());
    let settings = MeshletsSettings::default();
    let shadow = run.bench.run(|frame| meshlets.shadow(frame, &settings, world, sun))?;
    let ids: ImageView = run.bench.run(|frame| meshlets.record(frame, &settings, world, &camera, size))?.ids;
    let scene = ShadeInput { world, camera: &camera, sun, shadow: Some(&shadow), detail: 1.0 };
    let mut rows = Vec::new();
    for (variant, settings) in variants() {
        let writes = if settings.short_list { 2 * pixels + pixels.div_ceil(8) } else { 4 * pixels };
        let row = run.timed(run.case(&format!("{name}, sort")), variant, [4 * pixels, writes], &mut |frame| {
            sort.record(frame, &settings, &ids, settings.keys(&world.material_of)).map(drop)
        })?;
        rows.push((row, Some(settings), 1));
    }
    let by_raster = std::iter::once(("raster", None));
    let ways: Vec<_> =
        by_raster.chain(variants().into_iter().take(READ).map(|(name, settings)| (name, Some(settings)))).collect();
    for weight in weights(run.options) {
        let settings = shading(*weight);
        for (variant, sorted) in &ways {
            let bytes = [pixels * if sorted.is_some() { 8 } else { 4 }, 8 * pixels];
            let work = run.bench.run(|frame| work_of(frame, &mut sort, sorted.as_ref(), &ids, world))?;
            let case = run.case(&format!("{name}, shading, weight {weight}"));
            let row = run.timed(case, variant, bytes, &mut |frame| {
                shade.record(frame, &settings, &scene, &ids, &work).map(drop)
            })?;
            rows.push((row, sorted.clone(), *weight));
        }
    }
    // After the timing, because an idle GPU lowers its clocks: every list must give the raster's picture, bit for bit.
    for (row, sorted, weight) in rows {
        let settings = shading(weight);
        let light = run.bench.run(|frame| shade.record(frame, &settings, &scene, &ids, &Work::Raster))?;
        let by_raster: Vec<u16> = run.bench.read(&light)?;
        let light = run.bench.run(|frame| {
            let work = work_of(frame, &mut sort, sorted.as_ref(), &ids, world)?;
            shade.record(frame, &settings, &scene, &ids, &work)
        })?;
        let is_right = run.bench.read::<u16>(&light)? == by_raster;
        run.row(row.checked(is_right));
    }
    Ok(())
}

fn work_of(
    frame: &mut Frame,
    sort: &mut PixelSort,
    sorted: Option<&PixelSortSettings>,
    ids: &ImageView,
    world: &GpuScene,
) -> gpu::Result<Work> {
    Ok(match sorted {
        None => Work::Raster,
        Some(how) => Work::List(PixelList::from(&sort.record(frame, how, ids, how.keys(&world.material_of))?)),
    })
}

fn shading(weight: u32) -> ShadeSettings {
    ShadeSettings { weight, split: Some(false), ..Default::default() }
}
