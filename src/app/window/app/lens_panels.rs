//! What the panels need of the lenses: their menu, problems of their words, and what a view hides of them.

use super::App;
use crate::renderer::ViewPlacement;
use crate::scene::Source;
use crate::techniques::glass::{Mode, problem_of_words};
use crate::ui::manipulator::{InputEvent, Key, LENSES_MAX};
use crate::ui::names::in_panel_names;
use crate::ui::{About, LensState, Level, lens_menu};
use glam::Vec2;

impl App {
    /// Opens the menu where the pointer is.
    pub(super) fn open_menu(&mut self) {
        if let Some(at) = self.lenses.pointer() {
            let at = at / self.panels.extent().1;
            lens_menu::open(self.panels.ctx(), egui::pos2(at.x, at.y));
            self.ask();
        }
    }

    /// A line of the menu was clicked that stands for a key of the hand.
    pub(super) fn press(&mut self, key: Key, times: u8) {
        (0..times).for_each(|_| self.handle(InputEvent::Key { key, repeat: false }));
    }

    /// What the menu depends on.
    pub(super) fn lens_state(&self) -> LensState {
        let (settings, count) = (self.document.settings(), self.document.state().lenses.len());
        let is_reference = settings.glass.mode == Mode::Source;
        let shows_world = settings.scene.source == Source::World;
        let is_software = self.surface.gpu().info().is_software();
        LensState {
            count,
            takes_more: !is_reference && count < LENSES_MAX,
            is_reference,
            drifts: shows_world.then(|| settings.scene.drifts(is_software)),
        }
    }

    /// Panels are bright over a bright picture.
    pub(super) fn adapt_panels(&mut self) {
        let is_light = self.document.settings().display.panels.adapts() && self.renderer.wants_bright_panels();
        if std::mem::replace(&mut self.panels.is_light, is_light) != is_light {
            self.ask();
        }
    }

    /// Says what of the words of glass is not drawn, while that is so.
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

    /// What was said of undo and redo goes with the next edit.
    pub(super) fn tell_of_history(&mut self) {
        let now = self.document.revision();
        if std::mem::replace(&mut self.told_of, now) != now {
            self.ui.messages.settle(About::History);
        }
    }

    /// Where the middle of the world is in the picture: in the middle of what the dock leaves of the window.
    pub(super) fn center(&self) -> Vec2 {
        let (points, _) = self.panels.extent();
        Vec2::new(self.ui.free_of_dock(points).right() / points.x.max(1.0) - 1.0, 0.0)
    }

    /// From this x on a view hides the lenses, in pixels.
    pub(super) fn hidden_from_px(&self) -> f32 {
        match self.document.state().view.map(|view| view.place) {
            Some(ViewPlacement::Full) => 0.0,
            Some(ViewPlacement::Split) => self.split.at * self.surface.area_px().x,
            Some(ViewPlacement::Lens) | None => f32::INFINITY,
        }
    }

    /// Whether the 3D scene is seen, which does not say what to do first as the flat picture does.
    pub(super) fn shows_hint(&self) -> bool {
        self.document.settings().scene.source == Source::World
            && self.hidden_from_px() > 0.0
            && self.renderer.beginning().is_none()
    }
}
