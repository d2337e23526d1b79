//! Tables command: the tables of the source documents beside times of this machine.

use super::cli::{Common, TableOptions};
use super::failure::{Failure, OrFail as _};
use super::progress::Progress;
use super::{FirstError, crash_report, device, measure, verify};
use gpu::DeviceInfo;
use lab::{BenchOptions, SourceFigures, SourceTable, TestBench};

use serde_json::{Value, json};

pub fn run(common: &Common, technique: Option<&str>, typed: &TableOptions) -> Result<(), Failure> {
    let infos = verify::chosen(technique)?;
    let tables: Vec<_> =
        infos.iter().flat_map(|info| suites::source_tables(info).into_iter().map(|table| (info.id, table))).collect();
    if tables.is_empty() {
        let name = technique.unwrap_or_default();
        return Err(Failure::bad(format!("tables {name}: no source document has a table of it; see meniscus tables")));
    }
    let options =
        BenchOptions { reps: typed.reps.map(|reps| reps as usize), quick: typed.quick, ..BenchOptions::default() };
    let mut bench = TestBench::new(&device::options(common)?).map_err(anyhow::Error::from)?;
    device::expect_times(bench.gpu(), "tables")?;
    let (facts, messages) = (bench.gpu().info().clone(), bench.gpu().messages());
    crash_report::note_device(&facts);
    let progress = Progress::new(tables.iter().map(|(_, table)| table.rows.len()).sum());
    let mut said = FirstError::default();
    said.note(progress.print(&format!("{}\n", device_line(&facts))));
    let mut all = Vec::new();
    for (id, table) in &tables {
        let mut measured = Vec::new();
        for row in table.rows {
            progress.begin(&format!("{id}/{} {}", table.name, row.title));
            measured.push(table.measure(&mut bench, &options, row));
            progress.step();
        }
        said.note(progress.print(&text(table, &measured)));
        all.push(json_table(id, table, &measured));
    }
    progress.end();
    drop(bench);
    if let Some(file) = &common.json {
        let all = json!({"device": device::json(&facts), "quick": typed.quick, "tables": all});
        super::write(file, format!("{all:#}\n").as_bytes()).or_bad("--json")?;
    }
    device::unspoken(&messages)?;
    said.end()
}

pub fn device_line(facts: &DeviceInfo) -> String {
    format!("{} ({}), Vulkan {}", facts.name, facts.driver, facts.api)
}

fn text(table: &SourceTable, measured: &[Result<SourceFigures, String>]) -> String {
    let notes: String = table.notes(measured).iter().map(|note| format!("{note}\n")).collect();
    format!("\n{}\n{}{notes}", table.title, measure::table_text(&table.card(measured)))
}

fn json_table(id: &str, table: &SourceTable, measured: &[Result<SourceFigures, String>]) -> Value {
    let rows = table.rows.iter().zip(measured).map(|(row, measured)| {
        let source: serde_json::Map<String, Value> = table
            .columns
            .iter()
            .zip(row.figures)
            .filter(|(_, figure)| !figure.is_empty())
            .map(|(column, figure)| (column.name.to_owned(), json!(figure)))
            .collect();
        let mut json = json!({"row": row.title, "source": source});
        match measured {
            Err(why) => json["why_not"] = json!(why),
            Ok(SourceFigures { case, variant, gpu_us: us, cells, checked }) => {
                let here: serde_json::Map<String, Value> = table
                    .here
                    .iter()
                    .zip(cells)
                    .map(|(column, cell)| (column.name.to_owned(), json!(cell.value)))
                    .collect();
                json["case"] = json!(case);
                json["variant"] = json!(variant);
                json["gpu_us"] =
                    json!({"median": us.median, "min": us.min, "p95": us.p95, "n": us.n, "interval": us.interval});
                json["here"] = here.into();
                json["checked"] = json!(checked);
            }
        }
        json
    });
    json!({
        "technique": id, "table": table.name, "title": table.title, "source": table.source, "machine": table.machine,
        "measures": table.measures, "rows": rows.collect::<Vec<_>>(),
    })
}
