//! Tests of `--pixel` on the program itself: the story of pixels of the default frame, beside the files that `--save` writes of it.

use super::{
    program::{Folder, save, words},
    readers::Npy,
};
use base::half;
use media::picture::Picture;
use serde_json::Value;
use std::{ffi::OsString, process::Command};

const SIZE: [usize; 2] = [640, 360];
/// Sky, the rim of the lens, its bevel, its face, a mirroring ball, and a corner.
const PIXELS: [[usize; 2]; 6] = [[60, 4], [130, 180], [140, 180], [320, 180], [407, 325], [639, 359]];

/// Exit code, standard output, standard error.
fn run(arguments: &[OsString]) -> (Option<i32>, String, String) {
    let output = Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/lib/under"))
        .arg(env!("CARGO_BIN_EXE_meniscus"))
        .arg("headless")
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env_remove("RUST_LOG")
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// The steps of a technique and name.
fn steps<'a>(story: &'a Value, technique: &str, name: &str) -> Vec<&'a Value> {
    let all = story["steps"].as_array().unwrap().iter();
    all.filter(|step| step["technique"] == technique && step["step"] == name).collect()
}

fn value<'a>(story: &'a Value, technique: &str, step: &str, name: &str) -> &'a Value {
    let steps = steps(story, technique, step);
    assert_eq!(steps.len(), 1, "{technique}/{step} of {}", story["pixel"]);
    let values = steps[0]["values"].as_array().unwrap();
    values.iter().find(|value| value["name"] == name).unwrap_or_else(|| panic!("{technique}/{step} {name}"))
}

/// Rounded to floats: the JSON reader may be wrong in the last digit of a double.
fn numbers(value: &Value) -> Vec<f64> {
    let number = |one: &Value| f64::from(one.as_f64().unwrap() as f32);
    match value {
        Value::Array(all) => all.iter().map(number).collect(),
        one => vec![number(one)],
    }
}

/// The first channels of a texel in a file.
fn texel(file: &Npy, [x, y]: [usize; 2], channels: usize) -> Vec<f64> {
    let all = file.shape.get(2).copied().unwrap_or(1);
    let first = (y * file.shape[1] + x) * all;
    let number = |index: usize| match file.kind.as_str() {
        "<u4" => f64::from(file.u32s()[index]),
        "<f4" => f64::from(file.f32s()[index]),
        _ => half::to_f64(file.halves()[index]),
    };
    (first..first + channels).map(number).collect()
}

