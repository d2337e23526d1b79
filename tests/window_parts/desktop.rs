//! Virtual screen (Xvfb), synthetic input (xdotool), and pictures of the screen, read from the server's framebuffer file.

use super::SIZE;
use media::picture::Picture;
use std::cell::RefCell;
use std::fs::Permissions;
use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Time after which a test no longer expects a state. Far longer than a slow and loaded machine takes: only failures last that long.
const PATIENCE: Duration = Duration::from_secs(240);

/// A picture that is unchanged for this long, in which neither program nor server computed, is the last one: a program on a slow or loaded
/// machine computes, or waits for a core, until it has drawn it.
const STILL: Duration = Duration::from_millis(700);

/// A private X server; ends when dropped.
pub struct Desktop {
    server: Child,
    /// The value for DISPLAY.
    pub display: String,
    /// Folder for the state of programs on it, and their pictures. Removed when dropped.
    pub home: PathBuf,
    /// Processes of the programs on it.
    programs: RefCell<Vec<u32>>,
    /// The framebuffer that was read last, and its picture: mostly nothing has changed.
    last: RefCell<(Vec<u8>, Picture)>,
}

impl Desktop {
    /// The reason if a tool is missing.
    pub fn open(size: [u32; 2]) -> Result<Self, String> {
        for tool in ["Xvfb", "xdotool"] {
            found(tool)?;
        }
        let screen = format!("{}x{}x24", size[0], size[1]);
        // Two servers that pick a display themselves and start together may pick the same one, or one whose server is just ending and
        // removes the new one's socket. So each gets a number of its own. And a server resets itself when its last client leaves, unless
        // disabled: a client that connects in that moment is rejected.
        static COUNT: AtomicU32 = AtomicU32::new(0);
        for _ in 0..10 {
            let number = 5000 + (std::process::id() * 16 + COUNT.fetch_add(1, Relaxed)) % 50_000;
            let display = format!(":{number}");
            let home = std::env::temp_dir().join(format!("meniscus-desktop-{number}"));
            let _ = std::fs::remove_dir_all(&home);
            std::fs::create_dir_all(&home).map_err(|error| format!("{}: {error}", home.display()))?;
            let mut server = Command::new("Xvfb")
                .args([&display, "-displayfd", "1", "-screen", "0", &screen, "-nolisten", "tcp", "-noreset"])
                // The pointer would be a part of the framebuffer.
                .args(["-nocursor", "-fbdir"])
                .arg(&home)
                .stdout(Stdio::piped())
                .stderr(Stdio::null())
                .spawn()
                .map_err(|error| format!("Xvfb: {error}"))?;
            // It prints its number when it listens, and nothing if the display is taken.
            let mut said = String::new();
            if let Some(stdout) = server.stdout.take() {
                let _ = BufReader::new(stdout).read_line(&mut said);
            }
            let (programs, last) =
                (RefCell::default(), RefCell::new((Vec::new(), Picture { size: [0; 2], rgba: Vec::new() })));
            let desktop = Self { server, display, home, programs, last };
            if !said.trim().is_empty() {
                return Ok(desktop);
            }
        }
        Err("Xvfb did not start".into())
    }

