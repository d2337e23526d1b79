//! Benchmark of the reflections by depth and work.

use super::scene::{MirrorScene, alike};
use anyhow::Result;
use base::job::Progress;
use gpu::Feature;
use lab::{Bench, BenchOptions, BenchRun, Cell, Column, Row, SourceFigures, SourceRow, SourceTable, Spread};
use reflections::{
    ReflectionsSettings, Storage, Traversal, Work,
    lab::{RATE_ROWS, STENCIL_SOURCE},
};
use scene::{Place, SceneSettings, world::built_in};
use shade::ShadeSettings;

const PLACES: [Place; 4] = [Place::Corridor, Place::Diffuse, Place::Pool, Place::Court];
const DEPTHS: [u32; 7] = [1, 2, 3, 4, 5, 6, 8];

pub const DEPTH: Bench = Bench::new("depth", &[[2560, 1440]], measure).quick([160, 90]);

pub const RATES: SourceTable = SourceTable {
    name: "rates",
    title: "Frames per second by depth of reflections",
    source: STENCIL_SOURCE,
    machine: "Measured on a GTX 560: scenes of less than 100 and of 23000 triangles; size unknown.",
    measures: "a time is of visibility, shading and reflections in this program's places corridor, diffuse and pool, by the way that the \
               program takes by itself.",
    columns: &[Column::new("source", "The source's frames per second")],
    here: &[Column::new("frames/s", "A second by the median time of these passes")],
    rows: &RATE_ROWS,
    measure: |bench, options, row: &SourceRow| {
        let measured = SourceTable::row(bench, options, &DEPTH, row.only)?;
        let rate = Cell::number(Some(1e6 / measured.gpu_us.median), 1);
        Ok(SourceFigures { checked: None, variant: "auto".into(), ..SourceFigures::of(measured, vec![rate]) })
    },
};

fn places(options: &BenchOptions) -> &'static [Place] {
    if options.quick && options.only.is_empty() { &PLACES[..1] } else { &PLACES }
}

fn depths(options: &BenchOptions) -> &'static [u32] {
    if options.quick && options.only.is_empty() { &DEPTHS[..2] } else { &DEPTHS }
}

/// What finds the work, what stores the mask, and what finds a ray's triangle.
type PathVariant = (String, Work, Storage, Traversal);

/// The last one by the shader selects automatically; ray queries follow it if the device `has` them.
fn ways(has: bool) -> Vec<PathVariant> {
    let by = |work: &Work| (work.name().to_owned(), *work, Storage::Bits, Traversal::Shader);
    let mut all: Vec<_> = Work::ALL.iter().filter(|work| **work != Work::Auto).map(by).collect();
    let stored = |storage: Storage| (format!("words, {}", storage.name()), Work::Words, storage, Traversal::Shader);
    all.extend([Storage::Bytes, Storage::U32].map(stored));
    all.push(by(&Work::Auto));
    if has {
        all.push(("ray queries".into(), Work::Auto, Storage::Bits, Traversal::Hardware));
    }
    all
}

fn measure(run: &mut BenchRun<'_>) -> Result<()> {
    let options = run.options;
    for place in places(options).iter().filter(|place| options.takes(0, place.name())) {
        let (world, shading) = (built_in(*place, 0, &Progress::default()), ShadeSettings::default());
        let mut scene = MirrorScene::new(run.bench, world, run.size)?.lit(shading, SceneSettings::default().sun());
        let (mut alone, mut checked) = (vec![], true);
        for depth in depths(options).iter().filter(|depth| options.takes(1, &depth.to_string())) {
            let (is_right, auto_us) = by_depth(run, &mut scene, *place, *depth)?;
            checked &= is_right;
            alone.push((*depth, auto_us));
        }
        if options.only.is_empty() {
            let row = last_bounce(run.case(&format!("{}, a bounce more", place.name())), &alone);
            run.row(row.checked(checked));
        }
    }
    Ok(())
}

