//! Connection to the display, with readable errors.

#[cfg(target_os = "linux")]
use super::display_server;
use crate::crash_report;
use crate::failure::Failure;
use base::system::System;
use media::png;
use std::any::Any;
use std::panic;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use winit::dpi::{LogicalSize, PhysicalSize, Size};
use winit::event_loop::EventLoop;
use winit::window::Icon;

#[derive(Clone, Debug, PartialEq)]
pub enum WindowExit {
    Unopened(String),
    Failed(Failure),
}

impl From<WindowExit> for Failure {
    fn from(ended: WindowExit) -> Self {
        match ended {
            WindowExit::Unopened(why) => {
                let expected = System::CURRENT.display();
                let instead = "`meniscus headless --png FILE` renders without one";
                Self::failed(format!("no window: {why}; expected {expected}; {instead}"))
            }
            WindowExit::Failed(failure) => failure,
        }
    }
}

impl From<Failure> for WindowExit {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

impl From<anyhow::Error> for WindowExit {
    fn from(error: anyhow::Error) -> Self {
        Self::Failed(crash_report::of(error))
    }
}

pub fn connect<T: 'static>() -> Result<EventLoop<T>, WindowExit> {
    let mut builder = EventLoop::<T>::with_user_event();
    #[cfg(target_os = "linux")]
    let place = display_server::choose(&mut builder);
    #[cfg(not(target_os = "linux"))]
    let place = "";
    let built = quietly(|| builder.build().map_err(|error| error.to_string()));
    built.and_then(|built| built).map_err(|why| unopened(&format!("{place}{}", plain(&why))))
}

pub fn unopened(why: &str) -> WindowExit {
    let is_missing = System::CURRENT == System::Linux
        && ["could not be loaded", "shared libraries"].iter().any(|words| why.contains(words));
    let missing = if is_missing { " (scripts/setup installs it)" } else { "" };
    WindowExit::Unopened(format!("{}{missing}", plain(why)))
}

/// winit's message starts with a source position, and for one library is only a constant.
fn plain(why: &str) -> &str {
    if why.contains("XKBNotFound") {
        return "libxkbcommon could not be loaded";
    }
    let reason = why.strip_prefix("os error at ").and_then(|rest| rest.split_once(": ").map(|x| x.1));
    reason.unwrap_or(why).trim_end_matches('.')
}

/// winit panics if libxkbcommon is missing: returns the message.
pub fn quietly<T>(open: impl FnOnce() -> T) -> Result<T, String> {
    caught(|_| true, open)
}

/// winit panics if the display disconnects or another program destroys the window: returns the message.
pub fn while_it_lasts<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    caught(is_winit, run)
}

fn caught<T>(expected: fn(&str) -> bool, run: impl FnOnce() -> T) -> Result<T, String> {
    let usual = Arc::new(panic::take_hook());
    let was_caught = Arc::new(AtomicBool::new(false));
    let (otherwise, seen) = (usual.clone(), was_caught.clone());
    panic::set_hook(Box::new(move |info| {
        if expected(info.location().map_or("", |place| place.file())) {
            seen.store(true, Relaxed);
        } else {
            otherwise(info);
        }
    }));
    let ran = panic::catch_unwind(panic::AssertUnwindSafe(run));
    panic::set_hook(Box::new(move |info| usual(info)));
    match ran {
        Err(panic) if was_caught.load(Relaxed) => Err(message(panic)),
        Err(panic) => panic::resume_unwind(panic),
        Ok(done) => Ok(done),
    }
}

fn is_winit(file: &str) -> bool {
    file.split(['/', '\\']).any(|part| part.starts_with("winit-"))
}

/// Smaller on a small monitor (pixels, and pixels per point).
pub fn first_size(monitor: Option<(PhysicalSize<u32>, f64)>) -> Size {
    const POINTS: [f64; 2] = [1280.0, 720.0];
    const FREE: f64 = 0.9;
    let most = monitor.filter(|(size, _)| size.width > 0 && size.height > 0).map(|(size, scale)| {
        let points = size.to_logical::<f64>(scale);
        [points.width, points.height]
    });
    let [width, height] = [0, 1].map(|axis| match most {
        Some(most) if most[axis] < POINTS[axis] => most[axis] * FREE,
        _ => POINTS[axis],
    });
    LogicalSize::new(width, height).into()
}

pub fn icon(png: &[u8]) -> Option<Icon> {
    let picture = png::decode_rgba(png).inspect_err(|error| log::warn!("no icon: {error:#}")).ok()?;
    Icon::from_rgba(picture.rgba, picture.size[0], picture.size[1]).ok()
}

pub fn size_again(size: [u32; 2], least: LogicalSize<f64>, monitor: Option<(PhysicalSize<u32>, f64)>) -> Size {
    const MOST: f64 = 16_384.0;
    let monitor = monitor.map(|(size, scale)| size.to_logical::<f64>(scale)).filter(|size| size.width > 0.0);
    let most = monitor.unwrap_or(LogicalSize::new(MOST, MOST));
    let within = |side: u32, least: f64, most: f64| f64::from(side).min(most).max(least);
    LogicalSize::new(within(size[0], least.width, most.width), within(size[1], least.height, most.height)).into()
}

