//! Measured times, each next to its floor and its checked result.

use super::cli::{BenchOptions as Typed, Common};
use super::device;
use super::failure::{Failure, OrFail as _};
use super::table::Table;
use super::{print, verify};
use crate::base::file::write_atomically;
use crate::base::text;
use crate::lab::{Bed, BenchOptions, Row};
use crate::renderer;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};

/// Measures one technique, or all; a table on standard output, a progress bar on standard error where somebody watches.
///
/// # Errors
/// Exit code 1 where the GPU failed or validation spoke.
pub fn run(common: &Common, technique: Option<&str>, typed: &Typed) -> Result<(), Failure> {
    let benches: Vec<_> = verify::chosen(technique)?
        .into_iter()
        .flat_map(|info| {
            let together = renderer::benches(info.id).iter().copied();
            (info.benches)().into_iter().chain(together).map(|bench| (info.id, bench))
        })
        .collect();
    let options = BenchOptions {
        sizes: typed.sizes.iter().map(|size| size.0.to_array()).collect(),
        formats: typed.formats.clone(),
        reps: typed.reps.map(|reps| reps as usize),
        quick: typed.quick,
    };
    let mut bed = Bed::new(&device::options(common)?).map_err(anyhow::Error::from)?;
    let (facts, messages) = (bed.gpu().facts().clone(), bed.gpu().messages());
    let bar = progress(benches.iter().map(|(_, bench)| (bench.rows)(&options)).sum());
    let mut rows: Vec<(&str, Row)> = Vec::new();
    for (technique, bench) in &benches {
        bar.set_message(format!("{technique}/{}", bench.name));
        (bench.run)(&mut bed, &options, &mut |row| {
            bar.inc(1);
            rows.push((technique, row));
        })?;
    }
    bar.finish_and_clear();
    drop(bed);
    print(&format!("{} ({}), Vulkan {}\n{}", facts.name, facts.driver, facts.api, table(&rows)))?;
    if let Some(file) = &common.json {
        let rows: Vec<Value> = rows.iter().map(|(technique, row)| json_row(technique, row)).collect();
        let all = json!({"device": device::json(&facts), "rows": rows});
        write_atomically(file, format!("{all:#}\n").as_bytes()).or_bad("--json")?;
    }
    device::unspoken(&messages)
}

fn progress(rows: usize) -> ProgressBar {
    let bar = ProgressBar::new(rows as u64);
    // A template of our own that is known to be well formed; the default serves if it ever is not.
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg} {eta}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}

fn table(rows: &[(&str, Row)]) -> String {
    let mut table = Table::new(&[
        "technique",
        "case",
        "variant",
        "median",
        "min",
        "p95",
        "bytes",
        "traffic",
        "probe",
        "x probe",
        "error",
        "checked",
    ]);
    for (technique, row) in rows {
        let us = row.gpu_us;
        table.row([
            (*technique).to_owned(),
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
        ]);
    }
    table.text()
}

fn json_row(technique: &str, row: &Row) -> Value {
    let us = row.gpu_us;
    json!({
        "technique": technique, "case": row.case, "variant": row.variant,
        "gpu_us": {"median": us.median, "min": us.min, "p95": us.p95, "n": us.n},
        "bytes": row.bytes, "probe_us": row.probe_us, "error_steps": row.error_steps, "checked": row.checked,
    })
}
