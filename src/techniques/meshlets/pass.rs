//! A pass over meshlets: its path, its view and its target.

use super::culling::History;
use crate::{
    gpu::{Buffer, Format, ImageView},
    scene::world::{AlphaMode, GpuScene},
};

/// Path from meshlets to triangles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Path {
    Mesh,
    Vertex,
    /// Visibility values alone; all else is drawn by one of the others.
    Compute,
}

/// Target of a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DrawKind {
    /// Visibility values and depth.
    Ids,
    /// The nearest transparent surface behind another layer, and its depth.
    Layer,
    /// Depth alone, of both sides of every triangle.
    Shadow,
    /// One more for every fragment.
    Overdraw,
    /// Colours by fate, see-through, of both sides.
    Fates,
}

impl DrawKind {
    pub fn shows_fronts(self) -> bool {
        matches!(self, Self::Ids | Self::Layer | Self::Overdraw)
    }

    /// Whether what covers like this is looked up pixel by pixel.
    pub fn cuts(self, cover: AlphaMode) -> bool {
        self == Self::Layer || cover == AlphaMode::Mask && matches!(self, Self::Ids | Self::Shadow)
    }
}

/// Geometry and view of a pass.
pub struct PassView<'a> {
    pub world: &'a GpuScene,
    pub history: &'a History,
    pub eye: &'a Buffer,
    pub pyramid: &'a Buffer,
    pub path: Path,
    /// Target of compute.
    pub pixels: Option<&'a Buffer>,
    /// Leave out triangles that cover no pixel before they reach the rasterizer (vertex path).
    pub culls_triangles: bool,
}

/// Target of a pass; cleared by the first one.
pub struct PassTarget<'a> {
    pub kind: DrawKind,
    pub color: Option<&'a ImageView>,
    pub depth: Option<&'a ImageView>,
    pub is_clear: bool,
}

/// Format of what [`DrawKind::Overdraw`] and [`DrawKind::Fates`] draw into.
pub const OVERLAY: Format = Format::Rgba16F;
/// Workgroups that every device can dispatch in a row.
pub const GROUPS_MOST: u32 = 65_535;
