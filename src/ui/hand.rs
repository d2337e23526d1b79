//! The hand: turns pointer and keys into movements of the lenses. Pure, and the same on every platform.
//!
//! A lens follows one to one from the point where it was taken, and never jumps to the pointer. The caller keeps events from the hand that
//! belong to the panels (presses, wheel and keys where a panel wants them), but always hands on moves, releases and the loss of focus.

use super::hand_grip::{CursorShape, Part, part_at, scaled};
use crate::scene::Lens;
use glam::Vec2;

/// How much a notch of the wheel resizes or frosts.
const NOTCH: f32 = 1.1;

/// More notches than this in one event are a broken device.
const NOTCHES_MAX: f32 = 20.0;

/// A frost of zero cannot be multiplied: the wheel scales frost + this, in pixels.
const FROST_FLOOR_PX: f32 = 0.5;

/// What happened, in physical pixels from the top left of the window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum HandEvent {
    /// The pointer (or the first finger) is there now.
    Moved(Vec2),
    /// The pointer left the window.
    Left,
    /// A button went down where the pointer is.
    Pressed(Button),
    /// A button went up, wherever.
    Released(Button),
    /// The wheel turned by so many notches, up positive.
    Wheel(f32),
    /// A key went down, or repeats.
    Key {
        /// Which.
        key: Key,
        /// It was held down so long that it repeats.
        repeat: bool,
    },
    /// These modifier keys are down now.
    Modifiers {
        /// Either Shift.
        shift: bool,
        /// Either Ctrl.
        ctrl: bool,
    },
    /// The keyboard goes elsewhere; what is held will not be heard of again.
    FocusLost,
    /// The area changed its size.
    Resized,
}

/// A button of the pointer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Button {
    /// Takes and lets go.
    Primary,
    /// Any other.
    Other,
}

/// A key that means something to the hand.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)] // their names are what they are
pub enum Key {
    Left,
    Right,
    Up,
    Down,
    Escape,
    Tab,
    R,
    H,
    Space,
}

/// What an event came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum HandEffect {
    /// This lens moved or changed its size.
    Changed(usize),
    /// The frost is to change by so many notches: see [`frosted`].
    Frost(f32),
    /// Everything about the lenses goes back to where it began.
    Reset,
    /// The panels are to be hidden, or shown again.
    TogglePanels,
    /// The source's glass against ours.
    FlipMode,
}

/// What the hand works on.
pub struct Table<'a> {
    /// From the lowest to the topmost.
    pub lenses: &'a mut [Lens],
    /// Width and height in pixels within which every centre stays.
    pub area_px: Vec2,
    /// Physical pixels per logical one.
    pub scale: f32,
    /// Pixels from a lens' edge to a point, negative inside.
    pub distance: &'a dyn Fn(&Lens, Vec2) -> f32,
}

/// What is held and what is pressed.
#[derive(Clone, Debug, Default)]
pub struct Hand {
    pointer: Option<Vec2>,
    shift: bool,
    ctrl: bool,
    hold: Option<Hold>,
    selected: usize,
}

#[derive(Clone, Debug)]
struct Hold {
    lens: usize,
    part: Part,
    /// Where the pointer was then.
    pressed_at: Vec2,
    /// The lens then: what Esc brings back, and what a handle pulls at.
    before: Lens,
}

impl Hand {
    /// Takes in one event.
    pub fn feel(&mut self, event: HandEvent, table: &mut Table<'_>) -> Option<HandEffect> {
        match event {
            HandEvent::Moved(at) if at.is_finite() => {
                self.pointer = Some(at);
                self.drag(table)
            }
            HandEvent::Moved(_) => None,
            HandEvent::Left => {
                // A held lens goes on following: the window hears of the pointer outside until the button goes up.
                self.pointer = self.pointer.filter(|_| self.hold.is_some());
                None
            }
            HandEvent::Pressed(Button::Primary) => {
                self.take(table);
                None
            }
            HandEvent::Released(Button::Primary) | HandEvent::FocusLost => {
                self.hold = None;
                if event == HandEvent::FocusLost {
                    (self.shift, self.ctrl) = (false, false);
                }
                None
            }
            HandEvent::Pressed(Button::Other) | HandEvent::Released(Button::Other) => None,
            HandEvent::Wheel(notches) => self.turn(notches, table),
            HandEvent::Key { key, repeat } => self.key(key, repeat, table),
            HandEvent::Modifiers { shift, ctrl } => {
                (self.shift, self.ctrl) = (shift, ctrl);
                let resizing = self.hold.as_ref().is_some_and(|hold| hold.part != Part::Body);
                if resizing { self.drag(table) } else { None }
            }
            HandEvent::Resized => keep_inside(table),
        }
    }

    /// The lens that is held.
    pub fn holds(&self) -> Option<usize> {
        self.hold.as_ref().map(|hold| hold.lens)
    }

    /// The lens that keys move: the one last taken.
    pub fn selected(&self) -> usize {
        self.selected
    }

