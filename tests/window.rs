//! Tests of the real window on a virtual screen: dragging, keys, resizing, and the displayed result. Skipped, with a line that says so,
//! where Xvfb or xdotool are missing. Most of these tests take longer than ten seconds: a software driver compiles the shaders of each
//! started program, and a result is checked only when the screen no longer changes.

#[cfg(target_os = "linux")]
#[path = "window_parts/accessibility.rs"]
mod accessibility;
#[path = "window_parts/between_launches.rs"]
mod between_launches;
#[path = "window_parts/desktop.rs"]
mod desktop;
#[path = "window_parts/dialogue.rs"]
mod dialogue;
#[path = "window_parts/edits.rs"]
mod edits;
#[path = "window_parts/glass_panels.rs"]
mod glass_panels;
#[path = "window_parts/gpus.rs"]
mod gpus;
#[path = "window_parts/layouts.rs"]
mod layouts;
#[path = "window_parts/notes.rs"]
mod notes;
#[path = "window_parts/pointer.rs"]
mod pointer;
#[path = "window_parts/scale.rs"]
mod scale;
#[cfg(target_os = "linux")]
#[path = "window_parts/session_bus.rs"]
mod session_bus;

use desktop::{Desktop, changed, within};
use media::picture::Picture;
use std::io::Read as _;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

const SIZE: [u32; 2] = [960, 600];
/// The lens' centre at the start.
const HOME: [i32; 2] = [480, 300];

/// The program, its window's number and its standard error.
struct Demo {
    child: Child,
    window: String,
}

impl Demo {
    fn start(desktop: &Desktop, options: &str) -> Self {
        Self::start_at(desktop, options, Some(HOME))
    }

    /// With the lens at a given position, or at its default.
    fn start_at(desktop: &Desktop, options: &str, lens: Option<[i32; 2]>) -> Self {
        Self::start_scaled(desktop, options, lens, "1")
    }

    /// On a display with this many pixels per point. Nothing is thrown: how far would depend on when a busy machine handles the last
    /// motion.
    fn start_scaled(desktop: &Desktop, options: &str, lens: Option<[i32; 2]>, scale: &str) -> Self {
        let lens = lens.map(|[x, y]| format!("--lens={x},{y}"));
        let size = format!("{}x{}", SIZE[0], SIZE[1]);
        let fixed = format!("--fresh --size {size} --set scene.source=picture --set hand.reduced_motion=true");
        let words = format!("{fixed} {} {options}", lens.unwrap_or_default());
        Self::launch(desktop, &words.split_whitespace().collect::<Vec<_>>(), scale)
    }

    /// With exactly these arguments.
    fn launch(desktop: &Desktop, arguments: &[&str], scale: &str) -> Self {
        Self::launch_with(desktop, arguments, scale, |_| ())
    }

