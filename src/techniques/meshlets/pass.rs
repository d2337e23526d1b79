//! A pass over meshlets: its path, its view and its target.

use super::passes::culling::History;
use gpu::{Buffer, Format, ImageView};
use scene::world::{AlphaMode, GpuScene};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Path {
    Mesh,
    Vertex,
    /// Visibility values only; another path draws the rest.
    Compute,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DrawKind {
    Ids,
    Layer,
    Shadow,
    Overdraw,
    Fates,
}

impl DrawKind {
    pub fn shows_fronts(self) -> bool {
        matches!(self, Self::Ids | Self::Layer | Self::Overdraw)
    }

    pub fn cuts(self, cover: AlphaMode) -> bool {
        self == Self::Layer || cover == AlphaMode::Mask && matches!(self, Self::Ids | Self::Shadow)
    }
}

pub struct PassView<'a> {
    pub world: &'a GpuScene,
    pub history: &'a History,
    pub eye: &'a Buffer,
    pub pyramid: &'a Buffer,
    pub path: Path,
    pub pixels: Option<&'a Buffer>,
    /// The vertex path culls triangles that cover no pixel.
    pub culls_triangles: bool,
}

pub struct PassTarget<'a> {
    pub kind: DrawKind,
    pub color: Option<&'a ImageView>,
    pub depth: Option<&'a ImageView>,
    pub is_clear: bool,
}

pub const OVERLAY: Format = Format::Rgba16F;
/// Vulkan's least limit.
pub const GROUPS_MOST: u32 = 65_535;