pub fn is_window_destroyed(why: &str) -> bool {
    why.contains("X11Error") && ["error_kind: Window", "error_kind: Drawable"].iter().any(|kind| why.contains(kind))
}

pub fn gone(why: &str) -> Failure {
    Failure::failed(format!("the display went away, and the window with it: {why}"))
}

fn message(panic: Box<dyn Any + Send>) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("the display library panicked").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_icon_is_one() {
        assert!(icon(super::super::ICON).is_some() && icon(b"").is_none());
        let entry = include_str!("../../../assets/desktop/io.github.meniscus.Meniscus.desktop");
        let about = include_str!("../../../assets/desktop/io.github.meniscus.Meniscus.metainfo.xml");
        let id = super::super::APPLICATION;
        assert!(entry.contains(&format!("Icon={id}\n")) && entry.contains(&format!("StartupWMClass={id}\n")));
        let windows = include_bytes!("../../../assets/windows/meniscus.ico");
        assert!(
            windows.windows(super::super::ICON.len()).any(|part| part == super::super::ICON),
            "examples/icon.rs makes it anew"
        );
        let version = format!("<release version=\"{}\"", env!("CARGO_PKG_VERSION"));
        assert!(about.contains(&format!("<id>{id}</id>")) && about.contains(&version));
    }

    #[test]
    fn a_window_comes_back_as_large_as_its_monitor_lets_it() {
        let least = LogicalSize::new(480.0, 320.0);
        let again = |size, monitor| size_again(size, least, monitor).to_logical::<f64>(1.0);
        assert_eq!(again([900, 600], None), LogicalSize::new(900.0, 600.0));
        assert_eq!(again([0, 9_999_999], None), LogicalSize::new(480.0, 16_384.0));
        let monitor = Some((PhysicalSize::new(1600, 1200), 2.0));
        assert_eq!(again([900, 500], monitor), LogicalSize::new(800.0, 500.0));
    }

    #[test]
    fn the_first_window_fits_its_monitor() {
        let size = |monitor: Option<([u32; 2], f64)>| {
            let monitor = monitor.map(|(size, scale)| (PhysicalSize::from(size), scale));
            let scale = monitor.map_or(1.0, |(_, scale)| scale);
            <[u32; 2]>::from(first_size(monitor).to_physical::<u32>(scale))
        };
        assert_eq!(size(None), [1280, 720]);
        assert_eq!(size(Some(([0, 0], 1.0))), [1280, 720]);
        assert_eq!(size(Some(([1280, 800], 1.0))), [1280, 720]);
        assert_eq!(size(Some(([3840, 2160], 2.0))), [2560, 1440]);
        assert_eq!(size(Some(([1920, 1080], 2.0))), [1728, 972], "1080p with large letters");
        assert_eq!(size(Some(([1366, 700], 1.0))), [1280, 630]);
    }

    #[test]
    fn a_panic_becomes_a_message() {
        assert_eq!(quietly(|| 5), Ok(5));
        assert_eq!(quietly(|| -> u8 { panic!("Library {}", "x") }), Err("Library x".into()));
        assert_eq!(quietly(|| -> u8 { panic!("plain") }), Err("plain".into()));
        assert_eq!(while_it_lasts(|| 5), Ok(5));
        let ours = quietly(|| while_it_lasts(|| -> u8 { panic!("ours") }));
        assert_eq!(ours, Err("ours".into()), "a panic that is not winit's goes on");
        assert!(is_winit("/x/registry/src/winit-0.30.13/src/lib.rs") && !is_winit("/x/egui-winit-0.36.0/src/lib.rs"));
        assert!(!is_winit(file!()));
    }

    #[test]
    fn a_destroyed_window_is_told_from_a_lost_display() {
        let x11 = |kind: &str| {
            format!(
                "called `Result::unwrap()` on an `Err` value: X11(X11Error {{ error_kind: {kind}, error_code: 9 }})"
            )
        };
        assert!(["Window", "Drawable"].iter().all(|kind| is_window_destroyed(&x11(kind))));
        let connection = "called `Result::unwrap()` on an `Err` value: Connection(IoError(Kind(BrokenPipe)))";
        assert!(!is_window_destroyed(&x11("Alloc")) && !is_window_destroyed(connection));
    }

    #[test]
    fn library_messages_become_one_line() {
        let no_window = |why: &str| Failure::from(unopened(why));
        let placed = no_window("os error at /a/b.rs:788: Failed to connect").to_string();
        assert!(placed.starts_with("no window: Failed to connect; expected"), "{placed}");
        let missing = no_window("Library libX11.so could not be loaded.").to_string();
        assert!(missing.contains("could not be loaded (scripts/setup installs it); expected"), "{missing}");
        let xlib = no_window("os error at /a/b.rs:1: Failed to load one of xlib's shared libraries").to_string();
        assert!(xlib.contains("libraries (scripts/setup installs it); expected"), "{xlib}");
        assert_eq!(
            plain("called `Result::unwrap()` on an `Err` value: XKBNotFound"),
            "libxkbcommon could not be loaded"
        );
    }
}
