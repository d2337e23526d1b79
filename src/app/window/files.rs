//! File handling of an open window: dropped and opened files, edited shaders, captures.

use super::file_dialog;
use super::preset_list::AppliedPreset;
use super::user_event::{self, UserEvent};
use super::window_surface::WindowSurface;
use crate::app::file_loader::{Kind, Outcome, Reading};
use crate::app::presets::{load_file, within_picture};
use crate::gpu::{Capture, Gpu, HotReload, Shaders};
use crate::instrument::ReloadWatch;
use crate::techniques::{Settings, glass};
use crate::ui::{Level, messages::Messages};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use winit::event_loop::EventLoopProxy;
use winit::window::Window;

/// Key of the message about the effect of an edited shader.
const EDITED: &str = "edited shader";

/// Files of an open window.
pub struct Files {
    /// The file being loaded.
    reading: Option<Reading>,
    /// Traces being read: they replace nothing, so that two of them can be dropped at once.
    traces: Vec<Reading>,
    /// The file dialogue is open.
    is_picking: bool,
    wake: EventLoopProxy<UserEvent>,
    capture: Option<Capture>,
    /// Shaders whose errors are shown, and the revision of that list: [`Shaders::news`], one more, of A and of B.
    broken_shaders: Vec<String>,
    shader_revision: [u64; 2],
    _hot_reload: Option<HotReload>,
}

impl Files {
    /// Watches the shaders.
    pub fn new(surface: &WindowSurface, wake: EventLoopProxy<UserEvent>) -> Self {
        Self {
            reading: None,
            traces: Vec::new(),
            is_picking: false,
            _hot_reload: user_event::watch_shaders(surface, wake.clone()),
            wake,
            capture: None,
            broken_shaders: Vec::new(),
            shader_revision: [0; 2],
        }
    }

    /// Watches the shaders of another device.
    pub fn follow(&mut self, surface: &WindowSurface) {
        self._hot_reload = user_event::watch_shaders(surface, self.wake.clone());
        (self.capture, self.shader_revision) = (None, [0; 2]);
    }

    /// Proxy by which other threads wake the window.
    pub fn wake(&self) -> EventLoopProxy<UserEvent> {
        self.wake.clone()
    }

    /// The file being loaded.
    pub fn reading(&self) -> Option<&Reading> {
        self.reading.as_ref()
    }

    /// The load in progress and its outcome, if it has finished.
    pub fn take_read(&mut self) -> Option<(Reading, Outcome)> {
        // In the order in which they were opened.
        if let Some(outcome) = self.traces.first_mut().and_then(|first| first.wait(Duration::ZERO)) {
            return Some((self.traces.remove(0), outcome));
        }
        let outcome = self.reading.as_mut()?.wait(Duration::ZERO)?;
        Some((self.reading.take()?, outcome))
    }

    /// Ends the load in progress and returns it: it is cancelled when it is dropped.
    pub fn cancel(&mut self) -> Option<Reading> {
        self.reading.take()
    }

    /// Wakes the window when this load finishes, and cancels the load before it.
    pub fn wait_for(&mut self, reading: Reading) {
        let wake = self.wake.clone();
        // Fails only if the window was closed meanwhile.
        reading.on_end(move || drop(wake.send_event(UserEvent::Read)));
        if reading.kind == Kind::Trace {
            self.traces.push(reading);
        } else {
            self.reading = Some(reading);
        }
    }

    /// Shows the file dialogue, unless it is open; wakes the window when it is closed.
    pub fn pick(&mut self, window: &Window, folder: Option<&Path>) {
        if std::mem::replace(&mut self.is_picking, true) {
            return;
        }
        let wake = self.wake.clone();
        // Fails only if the window was closed meanwhile.
        file_dialog::pick(window, folder, move |picked| drop(wake.send_event(UserEvent::Picked(picked))));
    }

    /// The dialogue was closed, or failed to open.
    pub fn was_picked(&mut self) {
        self.is_picking = false;
    }

    /// Handles a dropped or opened file. A preset, or a drawing as the shape of the selected lens, is returned at once; a scene, a picture or a trace is loaded on a thread, which wakes the window
    /// when finished.
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

    /// Shows the dialogue for a folder of shaders.
    pub fn pick_shaders(&mut self, window: &Window, folder: Option<&Path>) {
        if std::mem::replace(&mut self.is_picking, true) {
            return;
        }
        let wake = self.wake.clone();
        // Fails only if the window was closed meanwhile.
        let done = move |picked| drop(wake.send_event(UserEvent::PickedShaders(picked)));
        file_dialog::pick_folder(window, folder, done);
    }

    /// Shows the errors of the edited shaders of A and of B, with what is before their names, removes those that are fixed, and follows the
    /// effect of the others of A. Returns whether anything changed.
    pub fn report_shaders(
        &mut self,
        of_both: [(&str, Option<&Shaders>); 2],
        messages: &mut Messages,
        (gpu, reload): (&Arc<Gpu>, &mut ReloadWatch),
    ) -> bool {
        let line = reload.take_line();
        let has_line = line.is_some();
        if let Some(line) = line {
            log::info!("{line}");
            messages.hold(EDITED, Level::Info, line);
        }
        let revision = of_both.map(|(_, shaders)| shaders.map_or(0, |shaders| 1 + shaders.news()));
        if std::mem::replace(&mut self.shader_revision, revision) == revision {
            return has_line;
        }
        for name in std::mem::take(&mut self.broken_shaders) {
            messages.clear(&name);
        }
        reload.begin(gpu, gpu.shaders.take_reloads());
        for (before, shaders) in of_both {
            for (name, problem) in shaders.map_or(Vec::new(), Shaders::errors) {
                let name = format!("{before}{name}");
                messages.hold(&name, Level::Error, format!("{name}: {problem}"));
                self.broken_shaders.push(name);
            }
        }
        true
    }

    /// Captures the next frame, if RenderDoc is attached; returns the message to show.
    pub fn capture(&mut self) -> Result<&'static str, String> {
        let capture = match self.capture.take() {
            Some(capture) => capture,
            None => Capture::attached()?,
        };
        self.capture.insert(capture).trigger();
        Ok("RenderDoc captures the next frame")
    }
}
