//! Table of the source document on mip chains: M levels in each dispatch.

use super::bench::BENCH;
use gpu::full_chain;
use lab::{BenchOptions, Cell, Column, SourceFigures, SourceRow, SourceTable, TestBench, source_row as row};

const SIZE: [u32; 2] = [2048, 2048];
const QUICK: [u32; 2] = [320, 180];

pub const LEVELS: SourceTable = SourceTable {
    name: "levels",
    title: "Mip chain by M levels in each dispatch",
    source: "\"Generating mipmaps by a compute shader\", after nvpro-samples/vk_compute_mipmaps",
    machine: "It describes M of 1 to 5 by tile and invocations, names 6, and gives no times.",
    measures: "a time is of the full chain by as many dispatches of M levels as it takes, box filter, 8 bits a channel.",
    columns: &[
        Column::new("tile", "Texels that a workgroup reads, per side"),
        Column::new("invocations", "Invocations of a workgroup"),
        Column::new("passed on by", "Way of a level to the next one inside of a workgroup"),
    ],
    here: &[
        Column::new("dispatches", "Dispatches of the full chain"),
        Column::new("of a copy", "Time of a copy of as many bytes, as a part of this time"),
    ],
    rows: &[
        row("M = 1", &["2x2", "1", "—"], &["ladder 1 box"]),
        row("M = 2", &["4x4", "4", "shuffles"], &["ladder 2 box"]),
        row("M = 3", &["8x8", "16", "shuffles"], &["ladder 3 box"]),
        row("M = 4", &["16x16", "64", "shared memory"], &["ladder 4 box"]),
        row("M = 5", &["32x32", "256", "shared memory"], &["ladder 5 box"]),
        row("M = 6", &["64x64", "", ""], &["ladder 6 box"]),
    ],
    measure,
};

fn measure(bench: &mut TestBench, options: &BenchOptions, row: &SourceRow) -> anyhow::Result<SourceFigures> {
    let size = if options.quick { QUICK } else { SIZE };
    let options = BenchOptions { sizes: vec![size], formats: vec!["rgba8".into()], ..options.clone() };
    let measured = SourceTable::row(bench, &options, &BENCH, row.only)?;
    let m = LEVELS.rows.iter().zip(1..).find(|(one, _)| one.title == row.title).map_or(1, |(_, m)| m);
    let is_own = row.only.first().is_some_and(|name| *name == measured.variant);
    let dispatches = is_own.then(|| f64::from((full_chain(size) - 1).div_ceil(m)));
    let of_copy = measured.share_of_copy();
    Ok(SourceFigures::of(measured, vec![Cell::number(dispatches, 0), of_copy]))
}
