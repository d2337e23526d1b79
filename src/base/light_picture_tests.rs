//! Tests of HDR files: valid ones of both formats, and many invalid ones.

use super::*;
use exr::prelude::{AnyChannel, AnyChannels, Encoding, Image, Layer, LayerAttributes, WritableImage as _, f16};

fn exr_file(channels: Vec<AnyChannel<FlatSamples>>, size: (usize, usize)) -> Vec<u8> {
    let channels = AnyChannels::sort(channels.into());
    let layer = Layer::new(size, LayerAttributes::named(""), Encoding::FAST_LOSSLESS, channels);
    let mut file = Vec::new();
    Image::from_layer(layer).write().non_parallel().to_buffered(Cursor::new(&mut file)).unwrap();
    file
}

fn exr_of(picture: &LightPicture, is_half: bool) -> Vec<u8> {
    let channel = |index: usize| {
        let values = picture.texels.iter().map(|texel| texel[index]);
        let samples = match is_half {
            true => FlatSamples::F16(values.map(f16::from_f32).collect()),
            false => FlatSamples::F32(values.collect()),
        };
        AnyChannel::new(["R", "G", "B"][index], samples)
    };
    exr_file((0..3).map(channel).collect(), (picture.size[0] as usize, picture.size[1] as usize))
}

/// Bytes of a pixel whose numbers fit exactly: multiples of a power of two.
fn rgbe(texel: [f32; 3]) -> [u8; 4] {
    let most = texel.iter().copied().fold(0.0, f32::max);
    if most == 0.0 {
        return [0; 4];
    }
    let exponent = most.log2().floor() as i32 + 1;
    let unit = 2_f32.powi(exponent - 8);
    let [r, g, b] = texel.map(|value| (value / unit) as u8);
    [r, g, b, (exponent + 128) as u8]
}

/// A Radiance file, flat or in runs.
fn hdr_of(picture: &LightPicture, in_runs: bool) -> Vec<u8> {
    let [width, height] = picture.size;
    let mut file = format!("#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y {height} +X {width}\n").into_bytes();
    for row in picture.texels.chunks_exact(width as usize) {
        let row: Vec<[u8; 4]> = row.iter().map(|texel| rgbe(*texel)).collect();
        if !in_runs {
            file.extend(row.iter().flatten());
            continue;
        }
        file.extend([2, 2, (width >> 8) as u8, width as u8]);
        for channel in 0..4 {
            // A run of the first two, then the rest as they are, 100 at most at once.
            let values: Vec<u8> = row.iter().map(|texel| texel[channel]).collect();
            let same = if values[0] == values[1] { 2 } else { 0 };
            if same > 0 {
                file.extend([128 + 2, values[0]]);
            }
            for some in values[same..].chunks(100) {
                file.push(some.len() as u8);
                file.extend(some);
            }
        }
    }
    file
}

fn picture(size: [u32; 2]) -> LightPicture {
    let texel = |i: u32| {
        let (x, y) = (i % size[0], i / size[0]);
        [(x % 7) as f32 * 0.25, if y == 0 { 1024.0 } else { 0.5 }, if x < 2 { 3.0 } else { (y % 3) as f32 * 0.125 }]
    };
    let mut picture = LightPicture { size, texels: (0..size[0] * size[1]).map(texel).collect() };
    // Bright pixels keep 8 bits of the brightest channel.
    for texel in picture.texels.iter_mut().filter(|texel| texel[1] > 1000.0) {
        *texel = [1024.0, 1024.0, 512.0];
    }
    picture
}

fn decoded(bytes: &[u8]) -> LightPicture {
    let (picture, remarks) = LightPicture::decode(bytes).unwrap();
    assert_eq!(remarks, Vec::<String>::new());
    picture
}

fn error_of(bytes: &[u8]) -> String {
    format!("{:#}", LightPicture::decode(bytes).unwrap_err())
}

#[test]
fn both_formats_give_the_light_back() {
    for size in [[1, 1], [37, 5], [300, 4]] {
        let picture = picture(size);
        for is_half in [true, false] {
            assert_eq!(decoded(&exr_of(&picture, is_half)), picture, "{size:?}");
        }
        assert_eq!(decoded(&hdr_of(&picture, false)), picture, "{size:?}");
        if size[0] >= 8 {
            assert_eq!(decoded(&hdr_of(&picture, true)), picture, "{size:?}");
        }
    }
}

#[test]
fn grey_is_three_equal_channels_and_exposure_is_undone() {
    let grey = exr_file(vec![AnyChannel::new("Y", FlatSamples::F32(vec![0.5, 7.0]))], (2, 1));
    assert_eq!(decoded(&grey).texels, [[0.5; 3], [7.0; 3]]);
    let mut file = b"#?RGBE\nEXPOSURE=2\nFORMAT=32-bit_rle_rgbe\nEXPOSURE= 4\n\n-Y 1 +X 1\n".to_vec();
    file.extend(rgbe([8.0, 4.0, 0.0]));
    assert_eq!(decoded(&file).texels, [[1.0, 0.5, 0.0]]);
    // The old form of runs: the last pixel 258 times more.
    let mut file = b"#?RGBE\n\n-Y 1 +X 260\n".to_vec();
    file.extend([rgbe([1.0, 0.5, 0.0]), [1, 1, 1, 2], [1, 1, 1, 1], rgbe([2.0, 0.0, 0.0])].concat());
    let texels = decoded(&file).texels;
    assert_eq!((texels.len(), texels[258], texels[259]), (260, [1.0, 0.5, 0.0], [2.0, 0.0, 0.0]));
}

