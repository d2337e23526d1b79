//! Tests of traces: written and read again, and files that are none.

use super::*;
use crate::app::trace_reader::parse;
use crate::base::timing::{PictureStep, QueueWait};
use crate::base::trace::Trace;

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

fn of(frames: &[FrameTiming]) -> Trace {
    let facts = TraceFacts { device: "GPU".into(), size: [64, 32], settings: "[glass]\n".into(), ..Default::default() };
    Trace { facts, frames: frames.to_vec() }
}

fn json_of(Trace { facts, frames }: &Trace) -> Result<Value> {
    trace(facts, frames)
}

fn starts(trace: &Value, name: &str, track: u32) -> Vec<f64> {
    let events = trace["traceEvents"].as_array().unwrap().iter();
    let wanted = |event: &&Value| event["name"] == name && event["tid"] == track && event["ph"] == "X";
    events.filter(wanted).map(|event| event["ts"].as_f64().unwrap()).collect()
}

#[test]
fn frames_are_in_sequence_and_contain_their_passes() {
    let both = json_of(&of(&[frame(0), frame(1)])).unwrap();
    assert_eq!(starts(&both, "glass/lens", GRAPHICS), [10.0, 110.0]);
    assert_eq!(starts(&both, "glass/lens", CPU), [2.0, 102.0]);
    let ui = (starts(&both, "ui", GRAPHICS).len(), starts(&both, "ui", CPU).len());
    assert_eq!(ui, (0, 2), "what has no GPU time is on the CPU's track only");
    assert_eq!(starts(&both, "frame 1", GRAPHICS), [100.0]);
    let late = json_of(&of(&[FrameTiming { gpu_after_us: Some(30.0), ..frame(0) }, frame(1)])).unwrap();
    assert_eq!(starts(&late, "glass/lens", GRAPHICS), [40.0, 140.0]);
    assert_eq!(starts(&late, "glass/lens", CPU), [2.0, 132.0]);
}

fn odd_frames() -> Vec<FrameTiming> {
    let mut dice = 7u64;
    let mut number = || {
        dice ^= dice << 13;
        dice ^= dice >> 7;
        dice ^= dice << 17;
        (dice >> 11) as f64 / (1u64 << 43) as f64
    };
    let names = ["glass/lens", "meshlets/\"ids\" \\ 1", "Bücher/ä", "ui"];
    let mut frames = Vec::new();
    for count in 0..20_u64 {
        let pass = |index: usize, number: &mut dyn FnMut() -> f64| PassTiming {
            name: names[index].into(),
            gpu_us: (index != 3).then(&mut *number),
            gpu_start_us: (index != 3).then(&mut *number),
            cpu_us: number(),
            cpu_start_us: number() * 1e-9,
            submitted_us: number(),
            on_compute_queue: index == 1,
            is_shared: false,
            of_view: index == 2,
        };
        frames.push(FrameTiming {
            frame: count,
            gpu_us: (count != 3).then(&mut number),
            cpu_us: number(),
            begun_us: count as f64 * 1e6 + number(),
            gpu_after_us: (count % 3 != 0).then(&mut number),
            clocks_apart: count % 2 == 0,
            compiles: count == 0,
            waits: vec![
                QueueWait { pass: 0, after: None, resource: "a \"list\"".into() },
                QueueWait { pass: 2, after: Some(1), resource: "ids".into() },
            ],
            window_pass: (count > 1).then_some(3),
            picture: [None, Some(PictureStep::Whole), Some(PictureStep::Last)][count as usize % 3],
            passes: (0..if count == 5 { 0 } else { 4 }).map(|index| pass(index, &mut number)).collect(),
        });
    }
    (frames[5].waits, frames[5].window_pass) = (Vec::new(), None);
    frames
}

