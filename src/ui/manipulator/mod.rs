//! Lens manipulator: maps pointer, touch and keys to edits of the lenses. Pure, and identical on every platform.
//!
//! While dragging, the lens keeps its offset to the pointer; only its shape is animated (see [`spring`]). Hit tests
//! and edits use the lenses at rest, so that nothing moves away from under the pointer. The caller withholds presses,
//! wheel and keys that a panel consumes, but always forwards moves, releases and the loss of focus.

mod events;
pub mod hit_test;
mod keys;

use base::settings::Settings as _;
use egui::CursorIcon;
pub use events::{Button, Handled, InputEvent, Key, LensEdit, LensPart};
use glam::Vec2;
use glass::{GlassSettings, MOST_LENSES};
use hit_test::{Part, Reach, add_place, part_at, scaled, turned, wrapped};
use scene::spring::{Feel, Ground, Motion};
use scene::{Lens, LensGlass, Press};

/// Factor per wheel notch for size and frost.
const NOTCH: f32 = 1.1;

/// More notches in one event come from a broken device.
pub(super) const NOTCHES_MAX: f32 = 20.0;

/// The wheel scales frost + this, in pixels: zero cannot be multiplied.
const FROST_FLOOR_PX: f32 = 0.5;

/// Logical pixels from the selected lens at which its handles are shown: that of the rotation handle.
const NEAR: f32 = 40.0;

/// With Shift, degrees.
const TURN_STEP: f32 = 15.0;

/// Movement in logical pixels up to which a press of the secondary button is a click.
const CLICK: f32 = 4.0;

pub struct ManipulatorContext<'a> {
    /// Bottom one first.
    pub lenses: &'a mut Vec<Lens>,
    /// Pixels within which every centre stays.
    pub area_px: Vec2,
    /// Its part free of panels, from the top left corner; new lenses are placed there.
    pub free_px: Vec2,
    /// Physical pixels per logical one.
    pub scale: f32,
    /// Signed distance in pixels from a lens' edge to a point, negative inside.
    pub distance: &'a dyn Fn(&Lens, Vec2) -> f32,
    pub feel: Feel,
    /// Only the selected lens is handled (the source's glass has one lens).
    pub alone: bool,
    pub over_panel: bool,
    /// A view hides the lenses from this x on, in pixels; infinity where none does.
    pub hidden_from_px: f32,
}

impl ManipulatorContext<'_> {
    fn ground(&self) -> Ground {
        Ground { area_px: self.area_px, scale: self.scale }
    }

    fn inside(&self, center: Vec2) -> Vec2 {
        self.ground().inside(center)
    }

    pub fn can_add(&self) -> bool {
        !self.alone && self.lenses.len() < MOST_LENSES
    }
}

#[derive(Clone, Debug, Default)]
pub struct Manipulator {
    pointer: Option<Vec2>,
    shift: bool,
    ctrl: bool,
    hold: Option<Hold>,
    selected: usize,
    poses: Vec<LensPose>,
    takes: u64,
    leaving: Vec<(Lens, Motion)>,
    pressed_at: Vec2,
    /// Position and lens at which the secondary button was pressed.
    menu_at: Option<(Vec2, usize)>,
}

/// In the lenses' order.
#[derive(Clone, Debug, Default)]
struct LensPose {
    motion: Motion,
    /// Rank of the last selection; the highest is on top, where lenses have one glass.
    taken: u64,
}

#[derive(Clone, Debug)]
struct Hold {
    lens: usize,
    part: Part,
    pressed_at: Vec2,
    /// From the pointer to the requested centre.
    offset: Vec2,
    /// The lens at the start: Esc restores it, and handles resize it.
    before: Lens,
}

