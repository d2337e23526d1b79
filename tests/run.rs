//! Tests of `scripts/run`, on each kind of display and without one: a window appears and its lens can be dragged, or the picture is written
//! and one line gives the reason and the path. Parts are skipped, with a line that says so, where Xvfb, xdotool or weston are missing.
#![cfg(target_os = "linux")] // as the script is

#[path = "window_parts/compositor.rs"]
mod compositor;
#[expect(dead_code, reason = "tests/window.rs uses the rest")]
#[path = "window_parts/desktop.rs"]
mod desktop;

use compositor::Compositor;
use desktop::{Desktop, within};
use media::picture::Picture;
use std::fs;
use std::os::unix::fs::DirBuilderExt as _;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

const SIZE: [u32; 2] = [800, 500];
const TITLE: &str = "--name ^Meniscus$";
/// Half the lens' size.
const HALF: [i32; 2] = [100, 70];
/// The lens' centre at the start, and after the drag.
const HOME: [i32; 2] = [200, 250];
const AWAY: [i32; 2] = [560, 230];

/// Settings of every picture here: the flat picture, and a lens without temporal state.
fn look(lens: [i32; 2]) -> Vec<String> {
    let [width, height] = SIZE;
    let settings = ["scene.source=picture", "glass.adaptive=0", "hand.reduced_motion=true"].map(str::to_owned);
    let shape = [format!("glass.half_width={}", HALF[0]), format!("glass.half_height={}", HALF[1])];
    let mut words = vec![format!("--size={width}x{height}"), format!("--lens={},{}", lens[0], lens[1])];
    words.extend(settings.into_iter().chain(shape).map(|set| format!("--set={set}")));
    words
}

