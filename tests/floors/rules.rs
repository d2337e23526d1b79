//! Rules over one source; each returns the violations.

use crate::source::{Named, Source, What};

/// The layers, bottom up; those of one line do not use each other.
pub const FLOORS: [&[&str]; 8] = [
    &["base"],
    &["gpu"],
    &["scene", "lab"],
    &["techniques"],
    &["renderer", "instrument"],
    &["ab"],
    &["suites", "ui"],
    &["app"],
];

fn level(floor: &str) -> Option<usize> {
    FLOORS.iter().position(|level| level.contains(&floor))
}

fn wrong(source: &Source, check: impl Fn(&Named) -> Option<String>) -> Vec<String> {
    let told = |named: &Named| check(named).map(|problem| format!("{}:{}: {problem}", source.path, named.line));
    source.named.iter().filter_map(told).collect()
}

/// A layer uses only the layers below it, in tests too. `ui` is independent of Vulkan: it does not use `gpu`, though that is below.
pub fn floors(source: &Source) -> Vec<String> {
    let own = source.floor();
    let Some(level_of_own) = level(own) else { return Vec::new() };
    wrong(source, |named| {
        let What::Place(place) = &named.what else { return None };
        let Some(other) = place.first() else {
            return Some("names the whole package: name what is meant in it".into());
        };
        let is_allowed = other == own || level(other).is_none_or(|other| other < level_of_own);
        let is_allowed = is_allowed && !(own == "ui" && other == "gpu") && other != "*";
        (!is_allowed).then(|| format!("{own} uses {other}"))
    })
}

/// Only the device's policy asks whether it is a software driver.
pub fn policy(path: &str, text: &str) -> Vec<String> {
    let is_exempt = !path.starts_with("src/") || path == "src/gpu/device_policy.rs";
    let asks = |line: &str| {
        let code = line.split("//").next().unwrap_or_default();
        code.contains("is_software") || code.contains("== \"software\"") || code.contains("!= \"software\"")
    };
    let wrong = (1..).zip(text.lines()).filter(|(_, line)| !is_exempt && asks(line));
    wrong
        .map(|(number, _)| format!("{path}:{number}: asks for a software driver; expected a field of DevicePolicy"))
        .collect()
}

/// Techniques never name each other, in tests either; the folder's name is the technique's.
pub fn techniques(source: &Source, ids: &[&str]) -> Vec<String> {
    let Some(own) = ids.iter().find(|id| source.path.starts_with(&format!("techniques/{id}/"))) else {
        return Vec::new();
    };
    wrong(source, |named| match &named.what {
        What::Place(place) if place.first().is_some_and(|floor| floor == "techniques") => match place.get(1) {
            Some(other) if other == "*" => Some(format!("{own} names all techniques")),
            Some(other) if other != own && ids.contains(&other.as_str()) => Some(format!("{own} names {other}")),
            None => Some(format!("{own} names the folder of all techniques")),
            _ => None,
        },
        _ => None,
    })
}

/// What runs names nothing of a technique's `lab/`: other labs do, the suites, and unit tests.
pub fn labs(source: &Source) -> Vec<String> {
    let is_lab = |place: &[String]| place.len() > 2 && place[0] == "techniques" && place[2] == "lab";
    // The panel draws the cross-section of the glass.
    if source.floor() == "suites" || source.path.contains("/lab/") || source.path == "techniques/glass/mod.rs" {
        return Vec::new();
    }
    wrong(source, |named| match &named.what {
        What::Place(place) if is_lab(place) && !named.in_test => Some(format!("names {}", place.join("::"))),
        _ => None,
    })
}

/// The reference of the glass does not name what the GPU path is planned with; of what runs, only the technique itself and tests name
/// its `lab`.
pub fn glass_reference(source: &Source) -> Vec<String> {
    let Some(file) = source.path.strip_prefix("techniques/glass/") else { return Vec::new() };
    let plan = ["passes", "frost", "light", "optics", "system", "panels", "text", "lens::shape", "lens::tiles"];
    let refused: &[&str] = match () {
        () if file.starts_with("lab/reference/") => &plan,
        () if file == "mod.rs" || file.starts_with("lab/") => &[],
        () => &["lab"],
    };
    let is_test_of_plan = !file.starts_with("lab/reference/");
    wrong(source, |named| match &named.what {
        What::Place(place)
            if place.starts_with(&["techniques".into(), "glass".into()]) && !(is_test_of_plan && named.in_test) =>
        {
            let other = place[2..].join("::");
            let of = refused.iter().find(|refused| other == **refused || other.starts_with(&format!("{refused}::")))?;
            Some(format!("names {of}"))
        }
        _ => None,
    })
}

/// Libraries that only one layer may use.
const LIBRARIES: [(&str, &str); 8] = [
    ("ash", "gpu"),
    ("ash_window", "gpu"),
    ("gpu_allocator", "gpu"),
    ("shaderc", "gpu"),
    ("spirq", "gpu"),
    ("winit", "app"),
    ("egui_winit", "app"),
    ("clap", "app"),
];

/// `ash` and `unsafe` only in gpu, `winit` and `clap` only in app.
pub fn libraries(source: &Source) -> Vec<String> {
    wrong(source, |named| match &named.what {
        What::Path(path) => {
            let (library, floor) = LIBRARIES.iter().find(|(library, _)| path.first().is_some_and(|p| p == library))?;
            (source.floor() != *floor).then(|| format!("uses {library}"))
        }
        What::Unsafe if source.floor() != "gpu" => Some("is unsafe".into()),
        _ => None,
    })
}

/// No panics outside of tests and of code evaluated by the compiler.
pub fn panics(source: &Source) -> Vec<String> {
    wrong(source, |named| {
        let word = match &named.what {
            _ if named.in_test => return None,
            What::Method(word) if ["unwrap", "expect", "unwrap_err", "expect_err"].contains(&word.as_str()) => {
                word.clone()
            }
            What::Path(path) if path.len() > 1 && ["unwrap", "expect"].contains(&path[path.len() - 1].as_str()) => {
                path.join("::")
            }
            What::Macro(word) if ["todo", "unimplemented", "dbg"].contains(&word.as_str()) => format!("{word}!"),
            What::Macro(word) if ["panic", "unreachable"].contains(&word.as_str()) && !named.in_const => {
                format!("{word}!")
            }
            _ => return None,
        };
        Some(format!("{word} outside of tests"))
    })
}
