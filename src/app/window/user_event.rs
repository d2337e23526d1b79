//! Messages of other threads to the window.

use super::desktop_preferences::DesktopPreference;
use super::file_dialog::{DialogResult, Pick};
use super::window_surface::WindowSurface;
use crate::recording::Written;
use crate::video::SavedFile;
use base::job::Outcome;
use gpu::{HotReload, ShaderFolder};
use renderer::LoadMode;
use std::path::Path;
use std::sync::{Arc, Mutex};
use winit::event_loop::EventLoopProxy;

#[derive(Debug)]
pub enum UserEvent {
    Read,
    Picked(Pick, DialogResult),
    /// `None`: it was cancelled.
    Written(Result<Option<SavedFile>, String>),
    NotShown(String),
    Painted,
    Shaders,
    Measured,
    Access(egui_winit::accesskit_winit::WindowEvent),
    Desktop(DesktopPreference),
    Terminate,
}

impl From<egui_winit::accesskit_winit::Event> for UserEvent {
    fn from(event: egui_winit::accesskit_winit::Event) -> Self {
        Self::Access(event.window_event)
    }
}

pub fn send_written(wake: &EventLoopProxy<UserEvent>, written: Written) {
    let written = written.and_then(|written| written.map_err(|error| format!("{error:#}")));
    let _ = wake.send_event(UserEvent::Written(written));
}

pub fn send_shown(wake: &EventLoopProxy<UserEvent>, shown: Outcome<anyhow::Result<()>>) {
    if let Err(why) = shown.and_then(|shown| shown.map_err(|error| format!("{error:#}"))) {
        let _ = wake.send_event(UserEvent::NotShown(why));
    }
}

pub fn when_painted(wake: EventLoopProxy<UserEvent>) -> LoadMode {
    let wake = Mutex::new(wake);
    LoadMode::Background(Arc::new(move || {
        if let Ok(wake) = wake.lock() {
            let _ = wake.send_event(UserEvent::Painted);
        }
    }))
}

pub fn watch_shaders(surface: &WindowSurface, wake: EventLoopProxy<UserEvent>) -> Option<HotReload> {
    let source = Path::new(env!("MENISCUS_CHECKOUT")).join("shaders");
    let folder = ShaderFolder::of_process().map_or(source.as_path(), ShaderFolder::path);
    let changed = move || {
        let _ = wake.send_event(UserEvent::Shaders);
    };
    HotReload::new(surface.gpu(), folder, changed).inspect_err(|why| log::info!("shaders are not watched: {why}")).ok()
}
