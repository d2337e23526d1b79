//! Tests of the state kept between launches: the window, and pictures that restore all settings.

use super::{Demo, Desktop, HOME, SIZE, changed, desktop, within};
use media::picture::Picture;
use std::fs;
use std::path::{Path, PathBuf};

fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let files = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    files.filter(|file| file.to_string_lossy().ends_with(ending)).collect()
}

/// Of a recorded frame, as it goes to this `ffmpeg`.
fn frame_bytes() -> u64 {
    u64::from(4 * SIZE[0] * SIZE[1])
}

/// Its file has the frames as they are.
fn add_ffmpeg(desktop: &Desktop) {
    desktop.add_program("ffmpeg", "for file; do :; done; cat > \"$file\"");
}

#[test]
fn a_window_comes_back_as_it_was_left_and_a_picture_brings_it_back_anywhere() {
    let Some(desktop) = desktop() else { return };
    let empty = desktop.picture();
    let size = format!("{}x{}", SIZE[0], SIZE[1]);
    let first = format!(
        "--size {size} --set scene.source=picture --set glass.adaptive=0 --set glass.frost=4 --set hand.reduced_motion=true"
    );
    let demo = Demo::launch(&desktop, &first.split(' ').collect::<Vec<_>>(), "1");
    let with_panels = desktop.after(&empty, "the window shows something");
    let home = demo.hide_panels(&desktop, &with_panels);
    demo.drag(&desktop, HOME, [300, 200]);
    demo.point(&desktop, [10, 10]);
    let left = desktop.after(&home, "a lens is dragged");

    demo.key(&desktop, "F2");
    let taken = within(|| files(&desktop.home, ".png").pop()).expect("F2 takes a picture");
    let picture = Picture::load(&taken).expect("a whole picture");
    assert_eq!(picture.size, SIZE);
    // The message with its path is in the window, not in the picture.
    let apart = |x: u32, y: u32| {
        let (a, b) = (picture.pixel(x, y), left.pixel(x, y));
        (0..3).any(|c| a[c].abs_diff(b[c]) > 0)
    };
    let differing = (0..SIZE[1]).flat_map(|y| (0..SIZE[0]).map(move |x| (x, y))).filter(|(x, y)| apart(*x, *y)).count();
    assert_eq!(differing, 0, "the picture is what is seen");
    let carried = desktop.home.join("carried.PNG");
    fs::rename(&taken, &carried).expect("a file of our own");
    assert_eq!(demo.quit(&desktop), (Some(0), String::new()));
    desktop.after(&left, "the window closes");

    // Lens, settings and size are restored, and so are the panels, hidden or not.
    let demo = Demo::launch(&desktop, &[], "1");
    desktop.after(&empty, "the last window again, with panels");
    demo.key(&desktop, "h");
    desktop.shows(&left, "the last window again");
    assert_eq!(demo.quit(&desktop), (Some(0), String::new()));
    desktop.after(&left, "the window closes again");

    // Over the picture as well: the court accumulates samples and mirrors for a minute before it is static.
    let report = desktop.home.join("destroyed.json");
    let options = format!("--fresh --size {size} --set scene.source=picture --validate --json {}", report.display());
    let demo = Demo::launch(&desktop, &options.split_whitespace().collect::<Vec<_>>(), "1");
    let fresh = desktop.after(&empty, "a window as at first");
    assert!(fresh != left);
    // A window may also be destroyed by others, while it draws: it cannot be queried then.
    let window = &demo.window;
    let moves: String = (0..8).map(|step| format!("mousemove --window {window} {} 200 ", 310 + 5 * step)).collect();
    desktop.hand(&format!("mousemove --window {window} 300 200 mousedown 1 {moves}windowclose {window}"));
    desktop.hand("mouseup 1");
    assert_eq!(demo.ended(), (Some(0), String::new()));
    let results = fs::read_to_string(&report).unwrap_or_default();
    assert!(results.contains("\"messages\": 0"), "the results of a destroyed window: {results:?}");
    desktop.after(&fresh, "the fresh window closes");

    // A picture from another user, on a machine with another saved state.
    let carried = carried.display().to_string();
    let demo = Demo::launch(&desktop, &["--fresh", "--size", &size, "--preset", &carried], "1");
    let with_panels = desktop.after(&empty, "a window with panels");
    demo.key(&desktop, "h");
    desktop.shows(&left, "the picture brings settings and lens back");
    assert_ne!(with_panels, left);

    // A recording goes on while the state is saved.
    add_ffmpeg(&desktop);
    let (recorded, state) = (|| files(&desktop.home, ".mp4"), desktop.home.join("meniscus/last.toml"));
    let saved = || fs::metadata(&state).and_then(|file| file.modified()).ok();
    demo.key(&desktop, "F9");
    let before = saved();
    demo.drag(&desktop, [300, 200], [340, 240]);
    within(|| (saved() != before).then_some(())).expect("the state is saved");
    assert_eq!(recorded(), Vec::<PathBuf>::new());
    demo.key(&desktop, "F9");
    let video = within(|| recorded().pop()).expect("F9 ends it");
    assert!(fs::metadata(&video).is_ok_and(|file| file.len() > 10 * frame_bytes()), "frames from F9 to F9");
    assert_eq!(demo.quit(&desktop), (Some(0), String::new()));

    let file = desktop.home.join("meniscus/last.toml");
    fs::write(&file, "[glass]\nfrost = \"much\"\n").expect("a file of our own");
    let demo = Demo::launch(&desktop, &["--size", &size], "1");
    let (code, said) = demo.quit(&desktop);
    assert_eq!(code, Some(0));
    assert!(said.contains("starting with the defaults") && said.lines().count() == 1, "{said}");
    assert!(file.with_extension("toml.broken").exists() && file.exists(), "set aside, and written anew at the end");
}

