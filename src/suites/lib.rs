//! Checks and benchmarks of several techniques or whole frames.

mod antialias;
#[cfg(test)]
mod break_tests;
mod downsample_tables;
#[cfg(test)]
mod garbage_tests;
mod glass_on_glass;
mod glass_on_glass_bench;
mod glass_table;
mod glass_table_bench;
#[cfg(test)]
mod gltf;
mod incremental_world;
#[cfg(test)]
mod looking_tests;
mod motif_lag;
#[cfg(test)]
mod pass_capture_tests;
mod pixel_sort_bench;
mod reflections;
#[cfg(test)]
mod replay_tests;
#[cfg(test)]
mod source_table_tests;
#[cfg(test)]
mod story_tests;

use ::antialias::Antialias;
use ::reflections::Reflections;
use downsample::Downsample;
use glass::LiquidGlass;
use lab::{Bench, BenchOptions, Check, SourceTable, TestBench};
use pixel_sort::PixelSort;
use shade::Shade;
use technique::{Info, Report, Technique};

pub fn checks(info: &Info) -> Vec<Check> {
    let more = match info.id {
        Reflections::ID => reflections::checks(),
        Antialias::ID => antialias::checks(),
        LiquidGlass::ID => {
            vec![
                Check::of::<glass_table::Frost>().draws(),
                Check::of::<glass_on_glass::GlassOnGlass>().draws(),
                Check::of::<motif_lag::Lag>().draws(),
            ]
        }
        Shade::ID => vec![Check::of::<incremental_world::First>().depends_on_subgroups().draws()],
        _ => vec![],
    };
    [info.lab.checks, &more].concat()
}

pub fn benches(info: &Info) -> Vec<Bench> {
    let more = match info.id {
        PixelSort::ID => vec![pixel_sort_bench::SCENES],
        Reflections::ID => vec![reflections::DEPTH],
        LiquidGlass::ID => vec![glass_table_bench::FROST, glass_on_glass_bench::LAYERS],
        _ => vec![],
    };
    [info.lab.benches, &more].concat()
}

pub fn source_tables(info: &Info) -> Vec<SourceTable> {
    let more = match info.id {
        Downsample::ID => vec![downsample_tables::TIMES],
        Reflections::ID => vec![reflections::RATES],
        _ => vec![],
    };
    [info.lab.source_tables, &more].concat()
}

pub fn bench_tables(technique: &str, bench: &TestBench, options: &BenchOptions) -> anyhow::Result<Vec<Report>> {
    if technique == Downsample::ID { downsample_tables::quality_tables(bench, options) } else { Ok(Vec::new()) }
}
