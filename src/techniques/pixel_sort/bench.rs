//! Benchmarks of the sort by option, beside the bytes that it must move.

use super::{
    Keys, PixelSort, PixelSortSettings,
    checks::fetch,
    reference::{Image, properties},
    source::SourceKernel,
    variant::Lanes,
};
use crate::{
    gpu::{Frame, Result},
    lab::{BENCH_CACHES, Bench, BenchOptions, Row, TestBench},
};
use std::time::{Duration, Instant};

const SIZES: [[u32; 2]; 1] = [[2560, 1440]];
const QUICK: [[u32; 2]; 1] = [[320, 180]];
const AREAS: [u32; 3] = [20, 100, 500];

/// The source document's kernel: name, and whether it resolves, sorts, and runs at all after its clears.
const SOURCES: [(&str, [bool; 3]); 4] = [
    ("source: none", [false, false, true]),
    ("source: resolve", [true, false, true]),
    ("source: both", [true, true, true]),
    ("source: clears", [false, false, false]),
];

pub const SORT: Bench = Bench {
    name: "sort",
    formats: Vec::new,
    rows: |options| options.sizes_or(&SIZES, &QUICK).len() * AREAS.len() * (variants(20).len() + SOURCES.len()),
    run,
};

fn variants(cell_area: u32) -> [(&'static str, PixelSortSettings); 10] {
    let both = PixelSortSettings { cell_area, ..Default::default() };
    let with = |resolve, sort| PixelSortSettings { resolve, sort, ..both.clone() };
    [
        ("none", with(false, false)),
        ("resolve", with(true, false)),
        ("sort", with(false, true)),
        ("both", both.clone()),
        ("both, 16-bit list", PixelSortSettings { short_list: true, ..both.clone() }),
        ("both, in runs", PixelSortSettings { in_runs: true, ..both.clone() }),
        ("both, 256 x 8 tries", PixelSortSettings { containers: 256, tries: 8, ..both.clone() }),
        ("packed", PixelSortSettings { packed: true, ..both.clone() }),
        ("packed, 16-bit list", PixelSortSettings { packed: true, short_list: true, ..both.clone() }),
        ("deterministic", PixelSortSettings { deterministic: true, ..both }),
    ]
}

fn run(bench: &mut TestBench, options: &BenchOptions, each: &mut dyn FnMut(Row)) -> anyhow::Result<()> {
    let mut technique = PixelSort::with_lanes(bench.gpu(), Lanes::best(bench.gpu()))?;
    for size in options.sizes_or(&SIZES, &QUICK) {
        let pixels = size.into_iter().map(u64::from).product::<u64>();
        let reads = 4 * pixels;
        let mut rows = Vec::new();
        let all = AREAS.into_iter().flat_map(|area| variants(area).map(|variant| (area, variant)));
        for (area, (name, settings)) in all.filter(|(area, (name, _))| takes(options, *area, name)) {
            let ids = bench.run(|frame| technique.input(frame, &settings, size))?;
            let mut record = |frame: &mut Frame| technique.record(frame, &settings, &ids, Keys::Whole).map(drop);
            if rows.is_empty() {
                wake(bench, &mut record)?;
            }
            let writes = if settings.short_list { 2 * pixels + pixels.div_ceil(8) } else { 4 * pixels };
            let probe = bench.traffic_probe(reads, writes, options.reps(), BENCH_CACHES)?;
            let gpu_us = bench.measure(options.reps(), BENCH_CACHES, record)?;
            let case = format!("{}x{} cells of {area} px", size[0], size[1]);
            let (variant, bytes, probe_us) = (name.into(), reads + writes, Some(probe.median));
            rows.push((settings, Row { case, variant, gpu_us, bytes, probe_us, error_steps: None, checked: false }));
        }
        sources(bench, &mut technique, size, options, each)?;
        // Checks come last: a GPU that waits while the CPU checks a list lowers its clocks.
        for (settings, row) in rows {
            let ids = bench.run(|frame| technique.input(frame, &settings, size))?;
            let image = Image { size, ids: bench.read(&ids)? };
            let list = bench.run(|frame| technique.sort(frame, &settings, &ids, Keys::Whole, true))?;
            let checked = properties(&image, &settings, &fetch(bench, &list)?).is_ok();
            each(Row { checked, ..row });
        }
    }
    Ok(())
}

/// Where subgroups have 32 lanes.
fn sources(
    bench: &mut TestBench,
    technique: &mut PixelSort,
    size: [u32; 2],
    options: &BenchOptions,
    each: &mut dyn FnMut(Row),
) -> anyhow::Result<()> {
    let bytes = 8 * size.into_iter().map(u64::from).product::<u64>();
    let mut rows = Vec::new();
    let all = AREAS.into_iter().flat_map(|area| SOURCES.map(|source| (area, source)));
    for (area, (name, [resolve, sort, runs])) in all.filter(|(area, (name, _))| takes(options, *area, name)) {
        let settings = PixelSortSettings { cell_area: area, resolve, sort, ..Default::default() };
        let Some(source) = SourceKernel::new(bench.gpu(), &settings, size)? else { return Ok(()) };
        let ids = bench.run(|frame| technique.input(frame, &settings, size))?;
        let probe = bench.traffic_probe(bytes / 2, bytes / 2, options.reps(), BENCH_CACHES)?;
        let gpu_us = bench.measure(options.reps(), BENCH_CACHES, |frame| match runs {
            true => source.record(frame, &ids),
            false => source.clear(frame),
        })?;
        let case = format!("{}x{} cells of {area} px", size[0], size[1]);
        let (variant, probe_us) = (name.into(), Some(probe.median));
        rows.push((
            (source, runs),
            settings,
            Row { case, variant, gpu_us, bytes, probe_us, error_steps: None, checked: false },
        ));
    }
    for ((source, runs), settings, row) in rows {
        if !runs {
            bench.run(|frame| source.clear(frame))?;
            each(Row { checked: source.is_cleared(bench)?, ..row });
            continue;
        }
        let ids = bench.run(|frame| technique.input(frame, &settings, size))?;
        let image = Image { size, ids: bench.read(&ids)? };
        bench.run(|frame| source.record(frame, &ids))?;
        each(Row { checked: source.is_right(bench, &image)?, ..row });
    }
    Ok(())
}

fn takes(options: &BenchOptions, area: u32, name: &str) -> bool {
    options.takes(0, &area.to_string()) && options.takes(1, name)
}

/// Gives a GPU that slept time to raise its clocks.
fn wake(bench: &mut TestBench, mut record: impl FnMut(&mut Frame) -> Result<()>) -> Result<()> {
    let until = Instant::now() + Duration::from_secs(1);
    while !bench.gpu().policy().runs_on_cpu && Instant::now() < until {
        bench.measure(20, BENCH_CACHES, &mut record)?;
    }
    Ok(())
}