impl Manipulator {
    pub fn handle(&mut self, event: InputEvent, context: &mut ManipulatorContext<'_>) -> Option<LensEdit> {
        self.fit_poses(context);
        match event {
            InputEvent::Moved(at) if at.is_finite() => {
                self.pointer = Some(at);
                self.drag(context)
            }
            InputEvent::Moved(_) => None,
            InputEvent::Left => {
                // A dragged lens keeps following: the window reports the pointer outside until the button is released.
                self.pointer = self.pointer.filter(|_| self.hold.is_some());
                None
            }
            InputEvent::Pressed(Button::Primary) => self.grab(context),
            InputEvent::Released(Button::Primary) => {
                self.release(context, true);
                None
            }
            InputEvent::FocusLost => {
                self.release(context, false);
                (self.shift, self.ctrl) = (false, false);
                None
            }
            InputEvent::Pressed(Button::Secondary) => {
                let lens = self.hovers(context).map(|(lens, _)| lens);
                self.menu_at = self.pointer.zip(lens).filter(|_| self.hold.is_none());
                None
            }
            InputEvent::Released(Button::Secondary) => self.menu(context),
            InputEvent::Pressed(Button::Other) | InputEvent::Released(Button::Other) => None,
            InputEvent::Regripped(at) => {
                self.regrip(at, context);
                None
            }
            InputEvent::Spread { ratio, turn } => self.spread(ratio, turn, context),
            InputEvent::Wheel(notches) => self.turn(notches, context),
            InputEvent::Key { key, repeat } => self.key(key, repeat, context),
            InputEvent::Modifiers { shift, ctrl } => {
                (self.shift, self.ctrl) = (shift, ctrl);
                let reshaping = self.hold.as_ref().is_some_and(|hold| hold.part != Part::Body);
                if reshaping { self.drag(context) } else { None }
            }
        }
    }

    /// Returns whether the animation continues, so that another frame is due.
    pub fn advance(&mut self, frame_s: f32, context: &mut ManipulatorContext<'_>) -> bool {
        self.fit_poses(context);
        let ground = context.ground();
        for (pose, lens) in self.poses.iter_mut().zip(context.lenses.iter_mut()) {
            lens.center = pose.motion.advance(frame_s, lens.center, &context.feel, &ground);
        }
        for (lens, motion) in &mut self.leaving {
            motion.advance(frame_s, lens.center, &context.feel, &ground);
        }
        self.leaving.retain(|(_, motion)| !motion.is_gone());
        if let Some(at) = self.pointer.filter(|_| self.hold.is_some()) {
            self.pressed_at = at;
        }
        self.is_moving(context)
    }

    pub fn is_moving(&self, context: &ManipulatorContext<'_>) -> bool {
        !self.leaving.is_empty()
            || self.poses.iter().any(|pose| pose.motion.is_moving(&context.feel, &context.ground()))
    }

    /// The lenses as drawn: stretched and swollen.
    pub fn drawn(&self, lenses: &[Lens], feel: &Feel) -> Vec<Lens> {
        let drawn = |(index, lens): (usize, &Lens)| match self.poses.get(index) {
            Some(pose) => pose.motion.drawn(lens, feel),
            None => *lens,
        };
        let leaving = self.leaving.iter().map(|(lens, motion)| motion.drawn(lens, feel));
        lenses.iter().enumerate().map(drawn).chain(leaving).collect()
    }

    /// Position and amount, 0 to 1, also while it fades.
    pub fn press(&self) -> Option<Press> {
        let strength = self.poses.iter().map(|pose| pose.motion.press()).fold(0.0, f32::max);
        (strength > 0.0).then_some(Press { at: self.pressed_at, strength })
    }

    pub fn dragged(&self) -> Option<usize> {
        self.hold.as_ref().map(|hold| hold.lens)
    }

    /// Always a lens of the context, if it has any.
    pub fn selected(&self, context: &ManipulatorContext<'_>) -> usize {
        self.selected.min(context.lenses.len().saturating_sub(1))
    }

    pub fn hovers(&self, context: &ManipulatorContext<'_>) -> Option<(usize, Part)> {
        let (at, selected) = (self.pointer_over_lenses(context)?, self.selected(context));
        let part = |index: usize| {
            let (lens, scale) = (&context.lenses[index], context.scale);
            if context.alone {
                // The reference glass has a fixed size and no handles.
                return ((context.distance)(lens, at) <= 0.0).then_some(Part::Body);
            }
            let (distance, turns) = ((context.distance)(lens, at), index == selected);
            let adds = (turns && context.can_add()).then(|| add_place(lens, scale, context.free_px));
            part_at(lens, at, &Reach { scale, distance, turns, adds })
        };
        // Lenses of one glass melt: none is above another.
        let is_stacked = context.lenses.windows(2).any(|pair| pair[0].glass != pair[1].glass);
        let taken = |index: usize| self.poses.get(index).filter(|_| !is_stacked).map_or(0, |pose| pose.taken);
        let height = |index: &usize| (taken(*index), *index);
        let mut order: Vec<usize> =
            (0..context.lenses.len()).filter(|index| !context.alone || *index == selected).collect();
        order.sort_by_key(height);
        order.into_iter().rev().find_map(|index| Some((index, part(index)?)))
    }

