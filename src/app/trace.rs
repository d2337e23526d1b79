//! Chrome trace of the passes, for `chrome://tracing` and Perfetto.

use crate::base::timing::{FrameTiming, PassTiming, technique_of};
use serde_json::{Value, json};

/// Track numbers.
const CPU: u32 = 1;
const GRAPHICS: u32 = 2;
const COMPUTE: u32 = 3;

/// The trace of these frames in sequence: a frame starts after both CPU and GPU have finished the one before. If the device has calibrated
/// timestamps, the GPU keeps its offset to the CPU; else both start together. Times are in microseconds.
pub fn trace(frames: &[FrameTiming]) -> Value {
    let mut events: Vec<Value> = [(CPU, "CPU: recording"), (GRAPHICS, "GPU: graphics"), (COMPUTE, "GPU: compute")]
        .map(|(track, name)| json!({"ph": "M", "pid": 1, "tid": track, "name": "thread_name", "args": {"name": name}}))
        .into();
    let mut start = 0.0;
    for frame in frames {
        let name = format!("frame {}", frame.frame);
        events.push(event(CPU, &name, start, frame.cpu_us, "frame"));
        let gpu_start = start + frame.gpu_after_us.unwrap_or(0.0);
        events.extend(frame.gpu_us.map(|us| event(GRAPHICS, &name, gpu_start, us, "frame")));
        for pass in &frame.passes {
            events.extend(pass_events(pass, start, gpu_start));
        }
        start = (start + frame.cpu_us).max(gpu_start + frame.gpu_us.unwrap_or(0.0));
    }
    json!({"displayTimeUnit": "ms", "traceEvents": events})
}

fn pass_events(pass: &PassTiming, frame_start: f64, gpu_start: f64) -> impl Iterator<Item = Value> + use<> {
    let category = technique_of(&pass.name);
    let track = if pass.on_compute_queue { COMPUTE } else { GRAPHICS };
    let gpu = pass.gpu_start_us.zip(pass.gpu_us);
    let cpu = event(CPU, &pass.name, frame_start + pass.cpu_start_us, pass.cpu_us, category);
    gpu.map(|(start, us)| event(track, &pass.name, gpu_start + start, us, category)).into_iter().chain([cpu])
}

fn event(track: u32, name: &str, start_us: f64, us: f64, category: &str) -> Value {
    json!({"ph": "X", "pid": 1, "tid": track, "name": name, "cat": category, "ts": start_us, "dur": us})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_in_sequence_and_contain_their_passes() {
        let pass = PassTiming {
            name: "glass/lens".into(),
            gpu_us: Some(40.0),
            gpu_start_us: Some(10.0),
            cpu_us: 5.0,
            cpu_start_us: 2.0,
            on_compute_queue: false,
        };
        let untimed = PassTiming { name: "ui".into(), gpu_us: None, gpu_start_us: None, ..pass.clone() };
        let frame = |frame| FrameTiming {
            frame,
            gpu_us: Some(100.0),
            cpu_us: 20.0,
            passes: vec![pass.clone(), untimed.clone()],
            ..Default::default()
        };
        let trace = trace(&[frame(0), frame(1)]);
        let events = trace["traceEvents"].as_array().unwrap();
        let of = |name: &str, track: u32| -> Vec<f64> {
            let wanted = |event: &&Value| event["name"] == name && event["tid"] == track && event["ph"] == "X";
            events.iter().filter(wanted).map(|event| event["ts"].as_f64().unwrap()).collect()
        };
        assert_eq!(of("glass/lens", GRAPHICS), [10.0, 110.0]);
        assert_eq!(of("glass/lens", CPU), [2.0, 102.0]);
        assert_eq!(
            (of("ui", GRAPHICS).len(), of("ui", CPU).len()),
            (0, 2),
            "what has no GPU time is on the CPU's track only"
        );
        assert_eq!(of("frame 1", GRAPHICS), [100.0]);
        let late = super::trace(&[FrameTiming { gpu_after_us: Some(30.0), ..frame(0) }, frame(1)]);
        let starts = |name: &str, track: u32| -> Vec<f64> {
            let events = late["traceEvents"].as_array().unwrap().iter();
            let wanted = |event: &&Value| event["name"] == name && event["tid"] == track && event["ph"] == "X";
            events.filter(wanted).map(|event| event["ts"].as_f64().unwrap()).collect()
        };
        assert_eq!((starts("glass/lens", GRAPHICS), starts("glass/lens", CPU)), (vec![40.0, 140.0], vec![2.0, 132.0]));
    }
}
