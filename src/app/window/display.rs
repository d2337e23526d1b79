//! Opening the connection to the display, and saying plainly why there is none.

use crate::app::failure::Failure;
use std::any::Any;
use std::panic;
use winit::event_loop::EventLoop;

const INSTEAD: &str = "expected an X11 or Wayland display; `meniscus headless --png FILE` renders without one";

/// The event loop of the display that `WAYLAND_DISPLAY` or `DISPLAY` names.
///
/// # Errors
/// Where no display answers, or one of the libraries that speak to it is missing: exit code 1 and what to do instead.
pub fn connect<T: 'static>() -> Result<EventLoop<T>, Failure> {
    if !is_named() {
        return Err(no_window("neither WAYLAND_DISPLAY nor DISPLAY is set"));
    }
    match quietly(|| EventLoop::<T>::with_user_event().build()) {
        Ok(Ok(event_loop)) => Ok(event_loop),
        Ok(Err(error)) => Err(no_window(&error.to_string())),
        Err(why) => Err(no_window(&why)),
    }
}

/// The failure of a window that cannot be opened.
pub fn no_window(why: &str) -> Failure {
    // winit puts the place in its own source before the reason.
    let reason = why.strip_prefix("os error at ").and_then(|rest| rest.split_once(": ").map(|x| x.1)).unwrap_or(why);
    let missing = if reason.contains("could not be loaded") { " (scripts/setup installs it)" } else { "" };
    Failure::failed(format!("no window: {}{missing}; {INSTEAD}", reason.trim_end_matches('.')))
}

/// Whether the environment says where a display is; elsewhere than on Linux there always is one.
fn is_named() -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    cfg!(not(target_os = "linux")) || set("WAYLAND_DISPLAY") || set("WAYLAND_SOCKET") || set("DISPLAY")
}

/// Runs `open` and returns the message of a panic in it: winit panics where libxkbcommon-x11 or libxkbcommon is missing.
pub fn quietly<T>(open: impl FnOnce() -> T) -> Result<T, String> {
    let hook = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    let opened = panic::catch_unwind(panic::AssertUnwindSafe(open));
    panic::set_hook(hook);
    opened.map_err(message)
}

fn message(panic: Box<dyn Any + Send>) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("the display library panicked").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_a_message() {
        assert_eq!(quietly(|| 5), Ok(5));
        assert_eq!(quietly(|| -> u8 { panic!("Library {}", "x") }), Err("Library x".into()));
        assert_eq!(quietly(|| -> u8 { panic!("plain") }), Err("plain".into()));
        let failure = no_window("no display.");
        assert_eq!(failure.code, 1);
        assert!(failure.to_string().starts_with("no window: no display; expected"), "{failure}");
        assert!(failure.to_string().contains("meniscus headless"));
        let placed = no_window("os error at /a/b.rs:788: Failed to connect").to_string();
        assert!(placed.starts_with("no window: Failed to connect; expected"), "{placed}");
    }
}
