//! Tests of notes on opened files: a message in the window, and a line in the log.

use super::{Demo, SIZE, desktop, within};
use meniscus::base::picture::Picture;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

/// Area of the messages: left of the panels, above the lens. Left, top, right, bottom.
const PLACE: [u32; 4] = [12, 4, SIZE[0] - 340, 160];

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

/// Rows in which two pictures differ there: the first, and the one after the last.
fn rows(a: &Picture, b: &Picture) -> Option<[u32; 2]> {
    let [left, top, right, bottom] = PLACE;
    let differs = |y: &u32| (left..right).any(|x| a.pixel(x, *y) != b.pixel(x, *y));
    Some([(top..bottom).find(differs)?, (top..bottom).rev().find(differs)? + 1])
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
    let options = |file: &PathBuf| format!("--set glass.adaptive=0 --scene {}", file.display());

    let demo = Demo::start(&desktop, &options(&loud));
    desktop.after(&empty, "the window shows something");
    // The world replaces the flat picture meanwhile.
    std::thread::sleep(Duration::from_secs(3));
    let with = desktop.still();
    let gone = within(Duration::from_secs(60), || rows(&with, &desktop.picture()));
    let [top, bottom] = gone.expect("a message is there, and goes");
    assert!((20..100).contains(&(bottom - top)), "three lines at most: rows {top} to {bottom}");
    let (code, said) = demo.quit(&desktop);
    assert_eq!((code, said.lines().count()), (Some(0), 1), "{said}");
    let start = format!("meniscus: warning: {}: not drawn: EXT_of_the_future_10 (1 node), ", loud.display());
    assert!(said.starts_with(&start) && said.trim_end().ends_with("EXT_of_the_future_59 (1 node)"), "{said}");

    // A completely supported file has no notes.
    let demo = Demo::start(&desktop, &options(&still));
    desktop.after(&empty, "the window shows something");
    std::thread::sleep(Duration::from_secs(3));
    let with = desktop.still();
    std::thread::sleep(Duration::from_secs(14));
    assert_eq!(rows(&with, &desktop.picture()), None);
    assert_eq!(demo.quit(&desktop), (Some(0), String::new()), "a clean exit, no message");
}
