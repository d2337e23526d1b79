//! Bins by the GPU: one dispatch for all bodies that are drawn together.

use super::{Scope, stride};
use crate::passes::uniforms::{GlassBlock, GpuLens};
use gpu::{Buffer, ComputePipeline, Frame, Gpu, Memory, PipelineCache, Result, gpu_consts, gpu_struct};
use std::sync::Arc;

gpu_struct! {
    pub struct BinPush { blocks: u32 }
}

gpu_consts! { "glass/bin.comp":
    const ROW: u32 = 1024;
}

/// Words of the bins of bodies that share a dispatch: 64 MiB.
pub const MOST_WORDS: u32 = 1 << 24;

pub struct BinPass {
    gpu: Arc<Gpu>,
    pipeline: PipelineCache<()>,
}

/// Place in blocks of the grid, in 16 bits each, and the body.
pub type Blocks = Vec<[u32; 2]>;

pub fn blocks(scopes: &[Scope]) -> Blocks {
    let of_body = |(body, scope): (u32, &Scope)| scope.grid.blocks().map(move |at| [at.x | at.y << 16, body]);
    (0..).zip(scopes).flat_map(of_body).collect()
}

pub fn words(scope: &Scope, lenses: usize) -> u32 {
    scope.grid.tiles() * stride(lenses)
}

/// What the shaders read of a body's grid.
pub fn with_grid(block: GlassBlock, scope: &Scope, first_word: u32) -> GlassBlock {
    GlassBlock {
        corner: scope.grid.corner.to_array(),
        grid: scope.grid.size.to_array(),
        bins: first_word,
        stride: stride(block.count as usize),
        reach: scope.reach,
        shadow_reach: scope.around.shadow_reach,
        rim_reach: scope.around.rim_reach,
        ..block
    }
}

impl BinPass {
    pub fn new(gpu: &Arc<Gpu>) -> Self {
        Self { gpu: gpu.clone(), pipeline: PipelineCache::default() }
    }

    /// Into `bins`, which grows.
    pub fn record(
        &self,
        frame: &mut Frame,
        [glasses, lenses, fields, blocks]: [&Buffer; 4],
        bins: &mut Option<Buffer>,
        words: u32,
    ) -> Result<Buffer> {
        let bytes = 4 * u64::from(words.max(1));
        let room = bins.take().filter(|bins| bins.size() >= bytes);
        let room = match room {
            Some(room) => room,
            None => Buffer::new(&self.gpu, "glass bins", bytes.next_power_of_two(), Memory::Device)?,
        };
        *bins = Some(room.clone());
        let pipeline = self.pipeline.get((), |()| {
            ComputePipeline::new(&self.gpu, "glass/bin.comp", &[])?
                .with_push::<BinPush>()?
                .with_struct::<GlassBlock>("glasses")?
                .with_struct::<GpuLens>("lenses")
        })?;
        let count = (blocks.size() / 8) as u32;
        let pass = frame.compute("glass/bin", &pipeline).bind("glasses", glasses).bind("lenses", lenses);
        let pass = pass.bind("fields", fields).bind("blocks", blocks).bind("bins", &room);
        pass.push(&BinPush { blocks: count }).dispatch_groups([count.min(ROW), count.div_ceil(ROW), 1])?;
        Ok(room)
    }
}
