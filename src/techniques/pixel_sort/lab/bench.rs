//! Benchmarks of the sort by option, beside the bytes that it must move.

use super::{
    checks::fetch,
    reference::{Image, properties},
    source::SourceKernel,
};
use crate::{Keys, PixelSort, PixelSortSettings, variant::Lanes};
use gpu::{Frame, Result};
use lab::{BENCH_CACHES, Bench, BenchOptions, BenchRun};
use std::time::{Duration, Instant};

const AREAS: [u32; 3] = [20, 100, 500];

/// The source document's kernel: name, and whether it resolves, sorts, and runs at all after its clears.
const SOURCES: [(&str, [bool; 3]); 4] = [
    ("source: none", [false, false, true]),
    ("source: resolve", [true, false, true]),
    ("source: both", [true, true, true]),
    ("source: clears", [false, false, false]),
];

pub const SORT: Bench = Bench::new("sort", &[[2560, 1440]], measure);

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

fn measure(run: &mut BenchRun<'_>) -> anyhow::Result<()> {
    let mut technique = PixelSort::with_lanes(run.bench.gpu(), Lanes::best(run.bench.gpu()))?;
    let (size, pixels) = (run.size, run.pixels());
    let mut rows = Vec::new();
    let all = AREAS.into_iter().flat_map(|area| variants(area).map(|variant| (area, variant)));
    let all: Vec<_> = all.filter(|(area, (name, _))| takes(run.options, *area, name)).collect();
    for (area, (name, settings)) in all {
        let ids = run.bench.run(|frame| technique.input(frame, &settings, size))?;
        let mut record = |frame: &mut Frame| technique.record(frame, &settings, &ids, Keys::Whole).map(drop);
        if rows.is_empty() {
            wake(run, &mut record)?;
        }
        let writes = if settings.short_list { 2 * pixels + pixels.div_ceil(8) } else { 4 * pixels };
        let case = run.case(&format!("cells of {area} px"));
        let row = run.timed(case, name, [4 * pixels, writes], &mut record)?;
        rows.push((settings, row));
    }
    sources(run, &mut technique)?;
    // Checks come last: a GPU that waits while the CPU checks a list lowers its clocks.
    for (settings, row) in rows {
        let ids = run.bench.run(|frame| technique.input(frame, &settings, size))?;
        let image = Image { size, ids: run.bench.read(&ids)? };
        let list = run.bench.run(|frame| technique.sort(frame, &settings, &ids, Keys::Whole, true))?;
        let is_right = properties(&image, &settings, &fetch(run.bench, &list)?).is_ok();
        run.row(row.checked(is_right));
    }
    Ok(())
}

/// Where subgroups have 32 lanes.
fn sources(run: &mut BenchRun<'_>, technique: &mut PixelSort) -> anyhow::Result<()> {
    let (size, pixels) = (run.size, run.pixels());
    let mut rows = Vec::new();
    let all = AREAS.into_iter().flat_map(|area| SOURCES.map(|source| (area, source)));
    let all: Vec<_> = all.filter(|(area, (name, _))| takes(run.options, *area, name)).collect();
    for (area, (name, [resolve, sort, runs])) in all {
        let settings = PixelSortSettings { cell_area: area, resolve, sort, ..Default::default() };
        let Some(source) = SourceKernel::new(run.bench.gpu(), &settings, size)? else { return Ok(()) };
        let ids = run.bench.run(|frame| technique.input(frame, &settings, size))?;
        let case = run.case(&format!("cells of {area} px"));
        let row = run.timed(case, name, [4 * pixels; 2], &mut |frame| match runs {
            true => source.record(frame, &ids),
            false => source.clear(frame),
        })?;
        rows.push((source, runs, settings, row));
    }
    for (source, runs, settings, row) in rows {
        let is_right = if runs {
            let ids = run.bench.run(|frame| technique.input(frame, &settings, size))?;
            let image = Image { size, ids: run.bench.read(&ids)? };
            run.bench.run(|frame| source.record(frame, &ids))?;
            source.is_right(run.bench, &image)?
        } else {
            run.bench.run(|frame| source.clear(frame))?;
            source.is_cleared(run.bench)?
        };
        run.row(row.checked(is_right));
    }
    Ok(())
}

fn takes(options: &BenchOptions, area: u32, name: &str) -> bool {
    options.takes(0, &area.to_string()) && options.takes(1, name)
}

/// Gives a GPU that slept time to raise its clocks.
fn wake(run: &mut BenchRun<'_>, record: &mut dyn FnMut(&mut Frame) -> Result<()>) -> Result<()> {
    let until = Instant::now() + Duration::from_secs(1);
    while !run.bench.gpu().policy().runs_on_cpu && Instant::now() < until {
        run.bench.measure(20, BENCH_CACHES, &mut *record)?;
    }
    Ok(())
}
