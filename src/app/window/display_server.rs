//! Choice of the display server: the Wayland compositor named by the environment if it responds, else the X server.
//! winit tries a name once, so that of an ended session would hide a working display.

use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use winit::event_loop::EventLoopBuilder;
use winit::platform::wayland::{EventLoopBuilderExtWayland as _, WindowAttributesExtWayland};
use winit::platform::x11::{EventLoopBuilderExtX11 as _, WindowAttributesExtX11};
use winit::window::WindowAttributes;

#[derive(Clone, Debug, PartialEq)]
pub struct DisplayServer {
    is_wayland: bool,
    pub name: String,
    pub passed_over: Option<String>,
}

impl DisplayServer {
    pub fn find() -> Result<Self, String> {
        let variable = |name: &str| std::env::var_os(name).map(|value| value.to_string_lossy().into_owned());
        Self::choose(variable, compositor_answers)
    }

    /// `answers`: why the named compositor does not respond.
    fn choose(
        variable: impl Fn(&str) -> Option<String>,
        answers: impl FnOnce() -> Result<(), String>,
    ) -> Result<Self, String> {
        let named =
            |name: &str| variable(name).filter(|value| !value.is_empty()).map(|value| format!("{name}={value}"));
        let mut passed_over = None;
        // The order of winit's library.
        if let Some(name) = named("WAYLAND_SOCKET").or_else(|| named("WAYLAND_DISPLAY")) {
            match answers() {
                Ok(()) => return Ok(Self { is_wayland: true, name, passed_over }),
                Err(why) => passed_over = Some(format!("{name}: {why}")),
            }
        }
        match named("DISPLAY") {
            Some(name) => Ok(Self { is_wayland: false, name, passed_over }),
            None => Err(passed_over.unwrap_or_else(|| "neither WAYLAND_DISPLAY nor DISPLAY is set".into())),
        }
    }

    pub fn choose_in<T>(&self, builder: &mut EventLoopBuilder<T>) {
        if self.is_wayland {
            builder.with_wayland()
        } else {
            builder.with_x11()
        };
    }
}

pub fn named(attributes: WindowAttributes, id: &str) -> WindowAttributes {
    let attributes = WindowAttributesExtWayland::with_name(attributes, id, "meniscus");
    WindowAttributesExtX11::with_name(attributes, id, "meniscus")
}

fn compositor_answers() -> Result<(), String> {
    if std::env::var_os("WAYLAND_SOCKET").is_some() {
        return Ok(()); // an inherited socket can be used only once, by winit
    }
    let name = PathBuf::from(std::env::var_os("WAYLAND_DISPLAY").unwrap_or_default());
    let folder = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from).filter(|folder| folder.is_absolute());
    let place = if name.is_absolute() { Some(name) } else { folder.map(|folder| folder.join(name)) };
    let place = place.ok_or("XDG_RUNTIME_DIR does not say where that is")?;
    UnixStream::connect(place).map(drop).map_err(|_| "no compositor listens there".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wayland_where_it_answers_else_x11_and_the_reasons_add_up() {
        let choose = |variables: &[&str], is_alive: bool| {
            let value = |name: &str| variables.iter().find_map(|known| known.strip_prefix(name)?.strip_prefix('='));
            let answers = || if is_alive { Ok(()) } else { Err("dead".to_owned()) };
            let server = DisplayServer::choose(|name| value(name).map(str::to_owned), answers);
            server.map(|server| (server.name, server.passed_over))
        };
        let (wayland, x11) = ("WAYLAND_DISPLAY=wayland-1", "DISPLAY=:3");
        let left = Some(format!("{wayland}: dead"));
        assert_eq!(choose(&[wayland, x11], true), Ok((wayland.into(), None)));
        assert_eq!(choose(&[wayland, x11], false), Ok((x11.into(), left.clone())));
        assert_eq!(choose(&[wayland], false).err(), left);
        assert_eq!(choose(&["WAYLAND_SOCKET=7", wayland], true), Ok(("WAYLAND_SOCKET=7".into(), None)));
        let nothing = choose(&["WAYLAND_DISPLAY=", "DISPLAY="], true).unwrap_err();
        assert_eq!(nothing, "neither WAYLAND_DISPLAY nor DISPLAY is set", "empty is not set");
    }
}
