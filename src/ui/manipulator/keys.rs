//! Keyboard commands of the manipulator; they apply to the selected lens.

use super::hit_test::{fresh_place, turned_by_degrees};
use super::spring::Motion;
use super::{Key, LensEdit, LensPose, Manipulator, ManipulatorContext, changed};
use crate::scene::Lens;
use glam::Vec2;

impl Manipulator {
    pub(super) fn key(&mut self, key: Key, repeat: bool, context: &mut ManipulatorContext<'_>) -> Option<LensEdit> {
        match key {
            Key::Left | Key::Right | Key::Up | Key::Down | Key::Q | Key::E => return self.nudge(key, context),
            _ if repeat => return None,
            Key::Escape => {
                let hold = self.hold.take()?;
                self.poses.get_mut(hold.lens)?.motion.stop();
                let before = Lens { center: context.inside(hold.before.center), ..hold.before };
                return changed(context.lenses.get_mut(hold.lens)?, before, hold.lens);
            }
            Key::Tab if context.lenses.len() > 1 => self.selected = (self.selected + 1) % context.lenses.len(),
            Key::Tab => return None,
            Key::N => self.add(context, false)?,
            Key::Delete => self.remove(context)?,
            Key::PageUp | Key::PageDown => self.reorder(key == Key::PageUp, context)?,
            Key::R => {
                self.reset();
                return Some(LensEdit::Reset);
            }
            Key::H => return Some(LensEdit::TogglePanels),
            Key::Space => return Some(LensEdit::FlipMode),
            Key::Digit(digit) => return Some(LensEdit::Preset(usize::from(digit).checked_sub(1)?)),
        }
        Some(LensEdit::Selected(self.selected))
    }

    /// Moves or turns the selected lens by a small step.
    fn nudge(&mut self, key: Key, context: &mut ManipulatorContext<'_>) -> Option<LensEdit> {
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
        let (ground, index) = (context.ground(), self.selected);
        let lens = context.lenses.get_mut(index)?;
        let center = ground.inside(lens.center + step * by);
        let new = Lens { center, ..turned_by_degrees(lens, angle * by) };
        self.poses.get_mut(index)?.motion.stop();
        changed(lens, new, index)
    }

    /// Selects a lens.
    pub fn select(&mut self, index: usize, context: &ManipulatorContext<'_>) {
        self.fit_poses(context);
        self.selected = index.min(context.lenses.len().saturating_sub(1));
    }

    /// Selects a lens and gives it another place and shape. A drag or a motion of it ends.
    pub fn put(&mut self, index: usize, lens: Lens, context: &mut ManipulatorContext<'_>) -> Option<LensEdit> {
        self.select(index, context);
        self.hold.take_if(|hold| hold.lens == index);
        self.poses.get_mut(index)?.motion.stop();
        let center = context.inside(lens.center);
        changed(context.lenses.get_mut(index)?, Lens { center, ..lens }, index)
    }

    /// Adds a lens of the selected one's shape: at the pointer, or `beside` the selected one.
    pub(super) fn add(&mut self, context: &mut ManipulatorContext<'_>, beside: bool) -> Option<()> {
        if !context.can_add() || self.hold.is_some() {
            return None;
        }
        let model = *context.lenses.get(self.selected)?;
        let free = self.pointer_over_lenses(context).filter(|at| {
            let away = |lens: &Lens| (context.distance)(lens, *at) > 0.0;
            !beside && !context.over_panel && context.inside(*at) == *at && context.lenses.iter().all(away)
        });
        let center = free.unwrap_or_else(|| fresh_place(context.lenses, &model, context.free_px));
        context.lenses.push(Lens { center, ..model });
        self.fit_poses(context);
        self.selected = context.lenses.len() - 1;
        self.takes += 1;
        self.poses[self.selected] = LensPose { motion: Motion::coming(), taken: self.takes, pushed: None };
        Some(())
    }

    /// Moves the selected lens one step up or down in the order of the lenses.
    fn reorder(&mut self, up: bool, context: &mut ManipulatorContext<'_>) -> Option<()> {
        let to = if up { self.selected + 1 } else { self.selected.checked_sub(1)? };
        if context.alone || self.hold.is_some() || to >= context.lenses.len() {
            return None;
        }
        context.lenses.swap(self.selected, to);
        self.poses.swap(self.selected, to);
        self.selected = to;
        Some(())
    }

    /// Removes the selected lens unless it is the last, and selects the one selected before it.
    fn remove(&mut self, context: &mut ManipulatorContext<'_>) -> Option<()> {
        if context.lenses.len() < 2 || context.alone || self.selected >= context.lenses.len() {
            return None;
        }
        self.hold = None;
        let lens = context.lenses.remove(self.selected);
        let pose = self.poses.remove(self.selected);
        if context.feel.appears && !lens.has_field() {
            self.leaving.push((lens, pose.motion.going()));
        }
        let newest = self.poses.iter().enumerate().max_by_key(|(index, pose)| (pose.taken, *index));
        self.selected = newest.map_or(0, |(index, _)| index);
        Some(())
    }
}
