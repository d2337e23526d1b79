//! Messages of other threads to the window.

use super::desktop_preferences::DesktopPreference;
use super::file_dialog::DialogResult;
use super::window_surface::WindowSurface;
use crate::gpu::{HotReload, ShaderFolder};
use crate::renderer::LoadMode;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use winit::event_loop::EventLoopProxy;

/// A message of another thread.
#[derive(Debug)]
pub enum UserEvent {
    /// A load has finished.
    Read,
    /// The file dialogue was closed, or could not be shown.
    Picked(DialogResult),
    /// The same of the dialogue for a folder of shaders.
    PickedShaders(DialogResult),
    /// A screenshot was written to this path, or failed.
    Written(Result<PathBuf, String>),
    /// The built-in picture is ready at the window's size, or the built-in world.
    Painted,
    /// Shaders were recompiled, or failed.
    Shaders,
    /// A row of a source document's table was measured.
    Measured,
    /// A screen reader or the like begins or ends to read the window, or acts on it.
    Access(egui_winit::accesskit_winit::WindowEvent),
    /// The desktop tells a preference, or changed it.
    Desktop(DesktopPreference),
    /// A signal requests the exit.
    Terminate,
}

impl From<egui_winit::accesskit_winit::Event> for UserEvent {
    fn from(event: egui_winit::accesskit_winit::Event) -> Self {
        Self::Access(event.window_event)
    }
}

/// Continues the window while the built-in picture is painted, and wakes it when finished.
pub fn when_painted(wake: EventLoopProxy<UserEvent>) -> LoadMode {
    // One thread paints at a time, but the type does not guarantee that.
    let wake = Mutex::new(wake);
    LoadMode::Background(Arc::new(move || {
        if let Ok(wake) = wake.lock() {
            // Fails only if the window was closed meanwhile.
            let _ = wake.send_event(UserEvent::Painted);
        }
    }))
}

/// Passes preferences of the desktop on; returns whether the window is still open.
pub fn when_told(wake: EventLoopProxy<UserEvent>) -> impl Fn(DesktopPreference) -> bool + Clone + Send {
    move |preference| wake.send_event(UserEvent::Desktop(preference)).is_ok()
}

/// Watches the shaders of the source tree, if the program is still beside it.
pub fn watch_shaders(surface: &WindowSurface, wake: EventLoopProxy<UserEvent>) -> Option<HotReload> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("shaders");
    let folder = ShaderFolder::of_process().map_or(source.as_path(), ShaderFolder::path);
    let changed = move || {
        // Fails only if the window was closed meanwhile.
        let _ = wake.send_event(UserEvent::Shaders);
    };
    HotReload::new(surface.gpu(), folder, changed).inspect_err(|why| log::info!("shaders are not watched: {why}")).ok()
}
