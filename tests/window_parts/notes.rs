//! Tests of notes on opened files: a message in the window, and a line in the log.

use super::desktop::{Desktop, above_strip, changed};
use super::{Demo, SIZE, desktop};
use media::picture::Picture;
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Area of the messages: left of the panels, above the lens. Left, top, right, bottom.
const PLACE: [i32; 4] = [12, 4, SIZE[0] as i32 - 340, 160];

fn triangle(node: &str) -> String {
    let numbers = "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA";
    format!(
        r#"{{"asset": {{"version": "2.0"}}, "nodes": [{{"mesh": 0{node}}}],
        "meshes": [{{"primitives": [{{"attributes": {{"POSITION": 0}}}}]}}],
        "accessors": [{{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}}],
        "bufferViews": [{{"buffer": 0, "byteLength": 36}}],
        "buffers": [{{"byteLength": 36, "uri": "data:;base64,{numbers}"}}]}}"#
    )
}

/// The screen left of the panels, whose figures change, and above the strip of scenes, whose pictures come one by one.
fn left_of_panels(desktop: &Desktop) -> Picture {
    let all = above_strip(&desktop.picture());
    Picture::from_fn([PLACE[2] as u32, all.size[1]], |x, y| all.pixel(x, y))
}

/// What the screen shows left of the panels until nothing has changed for longer than a message stays, without repetitions.
fn shown(desktop: &Desktop) -> Vec<Picture> {
    let (mut all, mut since) = (vec![left_of_panels(desktop)], Instant::now());
    while since.elapsed() < Duration::from_secs(16) && all.len() < 600 {
        std::thread::sleep(Duration::from_millis(100));
        let now = left_of_panels(desktop);
        if all.last() != Some(&now) {
            all.push(now);
            since = Instant::now();
        }
    }
    all
}

/// Heights of what was shown in the area of the messages beside the last picture, and nowhere else.
fn messages(shown: &[Picture]) -> Vec<i32> {
    let Some(last) = shown.last() else { return Vec::new() };
    let [left, top, right, bottom] = PLACE;
    let boxes = shown.iter().filter_map(|picture| changed(picture, last));
    boxes.filter(|b| b[0] >= left && b[1] >= top && b[2] < right && b[3] < bottom).map(|b| b[3] - b[1] + 1).collect()
}

#[test]
fn unsupported_parts_of_a_file_are_reported_in_the_window_and_in_the_log() {
    let Some(desktop) = desktop() else { return };
    let empty = desktop.picture();
    let file = |name: &str, text: String| -> PathBuf {
        let file = desktop.home.join(name);
        fs::write(&file, text).expect("a file of our own");
        file
    };
    let extensions: Vec<String> = (10..60).map(|k| format!(r#""EXT_of_the_future_{k}": {{}}"#)).collect();
    let loud = file("loud.gltf", triangle(&format!(r#", "extensions": {{{}}}"#, extensions.join(", "))));
    let still = file("still.gltf", triangle(""));
    // The world is complete after one frame.
    let quick = "--set glass.adaptive=0 --set scene.antialias=off --set reflections.trace=off --set scene.adapt=false";
    let options = |file: &PathBuf| format!("{quick} --scene {}", file.display());

    let demo = Demo::start(&desktop, &options(&loud));
    desktop.differs(&empty, "the window shows something");
    let heights = messages(&shown(&desktop));
    let is_message = |height: &i32| (20..100).contains(height);
    assert!(heights.iter().any(is_message), "a message of three lines at most, and goes: {heights:?}");
    let (code, said) = demo.quit(&desktop);
    assert_eq!((code, said.lines().count()), (Some(0), 1), "{said}");
    let start = format!("meniscus: warning: {}: not drawn: EXT_of_the_future_10 (1 node), ", loud.display());
    assert!(said.starts_with(&start) && said.trim_end().ends_with("EXT_of_the_future_59 (1 node)"), "{said}");

    // A completely supported file has no notes.
    let demo = Demo::start(&desktop, &options(&still));
    desktop.differs(&empty, "the window shows something");
    assert_eq!(messages(&shown(&desktop)), Vec::<i32>::new());
    assert_eq!(demo.quit(&desktop), (Some(0), String::new()), "a clean exit, no message");
}
