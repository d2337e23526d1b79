//! Tests of the list of GPUs: two software drivers of different versions are two of them.

use super::{Demo, HOME, SIZE, desktop, within};
use media::picture::Picture;
use std::process::Command;

/// Where the pointer is over no lens.
const AWAY: [i32; 2] = [10, SIZE[1] as i32 - 10];
/// The first row of the list, below the offer of the tour.
const FIRST_GPU: [i32; 2] = [SIZE[0] as i32 - 230, 188];

/// Manifests of the driver of this run and of the system's; `None` where they are the same.
fn two_drivers() -> Option<String> {
    let own = std::env::var("VK_DRIVER_FILES").ok()?;
    let mut files = std::fs::read_dir("/usr/share/vulkan/icd.d").ok()?.flatten();
    let is_software = |name: &std::ffi::OsStr| name.to_string_lossy().starts_with("lvp_icd");
    let system = files.find(|file| is_software(&file.file_name()))?.path();
    (!own.contains("/usr/share/vulkan/")).then(|| format!("{own}:{}", system.display()))
}

/// Names of the drivers as the loader lists them.
fn listed(desktop: &super::Desktop, drivers: &str) -> Vec<String> {
    let file = desktop.home.join("list.json");
    let status = Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/lib/under"))
        .args([env!("CARGO_BIN_EXE_meniscus"), "list", "--json"])
        .arg(&file)
        .env("VK_DRIVER_FILES", drivers)
        .stdout(std::process::Stdio::null())
        .status();
    assert!(status.is_ok_and(|status| status.success()));
    let all: serde_json::Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
    let drivers = all["gpus"].as_array().unwrap().iter();
    drivers.map(|gpu| gpu["driver"].as_str().unwrap_or_default().to_owned()).collect()
}

/// Share of pixels in which two drivers do not agree about the picture.
fn apart(a: &Picture, b: &Picture) -> f64 {
    let places = (0..SIZE[1]).flat_map(|y| (0..SIZE[0]).map(move |x| [x, y]));
    let differs = |[x, y]: &[u32; 2]| {
        let (a, b) = (a.pixel(*x, *y), b.pixel(*x, *y));
        a.iter().zip(b).any(|(a, b)| a.abs_diff(b) > 12)
    };
    places.filter(differs).count() as f64 / f64::from(SIZE[0] * SIZE[1])
}

#[test]
fn another_gpu_takes_the_window_over_as_it_is() {
    let Some(desktop) = desktop() else { return };
    let Some(drivers) = two_drivers() else {
        eprintln!("skipped: this system has no other software driver than that of the run");
        return;
    };
    let listed = listed(&desktop, &drivers);
    assert!(listed.len() == 2 && listed[0] != listed[1], "{listed:?}");
    let empty = desktop.picture();
    let summary = desktop.home.join("run.json");
    let options = format!(
        "--fresh --size {}x{} --lens={},{} --set scene.source=picture --set glass.adaptive=0 --gpu 1 --validate --json {}",
        SIZE[0],
        SIZE[1],
        HOME[0],
        HOME[1],
        summary.display()
    );
    let words: Vec<&str> = options.split_whitespace().collect();
    let demo = Demo::launch_with(&desktop, &words, "1", |command| {
        command.env("VK_DRIVER_FILES", &drivers);
    });
    let shown = desktop.after(&empty, "the window shows something");
    demo.point(&desktop, AWAY);
    let home = demo.hide_panels(&desktop, &shown);
    demo.drag(&desktop, HOME, [HOME[0] - 200, HOME[1] - 60]);
    demo.point(&desktop, AWAY);
    let moved = desktop.after(&home, "the lens moves");

    demo.key(&desktop, "F5");
    let tab = desktop.after(&moved, "the Device tab opens");
    demo.point(&desktop, FIRST_GPU);
    let hint = desktop.after(&tab, "the row has a hint");
    desktop.hand("click 1");
    desktop.after(&hint, "the other GPU is chosen");
    demo.point(&desktop, AWAY);
    let near = |wanted: &Picture, what: &str| {
        demo.key(&desktop, "h");
        let mut least = 1.0_f64;
        let found = within(|| {
            let part = apart(&desktop.still(), wanted);
            least = least.min(part);
            (part < 0.002).then_some(())
        });
        assert!(found.is_some(), "{what}: {least} of the pixels differ");
        demo.key(&desktop, "h");
    };
    near(&moved, "the lens stays where it is");
    demo.key(&desktop, "ctrl+z");
    near(&home, "what was done before can be undone");

    let (code, said) = demo.quit(&desktop);
    assert_eq!((code, said.as_str()), (Some(0), ""), "a clean exit, no message");
    let run: serde_json::Value = serde_json::from_slice(&std::fs::read(&summary).unwrap()).unwrap();
    assert_eq!(run["device"]["driver"], listed[0], "the other one draws");
    assert_eq!(run["validation"]["messages"], 0);
}