    /// The lens whose handles are shown: the one under the pointer, or else the selected one if the pointer is near it.
    pub fn near(&self, context: &ManipulatorContext<'_>) -> Option<usize> {
        let selected = self.selected(context);
        let is_near = |at: Vec2| {
            context.lenses.get(selected).is_some_and(|lens| (context.distance)(lens, at) <= NEAR * context.scale)
        };
        let pointer = self.pointer_over_lenses(context);
        self.hovers(context).map(|(index, _)| index).or(pointer.is_some_and(is_near).then_some(selected))
    }

    /// Pointer position, unless a view hides the lenses there.
    fn pointer_over_lenses(&self, context: &ManipulatorContext<'_>) -> Option<Vec2> {
        self.pointer.filter(|at| at.x < context.hidden_from_px)
    }

    /// `None` where the panels decide.
    pub fn cursor(&self, context: &ManipulatorContext<'_>, over_panel: bool) -> Option<CursorIcon> {
        let shape = |index: usize, part: Part, body| match part {
            Part::Body | Part::Turn => body,
            Part::Add => CursorIcon::PointingHand,
            Part::Handle(handle) => handle.cursor(context.lenses.get(index).map_or(0.0, Lens::angle)),
        };
        match (&self.hold, over_panel) {
            (Some(hold), _) => Some(shape(hold.lens, hold.part, CursorIcon::Grabbing)),
            (None, true) => None,
            (None, false) => Some(match self.hovers(context) {
                Some((index, part)) => shape(index, part, CursorIcon::Grab),
                None => CursorIcon::Default,
            }),
        }
    }

    pub fn is_frosting(&self) -> bool {
        self.ctrl
    }

    /// Ends drag and animation: lenses were replaced or placed elsewhere.
    pub fn stop(&mut self, selected: usize) {
        self.hold = None;
        self.leaving.clear();
        self.poses.iter_mut().for_each(|pose| pose.motion.stop());
        self.selected = selected;
    }

    fn fit_poses(&mut self, context: &ManipulatorContext<'_>) {
        self.poses.resize_with(context.lenses.len(), LensPose::default);
        self.selected = self.selected(context);
    }

    fn grab(&mut self, context: &mut ManipulatorContext<'_>) -> Option<LensEdit> {
        self.release(context, false);
        let (pressed_at, (lens, part)) = self.pointer.zip(self.hovers(context))?;
        if part == Part::Add {
            self.add(context, true)?;
            return Some(LensEdit::Selected(self.selected));
        }
        let part = if self.ctrl && part == Part::Body && !context.alone { Part::Turn } else { part };
        let before = context.lenses[lens];
        let offset = target_center(before.center, context) - pressed_at;
        self.takes += 1;
        self.poses[lens].taken = self.takes;
        match part {
            Part::Body => self.poses[lens].motion.grab(before.center),
            Part::Handle(_) | Part::Turn | Part::Add => self.poses[lens].motion.stop(),
        }
        self.hold = Some(Hold { lens, part, pressed_at, offset, before });
        let effect = (self.selected != lens).then_some(LensEdit::Selected(lens));
        self.selected = lens;
        effect
    }

    /// A click of the secondary button on a lens selects it and requests its menu.
    fn menu(&mut self, context: &ManipulatorContext<'_>) -> Option<LensEdit> {
        let (at, lens) = self.menu_at.take().filter(|(_, lens)| *lens < context.lenses.len())?;
        if self.pointer?.distance(at) > CLICK * context.scale {
            return None; // it panned the camera
        }
        self.selected = lens;
        Some(LensEdit::Menu)
    }

    /// A moved lens may be thrown.
    fn release(&mut self, context: &ManipulatorContext<'_>, throws: bool) {
        let Some(hold) = self.hold.take().filter(|hold| hold.part == Part::Body) else { return };
        if let (Some(pose), Some(lens)) = (self.poses.get_mut(hold.lens), context.lenses.get(hold.lens)) {
            if !throws {
                pose.motion.stop();
            }
            pose.motion.throw(lens.center, &context.feel, &context.ground());
        }
    }

