//! Glass panels: plates under panels and toolbars.

use glam::Vec2;

/// Kind of text on a plate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GlassPanelKind {
    /// Running text, some of it secondary.
    Panel,
    /// A few words in white.
    Toolbar,
}

/// A rounded rectangle of glass; pixels of the target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GlassPanel {
    /// Its top left corner.
    pub low: Vec2,
    /// Its bottom right corner.
    pub high: Vec2,
    /// Corner radius.
    pub radius: f32,
    /// Kind of its content.
    pub kind: GlassPanelKind,
    /// Light glass for dark text, or dark glass for light text.
    pub is_bright: bool,
    /// From 0, absent, to 1.
    pub presence: f32,
}

/// A press of the pointer on glass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Press {
    /// Pixels of the target.
    pub at: Vec2,
    /// From 0, none, to 1.
    pub strength: f32,
}
