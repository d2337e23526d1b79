//! Culling state between frames, and the constants shared with the shaders.

use gpu::gpu_consts;
use gpu::{Buffer, Format, Frame, Gpu, Memory, Result, gpu_struct};
use scene::world::{AlphaMode, GpuScene, MeshletInstance, World};
use std::sync::Arc;

gpu_struct! {
    pub struct CullPush { pub first: u32, pub count: u32, pub slot: u32, pub phase: u32, pub tests: u32, pub mask: u32 }
}

gpu_struct! {
    pub struct ListPush { pub slot: u32 }
}

gpu_consts! { "meshlets/cull.glsl":
    pub const TEST_FRUSTUM: u32 = 1;
    pub const TEST_CONE: u32 = 2;
    pub const TEST_OCCLUSION: u32 = 4;
}

gpu_consts! { "meshlets/cull_result.glsl":
    /// As in shaders/meshlets/cull_result.glsl.
    pub const OUT_OF_FRUSTUM: u32 = 1;
    pub const FACES_AWAY: u32 = 2;
    pub const OCCLUDED: u32 = 3;
    pub const SEEN: u32 = 4;
    pub const DRAWN_UNSEEN: u32 = 5;
}

pub const DRAWN: u32 = 1 << SEEN | 1 << DRAWN_UNSEEN;
pub const CULLED: u32 = 1 << OUT_OF_FRUSTUM | 1 << FACES_AWAY | 1 << OCCLUDED;
pub const EVERYTHING: u32 = u32::MAX;

/// As in shaders/meshlets/draw_list.glsl.
const LISTED_BYTES: u64 = 20;

gpu_consts! { "meshlets/stats.glsl":
    pub const TALLIES: usize = 8;
}

/// With 48 bytes of corners each: every device binds 128 MiB of a buffer.
pub const LIST_MAX: u64 = 2 << 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    Select(u32),
    First(u32),
    Second,
}

