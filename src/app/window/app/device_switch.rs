//! Change of the GPU that draws the window: the document, the panels and the files stay.

use super::App;
use crate::app::crash_report;
use crate::app::window::presenter::Presenter;
use crate::app::window::redraw::Redraw;
use crate::app::window::user_event::{self, UserEvent};
use crate::app::window::window_break::WindowBreak;
use crate::app::window::window_tables::WindowTables;
use crate::renderer::{Background, Renderer, WorldLoader};
use crate::ui::{About, Level};
use anyhow::Result;

impl App {
    /// Draws the next frame on the GPU with this index. This frame has an image of the old one already.
    pub(super) fn request_gpu(&mut self, index: usize) {
        self.next_gpu = Some(index);
        self.redraw.request();
    }

    /// Changes to the requested GPU, or says why it cannot and goes on.
    pub(super) fn change_gpu(&mut self) {
        let Some(index) = self.next_gpu.take() else { return };
        if self.presenter.surface.gpu().all_devices().1 == index {
            return;
        }
        match self.switch_to(index) {
            Ok(()) => {
                let text = format!("{} draws the window now.", self.presenter.surface.gpu().info().name);
                self.say_about(About::Device, Level::Info, text);
            }
            Err(why) => self.say_about(About::Device, Level::Error, format!("The GPU was not changed: {why:#}")),
        }
        self.redraw.request();
    }

    fn switch_to(&mut self, index: usize) -> Result<()> {
        let wake = self.files.wake();
        let frames_in_flight = self.document.settings().display.frames_in_flight as usize;
        let mut surface = self.presenter.surface.on_gpu(index, frames_in_flight)?;
        let painted = || user_event::when_painted(wake.clone());
        let (background, worlds) = (Background::new(None, painted()), WorldLoader::new(None, painted()));
        let renderer = Renderer::new(surface.gpu(), background, worlds)?;
        self.presenter.end_recording()?;
        let pinned = self.presenter.pair.pinned();
        surface.take_textures(&mut self.presenter.surface);
        // The old device ends here.
        self.presenter = Presenter::new(surface, renderer, self.presenter.started());
        let gpu = self.presenter.surface.gpu().clone();
        crash_report::note_device(gpu.info());
        self.redraw = Redraw::new(*gpu.policy());
        self.tables = WindowTables::new(gpu.info(), wake.clone());
        // The next frame makes the broken B again.
        self.broken = WindowBreak::new(&gpu.info().name, wake.clone());
        self.files.follow(&self.presenter.surface);
        self.panels.device_changed(&gpu);
        if let Some(pinned) = pinned {
            let shaders = wake.clone();
            let changed = move || drop(shaders.send_event(UserEvent::Shaders));
            if let Err(why) = self.presenter.pair.restore(pinned, painted, changed) {
                self.say(Level::Error, format!("{why:#}"));
            }
        }
        self.input.has_pair = self.presenter.pair.is_split();
        self.expect_file();
        self.redraw.picture_changed();
        Ok(())
    }
}
