//! Keyboard commands of the manipulator; they apply to the selected lens.

use super::hit_test::{fresh_place, turned};
use super::{Key, LensEdit, LensPose, Manipulator, ManipulatorContext, changed};
use glam::Vec2;
use scene::Lens;
use scene::spring::Motion;

impl Manipulator {
    pub(super) fn key(&mut self, key: Key, repeat: bool, context: &mut ManipulatorContext<'_>) -> Option<LensEdit> {
        match key {
            Key::Move(by) => return self.nudge(Vec2::from_array(by.map(f32::from)), 0, context),
            Key::Turn(degrees) => return self.nudge(Vec2::ZERO, degrees, context),
            _ if repeat => return None,
            Key::Escape => {
                let hold = self.hold.take()?;
                self.poses.get_mut(hold.lens)?.motion.stop();
                let center = context.inside(hold.before.center);
                let lens = context.lenses.get_mut(hold.lens)?;
                let before = Lens { center, glass: lens.glass, ..hold.before };
                return changed(lens, before);
            }
            Key::Tab if context.lenses.len() > 1 => self.selected = (self.selected + 1) % context.lenses.len(),
            Key::Tab => return None,
            Key::N => self.add(context, false)?,
            Key::Delete => self.remove(context)?,
            Key::PageUp | Key::PageDown => self.reorder(key == Key::PageUp, context)?,
            Key::R => {
                self.hold = None;
                self.poses.clear();
                self.selected = 0;
                return Some(LensEdit::Reset);
            }
        }
        Some(LensEdit::Selected(self.selected))
    }

    fn nudge(&mut self, step: Vec2, degrees: i8, context: &mut ManipulatorContext<'_>) -> Option<LensEdit> {
        if self.hold.is_some() {
            return None; // the pointer says where it is
        }
        let (ground, index) = (context.ground(), self.selected);
        let lens = context.lenses.get_mut(index)?;
        let center = ground.inside(lens.center + step);
        let new = Lens { center, ..turned(lens, degrees.into()) };
        self.poses.get_mut(index)?.motion.stop();
        changed(lens, new)
    }

    pub fn select(&mut self, index: usize, context: &ManipulatorContext<'_>) {
        self.fit_poses(context);
        self.selected = index.min(context.lenses.len().saturating_sub(1));
    }

    /// Selects a lens and places it; its drag or motion ends.
    pub fn put(&mut self, index: usize, lens: Lens, context: &mut ManipulatorContext<'_>) -> Option<LensEdit> {
        self.select(index, context);
        self.hold.take_if(|hold| hold.lens == index);
        self.poses.get_mut(index)?.motion.stop();
        let center = context.inside(lens.center);
        changed(context.lenses.get_mut(index)?, Lens { center, ..lens })
    }

    pub(super) fn add(&mut self, context: &mut ManipulatorContext<'_>, beside: bool) -> Option<()> {
        if !context.can_add() || self.hold.is_some() {
            return None;
        }
        let model = *context.lenses.get(self.selected)?;
        let free = self.pointer_over_lenses(context).filter(|at| {
            let away = |lens: &Lens| (context.distance)(lens, *at) > 0.0;
            !beside && !context.over_panel && context.inside(*at) == *at && context.lenses.iter().all(away)
        });
        let center = free.unwrap_or_else(|| fresh_place(context.lenses, &model, context.free_px, context.scale));
        context.lenses.push(Lens { center, id: None, ..model });
        self.fit_poses(context);
        self.selected = context.lenses.len() - 1;
        self.takes += 1;
        self.poses[self.selected] = LensPose { motion: Motion::coming(), taken: self.takes };
        Some(())
    }

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

    /// Unless it is the last; selects the one selected before it.
    fn remove(&mut self, context: &mut ManipulatorContext<'_>) -> Option<()> {
        if context.lenses.len() < 2 || context.alone || self.selected >= context.lenses.len() {
            return None;
        }
        self.hold = None;
        let lens = context.lenses.remove(self.selected);
        let pose = self.poses.remove(self.selected);
        if context.feel.appears && !lens.outline.has_field() {
            self.leaving.push((lens, pose.motion.going()));
        }
        let newest = self.poses.iter().enumerate().max_by_key(|(index, pose)| (pose.taken, *index));
        self.selected = newest.map_or(0, |(index, _)| index);
        Some(())
    }
}
