//! What comes to the window from other threads, and what it leaves when it is closed.

use super::Demo;
use crate::app::failure::Failure;
use crate::app::reading::Content;
use crate::app::report::Run;
use crate::app::window::Wake;
use crate::base::timing::FrameTiming;
use crate::scene::Source;
use crate::ui::Level;

impl Demo {
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
    pub fn woken(&mut self, wake: Wake) -> Result<(), Failure> {
        match wake {
            Wake::Read(name, outcome) => {
                let is_first = self.first_file.take_if(|first| *first == name).is_some();
                // It may have been cancelled.
                if self.files.was_read(&name) {
                    match outcome {
                        Ok(content) => self.show_file(name, content),
                        Err(why) if is_first => return Err(Failure::bad(why)),
                        Err(why) => self.say(Level::Error, why),
                    }
                }
                self.renderer.worlds().expect_file(false);
            }
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
