//! Table of the source document on sorting pixels: its variants at 2560x1440.

use super::bench::SORT;
use lab::{BenchOptions, Column, SourceFigures, SourceRow, SourceTable, TestBench, source_row as row};

pub const SORTS: SourceTable = SourceTable {
    name: "sorts",
    title: "Pixel sort by variant",
    source: "shikihuiku, \"Pixel sorting CS for execution efficiency on GPUs\"",
    machine: "Measured by Nsight Graphics on an RTX 5080 at 2560x1440, by IDs of meshlets, to about 0.01 ms.",
    measures: "a time is of sorting a whole picture of cells of 100 pixels; that of the source's kernel contains its clears.",
    columns: &[Column::new("source", "The source's time")],
    here: &[Column::new("of a copy", "Time of a copy of as many bytes, as a part of this time")],
    rows: &[
        row("conflicts resolved, containers sorted", &["0.06 ms"], &["100", "both"]),
        row("conflicts resolved", &["0.05 ms"], &["100", "resolve"]),
        row("neither", &["0.03 ms"], &["100", "none"]),
        row("the source's kernel: resolved, sorted", &["0.06 ms"], &["100", "source: both"]),
        row("the source's kernel: resolved", &["0.05 ms"], &["100", "source: resolve"]),
        row("the source's kernel: neither", &["0.03 ms"], &["100", "source: none"]),
        row("the source's kernel: clears alone", &["0.03 ms"], &["100", "source: clears"]),
    ],
    measure,
};

fn measure(bench: &mut TestBench, options: &BenchOptions, row: &SourceRow) -> anyhow::Result<SourceFigures> {
    let lanes = bench.gpu().info().subgroup;
    if row.only[1].starts_with("source") && !(lanes.min..=lanes.max).contains(&32) {
        anyhow::bail!(
            "the source's kernel takes subgroups of 32 lanes; this device has {} to {}",
            lanes.min,
            lanes.max
        );
    }
    let measured = SourceTable::row(bench, options, &SORT, row.only)?;
    let of_copy = measured.share_of_copy();
    Ok(SourceFigures::of(measured, vec![of_copy]))
}
