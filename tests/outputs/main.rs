//! Tests of `--save` on the program itself: every output of every technique, read by the test's own readers, against reference
//! implementations and the GPU's data; and that nothing is written for a missing output.

mod described;
mod glass_reference;
mod program;
mod readers;
mod recording;
mod story;
mod taken_home;
mod web;

use base::srgb;
use glam::{DVec4, UVec2, Vec2, Vec3};
use glass::lab::reference as glass;
use glass_reference::{LENS_HALF, assert_one_place, brightness_around, frosted_around};
use media::picture::Picture;
use meshlets::lab::reference;
use program::{Folder, headless, images_of, output_of, rendered, save, saved, session_of, words};
use readers::{Npy, exr};
use std::{collections::BTreeSet, fs};

/// Asserts that a picture's bytes are the encoded light, within one step, and opaque.
fn assert_encoded(picture: &Picture, npy: &Npy) {
    assert_eq!(picture.size.map(|n| n as usize), [npy.shape[1], npy.shape[0]]);
    for (at, (bytes, light)) in picture.rgba.as_chunks::<4>().0.iter().zip(npy.light()).enumerate() {
        for channel in 0..3 {
            let wanted = srgb::encode(light[channel].clamp(0.0, 1.0) as f32) * 255.0;
            assert!((f32::from(bytes[channel]) - wanted).abs() < 0.63, "pixel {at}: {bytes:?} for {light}");
        }
        assert_eq!(bytes[3], 255);
    }
}

const WORLD: &str = "--scene assets/scenes/still-life.gltf --size 67x37 --set scene.drift=off --set shade.by=list \
                     --set pixel_sort.key=meshlet";
const WORLD_SIZE: [usize; 2] = [67, 37];

/// The world without reflections: for tests of the other techniques.
fn world_without_mirrors() -> Vec<std::ffi::OsString> {
    [words(WORLD), words("--set reflections.depth=0")].concat()
}

/// Traced light and masks: a pixel has a bit in the mask of each bounce of its light.
#[test]
fn reflections_outputs_are_right() {
    let folder = Folder::new("reflections");
    let file = |name: &str| folder.path(&format!("{}.npy", name.replace('/', " ")));
    let mut arguments = [words(WORLD), words("--set reflections.depth=2 --set reflections.mapping=linear")].concat();
    let names = ["reflections/light", "reflections/mask 0", "reflections/mask 1"];
    for name in names {
        arguments.extend(save(name, &file(name)));
    }
    saved(&arguments);
    let [width, height] = WORLD_SIZE;
    let light = Npy::read(&file("reflections/light"));
    assert_eq!(light.shape, [height, width, 4]);
    let bounces: Vec<f64> = light.light().iter().map(|light| light.w).collect();
    for (bounce, name) in names[1..].iter().enumerate() {
        let mask = Npy::read(&file(name)).u32s();
        assert_eq!(mask.len(), (width * height).div_ceil(32));
        for (at, taken) in bounces.iter().enumerate() {
            assert_eq!(mask[at / 32] >> (at % 32) & 1 != 0, *taken > bounce as f64, "{name}, pixel {at}: {taken}");
        }
    }
    assert!(bounces.iter().all(|taken| (0.0..=2.0).contains(taken) && taken.fract() == 0.0));
    assert!(bounces.iter().any(|taken| *taken > 0.0), "something mirrors");
}

