//! Tests of recordings, and of results when a disk is full.

use super::program::{Folder, headless, saved, words};
use meniscus::base::picture::Picture;
use std::ffi::OsString;
use std::fs::{self, File};
use std::path::Path;
use std::process::Command;

/// The frames as a player shows them, by the rules of the format alone: each is blended over the one before.
fn frames_of(file: &Path) -> Vec<Picture> {
    let bytes = fs::File::open(file).unwrap();
    let mut reader = png::Decoder::new(std::io::BufReader::new(bytes)).read_info().unwrap();
    let size = [reader.info().width, reader.info().height];
    let count = reader.info().animation_control().expect("an animation").num_frames;
    let mut canvas = Picture::from_fn(size, |_, _| [0; 4]);
    let frame = |_| {
        let mut buffer = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut buffer).unwrap();
        let control = *reader.info().frame_control().unwrap();
        assert_eq!((control.delay_num, control.delay_den), (40, 1000));
        for at in 0..control.width * control.height {
            let (x, y) = (control.x_offset + at % control.width, control.y_offset + at / control.width);
            let (from, to) = ((at * 4) as usize, ((y * size[0] + x) * 4) as usize);
            if buffer[from + 3] != 0 {
                canvas.rgba[to..to + 4].copy_from_slice(&buffer[from..from + 4]);
            }
        }
        canvas.clone()
    };
    (0..count).map(frame).collect()
}

fn options(more: &[(&str, &Path)], line: &str) -> Vec<OsString> {
    let mut all = words(&format!("--size 96x64 --set scene.source=picture --set glass.half_width=20 {line}"));
    all.extend(more.iter().flat_map(|(option, file)| [OsString::from(option), file.as_os_str().to_owned()]));
    all
}

#[test]
fn a_recording_holds_every_frame() {
    let folder = Folder::new("recording");
    let [moves, still, last, path] = ["a.png", "still.png", "last.png", "path.toml"].map(|name| folder.path(name));
    saved(&options(&[("--record", &moves), ("--png", &last)], "--frames 4 --path drag"));
    saved(&options(&[("--png", &still)], ""));
    let frames = frames_of(&moves);
    assert_eq!(frames.len(), 4);
    let (still, last) = (Picture::load(&still).unwrap(), Picture::load(&last).unwrap());
    assert!(frames[0] == still, "it begins where the lens is");
    assert!(frames[3] == last && frames[3] != frames[1] && frames[1] != frames[0], "and ends in the last frame");

    fs::write(&path, "[[key]]\nat = 0.0\nlens = [0.2, 0.5]\n[[key]]\nat = 0.75\nlens = [0.8, 0.5]\n").unwrap();
    saved(&options(&[("--record", &moves), ("--path", &path)], "--frames 4"));
    let frames = frames_of(&moves);
    let at = |part: f32| {
        let file = folder.path("there.png");
        saved(&options(&[("--png", &file)], &format!("--lens {},32", part * 96.0)));
        Picture::load(&file).unwrap()
    };
    assert!(frames[0] == at(0.2) && frames[3] == at(0.8));
    fs::write(&path, "[[key]]\nat = 7\n").unwrap();
    let (code, said) = headless(&options(&[("--path", &path)], ""));
    assert!(code == Some(2) && said.contains("path.toml") && said.contains("expected [[key]]"), "{code:?} {said}");
}

/// Linux has a disk that is always full.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_for_the_table_does_not_cost_the_json() {
    let folder = Folder::new("full");
    let json = folder.path("a.json");
    let output = Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/lib/under"))
        .arg(env!("CARGO_BIN_EXE_meniscus"))
        .arg("headless")
        .args(options(&[("--json", &json)], ""))
        .stdout(File::options().write(true).open("/dev/full").unwrap())
        .env_remove("RUST_LOG")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(1) && said.contains("standard output"), "{said}");
    let json: serde_json::Value = serde_json::from_slice(&fs::read(&json).unwrap()).unwrap();
    assert_eq!(json["frames"], 1);
}