#[test]
fn a_display_that_goes_away_takes_no_change_along() {
    let Some(mut desktop) = desktop() else { return };
    let empty = desktop.picture();
    let demo = Demo::start(&desktop, "--set glass.adaptive=0");
    desktop.after(&empty, "the window shows something");
    let file = desktop.home.join("meniscus/last.toml");
    let is_written = || fs::read_to_string(&file).is_ok_and(|state| state.contains("[glass]")).then_some(());
    within(is_written).expect("the first state is written");
    demo.drag(&desktop, HOME, [300, 200]);
    desktop.still();
    add_ffmpeg(&desktop);
    demo.key(&desktop, "F9");
    let part = || files(&desktop.home, ".part").pop().and_then(|file| fs::metadata(file).ok());
    within(|| part().filter(|file| file.len() > 4 * frame_bytes())).expect("frames are recorded");
    // The head of the panels shows how long the recording is.
    let lens = || {
        let all = desktop.picture();
        Picture::from_fn([120, 80], |x, y| all.pixel(240 + x, 160 + y))
    };
    let before = lens();
    demo.key(&desktop, "space");
    // At once: before a change is written by itself.
    within(|| (lens() != before).then_some(())).expect("the other glass");
    desktop.lose();
    let (code, said) = demo.ended();
    assert!(code.is_some() && !said.contains("panicked"), "{code:?}: {said}");
    let state = fs::read_to_string(&file).expect("a state");
    assert!(state.contains("mode = \"source\""), "{state}");
    let video = files(&desktop.home, ".mp4").pop().and_then(|file| fs::metadata(file).ok());
    assert!(video.is_some_and(|file| file.len() > 3 * frame_bytes()), "the recording is written");
}

#[test]
fn a_preset_brings_the_lenses_back() {
    let Some(desktop) = desktop() else { return };
    let folder = std::env::temp_dir().join(format!("meniscus-window-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join("two.toml");
    let lenses = "[scene]\nsource = \"picture\"\n[glass]\nadaptive = 0.0\nmelt = 0.0\n\
                  [[lens]]\ncenter = [0.25, 0.5]\nhalf = [80.0, 50.0]\n[[lens]]\ncenter = [0.75, 0.5]\nhalf = [60.0, 60.0]\nangle = 20.0\n";
    fs::write(&file, lenses).unwrap();
    let empty = desktop.picture();
    let demo = Demo::start_at(&desktop, &format!("--validate --preset {}", file.display()), None);
    let panels = desktop.after(&empty, "the window shows something");
    let two = demo.hide_panels(&desktop, &panels);
    demo.drag(&desktop, [240, 300], [300, 200]);
    demo.drag(&desktop, [720, 300], [600, 400]);
    demo.point(&desktop, [10, 10]);
    let moved = desktop.after(&two, "both are dragged");
    let found = changed(&two, &moved);
    assert!(found.is_some_and(|[left, _, right, _]| left < 240 && right > 720), "both moved: {found:?}");
    demo.key(&desktop, "r");
    desktop.shows(&two, "R puts them where the preset had them");
    assert_eq!(demo.quit(&desktop), (Some(0), String::new()));
    let _ = fs::remove_dir_all(folder);
}
