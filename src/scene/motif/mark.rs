//! Marks on the pieces of a motif: text, icons and fills, drawn over the glass.

use crate::picture::Style;
use glam::Vec2;
use std::borrow::Cow;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ink {
    /// Light or dark, as the pixels below the marks of its piece allow.
    Voted,
    /// Encoded sRGB.
    Fixed([f32; 3]),
    /// Below the others: as much of a shade or of white as gives the text its contrast, where that is asked for.
    Veil,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Figure {
    /// `at`: on the baseline; `align`: the part of the line that is left of it.
    Text { text: Cow<'static, str>, size: f32, style: Style, at: Vec2, align: f32 },
    /// `width` of the line along the outline; 0 fills it. Nothing is drawn above `top`.
    Box { low: Vec2, high: Vec2, radius: f32, width: f32, top: f32 },
    /// By its number in [`ICONS`](crate::picture::ICONS).
    Icon { icon: usize, middle: Vec2, half: f32 },
}

/// Lengths are pixels.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// Number of the piece, whose pixels decide the ink.
    pub piece: u32,
    pub ink: Ink,
    pub alpha: f32,
    pub figure: Figure,
    /// Scaled by `grow` about this place.
    pub pivot: Vec2,
    pub grow: f32,
}

impl Figure {
    pub fn text(text: impl Into<Cow<'static, str>>, size: f32, at: Vec2, align: f32) -> Self {
        Self::Text { text: text.into(), size, style: Style::Light, at, align }
    }

    pub fn filled(low: Vec2, high: Vec2, radius: f32) -> Self {
        Self::Box { low, high, radius, width: 0.0, top: f32::MIN }
    }

    /// From points of a piece's box to pixels.
    pub(super) fn placed(self, corner_px: Vec2, scale: f32) -> Self {
        let place = |at: Vec2| corner_px + at * scale;
        match self {
            Self::Text { text, size, style, at, align } => {
                Self::Text { text, size: size * scale, style, at: place(at).round(), align }
            }
            Self::Box { low, high, radius, width, top } => Self::Box {
                low: place(low),
                high: place(high),
                radius: radius * scale,
                width: width * scale,
                top: corner_px.y + top * scale,
            },
            Self::Icon { icon, middle, half } => Self::Icon { icon, middle: place(middle), half: half * scale },
        }
    }
}
