//! The path without a rasterizer: compute passes find the nearest surface of each pixel, and write it into the images at the end.

use super::{
    culling::{Chunk, CullPush, History, TileRoom},
    targets::{Targets, no_images},
};
use crate::{
    pass::{GROUPS_MOST, PassView},
    view_uniforms::Eye,
};
use gpu::{Buffer, ComputePipeline, Feature, Frame, Gpu, PipelineCache, PipelinesAhead, Resource, Result, gpu_struct};
use scene::world::{AlphaMode, Material, Texture};
use std::sync::Arc;

gpu_struct! {
    struct RasterPush { slot: u32, tile_slot: u32, first_more: u32, most_more: u32 }
}

gpu_struct! {
    struct ResolvePush { size: [u32; 2] }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Key {
    shader: &'static str,
    cuts: bool,
    step: u32,
    loops: bool,
}

pub struct Compute {
    gpu: Arc<Gpu>,
    /// By one 64-bit atomic; else by two passes with 32 bits each.
    pub wide: bool,
    kernels: PipelineCache<(Key, bool)>,
    ahead: Option<(Vec<(Key, bool)>, PipelinesAhead)>,
    resolve: ComputePipeline,
}

fn keys_of(cover: AlphaMode, count: u32, step: u32) -> [Key; 2] {
    let (cuts, loops) = (cover == AlphaMode::Mask, count > GROUPS_MOST);
    [("raster", loops), ("tiles", false)].map(|(shader, loops)| Key { shader, cuts, step, loops })
}

fn steps(wide: bool) -> u32 {
    if wide { 1 } else { 2 }
}

fn keys(chunks: &[Chunk], wide: bool) -> Vec<(Key, bool)> {
    let mut keys = Vec::new();
    for chunk in chunks.iter().filter(|chunk| chunk.cover != AlphaMode::Blend) {
        for key in (0..steps(wide)).flat_map(|step| keys_of(chunk.cover, chunk.count, step)) {
            if !keys.contains(&(key, wide)) {
                keys.push((key, wide));
            }
        }
    }
    keys
}

fn make(gpu: &Arc<Gpu>, key: Key, wide: bool) -> Result<ComputePipeline> {
    let width = if wide { "wide" } else { "narrow" };
    let cut = if key.cuts { "_cut" } else { "" };
    let shader = format!("meshlets/{}.comp:{width}{cut}", key.shader);
    let mut constants = vec![("STEP", key.step)];
    if key.shader == "raster" {
        constants.push(("LOOPS", u32::from(key.loops)));
    }
    constants.retain(|(name, _)| !wide || *name != "STEP");
    let pipeline = ComputePipeline::new(gpu, &shader, &constants)?.with_push::<RasterPush>()?;
    let pipeline = pipeline.with_struct::<Eye>("Eye")?;
    if !key.cuts {
        return Ok(pipeline);
    }
    pipeline.with_struct::<Material>("Materials")?.with_struct::<Texture>("Textures")
}

impl Compute {
    pub fn new(gpu: &Arc<Gpu>) -> Result<Self> {
        let resolve = ComputePipeline::new(gpu, "meshlets/resolve.comp", &[])?.with_push::<ResolvePush>()?;
        let wide = gpu.has(Feature::BufferInt64Atomics);
        Ok(Self { gpu: gpu.clone(), wide, kernels: PipelineCache::default(), ahead: None, resolve })
    }

    /// Some drivers fail on alpha-masked surfaces, whose textures are sampled within a loop.
    pub fn fits(gpu: &Gpu, size: [u32; 2], masked: u32) -> bool {
        (masked == 0 || !gpu.policy().has_old_compiler)
            && 8 * u64::from(size[0]) * u64::from(size[1]) <= u64::from(gpu.info().storage_bytes)
            && size[0].max(size[1]) <= SIDE_MOST
    }

    fn kernel(&self, key: Key) -> Result<ComputePipeline> {
        self.kernels.get((key, self.wide), |(key, wide)| make(&self.gpu, *key, *wide))
    }

    pub fn make_ahead(&mut self, chunks: &[Chunk]) -> bool {
        let wanted = keys(chunks, self.wide);
        if self.ahead.as_ref().is_none_or(|(keys, _)| *keys != wanted) {
            let (gpu, missing) = (self.gpu.clone(), wanted.clone());
            let make = move |(key, wide): &(Key, bool)| make(&gpu, *key, *wide);
            self.ahead = Some((wanted, self.kernels.make_ahead("meshlet kernels", missing, make)));
        }
        self.ahead.as_ref().is_some_and(|(_, ahead)| !ahead.is_running())
    }

    pub fn clear(&self, frame: &mut Frame, targets: &mut Targets) -> Result<()> {
        if !std::mem::replace(&mut targets.is_clear, false) {
            frame.fill("meshlets/clear", pixels_of(targets)?, 0)?;
        }
        Ok(())
    }

    pub fn record(
        &self,
        frame: &mut Frame,
        view: &PassView<'_>,
        push: &CullPush,
        cover: AlphaMode,
        pass: u32,
        pixels: &Buffer,
    ) -> Result<()> {
        let (world, history) = (view.world, view.history);
        let Some(tiles) = &history.tiles else { return Err(no_images()) };
        for step in 0..steps(self.wide) {
            let [raster, tiled] = keys_of(cover, push.count, step);
            let tile_slot = if step == 0 { push.slot } else { history.second_step(push.slot) };
            let TileRoom { first_more, most_more, .. } = *tiles;
            let of = RasterPush { slot: push.slot, tile_slot, first_more, most_more };
            let shared: [(&str, Resource); 4] = [
                ("Eye", view.eye.into()),
                ("TileSlots", (&tiles.slots).into()),
                ("Tiles", (&tiles.items).into()),
                ("Pixels", pixels.into()),
            ];
            frame
                .compute(format!("meshlets/raster {pass}"), &self.kernel(raster)?)
                .bind_named(world.bindings())
                .bind_named(shared.clone())
                .bind("Work", &history.work)
                .bind("Listed", &history.listed)
                .push(&of)
                .dispatch_indirect(&history.work, History::dispatch_at(push.slot))?;
            frame
                .compute(format!("meshlets/tiles {pass}"), &self.kernel(tiled)?)
                .bind_named(world.bindings())
                .bind_named(shared)
                .push(&of)
                .dispatch_indirect(&tiles.slots, TileRoom::slot_at(tile_slot))?;
        }
        Ok(())
    }

    pub fn resolve(&self, frame: &mut Frame, targets: &Targets) -> Result<()> {
        frame
            .compute("meshlets/resolve", &self.resolve)
            .bind("Pixels", pixels_of(targets)?)
            .bind("ids", targets.ids.mip(0))
            .bind("depth", targets.depth.mip(0))
            .push(&ResolvePush { size: targets.size })
            .dispatch(targets.size)
    }
}

/// As in shaders/meshlets/cover.glsl.
const SIDE_MOST: u32 = 1 << 14;

fn pixels_of(targets: &Targets) -> Result<&Buffer> {
    targets.pixels.as_ref().ok_or_else(no_images)
}
