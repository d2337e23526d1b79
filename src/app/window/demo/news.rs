//! What comes to the window from other threads, and what it leaves when it is closed.

use super::Demo;
use crate::app::failure::Failure;
use crate::app::presets::text;
use crate::app::reading::{Content, Kind, Reading};
use crate::app::remembered::{Remembered, WindowState};
use crate::app::report::Run;
use crate::app::window::Wake;
use crate::base::timing::FrameTiming;
use crate::scene::Source;
use crate::ui::Level;
use anyhow::Result;
use winit::dpi::PhysicalSize;

impl Demo {
    /// What the next launch begins with.
    pub fn remembered(&self) -> Remembered {
        let window = self.surface.window();
        // As it was last drawn: a window that others have destroyed cannot be asked any more.
        let size = PhysicalSize::<u32>::from(self.surface.size_px()).to_logical::<u32>(window.scale_factor());
        let is_known = self.surface.number() > 0 && size.width > 0 && size.height > 0;
        let window = WindowState { size: size.into(), is_maximized: window.is_maximized() };
        Remembered {
            window: is_known.then_some(window),
            panels: Some(self.ui.shown(self.panels.ctx())),
            settings: self.settings.clone(),
            layout: self.lenses.layout(self.area()),
        }
    }

    /// Has the next frame read back for [`Snapshot`].
    pub(super) fn take_picture(&mut self) {
        if self.surface.readable().is_some() {
            self.wants_picture = true;
            self.ask();
        } else {
            self.say(
                Level::Error,
                "This display does not allow reading the window back; `meniscus headless --png FILE` renders a picture.",
            );
        }
    }

    /// The text that brings back what is seen now, the drift of the camera included.
    pub(super) fn seen(&self) -> Result<String> {
        let mut settings = self.settings.clone();
        settings.scene.stop_after(self.camera.drifted_s());
        text(&settings, self.lenses.layout(self.area()).as_ref())
    }

    /// Writes the picture whose frame has ended.
    pub(super) fn finish_picture(&mut self, ended: u64) {
        let Some(snapshot) = self.snapshot.take_if(|snapshot| snapshot.frame <= ended) else { return };
        snapshot.save(self.surface.gpu().facts(), self.kept.make_contiguous(), self.files.wake());
    }

    /// What there is to say of the frames, the times of the last thousand among it.
    pub fn json(&mut self, validates: bool) -> String {
        let gpu = self.surface.gpu().clone();
        let (size, frames) = (self.surface.area_px().as_uvec2().to_array(), self.surface.number());
        let timings: Vec<FrameTiming> = std::mem::take(&mut self.kept).into_iter().rev().collect();
        let validation = (validates, gpu.messages().len());
        Run { facts: gpu.facts(), size, frames, timings: &timings, validation }.json()
    }

    /// Something came from another thread.
    ///
    /// # Errors
    /// The file that the program was started with cannot be used.
    pub fn woken(&mut self, wake: Wake) -> std::result::Result<(), Failure> {
        match wake {
            Wake::Read(reading, outcome) => {
                // It may have been cancelled.
                if self.files.was_read(&reading) {
                    match outcome {
                        Ok(content) => self.show_file(reading.name, content),
                        Err(why) if reading.option.is_some() => return Err(reading.failure(&why)),
                        Err(why) => self.say(Level::Error, why),
                    }
                    self.expect_file();
                }
            }
            Wake::Picked(picked) => {
                self.files.was_picked();
                match picked {
                    Ok(file) => file.into_iter().for_each(|file| self.open(file)),
                    Err(why) => {
                        self.ui.type_path(self.panels.ctx());
                        log::info!("no file dialogue: {why}");
                        let instead = "Type the path under Scene, or drop the file on the window.";
                        self.say(Level::Info, format!("This desktop offers no file dialogue. {instead}"));
                    }
                }
            }
            Wake::Written(Ok(file)) => self.say(Level::Info, format!("Picture taken: {}", file.display())),
            Wake::Written(Err(why)) => self.say(Level::Error, why),
            Wake::Painted => {
                self.follow.start();
                self.ask();
            }
            Wake::Shaders => {
                self.files.tell_of_shaders(&self.surface, &mut self.ui.messages);
                self.ask();
            }
        }
        Ok(())
    }

    /// While the scene that the program was started with is being read, the built-in one is not begun.
    pub(super) fn expect_file(&mut self) {
        let is_first_scene = |reading: &Reading| reading.option.is_some() && reading.kind == Kind::World;
        let expects = self.files.reading().is_some_and(is_first_scene);
        self.renderer.worlds().expect_file(expects);
        self.ask();
    }

    /// Puts another picture or world under the glass.
    fn show_file(&mut self, name: String, content: Content) {
        match content {
            Content::Picture(picture) => {
                self.names.picture = Some(name);
                self.renderer.backdrop().set_file(Some(picture));
                self.settings.scene.source = Source::Picture;
            }
            Content::World(world) => {
                self.names.world = Some(name);
                self.renderer.worlds().set_file(Some(world));
                self.settings.scene.source = Source::World;
                self.camera.reset(&mut self.settings);
            }
        }
        self.follow.start();
        self.ask();
    }
}
