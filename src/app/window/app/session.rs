//! State saved for the next launch, the waits between events, and the change of the GPU that draws the window.

use super::App;
use crate::crash_report;
use crate::last_session::LastSession;
use crate::recording;
use crate::window::presenter::Presenter;
use crate::window::redraw::{Next, Redraw};
use crate::window::user_event;
use anyhow::Result;
use lab::Break;
use renderer::{Background, Renderer, WorldLoader};
use std::time::{Duration, Instant};
use ui::{About, Extent, Level, UiAction};

impl App {
    pub fn wait(&mut self) -> Result<Option<Instant>> {
        let surface = &mut self.presenter.surface;
        let was_stale = surface.is_stale();
        let look = surface.show_ended()?;
        if surface.is_stale() && !was_stale {
            self.redraw.request_in(Duration::ZERO);
        }
        // A compositor lets the requested frame begin only once the held image is shown.
        let due = match self.redraw.pacing.next(Instant::now()) {
            Next::Now => {
                self.presenter.surface.window().request_redraw();
                None
            }
            Next::At(at) => Some(at),
            Next::Wait => None,
        };
        if self.redraw.take_request() && self.presenter.surface.number() > 0 {
            self.session.touch(Instant::now());
        }
        let noted = self.note_state(Instant::now());
        Ok([due, look, noted, self.save_if_due()].into_iter().flatten().min())
    }

    fn remembered(&self) -> LastSession {
        LastSession {
            window: self.session.window,
            panels: Some(self.panels.ui.saved(self.panels.ctx())),
            settings: self.document.state().stored_settings(),
            view: self.document.state().view,
            layout: self.document.kept_layout(self.presenter.area_px()),
            preset: self.document.state().origin.preset.clone(),
        }
    }

    fn save_if_due(&mut self) -> Option<Instant> {
        let due = self.session.due()?;
        if due > Instant::now() {
            return Some(due);
        }
        self.session.note_window(&self.presenter.surface, self.scale);
        self.session.put(self.remembered());
        None
    }

    /// The time of the next note, if the last one is too recent: collecting the state of all lenses takes long in a drag.
    fn note_state(&mut self, now: Instant) -> Option<Instant> {
        let due = self.session.next_note().filter(|due| *due > now);
        if due.is_none() && self.presenter.surface.number() > 0 {
            let state = self.remembered();
            self.session.note(state, now);
        }
        due
    }

    pub fn save_at_end(&mut self) {
        self.session.note_window(&self.presenter.surface, self.scale);
        self.save_without_display();
    }

    /// The window cannot be queried then.
    pub fn save_without_display(&mut self) {
        if let Err(error) = self.presenter.end_recording() {
            log::error!("the recording has lost its last frames: {error:#}");
        }
        self.session.put(self.remembered());
        self.session.finish();
        recording::finish();
    }

    pub fn save_rescued_preset(&mut self) -> Option<&'static str> {
        const NAME: &str = "rescued";
        let layout = self.document.layout(self.presenter.area_px());
        let settings = self.document.state().stored_settings();
        let has_shown_anything = self.presenter.surface.number() > 0;
        let save = || self.document.presets.save(NAME, &settings, Extent::Everything, layout.as_ref());
        let saved = has_shown_anything.then(save)?;
        saved.inspect_err(|why| log::info!("nothing was saved: {why:#}")).ok().map(|_| NAME)
    }

    pub fn json(&mut self, validates: bool) -> String {
        self.presenter.json(validates, self.document.settings())
    }

    pub(super) fn request_gpu(&mut self, index: usize) {
        self.next_gpu = Some(index);
        self.redraw.request();
    }

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
        let frames_in_flight = self.document.state().settings.display.frames_in_flight as usize;
        let mut surface = self.presenter.surface.on_gpu(index, frames_in_flight)?;
        let painted = || user_event::when_painted(wake.clone());
        let (background, worlds) = (Background::new(None, painted()), WorldLoader::new(None, painted()));
        let renderer = Renderer::new(surface.gpu(), background, worlds)?;
        if self.presenter.captured.is_recording() {
            self.act(&UiAction::Record);
        }
        self.presenter.end_recording()?;
        let layout = self.presenter.pair.layout();
        surface.take_textures(&mut self.presenter.surface);
        self.presenter = Presenter::new(surface, renderer, self.presenter.started());
        let gpu = self.presenter.surface.gpu().clone();
        crash_report::note_device(gpu.info());
        self.redraw = Redraw::new(*gpu.policy());
        self.note_display();
        self.broken = Break::None;
        self.check.move_to(&gpu.info().name);
        self.files.follow(&self.presenter.surface);
        self.panels.device_changed(&gpu);
        [UiAction::Explain(None), UiAction::EndReplay].iter().for_each(|action| self.act(action));
        if !self.follow_pair() {
            self.document.adapt(|state| state.b = None);
        }
        self.presenter.pair.set_layout(layout);
        self.expect_file();
        self.redraw.picture_changed();
        Ok(())
    }
}