#[test]
fn a_trace_is_read_as_it_was_written() {
    let facts = TraceFacts {
        device: "A \"GPU\"".into(),
        driver: "1.2".into(),
        api: "1.3".into(),
        is_one_queue: true,
        size: [1280, 720],
        settings: presets::text(&Settings::default(), None).unwrap(),
        version: "0.1".into(),
        untimed: None,
    };
    let written = Trace { facts, frames: odd_frames() };
    let text = format!("{}\n", json_of(&written).unwrap());
    assert_eq!(parse(text.as_bytes()).unwrap(), written);
    let pretty = format!("{:#}", json_of(&written).unwrap());
    assert_eq!(parse(pretty.as_bytes()).unwrap(), written);
}

/// A phase, a process, a track, and numbers for times; arrows have both ends.
#[test]
fn events_have_what_the_viewers_require() {
    let trace = json_of(&of(&odd_frames())).unwrap();
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
    assert_eq!(ends, [19, 19], "one of each frame with passes: that of an earlier frame has no start");
}

#[test]
fn broken_and_foreign_files_are_refused_with_a_reason() {
    let text = json_of(&of(&[frame(0), frame(1)])).unwrap().to_string();
    let changed = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        text.replace(from, to)
    };
    for (bytes, said) in [
        (String::new(), "cut off"),
        ("[]".into(), "no trace"),
        ("{}".into(), "no trace"),
        ("hello".into(), "no JSON"),
        ("\u{1}\u{2}".into(), "no JSON"),
        (r#"{"traceEvents": []}"#.into(), "another program"),
        (r#"{"traceEvents": [{"ph": "B", "name": 3}], "otherData": {"version": "x"}}"#.into(), "another program"),
        (changed("\"format\":1", "\"format\":2"), "format is 2"),
        (changed("\"settings\":\"[glass]\\n\"", "\"settings\":\"[[\""), "no preset"),
        (changed("\"size\":[64,32]", "\"size\":[64,-32]"), "device and settings"),
        (changed("\"cat\":\"frame\"", "\"cat\":\"other\""), "before the first frame"),
        (changed("\"cpu_us\":5.0", "\"cpu_us\":-5.0"), "microseconds"),
        (changed("\"cpu_us\":5.0", "\"cpu_us\":1e300"), "microseconds"),
        (changed("\"cpu_us\":5.0", "\"cpu_us\":1e999"), "out of range"),
        (changed("\"cpu_us\":5.0", "\"cpu_us\":\"5\""), "glass/lens"),
        (changed("\"window_pass\":null", "\"window_pass\":2"), "names pass 2 of 2"),
        (changed("\"waits\":[]", r#""waits":[{"pass":0,"after":9,"resource":"x"}]"#), "names pass 9 of 2"),
        (changed("\"name\":\"glass/lens\"", "\"name\":\"\""), "name of 0 characters"),
        (
            changed("\"begun_us\":100.0", "\"begun_us\":0.0").replacen("\"begun_us\":0.0", "\"begun_us\":7.0", 1),
            "order",
        ),
    ] {
        let problem = format!("{:#}", parse(bytes.as_bytes()).expect_err(said));
        assert!(problem.contains(said), "{problem}; expected {said}");
    }
}

/// Every prefix and 4000 changed bytes: an error or other numbers, but no panic.
#[test]
fn damaged_files_cause_no_panic() {
    let text = json_of(&of(&odd_frames()[..2])).unwrap().to_string().into_bytes();
    for length in 0..text.len() {
        assert!(parse(&text[..length]).is_err(), "{length} of {} bytes", text.len());
    }
    let mut dice = 1u64;
    let mut refused = 0;
    for _ in 0..4000 {
        dice ^= dice << 13;
        dice ^= dice >> 7;
        dice ^= dice << 17;
        let mut damaged = text.clone();
        let place = (dice >> 8) as usize % damaged.len();
        damaged[place] = dice as u8;
        refused += u32::from(parse(&damaged).is_err());
    }
    assert!(refused > 1000, "{refused}");
    let deep = "[".repeat(100_000);
    assert!(parse(deep.as_bytes()).is_err());
}