    /// The topmost lens under the pointer, and what of it.
    pub fn hovers(&self, table: &Table<'_>) -> Option<(usize, Part)> {
        let at = self.pointer?;
        let part = |lens: &Lens| part_at(lens, at, table.scale, (table.distance)(lens, at));
        table.lenses.iter().enumerate().rev().find_map(|(index, lens)| Some((index, part(lens)?)))
    }

    /// How the pointer should look; nothing where it is the panels' to say.
    pub fn cursor(&self, table: &Table<'_>, over_panel: bool) -> Option<CursorShape> {
        let shape = |index: usize, part: Part, body| match part {
            Part::Body => body,
            Part::Handle(handle) => handle.cursor(table.lenses.get(index).map_or(0.0, |lens| lens.angle)),
        };
        match (&self.hold, over_panel) {
            (Some(hold), _) => Some(shape(hold.lens, hold.part, CursorShape::Grabbing)),
            (None, true) => None,
            (None, false) => Some(match self.hovers(table) {
                Some((index, part)) => shape(index, part, CursorShape::Grab),
                None => CursorShape::Default,
            }),
        }
    }

    fn take(&mut self, table: &Table<'_>) {
        let found = self.hovers(table);
        self.hold = self.pointer.zip(found).map(|(pressed_at, (lens, part))| {
            self.selected = lens;
            Hold { lens, part, pressed_at, before: table.lenses[lens].clone() }
        });
    }

    fn drag(&mut self, table: &mut Table<'_>) -> Option<HandEffect> {
        let (hold, at) = (self.hold.as_ref()?, self.pointer?);
        let Some(lens) = table.lenses.get_mut(hold.lens) else {
            self.hold = None; // the lens was taken away under the hand
            return None;
        };
        let moved = at - hold.pressed_at;
        let mut new = match hold.part {
            Part::Body => Lens { center: hold.before.center + moved, ..*lens },
            Part::Handle(handle) => handle.pull(&hold.before, moved, self.shift),
        };
        new.center = inside(new.center, table.area_px);
        changed(lens, new, hold.lens)
    }

    fn turn(&mut self, notches: f32, table: &mut Table<'_>) -> Option<HandEffect> {
        if !notches.is_finite() || notches == 0.0 {
            return None;
        }
        let notches = notches.clamp(-NOTCHES_MAX, NOTCHES_MAX);
        if self.ctrl {
            return Some(HandEffect::Frost(notches));
        }
        let index = match &self.hold {
            Some(Hold { part: Part::Handle(_), .. }) => return None,
            Some(hold) => hold.lens,
            None => self.hovers(table).map_or(self.selected, |(index, _)| index),
        };
        let lens = table.lenses.get_mut(index)?;
        let new = scaled(lens, NOTCH.powf(notches));
        changed(lens, new, index)
    }

    fn key(&mut self, key: Key, repeat: bool, table: &mut Table<'_>) -> Option<HandEffect> {
        let step = match key {
            Key::Left => Vec2::NEG_X,
            Key::Right => Vec2::X,
            Key::Up => Vec2::NEG_Y,
            Key::Down => Vec2::Y,
            _ if repeat => return None,
            Key::Escape => {
                let hold = self.hold.take()?;
                let before = Lens { center: inside(hold.before.center, table.area_px), ..hold.before };
                return changed(table.lenses.get_mut(hold.lens)?, before, hold.lens);
            }
            Key::Tab => {
                self.selected = (self.selected + 1) % table.lenses.len().max(1);
                return None;
            }
            Key::R => {
                self.hold = None;
                return Some(HandEffect::Reset);
            }
            Key::H => return Some(HandEffect::TogglePanels),
            Key::Space => return Some(HandEffect::FlipMode),
        };
        if self.hold.is_some() {
            return None; // the pointer says where it is
        }
        let index = self.selected.min(table.lenses.len().checked_sub(1)?);
        let lens = &mut table.lenses[index];
        let step = step * if self.shift { 10.0 } else { 1.0 };
        let new = Lens { center: inside(lens.center + step, table.area_px), ..*lens };
        changed(lens, new, index)
    }
}

/// The frost in pixels after so many notches of the wheel.
pub fn frosted(frost_px: f32, notches: f32, max_px: f32) -> f32 {
    ((frost_px + FROST_FLOOR_PX) * NOTCH.powf(notches) - FROST_FLOOR_PX).clamp(0.0, max_px)
}

fn changed(lens: &mut Lens, new: Lens, index: usize) -> Option<HandEffect> {
    (*lens != new).then(|| {
        *lens = new;
        HandEffect::Changed(index)
    })
}

fn keep_inside(table: &mut Table<'_>) -> Option<HandEffect> {
    if table.area_px.min_element() < 1.0 {
        return None; // minimised: the lenses wait where they are
    }
    let mut effect = None;
    for (index, lens) in table.lenses.iter_mut().enumerate() {
        let new = Lens { center: inside(lens.center, table.area_px), ..*lens };
        effect = changed(lens, new, index).or(effect);
    }
    effect
}

fn inside(center: Vec2, area_px: Vec2) -> Vec2 {
    center.clamp(Vec2::ZERO, area_px.max(Vec2::ZERO))
}

#[cfg(test)]
#[path = "hand_tests.rs"]
mod tests;