/// Whether all are right, and the time of the reflections alone.
fn by_depth(run: &mut BenchRun<'_>, scene: &mut MirrorScene, place: Place, depth: u32) -> Result<(bool, Spread)> {
    let options = run.options;
    let of = |work, storage, traversal| ReflectionsSettings { depth, work, storage, traversal, ..Default::default() };
    let usual = of(Work::Auto, Storage::Bits, Traversal::Shader);
    let mut ways = ways(run.bench.gpu().has(Feature::RayQuery));
    ways.retain(|(name, ..)| options.takes(2, name));
    let mut measured: Vec<(String, Spread)> = vec![];
    for (name, work, storage, traversal) in &ways {
        let settings = of(*work, *storage, *traversal);
        run.bench.run(|frame| scene.record(frame, &settings, false).map(drop))?;
        let gpu_us = run.measure(&mut |frame| scene.record(frame, &settings, true).map(drop))?;
        measured.push((name.clone(), gpu_us));
    }
    let (mut alone, shaded) = (Spread::default(), scene.shaded_once(run.bench, &usual)?);
    if let Some(shaded) = shaded.filter(|_| options.only.is_empty()) {
        alone = run.measure(&mut |frame| scene.reflect(frame, &usual, &shaded, None).map(drop))?;
    }
    // After the timing, because an idle GPU lowers its clocks.
    let mut first: Option<Vec<u16>> = None;
    let mut checked = true;
    let chosen = measured.iter().zip(&ways).filter(|(_, way)| way.1 != Work::Auto).map(|(measured, _)| measured);
    let best = chosen.min_by(|a, b| a.1.median.total_cmp(&b.1.median));
    let best = best.map(|(name, spread)| (name.clone(), spread.median));
    for ((name, gpu_us), (_, work, storage, traversal)) in measured.iter().zip(&ways) {
        let settings = of(*work, *storage, *traversal);
        let light = run.bench.run(|frame| scene.record(frame, &settings, true))?;
        let light: Vec<u16> = run.bench.read(&light)?;
        let first = first.get_or_insert_with(|| light.clone());
        let rate = 1e6 / gpu_us.median;
        let variant = match (&best, work) {
            (Some((best, us)), Work::Auto) if *traversal == Traversal::Shader => {
                format!("auto, {rate:.1}/s, {:+.1} % of {best}", 100.0 * (gpu_us.median / us - 1.0))
            }
            _ => format!("{name}, {rate:.1}/s"),
        };
        let case = run.case(&format!("{}, depth {depth}", place.name()));
        let is_same = !work.has_own_kernels() && *traversal == Traversal::Shader;
        let is_right = if is_same { *first == light } else { alike(first, &light).passed };
        checked &= is_right;
        // Light read and written once, mirrors and IDs read once.
        run.row(Row::new(case, variant, *gpu_us, run.pixels() * (8 + 8 + 8 + 4)).checked(is_right));
    }
    Ok((checked, alone))
}

fn last_bounce(case: String, alone: &[(u32, Spread)]) -> Row {
    let ends = alone.first().zip(alone.last());
    let part = |of: fn(&Spread, &Spread) -> f64| {
        ends.map_or(f64::NAN, |((few, first), (many, last))| of(first, last) / f64::from((many - few).max(1)))
    };
    let each = part(|first, last| last.median - first.median);
    let interval = [
        part(|first, last| last.interval[0] - first.interval[1]),
        part(|first, last| last.interval[1] - first.interval[0]),
    ];
    let spread = Spread { median: each, min: each, p95: each, n: ends.map_or(0, |(first, _)| first.1.n), interval };
    let first_us = ends.map_or(f64::NAN, |(first, _)| first.1.median);
    let last_us = ends.map_or(f64::NAN, |(_, last)| last.1.median);
    Row::new(case, format!("auto, all {:.2} times the first", last_us / first_us), spread, 0)
}
