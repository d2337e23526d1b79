//! Table of the source document on integral images: methods and precisions.

use super::bench::TABLES;
use lab::{BenchOptions, Cell, Column, SourceFigures, SourceRow, SourceTable, TestBench, source_row as row};

const SIZE: [u32; 2] = [1920, 1080];

pub const METHODS: SourceTable = SourceTable {
    name: "methods",
    title: "Summed-area tables by method and precision",
    source: "\"How to compute integral image on GPU?\", a survey of Hensley 2005, Harris 2007, Bilgic 2010 and Chen 2018",
    machine: "It describes them and gives no times.",
    measures: "a time is of one table of 32-bit words.",
    columns: &[Column::new("source", "What the source says about it")],
    here: &[
        Column::new("of a copy", "Time of a copy of the least bytes, as a part of this time"),
        Column::new("error", "Worst error of a mean of 15x15 pixels, in steps of 1/255"),
    ],
    rows: &[
        row("doubling (Hensley)", &["O(n log n)"], &["doubling"]),
        row("scan, transpose, scan (Bilgic)", &["O(n), transposes in memory"], &["transpose"]),
        row("scan, transpose, scan, no padding", &["bank conflicts"], &["transpose [32][32]"]),
        row("scan row, BRLT (Chen)", &["O(n²) across warps"], &["scan_row_brlt"]),
        row("BRLT, scan row (Chen)", &["O(n) across warps"], &["brlt_scan_row"]),
        row("BRLT, scan row, no padding", &["bank conflicts"], &["brlt_scan_row [32][32]"]),
        row("scan row, column (Chen)", &["32 rows a block"], &["scan_row_column"]),
        row("two passes", &[], &["two_pass"]),
        row("single pass, whole numbers", &["up to w · h · 255"], &["single_pass"]),
        row("single pass, floats", &["loses digits"], &["single_pass f32"]),
        row("single pass, less 0.5", &["not monotonous"], &["single_pass half_offset"]),
        row("single pass, less the mean", &["not monotonous"], &["single_pass mean_offset"]),
        row("single pass, from the centre", &["four smaller tables"], &["single_pass centred"]),
    ],
    measure,
};

fn measure(bench: &mut TestBench, options: &BenchOptions, row: &SourceRow) -> anyhow::Result<SourceFigures> {
    let sizes = if options.quick { vec![] } else { vec![SIZE] };
    let measured = SourceTable::row(bench, &BenchOptions { sizes, ..options.clone() }, &TABLES, row.only)?;
    let of_copy = measured.share_of_copy();
    let error = Cell::number(measured.error_steps, 4);
    Ok(SourceFigures::of(measured, vec![of_copy, error]))
}
