//! The hand on the lenses and on the line of a split view: the part of the demo that follows the pointer.

use super::demo::Demo;
use crate::app::session::lens;
use crate::base::settings::{Kind, Settings as _};
use crate::techniques::glass::{GlassSettings, Mode, distance};
use crate::ui::hand::{Button, Hand, HandEffect, HandEvent, Table, frosted};
use glam::Vec2;
use winit::event::WindowEvent;

impl Demo {
    /// Hands an event of the window to the hand, if it is not the panels'.
    pub(super) fn lay_hand(&mut self, event: &WindowEvent) {
        let at = match event {
            WindowEvent::Touch(touch) => Some(Vec2::new(touch.location.x as f32, touch.location.y as f32)),
            _ => self.pointer,
        };
        let scale = self.stage.window().scale_factor() as f32;
        for event in self.input.translate(event, self.panels.wants(at), scale) {
            if self.lay_hand_on_line(event) {
                continue;
            }
            let before = self.with_table(|hand, table| (hand.cursor(table, false), hand.hovers(table).is_some()));
            let effect = self.with_table(|hand, table| hand.feel(event, table));
            let after = self.with_table(|hand, table| (hand.cursor(table, false), hand.hovers(table).is_some()));
            if let Some(effect) = effect {
                self.apply(effect);
            }
            if effect.is_some() || before != after {
                self.ask();
            }
        }
    }

    /// Whether the event was for the line of a split view: a lens over it goes first.
    fn lay_hand_on_line(&mut self, event: HandEvent) -> bool {
        let width = self.stage.area_px().x;
        match event {
            HandEvent::Pressed(Button::Primary) if self.is_near_line() => {
                self.pointer.into_iter().for_each(|at| self.split.take(at, width));
                true
            }
            HandEvent::Moved(at) if self.split.is_held() => {
                if self.split.moved(at, width) {
                    self.ask();
                }
                false
            }
            HandEvent::Released(Button::Primary) | HandEvent::FocusLost => {
                self.split.let_go();
                false
            }
            _ => false,
        }
    }

    /// Whether the pointer could take the line of a split view.
    pub(super) fn is_near_line(&mut self) -> bool {
        let (width, scale) = (self.stage.area_px().x, self.stage.window().scale_factor() as f32);
        let near = self.pointer.is_some_and(|at| self.split.is_near(at, width, scale));
        near && self.is_split() && self.with_table(|hand, table| hand.hovers(table).is_none())
    }

    /// Lets the hand work on the lenses.
    pub(super) fn with_table<T>(&mut self, work: impl FnOnce(&mut Hand, &mut Table<'_>) -> T) -> T {
        let mut table = Table {
            lenses: &mut self.lenses,
            area_px: self.stage.area_px(),
            scale: self.stage.window().scale_factor() as f32,
            distance: &distance,
        };
        work(&mut self.hand, &mut table)
    }

    fn apply(&mut self, effect: HandEffect) {
        let scale = self.stage.window().scale_factor() as f32;
        let glass = &mut self.settings.glass;
        match effect {
            HandEffect::Changed(index) => {
                if let Some(lens) = self.lenses.get(index) {
                    (glass.half_width, glass.half_height) = (lens.half.x / scale, lens.half.y / scale);
                }
            }
            HandEffect::Frost(notches) => glass.frost = frosted(glass.frost, notches, most_frost()),
            HandEffect::FlipMode => {
                glass.mode = if glass.mode == Mode::Lens { Mode::Source } else { Mode::Lens };
            }
            HandEffect::TogglePanels => self.ui.visible = !self.ui.visible,
            HandEffect::Reset => {
                let home = &self.home;
                (glass.half_width, glass.half_height) = (home.half_width, home.half_height);
                (glass.exponent, glass.angle, glass.frost) = (home.exponent, home.angle, home.frost);
                let middle = self.stage.area_px() / 2.0;
                self.lenses = vec![lens(&self.settings, middle, scale)];
            }
        }
    }

    /// Gives the lens that was last taken the shape that the settings say.
    pub(super) fn shape_lens(&mut self) {
        let scale = self.stage.window().scale_factor() as f32;
        if let Some(there) = self.lenses.get_mut(self.hand.selected()) {
            *there = lens(&self.settings, there.center, scale);
        }
    }
}

/// The largest frost that the settings allow, in pixels at a scale of one.
fn most_frost() -> f32 {
    let frost = GlassSettings::FIELDS.iter().find(|field| field.name == "frost");
    match frost.map(|field| field.kind) {
        Some(Kind::Float { max, .. }) => max as f32,
        _ => 0.0,
    }
}