#[test]
fn a_worlds_outputs_are_right() {
    let folder = Folder::new("world");
    let world = world_without_mirrors();
    let mut arguments = [world.clone(), words("--validate")].concat();
    let names = ["meshlets/ids", "meshlets/depth", "meshlets/shadow", "pixel_sort/entries", "pixel_sort/regions"];
    let more = ["pixel_sort/counts", "shade/light", "antialias/light", "mip_chain/level 0", "mip_chain/level 6"];
    let names = names.into_iter().chain(more);
    let file = |name: &str| folder.path(&format!("{}.npy", name.replace('/', " ")));
    for name in names {
        arguments.extend(save(name, &file(name)));
    }
    for kind in ["exr", "png"] {
        arguments.extend(save("shade/light", &folder.path(&format!("light.{kind}"))));
    }
    saved(&arguments);
    let of = |name: &str| Npy::read(&file(name));
    let [width, height] = WORLD_SIZE;

    // Against the reference implementation.
    let (ids, depth) = (of("meshlets/ids"), of("meshlets/depth"));
    assert_eq!((&ids.shape[..], &depth.shape[..]), (&[height, width][..], &[height, width][..]));
    let outputs = [("meshlets", "ids"), ("meshlets", "depth"), ("meshlets", "shadow"), ("shade", "light")];
    let (session, size) = session_of(&world);
    let images = images_of(&session, size, &outputs);
    let scene = session.world.clone().unwrap();
    let camera = session.settings.scene.viewpoint(scene.viewpoint, 0.0).camera();
    let pixels = reference::rasterize(&scene, &camera, WORLD_SIZE.map(|n| n as u32));
    let (ids, depth) = (ids.u32s(), depth.f32s());
    for (at, (pixel, (id, depth))) in pixels.iter().zip(ids.iter().zip(&depth)).enumerate() {
        assert!(pixel.allows(*id, *depth), "pixel {at}: {id:#x} at {depth}, expected {pixel:?}");
    }
    let seen = ids.iter().filter(|id| **id != 0).count();
    assert!(seen > 500 && seen < ids.len(), "{seen} pixels show something");

    // Against the images themselves. Where two triangles are equally deep another frame may show the other one.
    let again: Vec<u32> = images[0].as_chunks().0.iter().map(|four| u32::from_ne_bytes(*four)).collect();
    let same: Vec<usize> = (0..ids.len()).filter(|at| ids[*at] == again[*at]).collect();
    assert!(same.len() + 8 > ids.len(), "{} of {} IDs are the same", same.len(), ids.len());
    let light = of("shade/light");
    assert_eq!(light.shape, [height, width, 4]);
    for at in &same {
        assert_eq!(light.bytes[8 * at..8 * at + 8], images[3][8 * at..8 * at + 8], "light of pixel {at}");
        assert_eq!(depth[*at].to_ne_bytes(), images[1][4 * at..4 * at + 4], "depth of pixel {at}");
    }
    let shadow = of("meshlets/shadow");
    assert_eq!((&shadow.shape[..], shadow.f32s().len()), (&[2048, 2048][..], images[2].len() / 4));
    assert_eq!(shadow.bytes, images[2]);
    assert!(shadow.f32s().iter().any(|depth| *depth > 0.0));

    // The mean of one frame is that frame.
    let is_alike = |(mean, one): (&DVec4, &DVec4)| {
        mean.w == 1.0 && (*mean - *one).truncate().abs().max_element() <= 0.01 * one.max_element()
    };
    assert!(of("antialias/light").light().iter().zip(&light.light()).all(is_alike));

    // The same light in the other kinds of file.
    assert_eq!(exr(&folder.path("light.exr")), (light.shape.clone(), light.halves()));
    assert_encoded(&Picture::load(&folder.path("light.png")).unwrap(), &light);

    for (level, shape) in [(0, [height, width, 4]), (6, [1, 1, 4])] {
        let level = of(&format!("mip_chain/level {level}"));
        assert_eq!(level.shape, shape);
        assert!(
            level
                .light()
                .iter()
                .all(|light| (light.w - 1.0).abs() < 2e-3 && light.min_element() >= 0.0 && light.max_element() <= 1.0)
        );
    }

    let (regions, counts) = (of("pixel_sort/regions"), of("pixel_sort/counts"));
    assert_eq!((&regions.shape[..], &counts.shape[..]), (&[2, 2][..], &[8][..]));
    let entries = of("pixel_sort/entries");
    let listed = check_list(&entries, &regions.u32s(), &ids);
    let counts = counts.u32s();
    assert_eq!([counts[0], counts[1], counts[3]], [entries.shape[0] as u32, listed.len() as u32, 2]);
    assert!(counts[2] <= counts[1] / 4, "pixels in shared buckets: {counts:?}");
    assert_eq!(counts[4..], [entries.shape[0].div_ceil(128) as u32, 1, 1, 0]);

    // A short list contains the same pixels, and is written as the long one is.
    let mut arguments = [world, words("--set pixel_sort.short_list=true")].concat();
    for name in ["pixel_sort/entries", "pixel_sort/regions", "meshlets/ids"] {
        arguments.extend(save(name, &file(name)));
    }
    saved(&arguments);
    let ids = of("meshlets/ids").u32s();
    let short = check_list(&of("pixel_sort/entries"), &of("pixel_sort/regions").u32s(), &ids);
    assert_eq!(short.len(), ids.iter().filter(|id| **id != 0).count());
}