    /// The same, with other changes of its command.
    fn launch_with(desktop: &Desktop, arguments: &[&str], scale: &str, change: impl Fn(&mut Command)) -> Self {
        // A fresh window that is not the first of all: it does not offer the tour.
        let state = desktop.home.join("meniscus/last.toml");
        if arguments.contains(&"--fresh") && !state.exists() {
            std::fs::create_dir_all(desktop.home.join("meniscus")).expect("a folder of our own");
            std::fs::write(&state, "[panels]\ntab = \"controls\"\ntour_was_offered = true\n")
                .expect("a file of our own");
        }
        // scripts/test may have chosen another dynamic loader for the drivers it chose; see there
        let mut command = desktop.command(concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/lib/under"));
        command.arg(env!("CARGO_BIN_EXE_meniscus")).arg("window").args(arguments).env_remove("RUST_LOG");
        command.env("WINIT_X11_SCALE_FACTOR", scale).stderr(Stdio::piped());
        change(&mut command);
        let mut child = command.spawn().expect("the program starts");
        let window = desktop.find("--name ^Meniscus$", &mut child);
        let mut demo = Self { child, window: String::new() };
        let Some(window) = window else { panic!("no window; the program says: {}", demo.end()) };
        demo.window = window;
        demo
    }

    /// Kills it, and returns its standard error.
    fn end(&mut self) -> String {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let mut said = String::new();
        if let Some(stderr) = &mut self.child.stderr {
            let _ = stderr.read_to_string(&mut said);
        }
        said
    }

    /// Moves the pointer to a position in the window.
    fn point(&self, desktop: &Desktop, [x, y]: [i32; 2]) {
        desktop.hand(&format!("mousemove --window {} {x} {y} sleep 0.05", self.window));
    }

    /// Hides the panels on `shown`; returns the screen without them.
    fn hide_panels(&self, desktop: &Desktop, shown: &Picture) -> Picture {
        self.key(desktop, "h");
        desktop.hidden_after(shown)
    }

    /// Drags the lens from one position to another, by way of the middle.
    fn drag(&self, desktop: &Desktop, from: [i32; 2], to: [i32; 2]) {
        let (middle, window) = ([(from[0] + to[0]) / 2, (from[1] + to[1]) / 2], &self.window);
        let steps = [(from, "mousedown 1"), (middle, "sleep 0.05"), (to, "mouseup 1")];
        for ([x, y], then) in steps {
            desktop.hand(&format!("mousemove --window {window} {x} {y} sleep 0.1 {then} sleep 0.05"));
        }
    }

    fn signal(&self, name: &str) {
        let sent = Command::new("kill").args([&format!("-{name}"), &self.child.id().to_string()]).status();
        assert!(sent.is_ok_and(|status| status.success()), "{name}");
    }

    fn key(&self, desktop: &Desktop, keys: &str) {
        desktop.hand(&format!("key --delay 40 {keys}"));
    }

    /// Closes it and returns exit code and standard error.
    fn quit(self, desktop: &Desktop) -> (Option<i32>, String) {
        self.key(desktop, "ctrl+q");
        self.ended()
    }
    /// The same, if it ends by itself.
    fn ended(mut self) -> (Option<i32>, String) {
        let ended = within(|| self.child.try_wait().ok().flatten());
        (ended.and_then(|status| status.code()), self.end())
    }

    /// Seconds of processor time used so far.
    fn cpu_s(&self) -> f64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap_or_default();
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or("").split_whitespace().collect();
        let ticks = |index: usize| fields.get(index).and_then(|text| text.parse::<f64>().ok()).unwrap_or(0.0);
        (ticks(11) + ticks(12)) / 100.0
    }

    /// Number of memory mappings with code: a software driver that recompiles a shader keeps both versions.
    fn code_mappings(&self) -> usize {
        let maps = std::fs::read_to_string(format!("/proc/{}/maps", self.child.id())).unwrap_or_default();
        maps.lines().filter(|line| line.split(' ').nth(1).is_some_and(|rights| rights.contains('x'))).count()
    }
}

impl Drop for Demo {
    fn drop(&mut self) {
        self.end();
    }
}

fn desktop() -> Option<Desktop> {
    Desktop::open([1280, 800]).map_err(|why| eprintln!("skipped: {why}")).ok()
}

#[track_caller]
fn assert_within(found: Option<[i32; 4]>, outer: [i32; 4]) {
    let [left, top, right, bottom] = found.expect("something changed");
    let inside = left >= outer[0] && top >= outer[1] && right <= outer[2] && bottom <= outer[3];
    assert!(inside, "changed {:?}, expected it within {outer:?}", [left, top, right, bottom]);
}

