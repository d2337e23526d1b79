//! Glass panels: plates under panels and toolbars.

use glam::Vec2;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GlassPanelKind {
    Panel,
    Toolbar,
}

/// Pixels of the target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GlassPanel {
    pub low: Vec2,
    pub high: Vec2,
    pub radius: f32,
    pub kind: GlassPanelKind,
    /// 0: dark glass for light text; 1: light glass for dark text.
    pub bright: f32,
    pub presence: f32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Press {
    /// Pixels of the target.
    pub at: Vec2,
    /// 0..1.
    pub strength: f32,
}
