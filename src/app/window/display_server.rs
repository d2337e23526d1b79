//! Choice of the display server. winit tries only one: the name of a compositor that has ended would hide a working X server.

use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use winit::event_loop::EventLoopBuilder;
use winit::platform::wayland::WindowAttributesExtWayland;
use winit::platform::x11::{EventLoopBuilderExtX11 as _, WindowAttributesExtX11};
use winit::window::WindowAttributes;

/// X11 where no compositor listens. Returns the names that are tried, for messages.
pub fn choose<T>(builder: &mut EventLoopBuilder<T>) -> String {
    let value = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let named = |name: &str| value(name).map(|value| format!("{name}={}", value.to_string_lossy()));
    // An inherited socket can be used only once, by winit.
    let socket = named("WAYLAND_SOCKET");
    let listens = || {
        let [folder, name] = ["XDG_RUNTIME_DIR", "WAYLAND_DISPLAY"].map(|name| value(name).unwrap_or_default());
        socket.is_some() || UnixStream::connect(PathBuf::from(folder).join(name)).is_ok()
    };
    match (socket.clone().or_else(|| named("WAYLAND_DISPLAY")), named("DISPLAY")) {
        (Some(wayland), Some(x11)) if !listens() => {
            builder.with_x11();
            format!("{wayland}: no compositor listens there, and {x11}: ")
        }
        (Some(name), _) | (None, Some(name)) => format!("{name}: "),
        (None, None) => String::new(),
    }
}

pub fn named(attributes: WindowAttributes, id: &str) -> WindowAttributes {
    let attributes = WindowAttributesExtWayland::with_name(attributes, id, "meniscus");
    WindowAttributesExtX11::with_name(attributes, id, "meniscus")
}
