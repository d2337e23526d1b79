//! Benchmark command: measured times beside their lower bound and their verified result.

use super::baseline::{Baseline, Compared};
use super::cli::{BenchOptions as Typed, Common};
use super::device;
use super::failure::{Failure, OrFail as _};
use super::progress::Progress;
use super::text_table::{Columns, Table};
use super::verify;
use super::{FirstError, crash_report, print};
use base::text;
use gpu::Options;
use lab::{Bench, BenchOptions, Row, TestBench};

use serde_json::{Value, json};
use std::collections::BTreeSet;
use technique::Report;

pub fn run(common: &Common, technique: Option<&str>, typed: &Typed) -> Result<(), Failure> {
    let benches: Vec<_> = verify::chosen(technique)?
        .into_iter()
        .flat_map(|info| suites::benches(info).into_iter().map(|bench| (info.id, bench)))
        .collect();
    let baseline = typed.against.as_deref().map(Baseline::read).transpose()?;
    known_formats(&typed.formats, benches.iter().flat_map(|(_, bench)| (bench.formats)()).collect())?;
    let options = BenchOptions {
        sizes: typed.sizes.iter().map(|size| size.0.to_array()).collect(),
        formats: typed.formats.clone(),
        reps: typed.reps.map(|reps| reps as usize),
        quick: typed.quick,
        only: &[],
    };
    let on = device::options(common)?;
    let mut test_bench = TestBench::new(&on).map_err(anyhow::Error::from)?;
    device::expect_times(test_bench.gpu(), "bench")?;
    let (facts, messages) = (test_bench.gpu().info().clone(), test_bench.gpu().messages());
    crash_report::note_device(&facts);
    if let Some(baseline) = baseline.as_ref().filter(|_| !typed.any_device) {
        baseline.expect_device(&facts)?;
    }
    let progress = Progress::new(benches.iter().map(|(_, bench)| bench.sizes(&options).len()).sum());
    let mut rows: Vec<(usize, &str, Row)> = Vec::new();
    let mut said = FirstError::default();
    said.note(progress.print(&format!(
        "{} ({}), Vulkan {}\n{}",
        facts.name,
        facts.driver,
        facts.api,
        COLUMNS.heading()
    )));
    for (at, (technique, bench)) in benches.iter().enumerate() {
        progress.begin(&format!("{technique}/{}", bench.name));
        let mut each = |row: Row| {
            said.note(progress.print(&COLUMNS.line(cells(technique, &row))));
            rows.push((at, technique, row));
        };
        for size in bench.sizes(&options) {
            bench.run_at(size, &mut test_bench, &options, &mut each).map_err(crash_report::of)?;
            progress.step();
        }
    }
    progress.end();
    for info in verify::chosen(technique)? {
        let tables = suites::bench_tables(info.id, &test_bench, &options).map_err(crash_report::of)?;
        for Report { title, head, rows } in tables {
            let mut table = Table::new(&head);
            rows.into_iter().for_each(|row| table.row(row));
            said.note(print(&format!("\n{title}\n{}", table.text())));
        }
    }
    drop(test_bench);
    let mut compared = baseline.as_ref().map(|baseline| baseline.compare(rows.iter().map(|(_, id, row)| (*id, row))));
    if let (Some(baseline), Some(compared)) = (&baseline, &mut compared) {
        let suspects = rows.iter().filter(|(_, id, row)| compared.is_slower(id, row)).map(|(at, ..)| *at);
        let suspects: BTreeSet<usize> = suspects.collect();
        let again = (benches.iter().enumerate()).filter(|(at, _)| suspects.contains(at)).map(|(_, bench)| bench);
        confirm(baseline, compared, &again.copied().collect::<Vec<_>>(), &on, &options)?;
        said.note(print(&compared.text()));
    }
    if let Some(file) = &common.json {
        let lines: Vec<Value> = rows.iter().map(|(_, technique, row)| json_row(technique, row)).collect();
        let mut all = json!({"device": device::json(&facts), "rows": lines});
        if let Some(compared) = &compared {
            all["against"] = compared.json();
        }
        super::write(file, format!("{all:#}\n").as_bytes()).or_bad("--json")?;
    }
    device::unspoken(&messages)?;
    compared.map_or(Ok(()), |compared| compared.judge())?;
    said.end()
}

