//! What the panels and the person ask of the program: settings, presets, files, captures.

use super::Wake;
use super::demo::Demo;
use crate::app::layout::Layout;
use crate::app::presets::load_file;
use crate::base::picture::Picture;
use crate::gpu::Capture;
use crate::scene::world;
use crate::techniques::Settings;
use crate::ui::{Level, UiAction, Wish};
use anyhow::anyhow;
use std::path::PathBuf;
use std::sync::Arc;

impl Demo {
    /// Does what the panels ask for.
    pub(super) fn act(&mut self, action: UiAction) {
        match action {
            UiAction::Changed { .. } => {}
            UiAction::View(shown) => self.shown = shown,
            UiAction::Preset(wish) => self.grant(wish),
        }
        self.ask();
    }

    /// The settings may have been changed: lets those that follow others follow. `before` is what they were.
    pub(super) fn settle(&mut self, before: &Settings) {
        if self.settings == *before {
            return;
        }
        self.settings.settle(before);
        let display = &self.settings.display;
        self.surface.pacing(display.present, display.frames_in_flight as usize);
        self.shape_lens();
        self.ask();
    }

    fn grant(&mut self, wish: Wish) {
        match wish {
            Wish::Load(name) => {
                let table = self.presets.load(&name);
                self.lay(&name, table);
            }
            Wish::Save(name) => match self.presets.save(&name, &self.settings, self.layout().as_ref()) {
                Ok(file) => {
                    self.preset_names = self.presets.names();
                    self.say(Level::Info, format!("Saved {}", file.display()));
                }
                Err(error) => self.say(Level::Error, format!("{error:#}")),
            },
            Wish::Reset => self.replace(Settings::default(), None),
        }
    }

    /// Keeps what was set, where the program must end though nobody asked it to: the preset to go on with, if it could be kept.
    pub fn rescue(&self) -> Option<&'static str> {
        const NAME: &str = "rescued";
        let has_shown_anything = self.surface.number() > 0;
        let saved = has_shown_anything.then(|| self.presets.save(NAME, &self.settings, self.layout().as_ref()))?;
        saved.inspect_err(|why| log::info!("nothing was kept: {why:#}")).ok().map(|_| NAME)
    }

    /// Where the lenses are now.
    fn layout(&self) -> Option<Layout> {
        Layout::of(&self.lenses, self.surface.area_px(), self.surface.window().scale_factor() as f32)
    }

    /// Lays a preset over the settings as they are, and puts the lenses where it says.
    fn lay(&mut self, name: &str, table: anyhow::Result<toml::Table>) {
        let mut settings = self.settings.clone();
        let laid = table.and_then(|mut table| {
            let said = |why: String| anyhow!("preset {name}: {why}");
            let layout = Layout::take(&mut table).map_err(said)?;
            settings.lay(table).map_err(said)?;
            layout.iter().for_each(|layout| layout.shape(&mut settings.glass));
            Ok(layout)
        });
        match laid {
            Ok(layout) => self.replace(settings, layout),
            Err(error) => self.say(Level::Error, format!("{error:#}")),
        }
    }

    fn replace(&mut self, settings: Settings, layout: Option<Layout>) {
        let before = std::mem::replace(&mut self.settings, settings);
        self.home = self.settings.glass.clone();
        if let Some(layout) = &layout {
            let scale = self.surface.window().scale_factor() as f32;
            self.hand.forget();
            self.lenses = layout.lenses(&self.settings.glass, self.surface.area_px(), scale);
            self.ask();
        }
        self.home_layout = layout;
        self.settle(&before);
    }

    /// A file was dropped on the window: a preset, a scene or a picture. A large one takes its time, which is not the window's.
    pub(super) fn take_file(&mut self, file: PathBuf) {
        let is = |wanted: &str| file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(wanted));
        if is("toml") {
            let table = load_file(&file);
            return self.lay(&file.display().to_string(), table);
        }
        let (wake, is_scene) = (self.wake.clone(), is("gltf") || is("glb"));
        std::thread::spawn(move || {
            if is_scene {
                let world = world::load(&file).map(Arc::new).map_err(|error| format!("{error:#}"));
                let _ = wake.send_event(Wake::World(world)); // as below
                return;
            }
            let picture = Picture::load(&file).map_err(|error| format!("{error:#}"));
            // Nobody waits for it where the window was closed meanwhile.
            let _ = wake.send_event(Wake::Picture(picture));
        });
    }

    /// Something came from another thread.
    pub fn woken(&mut self, wake: Wake) {
        match wake {
            Wake::Picture(Ok(picture)) => self.show_picture(picture),
            Wake::Picture(Err(why)) => self.say(Level::Error, why),
            Wake::World(Ok(world)) => self.show_world(world),
            Wake::World(Err(why)) => self.say(Level::Error, why),
            Wake::Painted => {
                self.follow.start();
                self.ask();
            }
            Wake::Shaders => self.tell_of_shaders(),
        }
    }

    fn tell_of_shaders(&mut self) {
        for name in std::mem::take(&mut self.broken_shaders) {
            self.ui.messages.clear(&name);
        }
        for (name, problem) in self.surface.gpu().shaders.errors() {
            self.ui.messages.hold(&name, Level::Error, format!("{name}: {problem}"));
            self.broken_shaders.push(name);
        }
        self.ask();
    }

    /// Captures the next frame, if RenderDoc is attached.
    pub(super) fn take_capture(&mut self) {
        if self.capture.is_none() {
            match Capture::attached() {
                Ok(capture) => self.capture = Some(capture),
                Err(why) => return self.say(Level::Error, why),
            }
        }
        if let Some(capture) = &mut self.capture {
            capture.trigger();
            self.say(Level::Info, "RenderDoc captures the next frame");
        }
    }
}
