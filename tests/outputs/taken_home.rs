//! Tests of files that other programs read or have written: copied shaders, HDR pictures below the glass and as the sky.

use super::program::{Folder, headless, saved, words};
use media::picture::Picture;
use std::{ffi::OsString, fs, path::Path};

fn with_file(line: &str, option: &str, file: &Path) -> Vec<OsString> {
    [words(line), vec![option.into(), file.into()]].concat()
}

#[test]
fn lenses_are_written_as_shaders() {
    let folder = Folder::new("copy-as");
    let files = ["a.glsl", "b.frag", "c.WGSL", "d.metal", "e.hlsl", "f.es.frag"].map(|name| folder.path(name));
    let mut line = words("--size 160x100 --set scene.source=picture --set glass.ior=1.625 --lens 70,40");
    files.iter().for_each(|file| line.extend([OsString::from("--copy-as"), file.into()]));
    saved(&line);
    let texts = files.each_ref().map(|file| fs::read_to_string(file).unwrap());
    for (text, entry) in
        texts.iter().zip(["void mainImage(", "void main()", "fn glass(", "fragment glass", "glass(", "void main()"])
    {
        assert!(text.contains(entry) && text.contains("SPDX-License-Identifier"), "{entry}");
        // WGSL writes 160f.
        let text = text.replace("f,", ".0,").replace("f)", ".0)");
        assert!(text.contains("1.625") && text.contains("160.0, 100.0") && text.contains("70.0, 40.0"), "{entry}");
    }
    let page = folder.path("g.html");
    saved(&with_file(
        "--size 160x100 --set scene.source=picture --set glass.ior=1.625 --lens 70,40",
        "--copy-as",
        &page,
    ));
    let page = fs::read_to_string(&page).unwrap();
    let values =
        ["SPDX-License-Identifier", "const area = [160.0, 100.0]", "at: [0.4375, 0.4]", "ior: 1.625,", "fn draw("];
    assert!(values.iter().all(|value| page.contains(value)) && !page.contains("@picture@"));
    assert_eq!(page.matches("data:image/jpeg;base64,/9j/").count(), 2);
    let refused = |line: &str, name: &str, said: &str| {
        let file = folder.path(name);
        let (code, why) = headless(&with_file(line, "--copy-as", &file));
        assert!(code == Some(2) && why.contains(said) && why.lines().count() == 1, "{code:?} {why}");
        assert!(!file.exists());
    };
    refused("--size 8x8", "d.cg", "expected a file that ends in .glsl (ShaderToy), .frag (GLSL), .wgsl (WGSL)");
    refused("--size 64x64 --set scene.source=picture --set glass.mode=source", "e.frag", "expected glass.mode");
}

#[test]
fn light_is_a_picture_and_a_sky() {
    let folder = Folder::new("hdr");
    let (light, plain, toned, under) =
        (folder.path("light.exr"), folder.path("plain.png"), folder.path("toned.png"), folder.path("under.png"));
    let world = "--size 128x64 --set scene.source=world --set scene.place=diffuse --set scene.antialias=off";
    saved(
        &[with_file(world, "--png", &plain), vec!["--save".into(), format!("shade/light={}", light.display()).into()]]
            .concat(),
    );
    // Light of 6 is white paper in a world, 1 in a file: 2.585 EV apart.
    let shown = "--size 128x64 --set shade.exposure=-2.5849625 --set glass.preset=clear --lens -900,-900";
    saved(&[with_file(shown, "--image", &light), vec!["--png".into(), toned.clone().into()]].concat());
    let shown = Picture::load(&toned).unwrap();
    let bright = shown.rgba.chunks_exact(4).map(|p| u64::from(p[1])).sum::<u64>() / (128 * 64);
    assert!((30..230).contains(&bright) && shown.size == [128, 64], "{bright}");
    saved(&[with_file(world, "--sky", &light), vec!["--png".into(), under.clone().into()]].concat());
    let [plain, under] = [&plain, &under].map(|file| Picture::load(file).unwrap());
    let differing = plain.rgba.iter().zip(&under.rgba).filter(|(a, b)| a.abs_diff(**b) > 8).count();
    assert!(differing > plain.rgba.len() / 10, "{differing} numbers differ");
    let bytes = fs::read(&light).unwrap();
    fs::write(&light, &bytes[..bytes.len() / 2]).unwrap();
    for option in ["--image", "--sky"] {
        let (code, why) = headless(&with_file("--size 8x8", option, &light));
        let is_said = why.contains(option) && why.contains("cut off") && why.contains("expected an OpenEXR");
        assert!(code == Some(2) && is_said && why.lines().count() == 1, "{code:?} {why}");
    }
}
