//! Tests of clips.

use super::fixtures::{frame, open, video};
use super::*;
use crate::picture::tests as encoders;
use crate::png::{Animation, Effort};
use crate::y4m::Header;
use base::fixtures::Folder;
use std::io::Cursor;

fn apng(size: [u32; 2], count: usize) -> Vec<u8> {
    let mut animation = Animation::new(size, count as u32, [40, 1000], Effort::Most).unwrap();
    (0..count).for_each(|index| animation.frame(frame(size, index)).unwrap());
    animation.end().unwrap()
}

fn frames(size: [u32; 2], count: usize) -> Vec<Picture> {
    (0..count).map(|index| frame(size, index)).collect()
}

fn gif(size: [u32; 2], delays_ms: &[u32]) -> Vec<u8> {
    encoders::gif(&frames(size, delays_ms.len()), delays_ms)
}

fn webp(size: [u32; 2], delays_ms: &[u32]) -> Vec<u8> {
    encoders::animated_webp(&frames(size, delays_ms.len()), delays_ms, None)
}

fn assert_frames(clip: &Clip, order: &[usize], most: u8) {
    let mut reader = ClipReader::default();
    for index in order {
        let (found, wanted) = (clip.read(&mut reader, *index).unwrap(), frame(clip.size(), *index));
        let far = found.rgba.iter().zip(&wanted.rgba).map(|(a, b)| a.abs_diff(*b)).max();
        assert!(found.size == wanted.size && far <= Some(most), "{clip:?}: frame {index} differs by {far:?}");
    }
}

#[test]
fn every_format_gives_its_frames_and_their_times() {
    let (folder, size) = (Folder::new("clip-formats"), [22, 13]);
    let (delays, ends) = ([40, 0, 120, 70], [0.04, 0.14, 0.26, 0.33]);
    let constant = [0.04, 0.08, 0.12, 0.16];
    std::fs::create_dir(folder.0.join("frames")).unwrap();
    for index in 0..4 {
        frame(size, index).save_png(&folder.0.join(format!("frames/a{}.png", 8 + index))).unwrap();
    }
    for (file, ends, most) in [
        (folder.write("a.gif", gif(size, &delays)), ends, 0),
        (folder.write("a.webp", webp(size, &delays)), ends, 0),
        (folder.write("a.png", apng(size, 4)), constant, 0),
        (folder.write("video", video(size, 4)), constant, 2),
        (folder.0.join("frames"), constant, 0),
        (folder.0.join("frames/a%d.png"), constant, 0),
    ] {
        let (clip, notes) = open(&file).unwrap().unwrap();
        assert!(notes.is_empty() && clip.count() == 4 && clip.size() == size, "{file:?}: {notes:?}");
        for (index, end) in ends.iter().enumerate() {
            assert!((clip.begin_s(index + 1) - end).abs() < 1e-9, "{file:?}: {index}");
            assert_eq!([clip.frame_at(end - 1e-3), clip.frame_at(*end)], [index, (index + 1) % 4], "{file:?}");
        }
        assert_frames(&clip, &[0, 1, 3, 2, 2, 0, 3], most);
        assert!(clip.take_news().is_none());
    }
    for still in [gif(size, &[40]), webp(size, &[40]), frame(size, 0).encode_png().unwrap()] {
        assert!(open(&folder.write("still", still)).unwrap().is_none());
    }
}

#[test]
fn a_time_has_the_frame_that_has_begun() {
    let folder = Folder::new("clip-times");
    let clip = |rate: &str, count: usize| {
        let planes = "FRAME\n\u{10}".repeat(count);
        open(&folder.write("a.y4m", format!("YUV4MPEG2 W1 H1 F{rate} Cmono\n{planes}"))).unwrap().unwrap().0
    };
    for (rate, [numerator, denominator], count) in
        [("25:1", [25, 1], 7), ("30000:1001", [30000, 1001], 5), ("60:1", [60, 1], 11), ("1:3", [1, 3], 2)]
    {
        let clip = clip(rate, count);
        for (tick, per_second) in (0..40_000_u64).flat_map(|tick| [25, 60, 1000].map(|rate| (tick, rate))) {
            let wanted = (tick * numerator / (denominator * per_second)) % count as u64;
            let found = clip.frame_at(tick as f64 / per_second as f64);
            assert_eq!(found as u64, wanted, "{rate} at {tick} of {per_second} a second");
        }
        assert!((clip.length_s() - count as f64 * denominator as f64 / numerator as f64).abs() < 1e-12);
        assert!((clip.until_next_s(clip.begin_s(1) * 0.75) - clip.begin_s(1) * 0.25).abs() < 1e-9);
    }
    let odd = clip("25:1", 3);
    assert_eq!([-0.01, f64::NAN, f64::INFINITY, 1e18].map(|at| odd.frame_at(at) < 3), [true; 4]);
    assert_eq!(odd.frame_at(-0.01), 2);
}

