//! Tests of the program with bad arguments: exit code 2, exactly one line on standard error, nothing on standard output.

use std::ffi::OsString;
use std::process::{Command, Output};

fn meniscus(arguments: &[OsString]) -> Output {
    // scripts/test may have chosen another dynamic loader for the drivers it chose; see there
    Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/lib/under"))
        .arg(env!("CARGO_BIN_EXE_meniscus"))
        .args(arguments)
        .env_remove("RUST_LOG")
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .output()
        .expect("the program starts")
}

fn words(line: &str) -> Vec<OsString> {
    line.split_whitespace().map(OsString::from).collect()
}

fn refused(arguments: &[OsString], mentions: &str) {
    let output = meniscus(arguments);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
    assert_eq!(said.lines().count(), 1, "{arguments:?}: {said}");
    assert!(said.ends_with('\n') && said.starts_with("meniscus: "), "{arguments:?}: {said}");
    assert!(!said.contains("panicked") && !said.contains("RUST_BACKTRACE"), "{arguments:?}: {said}");
    assert!(said.contains(mentions) && !said.contains("Usage"), "{arguments:?} should mention {mentions:?}: {said}");
    assert!(output.stdout.is_empty(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn bad_words_are_refused() {
    let cases = [
        ("nonsense", "nonsense"),
        ("headles", "headless"),
        ("headless extra", "extra"),
        ("verify a b", "b"),
        ("list glass", "glass"),
        ("--bogus", "--bogus"),
        ("-x", "-x"),
        ("window --frames 3", "--frames"),
        ("window --save meshlets/ids=a.npy", "--save"),
        ("bench --save meshlets/ids=a.npy", "--save"),
        ("headless --save", "--save"),
        ("--frames 3", "--frames"),
        ("bench --png a.png", "--png"),
        ("headless --quick", "--quick"),
        ("verify --lens 1,2", "--lens"),
        ("shaders a b", "b"),
        ("shaders glas", "glass"),
        ("shaders --quick", "--quick"),
        ("--lens 1,2 shaders", "--lens"),
        ("tables --any-device", "--any-device"),
        ("--lens 1,2 tables", "--lens"),
        ("bench --any-device", "--against"),
        ("bench --against", "--against"),
        ("bench --against no/such.json", "--against no/such.json"),
        ("bench --against src", "folder"),
        ("headless --against a.json", "--against"),
        ("--lens 1,2 bench", "--lens"),
        ("--view a/b list", "--view"),
        ("--size", "--size"),
        ("--size --validate", "--size"),
        ("--set", "--set"),
        ("--gpu", "--gpu"),
        ("headless --png", "--png"),
        ("--size 1x1 --size 2x2", "--size"),
        ("--size 1x1 headless --size 2x2", "--size"),
        ("--validate=yes", "--validate"),
        ("--image a.png --scene b.glb", "--scene"),
        ("headless --frame 5", "unexpected argument '--frame' found; a similar argument exists: '--frames'"),
        ("bnech", "unrecognized subcommand 'bnech'; a similar subcommand exists: 'bench'"),
        ("headless --fresh", "--fresh is not for headless"),
        ("--fresh list", "--fresh is not for list"),
        ("headless --open a.json", "--open is not for headless"),
        ("--open a.json bench", "--open is not for bench"),
        ("window --open no/such.json", "--open no/such.json: No such file or directory"),
        ("--lens 1,2 list", "--lens is not for list; expected it with window or headless"),
    ];
    for (line, mentions) in cases {
        refused(&words(line), mentions);
    }
}

#[test]
fn bad_values_are_refused() {
    let cases = [
        ("--size 0x0", "1280x720"),
        ("--size 5", "invalid value '5' for '--size <WxH>': expected WIDTHxHEIGHT"),
        ("--size +1x5", "+1x5"),
        ("headless --frames abc", "'abc' for '--frames <N>': expected a whole number from 1 to 1000000"),
        ("headless --capture-pass a/:1=c", "PASS/BINDING[:MIP]=FILE"),
        ("headless --capture-pass a/b:-1=c", "PASS/BINDING[:MIP]=FILE"),
        ("headless --capture-pass a/b=", "PASS/BINDING[:MIP]=FILE"),
        ("headless --pixel 1,2,3", "a column and a row"),
        ("headless --pixel +1,2", "a column and a row"),
        ("headless --steps :1,2 --png-series a", "TECHNIQUE:X,Y"),
        ("headless --lens 1e30,0", "X,Y"),
        ("--set a-b.c=1", "technique.field=value"),
        ("headless --view a/b@full@lens", "@split"),
        ("headless --save a/b/c=d", "TECHNIQUE/OUTPUT=FILE"),
        ("--size 16385x1", "16384"),
        ("--size 1e3x5", "1e3x5"),
        ("--size=", "--size"),
        ("headless --frames 0", "0"),
        ("headless --frames -3", "'-3' for '--frames <N>': expected a whole number from 1 to 1000000"),
        ("headless --against-rest -1", "expected a whole number from 1 to"),
        ("headless --display-hz -60", "expected a number from 1 to 1000"),
        ("bench --reps -1", "expected a whole number from 1 to"),
        ("tables --reps -1", "expected a whole number from 1 to"),
        ("--size -1x5", "expected WIDTHxHEIGHT"),
        ("headless --b-size -1x5", "expected WIDTHxHEIGHT"),
        ("bench --sizes -1x5", "expected WIDTHxHEIGHT"),
        ("headless --frames 99999999999999999999", "--frames"),
        ("headless --frames many", "many"),
        ("headless --path zigzag", "drag, orbit"),
        ("headless --fresh", "--fresh"),
        ("--fresh verify", "--fresh"),
        ("bench mip_chain --formats nope", "rgba8"),
        ("bench glass --formats rgba8", "--formats"),
        ("--preset /dev/zero.toml", "No such file"),
        ("headless --lens 5", "X,Y"),
        ("headless --lens 5,nan", "X,Y"),
        ("headless --view glass", "TECHNIQUE/NAME"),
        ("headless --view glass/distance@above", "@split"),
        ("headless --save ids", "TECHNIQUE/OUTPUT=FILE"),
        ("headless --save meshlets/ids", "TECHNIQUE/OUTPUT=FILE"),
        ("headless --save meshlets/ids=", "TECHNIQUE/OUTPUT=FILE"),
        ("headless --save =ids.npy", "TECHNIQUE/OUTPUT=FILE"),
        ("headless --save meshlets=ids.npy", "TECHNIQUE/OUTPUT=FILE"),
        ("headless --save meshlet/ids=ids.npy", "\"meshlets\""),
        ("headless --save meshlets/idz=ids.npy", "\"ids\""),
        ("headless --save meshlets/nothing=ids.npy", "expected one of ids, depth"),
        ("headless --save mip_chain/level=a.npy", "\"level 0\""),
        ("headless --save meshlets/ids=ids", ".npy, .png or .exr"),
        ("headless --save meshlets/ids=.npy", ".npy, .png or .exr"),
        ("headless --save meshlets/ids=ids.tif", ".npy, .png or .exr"),
        ("headless --copy-as lens.cg", ".glsl (ShaderToy), .frag (GLSL), .wgsl (WGSL), .metal (Metal)"),
        ("headless --copy-as lens", ".hlsl (HLSL), .es.frag (GLSL ES), .html (Web page)"),
        ("headless --copy-as", "--copy-as"),
        ("window --copy-as lens.frag", "--copy-as"),
        ("--sky no/such.exr", "--sky no/such.exr"),
        ("--sky src", "folder"),
        ("--sky Cargo.toml", "expected an OpenEXR"),
        ("headless --save meshlets/ids=ids.png", "u32, h x w"),
        ("headless --save meshlets/depth=depth.exr", "ends in .npy"),
        ("headless --save pixel_sort/entries=list.PNG", "ends in .npy"),
        ("--set glass", "technique.field=value"),
        ("--set glass.frost", "technique.field=value"),
        ("--set glass.frost=", "technique.field=value"),
        ("--set =", "technique.field=value"),
        ("--preset a/b", ".toml"),
        ("--gpu=", "list"),
        ("bench --sizes 1x1,5", "5"),
        ("bench --sizes ,", "--sizes"),
        ("bench --formats a,,b", "--formats"),
        ("bench --reps 0", "0"),
        ("bench --reps x", "--reps"),
    ];
    for (line, mentions) in cases {
        refused(&words(line), mentions);
    }
}

#[test]
fn files_that_cannot_be_used_are_refused_before_any_work() {
    let cases = [
        ("--image no/such.png", "--image no/such.png: No such file or directory"),
        ("headless --png no/such.png", "--png no/such.png: its folder does not exist; expected a file to write"),
        ("headless --json .", "--json .: it names no file"),
        ("--preset src/.toml", "--preset src/.toml: No such file"),
        ("--image src", "folder"),
        ("headless --image src/", "folder"),
        ("--scene no/such.glb", "no/such.glb"),
        ("--preset no/such.toml", "no/such.toml"),
        ("headless --png no/such/out.png", "no/such/out.png"),
        ("headless --png src", "folder"),
        ("headless --png /", "/"),
        ("headless --png out.jpg", "ends in .png or -"),
        ("headless --save meshlets/ids=no/such/ids.npy", "no/such/ids.npy"),
        ("headless --save meshlets/ids=a.npy --save meshlets/depth=a.npy", "--save twice"),
        ("headless --save meshlets/ids=a.npy --save meshlets/ids=./src/../a.npy", "--save twice"),
        ("headless --save shade/light=a.png --png a.png", "--png and --save"),
        ("headless --save shade/light=a.npy --json a.npy", "--json and --save"),
        ("headless --trace no/such.json", "no/such.json"),
        ("bench --json no/such.json", "no/such.json"),
        ("list --json ..", ".."),
    ];
    for (line, mentions) in cases {
        refused(&words(line), mentions);
    }
}

#[test]
fn bad_settings_are_refused() {
    let cases = [
        ("--set glass.forst=1", "frost"),
        ("--set glas.frost=1", "glass"),
        ("--set glass.frost=-1", "from 0 to 64"),
        ("--set glass.frost=1e99", "from 0 to 64"),
        ("--set glass.frost=nan", "from 0 to 64"),
        ("--set glass.frost=many", "from 0 to 64"),
        ("--set glass.frost=true", "from 0 to 64"),
        ("--set glass.mode=lenz", "lens"),
        ("--set glass.mode=1", "lens"),
        ("--set glass.tint=[1,2,3]", "from 0 to 1"),
        ("--set glass.tint=[1,1]", "three numbers"),
        ("--set mip_chain.method=quick", "single_pass"),
        ("--set summed_area.every_frame=2", "true or false"),
        ("--set display.frames_in_flight=4", "from 1 to 3"),
        ("--set display.frames_in_flight=1.5", "whole number"),
        ("--set glass.preset=frostig", "frosted"),
        ("--preset frostig", "frosted"),
        ("--view glass/distanz", "distance"),
        ("--view glas/distance", "glass"),
        ("headless --view mip_chain/nothing@lens", "level"),
        ("verify glas", "glass"),
        ("bench mipchain", "mip_chain"),
        ("headless --gpu 99", "no such GPU"),
        ("headless --gpu voodoo", "voodoo"),
        ("--scene Cargo.toml", "JSON"),
    ];
    for (line, mentions) in cases {
        refused(&words(line), mentions);
    }
}

/// A temporary file of the test, removed when dropped.
struct File(std::path::PathBuf);

impl File {
    fn new(name: &str, bytes: &[u8]) -> Self {
        let file = std::env::temp_dir().join(format!("meniscus-cli-{}-{name}", std::process::id()));
        std::fs::write(&file, bytes).expect("a file of our own");
        Self(file)
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[test]
fn bad_preset_files_are_refused() {
    let cases: [(&str, &[u8], &str); 7] = [
        ("syntax.toml", b"[glass]\nfrost = = 1\n", "line 2"),
        ("field.toml", b"[glass]\nforst = 1\n", "frost"),
        ("section.toml", b"[glas]\nfrost = 1\n", "glass"),
        ("range.toml", b"[glass]\nfrost = 1000\n", "from 0 to 64"),
        ("type.toml", b"glass = 3\n", "section"),
        ("bytes.toml", &[0xff, 0xfe, 0x00], "UTF-8"),
        ("twice.toml", b"[glass]\nfrost = 1\nfrost = 2\n", "line 3"),
    ];
    for (name, bytes, mentions) in cases {
        let file = File::new(name, bytes);
        refused(&["--preset".into(), file.0.clone().into()], mentions);
        refused(&["headless".into(), "--preset".into(), file.0.clone().into()], name);
    }
}

#[test]
fn bad_pictures_are_refused() {
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0";
    let cases: [(&str, &[u8]); 4] =
        [("empty.png", b""), ("text.png", b"not a picture"), ("cut.png", png), ("cut.jpg", &[0xff, 0xd8, 0xff, 0xe0])];
    for (name, bytes) in cases {
        let file = File::new(name, bytes);
        refused(&["--image".into(), file.0.clone().into()], name);
        refused(&["headless".into(), "--image".into(), file.0.clone().into()], name);
    }
}

#[test]
fn strange_bytes_are_refused_on_one_line() {
    for strange in ["a\nb", "a\r\nb\n\n", "\u{1b}[2J", "", " ", "\u{202e}x", "%s%n", "🦀"] {
        refused(&["--size".into(), strange.into()], "--size");
        refused(&[strange.into()], "meniscus");
        refused(&["headless".into(), "--view".into(), strange.into()], "--view");
        refused(&["headless".into(), "--save".into(), strange.into()], "--save");
        let file = format!("meshlets/ids=no-such-{strange}/ids.npy");
        refused(&["headless".into(), "--save".into(), file.into()], "--save");
    }
    refused(&["--image".into(), "no/such\nfile\0x".replace('\0', "").into()], "no/such file");
}

#[cfg(unix)]
#[test]
fn arguments_that_are_not_text_are_refused() {
    use std::os::unix::ffi::OsStringExt as _;
    let strange = || OsString::from_vec(vec![b'x', 0xff, 0xfe]);
    refused(&[strange()], "meniscus");
    refused(&["--gpu".into(), strange()], "UTF-8");
    refused(&["--preset".into(), strange()], "UTF-8");
    refused(&["--image".into(), strange()], "--image");
    refused(&["headless".into(), "--save".into(), strange()], "UTF-8");
}

#[test]
fn help_and_version_go_to_standard_output() {
    for line in ["--help", "-h", "headless --help", "bench -h", "--version", "-V"] {
        let output = meniscus(&words(line));
        assert_eq!(output.status.code(), Some(0), "{line}");
        assert!(output.stderr.is_empty() && !output.stdout.is_empty(), "{line}");
    }
    let help = String::from_utf8(meniscus(&words("--help")).stdout).unwrap();
    for word in ["window", "headless", "verify", "bench", "list", "--gpu", "--set", "--validate"] {
        assert!(help.contains(word), "{word}");
    }
}

#[test]
fn without_a_driver_it_says_what_helps() {
    let output = Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/lib/under"))
        .arg(env!("CARGO_BIN_EXE_meniscus"))
        .arg("headless")
        .env_remove("RUST_LOG")
        .env("VK_DRIVER_FILES", "/nowhere.json")
        .env("VK_ICD_FILENAMES", "/nowhere.json")
        .output()
        .expect("the program starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.code() == Some(1) && said.contains("no Vulkan driver in VK_DRIVER_FILES=/nowhere.json;"),
        "{said}"
    );
}
