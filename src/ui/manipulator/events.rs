//! Input events of the manipulator, and the edits it returns.

use glam::Vec2;

/// An input event, in physical pixels from the top left of the window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum InputEvent {
    /// The pointer (or the first finger) moved here.
    Moved(Vec2),
    /// The pointer left the window.
    Left,
    /// A button was pressed at the pointer's position.
    Pressed(Button),
    /// A button was released, anywhere.
    Released(Button),
    /// The number of fingers changed: the dragged lens keeps its place and its offset to this point.
    Regripped(Vec2),
    /// Two fingers moved apart and turned about their midpoint, which [`InputEvent::Moved`] reports.
    Spread {
        /// Ratio of their distance to the last one.
        ratio: f32,
        /// Radians, from x towards y.
        turn: f32,
    },
    /// The wheel turned by this many notches, up positive.
    Wheel(f32),
    /// A key was pressed, or repeats.
    Key {
        /// The key.
        key: Key,
        /// Auto-repeat.
        repeat: bool,
    },
    /// The modifier keys that are down.
    Modifiers {
        /// Either Shift.
        shift: bool,
        /// Either Ctrl.
        ctrl: bool,
        /// Alt.
        alt: bool,
    },
    /// The window lost the keyboard focus: releases will not be reported.
    FocusLost,
    /// The area was resized.
    Resized,
}

/// A button of the pointer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Button {
    /// Drags.
    Primary,
    /// Opens the menu of a lens.
    Secondary,
    /// Any other.
    Other,
}

/// A key handled by the manipulator.
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
    PageUp,
    PageDown,
    N,
    Q,
    E,
    R,
    H,
    Space,
    /// A digit, 1 to 9.
    Digit(u8),
}

/// Answer of a receiver of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handled {
    /// Not handled.
    No,
    /// Handled, and others may handle it too.
    Shared,
    /// Consumed.
    Yes,
}

/// A number of a lens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LensPart {
    /// Of the centre, from the window's left.
    X,
    /// Of the centre, from the window's top.
    Y,
    /// Of the lens at rest, unrotated.
    Width,
    /// The same.
    Height,
    /// Clockwise.
    Angle,
}

impl LensPart {
    /// All of them. A reference glass has the first two.
    pub const ALL: [Self; 5] = [Self::X, Self::Y, Self::Width, Self::Height, Self::Angle];

    /// Its name after that of the lens.
    pub fn title(self) -> &'static str {
        match self {
            Self::X => "from the left",
            Self::Y => "from the top",
            Self::Width => "width",
            Self::Height => "height",
            Self::Angle => "rotation",
        }
    }
}

/// Edit that results from an event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LensEdit {
    /// This lens, now selected, moved or changed its shape.
    Changed(usize),
    /// This lens is selected now. Lenses may have been added or removed.
    Selected(usize),
    /// Change the frost by this many notches: see [`super::frosted`].
    Frost(f32),
    /// Reset all lenses.
    Reset,
    /// Hide or show the panels.
    TogglePanels,
    /// Switch between the source's glass and ours.
    FlipMode,
    /// Load the preset of this number, from 0.
    Preset(usize),
    /// Open the menu of this lens, now selected.
    Menu(usize),
}
