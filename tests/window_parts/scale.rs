//! Tests of the display's scale, which changes while the window is open.

use super::desktop::{Desktop, changed, found, within};
use super::{Demo, HOME, SIZE};
use std::process::{Child, Command, Stdio};

/// Points between the lens' centre and where it is dragged to.
const WAY: [i32; 2] = [-120, 40];

/// Where the pointer is over no lens at every scale, in points.
const AWAY: [i32; 2] = [10, SIZE[1] as i32 - 10];

/// A daemon of settings, as desktops have one. winit asks it for the scale; a change of the X resources alone does not reach winit.
struct SettingsDaemon(Child);

impl SettingsDaemon {
    fn begin(desktop: &Desktop) -> Self {
        write(desktop, 1.0);
        let mut command = desktop.command("xsettingsd");
        command.arg("-c").arg(desktop.home.join("xsettings")).stdout(Stdio::null()).stderr(Stdio::null());
        let daemon = Self(command.spawn().expect("xsettingsd"));
        // Before it handles the signal of a change, the signal would end it.
        let status = format!("/proc/{}/status", daemon.0.id());
        let handles = || {
            let text = std::fs::read_to_string(&status).ok()?;
            let mask = text.lines().find_map(|line| line.strip_prefix("SigCgt:"))?;
            (u64::from_str_radix(mask.trim(), 16).ok()? & 1 == 1).then_some(())
        };
        within(handles).expect("xsettingsd handles SIGHUP");
        daemon
    }

    fn set(&self, desktop: &Desktop, scale: f64) {
        write(desktop, scale);
        let told = Command::new("kill").args(["-HUP", &self.0.id().to_string()]).status();
        assert!(told.is_ok_and(|status| status.success()));
    }
}

