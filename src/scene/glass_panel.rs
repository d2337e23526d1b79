//! Glass panels: plates under panels and toolbars.

use glam::Vec2;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GlassPanelKind {
    Panel,
    Toolbar,
}

/// A rounded rectangle of glass; pixels of the target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GlassPanel {
    pub low: Vec2,
    pub high: Vec2,
    pub radius: f32,
    pub kind: GlassPanelKind,
    /// From 0, dark glass for light text, to 1, light glass for dark text.
    pub bright: f32,
    /// From 0, absent, to 1.
    pub presence: f32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Press {
    /// Pixels of the target.
    pub at: Vec2,
    /// 0..1.
    pub strength: f32,
}
