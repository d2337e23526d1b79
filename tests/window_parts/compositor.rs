//! Wayland compositor without a screen: weston, drawing into an X server with synthetic input.

use super::desktop::{Desktop, found, within};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

/// The mark of its window (xdotool does not read the title of this one).
pub const WINDOW: &str = "--classname ^weston-1$";

/// Ends when dropped.
pub struct Compositor {
    server: Child,
    /// Its socket; the value for WAYLAND_DISPLAY.
    pub socket: PathBuf,
}

impl Compositor {
    /// With this size in pixels, for it and every window. Its socket is in the private `folder`. The reason if weston is missing.
    pub fn open(desktop: &Desktop, [width, height]: [u32; 2], folder: &Path) -> Result<Self, String> {
        found("weston")?;
        let log = std::fs::File::create(folder.join("weston.log")).map_err(|error| error.to_string())?;
        let mut server = desktop
            .command("weston")
            .args([
                "--backend=x11-backend.so",
                "--use-pixman",
                "--shell=kiosk-shell.so",
                "--no-config",
                "--idle-time=0",
            ])
            .args([format!("--width={width}"), format!("--height={height}"), "--socket=compositor".into()])
            .env("XDG_RUNTIME_DIR", folder)
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .map_err(|error| format!("weston: {error}"))?;
        let window = desktop.find(WINDOW, &mut server);
        let compositor = Self { server, socket: folder.join("compositor") };
        let listens = || std::os::unix::net::UnixStream::connect(&compositor.socket).ok();
        match window.and_then(|_| within(listens)) {
            Some(_) => Ok(compositor),
            None => {
                panic!(
                    "weston does not answer: {}",
                    std::fs::read_to_string(folder.join("weston.log")).unwrap_or_default()
                )
            }
        }
    }
}

impl Drop for Compositor {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}