    /// A command that uses this desktop only.
    pub fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.env("DISPLAY", &self.display).env_remove("WAYLAND_DISPLAY").env_remove("WAYLAND_SOCKET");
        // No dialogue of the desktop that the tests run on.
        command.env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent");
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folders = [self.programs()].into_iter().chain(std::env::split_paths(&path));
        command.env("PATH", std::env::join_paths(folders).unwrap_or(path.clone()));
        for name in ["XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_PICTURES_DIR", "XDG_VIDEOS_DIR"] {
            command.env(name, &self.home);
        }
        command
    }

    /// Folder of programs that override the machine's.
    fn programs(&self) -> PathBuf {
        self.home.join("programs")
    }

    /// Adds a shell script to them.
    pub fn add_program(&self, name: &str, text: &str) -> PathBuf {
        std::fs::create_dir_all(self.programs()).expect("a folder of our own");
        let program = self.programs().join(name);
        std::fs::write(&program, format!("#!/bin/sh\n{text}\n")).expect("a file of our own");
        std::fs::set_permissions(&program, Permissions::from_mode(0o755)).expect("a file of our own");
        program
    }

    /// Runs `xdotool` with these words.
    pub fn hand(&self, words: &str) -> String {
        let output = self.command("timeout").args(["20", "xdotool"]).args(words.split(' ')).output().expect("xdotool");
        assert!(output.status.success(), "xdotool {words}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    /// Waits for the window with this mark (`--name TITLE` or `--class CLASS`, regular expressions) and focuses it (there is no window
    /// manager); returns its number. `None` if `program`, whose window it is, ended instead.
    pub fn find(&self, mark: &str, program: &mut Child) -> Option<String> {
        self.programs.borrow_mut().push(program.id());
        let window = within(|| {
            let output =
                self.command("timeout").args(["5", "xdotool", "search"]).args(mark.split(' ')).output().ok()?;
            let window = String::from_utf8_lossy(&output.stdout).lines().next().map(str::to_owned);
            let ended = program.try_wait().is_ok_and(|status| status.is_some());
            (window.is_some() || ended).then_some(window)
        })
        .flatten()?;
        self.hand(&format!("windowfocus --sync {window}"));
        Some(window)
    }

    /// Of the server and of all programs on it.
    fn work(&self) -> Work {
        let mut work = Work::default();
        self.programs.borrow().iter().chain([&self.server.id()]).for_each(|process| work.add(*process));
        work
    }

    /// Kills the server, as a crash does.
    pub fn lose(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
        // A killed server leaves both.
        let number = self.display.trim_start_matches(':');
        for file in [format!("/tmp/.X{number}-lock"), format!("/tmp/.X11-unix/X{number}")] {
            let _ = std::fs::remove_file(file);
        }
    }

    /// The current screen.
    pub fn picture(&self) -> Picture {
        let file = std::fs::read(self.home.join("Xvfb_screen0")).expect("the server's framebuffer");
        let mut last = self.last.borrow_mut();
        if last.0 != file {
            let picture = picture_of_xwd(&file);
            let picture =
                picture.unwrap_or_else(|| panic!("a framebuffer of {} bytes, expected an XWD file", file.len()));
            *last = (file, picture);
        }
        last.1.clone()
    }

    /// Waits until the screen differs from `before`: where a cursor blinks it is never still.
    pub fn differs(&self, before: &Picture, what: &str) {
        let changed = within(|| (self.picture() != *before).then_some(()));
        assert!(changed.is_some(), "nothing changed: {what}");
    }

    /// Waits until the screen differs from `before`, and then until it no longer changes.
    pub fn after(&self, before: &Picture, what: &str) -> Picture {
        self.differs(before, what);
        self.still()
    }

    /// The screen after H hid the panels of `shown`, without the hint on how to show them: four seconds later.
    pub fn hidden_after(&self, shown: &Picture) -> Picture {
        let with_line = self.after(shown, "H hides the panels");
        let _ = until(Duration::from_secs(6), || (self.picture() != with_line).then_some(()));
        self.still()
    }

    /// Waits until the screen equals `wanted` and stays so: a message may come a frame after what it is about, and
    /// go some seconds later.
    pub fn shows(&self, wanted: &Picture, what: &str) {
        let mut last = None;
        let found = within(|| {
            let now = self.picture();
            let same = now == *wanted && self.still() == *wanted;
            last = Some(now);
            same.then_some(())
        });
        let differs = last.map(|last| changed(wanted, &last));
        assert!(found.is_some(), "{what}: the screen differs in {differs:?} (left, top, right, bottom)");
    }

    /// The screen once nothing has changed and nothing has computed for [`STILL`].
    pub fn still(&self) -> Picture {
        let (mut last, mut since, mut used) = (self.picture(), Instant::now(), 0);
        let still = within(|| {
            std::thread::sleep(STILL / 5);
            let (now, work) = (self.picture(), self.work());
            // One tick is what an idle program takes for a timer, and this very look at the screen.
            if now != last || work.waits || work.ticks > used + 1 {
                (last, since) = (now, Instant::now());
            }
            used = work.ticks;
            (since.elapsed() >= STILL).then_some(())
        });
        assert!(still.is_some(), "the picture never stands still");
        last
    }
}

/// Work of processes.
#[derive(Default)]
struct Work {
    /// Ticks of processor time so far.
    ticks: u64,
    /// A thread runs, or waits for a core.
    waits: bool,
}

impl Work {
    /// Of one process; of none where it has ended.
    fn add(&mut self, process: u32) {
        let threads = std::fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
        for thread in threads {
            let stat = std::fs::read_to_string(thread.path().join("stat")).unwrap_or_default();
            // The name, in brackets, may hold anything.
            let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or("").split_whitespace().collect();
            self.waits |= fields.first() == Some(&"R");
            let ticks = |index: usize| fields.get(index).and_then(|text| text.parse::<u64>().ok()).unwrap_or(0);
            self.ticks += ticks(11) + ticks(12);
        }
    }
}

impl Drop for Desktop {
    fn drop(&mut self) {
        // Terminated, not killed: it removes its lock and its socket. Once it has ended, its number may be another's.
        if matches!(self.server.try_wait(), Ok(None)) {
            let asked = Command::new("kill").arg(self.server.id().to_string()).status();
            if !asked.is_ok_and(|status| status.success()) {
                let _ = self.server.kill();
            }
        }
        let _ = self.server.wait();
        let _ = std::fs::remove_dir_all(&self.home);
    }
}

/// An image of 32 bits per pixel with blue first, in the format of X window dumps (XWDFile.h): big-endian words, colours, then rows.
fn picture_of_xwd(file: &[u8]) -> Option<Picture> {
    let word = |index: usize| Some(u32::from_be_bytes(*file.get(4 * index..)?.first_chunk()?));
    let [header, width, height, bits, row, colours] = [word(0)?, word(4)?, word(5)?, word(11)?, word(12)?, word(19)?];
    let rows = file.get(header as usize + 12 * colours as usize..)?;
    if bits != 32 || row < 4 * width || rows.len() < row as usize * height as usize {
        return None;
    }
    let mut rgba = Vec::with_capacity(4 * width as usize * height as usize);
    for row in rows.chunks_exact(row as usize).take(height as usize) {
        for bgr in row[..4 * width as usize].chunks_exact(4) {
            rgba.extend_from_slice(&[bgr[2], bgr[1], bgr[0], 255]);
        }
    }
    Some(Picture { size: [width, height], rgba })
}

/// The remedy if this machine lacks the tool.
pub fn found(tool: &str) -> Result<(), String> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).any(|folder| folder.join(tool).is_file());
    if found { Ok(()) } else { Err(format!("{tool} is missing (scripts/setup --test installs it)")) }
}

