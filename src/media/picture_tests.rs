//! Tests of valid files of every kind, and of many invalid ones.

use std::fs;

use image::{
    Delay, ExtendedColorType, Frame, ImageEncoder, RgbaImage,
    codecs::{gif::GifEncoder, jpeg::JpegEncoder, png::PngEncoder, tiff::TiffEncoder},
};

use super::*;
use crate::png::crc32;
use base::fixtures::Folder;

fn gradient(size: [u32; 2]) -> Picture {
    Picture::from_fn(size, |x, y| [(x * 5) as u8, (y * 7) as u8, (x + y) as u8, 255])
}

fn png(bytes: &[u8], size: [u32; 2], colour: ExtendedColorType) -> Vec<u8> {
    let mut out = Vec::new();
    PngEncoder::new(&mut out).write_image(bytes, size[0], size[1], colour).unwrap();
    out
}

pub fn jpeg(picture: &Picture) -> Vec<u8> {
    let rgb: Vec<u8> = picture.rgba.chunks_exact(4).flat_map(|p| [p[0], p[1], p[2]]).collect();
    let mut out = Vec::new();
    JpegEncoder::new_with_quality(&mut out, 95)
        .write_image(&rgb, picture.size[0], picture.size[1], ExtendedColorType::Rgb8)
        .unwrap();
    out
}

fn encoded(picture: &Picture, format: ImageFormat) -> Vec<u8> {
    let mut out = Cursor::new(Vec::new());
    pixels(picture).write_to(&mut out, format).unwrap();
    out.into_inner()
}

fn pixels(picture: &Picture) -> RgbaImage {
    RgbaImage::from_raw(picture.size[0], picture.size[1], picture.rgba.clone()).unwrap()
}

pub fn gif(frames: &[Picture], delays_ms: &[u32]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut encoder = GifEncoder::new(&mut out);
    for (picture, delay) in frames.iter().zip(delays_ms.iter().cycle()) {
        let delay = Delay::from_numer_denom_ms(*delay, 1);
        encoder.encode_frame(Frame::from_parts(pixels(picture), 0, 0, delay)).unwrap();
    }
    drop(encoder);
    out
}

