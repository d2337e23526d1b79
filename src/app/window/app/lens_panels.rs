//! Lens state for the panels: the menu, problems of the text, and the part hidden by a view.

use super::App;
use crate::renderer::ViewPlacement;
use crate::scene::Source;
use crate::techniques::glass::{Mode, problem_of_words};
use crate::ui::manipulator::{InputEvent, Key, LENSES_MAX};
use crate::ui::names::in_panel_names;
use crate::ui::{About, LensState, Level, lens_menu};
use glam::Vec2;

impl App {
    /// Opens the menu at the pointer.
    pub(super) fn open_menu(&mut self) {
        if let Some(at) = self.lenses.pointer() {
            let at = at / self.panels.extent().1;
            lens_menu::open(self.panels.ctx(), egui::pos2(at.x, at.y));
            self.ask();
        }
    }

    /// Applies a menu entry that corresponds to a manipulator key.
    pub(super) fn press(&mut self, key: Key, times: u8) {
        (0..times).for_each(|_| self.handle(InputEvent::Key { key, repeat: false }));
    }

    /// State for the menu.
    pub(super) fn lens_state(&self) -> LensState {
        let (settings, count) = (self.document.settings(), self.document.state().lenses.len());
        let is_reference = settings.glass.mode == Mode::Source;
        let shows_world = settings.scene.source == Source::World;
        let by_default = self.surface.gpu().policy().drifts;
        LensState {
            count,
            takes_more: !is_reference && count < LENSES_MAX,
            is_reference,
            drifts: shows_world.then(|| settings.scene.drifts(by_default)),
        }
    }

    /// Switches to light panels over a bright picture.
    pub(super) fn adapt_panels(&mut self) {
        let is_light = self.document.settings().display.panels.adapts() && self.renderer.wants_bright_panels();
        if std::mem::replace(&mut self.panels.is_light, is_light) != is_light {
            self.ask();
        }
    }

    /// Shows the current problem of the glass' text, if any.
    pub(super) fn tell_of_words(&mut self) {
        const KEY: &str = "words";
        let words = self.document.state().lenses.iter().map(|lens| lens.text);
        let problem = problem_of_words(&self.document.settings().glass.font, words);
        if problem == self.words_problem {
            return;
        }
        match &problem {
            Some(why) => {
                let why = in_panel_names(why, &self.document.settings().clone().sections());
                self.ui.messages.hold(KEY, Level::Error, why);
            }
            None => self.ui.messages.clear(KEY),
        }
        self.words_problem = problem;
    }

    /// Removes the message about undo and redo after the next edit.
    pub(super) fn tell_of_history(&mut self) {
        let now = self.document.revision();
        if std::mem::replace(&mut self.told_of, now) != now {
            self.ui.messages.settle(About::History);
        }
    }

    /// Position of the world's centre in the picture: the middle of the area free of the dock.
    pub(super) fn center(&self) -> Vec2 {
        let (points, _) = self.panels.extent();
        Vec2::new(self.ui.free_of_dock(points).right() / points.x.max(1.0) - 1.0, 0.0)
    }

    /// A view hides the lenses from this x on, in pixels.
    pub(super) fn hidden_from_px(&self) -> f32 {
        match self.document.state().view.map(|view| view.place) {
            Some(ViewPlacement::Full) => 0.0,
            Some(ViewPlacement::Split) => self.split.at * self.surface.area_px().x,
            Some(ViewPlacement::Lens) | None => f32::INFINITY,
        }
    }

    /// Whether to show the first hint: the 3D scene is visible, which does not contain it as the flat picture does.
    pub(super) fn shows_hint(&self) -> bool {
        self.document.settings().scene.source == Source::World
            && self.hidden_from_px() > 0.0
            && self.renderer.beginning().is_none()
    }
}