impl Phase {
    pub fn push(self, Chunk { first, count, .. }: Chunk, slot: u32) -> CullPush {
        let (phase, tests, mask) = match self {
            Self::Select(mask) => (0, 0, mask),
            Self::First(tests) => (1, tests, 0),
            Self::Second => (2, 0, 0),
        };
        CullPush { first, count, slot, phase, tests, mask }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chunk {
    pub first: u32,
    pub count: u32,
    pub cover: AlphaMode,
}

pub const LAYERS: usize = 4;

pub struct History {
    pub world: Arc<World>,
    pub fates: Buffer,
    pub is_known: bool,
    pub chunks: Vec<Chunk>,
    pub listed: Buffer,
    pub list: Buffer,
    pub corners: Buffer,
    pub has_texels: bool,
    pub work: Buffer,
    pub draws: Buffer,
    pub tiles: Option<TileRoom>,
}

pub struct TileRoom {
    pub slots: Buffer,
    pub items: Buffer,
    pub first_more: u32,
    pub most_more: u32,
}

/// As in shaders/meshlets/tiled.glsl.
const TILE_SLOT: [u32; 5] = [0, 1, 1, 0, 0];
const MORE_ITEMS: u64 = 1 << 19;

impl TileRoom {
    pub fn slot_at(slot: u32) -> u64 {
        4 * TILE_SLOT.len() as u64 * u64::from(slot)
    }
}

impl History {
    pub fn new(frame: &mut Frame, world: &GpuScene, list_max: u64) -> Result<Self> {
        let gpu = frame.gpu().clone();
        let chunks = chunks(&world.world, list_max);
        let (goes, total) = (goes(&chunks) as u64, world.world.meshlet_instances.len() as u64);
        let most = chunks.iter().map(|chunk| u64::from(chunk.count)).max().unwrap_or(0);
        let most_triangles = world.world.triangle_count().min(list_max);
        let buffer =
            |name: &str, bytes: u64| Buffer::new(&gpu, &format!("meshlets {name}"), bytes.max(4), Memory::Device);
        let fates = buffer("fates", 4 * total)?;
        frame.fill("meshlets/forget", &fates, 0)?;
        let (list, corners) =
            (buffer("triangle list", 4 * most_triangles)?, buffer("corners", (48 * most_triangles).max(16))?);
        let has_texels = 3 * most_triangles <= u64::from(gpu.info().texels);
        if has_texels {
            list.read_as_texels(Format::R32U)?;
            corners.read_as_texels(Format::Rgba32F)?;
        }
        Ok(Self {
            fates,
            is_known: false,
            listed: buffer("listed", LISTED_BYTES * most)?,
            list,
            corners,
            has_texels,
            work: buffer("counts", 4 * TALLIES as u64 + 16 * goes)?,
            draws: buffer("draws", 16 * goes.max(1))?,
            tiles: None,
            chunks,
            world: world.world.clone(),
        })
    }

    pub fn make_tiles(&mut self, gpu: &Arc<Gpu>, list_max: u64) -> Result<()> {
        if self.tiles.is_some() {
            return Ok(());
        }
        let (first, more) = (self.world.triangle_count().min(list_max), MORE_ITEMS.min(list_max));
        let slots = 2 * goes(&self.chunks).max(1) as u32;
        self.tiles = Some(TileRoom {
            slots: Buffer::new(gpu, "meshlets tile slots", TileRoom::slot_at(slots), Memory::Device)?,
            items: Buffer::new(gpu, "meshlets tiles", 8 * (first + more), Memory::Device)?,
            first_more: first as u32,
            most_more: more as u32,
        });
        Ok(())
    }

    pub fn list_all(&self, frame: &mut Frame, first: u32, count: u32) -> Result<()> {
        let (first, world) = (first as usize, &self.world);
        let entry = |(index, placed): (usize, &MeshletInstance)| {
            let meshlet = &world.geometry.meshlets[placed.meshlet as usize];
            let counts = meshlet.vertices | meshlet.triangles << 8;
            [index as u32, placed.instance, meshlet.first_vertex, meshlet.first_triangle, counts]
        };
        let placed = &world.meshlet_instances[first..][..count as usize];
        let words: Vec<u32> = (first..).zip(placed).flat_map(entry).collect();
        frame.upload_buffer(&self.listed, &words)
    }

    pub fn second_step(&self, slot: u32) -> u32 {
        goes(&self.chunks) as u32 + slot
    }

    pub fn clear(&self, frame: &mut Frame) -> Result<()> {
        let goes = goes(&self.chunks);
        let mut work = vec![0; TALLIES];
        work.extend((0..goes).flat_map(|_| [0, 1, 1, 0]));
        frame.upload_buffer(&self.work, &work)?;
        let draws: Vec<u32> = (0..goes.max(1)).flat_map(|_| [0, 1, 0, 0]).collect();
        frame.upload_buffer(&self.draws, &draws)?;
        match &self.tiles {
            Some(tiles) => frame.upload_buffer(&tiles.slots, &TILE_SLOT.repeat(2 * goes.max(1))),
            None => Ok(()),
        }
    }

    pub fn layer_slot(&self, index: u32, layer: u32) -> u32 {
        let all = self.chunks.len() as u32;
        (2 + layer) * all + index
    }

    pub fn dispatch_at(slot: u32) -> u64 {
        4 * TALLIES as u64 + 16 * u64::from(slot)
    }
}

fn goes(chunks: &[Chunk]) -> usize {
    let layers = if chunks.iter().any(|chunk| chunk.cover == AlphaMode::Blend) { LAYERS } else { 0 };
    (2 + layers) * chunks.len()
}

/// One coverage mode and at most `most` triangles, or a single instance.
fn chunks(world: &World, most: u64) -> Vec<Chunk> {
    let mut chunks: Vec<Chunk> = Vec::new();
    for (cover, [start, count]) in world.spans() {
        let (mut here, mut is_open) = (0, false);
        for (index, placed) in (start..).zip(&world.meshlet_instances[start as usize..][..count as usize]) {
            let triangles = u64::from(world.geometry.meshlets[placed.meshlet as usize].triangles);
            match chunks.last_mut().filter(|_| is_open) {
                Some(last) if here + triangles <= most => {
                    last.count += 1;
                    here += triangles;
                }
                _ => {
                    chunks.push(Chunk { first: index, count: 1, cover });
                    (here, is_open) = (triangles, true);
                }
            }
        }
    }
    chunks
}

#[cfg(test)]
mod tests {
    use super::*;
    use scene::world::{Geometry, Meshlet};

    #[test]
    fn chunks_hold_what_fits() {
        let meshlet = |triangles| Meshlet { triangles, ..bytemuck::Zeroable::zeroed() };
        let world = World {
            geometry: Geometry { meshlets: vec![meshlet(100), meshlet(30)], ..Geometry::default() },
            meshlet_instances: [0, 0, 1, 1, 0, 1].map(|meshlet| MeshletInstance { instance: 0, meshlet }).to_vec(),
            ..World::default()
        };
        let runs = |world: &World, most| -> Vec<[u32; 2]> {
            chunks(world, most).iter().map(|chunk| [chunk.first, chunk.count]).collect()
        };
        assert_eq!(runs(&world, 1000), [[0, 6]]);
        assert_eq!(runs(&world, 160), [[0, 1], [1, 3], [4, 2]]);
        assert_eq!(chunks(&world, 124).iter().map(|chunk| chunk.count).sum::<u32>(), 6);
        assert_eq!(runs(&World::default(), 10), Vec::<[u32; 2]>::new());
        let mixed = World { masked: 2, blended: 1, ..world };
        assert_eq!(runs(&mixed, 1000), [[0, 3], [3, 2], [5, 1]]);
        let covers: Vec<AlphaMode> = chunks(&mixed, 160).iter().map(|chunk| chunk.cover).collect();
        assert_eq!(covers, [AlphaMode::Opaque, AlphaMode::Opaque, AlphaMode::Mask, AlphaMode::Blend]);
        assert_eq!((goes(&chunks(&mixed, 1000)), goes(&[])), (18, 0));
    }
}