fn files(picture: &Picture) -> [(&'static str, Vec<u8>, u8); 6] {
    [
        ("PNG", picture.encode_png().unwrap(), 0),
        ("JPEG", jpeg(picture), 24),
        ("WebP", encoded(picture, ImageFormat::WebP), 0),
        ("GIF", gif(std::slice::from_ref(picture), &[20]), 48),
        ("BMP", encoded(picture, ImageFormat::Bmp), 0),
        ("TIFF", encoded(picture, ImageFormat::Tiff), 0),
    ]
}

fn filled(size: [u32; 2], colour: [u8; 4]) -> Picture {
    Picture::from_fn(size, |_, _| colour)
}

fn riff(chunks: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
    let mut out = vec![];
    for (name, data) in chunks {
        out.extend(*name);
        out.extend((data.len() as u32).to_le_bytes());
        out.extend(*data);
        out.extend(&[0][..data.len() % 2]);
    }
    out
}

pub fn animated_webp(frames: &[Picture], delays_ms: &[u32], icc: Option<&[u8]>) -> Vec<u8> {
    let three = |value: u32| value.to_le_bytes()[..3].to_vec();
    let [width, height] = frames[0].size.map(|side| three(side - 1));
    let flags = [if icc.is_some() { 0x22 } else { 0x02 }, 0, 0, 0];
    let header = [&flags[..], &width, &height].concat();
    let frames: Vec<_> = frames
        .iter()
        .zip(delays_ms.iter().cycle())
        .map(|(frame, delay)| {
            [&[0; 6][..], &width, &height, &three(*delay), &[2], &encoded(frame, ImageFormat::WebP)[12..]].concat()
        })
        .collect();
    let mut chunks: Vec<(&[u8; 4], &[u8])> = vec![(b"VP8X", &header)];
    chunks.extend(icc.map(|icc| (b"ICCP", icc)));
    chunks.push((b"ANIM", &[0; 6]));
    chunks.extend(frames.iter().map(|frame| (b"ANMF", &frame[..])));
    let body = [b"WEBP".to_vec(), riff(&chunks)].concat();
    riff(&[(b"RIFF", &body)])
}

fn error_of(bytes: &[u8]) -> String {
    format!("{:#}", Picture::decode(bytes).unwrap_err())
}

#[test]
fn png_comes_back_bit_for_bit_at_the_extreme_sizes() {
    let folder = Folder::new("png");
    for size in [[1, 1], [1, 16384], [16384, 1], [37, 21]] {
        let (picture, path) = (gradient(size), folder.0.join("a.png"));
        picture.save_png(&path).unwrap();
        assert_eq!(Picture::load(&path).unwrap(), picture);
    }
}

#[test]
fn grey_deep_and_transparent_pictures_become_opaque_rgb() {
    assert_eq!(
        Picture::decode(&png(&[7, 200], [2, 1], ExtendedColorType::L8)).unwrap().rgba,
        [7, 7, 7, 255, 200, 200, 200, 255]
    );
    let deep: Vec<u8> = [0u16, 257 * 99, 65535].iter().flat_map(|v| v.to_ne_bytes()).collect();
    assert_eq!(Picture::decode(&png(&deep, [1, 1], ExtendedColorType::Rgb16)).unwrap().rgba, [0, 99, 255, 255]);
    let deep: Vec<u8> = [65535u16, 65535, 65535, 0].iter().flat_map(|v| v.to_ne_bytes()).collect();
    assert_eq!(Picture::decode(&png(&deep, [1, 1], ExtendedColorType::Rgba16)).unwrap().rgba, [128, 128, 128, 255]);
    let clear = png(&[255, 0, 0, 0, 9, 8, 7, 255], [2, 1], ExtendedColorType::Rgba8);
    assert_eq!(Picture::decode(&clear).unwrap().rgba, [128, 128, 128, 255, 9, 8, 7, 255]);
    assert_eq!(Picture::decode(&png(&[50, 255], [1, 1], ExtendedColorType::La8)).unwrap().rgba, [50, 50, 50, 255]);
}

#[test]
fn the_cameras_orientation_is_applied() {
    let exif = b"Exif\0\0MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0";
    let plain = jpeg(&Picture::from_fn([32, 16], |x, _| if x < 16 { [250, 0, 0, 255] } else { [0, 0, 250, 255] }));
    let mut turned = plain[..2].to_vec();
    turned.extend([0xFF, 0xE1, 0, exif.len() as u8 + 2]);
    turned.extend(exif);
    turned.extend(&plain[2..]);
    let picture = Picture::decode(&turned).unwrap();
    assert_eq!(picture.size, [16, 32]);
    assert!(picture.pixel(8, 4)[0] > 200 && picture.pixel(8, 28)[2] > 200);
    let file = gradient([4, 2]).encode_png().unwrap();
    for (place, exif) in [(HEADER_END, &exif[..]), (HEADER_END, &exif[6..]), (file.len() - 12, &exif[6..])] {
        assert_eq!(Picture::decode(&chunk_at(&file, place, b"eXIf", exif)).unwrap().size, [2, 4], "{place}");
    }
}

#[test]
fn every_format_is_read() {
    for picture in [gradient([1, 1]), gradient([40, 30]), gradient([17, 129])] {
        for (name, file, most) in files(&picture) {
            let found = Picture::decode(&file).unwrap();
            assert_eq!(found.size, picture.size, "{name}");
            let worst = found.rgba.iter().zip(&picture.rgba).map(|(a, b)| a.abs_diff(*b)).max();
            assert!(worst <= Some(most), "{name}: {worst:?}");
        }
    }
}

#[test]
fn of_an_animation_the_first_frame_is_read() {
    let [red, blue] = [[200, 20, 30, 255], [10, 30, 220, 255]].map(|colour| filled([12, 9], colour));
    assert!(Picture::decode(&gif(&[red.clone(), blue.clone()], &[20])).unwrap() == red);
    assert!(Picture::decode(&animated_webp(&[red.clone(), blue], &[40], None)).unwrap() == red);
    let small = filled([3, 2], [200, 20, 30, 255]);
    let mut file = gif(std::slice::from_ref(&small), &[20]);
    file[6..10].copy_from_slice(&[12, 0, 9, 0]);
    let descriptor = file.windows(9).position(|bytes| bytes == [0x2C, 0, 0, 0, 0, 3, 0, 2, 0]).unwrap();
    file[descriptor + 1..][..4].copy_from_slice(&[4, 0, 5, 0]);
    let found = Picture::decode(&file).unwrap();
    assert_eq!((found.size, found.pixel(4, 5), found.pixel(6, 6)), ([12, 9], small.pixel(0, 0), small.pixel(0, 0)));
    assert_eq!([found.pixel(3, 5), found.pixel(7, 6), found.pixel(4, 7)], [[128, 128, 128, 255]; 3]);
}

#[test]
fn profiles_and_orientation_of_other_formats_are_honoured() {
    let red = filled([4, 4], [200, 20, 30, 255]);
    let icc = moxcms::ColorProfile::new_display_p3().encode().unwrap();
    let found = Picture::decode(&animated_webp(std::slice::from_ref(&red), &[40], Some(&icc))).unwrap();
    let [wide, plain] = [found.pixel(1, 1), red.pixel(1, 1)];
    assert!(wide[0] > plain[0] + 10 && wide[1] < plain[1], "{wide:?}");

    let mut out = Cursor::new(Vec::new());
    let mut encoder = TiffEncoder::new(&mut out);
    encoder.set_icc_profile(icc).unwrap();
    encoder.write_image(&red.rgba, 4, 4, ExtendedColorType::Rgba8).unwrap();
    assert_eq!(Picture::decode(&out.into_inner()).unwrap().pixel(1, 1), wide);
}

#[test]
fn a_file_cut_anywhere_is_an_error_and_never_a_panic() {
    for (name, whole, _) in files(&gradient([40, 30])) {
        let step = (whole.len() / 150).max(1);
        // The last 12 bytes of a PNG are an empty end chunk, the last two of a GIF its end.
        for length in (0..whole.len() - 13).step_by(step) {
            let error = error_of(&whole[..length]);
            assert!(error.contains(EXPECTED), "{name}: {length} of {}: {error}", whole.len());
            assert!(!error.contains('\n'));
        }
    }
}

#[test]
fn a_jpeg_without_its_end_marker_is_a_picture_when_all_blocks_are_there() {
    for picture in [gradient([40, 30]), gradient([16, 16]), gradient([129, 65])] {
        let file = jpeg(&picture);
        let (whole, open) = (Picture::decode(&file).unwrap(), &file[..file.len() - 2]);
        assert!(file.ends_with(&[0xFF, 0xD9]));
        let film = b"\0\0\0\x18ftypmp42\xFF\xDA\0\x08\x01\xFF\xC4";
        for (bytes, what) in [
            (open.to_vec(), "no end marker"),
            (file[..file.len() - 1].to_vec(), "half of one"),
            ([open, film].concat(), "a film in its place"),
            ([&file[..], film].concat(), "a film after it"),
            ([&file[..], &file[..40]].concat(), "the start of another picture after it"),
        ] {
            assert!(Picture::decode(&bytes).unwrap() == whole, "{what}");
        }
    }
}

#[test]
fn a_damaged_jpeg_is_shown_as_far_as_it_goes_and_said() {
    let folder = Folder::new("jpeg-damaged");
    let path = folder.0.join("a.png");
    let notes = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        Picture::load_with_notes(&Source::File(path.clone())).map(|(_, notes)| notes.line())
    };
    let file = jpeg(&gradient([129, 65]));
    assert_eq!(notes(&file).unwrap(), "");
    assert_eq!(notes(&file[..file.len() - 2]).unwrap(), "", "an end that is missing is no damage");
    let scan = file.windows(2).position(|pair| pair == [0xFF, 0xDA]).unwrap() + 14;
    let mut said = 0;
    for at in (scan..file.len() - 40).step_by(37) {
        let mut damaged = file.clone();
        damaged[at..at + 16].copy_from_slice(b"\xFF\x41\xAA\xFE\xFF\x00\xFE\x7F\xFE\x3F\xFE\xFE\xFE\xFE\xFE\xFE");
        said += u32::from(notes(&damaged).is_ok_and(|line| line.contains("damaged")));
        assert!(notes(&damaged).is_err() || notes(&damaged).is_ok_and(|line| line.contains("damaged")), "{at}");
    }
    assert!(said > 5, "{said}");
    for size in [[40, 30], [16, 16], [129, 65]] {
        let file = jpeg(&gradient(size));
        let scan = file.windows(2).position(|pair| pair == [0xFF, 0xDA]).unwrap() + 14;
        let data = file.len() - 2 - scan;
        for part in 1..20 {
            let cut = &file[..scan + data * part / 20];
            for (bytes, what) in [
                ([cut, &[0xFF, 0xD9]].concat(), "an end marker"),
                ([cut, &[0xFF, 0xD9], &file[..40]].concat(), "an end marker and more"),
            ] {
                let line = notes(&bytes).unwrap_or_else(|why| panic!("{size:?} {part}/20 {what}: {why:#}"));
                assert!(line.contains("damaged"), "{size:?} {part}/20 {what}: {line}");
            }
        }
    }
}

