//! Tests of recordings, and of results when a disk is full.

use super::program::{Folder, headless, saved, words};
use media::picture::Picture;
use media::png::{Animation, Effort};
use media::y4m::Header;
use std::ffi::OsString;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};

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

/// The frames of a raw video.
fn frames_of_video(bytes: &[u8]) -> Vec<Picture> {
    let mut from = std::io::Cursor::new(bytes);
    let header = Header::read(&mut from).unwrap();
    assert_eq!((header.size, header.rate), ([96, 64], Some([25, 1])));
    std::iter::from_fn(|| header.frame(&mut from).unwrap()).collect()
}

#[test]
fn a_video_holds_the_frames_of_the_animation() {
    let folder = Folder::new("video");
    let [animation, video] = ["a.png", "a.y4m"].map(|name| folder.path(name));
    let line = "--frames 3 --path drag";
    saved(&options(&[("--record", &animation)], line));
    saved(&options(&[("--record", &video)], line));
    let bytes = fs::read(&video).unwrap();
    let (pictures, frames) = (frames_of(&animation), frames_of_video(&bytes));
    assert_eq!((pictures.len(), frames.len()), (3, 3));
    for (picture, frame) in pictures.iter().zip(&frames) {
        let far = picture.rgba.iter().zip(&frame.rgba).map(|(a, b)| a.abs_diff(*b)).max();
        assert!(far <= Some(2), "{far:?}"); // as src/media/y4m.rs derives
    }
    let piped = program(&options(&[("--record", Path::new("-"))], line)).output().unwrap();
    assert!(piped.status.success() && piped.stdout == bytes, "the pipe has the bytes of the file, and nothing else");
}

/// The program with these arguments.
fn program(arguments: &[OsString]) -> Command {
    let mut command = Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/lib/under"));
    command.arg(env!("CARGO_BIN_EXE_meniscus")).arg("headless").args(arguments).env_remove("RUST_LOG");
    command
}

#[cfg(unix)]
#[test]
fn a_signal_leaves_the_frames_so_far_and_no_part_of_a_file() {
    let folder = Folder::new("signals");
    let video = folder.path("a.y4m");
    let files = || fs::read_dir(video.parent().unwrap()).unwrap().map(|entry| entry.unwrap().path());
    // Not INT and QUIT: a shell's background jobs ignore them.
    for signal in ["TERM", "USR1", "ALRM", "VTALRM"] {
        let arguments = options(&[("--record", &video)], "--frames 1000000 --path drag");
        let mut running = program(&arguments).stdout(Stdio::null()).spawn().unwrap();
        let has_frames = || files().any(|file| fs::metadata(file).is_ok_and(|part| part.len() > 100_000));
        while !has_frames() {
            assert!(running.try_wait().unwrap().is_none(), "it ended by itself");
            std::thread::yield_now();
        }
        // Twice, as `timeout` does: to its child, and to the group of both.
        for _ in 0..2 {
            let kill = Command::new("kill").args([format!("-{signal}"), running.id().to_string()]).status();
            assert!(kill.unwrap().success());
        }
        let code = running.wait().unwrap().code();
        assert!(code > Some(128), "{signal}: {code:?}");
        assert!(files().eq([video.clone()]), "{signal}: {:?}", files().collect::<Vec<_>>());
        assert!(frames_of_video(&fs::read(&video).unwrap()).len() > 4, "{signal}");
        fs::remove_file(&video).unwrap();
    }
}

#[test]
fn standard_input_is_shown_as_a_file_is() {
    let folder = Folder::new("standard-input");
    let [clip, of_file, of_input] = ["clip.y4m", "file.png", "input.png"].map(|name| folder.path(name));
    saved(&options(&[("--record", &clip)], "--frames 3 --path drag"));
    saved(&options(&[("--image", &clip), ("--png", &of_file)], "--frames 5"));
    let arguments = options(&[("--image", Path::new("-")), ("--png", &of_input)], "--frames 5");
    assert!(program(&arguments).stdin(File::open(&clip).unwrap()).stdout(Stdio::null()).status().unwrap().success());
    assert!(Picture::load(&of_input).unwrap() == Picture::load(&of_file).unwrap());
}

/// Away from the lens and its shadow each frame of a recording is the frame of the moving picture that is due, bit for bit: also at another speed, and where the
/// frames are uploaded out of order.
#[test]
fn a_moving_picture_is_shown_bit_for_bit() {
    let folder = Folder::new("moving");
    let [clip, shown] = ["clip.png", "shown.png"].map(|name| folder.path(name));
    let mut state = 1_u32;
    let mut noise = |_, _| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        [(state >> 24) as u8, (state >> 16) as u8, (state >> 8) as u8, 255]
    };
    let pictures: Vec<Picture> = (0..5).map(|_| Picture::from_fn([96, 64], &mut noise)).collect();
    let mut animation = Animation::new([96, 64], 5, [40, 1000], Effort::Most).unwrap();
    pictures.iter().for_each(|picture| animation.frame(picture.clone()).unwrap());
    fs::write(&clip, animation.end().unwrap()).unwrap();
    // 25 frames a second; the clip goes round. Steps of 2.5 frames are two and three of five in turns.
    for (line, due) in [
        ("--frames 7", &[0, 1, 2, 3, 4, 0, 1][..]),
        ("--frames 5 --set scene.speed=0.5", &[0, 0, 1, 1, 2]),
        ("--frames 5 --set scene.speed=2.5", &[0, 2, 0, 2, 0]),
    ] {
        let line = format!("--validate --lens 84,54 --set glass.half_height=8 --set glass.half_width=8 {line}");
        saved(&options(&[("--image", &clip), ("--record", &shown)], &line));
        let frames = frames_of(&shown);
        assert_eq!(frames.len(), due.len());
        for (at, (frame, due)) in frames.iter().zip(due).enumerate() {
            let rows = |picture: &Picture| -> Vec<u8> {
                picture.rgba.chunks_exact(4 * 96).take(16).flat_map(|row| row[..4 * 32].to_vec()).collect()
            };
            assert!(rows(frame) == rows(&pictures[*due]), "{line}: frame {at} is not frame {due} of the clip");
        }
    }
}

/// Linux has a disk that is always full.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_ends_a_video_with_one_line() {
    let folder = Folder::new("full-video");
    let link = folder.path("a.y4m");
    std::os::unix::fs::symlink("/dev/full", &link).unwrap();
    let (code, said) = headless(&options(&[("--record", &link)], "--frames 2"));
    assert!(
        code.is_some_and(|code| code != 0) && said.contains("a.y4m") && said.contains("No space left"),
        "{code:?} {said}"
    );
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