/// A temporary folder: the current one of the started programs, and the one for their sockets. Removed when dropped.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("meniscus-run-{}-{}", std::process::id(), COUNT.fetch_add(1, Relaxed));
        let folder = std::env::temp_dir().join(name);
        // A compositor requires a private folder for its sockets.
        fs::DirBuilder::new().mode(0o700).create(&folder).expect("a folder of our own");
        Self(folder)
    }

    /// The script without a display, as a user starts it on this machine: without the drivers that scripts/test may have chosen, and with
    /// the program as built for these tests.
    fn script(&self) -> Command {
        let profile = Path::new(env!("CARGO_BIN_EXE_meniscus")).parent().and_then(Path::file_name);
        let profile = profile.filter(|folder| *folder != "debug").unwrap_or("dev".as_ref());
        let mut command = Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/run"));
        command.current_dir(&self.0).env("MENISCUS_PROFILE", profile);
        // Beside a test, libraries have the features that tests require: nothing is rebuilt.
        command.env("MENISCUS_TARGETS", "--bin meniscus --test run");
        for name in ["XDG_RUNTIME_DIR", "TMPDIR", "XDG_STATE_HOME", "XDG_CACHE_HOME"] {
            command.env(name, &self.0);
        }
        for name in ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET", "RUST_LOG", "VK_DRIVER_FILES", "VK_LAYER_PATH"] {
            command.env_remove(name);
        }
        // The tests' own (scripts/lib/under); with it cargo would rebuild every library.
        command.env_remove("RUSTC_BOOTSTRAP");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// The picture of `scripts/run headless`.
    fn headless(&self, lens: [i32; 2]) -> Picture {
        let file = self.0.join("headless.png");
        let mut command = self.script();
        let output =
            command.arg("headless").args(look(lens)).arg("--png").arg(&file).output().expect("the script starts");
        assert!(output.status.success(), "{}", said(&output));
        Picture::load(&file).expect("a picture")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Expected pictures: the lens at the start, after the drag, and without it.
struct Drawn {
    home: Picture,
    away: Picture,
    bare: Picture,
}

fn drawn() -> &'static Drawn {
    static DRAWN: OnceLock<Drawn> = OnceLock::new();
    DRAWN.get_or_init(|| {
        let [home, away, bare] = [HOME, AWAY, [-2000, -2000]].map(|lens| Folder::new().headless(lens));
        has_lens(&home, &home, &bare, [HOME, AWAY]).expect("a lens shows at the start");
        has_lens(&away, &away, &bare, [AWAY, HOME]).expect("a lens shows where it is dragged");
        Drawn { home, away, bare }
    })
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// Mean difference of two pictures' channels in a box around a position, 0 to 255.
fn difference(a: &Picture, b: &Picture, [x, y]: [i32; 2], half: [i32; 2]) -> f64 {
    let columns = (x - half[0])..(x + half[0]);
    let pixels = columns.flat_map(|x| ((y - half[1])..(y + half[1])).map(move |y| [x as u32, y as u32]));
    let channels = pixels.flat_map(|[x, y]| (0..3).map(move |i| a.pixel(x, y)[i].abs_diff(b.pixel(x, y)[i])));
    let (sum, count) = channels.fold((0.0, 0.0), |(sum, count), by| (sum + f64::from(by), count + 1.0));
    sum / count
}

/// Checks that `shown` has a lens at one position and none at the other, else returns the fault: at the first it matches headless and not
/// the bare picture, at the other and away from both it matches the bare picture.
fn has_lens(shown: &Picture, drawn: &Picture, bare: &Picture, [there, elsewhere]: [[i32; 2]; 2]) -> Result<(), String> {
    // The corner is beyond the shadow of both.
    let corner = [SIZE[0] as i32 - 30, SIZE[1] as i32 - 30];
    let differs = [
        difference(shown, drawn, there, HALF),
        difference(shown, bare, elsewhere, HALF),
        difference(shown, bare, corner, [25, 25]),
    ];
    let stands_out = difference(shown, bare, there, HALF);
    let is_right = differs.into_iter().all(|by| by < 1.0) && stands_out > 6.0;
    if is_right { Ok(()) } else { Err(format!("it differs by {differs:?}, the lens stands out by {stands_out}")) }
}

/// Starts the script on a display, and drags the lens in its window.
fn opens_a_window(desktop: &Desktop, folder: &Folder, place: impl FnOnce(&mut Command), window: &str) {
    let Drawn { home, away, bare } = drawn();
    let before = desktop.picture();
    let mut command = folder.script();
    command.args(look(HOME)).env("WINIT_X11_SCALE_FACTOR", "1");
    place(&mut command);
    let mut child = command.spawn().expect("the script starts");
    let number = desktop.find(window, &mut child);
    // Under Wayland the compositor's window exists before: the picture shows whether it has content.
    let opened = number.is_some()
        && within(|| {
            let ended = child.try_wait().is_ok_and(|status| status.is_some());
            (ended || desktop.picture() != before).then_some(!ended)
        }) == Some(true);
    let number = number.unwrap_or_default();
    let hand = |words: &str| desktop.hand(&words.replace("WINDOW", &number));
    let sees = |drawn: &Picture, places: [[i32; 2]; 2], what: &str| {
        let mut wrong = String::new();
        let seen = within(|| has_lens(&desktop.picture(), drawn, bare, places).map_err(|why| wrong = why).ok());
        assert!(seen.is_some(), "{what}: {wrong}");
    };
    if opened {
        let titled = desktop.command("timeout").args(["5", "xdotool", "search", "--name", "^Meniscus$"]).output();
        let titled = titled.is_ok_and(|output| !output.stdout.is_empty());
        assert_eq!(titled, window == TITLE, "whether it is a window of the X server");
        hand("mousemove --window WINDOW 400 20 sleep 0.3 click 1 sleep 0.3");
        desktop.still();
        hand("key h");
        sees(home, [HOME, AWAY], "the lens is in the window, and H hides the panels");
        let [from, to] = [HOME, AWAY].map(|[x, y]| format!("mousemove --window WINDOW {x} {y} sleep 0.2"));
        hand(&format!("{from} mousedown 1 sleep 0.2"));
        hand(&format!("mousemove --window WINDOW 380 240 sleep 0.2 {to} mouseup 1"));
        hand("mousemove --window WINDOW 400 20 sleep 0.1");
        sees(away, [AWAY, HOME], "a hand moves it");
        hand("key ctrl+q");
    }
    let ended = within(|| child.try_wait().ok().flatten());
    if ended.is_none() {
        let _ = child.kill();
    }
    let output = child.wait_with_output().expect("it ends");
    assert!(opened, "no window: {}", said(&output));
    assert_eq!((output.status.code(), said(&output).as_str()), (Some(0), ""), "it ends cleanly and has nothing to say");
    assert!(!folder.0.join("out").exists(), "no picture beside a window");
}

fn desktop() -> Option<Desktop> {
    Desktop::open(SIZE).map_err(|why| eprintln!("skipped: {why}")).ok()
}

/// A socket without a listener; removed when dropped.
struct Stale(PathBuf);

impl Stale {
    fn new(socket: PathBuf) -> Self {
        let _ = fs::create_dir_all(socket.parent().expect("a folder"));
        drop(UnixListener::bind(&socket).expect("a socket"));
        Self(socket)
    }

    /// The number of an X display that ended without removing its socket.
    fn display() -> (Self, String) {
        let number = 55_100 + std::process::id() % 4_000;
        (Self::new(format!("/tmp/.X11-unix/X{number}").into()), format!(":{number}"))
    }
}

impl Drop for Stale {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

#[test]
fn on_an_x_server_it_opens_the_window() {
    let Some(desktop) = desktop() else { return };
    let place = |command: &mut Command| _ = command.env("DISPLAY", &desktop.display);
    opens_a_window(&desktop, &Folder::new(), place, TITLE);
}

#[test]
fn a_name_that_a_dead_compositor_left_does_not_hide_a_living_x_server() {
    let Some(desktop) = desktop() else { return };
    let folder = Folder::new();
    let stale = Stale::new(folder.0.join("wayland-7"));
    let name = stale.0.file_name().expect("a name");
    let place = |command: &mut Command| _ = command.env("DISPLAY", &desktop.display).env("WAYLAND_DISPLAY", name);
    opens_a_window(&desktop, &folder, place, TITLE);
}

#[test]
fn on_a_compositor_it_opens_the_window() {
    let Some(desktop) = desktop() else { return };
    let folder = Folder::new();
    let compositor = match Compositor::open(&desktop, SIZE, &folder.0) {
        Ok(compositor) => compositor,
        Err(why) => return eprintln!("skipped: {why}"),
    };
    // Both respond, and Wayland is preferred: the X server has only the compositor's window.
    let place = |command: &mut Command| {
        command.env("DISPLAY", &desktop.display).env("WAYLAND_DISPLAY", &compositor.socket);
    };
    opens_a_window(&desktop, &folder, place, compositor::WINDOW);
}

#[test]
fn a_gpu_that_fails_is_no_reason_for_a_picture() {
    let Some(desktop) = desktop() else { return };
    let folder = Folder::new();
    let mut command = folder.script();
    command.env("DISPLAY", &desktop.display).env("VK_DRIVER_FILES", folder.0.join("none.json"));
    let output = command.args(look(HOME)).output().expect("the script starts");
    assert_eq!((output.status.code(), output.stdout.is_empty()), (Some(1), true), "{}", said(&output));
    let line = String::from_utf8_lossy(&output.stderr);
    assert!(line.lines().any(|line| line.starts_with("meniscus: ") && line.contains("ulkan")), "{line}");
    assert!(!folder.0.join("out").exists(), "no picture");
}

/// Starts it without a working display. `why` is part of the reason.
fn draws_a_picture(folder: &Folder, place: impl Fn(&mut Command), why: &[&str]) {
    let mut command = folder.script();
    place(&mut command);
    let json = folder.0.join("frame.json");
    let output = command.args(look(HOME)).arg("--json").arg(&json).output().expect("the script starts");
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let line = String::from_utf8_lossy(&output.stdout);
    assert_eq!(line.lines().count(), 1, "{}", said(&output));
    assert!(why.iter().all(|why| line.contains(why)), "{line}, expected {why:?}");
    let file = folder.0.join("out/meniscus.png");
    assert!(line.contains(&file.display().to_string()), "{line}");
    assert!(!String::from_utf8_lossy(&output.stderr).contains("meniscus: "), "{}", said(&output));
    let picture = Picture::load(&file).expect("a whole picture");
    assert!(picture == drawn().home, "it is the picture that headless draws, with the lens");
    assert_eq!(fs::read_dir(folder.0.join("out")).expect("a folder").count(), 1, "nothing else is left");
    assert!(fs::read_to_string(&json).is_ok_and(|text| text.contains("\"passes\"")), "the results as JSON");

    // With an explicit `window` command there is no picture.
    let mut command = folder.script();
    place(&mut command);
    let output = command.arg("window").args(look(HOME)).output().expect("the script starts");
    let line = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), output.stdout.is_empty()), (Some(1), true), "{}", said(&output));
    let line = line.lines().find(|line| line.starts_with("meniscus: no window")).unwrap_or_else(|| panic!("{line}"));
    assert!(why.iter().all(|why| line.contains(why)), "{line}, expected {why:?}");
}

