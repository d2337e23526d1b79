//! File handling of an open window: dropped and opened files, edited shaders, captures.

use super::file_dialog::{self, Pick};
use super::preset_list::AppliedPreset;
use super::user_event::{self, UserEvent};
use super::window_surface::WindowSurface;
use crate::file_loader::{Kind, Outcome, Reading};
use crate::presets::{load_file, within_picture};
use gpu::{Capture, HotReload, Shaders};
use std::path::{Path, PathBuf};
use std::time::Duration;
use techniques::Settings;
use ui::{Level, messages::Messages};
use winit::event_loop::EventLoopProxy;
use winit::window::Window;

pub struct Files {
    pub reading: Option<Reading>,
    pub is_picking: bool,
    wake: EventLoopProxy<UserEvent>,
    capture: Option<Capture>,
    broken_shaders: Vec<String>,
    shader_revision: [u64; 2],
    _hot_reload: Option<HotReload>,
}

impl Files {
    pub fn new(surface: &WindowSurface, wake: EventLoopProxy<UserEvent>) -> Self {
        Self {
            reading: None,
            is_picking: false,
            _hot_reload: user_event::watch_shaders(surface, wake.clone()),
            wake,
            capture: None,
            broken_shaders: Vec::new(),
            shader_revision: [0; 2],
        }
    }

    pub fn follow(&mut self, surface: &WindowSurface) {
        self._hot_reload = user_event::watch_shaders(surface, self.wake.clone());
        (self.capture, self.shader_revision) = (None, [0; 2]);
    }

    pub fn wake(&self) -> EventLoopProxy<UserEvent> {
        self.wake.clone()
    }

    pub fn take_read(&mut self) -> Option<(Reading, Outcome)> {
        let outcome = self.reading.as_mut()?.wait(Duration::ZERO)?;
        Some((self.reading.take()?, outcome))
    }

    pub fn wait_for(&mut self, reading: Reading) {
        let wake = self.wake.clone();
        reading.on_end(move || drop(wake.send_event(UserEvent::Read)));
        self.reading = Some(reading);
    }

    pub fn pick(&mut self, of: Pick, window: &Window, folder: Option<&Path>) {
        if !std::mem::replace(&mut self.is_picking, true) {
            let wake = self.wake.clone();
            file_dialog::pick(of, window, folder, move |picked| drop(wake.send_event(UserEvent::Picked(of, picked))));
        }
    }

    /// A preset, or a drawing for the selected lens, is returned at once; all else is loaded on a thread.
    pub fn open(&mut self, file: PathBuf, over: &Settings) -> Option<anyhow::Result<AppliedPreset>> {
        let is = |wanted: &str| file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(wanted));
        if is("toml") {
            return Some(AppliedPreset::new(&file.display().to_string(), load_file(&file), over));
        }
        if let Some(preset) = within_picture(&file) {
            return Some(AppliedPreset::new(&file.display().to_string(), preset, over));
        }
        if is("svg") {
            glass::reread_paths();
            return Some(AppliedPreset::of_path(&file, over));
        }
        let kind = Kind::of(&file);
        self.wait_for(Reading::start(file, kind));
        None
    }

    pub fn report_shaders(&mut self, of_both: [(&str, Option<&Shaders>); 2], messages: &mut Messages) -> bool {
        let revision = of_both.map(|(_, shaders)| shaders.map_or(0, |shaders| 1 + shaders.news()));
        if std::mem::replace(&mut self.shader_revision, revision) == revision {
            return false;
        }
        for name in std::mem::take(&mut self.broken_shaders) {
            messages.clear(&name);
        }
        for (before, shaders) in of_both {
            for (name, problem) in shaders.map_or(Vec::new(), Shaders::errors) {
                let name = format!("{before}{name}");
                messages.hold(&name, Level::Error, format!("{name}: {problem}"));
                self.broken_shaders.push(name);
            }
        }
        true
    }

    pub fn capture(&mut self) -> Result<&'static str, String> {
        let capture = match self.capture.take() {
            Some(capture) => capture,
            None => Capture::attached()?,
        };
        self.capture.insert(capture).trigger();
        Ok("RenderDoc captures the next frame")
    }
}