#[test]
fn colours_are_those_of_the_standards() {
    let mut state = 7_u32;
    let mut noise = |count: usize| -> Vec<u8> {
        let mut next = |_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        };
        (0..count).map(&mut next).collect()
    };
    for (size, name, [columns, rows]) in [
        ([6, 4], "C420jpeg", [2, 2]),
        ([7, 5], "C420mpeg2", [2, 2]),
        ([6, 4], "C422", [2, 1]),
        ([7, 3], "C444", [1, 1]),
        ([1280, 2], "C420", [2, 2]),
        ([5, 3], "Cmono", [0, 0]),
    ] {
        for is_full in [false, true] {
            let [width, height]: [usize; 2] = size;
            let count = if rows == 0 { 0 } else { width.div_ceil(columns) * height.div_ceil(rows) };
            let [luma, blues, reds] = [width * height, count, count].map(&mut noise);
            let range = if is_full { " XCOLORRANGE=FULL" } else { "" };
            let head = format!("YUV4MPEG2 W{width} H{height} F25:1 {name}{range}\nFRAME\n");
            let mut from = Cursor::new([head.as_bytes(), &luma, &blues, &reds].concat());
            let found = Header::read(&mut from).unwrap().frame(&mut from).unwrap().unwrap();
            let [black, gain, span] = if is_full { [0.0, 1.0, 1.0] } else { [16.0, 255.0 / 219.0, 255.0 / 224.0] };
            let [red, green_blue, green_red, blue] = if width >= 1280 {
                [1.5748, -0.187324, -0.468124, 1.8556]
            } else {
                [1.402, -0.344136, -0.714136, 1.772]
            };
            for (at, pixel) in found.rgba.as_chunks::<4>().0.iter().enumerate() {
                let at_colour = |plane: &[u8]| match rows {
                    0 => 0.0,
                    _ => f64::from(plane[at / width / rows * width.div_ceil(columns) + at % width / columns]) - 128.0,
                };
                let [u, v] = [at_colour(&blues), at_colour(&reds)].map(|value| value * span);
                let y = (f64::from(luma[at]) - black) * gain;
                let wanted = [y + red * v, y + green_blue * u + green_red * v, y + blue * u];
                for channel in 0..3 {
                    let far = (f64::from(pixel[channel]) - wanted[channel].clamp(0.0, 255.0)).abs();
                    assert!(far < 0.51, "{name} {size:?}: pixel {at}: {pixel:?}, expected {wanted:?}");
                }
            }
        }
    }
}

#[test]
fn gifs_without_an_end_or_a_screen_play_as_in_browsers() {
    let (folder, size) = (Folder::new("clip-loose-gifs"), [12, 9]);
    let whole = gif(size, &[40; 3]);
    let mut empty = whole.clone();
    empty[6..10].fill(0);
    for (name, bytes) in [("end", whole[..whole.len() - 1].to_vec()), ("screen", empty)] {
        let (clip, notes) = open(&folder.write(name, bytes)).unwrap().unwrap();
        assert_eq!((clip.count(), clip.size(), notes.line()), (3, size, String::new()), "{name}");
        let mut reader = ClipReader::default();
        (0..3)
            .for_each(|index| assert!(clip.read(&mut reader, index).unwrap() == frame(size, index), "{name} {index}"));
    }
    let mut still = gif(size, &[40]);
    still[6..10].fill(0);
    assert!(Picture::decode(&still).unwrap() == frame(size, 0));
}

