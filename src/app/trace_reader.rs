//! Reader of traces that this program wrote. A file is untrusted input: each number is checked.

use super::trace::{CPU, FORMAT, FRAME, OTHER};
use crate::base::file::read_bounded;
use crate::base::timing::{FrameTiming, PassTiming};
use crate::base::trace::{Trace, TraceFacts};
use anyhow::{Context as _, Result, anyhow, bail, ensure};
use serde::Deserialize;
use serde_json::Value;
use std::path::Path;

const BYTES_MOST: u64 = 96 << 20;
const US_MOST: f64 = 3.2e13;
const PASSES_MOST: usize = 1 << 14;
const NAME_MOST: usize = 200;

const EXPECTED: &str = "expected a file of `meniscus headless --trace`";

#[derive(Deserialize)]
struct FileText {
    #[serde(rename = "traceEvents")]
    events: Vec<Event>,
    #[serde(rename = "otherData")]
    other: Option<Value>,
}

#[derive(Deserialize)]
struct Event {
    #[serde(default)]
    ph: Value,
    #[serde(default)]
    tid: Value,
    #[serde(default)]
    name: Value,
    #[serde(default)]
    cat: Value,
    args: Option<Value>,
}

pub fn read(file: &Path) -> Result<Trace> {
    let bytes = read_bounded(file, BYTES_MOST, EXPECTED).with_context(|| file.display().to_string())?;
    parse(&bytes).with_context(|| file.display().to_string())
}

pub fn parse(bytes: &[u8]) -> Result<Trace> {
    let FileText { events, other } = serde_json::from_slice(bytes).map_err(|why| {
        let fault = match why.classify() {
            serde_json::error::Category::Eof => "the trace is cut off",
            serde_json::error::Category::Data => "it is no trace",
            _ => "it is no JSON",
        };
        anyhow!("{fault} ({why}); {EXPECTED}")
    })?;
    let other = other.ok_or_else(|| anyhow!("it has no {OTHER}, so another program wrote it; {EXPECTED}"))?;
    match other.get("format").and_then(Value::as_u64) {
        Some(FORMAT) => {}
        Some(format) => bail!("its format is {format}, this version reads {FORMAT}"),
        None => bail!("another program wrote it; {EXPECTED}"),
    }
    let facts: TraceFacts = serde_json::from_value(other).context("the run's device and settings")?;
    facts.settings.parse::<toml::Table>().map_err(|why| anyhow!("its settings are no preset: {}", why.message()))?;
    let mut frames: Vec<FrameTiming> = Vec::new();
    for event in events.into_iter().filter(|event| event.ph == "X" && event.tid == CPU) {
        let name = event.name.as_str().unwrap_or_default().to_owned();
        let args = event.args.ok_or_else(|| anyhow!("\"{name}\" has no args; {EXPECTED}"))?;
        if event.cat == FRAME {
            frames.push(serde_json::from_value(args).with_context(|| name.clone())?);
            continue;
        }
        let frame = frames.last_mut().ok_or_else(|| anyhow!("\"{name}\" is before the first frame"))?;
        let pass: PassTiming = serde_json::from_value(args).with_context(|| name.clone())?;
        frame.passes.push(PassTiming { name, ..pass });
    }
    ensure!(!frames.is_empty(), "it has no frames");
    for frame in &frames {
        check(frame).map_err(|why| anyhow!("frame {}: {why}", frame.frame))?;
    }
    ensure!(frames.is_sorted_by(|a, b| a.begun_us <= b.begun_us), "its frames are not in the order of time");
    Ok(Trace { facts, frames })
}

fn check(frame: &FrameTiming) -> Result<(), String> {
    let is_time = |us: &f64| (0.0..=US_MOST).contains(us);
    let FrameTiming { gpu_us, cpu_us, begun_us, gpu_after_us, passes, waits, window_pass, .. } = frame;
    let times = [Some(*cpu_us), Some(*begun_us), *gpu_us, *gpu_after_us];
    if !times.iter().flatten().all(is_time) {
        return Err("a time is no number of microseconds".into());
    }
    if passes.len() > PASSES_MOST {
        return Err(format!("it has {} passes; expected at most {PASSES_MOST}", passes.len()));
    }
    for pass in passes {
        let PassTiming { name, gpu_us, gpu_start_us, cpu_us, cpu_start_us, submitted_us, .. } = pass;
        if name.is_empty() || name.chars().count() > NAME_MOST {
            return Err(format!("a pass has a name of {} characters; expected 1 to {NAME_MOST}", name.chars().count()));
        }
        let times = [Some(*cpu_us), Some(*cpu_start_us), Some(*submitted_us), *gpu_us, *gpu_start_us];
        if !times.iter().flatten().all(is_time) {
            return Err(format!("{name}: a time is no number of microseconds"));
        }
    }
    let indices = waits.iter().flat_map(|wait| [Some(wait.pass), wait.after]).chain([*window_pass]);
    match indices.flatten().find(|index| *index >= passes.len()) {
        Some(index) => Err(format!("it names pass {index} of {}", passes.len())),
        None => Ok(()),
    }
}
