//! The hand on the lenses and on the line of a split view: the part of the demo that follows the pointer.

use super::demo::Demo;
use super::marks::LensMarks;
use crate::app::session::{lens, lenses};
use crate::base::settings::{FieldKind, Settings as _};
use crate::scene::Lens;
use crate::techniques::glass::{GlassSettings, Mode, distance};
use crate::ui::hand::{Button, Hand, HandEffect, HandEvent, Table, frosted};
use crate::ui::motion::Feel;
use crate::ui::{UiAction, Wish};
use glam::Vec2;
use std::time::{Duration, Instant};
use winit::event::WindowEvent;

/// What rested began to move about so long before the frame that shows it.
const FIRST: Duration = Duration::from_micros(16_667);

impl Demo {
    /// Hands an event of the window to the hand, if it is not the panels'.
    pub(super) fn lay_hand(&mut self, event: &WindowEvent) {
        let at = match event {
            WindowEvent::Touch(touch) => Some(Vec2::new(touch.location.x as f32, touch.location.y as f32)),
            _ => self.pointer,
        };
        let scale = self.surface.window().scale_factor() as f32;
        for event in self.input.translate(event, self.panels.wants(at), scale) {
            if self.lay_hand_on_camera(event) || self.lay_hand_on_line(event) {
                continue;
            }
            if event == HandEvent::Released(Button::Primary) {
                self.pass_time(); // a pointer that rested before it lets go throws nothing
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
        let width = self.surface.area_px().x;
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
        let (width, scale) = (self.surface.area_px().x, self.surface.window().scale_factor() as f32);
        let near = self.pointer.is_some_and(|at| self.split.is_near(at, width, scale));
        near && self.is_split() && self.with_table(|hand, table| hand.hovers(table).is_none())
    }

    /// Lets the hand work on the lenses.
    pub(super) fn with_table<T>(&mut self, work: impl FnOnce(&mut Hand, &mut Table<'_>) -> T) -> T {
        let mut table = Table {
            over_panel: self.panels.wants(self.pointer).pointer,
            lenses: &mut self.lenses,
            area_px: self.surface.area_px(),
            scale: self.surface.window().scale_factor() as f32,
            distance: &distance,
            feel: Feel::of(&self.settings.hand),
            alone: self.settings.glass.mode == Mode::Source,
        };
        work(&mut self.hand, &mut table)
    }

    /// Lets the lenses move by themselves until now, and asks for another frame if they are not at rest then.
    pub(super) fn pass_time(&mut self) {
        let now = Instant::now();
        let since = self.moved_at.replace(now).map_or(FIRST, |then| now - then);
        if self.with_table(|hand, table| hand.pass(since.as_secs_f32(), table)) {
            self.ask();
        } else {
            self.moved_at = None;
        }
    }

    /// The lenses as they are drawn; the source's glass is one only.
    pub(super) fn drawn(&mut self) -> Vec<Lens> {
        let selected = self.with_table(|hand, table| hand.selected(table));
        match (self.settings.glass.mode, self.lenses.get(selected)) {
            (Mode::Source, Some(lens)) => vec![*lens],
            _ => self.hand.drawn(&self.lenses, &Feel::of(&self.settings.hand)),
        }
    }

    /// What is to be seen around the lenses: handles of the one under the pointer while nothing is held, and which one is selected.
    pub(super) fn lens_marks(&mut self) -> LensMarks {
        let wants = self.panels.wants(self.pointer);
        let (selected, near) = self.with_table(|hand, table| (hand.selected(table), hand.near(table)));
        let shown = self.ui.visible && self.hand.holds().is_none();
        let near = near.filter(|_| shown && !wants.pointer);
        let lens = |index: usize| self.lenses.get(index).copied();
        LensMarks {
            handles: near.and_then(lens),
            turns: near == Some(selected),
            selected: lens(selected)
                .filter(|_| shown && self.lenses.len() > 1 && self.settings.glass.mode == Mode::Lens),
            scale: self.surface.window().scale_factor() as f32,
        }
    }

    fn apply(&mut self, effect: HandEffect) {
        let scale = self.surface.window().scale_factor() as f32;
        let glass = &mut self.settings.glass;
        match effect {
            HandEffect::Changed(index) | HandEffect::Selected(index) => {
                if let Some(lens) = self.lenses.get(index) {
                    (glass.half_width, glass.half_height) = (lens.half.x / scale, lens.half.y / scale);
                    (glass.exponent, glass.angle) = (lens.exponent, lens.angle.to_degrees());
                }
            }
            HandEffect::Preset(number) => {
                if let Some(name) = self.preset_names.get(number) {
                    self.act(UiAction::Preset(Wish::Load(name.clone())));
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
                self.lenses = lenses(&self.settings, self.home_layout.as_ref(), None, self.surface.area_px(), scale);
                self.reset_camera();
            }
        }
    }

    /// Gives the selected lens the shape that the settings say.
    pub(super) fn shape_lens(&mut self) {
        let scale = self.surface.window().scale_factor() as f32;
        let selected = self.with_table(|hand, table| hand.selected(table));
        if let Some(there) = self.lenses.get_mut(selected) {
            *there = lens(&self.settings, there.center, scale);
        }
    }

    /// The display's scale changed: every lens keeps its place and its size in logical pixels.
    pub(super) fn rescale_lenses(&mut self) {
        let selected = self.with_table(|hand, table| hand.selected(table));
        let before = self.lenses.get(selected).map(|lens| lens.half.x);
        self.shape_lens();
        let now = self.lenses.get(selected).map(|lens| lens.half.x);
        let Some((before, now)) = before.zip(now).filter(|(before, _)| *before > 0.0) else { return };
        for (index, lens) in self.lenses.iter_mut().enumerate() {
            lens.center *= now / before;
            if index != selected {
                lens.half *= now / before;
            }
        }
    }
}

/// The largest frost that the settings allow, in pixels at a scale of one.
fn most_frost() -> f32 {
    let frost = GlassSettings::FIELDS.iter().find(|field| field.name == "frost");
    match frost.map(|field| field.kind) {
        Some(FieldKind::Float { max, .. }) => max as f32,
        _ => 0.0,
    }
}
