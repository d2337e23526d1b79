//! Keyboard commands of the manipulator; they apply to the selected lens.

use super::hit_test::{fresh_place, turned};
use super::spring::Motion;
use super::{Key, LensEdit, LensPose, Manipulator, ManipulatorContext, changed};
use crate::scene::Lens;
use glam::Vec2;

impl Manipulator {
    pub(super) fn key(&mut self, key: Key, repeat: bool, table: &mut ManipulatorContext<'_>) -> Option<LensEdit> {
        match key {
            Key::Left | Key::Right | Key::Up | Key::Down | Key::Q | Key::E => return self.nudge(key, table),
            _ if repeat => return None,
            Key::Escape => {
                let hold = self.hold.take()?;
                self.seats.get_mut(hold.lens)?.motion.stop();
                let before = Lens { center: table.inside(hold.before.center), ..hold.before };
                return changed(table.lenses.get_mut(hold.lens)?, before, hold.lens);
            }
            Key::Tab if table.lenses.len() > 1 => self.selected = (self.selected + 1) % table.lenses.len(),
            Key::Tab => return None,
            Key::N => self.add(table, false)?,
            Key::Delete => self.remove(table)?,
            Key::R => {
                self.forget();
                return Some(LensEdit::Reset);
            }
            Key::H => return Some(LensEdit::TogglePanels),
            Key::Space => return Some(LensEdit::FlipMode),
            Key::Digit(digit) => return Some(LensEdit::Preset(usize::from(digit).checked_sub(1)?)),
        }
        Some(LensEdit::Selected(self.selected))
    }

    /// Moves or turns the selected lens by a small step.
    fn nudge(&mut self, key: Key, table: &mut ManipulatorContext<'_>) -> Option<LensEdit> {
        if self.hold.is_some() {
            return None; // the pointer says where it is
        }
        let by = if self.shift { 10.0 } else { 1.0 };
        let (step, angle) = match key {
            Key::Left => (Vec2::NEG_X, 0.0),
            Key::Right => (Vec2::X, 0.0),
            Key::Up => (Vec2::NEG_Y, 0.0),
            Key::Down => (Vec2::Y, 0.0),
            Key::Q => (Vec2::ZERO, -1.0_f32),
            _ => (Vec2::ZERO, 1.0),
        };
        let (ground, index) = (table.ground(), self.selected);
        let lens = table.lenses.get_mut(index)?;
        let center = ground.inside(lens.center + step * by);
        let new = Lens { center, ..turned(lens, (angle * by).to_radians()) };
        self.seats.get_mut(index)?.motion.stop();
        changed(lens, new, index)
    }

    /// Adds a lens of the selected one's shape: at the pointer, or `beside` the selected one.
    pub(super) fn add(&mut self, table: &mut ManipulatorContext<'_>, beside: bool) -> Option<()> {
        if !table.takes_more() || self.hold.is_some() {
            return None;
        }
        let model = *table.lenses.get(self.selected)?;
        let free = self.pointer_over_lenses(table).filter(|at| {
            let away = |lens: &Lens| (table.distance)(lens, *at) > 0.0;
            !beside && !table.over_panel && table.inside(*at) == *at && table.lenses.iter().all(away)
        });
        let center = free.unwrap_or_else(|| fresh_place(table.lenses, &model, table.free_px));
        table.lenses.push(Lens { center, ..model });
        self.seat(table);
        self.selected = table.lenses.len() - 1;
        self.takes += 1;
        self.seats[self.selected] = LensPose { motion: Motion::coming(), taken: self.takes, pushed: None };
        Some(())
    }

    /// Removes the selected lens unless it is the last, and selects the one selected before it.
    fn remove(&mut self, table: &mut ManipulatorContext<'_>) -> Option<()> {
        if table.lenses.len() < 2 || table.alone || self.selected >= table.lenses.len() {
            return None;
        }
        self.hold = None;
        let lens = table.lenses.remove(self.selected);
        let seat = self.seats.remove(self.selected);
        if table.feel.appears && lens.text.is_empty() {
            self.leaving.push((lens, seat.motion.going()));
        }
        let newest = self.seats.iter().enumerate().max_by_key(|(index, seat)| (seat.taken, *index));
        self.selected = newest.map_or(0, |(index, _)| index);
        Some(())
    }
}