#[test]
fn a_webp_plays_whatever_follows_its_frames() {
    const TURNED: &[u8] = b"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0";
    let (folder, size) = (Folder::new("clip-webp-chunks"), [22, 13]);
    for (kind, promise, bytes) in [
        (b"EXIF", 8, TURNED.to_vec()),
        (b"EXIF", 0, TURNED.to_vec()),
        (b"EXIF", 8, [b"Exif\0\0", TURNED].concat()),
        (b"XMP ", 4, b"<x/>".to_vec()),
        (b"JUNK", 12, b"junk".to_vec()),
    ] {
        let mut file = webp(size, &[40; 3]);
        file[20] |= promise;
        file.extend([&kind[..], &(bytes.len() as u32).to_le_bytes(), &bytes].concat());
        let length = file.len() as u32 - 8;
        file[4..8].copy_from_slice(&length.to_le_bytes());
        let (clip, notes) = open(&folder.write("whole.webp", &file)).unwrap().unwrap();
        assert!(notes.is_empty() && clip.count() == 3, "{kind:?} {promise}: {notes:?}");
        let mut reader = ClipReader::default();
        for index in [0, 1, 2, 0] {
            let upright = frame(size, index);
            let turned = || Picture::from_fn([13, 22], |x, y| upright.pixel(y, 12 - x));
            let wanted = if kind == b"EXIF" { turned() } else { upright.clone() };
            assert!(clip.read(&mut reader, index).unwrap() == wanted, "{kind:?} {promise}: {index}");
        }
        let (clip, notes) = open(&folder.write("cut.webp", &file[..file.len() - 1])).unwrap().unwrap();
        assert!(notes.line().contains("it is cut off after frame 3"), "{notes:?}");
        assert_frames(&clip, &[0, 1, 2], 0);
    }
}

#[test]
fn damage_within_a_file_in_a_row_is_said_once() {
    let folder = Folder::new("clip-damaged-jpegs");
    let file = |number: u32| folder.0.join(format!("{number}.jpg"));
    let whole = encoders::jpeg(&frame([64, 48], 0));
    let is_shown_with_a_line = |bytes: &Vec<u8>| {
        std::fs::write(file(2), bytes).unwrap();
        Picture::load_with_notes(&Source::File(file(2))).is_ok_and(|(_, notes)| !notes.is_empty())
    };
    let damaged_at = |at: usize| {
        let mut bytes = whole.clone();
        bytes[at..at + 8].copy_from_slice(b"\xFF\x41\xAA\xFE\xFF\x00\xFE\x7F");
        bytes
    };
    let mut places = (whole.len() / 2..whole.len() - 40).map(damaged_at);
    let damaged = places.find(is_shown_with_a_line).unwrap();
    [1, 3].into_iter().for_each(|number| std::fs::write(file(number), &whole).unwrap());
    let (clip, notes) = open(&folder.0).unwrap().unwrap();
    assert!(notes.is_empty() && clip.count() == 3);
    let mut reader = ClipReader::default();
    let mut news = |index: usize| clip.read(&mut reader, index).map(|_| clip.take_news()).unwrap();
    assert_eq!((news(0), news(2)), (None, None));
    assert!(news(1).is_some_and(|line| line.contains("frame 2: its data is damaged")));
    assert_eq!((news(1), clip.count()), (None, 3));
    std::fs::write(file(1), damaged).unwrap();
    assert!(said(&folder.0).1.contains("frame 1: its data is damaged"));
}

#[test]
fn an_apng_of_no_frames_is_a_still_picture() {
    let folder = Folder::new("clip-apng-none");
    let mut file = apng([12, 9], 3);
    let at = file.windows(4).position(|four| four == b"acTL").unwrap();
    file[at + 4..at + 8].fill(0);
    assert!(open(&folder.write("a.png", &file)).unwrap().is_none());
    assert!(Picture::decode(&file).unwrap() == frame([12, 9], 0));
}

fn said(file: &Path) -> (usize, String) {
    let (count, line) = match open(file) {
        Ok(Some((clip, notes))) => (clip.count(), notes.line()),
        Ok(None) => (0, String::new()),
        Err(why) => (0, format!("{why:#}")),
    };
    assert!(!line.contains('\n'), "{line:?}");
    (count, line)
}

