//! Input of the shading, and how pixels are grouped.

use glam::Vec3;
use scene::world::{Camera, GpuScene, Shadow};
use technique::{PixelList, WorldFrame};

#[derive(Clone, Copy)]
pub struct ShadeInput<'a> {
    pub world: &'a GpuScene,
    pub camera: &'a Camera,
    pub sun: Vec3,
    pub shadow: Option<&'a Shadow>,
    /// Below 1 where several frames make one larger picture.
    pub detail: f32,
}

impl<'a> ShadeInput<'a> {
    pub fn of(world: &'a WorldFrame) -> Self {
        Self { world: &world.resident, camera: &world.camera, sun: world.sun, shadow: Some(&world.shadow), detail: 1.0 }
    }
}

#[derive(Clone)]
pub enum Work {
    Raster,
    List(PixelList),
}

impl Work {
    pub(super) fn groups_most(&self, by_raster: u32) -> u32 {
        match self {
            Self::Raster => by_raster,
            Self::List(list) => {
                let entries = list.entries.size() / if list.short { 2 } else { 4 };
                by_raster.max(entries.div_ceil(GROUP.into()) as u32)
            }
        }
    }
}

pub const GROUP: u32 = 128;
pub(super) const RASTER_GROUP: [u32; 2] = [16, 8];
pub(super) const TILE: u32 = PixelList::TILE;
