//! Shaders command: registers, spills, shared memory and waves of every pipeline of a frame, as the driver tells.

mod limits;
mod program;
mod tour;

use super::cli::Common;
use super::failure::{Failure, OrFail as _};
use super::session::Session;
use super::text_table::Table;
use super::{FirstError, cli, crash_report, device, print, verify};
use crate::gpu::{DeviceInfo, Gpu, Options};
use limits::{Limits, Standing};
use program::Program;
use serde_json::{Value, json};

/// Prints a row for each program of each pipeline that frames use. On a family of GPUs with limits, the last line counts programs above
/// them.
///
/// # Errors
/// Exit code 1 if the driver tells nothing, if a program is above its limit, or if validation reported something.
pub fn run(common: &Common, technique: Option<&str>) -> Result<(), Failure> {
    let only = technique.map(|name| verify::chosen(Some(name))).transpose()?;
    let only = only.and_then(|infos| infos.first().map(|info| info.id));
    let session = Session::new(common, &cli::ViewOptions::default())?;
    // Pipelines from a cache have no statistics.
    let options = Options { statistics: true, cache: None, ..device::options(common)? };
    let gpu = Gpu::new(&options).map_err(anyhow::Error::from)?;
    let (facts, messages) = (gpu.info().clone(), gpu.messages());
    if common.validate && facts.null_family.is_some() {
        return Err(Failure::bad(format!(
            "--validate: {} executes nothing that could be validated; expected no --validate",
            facts.name
        )));
    }
    crash_report::note_device(&facts);
    let size = common.size.map_or(tour::SIZE_PX, |size| size.0.to_array());
    let left_out = tour::record(&gpu, &session, size).map_err(crash_report::of)?;
    let mut programs = Program::all(&gpu.pipeline_statistics(), facts.subgroup.min);
    programs.retain(|program| only.is_none_or(|id| program.is_of(id)));
    drop(gpu);
    let limits = Limits::of_device(&facts);
    let standings: Vec<Standing> =
        programs.iter().map(|program| limits.as_ref().map_or(Standing::Unknown, |one| one.standing(program))).collect();
    if let Some(file) = &common.json {
        let all = report(&facts, limits.as_ref(), &programs, &standings);
        super::write(file, format!("{all:#}\n").as_bytes()).or_bad("--json")?;
    }
    let mut said = FirstError::default();
    said.note(print(&format!("{} ({}), Vulkan {}\n", facts.name, facts.driver, facts.api)));
    left_out.iter().for_each(|line| said.note(print(&format!("left out: {line}\n"))));
    said.note(print(&table(&programs, &standings)));
    let over = standings.iter().filter(|standing| matches!(standing, Standing::Over(_))).count();
    said.note(print(&summary(&programs, &standings, limits.as_ref())));
    if over > 0 {
        return Err(Failure::failed(format!("{over} programs are above their limits")));
    }
    device::unspoken(&messages)?;
    said.end()
}

const HEADING: [&str; 13] = [
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
    "limit",
];

fn table(programs: &[Program], standings: &[Standing]) -> String {
    let mut table = Table::new(&HEADING);
    for (program, standing) in programs.iter().zip(standings) {
        table.row(program.cells().into_iter().chain([standing.cell()]));
    }
    table.text()
}

/// The last lines: how many there are, and how they stand.
fn summary(programs: &[Program], standings: &[Standing], limits: Option<&Limits>) -> String {
    let count = programs.len();
    let Some(limits) = limits else { return format!("{count} programs; no limits are known for this device\n") };
    let below = standings.iter().filter(|standing| **standing == Standing::BelowGoal).count();
    let over: Vec<_> = standings.iter().filter(|standing| matches!(standing, Standing::Over(_))).collect();
    let goal = format!("{} waves per SIMD and no spills", limits.waves());
    let family = limits.family();
    format!(
        "{count} programs on {family}: {} reach {goal}, {below} do not, {} are above their limits\n",
        count - below - over.len(),
        over.len()
    )
}

fn report(facts: &DeviceInfo, limits: Option<&Limits>, programs: &[Program], standings: &[Standing]) -> Value {
    let rows = programs.iter().zip(standings).map(|(program, standing)| {
        let mut row = program.json();
        row["limit"] = standing.json();
        row
    });
    json!({
        "device": device::json(facts),
        "goal": limits.map(|limits| json!({"family": limits.family(), "waves": limits.waves(), "spills": 0})),
        "rows": rows.collect::<Vec<_>>(),
    })
}
