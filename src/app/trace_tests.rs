//! Tests of traces: where their events are, and what viewers require.

use super::*;
use base::timing::{PictureStep, QueueWait};

fn lens() -> PassTiming {
    PassTiming {
        name: "glass/lens".into(),
        gpu_us: Some(40.0),
        gpu_start_us: Some(10.0),
        cpu_us: 5.0,
        cpu_start_us: 2.0,
        ..Default::default()
    }
}

fn frame(number: u64) -> FrameTiming {
    let untimed = PassTiming { name: "ui".into(), gpu_us: None, gpu_start_us: None, ..lens() };
    FrameTiming {
        frame: number,
        gpu_us: Some(100.0),
        cpu_us: 20.0,
        begun_us: number as f64 * 100.0,
        passes: vec![lens(), untimed],
        ..Default::default()
    }
}

fn json_of(frames: &[FrameTiming]) -> Value {
    trace(&TraceFacts::default(), frames).unwrap()
}

fn starts(trace: &Value, name: &str, track: u32) -> Vec<f64> {
    let events = trace["traceEvents"].as_array().unwrap().iter();
    let wanted = |event: &&Value| event["name"] == name && event["tid"] == track && event["ph"] == "X";
    events.filter(wanted).map(|event| event["ts"].as_f64().unwrap()).collect()
}

#[test]
fn frames_are_in_sequence_and_contain_their_passes() {
    let both = json_of(&[frame(0), frame(1)]);
    assert_eq!(starts(&both, "glass/lens", GRAPHICS), [10.0, 110.0]);
    assert_eq!(starts(&both, "glass/lens", CPU), [2.0, 102.0]);
    let ui = (starts(&both, "ui", GRAPHICS).len(), starts(&both, "ui", CPU).len());
    assert_eq!(ui, (0, 2), "what has no GPU time is on the CPU's track only");
    assert_eq!(starts(&both, "frame 1", GRAPHICS), [100.0]);
    let late = json_of(&[FrameTiming { gpu_after_us: Some(30.0), ..frame(0) }, frame(1)]);
    assert_eq!(starts(&late, "glass/lens", GRAPHICS), [40.0, 140.0]);
    assert_eq!(starts(&late, "glass/lens", CPU), [2.0, 132.0]);
}

/// A phase, a process, a track, and numbers for times; arrows have both ends.
#[test]
fn events_have_what_the_viewers_require() {
    let wait = |after| QueueWait { pass: 1, after, resource: "a \"list\"".into() };
    let pass = |name: &str| PassTiming { name: name.into(), of_view: true, ..lens() };
    let waits = FrameTiming {
        waits: vec![wait(None), wait(Some(0))],
        picture: Some(PictureStep::Whole),
        passes: vec![pass("meshlets/\"ids\" \\ 1"), pass("Bücher/ä")],
        ..frame(1)
    };
    let trace = json_of(&[frame(0), waits]);
    let events = trace["traceEvents"].as_array().unwrap();
    let mut ends = [0, 0];
    for event in events {
        assert!(event["pid"].is_u64() && event["tid"].is_u64() && event["name"].is_string(), "{event}");
        match event["ph"].as_str().unwrap() {
            "X" => assert!(event["ts"].is_f64() && event["dur"].is_f64(), "{event}"),
            "M" => assert!(event["args"]["name"].is_string()),
            end => {
                ends[usize::from(end == "f")] += 1;
                assert!(event["id"].is_u64() && event["ts"].is_f64() && (end == "s" || event["bp"] == "e"), "{event}");
            }
        }
    }
    assert_eq!(ends, [1, 1], "a wait for an earlier frame has no start");
}