/// The default frame with traced mirrors, which a software driver has only where they are looked at.
#[test]
fn stories_have_the_saved_numbers() {
    let folder = Folder::new("story");
    let outputs =
        ["meshlets/ids", "meshlets/depth", "shade/light", "reflections/light", "antialias/light", "mip_chain/level 3"];
    let files = outputs.map(|output| folder.path(&format!("{}.npy", output.replace(['/', ' '], "_"))));
    let png = folder.path("shown.png");
    let mut arguments = words(&format!("--size {}x{} --validate --png {}", SIZE[0], SIZE[1], png.display()));
    arguments.extend(outputs.iter().zip(&files).flat_map(|(output, file)| save(output, file)));
    arguments.extend(PIXELS.iter().flat_map(|[x, y]| words(&format!("--pixel {x},{y}"))));
    let (code, story, said) = run(&arguments);
    assert_eq!(code, Some(0), "{said}");
    let story: Value = serde_json::from_str(&story).unwrap();
    assert_eq!(story["size"], serde_json::json!(SIZE));
    let [ids, depth, light, traced, resolved, level] = files.map(|file| Npy::read(&file));
    let shown = Picture::load(&png).unwrap();
    let stories = story["pixels"].as_array().unwrap();
    assert_eq!(stories.len(), PIXELS.len());
    let mut comparisons = 0;
    for (story, at) in stories.iter().zip(PIXELS) {
        assert_eq!(story["pixel"], serde_json::json!(at));
        let of = |technique, step, name| value(story, technique, step, name);
        let shown_at = at;
        // The glass shows another pixel, where green light comes from.
        let at = match steps(story, "glass", "refraction").is_empty() {
            true => at,
            false => [0, 1].map(|axis| numbers(&of("glass", "refraction", "green from")["cpu"])[axis] as usize),
        };
        assert_eq!(numbers(&of("meshlets", "visibility", "world pixel")["cpu"]), at.map(|n| n as f64));
        assert_eq!(numbers(&of("meshlets", "visibility", "id")["stored"]), texel(&ids, at, 1));
        assert_eq!(numbers(&of("meshlets", "depth", "depth")["gpu"]), texel(&depth, at, 1));
        assert_eq!(numbers(&of("shade", "light", "light")["gpu"]), texel(&light, at, 3));
        assert_eq!(numbers(&of("antialias", "antialiasing", "light")["gpu"]), texel(&resolved, at, 3));
        assert_eq!(numbers(&of("mip_chain", "mip chain", "level 3")["gpu"]), texel(&level, at.map(|n| n / 8), 3));
        let bytes = &shown.rgba[4 * (shown_at[1] * SIZE[0] + shown_at[0])..][..3];
        let bytes: Vec<f64> = bytes.iter().map(|byte| f64::from(*byte)).collect();
        assert_eq!(numbers(&of("glass", "final value", "value")["gpu"]), bytes);
        for step in story["steps"].as_array().unwrap() {
            assert!(!step["values"].as_array().unwrap().is_empty(), "{step}");
            for value in step["values"].as_array().unwrap() {
                assert!(value["name"].is_string() && value["text"].is_string(), "{value}");
                if let Some(equal) = value["equal"].as_bool() {
                    assert!(equal, "{at:?}: {} {value}", step["step"]);
                    let measured = value["difference"].as_f64().unwrap() <= value["bound"].as_f64().unwrap();
                    assert!(measured && value.get("gpu").is_some() && value.get("cpu").is_some(), "{value}");
                    comparisons += 1;
                }
            }
        }
    }
    assert!(comparisons > 15 * PIXELS.len(), "{comparisons}");
    let regions = ["outside", "rim", "bevel", "face"];
    for (story, region) in stories.iter().zip(regions) {
        assert_eq!(value(story, "glass", "lens", "region")["cpu"], region, "{}", story["pixel"]);
    }
    let taps = |story| value(story, "glass", "refraction", "taps")["cpu"].as_array().unwrap().len();
    assert!(taps(&stories[2]) >= 3, "the bevel parts the colours");
    let from = |name| numbers(&value(&stories[2], "glass", "refraction", name)["cpu"])[0];
    assert!(from("red from") != from("green from") && from("green from") != from("blue from"));
    assert!(
        value(&stories[0], "meshlets", "visibility", "id")["stored"] == 0
            && steps(&stories[0], "shade", "material").is_empty()
    );
    let of_mirror = |name| value(&stories[4], "reflections", "mirror", name);
    let [x, y] = PIXELS[4];
    assert_eq!(numbers(&of_mirror("light")["gpu"]), texel(&traced, [x, y], 3));
    let bounces = texel(&traced, [x, y], 4)[3];
    assert!(bounces >= 1.0 && of_mirror("bounces")["gpu"] == bounces && !of_mirror("first hit")["cpu"].is_null());
    assert_eq!(numbers(&of_mirror("light with the mirror")["gpu"]), texel(&light, [x, y], 3));
    assert_eq!(of_mirror("light with the mirror")["equal"], true);
    let summary = |technique, name| steps(&stories[4], technique, name)[0]["summary"].as_str().unwrap();
    assert_eq!(summary("meshlets", "visibility"), "chrome ball");
    assert!(summary("reflections", "mirror").starts_with("reflects the "), "{}", summary("reflections", "mirror"));
    let shades = value(&stories[4], "shade", "material", "material");
    assert!(shades["cpu"]["kind"].is_string(), "{shades}");
}

#[test]
fn wrong_pixels_are_refused() {
    for (arguments, expected) in [
        ("--size 64x48 --pixel 64,0", "--pixel 64,0: the picture has 64x48 pixels; expected 0,0 to 63,47"),
        ("--size 64x48 --pixel 3,48", "--pixel 3,48: the picture has 64x48 pixels; expected 0,0 to 63,47"),
        ("--pixel -1,5", "expected X,Y, a column and a row from the top left, as in 640,360"),
        ("--pixel 5", "expected X,Y"),
        ("--pixel 1,2 --view glass/distance", "--pixel tells the story of the final image; expected no --view"),
        ("--pixel 1,2 --json -", "is written by each; expected a file for each"),
    ] {
        let (code, story, said) = run(&words(arguments));
        assert_eq!((code, story.as_str()), (Some(2), ""), "{arguments}: {said}");
        assert!(said.contains(expected) && said.trim_end().lines().count() == 1, "{arguments}: {said}");
    }
}