/// Checks that a list of the world's two tiles has every pixel with an ID once, in its tile's part, those of most meshlets together; returns
/// the listed pixels.
fn check_list(entries: &Npy, regions: &[u32], ids: &[u32]) -> BTreeSet<(usize, usize)> {
    let [width, height] = WORLD_SIZE;
    let list = entries.u32s();
    assert_eq!(entries.shape, [list.len()]);
    let mut listed = BTreeSet::new();
    let mut parts: Vec<[usize; 2]> =
        regions.as_chunks().0.iter().map(|part: &[u32; 2]| part.map(|n| n as usize)).collect();
    for (tile, [first, count]) in parts.iter().enumerate() {
        assert_eq!((first % 32, count % 32), (0, 0));
        let mut meshlets: Vec<u32> = Vec::new();
        for entry in list[*first..first + count].iter().filter(|entry| **entry != u32::MAX) {
            let (x, y) = ((entry & 0xFFFF) as usize, (entry >> 16) as usize);
            assert!(x < width && y < height && x / 64 == tile, "{x}, {y} in tile {tile}");
            assert!(listed.insert((x, y)), "{x}, {y} is listed twice");
            let meshlet = scene::world::VisibilityId(ids[y * width + x]).meshlet_key();
            if meshlets.last() != Some(&meshlet) {
                meshlets.push(meshlet);
            }
        }
        let kinds: BTreeSet<u32> = meshlets.iter().copied().collect();
        // A few meshlets share a bucket.
        assert!(meshlets.len() <= kinds.len() + kinds.len() / 4, "a meshlet's pixels are together: {meshlets:?}");
        assert!(kinds.len() > 1 && !kinds.contains(&0));
    }
    parts.sort();
    let end = parts.iter().fold(0, |end, [first, count]| {
        assert_eq!(*first, end, "parts follow each other");
        first + count
    });
    assert_eq!(end, list.len());
    let shown: BTreeSet<_> = (0..ids.len()).filter(|at| ids[*at] != 0).map(|at| (at % width, at / width)).collect();
    assert_eq!(listed, shown);
    listed
}

/// The exact mean of the area of each texel, in `size` texels over the same length.
fn means(light: &[DVec4], from: [usize; 2], size: [usize; 2]) -> Vec<DVec4> {
    let share = |i: usize, n: usize, made: usize, k: usize| {
        // The axis has n * made units: a texel here has n of them, a texel of the source `made`.
        ((i + 1) * n).min((k + 1) * made).saturating_sub((i * n).max(k * made)) as f64 / n as f64
    };
    let mut means = Vec::new();
    for (y, x) in (0..size[1]).flat_map(|y| (0..size[0]).map(move |x| (y, x))) {
        let mut sum = DVec4::ZERO;
        for (v, u) in (0..from[1]).flat_map(|v| (0..from[0]).map(move |u| (v, u))) {
            sum += light[v * from[0] + u] * share(y, from[1], size[1], v) * share(x, from[0], size[0], u);
        }
        means.push(sum);
    }
    means
}

/// Random squares of 3 by 3 pixels, dark on the left and bright on the right: all parts differ.
fn painted(size: [u32; 2]) -> Picture {
    Picture::from_fn(size, |x, y| {
        let noise = (x / 3 * 7919 + y / 3 * 104_729 + 1).wrapping_mul(2_654_435_761);
        let base = if x < size[0] / 2 { 20 } else { 190 };
        let part = |shift: u32| base + (noise >> shift & 63) as u8;
        [part(0), part(9), part(20), 255]
    })
}