    fn regrip(&mut self, at: Vec2, context: &ManipulatorContext<'_>) {
        self.pointer = Some(at);
        let Some(hold) = &mut self.hold else { return };
        let Some(lens) = context.lenses.get(hold.lens) else { return };
        (hold.part, hold.pressed_at, hold.offset) = (Part::Body, at, target_center(lens.center, context) - at);
    }

    fn spread(&mut self, ratio: f32, turn: f32, context: &mut ManipulatorContext<'_>) -> Option<LensEdit> {
        let hold = self.hold.as_mut().filter(|hold| hold.part == Part::Body)?;
        let lens = context.lenses.get_mut(hold.lens)?;
        if !(ratio.is_finite() && ratio > 0.0 && turn.is_finite()) {
            return None;
        }
        let new = turned(&scaled(lens, ratio), turn.to_degrees());
        let growth = new.outline.half_width / lens.outline.half_width.max(1e-3);
        hold.offset = Vec2::from_angle(turn).rotate(hold.offset) * growth;
        let effect = changed(lens, new);
        self.drag(context).or(effect)
    }

    fn drag(&mut self, context: &mut ManipulatorContext<'_>) -> Option<LensEdit> {
        let (hold, at, ground) = (self.hold.as_ref()?, self.pointer?, context.ground());
        let (rubber, area) = (context.feel.rubber_band, |center| ground.inside(center));
        let Some(lens) = context.lenses.get_mut(hold.lens) else {
            self.hold = None; // the lens was removed during the drag
            return None;
        };
        let moved = at - hold.pressed_at;
        let new = match hold.part {
            Part::Body if rubber => Lens { center: ground.banded(at + hold.offset), ..*lens },
            Part::Body => Lens { center: area(at + hold.offset), ..*lens },
            Part::Handle(handle) => {
                let pulled = handle.pull(&hold.before, moved, self.shift, ground.scale);
                Lens { center: area(pulled.center), glass: lens.glass, ..pulled }
            }
            Part::Turn => {
                let (from, to) = (hold.pressed_at - hold.before.center, at - hold.before.center);
                let angle = hold.before.outline.angle + from.angle_to(to).to_degrees();
                let angle = if self.shift { (angle / TURN_STEP).round() * TURN_STEP } else { angle };
                if angle.is_finite() { lens.turned(wrapped(angle)) } else { *lens }
            }
            Part::Add => *lens, // not dragged
        };
        changed(lens, new)
    }

    fn turn(&mut self, notches: f32, context: &mut ManipulatorContext<'_>) -> Option<LensEdit> {
        let is_hidden = self.pointer.is_some() && self.pointer_over_lenses(context).is_none() && self.hold.is_none();
        if !notches.is_finite() || notches == 0.0 || is_hidden {
            return None;
        }
        let notches = notches.clamp(-NOTCHES_MAX, NOTCHES_MAX);
        if self.ctrl && self.hold.as_ref().is_none_or(|hold| hold.part != Part::Turn) {
            let lens = context.lenses.get_mut(self.selected)?;
            let frost = frosted(lens.glass.frost, notches);
            return changed(lens, Lens { glass: LensGlass { frost, ..lens.glass }, ..*lens });
        }
        let index = match &self.hold {
            Some(Hold { part: Part::Handle(_) | Part::Turn | Part::Add, .. }) => return None,
            Some(hold) => hold.lens,
            None => self.hovers(context).map_or(self.selected, |(index, _)| index),
        };
        let lens = context.lenses.get_mut(index)?;
        let new = scaled(lens, NOTCH.powf(notches));
        let effect = changed(lens, new);
        if effect.is_some() {
            self.selected = index;
        }
        effect
    }
}

fn frosted(frost_px: f32, notches: f32) -> f32 {
    let most_px = GlassSettings::range("frost").map_or(0.0, |[_, most]| most);
    ((frost_px + FROST_FLOOR_PX) * NOTCH.powf(notches) - FROST_FLOOR_PX).clamp(0.0, most_px)
}

/// The unconstrained position whose constrained one is `center`.
fn target_center(center: Vec2, context: &ManipulatorContext<'_>) -> Vec2 {
    if context.feel.rubber_band { context.ground().unbanded(center) } else { center }
}

fn changed(lens: &mut Lens, new: Lens) -> Option<LensEdit> {
    (*lens != new).then(|| {
        *lens = new;
        LensEdit::Changed
    })
}

#[cfg(test)]
mod tests;
