//! Input of the shading, and how pixels are grouped.

use crate::{
    scene::world::{Camera, GpuScene, Shadow},
    techniques::{PixelList, WorldFrame},
};
use glam::Vec3;

/// Input of the shading: world, view and light.
#[derive(Clone, Copy)]
pub struct ShadeInput<'a> {
    /// The world whose visibility values the IDs are.
    pub world: &'a GpuScene,
    /// The camera with which they were drawn.
    pub camera: &'a Camera,
    /// Towards the sun, of length 1.
    pub sun: Vec3,
    /// The sun's view; without it nothing casts a shadow.
    pub shadow: Option<&'a Shadow>,
    /// Patterns and textures are as fine as if a pixel had this part of its sides: below 1 where several frames make one picture of more
    /// pixels.
    pub detail: f32,
}

impl<'a> ShadeInput<'a> {
    /// Input from the drawn world.
    #[must_use]
    pub fn of(world: &'a WorldFrame) -> Self {
        Self { world: &world.resident, camera: &world.camera, sun: world.sun, shadow: Some(&world.shadow), detail: 1.0 }
    }
}

/// In which order pixels are shaded: the picture is the same.
#[derive(Clone)]
pub enum Work {
    /// Blocks of 8x4 pixels.
    Raster,
    /// As a list has them.
    List(PixelList),
}

impl Work {
    /// Most workgroups, where there are this many by raster.
    pub(super) fn groups_most(&self, by_raster: u32) -> u32 {
        match self {
            Self::Raster => by_raster,
            // A list has room for more entries than there are pixels.
            Self::List(list) => {
                let entries = list.entries.size() / if list.short { 2 } else { 4 };
                by_raster.max(entries.div_ceil(GROUP.into()) as u32)
            }
        }
    }
}

/// Entries of the list, or pixels, that one workgroup shades.
pub const GROUP: u32 = 128;
/// Pixels of a workgroup by raster: four blocks of 8x4.
pub(super) const RASTER_GROUP: [u32; 2] = [16, 8];
/// Side of the tiles to which short entries belong, pixels.
pub(super) const TILE: u32 = PixelList::TILE;