#[test]
fn a_png_without_its_end_is_a_picture_when_all_pixels_are_there() {
    for picture in [gradient([40, 30]), gradient([1, 1]), gradient([129, 65])] {
        let file = picture.encode_png().unwrap();
        assert!(file.ends_with(b"\0\0\0\0IEND\xae\x42\x60\x82"));
        for missing in 1..=12 {
            assert!(Picture::decode(&file[..file.len() - missing]).unwrap() == picture, "{missing} bytes missing");
        }
    }
}

const HEADER_END: usize = 8 + 25;

fn with_chunk(file: &[u8], name: &[u8; 4], data: &[u8]) -> Vec<u8> {
    chunk_at(file, HEADER_END, name, data)
}

fn chunk_at(file: &[u8], place: usize, name: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let body = [name, data].concat();
    let length = (data.len() as u32).to_be_bytes();
    [&file[..place], &length, &body, &crc32(&body).to_be_bytes(), &file[place..]].concat()
}

fn shown_with(value: u8, chunks: &[(&[u8; 4], &[u8])]) -> u8 {
    let file = png(&[value; 3], [1, 1], ExtendedColorType::Rgb8);
    let file = chunks.iter().rev().fold(file, |file, (name, data)| with_chunk(&file, name, data));
    let [red, green, blue, _] = Picture::decode(&file).unwrap().pixel(0, 0);
    assert!(red.abs_diff(green) <= 1 && red.abs_diff(blue) <= 1, "grey stays grey: {red} {green} {blue}");
    red
}