#[test]
fn the_hand_moves_the_lens_and_keys_do_what_they_say() {
    let Some(desktop) = desktop() else { return };
    let empty = desktop.picture();
    // Screens are compared texel for texel; adaptation to the brightness below would depend on earlier positions.
    let options = "--validate --set glass.half_width=110 --set glass.half_height=80 --set glass.adaptive=0";
    let demo = Demo::start(&desktop, options);
    let with_panels = desktop.after(&empty, "the window shows something");
    let home = demo.hide_panels(&desktop, &with_panels);

    // The lens and its shadow reach at most this far from its centre.
    let (reach_x, reach_y) = (110 + 100, 80 + 100);
    demo.drag(&desktop, [HOME[0] + 20, HOME[1] - 10], [HOME[0] + 220, HOME[1] + 80]);
    let away = desktop.after(&home, "a lens is dragged");
    let both = [HOME[0] - reach_x, HOME[1] - reach_y, HOME[0] + 200 + reach_x, HOME[1] + 90 + reach_y];
    let found = changed(&home, &away);
    assert_within(found, both);
    let [left, top, right, bottom] = found.unwrap_or_default();
    assert!(right - left > 200 + 150 && bottom - top > 90 + 100, "both places changed: {found:?}");
    demo.drag(&desktop, [HOME[0] + 150, HOME[1] + 90], [HOME[0] - 50, HOME[1]]);
    demo.point(&desktop, [10, 10]);
    desktop.shows(&home, "there and back is as before: the lens follows one to one");

    // Esc while dragging restores it; the button still down has no further effect.
    let window = &demo.window;
    desktop.hand(&format!("mousemove --window {window} {} {} sleep 0.1 mousedown 1 sleep 0.1", HOME[0], HOME[1]));
    demo.point(&desktop, [HOME[0] - 200, HOME[1] - 60]);
    desktop.after(&home, "a lens is dragged once more");
    demo.key(&desktop, "Escape");
    demo.point(&desktop, [HOME[0] - 100, HOME[1]]);
    desktop.hand("mouseup 1");
    demo.point(&desktop, [10, 10]);
    desktop.shows(&home, "Esc restores");

    demo.key(&desktop, "Right Right Down shift+Left");
    let moved = desktop.after(&home, "arrows");
    let reach = [HOME[0] - 8 - reach_x, HOME[1] - reach_y, HOME[0] + reach_x, HOME[1] + 1 + reach_y];
    assert_within(changed(&home, &moved), reach);
    demo.key(&desktop, "shift+Right Left Left Up");
    desktop.shows(&home, "arrows go there and back");

    demo.key(&desktop, "space");
    desktop.after(&home, "Space shows the source's glass");
    demo.key(&desktop, "space");
    desktop.shows(&home, "Space shows ours again");

    demo.drag(&desktop, HOME, [200, 200]);
    demo.point(&desktop, [10, 10]);
    let third = desktop.after(&home, "a lens is dragged a third time");
    demo.key(&desktop, "r");
    let reset = desktop.after(&third, "R resets");
    demo.key(&desktop, "Right");
    desktop.after(&reset, "an arrow moves it from there");
    demo.key(&desktop, "r");
    desktop.shows(&reset, "R resets to the same place");

    demo.key(&desktop, "h");
    desktop.after(&reset, "H shows the panels again");
    let before = demo.cpu_s();
    std::thread::sleep(Duration::from_secs(2));
    let used = demo.cpu_s() - before;
    assert!(used < 0.2, "idle, it used {used} s of processor time in 2 s");

    let (code, said) = demo.quit(&desktop);
    assert_eq!((code, said.as_str()), (Some(0), ""), "a clean exit, no message");
}

