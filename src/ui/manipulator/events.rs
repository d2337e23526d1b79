//! What the hand hears, and what it answers.

use glam::Vec2;

/// What happened, in physical pixels from the top left of the window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum InputEvent {
    /// The pointer (or the first finger) is there now.
    Moved(Vec2),
    /// The pointer left the window.
    Left,
    /// A button went down where the pointer is.
    Pressed(Button),
    /// A button went up, wherever.
    Released(Button),
    /// Fingers came or went: what is held is held there from now on, and stays where it is.
    Regripped(Vec2),
    /// Two fingers moved apart and turned about the middle between them, which [`InputEvent::Moved`] tells of.
    Spread {
        /// Their distance over what it was.
        ratio: f32,
        /// Radians, from x towards y.
        turn: f32,
    },
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
        /// Alt.
        alt: bool,
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
    /// Opens the menu of a lens.
    Secondary,
    /// Any other.
    Other,
}

/// A key that means something to the hand.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "their names are what they are")]
pub enum Key {
    Left,
    Right,
    Up,
    Down,
    Escape,
    Tab,
    Delete,
    N,
    Q,
    E,
    R,
    H,
    Space,
    /// A digit, 1 to 9.
    Digit(u8),
}

/// What an event came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LensEdit {
    /// This lens, now the selected one, moved or changed its shape.
    Changed(usize),
    /// Another lens is selected: this one. Lenses may have come or gone.
    Selected(usize),
    /// The frost is to change by so many notches: see [`super::frosted`].
    Frost(f32),
    /// Everything about the lenses goes back to where it began.
    Reset,
    /// The panels are to be hidden, or shown again.
    TogglePanels,
    /// The source's glass against ours.
    FlipMode,
    /// The preset of this number is asked for, from 0.
    Preset(usize),
    /// The menu of this lens, now the selected one, is asked for.
    Menu(usize),
}
