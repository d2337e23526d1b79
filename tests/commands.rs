//! Tests of `bench --against`, `shaders` and `headless --steps` as they are typed.

use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn meniscus(line: &str) -> Command {
    // scripts/test may have chosen another dynamic loader for the drivers it chose; see there
    let mut command = Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/lib/under"));
    command.arg(env!("CARGO_BIN_EXE_meniscus")).args(line.split_whitespace());
    for name in ["RUST_LOG", "DISPLAY", "WAYLAND_DISPLAY"] {
        command.env_remove(name);
    }
    command
}

fn run(line: &str) -> Output {
    meniscus(line).output().expect("the program starts")
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// A folder of this test, without spaces in its path.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("meniscus-commands-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn read(file: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap()
}

/// The file with each time multiplied. Without probes: a software driver's differ from run to run.
fn scaled(from: &Path, factor: f64, to: &Path) {
    let mut all = read(from);
    for row in all["rows"].as_array_mut().unwrap() {
        let times = &mut row["gpu_us"];
        for name in ["median", "min", "p95"] {
            times[name] = json!(times[name].as_f64().unwrap() * factor);
        }
        let interval = times["interval"].as_array().unwrap().iter().map(|us| us.as_f64().unwrap() * factor);
        times["interval"] = interval.collect::<Vec<_>>().into();
        row["probe_us"] = Value::Null;
    }
    std::fs::write(to, all.to_string()).unwrap();
}

const BENCH: &str = "bench mip_chain --quick --reps 12 --sizes 16x16 --formats rgba16f";

#[test]
fn tables_have_the_sources_figures_and_those_of_this_machine() {
    let folder = folder("tables");
    let file = folder.join("tables.json");
    let output = run(&format!("tables mip_chain --quick --reps 2 --json {}", file.display()));
    let text = said(&output);
    assert!(output.status.success() && text.contains("M = 6") && text.contains("shared memory"), "{text}");
    let tables = &read(&file)["tables"];
    assert_eq!((&tables[0]["technique"], &tables[0]["table"]), (&json!("mip_chain"), &json!("levels")));
    let rows = tables[0]["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 6);
    for row in rows {
        assert!(row["gpu_us"]["median"].as_f64().unwrap() > 0.0 && row["gpu_us"]["n"] == 2, "{row}");
        assert!(row["source"]["tile"].is_string() && row["checked"] == true, "{row}");
    }

    let output = run("tables meshlets --quick");
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("no source document"), "{}", said(&output));
    std::fs::remove_dir_all(folder).unwrap();
}

/// Those that need no scene; `suites` holds all of them to their checks.
#[test]
fn a_break_shows_in_the_lens() {
    let folder = folder("breaks");
    let difference = |arguments: &str| {
        let file = folder.join("break.json");
        let line = format!("headless --size 320x200 --set scene.source=picture {arguments} --json {}", file.display());
        let output = run(&line);
        assert!(output.status.success(), "{arguments}: {}", said(&output));
        read(&file)["b"]["picture"]["max"].as_u64()
    };
    for arguments in [
        "--set lab.break=refraction",
        "--set lab.break=prefilter --set glass.frost=12 --set glass.blur=trilinear",
        "--set lab.break=barrier --set glass.frost=4",
        "--set lab.break=acquire --set glass.frost=12",
    ] {
        let most = difference(arguments);
        assert!(most.is_some_and(|most| most > 16), "{arguments}: {most:?} of 255");
    }
    assert_eq!(difference("--set lab.break=none"), None, "nothing is dropped: there is no B");
    let output = run("headless --set lab.break=lanes --b glass.frost=3");
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    std::fs::remove_dir_all(folder).unwrap();
}

/// What a command says in the end that `is_right`: on a busy machine all rows of a comparison may be too noisy to tell.
fn told(command: &str, is_right: impl Fn(&Output, &str) -> bool) -> String {
    let mut said_before = String::new();
    for _ in 0..5 {
        let output = run(command);
        let text = said(&output);
        if is_right(&output, &text) {
            return text;
        }
        said_before = text;
    }
    panic!("{command}: {said_before}");
}