#[test]
fn lenses_are_added_selected_turned_and_removed() {
    let Some(desktop) = desktop() else { return };
    let empty = desktop.picture();
    let options = "--validate --set glass.half_width=90 --set glass.half_height=50 --set glass.adaptive=0 \
                   --set glass.melt=0";
    let demo = Demo::start(&desktop, options);
    let with_panels = desktop.after(&empty, "the window shows something");
    let one = demo.hide_panels(&desktop, &with_panels);

    // A new lens is placed at the pointer. The lens with its shadow reaches this far.
    let (place, reach) = ([200, 170], [90 + 75, 50 + 95]);
    let around = |[x, y]: [i32; 2]| [x - reach[0], y - reach[1], x + reach[0], y + reach[1]];
    demo.point(&desktop, place);
    demo.key(&desktop, "n");
    let two = desktop.after(&one, "N makes a lens");
    assert_within(changed(&one, &two), around(place));

    // The new one is selected: E turns it clockwise by a degree, with Shift by 15, Q back.
    demo.key(&desktop, "e e shift+e");
    let turned = desktop.after(&two, "E turns");
    assert_within(changed(&two, &turned), around(place));
    demo.key(&desktop, "shift+q q q");
    desktop.shows(&two, "Q turns back");

    // Tab selects the other one, then this one again.
    demo.key(&desktop, "Tab shift+Right");
    let moved = desktop.after(&two, "Tab selects the first lens, an arrow moves it");
    assert_within(changed(&two, &moved), around(HOME));
    demo.key(&desktop, "shift+Left Tab");
    desktop.shows(&two, "the arrow goes back");
    demo.key(&desktop, "Delete");
    desktop.shows(&one, "Del removes the selected lens");
    demo.key(&desktop, "Delete");
    // A line may say so for a while.
    desktop.still();
    desktop.shows(&one, "the last one stays");

    let (code, said) = demo.quit(&desktop);
    assert_eq!((code, said.as_str()), (Some(0), ""), "a clean exit, no message");
}

