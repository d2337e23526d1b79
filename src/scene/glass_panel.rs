//! GlassPanels of glass: what panels and toolbars are made of.

use glam::Vec2;

/// Which text a plate carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlateKind {
    /// Much of it, some of it quiet.
    Panel,
    /// A few words in white.
    Toolbar,
}

/// A rectangle of glass with round corners; pixels of the target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GlassPanel {
    /// Its top left corner.
    pub low: Vec2,
    /// Its bottom right corner.
    pub high: Vec2,
    /// Of the round corners.
    pub radius: f32,
    /// What stands on it.
    pub kind: PlateKind,
    /// Bright glass for dark text, or glass that is dark enough for bright text.
    pub is_bright: bool,
    /// From 0, not there, to 1.
    pub presence: f32,
}

/// Where the pointer presses glass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Press {
    /// Pixels of the target.
    pub at: Vec2,
    /// From 0, not at all, to 1.
    pub strength: f32,
}