#[test]
fn colour_chunks_are_honoured() {
    let gamma = |hundred_thousandths: u32| hundred_thousandths.to_be_bytes();
    assert_eq!(shown_with(128, &[]), 128);
    // Linear light: 128 of 255 is half of it, which is 188 in sRGB.
    assert_eq!(shown_with(128, &[(b"gAMA", &gamma(100_000))]), 188);
    assert_eq!(shown_with(128, &[(b"gAMA", &gamma(45_455))]), 128, "what sRGB files say");
    assert_eq!(shown_with(128, &[(b"sRGB", &[0]), (b"gAMA", &gamma(100_000))]), 128, "sRGB goes before gAMA");
    assert_eq!(shown_with(128, &[(b"cICP", &[1, 8, 0, 1]), (b"sRGB", &[0])]), 188, "cICP goes before all");
    assert_eq!(shown_with(128, &[(b"cICP", &[1, 13, 0, 1])]), 128);
    let places = [31270, 32900, 68000, 32000, 26500, 69000, 15000, 6000u32].map(u32::to_be_bytes).concat();
    for (name, data) in [(b"cICP", &[12, 13, 0, 1][..]), (b"cHRM", &places)] {
        let file = png(&[0, 255, 0, 200, 120, 80], [2, 1], ExtendedColorType::Rgb8);
        let picture = Picture::decode(&with_chunk(&file, name, data)).unwrap();
        assert_eq!(picture.pixel(0, 0), [0, 255, 0, 255]);
        let [red, green, blue, _] = picture.pixel(1, 0);
        assert!(red.abs_diff(213) <= 1 && green.abs_diff(115) <= 1 && blue.abs_diff(70) <= 1, "{red} {green} {blue}");
    }
}

