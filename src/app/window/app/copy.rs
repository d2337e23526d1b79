//! Copies to the clipboard: a command line, a shader.

use super::App;
use crate::app::window::command_line::command_line;
use crate::app::window::document::DocumentState;
use crate::techniques::glass::ShaderLanguage;
use crate::ui::Level;

impl App {
    /// Copies the settings as a command line.
    pub(super) fn copy_command_line(&mut self) {
        let DocumentState { settings, lenses, view, files, .. } = self.document.state();
        let line = command_line(settings, *view, &files.names(), lenses.first().map(|lens| lens.center));
        self.panels.ctx().copy_text(line.clone());
        self.say(Level::Info, format!("Copied: {line}"));
    }

    /// Copies the lenses as a shader.
    pub(super) fn copy_shader(&mut self, language: ShaderLanguage) {
        let state = self.document.state();
        let (settings, lenses) = (&state.settings, state.with_shared(state.lenses.clone()));
        let area = self.area();
        let glass = self.presenter.renderer.glass();
        match glass.copied(language, &settings.glass, &lenses, (area.px, area.scale)) {
            Ok(text) => {
                let lines = text.lines().count();
                self.panels.ctx().copy_text(text);
                self.say(Level::Info, format!("Copied: a shader of {lines} lines, {}", language.name()));
            }
            Err(why) => self.say(Level::Error, format!("Copy as {}: {why}", language.name())),
        }
    }
}
