//! Chrome trace of the passes, for `chrome://tracing` and Perfetto.

use super::presets;
use anyhow::Result;
use base::timing::{FrameTiming, PassTiming, technique_of};
use base::trace::TraceFacts;
use gpu::{DeviceInfo, Feature};
use serde_json::{Map, Value, json};
use techniques::Settings;

const CPU: u32 = 1;
const GRAPHICS: u32 = 2;
const COMPUTE: u32 = 3;
const FRAME: &str = "frame";
/// Metadata that Chrome and Perfetto keep and ignore.
const OTHER: &str = "otherData";
/// Version of the arguments of events, which have all numbers as measured.
const FORMAT: u64 = 1;

pub fn facts(info: &DeviceInfo, untimed: Option<&str>, size: [u32; 2], settings: &Settings) -> Result<TraceFacts> {
    Ok(TraceFacts {
        device: info.name.clone(),
        driver: info.driver.clone(),
        api: info.api.clone(),
        is_one_queue: !info.features.contains(&Feature::AsyncCompute),
        size,
        settings: presets::text(settings, None)?,
        version: env!("CARGO_PKG_VERSION").into(),
        untimed: untimed.map(str::to_owned),
    })
}

/// Frames in sequence: each starts after CPU and GPU have finished the one before. With calibrated timestamps the GPU
/// keeps its offset to the CPU; else both start together. Microseconds.
pub fn trace(facts: &TraceFacts, frames: &[FrameTiming]) -> Result<Value> {
    let mut events: Vec<Value> = [(CPU, "CPU: recording"), (GRAPHICS, "GPU: graphics"), (COMPUTE, "GPU: compute")]
        .map(|(track, name)| json!({"ph": "M", "pid": 1, "tid": track, "name": "thread_name", "args": {"name": name}}))
        .into();
    let (mut start, mut arrows) = (0.0, 0);
    for frame in frames {
        let name = format!("frame {}", frame.frame);
        let args = serde_json::to_value(frame)?;
        events.push(event(CPU, (&name, FRAME), [start, frame.cpu_us], Some(args)));
        let gpu_start = start + frame.gpu_after_us.unwrap_or(0.0);
        events.extend(frame.gpu_us.map(|us| event(GRAPHICS, (&name, FRAME), [gpu_start, us], None)));
        for pass in &frame.passes {
            let name = (pass.name.as_str(), technique_of(&pass.name));
            let gpu = pass.gpu_start_us.zip(pass.gpu_us);
            events.extend(gpu.map(|(from, us)| event(track(pass), name, [gpu_start + from, us], None)));
            let args = serde_json::to_value(pass)?;
            events.push(event(CPU, name, [start + pass.cpu_start_us, pass.cpu_us], Some(args)));
        }
        events.extend(waits(frame, gpu_start, &mut arrows));
        start += frame.length_us();
    }
    let mut other = serde_json::to_value(facts)?;
    other["format"] = FORMAT.into();
    Ok(json!({"displayTimeUnit": "ms", OTHER: other, "traceEvents": events}))
}

fn track(pass: &PassTiming) -> u32 {
    if pass.on_compute_queue { COMPUTE } else { GRAPHICS }
}

fn waits(frame: &FrameTiming, gpu_start: f64, arrows: &mut u64) -> Vec<Value> {
    let mut events = Vec::new();
    for wait in &frame.waits {
        let ends = wait.after.and_then(|after| frame.passes.get(after)).zip(frame.passes.get(wait.pass));
        let times = ends.and_then(|(from, to)| from.gpu_start_us.zip(to.gpu_start_us));
        let (Some((from, to)), Some((from_us, to_us))) = (ends, times) else { continue };
        *arrows += 1;
        for (ph, pass, us) in [("s", from, from_us), ("f", to, to_us)] {
            let track = track(pass);
            let mut arrow = json!({"ph": ph, "pid": 1, "tid": track, "id": *arrows, "cat": "wait"});
            (arrow["name"], arrow["ts"]) = (wait.resource.as_str().into(), (gpu_start + us).into());
            if ph == "f" {
                arrow["bp"] = "e".into();
            }
            events.push(arrow);
        }
    }
    events
}

fn event(track: u32, (name, category): (&str, &str), [start_us, us]: [f64; 2], args: Option<Value>) -> Value {
    let mut event = Map::new();
    for (key, value) in [("ph", "X".into()), ("pid", 1.into()), ("tid", track.into()), ("name", name.into())] {
        event.insert(key.into(), value);
    }
    event.insert("cat".into(), category.into());
    event.insert("ts".into(), start_us.into());
    event.insert("dur".into(), us.into());
    event.extend(args.map(|args| ("args".to_owned(), args)));
    Value::Object(event)
}

#[cfg(test)]
#[path = "trace_tests.rs"]
mod tests;