/// New images of the window replace the old ones without a wait for the whole device.
#[test]
fn the_window_is_resized_two_hundred_times() {
    let Some(desktop) = desktop() else { return };
    let empty = desktop.picture();
    let folder = std::env::temp_dir().join(format!("meniscus-resize-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let summary = folder.join("run.json");
    let demo = Demo::start(&desktop, &format!("--validate --json {}", summary.display()));
    desktop.after(&empty, "the window shows something");
    for step in 0..200_i32 {
        let (width, height) = match step % 10 {
            3 => (1, 1),
            7 => (1200, 20),
            _ => (300 + (step * 137) % 900, 200 + (step * 71) % 500),
        };
        desktop.hand(&format!("windowsize {} {width} {height}", demo.window));
        std::thread::sleep(Duration::from_millis(if step % 20 == 0 { 120 } else { 15 }));
    }
    desktop.hand(&format!("windowsize --sync {} {} {}", demo.window, SIZE[0], SIZE[1]));
    let filled = within(|| {
        let shown = desktop.still();
        let [right, bottom] = SIZE.map(|side| side - 3);
        let bright = |[x, y]: [u32; 2]| shown.pixel(x, y)[..3].iter().any(|value| *value > 3);
        let outside = shown.pixel(SIZE[0] + 5, SIZE[1] + 5)[..3] == [0, 0, 0];
        ([[2, 2], [right, 2], [SIZE[0] / 3, SIZE[1] / 2], [2, bottom - SIZE[1] / 5]].into_iter().all(bright) && outside)
            .then_some(())
    });
    assert!(filled.is_some(), "the picture fills the window");
    let (code, said) = demo.quit(&desktop);
    assert_eq!((code, said.as_str()), (Some(0), ""), "a clean exit, no message");
    let run: serde_json::Value = serde_json::from_slice(&std::fs::read(&summary).unwrap()).unwrap();
    assert_eq!(run["device_waits"], 0);
    // A figure of this machine, which shares its cores with others: shown, not judged.
    let [median, longest] = ["wall_median_us", "wall_longest_us"].map(|name| run["frame"][name].as_f64().unwrap());
    println!("frames: median {median:.0} us, longest {longest:.0} us, {:.1} times that", longest / median);
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn the_lens_is_in_the_middle_until_somebody_moves_it_and_then_stays_in_the_picture() {
    let Some(desktop) = desktop() else { return };
    let empty = desktop.picture();
    // A picture from a file has its final pixels at every size at once; the built-in one is painted meanwhile.
    let image = concat!("--image ", env!("CARGO_MANIFEST_DIR"), "/assets/textures/dusk.png");
    let options = "--validate --set glass.half_width=110 --set glass.half_height=80 --set glass.adaptive=0";
    let demo = Demo::start_at(&desktop, &format!("{options} {image}"), None);
    desktop.after(&empty, "the window shows something");
    desktop.hand(&format!("windowsize --sync {} 700 460", demo.window));
    let with_panels = desktop.still();
    let small = demo.hide_panels(&desktop, &with_panels);
    // It is in the middle of the area free of panels, where R resets it to while they are shown.
    demo.key(&desktop, "h r h");
    desktop.shows(&small, "R finds the lens in the middle already");
    // Keys were pressed, but it was not moved.
    let resize = |[width, height]: [u32; 2]| {
        desktop.hand(&format!("windowsize --sync {} {width} {height}", demo.window));
    };
    resize(SIZE);
    let large = desktop.after(&small, "the window grows");
    demo.key(&desktop, "r");
    desktop.shows(&large, "R finds the lens in the middle still");
    demo.drag(&desktop, [300, 300], [500, 300]);
    let moved = desktop.after(&large, "the lens is dragged from the middle");
    resize([700, 460]);
    desktop.after(&moved, "the window shrinks");
    resize(SIZE);
    desktop.shows(&moved, "the lens is where it was in the picture");
    assert_eq!(demo.quit(&desktop), (Some(0), String::new()), "a clean exit, no message");
}

#[test]
fn the_hand_beside_the_lens_moves_the_camera() {
    let Some(desktop) = desktop() else { return };
    let empty = desktop.picture();
    let options = "--validate --set scene.source=world --set scene.place=many --set scene.instances=12 --set scene.drift=off \
                   --set scene.adapt=false --set scene.render_scale=0.25 --set scene.antialias=off --set reflections.trace=off \
                   --set glass.adaptive=0 --set glass.half_width=60 --set glass.half_height=60 --set hand.reduced_motion=false";
    // In the middle of the scene, where R resets it to.
    let demo = Demo::start_at(&desktop, options, None);
    let with_panels = desktop.after(&empty, "the window shows something");
    demo.hide_panels(&desktop, &with_panels);
    // Without antialiasing, which accumulates earlier frames: the world's centre moved when the panels were hidden.
    let home = desktop.still();
    let (width, height) = (SIZE[0] as i32, SIZE[1] as i32);
    let is_wide = |a: &_, b: &_| changed(a, b).is_some_and(|[l, t, r, b]| r - l > width / 3 && b - t > height / 3);

    demo.drag(&desktop, [100, 450], [260, 430]);
    demo.point(&desktop, [10, 10]);
    let turned = desktop.after(&home, "a drag beside the lens goes round");
    assert!(is_wide(&home, &turned), "the whole picture changes");
    desktop.hand("click 4");
    let nearer = desktop.after(&turned, "the wheel beside the lens goes nearer");
    assert!(is_wide(&turned, &nearer), "the whole picture changes");
    demo.key(&desktop, "r");
    desktop.shows(&home, "R brings the camera back");

    demo.key(&desktop, "f");
    let one = desktop.picture();
    let drifts = within(|| changed(&one, &desktop.picture()));
    assert!(drifts.is_some(), "F lets the camera drift");
    demo.key(&desktop, "f");
    desktop.still();
    let (code, said) = demo.quit(&desktop);
    assert_eq!((code, said.as_str()), (Some(0), ""), "a clean exit, no message");
}

#[test]
fn a_display_of_finer_pixels_shows_more_of_them() {
    let Some(desktop) = desktop() else { return };
    let mut plain = None;
    for (scale, half) in [("1", [120, 90]), ("1.5", [80, 60])] {
        let factor: f32 = scale.parse().expect("a number");
        let empty = desktop.picture();
        // The same lens in pixels at every scale.
        let half_px = half.map(|half| (half as f32 * factor) as i32);
        let options = format!(
            "--validate --set glass.half_width={} --set glass.half_height={} --set glass.adaptive=0",
            half[0], half[1]
        );
        let demo = Demo::start_scaled(&desktop, &options, Some(HOME), scale);
        demo.point(&desktop, [10, 10]);
        let panels = desktop.after(&empty, "the window shows something");
        let home = demo.hide_panels(&desktop, &panels);
        // Once more: the first picture may have gained samples meanwhile.
        demo.key(&desktop, "h");
        let panels = desktop.after(&home, "H shows the panels");
        let home = demo.hide_panels(&desktop, &panels);

        // The dock has the same width in points, is folded in a narrow window, and has a distance of 12 points from the border.
        let (gap, wide) = (12.0 * factor, SIZE[0] as f32 / factor);
        let dock = if wide < 940.0 { 42.0 } else { 316.0 } * factor;
        let [left, top, right, _] = changed(&panels, &home).expect("there were panels");
        // Where there is room, the strip of scenes is at the left.
        let has_strip = wide - 36.0 - dock / factor >= 540.0;
        let first = if has_strip { gap } else { SIZE[0] as f32 - gap - dock };
        let expected = [first, gap, SIZE[0] as f32 - gap];
        for (found, expected) in [left, top, right].into_iter().zip(expected) {
            assert!((found as f32 - expected).abs() <= 2.0 * factor, "{left} {top} {right}, {expected} at {scale}");
        }

        // Away from the lens the picture is the same in every pixel: full resolution everywhere.
        let reach = [half_px[0] + (100.0 * factor) as i32, half_px[1] + (100.0 * factor) as i32];
        let around = |[x, y]: [i32; 2]| [x - reach[0], y - reach[1], x + reach[0], y + reach[1]];
        if let Some(plain) = &plain {
            assert_within(changed(plain, &home), around(HOME));
        }
        // The lens follows the pointer, pixel by pixel, and returns to its start.
        let by = [-300, 37];
        let there = [HOME[0] + by[0], HOME[1] + by[1]];
        demo.drag(&desktop, [HOME[0] + 20, HOME[1] - 10], [there[0] + 20, there[1] - 10]);
        demo.point(&desktop, [10, 10]);
        let moved = desktop.after(&home, "a lens is dragged");
        let (from, to) = (around(HOME), around(there));
        let found = changed(&home, &moved);
        assert_within(found, [to[0], from[1], from[2], to[3]]);
        assert!(found.is_some_and(|[left, ..]| left <= there[0] - half_px[0] + 2), "{found:?} at {scale}");
        demo.drag(&desktop, [there[0] - 30, there[1] + 5], [HOME[0] - 30, HOME[1] + 5]);
        demo.point(&desktop, [10, 10]);
        desktop.shows(&home, "there and back is as before");
        assert_eq!(demo.quit(&desktop), (Some(0), String::new()), "a clean exit, no message, at {scale}");
        desktop.after(&home, "the window closes");
        plain.get_or_insert(home);
    }
}

#[test]
fn where_no_window_can_open_it_says_so() {
    for display in [None, Some(":4711")] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_meniscus"));
        command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").env_remove("WAYLAND_SOCKET").env_remove("RUST_LOG");
        command.arg("window").envs(display.map(|display| ("DISPLAY", display)));
        let output = command.output().expect("the program starts");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
        assert!(said.contains("no window") && said.contains("meniscus headless"), "{said}");
        assert!(!said.contains("panicked"), "{said}");
    }
}

#[test]
fn several_lenses_over_a_drifting_world_compile_nothing_again() {
    let Some(desktop) = desktop() else { return };
    let options = "--set scene.source=world --set scene.drift=on --set hand.reduced_motion=false --set reflections.trace=off \
                   --set glass.half_width=90 --set glass.half_height=60";
    let demo = Demo::start(&desktop, options);
    demo.key(&desktop, "h n n n n n n n");
    let moves = || {
        let before = desktop.picture();
        std::thread::sleep(Duration::from_secs(1));
        desktop.picture() != before
    };
    // New content is compiled once; a shader recompiled in every frame would never end that.
    let mut counts = Vec::new();
    let settled = within(|| {
        if moves() {
            counts.push(demo.code_mappings());
        }
        let last: &[usize] = counts.last_chunk::<5>()?;
        last.iter().all(|count| *count == last[0] && *count > 0).then_some(())
    });
    assert!(settled.is_some(), "pieces of code in its memory, second by second: {counts:?}");
}
