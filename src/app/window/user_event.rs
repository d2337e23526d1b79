//! What other threads tell the window.

use super::file_dialog::Picked;
use super::window_surface::WindowSurface;
use crate::app::file_loader::{Outcome, Reading};
use crate::gpu::{HotReload, ShaderFolder};
use crate::renderer::LoadMode;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use winit::event_loop::EventLoopProxy;

/// News from another thread.
#[derive(Debug)]
pub enum UserEvent {
    /// This has ended, and what came of it.
    Read(Reading, Outcome),
    /// The dialogue for files was closed, or could not be shown.
    Picked(Picked),
    /// A picture was taken and lies there, or why it does not.
    Written(Result<PathBuf, String>),
    /// The built-in picture is ready at the window's size, or the built-in world.
    Painted,
    /// Shaders were compiled again, or could not be.
    Shaders,
    /// A signal asks the program to end.
    Terminate,
}

/// The window goes on while the built-in picture is painted, and is woken when it is there.
pub fn when_painted(wake: EventLoopProxy<UserEvent>) -> LoadMode {
    // One thread paints at a time, but the handle does not know that.
    let wake = Mutex::new(wake);
    LoadMode::Background(Arc::new(move || {
        if let Ok(wake) = wake.lock() {
            // Where the window was closed meanwhile, nothing waits for it.
            let _ = wake.send_event(UserEvent::Painted);
        }
    }))
}

/// Watches the shaders of the source tree, where this program still lies beside it.
pub fn watch_shaders(surface: &WindowSurface, wake: EventLoopProxy<UserEvent>) -> Option<HotReload> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("shaders");
    let folder = ShaderFolder::of_process().map_or(source.as_path(), ShaderFolder::path);
    let changed = move || {
        // Where the window was closed meanwhile, nothing waits for it.
        let _ = wake.send_event(UserEvent::Shaders);
    };
    HotReload::new(surface.gpu(), folder, changed).inspect_err(|why| log::info!("shaders are not watched: {why}")).ok()
}