#[test]
fn what_is_cut_off_plays_up_to_there() {
    let (folder, size) = (Folder::new("clip-cut"), [9, 7]);
    for (name, bytes) in [
        ("a.gif", gif(size, &[40; 5])),
        ("a.webp", webp(size, &[40; 5])),
        ("a.png", apng(size, 5)),
        ("a.y4m", video(size, 5)),
    ] {
        let (mut before, mut first_only) = (0, 0);
        for length in 0..bytes.len() {
            let file = folder.write(name, &bytes[..length]);
            let (count, line) = said(&file);
            // Between its parts a GIF may end without an end: with one frame it is a still picture.
            let is_still = name == "a.gif" && before == 1 && count == 0 && line.is_empty();
            assert!(is_still || count >= before && count <= 5, "{name}, {length} bytes: {count} frames after {before}");
            if count > 0 {
                let is_whole = line.is_empty() && (matches!(name, "a.y4m" | "a.gif") || count == 5);
                assert!(is_whole || line.contains(&frames_are(count)), "{name}, {length} bytes: {line:?}");
                let clip = open(&file).unwrap().unwrap().0;
                assert_frames(&clip, &(0..count).rev().collect::<Vec<_>>(), 2);
            } else if name == "a.y4m" && length > 0 {
                assert!(
                    line.contains("a.y4m")
                        && (line.contains("cut off") || line.contains("expected") || line.contains("no frame")),
                    "{line}"
                );
            }
            before = before.max(count);
            first_only += u32::from(line.ends_with("only the first frame is shown"));
        }
        assert!(before >= 4 && first_only > 20, "{name}: {before}, {first_only}");
    }
    let bytes = apng(size, 5);
    let (second, _) = bytes.windows(4).enumerate().filter(|(_, four)| four == b"fcTL").nth(1).unwrap();
    let (count, line) = said(&folder.write("first.png", &bytes[..second - 4]));
    assert!(count == 0 && line.contains("cut off in its first frame or after it; expected a whole GIF"), "{line}");
}

#[test]
fn what_is_no_clip_is_refused_with_one_line() {
    let folder = Folder::new("clip-bad");
    let huge = |side: u32| format!("YUV4MPEG2 W{side} H{side} F25:1\nFRAME\n");
    for (name, bytes, expected) in [
        ("c.y4m", b"YUV4MPEG2 W2 H2\n".to_vec(), "it has no frame"),
        ("e.y4m", huge(16384).into(), "takes 1.00 GiB decoded; expected at most 256"),
        ("f.y4m", huge(8192).into(), "frame 1: it is cut off"),
        ("h.y4m", b"YUV4MPEG2 W1 H1 Cmono\nframe\n\0".to_vec(), "no frame where one is due"),
    ] {
        let (count, line) = said(&folder.write(name, bytes));
        let is_said = line.contains(name) && line.contains(expected) && line.contains("expected ");
        assert!(count == 0 && is_said, "{name}: {line}");
    }
    let mut wide = gif([1, 1], &[40, 40]);
    wide[6..10].fill(0xFF);
    let (count, line) = said(&folder.write("wide.gif", wide));
    assert!(count == 0 && line.contains("65535x65535"), "{line}");
    let (count, line) = said(&folder.write("some.y4m", [video([2, 2], 3), b"rest".to_vec()].concat()));
    assert!(count == 3 && line.contains("frame 4") && line.contains("only the 3 frames before it are shown"), "{line}");
}

#[test]
fn files_in_a_row_have_one_size() {
    let folder = Folder::new("clip-files");
    let name = |name: &str| folder.0.join(name);
    let refused = |path: &Path| said(path).1;
    assert!(refused(&folder.0).contains("no picture in the folder; expected files that end in .png"));
    assert!(refused(&name("a%04d.png")).contains("no file has such a name"));
    assert!(!is_sequence(&name("a.png")) && !is_sequence(&name("a%5d.png")) && !has_pictures(&folder.0));
    for (file, index) in [("a0009.png", 0), ("a0010.png", 1), ("a10000.png", 2), ("b0001.png", 3), ("a1.png", 3)] {
        frame([4, 3], index).save_png(&name(file)).unwrap();
    }
    let clip = open(&name("a%04d.png")).unwrap().unwrap().0;
    assert_eq!(clip.count(), 3);
    assert_frames(&clip, &[0, 1, 2], 0);
    assert!(has_pictures(&folder.0) && open(&folder.0).unwrap().unwrap().0.count() == 5);
    frame([5, 3], 0).save_png(&name("a0011.png")).unwrap();
    let (count, line) = said(&name("a%04d.png"));
    assert_eq!((count, line.as_str()), (2, "a0011.png is 5x3, not 4x3: only the 2 frames before it are shown"));
    std::fs::write(name("a0010.png"), "no picture").unwrap();
    let (count, line) = said(&name("a%04d.png"));
    assert!(
        count == 1 && line.contains("a0010.png is no picture") && line.contains("only the first frame is"),
        "{line}"
    );
    #[cfg(unix)]
    {
        let links = name("links");
        std::fs::create_dir(&links).unwrap();
        std::os::unix::fs::symlink(name("a0009.png"), links.join("1.png")).unwrap();
        assert!(!has_pictures(&links));
    }
}
