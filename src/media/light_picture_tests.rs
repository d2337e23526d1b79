//! Tests of HDR files: valid ones of both formats, and many invalid ones.

use super::*;
use exr::math::Vec2;
use exr::meta::attribute::{EnvironmentMap, IntegerBounds};
use exr::prelude::{
    AnyChannel, AnyChannels, Encoding, FlatSamples, Image, Layer, LayerAttributes, WritableImage as _, f16,
};
use std::io::Cursor;

type ExrLayer = Layer<AnyChannels<FlatSamples>>;

fn exr_file(channels: Vec<AnyChannel<FlatSamples>>, size: (usize, usize)) -> Vec<u8> {
    exr_with(channels, size, |_| ())
}

fn exr_with(
    channels: Vec<AnyChannel<FlatSamples>>,
    size: (usize, usize),
    change: impl FnOnce(&mut Image<ExrLayer>),
) -> Vec<u8> {
    let channels = AnyChannels::sort(channels.into());
    let layer = Layer::new(size, LayerAttributes::named(""), Encoding::FAST_LOSSLESS, channels);
    let mut file = Vec::new();
    let mut image = Image::from_layer(layer);
    change(&mut image);
    image.write().non_parallel().to_buffered(Cursor::new(&mut file)).unwrap();
    file
}

fn grey(name: &str, values: &[f32]) -> AnyChannel<FlatSamples> {
    AnyChannel::new(name, FlatSamples::F32(values.to_vec()))
}

#[test]
fn the_display_window_is_shown_at_the_pixels_aspect() {
    let numbers: Vec<f32> = (0..12).map(|number| number as f32).collect();
    let windowed = |place: [i32; 2], size: [usize; 2], aspect: f32| {
        let file = exr_with(vec![grey("Y", &numbers)], (4, 3), |image| {
            image.layer_data.attributes.layer_position = Vec2(2, 1);
            image.attributes.display_window = IntegerBounds::new((place[0], place[1]), (size[0], size[1]));
            image.attributes.pixel_aspect = aspect;
        });
        LightPicture::decode(&file).unwrap()
    };
    let shown = |place, size| {
        let (picture, remarks) = windowed(place, size, 1.0);
        assert!(remarks.is_empty(), "{remarks:?}");
        (picture.size, picture.texels.iter().map(|texel| texel[0]).collect::<Vec<_>>())
    };
    assert_eq!(shown([2, 1], [4, 3]), ([4, 3], numbers.clone()));
    assert_eq!(shown([3, 2], [2, 1]), ([2, 1], vec![5.0, 6.0]), "inside of the data");
    assert_eq!(shown([1, 0], [3, 2]), ([3, 2], vec![0.0, 0.0, 0.0, 0.0, 0.0, 1.0]), "black outside of it");
    assert_eq!(shown([5, 3], [2, 2]), ([2, 2], vec![11.0, 0.0, 0.0, 0.0]));
    let (all, remarks) = windowed([90, 0], [4, 3], 1.0);
    assert_eq!((all.size, remarks.len()), ([4, 3], 1), "nothing of it would be seen: {remarks:?}");
    for (aspect, size) in [(2.0, [8, 3]), (0.5, [4, 6])] {
        let (picture, remarks) = windowed([2, 1], [4, 3], aspect);
        assert_eq!((picture.size, remarks), (size, vec![]));
        let [first, last] = [picture.texels[0][0], picture.texels[picture.texels.len() - 1][0]];
        assert!(first.abs() < 0.3 && (last - 11.0).abs() < 0.3, "{first} {last}");
    }
    let (picture, remarks) = windowed([2, 1], [4, 3], 99.0);
    assert!(picture.size == [4, 3] && remarks[0].contains("aspect of 99"), "{remarks:?}");
}

