//! Messages from other threads, and the state saved for the next launch.

use super::super::document::{DocumentState, Edit, SceneFiles};
use super::App;
use crate::app::failure::Failure;
use crate::app::file_loader::{Content, FileRead, Kind, Reading};
use crate::app::last_session::{LastSession, WindowState};
use crate::app::lens_layout::Layout;
use crate::app::presets::text;
use crate::app::run_summary::Run;
use crate::app::window::UserEvent;
use crate::base::timing::FrameTiming;
use crate::scene::Source;
use crate::ui::{About, Level};
use anyhow::Result;
use std::path::Path;
use std::time::Instant;
use winit::dpi::PhysicalSize;

impl App {
    /// State for the next launch.
    fn remembered(&self) -> LastSession {
        LastSession {
            window: self.window,
            panels: Some(self.ui.shown(self.panels.ctx())),
            settings: self.document.settings().clone(),
            layout: self.layout(),
            preset: self.document.state().origin.preset.clone(),
        }
    }

    /// Stores size and state of the window at the last draw: a destroyed window cannot be queried.
    fn note_window(&mut self) {
        let window = self.surface.window();
        let size = PhysicalSize::<u32>::from(self.surface.size_px()).to_logical::<u32>(window.scale_factor());
        if self.surface.number() > 0 && size.width > 0 && size.height > 0 {
            self.window = Some(WindowState { size: size.into(), is_maximized: window.is_maximized() });
        }
    }

    /// Saves the state if due; returns the time at which it is due.
    pub(super) fn keep(&mut self) -> Option<Instant> {
        let due = self.keeper.due()?;
        if due > Instant::now() {
            return Some(due);
        }
        self.note_window();
        self.keeper.put(self.remembered());
        None
    }

    /// Hands over the state early, in case the program ends before it is due.
    pub(super) fn note_state(&mut self) {
        if self.surface.number() > 0 {
            let state = self.remembered();
            self.keeper.note(state);
        }
    }

    /// Saves the state when the window closes.
    pub fn keep_at_end(&mut self) {
        self.note_window();
        self.keep_without_display();
    }

    /// The same without a display, when the window cannot be queried.
    pub fn keep_without_display(&mut self) {
        self.keeper.put(self.remembered());
        self.keeper.finish();
    }

    /// The lens layout.
    pub(super) fn layout(&self) -> Option<Layout> {
        Layout::of(&self.document.state().lenses, self.surface.area_px(), self.scale)
    }

    /// Requests the readback of the next frame for a [`Screenshot`].
    pub(super) fn take_picture(&mut self) {
        if self.surface.readable().is_some() {
            self.wants_picture = true;
            self.ask();
        } else {
            self.say_about(
                About::Picture,
                Level::Error,
                "This display does not allow reading the window back; `meniscus headless --png FILE` renders a picture.",
            );
        }
    }

    /// The preset of the current state, including the camera's drift.
    pub(super) fn seen(&self) -> Result<String> {
        let mut settings = self.document.settings().clone();
        settings.scene.stop_after(self.document.state().drifted_s);
        text(&settings, self.layout().as_ref())
    }

    /// Writes the picture whose frame has finished.
    pub(super) fn finish_picture(&mut self, ended: u64) {
        let Some(snapshot) = self.snapshot.take_if(|snapshot| snapshot.frame <= ended) else { return };
        snapshot.save(self.surface.gpu().info(), self.kept.make_contiguous(), self.files.wake());
    }

    /// The summary of the frames, with the latest 1000 timings.
    pub fn json(&mut self, validates: bool) -> String {
        let gpu = self.surface.gpu().clone();
        let (size, frames) = (self.surface.area_px().as_uvec2().to_array(), self.surface.number());
        let timings: Vec<FrameTiming> = std::mem::take(&mut self.kept).into_iter().rev().collect();
        let validation = (validates, gpu.messages().len());
        Run { facts: gpu.info(), size, frames, timings: &timings, validation }.json()
    }

    /// Handles a message from another thread.
    ///
    /// # Errors
    /// The file given at launch cannot be used.
    pub fn woken(&mut self, wake: UserEvent) -> std::result::Result<(), Failure> {
        match wake {
            UserEvent::Read => {
                // It may have been cancelled.
                if let Some((reading, outcome)) = self.files.take_read() {
                    self.ui.answer(Path::new(&reading.name), outcome.is_ok());
                    match outcome {
                        Ok(FileRead { content, notes }) => {
                            let message = reading.message(&notes);
                            self.ui.messages.settle(About::File);
                            self.show_file(reading, content);
                            message.into_iter().for_each(|message| self.say(Level::Info, message));
                        }
                        Err(why) if reading.option.is_some() => return Err(reading.failure(&why)),
                        Err(why) => self.say_about(About::File, Level::Error, why),
                    }
                    self.expect_file();
                }
            }
            UserEvent::Picked(picked) => {
                self.files.was_picked();
                match picked {
                    Ok(file) => file.into_iter().for_each(|file| self.open(file)),
                    Err(why) => {
                        self.ui.type_path(self.panels.ctx());
                        log::info!("no file dialogue: {why}");
                        let instead = "Type the path under Scene, or drop the file on the window.";
                        self.say_about(
                            About::File,
                            Level::Info,
                            format!("This desktop offers no file dialogue. {instead}"),
                        );
                    }
                }
            }
            UserEvent::Written(written) => {
                let written = written.map(|file| format!("Picture taken: {}", file.display()));
                self.tell(About::Picture, written);
            }
            UserEvent::Painted => {
                self.follow.start();
                self.ask();
            }
            UserEvent::Shaders => {
                self.files.tell_of_shaders(&self.surface, &mut self.ui.messages);
                self.ask();
            }
            // The event loop ends.
            UserEvent::Terminate => {}
        }
        Ok(())
    }

    /// Suppresses the built-in scene while the scene given at launch is being loaded.
    pub(super) fn expect_file(&mut self) {
        let is_first_scene = |reading: &Reading| reading.option.is_some() && reading.kind == Kind::World;
        let expects = self.files.reading().is_some_and(is_first_scene);
        self.renderer.worlds().expect_file(expects);
        self.ask();
    }

    /// Replaces the picture or world: an edit, unless the file was given at launch.
    fn show_file(&mut self, reading: Reading, content: Content) {
        let show = |state: &mut DocumentState| match content {
            Content::Picture(picture) => {
                state.files.picture = Some((reading.name, picture));
                state.settings.scene.source = Source::Picture;
            }
            Content::World(world) => {
                state.files.world = Some((reading.name, world));
                state.settings.scene.source = Source::World;
                state.reset_camera();
            }
        };
        if reading.option.is_some() {
            show(self.document.adapt());
        } else {
            self.document.edit(Edit::Once, show);
        }
        self.follow.start();
        self.ask();
    }

    /// Passes the document's files to the renderer.
    pub(super) fn show_files(&mut self) {
        let SceneFiles { picture, world } = &self.document.state().files;
        self.renderer.background().set_file(picture.as_ref().map(|(_, picture)| picture.clone()));
        self.renderer.worlds().set_file(world.as_ref().map(|(_, world)| world.clone()));
    }
}
