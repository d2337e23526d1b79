//! Tables of the source document on a stencil of bits: test by storage, and frames per second by depth.

use super::bench::STENCIL;
use lab::{BenchOptions, Cell, Column, SourceFigures, SourceRow, SourceTable, TestBench, source_row as row};

pub const SOURCE: &str = "\"Stencil buffer on CUDA\", a ray tracer's masks of bits";

pub const FLAGS: SourceTable = SourceTable {
    name: "flags",
    title: "Stencil of bits against flags",
    source: SOURCE,
    machine: "Measured on a GTX 560; size unknown.",
    measures: "a time is of a kernel that tests the mark of each pixel's item and returns where it is not set.",
    columns: &[
        Column::new("faster than flags", "The source's gain over a flag in a word of its own"),
        Column::new("calls", "The source's empty calls in a second"),
    ],
    here: &[
        Column::new(
            "faster here",
            "Time of flags of 32 bits, measured just before, less this one, as a part of this one",
        ),
        Column::new("G calls/s", "Items tested in a second, 10^9"),
    ],
    rows: &[
        row("bits, none live", &["20 to 25 %", "4 G/s"], &["none", "bits"]),
        row("flags of 8 bits, none live", &[], &["none", "bytes"]),
        row("flags of 32 bits, none live", &["0 %"], &["none", "u32"]),
        row("bits, 1 of 10 live", &[], &["some", "bits"]),
        row("flags of 8 bits, 1 of 10 live", &[], &["some", "bytes"]),
        row("flags of 32 bits, 1 of 10 live", &[], &["some", "u32"]),
    ],
    measure,
};

pub const RATE_ROWS: [SourceRow; 17] = [
    row("mirrors, depth 1", &["30"], &["corridor", "1", "auto"]),
    row("mirrors, depth 2", &["25"], &["corridor", "2", "auto"]),
    row("mirrors, depth 3", &["23.7"], &["corridor", "3", "auto"]),
    row("mirrors, depth 4", &["20"], &["corridor", "4", "auto"]),
    row("mirrors, depth 5", &["19.4"], &["corridor", "5", "auto"]),
    row("mirrors, depth 6", &["18.8"], &["corridor", "6", "auto"]),
    row("diffuse, depth 1", &["40"], &["diffuse", "1", "auto"]),
    row("diffuse, depth 2", &["37"], &["diffuse", "2", "auto"]),
    row("diffuse, depth 3", &["34"], &["diffuse", "3", "auto"]),
    row("diffuse, depth 4", &["32"], &["diffuse", "4", "auto"]),
    row("diffuse, depth 5", &["30"], &["diffuse", "5", "auto"]),
    row("diffuse, depth 6", &["29.5"], &["diffuse", "6", "auto"]),
    row("rich mirrors, depth 1", &["32"], &["pool", "1", "auto"]),
    row("rich mirrors, depth 2", &["23"], &["pool", "2", "auto"]),
    row("rich mirrors, depth 3", &["18.6"], &["pool", "3", "auto"]),
    row("rich mirrors, depth 4", &["16.1"], &["pool", "4", "auto"]),
    row("rich mirrors, depth 5", &["14.4"], &["pool", "5", "auto"]),
];

fn measure(bench: &mut TestBench, options: &BenchOptions, row: &SourceRow) -> anyhow::Result<SourceFigures> {
    let flags: &[&str] = if row.only[0] == "none" { &["none", "u32"] } else { &["some", "u32"] };
    let flags_us = SourceTable::row(bench, options, &STENCIL, flags)?.gpu_us.median;
    let measured = SourceTable::row(bench, options, &STENCIL, row.only)?;
    let median = measured.gpu_us.median;
    let gain = flags_us / median - 1.0;
    let faster = match row.only[1] {
        "u32" => Cell::none(),
        _ => Cell::new(gain, format!("{:+.0} %", 100.0 * gain)),
    };
    let size = measured.case.split([' ', 'x']).take(2).map(|side| side.parse::<f64>().ok());
    let calls = size.product::<Option<f64>>().map(|items| items / median / 1e3);
    let variant = row.only[1].to_owned();
    Ok(SourceFigures { variant, ..SourceFigures::of(measured, vec![faster, Cell::number(calls, 2)]) })
}