#[test]
fn other_channels_than_three_are_shown_and_said() {
    let shown = |channels: &[(&str, f32)]| {
        let channels = channels.iter().map(|(name, value)| grey(name, &[*value])).collect();
        let (picture, remarks) = LightPicture::decode(&exr_file(channels, (1, 1))).unwrap();
        (picture.texels[0], remarks.join("; "))
    };
    for (channels, texel, said) in [
        (&[("R", 0.5)][..], [0.5; 3], "R, is shown as grey"),
        (&[("Z", 0.25), ("A", 1.0)], [0.25; 3], "Z is shown as grey"),
        (&[("R", 0.5), ("G", 0.25)], [0.5, 0.25, 0.0], "missing one"),
        (&[("r", 0.5), ("g", 0.25), ("b", 2.0)], [0.5, 0.25, 2.0], ""),
        (&[("light.R", 0.5), ("light.G", 0.25), ("light.B", 2.0), ("light.Z", 9.0)], [0.5, 0.25, 2.0], ""),
        (&[("N.X", 0.5), ("N.Y", 0.25), ("N.Z", 2.0)], [0.5; 3], "N.X is shown as grey"),
        (&[("N.X", 9.0), ("N.Y", 9.0), ("light.Y", 0.5)], [0.5; 3], ""),
        (&[("Y", 0.5), ("A", 1.0)], [0.5; 3], ""),
        (&[("Y", 0.5), ("RY", 0.0), ("BY", 0.0)], [0.5; 3], ""),
    ] {
        let (found, remarks) = shown(channels);
        assert!((0..3).all(|c| (found[c] - texel[c]).abs() < 1e-6), "{channels:?}: {found:?}");
        assert!(remarks.contains(said) && remarks.is_empty() == said.is_empty(), "{channels:?}: {remarks}");
    }
}

#[test]
fn a_sky_of_another_shape_is_said_and_a_cube_map_unfolded() {
    let folder = base::fixtures::Folder::new("sky-shapes");
    let path = folder.0.join("sky.exr");
    let load = |size: (usize, usize), is_cube: bool| {
        let values = vec![1.0; size.0 * size.1];
        let file = exr_with(vec![grey("Y", &values)], size, |image| {
            image.layer_data.attributes.environment_map = is_cube.then_some(EnvironmentMap::Cube);
        });
        std::fs::write(&path, file).unwrap();
        let (picture, notes) = LightPicture::load_sky(&path).unwrap();
        (picture.size, notes.line())
    };
    assert_eq!(load((32, 16), false), ([32, 16], String::new()));
    assert_eq!(load((4, 24), true), ([16, 8], String::new()));
    let (size, said) = load((4, 24), false);
    assert!(size == [4, 24] && said.contains("4x24") && said.contains("cube map"), "{said}");
    for size in [(1, 1), (1, 5), (1, 7), (8, 4), (9, 6)] {
        let ([width, height], said) = load(size, true);
        assert_eq!((width as usize, height as usize), size);
        assert!(said.contains(&format!("but {width}x{height} is not six times as high")), "{said}");
    }
    let (_, said) = load((30, 30), false);
    assert!(said.contains("30x30") && said.contains("twice as wide as high"), "{said}");
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
    for value in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let (limited, remarks) = LightPicture::decode(&with(value)).unwrap();
        assert_eq!(
            (limited.texels[8], remarks.len()),
            ([picture([6, 3]).texels[8][0], 0.0, picture([6, 3]).texels[8][2]], 1)
        );
        assert!(remarks[0].contains("1 pixel is not finite"), "{remarks:?}");
    }
    let (limited, remarks) = LightPicture::decode(&with(-0.25)).unwrap();
    assert_eq!((limited.texels[8][1], remarks.len()), (0.0, 1));
    assert!(remarks[0].contains("1 pixel is negative"), "{remarks:?}");
    let (limited, remarks) = LightPicture::decode(&with(1e9)).unwrap();
    assert_eq!((limited.texels[8][1], remarks.len()), (MOST_LIGHT, 1));
    let mut negative = picture([6, 3]);
    negative.texels.iter_mut().for_each(|texel| texel[0] = -1.0);
    assert!(error_of(&exr_of(&negative, false)).contains("18 of 18 pixels are negative"));
    negative.texels.iter_mut().for_each(|texel| texel[0] = f32::NAN);
    assert!(error_of(&exr_of(&negative, false)).contains("18 of 18 pixels are not finite"));
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
        (b"no picture".to_vec(), "another kind"),
    ] {
        let why = error_of(&file);
        assert!(why.contains(said) && why.contains("expected an OpenEXR"), "{said}: {why}");
    }
}

#[test]
fn a_file_is_read_by_its_content() {
    let folder = base::fixtures::Folder::new("light-picture");
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
}
