//! Scans and tables beside the time that their bytes take with nothing to wait for.

use super::{
    Method, Order, Precision, Scan, SummedArea, SummedAreaSettings,
    checks::{numbers, read_table, source_of},
    scan::{Array, bytes_for},
    scan_checks::{Flags, noise, upload},
    scan_twin::segmented,
    table::{bytes, passes},
};
use crate::{
    gpu::{Buffer, Frame, Memory},
    lab::{BENCH_CACHES, Bench, BenchOptions, Row, TestBench},
    techniques::Technique,
};

const COUNTS: [u32; 2] = [1 << 20, 1 << 25];
const QUICK_COUNT: u32 = 50_000;
const SIZES: [[u32; 2]; 4] = [[1920, 1080], [1919, 1079], [3840, 2160], [7680, 4320]];
const QUICK: [[u32; 2]; 1] = [[320, 180]];

fn counts(options: &BenchOptions) -> &'static [u32] {
    if options.quick { &[QUICK_COUNT] } else { &COUNTS }
}

/// Rows by length and scan.
pub const SCANS: Bench =
    Bench { name: "scans", rows: |options| counts(options).len() * Scan::ALL.len(), run: run_scans };

fn run_scans(bench: &mut TestBench, options: &BenchOptions, each: &mut dyn FnMut(Row)) -> anyhow::Result<()> {
    let mut technique = SummedArea::new(bench.gpu())?;
    for &count in counts(options) {
        let values = noise(count as usize, 1);
        let flags = Flags::Some(1000).of(count as usize);
        let (source, flag_words) = (upload(bench, &values)?, upload(bench, &flags)?);
        let target = Buffer::new(bench.gpu(), "scanned", bytes_for(count), Memory::Device)?;
        let all = u64::from(count) * 4;
        let probe = bench.traffic_probe(all, all, options.reps(), BENCH_CACHES)?;
        for &scan in Scan::ALL {
            let array = Array { source: &source, flags: Some(&flag_words), target: &target, count, padded: true };
            let gpu_us = bench.measure(options.reps(), BENCH_CACHES, |frame| technique.scan(frame, scan, &array))?;
            bench.run(|frame| {
                frame.fill("setup/scanned", &target, 0x5EED_5EED)?;
                technique.scan(frame, scan, &array)
            })?;
            let gave_up = technique.gave_up(bench)?;
            let wanted = segmented(&values, if scan == Scan::Segmented { &flags } else { &[] });
            let found: Vec<u32> = bench.read_buffer(&target)?;
            each(Row {
                case: format!("{count} words"),
                variant: format!("{}, {} dispatches", scan.name(), scan.passes(count)),
                gpu_us,
                bytes: scan.bytes(count),
                probe_us: Some(probe.median),
                error_steps: None,
                checked: !gave_up && found[..count as usize] == wanted,
            });
        }
    }
    Ok(())
}

/// What is made in one row.
struct Variant {
    name: String,
    settings: SummedAreaSettings,
}

fn variants() -> Vec<Variant> {
    let mut all = Vec::new();
    for &method in Method::ALL {
        all.push(Variant { name: method.name().into(), settings: SummedAreaSettings { method, ..Default::default() } });
    }
    let single = SummedAreaSettings::default();
    let other = |name: &str, settings: SummedAreaSettings| Variant { name: name.into(), settings };
    all.push(other("single_pass by rows", SummedAreaSettings { order: Order::Rows, ..single.clone() }));
    for method in [Method::Transpose, Method::BrltScanRow] {
        let name = format!("{} [32][32]", method.name());
        all.push(other(&name, SummedAreaSettings { method, padding: false, ..single.clone() }));
    }
    for precision in [Precision::F32, Precision::MeanOffset, Precision::Centred] {
        let name = format!("single_pass {}", precision.name());
        all.push(other(&name, SummedAreaSettings { precision, ..single.clone() }));
    }
    all
}

/// Rows by size and method, from 32-bit words: the least that any must move is a copy.
pub const TABLES: Bench = Bench {
    name: "tables",
    rows: |options| options.sizes_or(&SIZES, &QUICK).len() * variants().len(),
    run: run_tables,
};

fn run_tables(bench: &mut TestBench, options: &BenchOptions, each: &mut dyn FnMut(Row)) -> anyhow::Result<()> {
    let mut technique = SummedArea::new(bench.gpu())?;
    for size in options.sizes_or(&SIZES, &QUICK) {
        let planes = [numbers(size, 0, Precision::F32)];
        let (source, wanted) = (source_of(bench, &planes)?, planes[0].table());
        let all = size.into_iter().map(u64::from).product::<u64>() * 4;
        let probe = bench.traffic_probe(all, all, options.reps(), BENCH_CACHES)?;
        for Variant { name, settings } in variants() {
            let gpu_us = bench.measure(options.reps(), BENCH_CACHES, |frame: &mut Frame| {
                technique.record_as_asked(frame, &settings, &source).map(drop)
            })?;
            let table = bench.run(|frame| technique.record_as_asked(frame, &settings, &source))?;
            let gave_up = technique.gave_up(bench)?;
            let is_right = settings.precision != Precision::U32 || read_table(bench, &table)?[0] == wanted.numbers;
            each(Row {
                case: format!("{}x{} u32", size[0], size[1]),
                variant: format!("{name}, {} dispatches", passes(settings.method, size)),
                gpu_us,
                bytes: bytes(settings.method, size, 4).iter().sum(),
                probe_us: Some(probe.median),
                error_steps: None,
                // Floats are compared by the oracle, with what they may lose.
                checked: settings.precision == Precision::U32 && !gave_up && is_right,
            });
        }
    }
    Ok(())
}