#[test]
fn bench_compares_with_an_earlier_run() {
    let folder = folder("bench");
    let [first, fast, slow, other, new] =
        ["first", "fast", "slow", "other", "new"].map(|name| folder.join(format!("{name}.json")));
    let output = run(&format!("{BENCH} --json {}", first.display()));
    assert!(output.status.success(), "{}", said(&output));
    let rows = read(&first)["rows"].as_array().unwrap().len();
    scaled(&first, 1e-3, &fast);
    scaled(&first, 1e3, &slow);

    // Every row is a thousand times slower than it was. Other work on the machine may make some of them too noisy to tell.
    let against = format!("{BENCH} --against {} --json {}", fast.display(), new.display());
    let text = told(&against, |output, _| output.status.code() == Some(1));
    assert!(text.contains(&format!("slower than in {}", fast.display())), "{text}");
    let against = &read(&new)["against"];
    let slower = against["slower"].as_u64().unwrap();
    assert!(slower > 0 && text.contains(&format!("{rows} rows compared: {slower} slower, 0 faster, 0 same")), "{text}");
    assert_eq!(against["only_here"], json!(0), "the JSON is written, too");
    let is_slower = |row: &&serde_json::Value| row["verdict"] == "slower";
    let row = against["rows"].as_array().unwrap().iter().find(is_slower).unwrap();
    assert_eq!(row["slower_again_us"].as_array().unwrap().len(), 2, "measured twice more");

    told(&format!("{BENCH} --against {}", slow.display()), |output, text| {
        output.status.success() && text.contains(" 0 slower, ") && !text.contains(", 0 faster")
    });

    let mut changed = read(&slow);
    changed["device"]["driver"] = json!("another driver");
    std::fs::write(&other, changed.to_string()).unwrap();
    let output = run(&format!("{BENCH} --against {}", other.display()));
    let text = said(&output);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains("another driver") && text.contains("expected the same, or --any-device"), "{text}");
    let output = run(&format!("{BENCH} --against {} --any-device", other.display()));
    assert!(output.status.success(), "{}", said(&output));

    let output = run(&format!("bench mip_chain --quick --sizes 17x16 --formats rgba16f --against {}", slow.display()));
    let text = said(&output);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains(&format!("none of its {rows} rows was measured now")), "{text}");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_file_that_is_no_benchmark_is_refused_before_anything_is_measured() {
    let folder = folder("refused");
    let file = folder.join("old.json");
    for (text, why) in [
        ("", "no result of bench"),
        ("{\"passes\": {}}", "no result of bench"),
        (r#"{"device": {"name": "a", "driver": "b"}, "rows": []}"#, "no rows"),
        (
            r#"{"device": {"name": "a", "driver": "b"}, "rows": [{"technique": "t", "case": "c", "variant": "v",
                "gpu_us": {"median": 1.0, "min": 1.0, "p95": 1.0, "n": 5}, "probe_us": null}]}"#,
            "an earlier version wrote it",
        ),
    ] {
        std::fs::write(&file, text).unwrap();
        let output = run(&format!("bench --against {}", file.display()));
        let lines = said(&output);
        assert_eq!((output.status.code(), lines.lines().count()), (Some(2), 1), "{lines}");
        assert!(lines.contains(why) && lines.contains("expected what bench --json writes"), "{lines}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

/// The worst figures of a shader; what is missing is that of its family's goal: no spills, and its waves per SIMD.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Limit {
    waves: Option<u64>,
    spills: Option<u64>,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Family {
    waves: u64,
    #[serde(default)]
    exceptions: BTreeMap<String, Limit>,
}

/// radv compiles for families of AMD's GPUs without one: no program of a pipeline may be above its limit. Skipped, with a line that says so,
/// where scripts/test found no radv.
#[test]
fn no_shader_is_above_its_limit_on_amd() {
    let families: BTreeMap<String, Family> = toml::from_str(include_str!("radv/limits.toml")).unwrap();
    for (family, Family { waves: goal, exceptions }) in &families {
        for (shader, Limit { waves, spills }) in exceptions {
            let file = shader.split(':').next().unwrap();
            let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("shaders").join(file);
            assert!(file.is_file(), "{family}: there is no shader {shader}");
            let excepts = waves.is_some_and(|waves| waves < *goal) || spills.is_some_and(|spills| spills > 0);
            assert!(excepts, "{family} {shader}: reaches the goal");
        }
    }
    let Some(driver) = std::env::var_os("MENISCUS_RADV").filter(|driver| !driver.is_empty()) else {
        return eprintln!("skipped: no radv (scripts/test names it in MENISCUS_RADV)");
    };
    let folder = folder("shaders");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/lib/null-device");
    let made = Command::new(script).arg(driver).arg(&folder).output().unwrap();
    assert!(made.status.success(), "{}", said(&made));
    let driver = String::from_utf8_lossy(&made.stdout).trim_end().to_owned();
    let (folder, driver) = (&folder, &driver);
    std::thread::scope(|threads| {
        for (family, Family { waves: goal, exceptions }) in &families {
            threads.spawn(move || {
                let file = folder.join(format!("{family}.json"));
                let mut command = meniscus(&format!("shaders --json {}", file.display()));
                let output = command.env("VK_DRIVER_FILES", driver).env("RADV_FORCE_FAMILY", family).output().unwrap();
                assert!(output.status.success(), "{family}: {}", said(&output));
                let report = read(&file);
                let rows = report["rows"].as_array().unwrap();
                let of = |technique: &str| {
                    rows.iter().filter(|row| row["shader"].as_str().unwrap().starts_with(technique)).count()
                };
                for technique in
                    ["antialias/", "downsample/", "glass/", "meshlets/", "mip_chain/", "particles/", "pixel_sort/"]
                {
                    assert!(of(technique) > 1, "{family}: {technique} has no rows");
                }
                for technique in ["reflections/bounce", "shade/shade.comp:light", "summed_area/", "renderer/"] {
                    assert!(of(technique) > 0, "{family}: {technique} has no rows");
                }
                for row in rows {
                    let shader = row["shader"].as_str().unwrap();
                    let figure =
                        |name: &str| row[name].as_u64().unwrap_or_else(|| panic!("{family} {shader}: no {name}"));
                    let (waves, spills) = (figure("waves"), figure("spilled") + figure("scalar_spilled"));
                    let limit = exceptions.get(shader);
                    let least = limit.and_then(|limit| limit.waves).unwrap_or(*goal);
                    let most = limit.and_then(|limit| limit.spills).unwrap_or(0);
                    assert!(waves >= least && spills <= most, "{family} {shader}: {waves} waves, {spills} spills");
                    assert!(figure("registers") > 0, "{family} {shader}");
                }
            });
        }
    });
    std::fs::remove_dir_all(folder).unwrap();
}

/// With figures where the driver tells them, else with one line that says what is missing.
#[test]
fn shaders_prints_a_table_or_says_why_not() {
    let output = run("shaders mip_chain --size 64x36");
    let text = said(&output);
    if output.status.success() {
        assert!(text.contains("mip_chain/") && !text.contains("\nglass/"), "{text}");
    } else {
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert!(text.contains("VK_KHR_pipeline_executable_properties"), "{text}");
    }
}

/// A copy of the shaders with one text replaced.
fn broken(folder: &Path, file: &str, [from, to]: [&str; 2]) -> PathBuf {
    let shaders = Path::new(env!("CARGO_MANIFEST_DIR")).join("shaders");
    let copy = folder.join("shaders");
    let mut folders = vec![PathBuf::new()];
    while let Some(below) = folders.pop() {
        std::fs::create_dir_all(copy.join(&below)).unwrap();
        for entry in std::fs::read_dir(shaders.join(&below)).unwrap().map(Result::unwrap) {
            let path = below.join(entry.file_name());
            if entry.file_type().unwrap().is_dir() {
                folders.push(path);
            } else {
                std::fs::copy(entry.path(), copy.join(path)).unwrap();
            }
        }
    }
    let text = std::fs::read_to_string(copy.join(file)).unwrap();
    assert_eq!(text.matches(from).count(), 1, "{file}: {from}");
    std::fs::write(copy.join(file), text.replace(from, to)).unwrap();
    copy
}

#[test]
fn steps_are_drawn_and_a_broken_shader_is_noticed() {
    let folder = folder("steps");
    let breaks = [
        ("pixel_sort:150,20", "pixel_sort/sort.comp", ["0xFFFF : within_of(entry);", "0xFFFF : within_of(entry) ^ 1;"]),
        ("mip_chain:199,129", "mip_chain/taps.glsl", ["vec3(0.5, 0.5, 0.0)", "vec3(0.7, 0.3, 0.0)"]),
        ("summed_area", "summed_area/source.glsl", ["54", "55"]),
    ];
    for (steps, file, replaced) in breaks {
        let pictures = folder.join(steps.split(':').next().unwrap());
        let line = format!(
            "headless --size 200x130 --set scene.source=picture --steps {steps} --png-series {}",
            pictures.display()
        );
        let output = run(&line);
        let text = said(&output);
        assert!(output.status.success(), "{text}");
        assert!(text.contains("Equal to the GPU's") || text.contains("have the same bits"), "{text}");
        let files = std::fs::read_dir(&pictures).unwrap().count();
        assert!(text.contains(&format!(": {files} steps")) && files > 3, "{files} files: {text}");
        let picture = image::open(pictures.join("00.png")).unwrap().to_rgb8();
        let drawn = picture.pixels().filter(|texel| texel.0 != [16, 18, 25]).count();
        assert!(picture.dimensions() == (1800, 1280) && (20_000..2_000_000).contains(&drawn), "{drawn} pixels");
        let shaders = broken(&folder, file, replaced);
        let output = meniscus(&line).env("MENISCUS_SHADERS", &shaders).output().unwrap();
        let text = said(&output);
        assert_eq!(output.status.code(), Some(1), "{steps} with a broken {file}: {text}");
        assert!(text.contains("from the GPU's"), "{text}");
        std::fs::remove_dir_all(&shaders).unwrap();
    }
    let output = run(&format!("headless --steps antialias --png-series {}", folder.display()));
    let text = said(&output);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains("expected one of ") && text.contains("pixel_sort, "), "{text}");
    let output = run(&format!("headless --size 64x64 --steps mip_chain:64,3 --png-series {}", folder.display()));
    assert!(output.status.code() == Some(2) && said(&output).contains("expected 0,0 to 63,63"), "{}", said(&output));
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Under validation nothing separates the passes of a software driver: no time of the GPU is a measurement there.
#[test]
fn what_is_not_measured_is_not_printed() {
    let folder = folder("untimed");
    let [json, trace] = ["run.json", "run.trace"].map(|name| folder.join(name));
    let line = "headless --validate --frames 2 --size 64x48 --set scene.source=picture";
    let output = run(&format!("{line} --json {} --trace {}", json.display(), trace.display()));
    let text = said(&output);
    assert!(output.status.success(), "{text}");
    let (run_json, trace_json) = (read(&json), read(&trace));
    let is_software = run_json["device"]["name"].as_str().is_some_and(|name| name.contains("llvmpipe"));
    let passes = run_json["passes"].as_object().unwrap();
    let timed = passes.values().filter(|pass| !pass["median_us"].is_null()).count();
    let lanes = [2, 3].map(|track| json!(track));
    let events = trace_json["traceEvents"].as_array().unwrap();
    let drawn = events.iter().filter(|event| event["ph"] == "X" && lanes.contains(&event["tid"])).count();
    assert_eq!((timed == 0, drawn == 0), (is_software, is_software), "{text}");
    assert_eq!(run_json["frame"]["gpu_median_us"].is_null(), is_software);
    for why in [&run_json["untimed"], &trace_json["otherData"]["untimed"]] {
        assert_eq!(why.as_str().is_some_and(|why| text.contains(why)), is_software, "{why} in {text}");
    }
    let rows = text.lines().filter(|line| line.starts_with("glass/") || line.starts_with("mip_chain/"));
    assert!(!is_software || rows.clone().count() > 1, "{text}");
    // Pass, frames, both times of the GPU, the one of the CPU.
    let is_empty = |row: &str| row.split_whitespace().filter(|cell| *cell == "-").count() == 2;
    assert!(rows.clone().all(|row| is_empty(row) == is_software), "{text}");
    for line in ["bench mip_chain --quick --validate", "headless --measure mip_chain --size 64x48 --validate"] {
        if is_software {
            let output = run(line);
            assert!(output.status.code() == Some(2) && said(&output).contains("no GPU times"), "{}", said(&output));
        }
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn moving_frames_are_compared_with_the_picture_at_rest() {
    let folder = folder("motion");
    let json = folder.join("run.json");
    let line = "headless --frames 6 --size 96x54 --path orbit --set scene.source=world --set scene.place=diffuse --set antialias.samples=4";
    let output = run(&format!("{line} --against-rest 3 --json {}", json.display()));
    assert!(output.status.success(), "{}", said(&output));
    let all = read(&json);
    let frames = all["against_rest"]["frames"].as_array().unwrap();
    assert_eq!(frames.iter().map(|frame| frame["frame"].as_u64().unwrap()).collect::<Vec<_>>(), [3, 6]);
    assert!(frames.iter().all(|frame| (5.0..60.0).contains(&frame["psnr_db"].as_f64().unwrap())), "{frames:?}");
    let passes = all["passes"]["antialias/resolve"]["n"].as_u64().unwrap();
    assert_eq!(passes, 6, "frames at rest are in no table");
    assert!(said(&output).contains("frame 6 in motion against rest: mean "), "{}", said(&output));
    // Nothing moves: each frame is the picture at rest after as many samples.
    let still = line.replace("--frames 6", "--frames 40").replace("--path orbit ", "");
    let output = run(&format!(
        "{still} --set scene.drift=off --set particles.kind=none --against-rest 40 --json {}",
        json.display()
    ));
    assert!(output.status.success(), "{}", said(&output));
    let db = read(&json)["against_rest"]["psnr_db"].as_f64();
    assert!(db.is_none_or(|db| db > 60.0), "{db:?}");
    let output = run(&format!("{line} --against-rest 3 --b glass.frost=3"));
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    std::fs::remove_dir_all(folder).unwrap();
}
