//! Choice of the display server: the Wayland compositor named by the environment if it responds, else the X server. winit trusts the names
//! and tries once, so a stale name of an ended session would hide a working display.

use std::fs;
use std::os::unix::fs::FileTypeExt as _;
use std::path::Path;
use wayland_client::globals::{GlobalListContents, registry_queue_init};
use wayland_client::protocol::wl_registry::{Event, WlRegistry};
use wayland_client::{ConnectError, Connection, Dispatch, QueueHandle};
use winit::event_loop::EventLoopBuilder;
use winit::platform::wayland::{EventLoopBuilderExtWayland as _, WindowAttributesExtWayland};
use winit::platform::x11::{EventLoopBuilderExtX11 as _, WindowAttributesExtX11};
use winit::window::WindowAttributes;

/// A display server to try.
#[derive(Clone, Debug, PartialEq)]
pub struct DisplayServer {
    kind: DisplayServerKind,
    /// The variable that names it, with its value.
    pub name: String,
    /// The preferred server that was skipped, and why.
    pub passed_over: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum DisplayServerKind {
    Wayland,
    X11,
}

impl DisplayServer {
    /// The first usable server named by the environment; else why there is none.
    pub fn find() -> Result<Self, String> {
        let variable = |name: &str| std::env::var_os(name).map(|value| value.to_string_lossy().into_owned());
        Self::choose(variable, compositor_answers)
    }

    /// `variable` reads the environment, `answers` returns why the named compositor does not respond. An X server is not tested: it is the
    /// last choice, so winit may find out by itself.
    fn choose(
        variable: impl Fn(&str) -> Option<String>,
        answers: impl FnOnce() -> Result<(), String>,
    ) -> Result<Self, String> {
        let named =
            |name: &str| variable(name).filter(|value| !value.is_empty()).map(|value| format!("{name}={value}"));
        let mut passed_over = None;
        // The lookup order of winit's library: an inherited socket, then a name.
        if let Some(name) = named("WAYLAND_SOCKET").or_else(|| named("WAYLAND_DISPLAY")) {
            match answers() {
                Ok(()) => return Ok(Self { kind: DisplayServerKind::Wayland, name, passed_over }),
                Err(why) => passed_over = Some(format!("{name}: {why}")),
            }
        }
        match named("DISPLAY") {
            Some(name) => Ok(Self { kind: DisplayServerKind::X11, name, passed_over }),
            None => Err(passed_over.unwrap_or_else(|| "neither WAYLAND_DISPLAY nor DISPLAY is set".into())),
        }
    }

    /// Selects it in winit.
    pub fn choose_in<T>(&self, builder: &mut EventLoopBuilder<T>) {
        match self.kind {
            DisplayServerKind::Wayland => builder.with_wayland(),
            DisplayServerKind::X11 => builder.with_x11(),
        };
    }
}

/// Sets the application id, for Wayland and for X11.
pub fn named(attributes: WindowAttributes, id: &str) -> WindowAttributes {
    let attributes = WindowAttributesExtWayland::with_name(attributes, id, "meniscus");
    WindowAttributesExtX11::with_name(attributes, id, "meniscus")
}

/// Globals without which winit cannot open a window.
const NEEDED: [&str; 3] = ["wl_compositor", "wl_shm", "xdg_wm_base"];

fn compositor_answers() -> Result<(), String> {
    if let Some(number) = std::env::var_os("WAYLAND_SOCKET") {
        // An inherited socket can be used only once, by winit.
        let number = number.to_str().and_then(|number| number.parse::<u32>().ok());
        let file = number.and_then(|number| fs::metadata(format!("/proc/self/fd/{number}")).ok());
        let is_socket = file.is_some_and(|file| file.file_type().is_socket());
        return if is_socket { Ok(()) } else { Err("not the number of an open socket".into()) };
    }
    let connection = Connection::connect_to_env().map_err(|error| match error {
        ConnectError::NoCompositor if !knows_folder() => "XDG_RUNTIME_DIR does not say where that is".into(),
        ConnectError::NoCompositor => "no compositor listens there".into(),
        other => other.to_string(),
    })?;
    let (globals, _) = registry_queue_init::<RegistryState>(&connection).map_err(|error| error.to_string())?;
    let offered = globals.contents().clone_list();
    match NEEDED.iter().find(|needed| !offered.iter().any(|global| global.interface == **needed)) {
        Some(missing) => Err(format!("the compositor there does not offer {missing}")),
        None => Ok(()),
    }
}

/// Whether names are resolved in this folder; absolute paths are not.
fn knows_folder() -> bool {
    let is_path = |name| std::env::var_os(name).is_some_and(|value| Path::new(&value).is_absolute());
    is_path("WAYLAND_DISPLAY") || is_path("XDG_RUNTIME_DIR")
}

/// Ignores everything after the first response.
struct RegistryState;

impl Dispatch<WlRegistry, GlobalListContents> for RegistryState {
    fn event(_: &mut Self, _: &WlRegistry, _: Event, _: &GlobalListContents, _: &Connection, _: &QueueHandle<Self>) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choose(variables: &[(&str, &str)], answers: Result<(), &str>) -> Result<DisplayServer, String> {
        let variable =
            |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
        DisplayServer::choose(variable, || answers.map_err(str::to_owned))
    }

    fn server(kind: DisplayServerKind, name: &str, passed_over: Option<&str>) -> Result<DisplayServer, String> {
        Ok(DisplayServer { kind, name: name.into(), passed_over: passed_over.map(Into::into) })
    }

    #[test]
    fn wayland_where_it_answers_else_x11_and_the_reasons_add_up() {
        let (wayland, x11) = (("WAYLAND_DISPLAY", "wayland-1"), ("DISPLAY", ":3"));
        let dead = Err("dead");
        let left = "WAYLAND_DISPLAY=wayland-1: dead";
        assert_eq!(
            choose(&[wayland, x11], Ok(())),
            server(DisplayServerKind::Wayland, "WAYLAND_DISPLAY=wayland-1", None)
        );
        assert_eq!(choose(&[wayland, x11], dead), server(DisplayServerKind::X11, "DISPLAY=:3", Some(left)));
        assert_eq!(choose(&[x11], dead), server(DisplayServerKind::X11, "DISPLAY=:3", None));
        assert_eq!(choose(&[wayland], Ok(())), server(DisplayServerKind::Wayland, "WAYLAND_DISPLAY=wayland-1", None));
        assert_eq!(choose(&[wayland], dead), Err(left.into()));
        let inherited = ("WAYLAND_SOCKET", "7");
        assert_eq!(choose(&[inherited, wayland], Ok(())), server(DisplayServerKind::Wayland, "WAYLAND_SOCKET=7", None));
        let nothing = Err("neither WAYLAND_DISPLAY nor DISPLAY is set".to_owned());
        assert_eq!(choose(&[], Ok(())), nothing);
        assert_eq!(choose(&[("WAYLAND_DISPLAY", ""), ("DISPLAY", "")], Ok(())), nothing, "empty is not set");
    }
}