#[test]
fn a_pictures_outputs_are_right() {
    let folder = Folder::new("picture");
    let size = [63, 37];
    let picture = painted(size);
    let image = folder.path("picture.png");
    picture.save_png(&image).unwrap();
    let mut arguments = words("--validate --size 63x37 --set mip_chain.filter=box --set scene.rerun=pixel_sort");
    arguments.extend(words("--set summed_area.every_frame=true"));
    arguments.extend(words("--set pixel_sort.cell_area=20 --set pixel_sort.empty=0.25 --image"));
    arguments.push(image.clone().into());
    let file = |name: &str| folder.path(&format!("{}.npy", name.replace('/', " ")));
    let levels: Vec<String> = (0..6).map(|level| format!("mip_chain/level {level}")).collect();
    for name in
        levels.iter().map(String::as_str).chain(["pixel_sort/entries", "pixel_sort/regions", "pixel_sort/counts"])
    {
        arguments.extend(save(name, &file(name)));
    }
    arguments.extend(save("summed_area/table", &file("summed_area/table")));
    arguments.extend(save("mip_chain/level 0", &folder.path("level.png")));
    arguments.extend(save("mip_chain/level 2", &folder.path("level.exr")));
    arguments.extend(words("--set downsample.size=[9,5]"));
    arguments.extend(save("downsample/result", &file("downsample/result")));
    saved(&arguments);

    // The mean of the area covered by each of its pixels: seven across, seven and two fifths down.
    let result = Npy::read(&file("downsample/result"));
    assert_eq!(result.shape, [5, 9, 4]);
    let light = |byte: u8| f64::from(srgb::decode(f32::from(byte) / 255.0));
    for (at, found) in result.f32s().as_chunks::<4>().0.iter().enumerate() {
        let (x, y) = (at % 9, at / 9);
        for channel in 0..3 {
            let mut sum = 0.0;
            for row in y * 37..(y + 1) * 37 {
                sum += (7 * x..7 * x + 7).map(|x| light(picture.rgba[(row / 5 * 63 + x) * 4 + channel])).sum::<f64>();
            }
            let (found, wanted) = (f64::from(found[channel]), sum / (7.0 * 37.0));
            assert!((found - wanted).abs() < 5e-3, "pixel {x}, {y}: {found}, expected {wanted}");
        }
        assert_eq!(found[3], 1.0);
    }

    // Level 0 is the picture, decoded by the hardware, which may be off by half of a step of the picture.
    let top = Npy::read(&file("mip_chain/level 0"));
    assert_eq!(top.shape, [37, 63, 4]);
    for (at, (light, bytes)) in top.light().iter().zip(picture.rgba.as_chunks::<4>().0).enumerate() {
        for channel in 0..3 {
            let byte = srgb::encode(light[channel] as f32) * 255.0;
            assert!((byte - f32::from(bytes[channel])).abs() < 0.5, "texel {at}: {light} for {bytes:?}");
        }
        assert_eq!(light.w, 1.0);
    }
    let again = Picture::load(&folder.path("level.png")).unwrap();
    assert_encoded(&again, &top);
    assert!(again.rgba.iter().zip(&picture.rgba).all(|(a, b)| a.abs_diff(*b) <= 1));

    // Each level is the mean of the one above.
    let mut above = top;
    for (name, shape) in levels.iter().zip([[37, 63], [18, 31], [9, 15], [4, 7], [2, 3], [1, 1]]).skip(1) {
        let level = Npy::read(&file(name));
        assert_eq!(level.shape, [shape[0], shape[1], 4], "{name}");
        let wanted = means(&above.light(), [above.shape[1], above.shape[0]], [shape[1], shape[0]]);
        for (at, (light, wanted)) in level.light().iter().zip(&wanted).enumerate() {
            assert!((*light - *wanted).abs().max_element() < 2e-3, "{name}, texel {at}: {light}, expected {wanted}");
        }
        above = level;
    }
    let two = Npy::read(&file(&levels[2]));
    assert_eq!(exr(&folder.path("level.exr")), (two.shape.clone(), two.halves()));

    // Sums of 8-bit luma, row by row.
    let table = Npy::read(&file("summed_area/table"));
    assert_eq!(table.shape, [37, 63]);
    let (mut above, found) = ([0; 63], table.u32s());
    for (row, sums) in picture.rgba.chunks_exact(4 * 63).zip(found.chunks_exact(63)) {
        let mut sum = 0;
        for (at, texel) in row.as_chunks::<4>().0.iter().enumerate() {
            let [r, g, b] = [0, 1, 2].map(|channel| u32::from(texel[channel]));
            sum += (54 * r + 183 * g + 19 * b + 128) / 256;
            above[at] += sum;
        }
        assert_eq!(sums, above);
    }

    // Cells: one tile, no pixel twice, about a quarter of them without an ID.
    let (entries, counts) =
        (Npy::read(&file("pixel_sort/entries")).u32s(), Npy::read(&file("pixel_sort/counts")).u32s());
    let pixels: BTreeSet<_> = entries.iter().filter(|entry| **entry != u32::MAX).collect();
    assert!(pixels.iter().all(|entry| **entry & 0xFFFF < 63 && **entry >> 16 < 37));
    assert_eq!(Npy::read(&file("pixel_sort/regions")).u32s(), [0, entries.len() as u32]);
    assert_eq!(counts[..2], [entries.len() as u32, pixels.len() as u32]);
    assert!((1300..2200).contains(&pixels.len()), "{} of 2331 pixels", pixels.len());
}