impl Drop for SettingsDaemon {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn write(desktop: &Desktop, scale: f64) {
    std::fs::write(desktop.home.join("xsettings"), format!("Xft/DPI {}\n", 96.0 * 1024.0 * scale)).unwrap();
}

/// Size of the window in pixels.
fn size(desktop: &Desktop, demo: &Demo) -> [f64; 2] {
    let said = desktop.hand(&format!("getwindowgeometry --shell {}", demo.window));
    let value = |name: &str| said.lines().find_map(|line| line.strip_prefix(name)?.parse().ok());
    ["WIDTH=", "HEIGHT="].map(|name| value(name).unwrap_or_default())
}

/// Waits until the window has the size of this scale, within a pixel for each change.
fn has_size(desktop: &Desktop, demo: &Demo, scale: f64) -> bool {
    let wanted = SIZE.map(|side| f64::from(side) * scale);
    let fits = |size: [f64; 2]| size.iter().zip(wanted).all(|(side, wanted)| (side - wanted).abs() <= 6.0);
    within(|| fits(size(desktop, demo)).then_some(())).is_some()
}

/// A screen for the window at three pixels per point; `None` if a tool is missing.
fn desktop() -> Option<Desktop> {
    let desktop = found("xsettingsd").and_then(|()| Desktop::open([SIZE[0] * 3 + 20, SIZE[1] * 3 + 60]));
    desktop.map_err(|why| eprintln!("skipped: {why}")).ok()
}

fn start(desktop: &Desktop, options: &str) -> Demo {
    let options = format!(
        "--fresh --validate --size {}x{} --lens={},{} --set scene.source=picture --set glass.adaptive=0 \
         --set glass.half_width=90 --set glass.half_height=60 --set hand.reduced_motion=true {options}",
        SIZE[0], SIZE[1], HOME[0], HOME[1]
    );
    let words: Vec<&str> = options.split_whitespace().collect();
    Demo::launch_with(desktop, &words, "1", |command| {
        command.env_remove("WINIT_X11_SCALE_FACTOR");
    })
}

#[test]
fn lenses_panels_and_window_follow_the_scale() {
    let Some(desktop) = desktop() else { return };
    let settings = SettingsDaemon::begin(&desktop);
    let empty = desktop.picture();
    // Painted at once at every size, unlike the built-in picture.
    let image = concat!("--image ", env!("CARGO_MANIFEST_DIR"), "/assets/textures/dusk.png");
    let demo = start(&desktop, image);
    let shown = desktop.after(&empty, "the window shows something");
    // A first input: from now on the size is the window's own.
    demo.point(&desktop, AWAY);
    let home = demo.hide_panels(&desktop, &shown);
    let panels = changed(&shown, &home).expect("there are panels");
    for scale in [1.5, 3.0, 1.0] {
        settings.set(&desktop, scale);
        assert!(has_size(&desktop, &demo, scale), "{scale}: {:?}", size(&desktop, &demo));
        let at = |[x, y]: [i32; 2]| [x, y].map(|side| (f64::from(side) * scale) as i32);
        demo.point(&desktop, at(AWAY));
        // A large frame takes longer than a still screen is waited for.
        let [right, middle] = at([SIZE[0] as i32, SIZE[1] as i32 / 2]).map(|side| side as u32 - 3);
        let is_drawn = || desktop.picture().pixel(right, middle)[..3].iter().any(|value| *value > 3);
        assert!(within(|| is_drawn().then_some(())).is_some(), "{scale}: the window is filled");
        let before = desktop.still();
        let to = [HOME[0] + WAY[0], HOME[1] + WAY[1]];
        demo.drag(&desktop, at(HOME), at(to));
        demo.point(&desktop, at(AWAY));
        let moved = desktop.after(&before, "the lens is where it was on the display");
        let [left, _, right, _] = changed(&before, &moved).expect("it moves");
        // Lens and way, and shadows of as much again at most.
        let width = f64::from(right - left) / scale;
        let least = f64::from(2 * 90 - WAY[0]);
        assert!((least - 10.0..least + 200.0).contains(&width), "{scale}: {width} points change: {left} to {right}");
        demo.key(&desktop, "ctrl+z");
        desktop.shows(&before, "and goes back");
        demo.key(&desktop, "h");
        let with_panels = desktop.after(&before, "H shows the panels");
        let found = changed(&before, &with_panels).expect("there are panels");
        // Their left edge: as far from the window's right one, in points.
        let gap = |left: i32, scale: f64| f64::from(SIZE[0]) - f64::from(left) / scale;
        let apart = (gap(found[0], scale) - gap(panels[0], 1.0)).abs();
        assert!(apart <= 3.0, "{scale}: {found:?}, at first {panels:?}");
        demo.hide_panels(&desktop, &with_panels);
    }
    desktop.shows(&home, "at the first scale everything is as at first");
    assert_eq!(demo.quit(&desktop), (Some(0), String::new()), "a clean exit, no message");
}

/// A window manager makes winit report a scale twice.
#[test]
fn a_managed_window_takes_a_new_size_once() {
    if let Err(why) = found("openbox") {
        return eprintln!("skipped: {why}");
    }
    let Some(desktop) = desktop() else { return };
    let settings = SettingsDaemon::begin(&desktop);
    let mut manager = desktop.command("openbox").stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let empty = desktop.picture();
    let demo = start(&desktop, "");
    desktop.after(&empty, "the window shows something");
    demo.point(&desktop, AWAY);
    demo.key(&desktop, "Right");
    for (step, scale) in [1.25, 2.0, 1.0].into_iter().enumerate() {
        settings.set(&desktop, scale);
        assert!(has_size(&desktop, &demo, scale), "{scale}: {:?}", size(&desktop, &demo));
        desktop.still();
        desktop.hand(&format!("windowmove {} {} 20", demo.window, 3 + step));
        desktop.still();
        assert!(has_size(&desktop, &demo, scale), "{scale}, moved: {:?}", size(&desktop, &demo));
    }
    let ended = demo.quit(&desktop);
    let _ = manager.kill();
    let _ = manager.wait();
    assert_eq!(ended, (Some(0), String::new()), "a clean exit, no message");
}
