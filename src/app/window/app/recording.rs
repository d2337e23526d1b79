//! The recording of the window as an action, and what was written into the pictures folder.

use super::App;
use crate::ui::{About, Level};
use std::path::PathBuf;

/// Key of the message while the window is recorded.
const RECORDING: &str = "recording";

impl App {
    /// Starts a recording of the window, or ends it.
    pub(super) fn toggle_recording(&mut self) {
        match self.presenter.toggle_recording(self.files.wake()) {
            Ok(Some(true)) => {
                let text = "The window is recorded, without the panels, until F9 is pressed or its size changes.";
                self.panels.ui.messages.hold(RECORDING, Level::Info, text);
            }
            Ok(Some(false)) => {}
            Ok(None) => {
                let why = "This display does not allow reading the window back; `meniscus headless --record FILE` records a path.";
                self.say_about(About::Picture, Level::Error, why);
            }
            Err(error) => self.say_about(About::Picture, Level::Error, format!("{error:#}")),
        }
        self.redraw.request();
    }

    /// A picture or a recording was written, or why not.
    pub(super) fn report_written(&mut self, written: Result<PathBuf, String>) {
        if !self.presenter.is_recording() {
            self.panels.ui.messages.clear(RECORDING);
        }
        let written = written.map(|file| {
            let what = match file.extension().and_then(|ending| ending.to_str()) {
                Some("y4m") => "Recorded",
                Some("png") => "Picture taken",
                _ => "Saved",
            };
            format!("{what}: {}", file.display())
        });
        self.report(About::Picture, written);
    }
}
