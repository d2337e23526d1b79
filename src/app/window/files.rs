//! File handling of an open window: presets, dropped files, edited shaders, captures.

use super::file_dialog;
use super::user_event::{self, UserEvent};
use super::window_surface::WindowSurface;
use crate::app::file_loader::{Kind, Outcome, Reading};
use crate::app::lens_layout::Layout;
use crate::app::presets::{Presets, load_file, within_picture};
use crate::app::session::LoadedPreset;
use crate::gpu::{Capture, HotReload};
use crate::techniques::{Settings, retired};
use crate::ui::{Extent, Level, PresetName, messages::Messages};
use anyhow::anyhow;
use std::path::{Path, PathBuf};
use std::time::Duration;
use winit::event_loop::EventLoopProxy;
use winit::window::Window;

/// Files of an open window.
pub struct Files {
    presets: Presets,
    list: Vec<PresetName>,
    /// The file being loaded.
    reading: Option<Reading>,
    /// The file dialogue is open.
    is_picking: bool,
    wake: EventLoopProxy<UserEvent>,
    capture: Option<Capture>,
    /// Shaders whose errors are shown, and the revision of that list: [`Shaders::news`](crate::gpu::Shaders::news).
    broken_shaders: Vec<String>,
    shader_news: u64,
    _hot_reload: Option<HotReload>,
}

/// A loaded preset.
pub struct Loaded {
    /// The resulting settings.
    pub settings: Settings,
    /// The lens layout.
    pub layout: Option<Layout>,
    /// Notes on retired settings in it, one line per kind.
    pub retired: Vec<String>,
}

impl Files {
    /// Loads this user's presets and watches the shaders.
    pub fn new(surface: &WindowSurface, wake: EventLoopProxy<UserEvent>) -> Self {
        let presets = Presets::of_this_user();
        Self {
            list: presets.list(),
            reading: None,
            is_picking: false,
            presets,
            _hot_reload: user_event::watch_shaders(surface, wake.clone()),
            wake,
            capture: None,
            broken_shaders: Vec::new(),
            shader_news: 0,
        }
    }

    /// All presets, in the order of the keys 1 to 9.
    pub fn presets(&self) -> &[PresetName] {
        &self.list
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
        self.reading = Some(reading);
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

    /// Deletes a saved preset; returns its former path.
    pub fn delete_preset(&mut self, name: &str) -> anyhow::Result<PathBuf> {
        let file = self.presets.delete(name)?;
        self.list = self.presets.list();
        Ok(file)
    }

    /// Applies a preset over the current settings.
    ///
    /// # Errors
    /// Names the preset and the field, and what was expected.
    pub fn load_preset(&self, name: &str, over: &Settings) -> anyhow::Result<Loaded> {
        lay(name, self.presets.load(name), over)
    }

    /// The preset of these settings: the first that leaves the glass unchanged when applied over them.
    pub fn preset_of(&self, settings: &Settings) -> Option<LoadedPreset> {
        let is_theirs =
            |name: &&str| self.load_preset(name, settings).is_ok_and(|of| of.settings.glass == settings.glass);
        let name = self.list.iter().map(|preset| preset.name.as_str()).find(is_theirs)?;
        Some(LoadedPreset { name: name.to_owned(), glass: settings.glass.clone() })
    }

    /// Saves settings and lenses under this name; returns the path.
    ///
    /// # Errors
    /// The file cannot be written, or the name is invalid.
    pub fn save_preset(
        &mut self,
        name: &str,
        settings: &Settings,
        extent: Extent,
        layout: Option<&Layout>,
    ) -> anyhow::Result<PathBuf> {
        let file = self.presets.save(name, settings, extent, layout)?;
        self.list = self.presets.list();
        Ok(file)
    }

    /// Handles a dropped or opened file. A preset is returned at once; a scene or a picture is loaded on a thread, which wakes the window
    /// when finished.
    pub fn take(&mut self, file: PathBuf, over: &Settings) -> Option<anyhow::Result<Loaded>> {
        let is = |wanted: &str| file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(wanted));
        if is("toml") {
            return Some(lay(&file.display().to_string(), load_file(&file), over));
        }
        if let Some(preset) = within_picture(&file) {
            return Some(lay(&file.display().to_string(), preset, over));
        }
        let kind = Kind::of(&file);
        self.wait_for(Reading::start(file, kind));
        None
    }

    /// Shows the errors of edited shaders, and removes those that are fixed. Returns whether anything changed.
    pub fn tell_of_shaders(&mut self, surface: &WindowSurface, messages: &mut Messages) -> bool {
        let news = surface.gpu().shaders.news();
        if std::mem::replace(&mut self.shader_news, news) == news {
            return false;
        }
        for name in std::mem::take(&mut self.broken_shaders) {
            messages.clear(&name);
        }
        for (name, problem) in surface.gpu().shaders.errors() {
            messages.hold(&name, Level::Error, format!("{name}: {problem}"));
            self.broken_shaders.push(name);
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

fn lay(name: &str, table: anyhow::Result<toml::Table>, over: &Settings) -> anyhow::Result<Loaded> {
    let (mut table, mut settings) = (table?, over.clone());
    let said = |why: String| anyhow!("preset {name}: {why}");
    let layout = Layout::take(&mut table).map_err(said)?;
    let retired = retired::remove(&mut table);
    settings.lay(table).map_err(said)?;
    layout.iter().for_each(|layout| layout.shape(&mut settings.glass));
    Ok(Loaded { settings, layout, retired })
}