/// The frost's input against its reference, and the brightness of two lenses, one over dark and one over bright.
#[test]
fn the_glass_outputs_are_right() {
    let folder = Folder::new("glass");
    let picture = painted([203, 117]);
    let image = folder.path("picture.png");
    picture.save_png(&image).unwrap();
    let lens = |x: f32| format!("[[lens]]\ncenter = [{x}, 0.7]\nhalf = [{:.1}, {:.1}]\n", LENS_HALF.x, LENS_HALF.y);
    let preset = folder.path("two.toml");
    let glass = "[glass]\nfrost = 5.0\nmagnify = 1.0\ngap = 0.0\nbevel_height = 4.0\nbevel_width = 4.0\n";
    fs::write(&preset, glass.to_owned() + &lens(0.25) + &lens(0.8)).unwrap();
    for blur in ["preblur", "kawase"] {
        let mut arguments = words(&format!("--validate --size 203x117 --set glass.blur={blur}"));
        arguments.extend(["--image".into(), image.clone().into(), "--preset".into(), preset.clone().into()]);
        let (frosted, brightness) = (folder.path("frosted.npy"), folder.path("brightness.npy"));
        arguments.extend(save("glass/frosted", &frosted).into_iter().chain(save("glass/brightness", &brightness)));
        saved(&arguments);
        let frosted = Npy::read(&frosted);
        let (session, _) = session_of(&arguments);
        let encoded = picture.rgba.as_chunks::<4>().0.iter();
        let texels =
            encoded.map(|[r, g, b, _]| Vec3::new(f32::from(*r), f32::from(*g), f32::from(*b)) / 255.0).collect();
        let size = UVec2::from_array(picture.size);
        let below = glass::picture::Picture::new(glass::picture::Level { size, texels });
        let made = frosted_around(&below, session.settings.glass.blur, session.settings.glass.frost);
        assert_one_place(&frosted, &made, blur);

        let brightness = Npy::read(&brightness);
        assert_eq!(brightness.shape, [2, 4], "{blur}");
        let states = brightness.f32s();
        for (state, (x, side)) in states.as_chunks::<4>().0.iter().zip([(0.25, 0.0), (0.8, 1.0)]) {
            let wanted = brightness_around(&picture, Vec2::new(x, 0.7));
            assert!((state[0] - wanted).abs() < 0.04, "{blur}: {state:?}, expected {wanted}");
            // In the first frame the glass is complete at once.
            assert_eq!(state[1..], [side, side, 0.0], "{blur}");
        }
    }
}