#[test]
fn what_is_no_light_is_refused_or_limited() {
    let with = |value: f32| {
        let mut picture = picture([6, 3]);
        picture.texels[8][1] = value;
        exr_of(&picture, false)
    };
    for (value, said) in [(f32::NAN, "not a number"), (f32::INFINITY, "infinite"), (f32::NEG_INFINITY, "infinite")] {
        let why = error_of(&with(value));
        assert!(why.contains("1 of 18 pixels") && why.contains("at 2,1") && why.contains(said), "{why}");
        assert!(why.contains("expected") && !why.contains('\n'), "{why}");
    }
    let (limited, remarks) = LightPicture::decode(&with(-0.25)).unwrap();
    assert_eq!((limited.texels[8][1], remarks.len()), (0.0, 1));
    assert!(remarks[0].contains("1 pixels are negative"), "{remarks:?}");
    let (limited, remarks) = LightPicture::decode(&with(1e9)).unwrap();
    assert_eq!((limited.texels[8][1], remarks.len()), (MOST_LIGHT, 1));
    let mut negative = picture([6, 3]);
    negative.texels.iter_mut().for_each(|texel| texel[0] = -1.0);
    assert!(error_of(&exr_of(&negative, false)).contains("18 of 18 pixels are negative"));
}

#[test]
fn every_cut_of_a_file_is_said() {
    let picture = picture([40, 6]);
    for file in [exr_of(&picture, true), hdr_of(&picture, true), hdr_of(&picture, false)] {
        for length in (11..file.len()).step_by(7).chain([file.len() - 1]) {
            let why = error_of(&file[..length]);
            assert!(why.contains("cut off") && why.contains("expected an OpenEXR"), "{length}: {why}");
        }
    }
}

#[test]
fn huge_and_strange_files_are_refused_before_they_are_decoded() {
    let hdr = |lines: &str| lines.as_bytes().to_vec();
    for (file, said) in [
        (hdr("#?RADIANCE\n\n-Y 99999999 +X 99999999\n"), "99999999x99999999"),
        (hdr("#?RADIANCE\n\n-Y 16384 +X 16384\n"), "decoded"),
        (hdr("#?RADIANCE\n\n-Y 0 +X 5\n"), "5x0"),
        (hdr("#?RADIANCE\n\n+X 5 -Y 5\n"), "-Y HEIGHT +X WIDTH"),
        (hdr("#?RADIANCE\nFORMAT=32-bit_rle_xyze\n\n-Y 1 +X 1\n\0\0\0\0"), "xyze"),
        (hdr("#?RADIANCE\nEXPOSURE=0\n\n-Y 1 +X 1\n\0\0\0\0"), "EXPOSURE"),
        ([hdr("#?RADIANCE\n\n-Y 1 +X 9\n"), vec![2, 2, 0, 9, 128 + 20, 1]].concat(), "longer than the row"),
        ([hdr("#?RADIANCE\n\n-Y 1 +X 9\n"), vec![1, 1, 1, 5]].concat(), "longer than the row"),
        (hdr("#?RADIANCE\n").into_iter().chain(b"A=B\n".repeat(2000)).collect(), "no end"),
        (exr_file(vec![AnyChannel::new("Z", FlatSamples::F32(vec![0.5]))], (1, 1)), "the channels are Z"),
        (b"no picture".to_vec(), "another kind"),
    ] {
        let why = error_of(&file);
        assert!(why.contains(said) && why.contains("expected an OpenEXR"), "{said}: {why}");
    }
}

#[test]
fn a_file_is_read_by_its_content() {
    let folder = crate::base::file::tests::Folder::new("light-picture");
    let path = folder.0.join("a.png");
    std::fs::write(&path, exr_of(&picture([5, 4]), true)).unwrap();
    let (read, notes) = FlatPicture::load(&path).unwrap();
    assert!(matches!(&read, FlatPicture::Light(light) if **light == picture([5, 4])) && notes.is_empty());
    Picture::from_fn([3, 2], |_, _| [1, 2, 3, 255]).save_png(&path).unwrap();
    let (read, _) = FlatPicture::load(&path).unwrap();
    assert!(matches!(read, FlatPicture::Display(_)) && read.size() == [3, 2]);
    std::fs::write(&path, &exr_of(&picture([5, 4]), true)[..100]).unwrap();
    let why = format!("{:#}", FlatPicture::load(&path).unwrap_err());
    assert!(why.contains("a.png") && why.contains("cut off"), "{why}");
    assert!(FlatPicture::load(&folder.0).is_err() && FlatPicture::load(&folder.0.join("none.exr")).is_err());
}
