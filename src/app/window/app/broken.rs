//! Agreement of B with the setting that drops something.

use super::App;
use crate::app::window::document::Edit;
use crate::app::window::user_event;
use crate::lab::Break;
use crate::ui::Level;
use crate::ui::pair_state::PairAction;

impl App {
    /// Makes B what the setting says, if that has changed.
    pub(super) fn follow_break(&mut self) {
        let wanted = self.document.settings().lab.r#break;
        if wanted == self.broken.of() {
            return;
        }
        let info = self.broken.set(wanted);
        let (settings, wake) = (self.document.settings().clone(), self.files.wake());
        let load = || user_event::when_painted(wake.clone());
        if let Err(why) = self.presenter.pair.set_break(info, settings, load) {
            self.say(Level::Error, format!("{why:#}"));
        }
        self.input.has_pair = self.presenter.pair.is_split();
        self.redraw.picture_changed();
    }

    /// Where something else becomes B, or none is left, nothing is dropped any more.
    pub(super) fn mend_for(&mut self, action: &PairAction) {
        let keeps = matches!(action, PairAction::Layout(_) | PairAction::Scale(_) | PairAction::Measure);
        if !keeps && self.document.settings().lab.r#break != Break::None {
            self.document.edit(Edit::Once, |state| state.settings.lab.r#break = Break::None);
            self.follow_break();
        }
    }

    /// Applies the settings with which it shows, as one edit.
    pub(super) fn show_break(&mut self) {
        let settings = self.broken.shown_in(self.document.settings());
        let changed = self.document.edit(Edit::Once, |state| state.change_settings(|own| *own = settings)).1;
        self.show_changed(changed);
        self.redraw.picture_changed();
    }
}
