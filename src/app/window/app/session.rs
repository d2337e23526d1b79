//! State saved for the next launch, and the waits between events.

use super::App;
use crate::app::last_session::LastSession;
use crate::app::window::redraw::Next;
use crate::ui::Extent;
use anyhow::Result;
use std::time::{Duration, Instant};

impl App {
    /// Requests a frame if one is due; returns the time at which to wake without an event.
    ///
    /// # Errors
    /// The device is lost.
    pub fn wait(&mut self) -> Result<Option<Instant>> {
        let surface = &mut self.presenter.surface;
        let was_stale = surface.is_stale();
        let look = surface.show_ended()?;
        if surface.is_stale() && !was_stale {
            self.redraw.request_in(Duration::ZERO);
        }
        // A compositor lets the requested frame begin only once the held image is shown: the look stays due beside the request.
        let due = match self.redraw.next() {
            Next::Now => {
                self.presenter.surface.window().request_redraw();
                None
            }
            Next::At(at) => Some(at),
            Next::Wait => None,
        };
        // Before the first frame the size of this window is not known.
        if self.redraw.take_request() && self.presenter.surface.number() > 0 {
            self.session.touch(Instant::now());
        }
        self.note_state();
        Ok([due, look, self.save_if_due()].into_iter().flatten().min())
    }

    /// State for the next launch.
    fn remembered(&self) -> LastSession {
        LastSession {
            window: self.session.window,
            panels: Some(self.panels.ui.saved(self.panels.ctx())),
            settings: self.document.state().stored_settings(),
            layout: self.document.layout(self.presenter.area_px()),
            preset: self.document.state().origin.preset.clone(),
        }
    }

    /// Saves the state if due; returns the time at which it is due.
    fn save_if_due(&mut self) -> Option<Instant> {
        let due = self.session.due()?;
        if due > Instant::now() {
            return Some(due);
        }
        self.session.note_window(&self.presenter.surface, self.scale);
        self.session.put(self.remembered());
        None
    }

    /// Hands over the state early, in case the program ends before it is due.
    pub(super) fn note_state(&mut self) {
        if self.presenter.surface.number() > 0 {
            let state = self.remembered();
            self.session.note(state);
        }
    }

    /// Saves the state when the window closes.
    pub fn save_at_end(&mut self) {
        self.session.note_window(&self.presenter.surface, self.scale);
        self.save_without_display();
    }

    /// The same without a display, when the window cannot be queried. A recording is written, too.
    pub fn save_without_display(&mut self) {
        if let Err(error) = self.presenter.end_recording() {
            log::error!("the recording has lost its last frames: {error:#}");
        }
        self.session.put(self.remembered());
        self.session.finish();
    }

    /// Saves the settings as a preset before an abnormal exit; returns its name if that succeeded.
    pub fn save_rescued_preset(&mut self) -> Option<&'static str> {
        const NAME: &str = "rescued";
        let layout = self.document.layout(self.presenter.area_px());
        let settings = self.document.state().stored_settings();
        let has_shown_anything = self.presenter.surface.number() > 0;
        let save = || self.document.presets.save(NAME, &settings, Extent::Everything, layout.as_ref());
        let saved = has_shown_anything.then(save)?;
        saved.inspect_err(|why| log::info!("nothing was saved: {why:#}")).ok().map(|_| NAME)
    }

    /// The summary of the frames, with the latest 1000 timings.
    pub fn json(&mut self, validates: bool) -> String {
        self.presenter.json(validates)
    }
}