#[test]
fn a_profile_that_is_not_used_is_said() {
    let folder = Folder::new("profile");
    let file = png(&[9; 3], [1, 1], ExtendedColorType::Rgb8);
    for (name, data, words) in [
        (b"cICP", &[9, 16, 0, 1][..], "HDR"),
        (b"cICP", &[1, 13, 0, 0], "full range"),
        (b"cICP", &[200, 200, 0, 1], "200/200"),
        (b"cHRM", &[0; 32], "no colours"),
    ] {
        let path = folder.0.join("a.png");
        fs::write(&path, with_chunk(&file, name, data)).unwrap();
        let (picture, notes) = Picture::load_with_notes(&Source::File(path.clone())).unwrap();
        let why = notes.line();
        assert!(why.starts_with("shown as sRGB: ") && why.contains(words), "{name:?}: {why}");
        assert_eq!((picture.pixel(0, 0), notes.remarks.len()), ([9, 9, 9, 255], 1));
    }
}

#[test]
fn a_file_with_any_byte_changed_never_panics() {
    for (_, whole, _) in files(&gradient([24, 16])) {
        for at in 0..whole.len() {
            for flip in [0x01, 0xFF] {
                let mut bytes = whole.clone();
                bytes[at] ^= flip;
                match Picture::decode(&bytes) {
                    Ok(picture) => {
                        assert_eq!(picture.rgba.len(), picture.size[0] as usize * picture.size[1] as usize * 4);
                    }
                    Err(why) => {
                        let why = format!("{why:#}");
                        assert!(why.contains("expected") && !why.contains(['{', '_']) && !why.contains("::"), "{why}");
                    }
                }
            }
        }
    }
}

#[test]
fn other_files_are_rejected_by_kind() {
    assert!(error_of(b"").contains("empty"));
    for (bytes, words) in [
        (&b"x"[..], "format is unknown"),
        (&[0; 4096], "format is unknown"),
        (b"qoif\0\0\0\x01\0\0\0\x01\x04\0", "is a QOI picture"),
        (b"\0\0\0\x20ftypavif\0\0\0\0avifmif1", "is an AVIF picture"),
        (b"\x76\x2F\x31\x01\x02\0\0\0", "is an OpenEXR picture"),
        (b"glTF\x02\0\0\0", "is a glTF scene"),
        (b"GIF89a\x01\0\x01\0\0\0\0;", "damaged or cut off"),
        (b"BM\0\0\0\0\0\0\0\0", "damaged or cut off"),
        (b"RIFF\x04\0\0\0WEBP", "damaged or cut off"),
        (b"II*\0\x08\0\0\0", "damaged or cut off"),
    ] {
        let error = error_of(bytes);
        assert!(error.contains(words) && error.contains(EXPECTED), "{error}");
    }
}

fn lying_png(width: u32, height: u32, depth: u8, colour: u8) -> Vec<u8> {
    let mut header = b"IHDR".to_vec();
    header.extend(width.to_be_bytes());
    header.extend(height.to_be_bytes());
    header.extend([depth, colour, 0, 0, 0]);
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\x0d".to_vec();
    bytes.extend(&header);
    bytes.extend(crc32(&header).to_be_bytes());
    for chunk in [&b"\0\0\0\x0aIDAT\x78\x9c\x63\x60\0\0\0\x02\0\x01"[..], b"\0\0\0\0IEND\xae\x42\x60\x82"] {
        bytes.extend(chunk);
        if chunk.len() == 18 {
            bytes.extend(crc32(&chunk[4..]).to_be_bytes());
        }
    }
    bytes
}

#[test]
fn a_false_header_is_refused() {
    for (width, height) in
        [(0, 1), (1, 0), (16385, 1), (1, 16385), (60000, 60000), (0x7FFF_FFFF, 0x7FFF_FFFF), (u32::MAX, 1)]
    {
        let error = error_of(&lying_png(width, height, 8, 6));
        assert!(error.contains(EXPECTED), "{width}x{height}: {error}");
    }
    assert!(error_of(&lying_png(20000, 300, 8, 2)).contains("20000x300"));
    let error = error_of(&lying_png(16384, 16384, 16, 6));
    assert!(error.contains("2.00 GiB") || error.contains(EXPECTED), "{error}");
    assert!(error_of(&lying_png(16384, 16384, 8, 6)).contains("cut off"));
    let mut huge = jpeg(&gradient([16, 16]));
    let frame = huge.windows(2).position(|pair| pair == [0xFF, 0xC0]).unwrap();
    huge[frame + 5..frame + 9].copy_from_slice(&[0xFF, 0xFF, 0xFF, 0xFF]);
    assert!(error_of(&huge).contains(EXPECTED), "{}", error_of(&huge));
}
