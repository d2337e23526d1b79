//! Shaders command: registers, spills, shared memory and waves of every pipeline of a frame, as the driver tells.

mod program;
mod tour;

use super::cli::Common;
use super::failure::{Failure, OrFail as _};
use super::session::Session;
use super::text_table::Table;
use super::{FirstError, cli, crash_report, device, print, verify};
use gpu::{Gpu, Options};
use program::Program;
use serde_json::{Value, json};

pub fn run(common: &Common, technique: Option<&str>) -> Result<(), Failure> {
    let only = technique.map(|name| verify::chosen(Some(name))).transpose()?;
    let only = only.and_then(|infos| infos.first().map(|info| info.id));
    let session = Session::new(common, &cli::ViewOptions::default())?;
    // Pipelines from a cache have no statistics.
    let options = Options { statistics: true, cache: None, ..device::options(common)? };
    let gpu = Gpu::new(&options).map_err(anyhow::Error::from)?;
    let (facts, messages) = (gpu.info().clone(), gpu.messages());
    crash_report::note_device(&facts);
    let size = common.size.map_or(tour::SIZE_PX, |size| size.0.to_array());
    let left_out = tour::record(&gpu, &session, size).map_err(crash_report::of)?;
    let mut programs = Program::all(&gpu.pipeline_statistics(), facts.subgroup.min);
    programs.retain(|program| only.is_none_or(|id| program.is_of(id)));
    drop(gpu);
    if let Some(file) = &common.json {
        let rows: Vec<Value> = programs.iter().map(Program::json).collect();
        let all = json!({"device": device::json(&facts), "rows": rows});
        super::write(file, format!("{all:#}\n").as_bytes()).or_bad("--json")?;
    }
    let mut said = FirstError::default();
    said.note(print(&format!("{} ({}), Vulkan {}\n", facts.name, facts.driver, facts.api)));
    left_out.iter().for_each(|line| said.note(print(&format!("left out: {line}\n"))));
    let mut table = Table::new(&HEADING);
    programs.iter().for_each(|program| table.row(program.cells()));
    said.note(print(&format!("{}{} programs\n", table.text(), programs.len())));
    device::unspoken(&messages)?;
    said.end()
}

const HEADING: [&str; 12] = [
    "shader",
    "variant",
    "program",
    "lanes",
    "registers",
    "scalar",
    "spilled",
    "scalar spilled",
    "shared",
    "scratch",
    "waves",
    "code",
];