/// The box around every pixel that differs: left, top, right, bottom.
pub fn changed(a: &Picture, b: &Picture) -> Option<[i32; 4]> {
    let mut found: Option<[i32; 4]> = None;
    for y in 0..a.size[1] {
        for x in (0..a.size[0]).filter(|x| a.pixel(*x, y) != b.pixel(*x, y)) {
            let (x, y) = (x as i32, y as i32);
            let [left, top, right, bottom] = found.unwrap_or([x, y, x, y]);
            found = Some([left.min(x), top.min(y), right.max(x), bottom.max(y)]);
        }
    }
    found
}

/// The screen above the strip of scenes and the tour's card, which differ by rounding from frame to frame.
pub fn above_strip(screen: &Picture) -> Picture {
    const BELOW: u32 = 198;
    Picture::from_fn([screen.size[0], SIZE[1] - BELOW], |x, y| screen.pixel(x, y))
}

/// Polls until there is a result or [`PATIENCE`] ends.
pub fn within<T>(ask: impl FnMut() -> Option<T>) -> Option<T> {
    until(PATIENCE, ask)
}

fn until<T>(time: Duration, mut ask: impl FnMut() -> Option<T>) -> Option<T> {
    let end = Instant::now() + time;
    loop {
        if let Some(answer) = ask() {
            return Some(answer);
        }
        if Instant::now() > end {
            return None;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
}