#[test]
fn without_a_display_it_draws_a_picture() {
    draws_a_picture(&Folder::new(), |_| {}, &["neither WAYLAND_DISPLAY nor WAYLAND_SOCKET nor DISPLAY is set"]);
}

#[test]
fn stale_sockets_lead_to_a_picture() {
    let folder = Folder::new();
    let (_x11, display) = Stale::display();
    let name = format!("DISPLAY={display}: ");
    draws_a_picture(&folder, |command| _ = command.env("DISPLAY", &display), &[&name]);

    let _ = fs::remove_dir_all(folder.0.join("out"));
    let wayland = Stale::new(folder.0.join("wayland-7"));
    let both = |command: &mut Command| _ = command.env("DISPLAY", &display).env("WAYLAND_DISPLAY", &wayland.0);
    draws_a_picture(&folder, both, &[&name, "WAYLAND_DISPLAY=", "no compositor listens there"]);
}

#[test]
fn a_read_only_folder_puts_the_picture_elsewhere() {
    let folder = Folder::new();
    fs::write(folder.0.join("out"), "not a folder").expect("a file");
    let output = folder.script().args(look(HOME)).output().expect("the script starts");
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let line = String::from_utf8_lossy(&output.stdout);
    let file = line.trim_end().rsplit_once("lies in ").map(|(_, file)| PathBuf::from(file)).expect("a place");
    assert!(file.starts_with(&folder.0) && Picture::load(&file).is_ok(), "{line}");
}
