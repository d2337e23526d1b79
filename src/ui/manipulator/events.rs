//! Input events of the manipulator, and the edits it returns.

use glam::Vec2;

/// In physical pixels from the top left of the window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum InputEvent {
    Moved(Vec2),
    Left,
    Pressed(Button),
    /// Released anywhere.
    Released(Button),
    /// The number of fingers changed: the dragged lens keeps its offset to this point.
    Regripped(Vec2),
    /// Two fingers moved apart and turned about their midpoint, which [`InputEvent::Moved`] reports.
    Spread {
        /// Of their distance to the last one.
        ratio: f32,
        /// Radians, from x towards y.
        turn: f32,
    },
    /// Notches, up positive.
    Wheel(f32),
    Key {
        key: Key,
        repeat: bool,
    },
    Modifiers {
        shift: bool,
        ctrl: bool,
    },
    /// Releases will not be reported.
    FocusLost,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Button {
    Primary,
    Secondary,
    Other,
}

#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "their names are what they are")]
pub enum Key {
    /// Pixels.
    Move([i8; 2]),
    /// Degrees, clockwise.
    Turn(i8),
    Escape,
    Tab,
    Delete,
    PageUp,
    PageDown,
    N,
    R,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handled {
    No,
    /// Handled, and others may handle it too.
    Shared,
    Yes,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LensPart {
    X,
    Y,
    /// At rest, unrotated.
    Width,
    Height,
    /// Clockwise.
    Angle,
}

impl LensPart {
    /// A reference glass has the first two.
    pub const ALL: [Self; 5] = [Self::X, Self::Y, Self::Width, Self::Height, Self::Angle];

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

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LensEdit {
    /// The lens that is selected now moved, or changed its shape or frost.
    Changed,
    Selected(usize),
    Reset,
    /// Of the lens that is selected now.
    Menu,
}