/// One line, exit code 2, nothing printed or written: neither the missing output nor the others.
#[test]
fn missing_outputs_are_not_written() {
    let folder = Folder::new("missing");
    let flat = "--size 63x37 --set scene.source=picture";
    for (line, output, said) in [
        (flat, "meshlets/ids", "scene.source = \"world\""),
        (flat, "pixel_sort/entries", "scene.rerun = \"pixel_sort\""),
        (flat, "mip_chain/level 6", "whose last is level 5"),
        (
            "--size 63x37 --set scene.source=picture --set mip_chain.levels=3",
            "mip_chain/level 3",
            "whose last is level 2",
        ),
        (
            "--size 63x37 --set scene.source=picture --set glass.frost=0",
            "glass/frosted",
            "glass.frost over half a pixel",
        ),
        (
            "--size 63x37 --set scene.source=picture --set glass.mode=source",
            "glass/brightness",
            "glass.mode = \"lens\"",
        ),
        (&WORLD.replace("shade.by=list", "shade.by=raster"), "pixel_sort/regions", "shade.by = \"list\""),
    ] {
        let mut arguments = words(line);
        arguments.extend(save("mip_chain/level 0", &folder.path("there.npy")));
        arguments.extend(save(output, &folder.path("missing.npy")));
        arguments.extend(["--png".into(), folder.path("frame.png").into()]);
        let (code, line) = headless(&arguments);
        assert_eq!((code, line.lines().count()), (Some(2), 1), "{output}: {line}");
        assert!(line.starts_with(&format!("meniscus: --save {output}: ")) && line.contains(said), "{output}: {line}");
        assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 0, "{output}");
    }
}

/// Results of an earlier frame are no output of a later one.
#[test]
fn outputs_are_of_the_last_frame() {
    let has = |lines: &[&str], outputs: &[&str], wanted: &[&[bool]]| {
        let sessions: Vec<_> = lines.iter().map(|line| session_of(&words(line))).collect();
        let size = sessions[0].1;
        let sessions: Vec<_> = sessions.into_iter().map(|(session, _)| session).collect();
        rendered(&sessions, size, |at, renderer, _| {
            for (output, wanted) in outputs.iter().zip(wanted[at]) {
                let (technique, name) = output.split_once('/').unwrap();
                assert_eq!(output_of(renderer, technique, name).is_some(), *wanted, "frame {at}: {output}");
            }
            Ok(())
        });
    };
    let raster = WORLD.replace("shade.by=list", "shade.by=raster");
    let flat = format!("{WORLD} --set scene.source=picture");
    has(
        &[WORLD, &raster, &flat, &format!("{flat} --set scene.rerun=pixel_sort"), WORLD],
        &["pixel_sort/entries", "shade/light", "mip_chain/level 0"],
        &[&[true, true, true], &[false, true, true], &[false, false, true], &[true, false, true], &[true, true, true]],
    );
    let glass = "--size 63x37 --set scene.source=picture --set glass.frost";
    let changed = |more: &str| format!("{glass}=7 {more}");
    has(
        &[
            &changed(""),
            &format!("{glass}=0"),
            &changed("--set glass.mode=source"),
            &changed("--set glass.blur=trilinear"),
            &changed("--set glass.adaptive=0"),
            &changed("--lens -900,-900"),
        ],
        &["glass/frosted", "glass/brightness"],
        &[&[true, true], &[false, true], &[false, false], &[false, true], &[true, false], &[false, false]],
    );
}

/// States are within their box, and the layer contains their light.
#[test]
fn particles_outputs_are_right() {
    let folder = Folder::new("particles");
    let file = |name: &str| folder.path(&format!("{}.npy", name.replace('/', " ")));
    let asked = "--frames 3 --set particles.count=1000 --set particles.kind=motes --set particles.brightness=4.0";
    let mut arguments = [world_without_mirrors(), words(asked)].concat();
    for name in ["particles/state", "particles/layer"] {
        arguments.extend(save(name, &file(name)));
    }
    saved(&arguments);
    let state = Npy::read(&file("particles/state"));
    assert_eq!(state.shape, [1000, 8]);
    let words = state.u32s();
    let places = words.chunks_exact(8).map(|words| [0, 1, 2].map(|axis| f32::from_bits(words[axis])));
    assert!(places.clone().all(|place| place.iter().all(|x| x.is_finite())));
    let first = places.clone().next().unwrap();
    assert!(places.filter(|place| *place != first).count() > 900, "they are not all in one place");
    let layer = Npy::read(&file("particles/layer"));
    let [width, height] = WORLD_SIZE;
    assert_eq!(layer.shape, [height, width, 4]);
    assert!(layer.light().iter().any(|light| light.x > 0.0) && layer.light().iter().all(|light| light.is_finite()));
}