const CONFIRMATIONS: usize = 2;

/// Each time on a newly opened device: another place in memory alone can make a row slower by some per cent.
fn confirm(
    baseline: &Baseline,
    compared: &mut Compared,
    benches: &[(&str, Bench)],
    on: &Options,
    options: &BenchOptions,
) -> Result<(), Failure> {
    for round in 1..=if benches.is_empty() { 0 } else { CONFIRMATIONS } {
        let mut test_bench = TestBench::new(on).map_err(anyhow::Error::from)?;
        let messages = test_bench.gpu().messages();
        for (technique, bench) in benches {
            log::info!("{technique}/{}: measured again, {round} of {CONFIRMATIONS}", bench.name);
            let mut doubt = |row: Row| compared.confirm(baseline, technique, &row);
            bench.run(&mut test_bench, options, &mut doubt).map_err(crash_report::of)?;
        }
        drop(test_bench);
        device::unspoken(&messages)?;
    }
    Ok(())
}

fn known_formats(typed: &[String], mut known: Vec<&str>) -> Result<(), Failure> {
    known.sort_unstable();
    known.dedup();
    let Some(unknown) = typed.iter().find(|name| !known.contains(&name.as_str())) else { return Ok(()) };
    if known.is_empty() {
        return Err(Failure::bad(format!(
            "--formats {unknown}: these benches have none to choose; expected no --formats"
        )));
    }
    let hint = text::suggestion(unknown, known.iter().copied());
    Err(Failure::bad(format!("--formats {unknown}: there is no such format{hint}")))
}

const COLUMNS: Columns = Columns(&[
    ("technique", 10, false),
    ("case", 34, false),
    ("variant", 34, false),
    ("median", 7, true),
    ("min", 7, true),
    ("p95", 7, true),
    ("bytes", 8, true),
    ("traffic", 9, true),
    ("probe", 7, true),
    ("x probe", 7, true),
    ("error", 6, true),
    ("checked", 7, false),
]);

fn cells(technique: &str, row: &Row) -> [String; 12] {
    let us = row.gpu_us;
    [
        technique.to_owned(),
        row.case.clone(),
        row.variant.clone(),
        text::micros(us.median),
        text::micros(us.min),
        text::micros(us.p95),
        text::bytes(row.bytes),
        text::bandwidth(row.bytes, us.median),
        row.probe_us.map_or("-".into(), text::micros),
        row.probe_us.filter(|probe| *probe > 0.0).map_or("-".into(), |probe| format!("{:.2}", us.median / probe)),
        row.error_steps.map_or("-".into(), |error| format!("{error:.2}")),
        if row.checked { "yes" } else { "no" }.to_owned(),
    ]
}

/// Gigabytes: 10^9.
fn gb_s(row: &Row) -> Option<f64> {
    Some(row.bytes as f64 / row.gpu_us.median / 1e3).filter(|gb_s| gb_s.is_finite())
}

fn of_probe(row: &Row) -> Option<f64> {
    row.probe_us.map(|probe| probe / row.gpu_us.median).filter(|part| part.is_finite())
}

fn json_row(technique: &str, row: &Row) -> Value {
    let us = row.gpu_us;
    json!({
        "technique": technique, "case": row.case, "variant": row.variant,
        "gpu_us": {"median": us.median, "min": us.min, "p95": us.p95, "n": us.n, "interval": us.interval},
        "bytes": row.bytes, "gb_s": gb_s(row), "of_probe": of_probe(row), "probe_us": row.probe_us, "error_steps": row.error_steps, "checked": row.checked,
    })
}
