//! Transparent layers, composited over the light of opaque surfaces.

use super::frame::{ChoicesBlock, SceneBlock};
use gpu::{Buffer, ComputePipeline, Format, Gpu, Image, ImageDesc, Memory, PipelineCache, Result, Use};
use std::sync::Arc;

pub const LAYERS: usize = 4;
pub(super) const NAMES: [&str; LAYERS] = ["nearest_ids", "second_ids", "third_ids", "fourth_ids"];
pub(super) const NO_CALL: [u32; 4] = [0, 1, 1, 0];

#[derive(Default)]
pub(super) struct Layers {
    /// World as texels, its traits, and the layer; `None`: the kernel that lists the blocks of all.
    pipelines: PipelineCache<(bool, u32, Option<u32>)>,
    pub(super) buffers: Option<LayerBuffers>,
}

pub(super) struct LayerBuffers {
    pub light: Image,
    /// For all blocks of 8x8 pixels of each layer.
    pub groups: Buffer,
    pub calls: Buffer,
}

impl LayerBuffers {
    pub fn new(gpu: &Arc<Gpu>, size: [u32; 2]) -> Result<Self> {
        let desc = ImageDesc::new("light with layers", size, Format::Rgba16F, &[Use::Sample, Use::Storage]);
        let blocks = size.into_iter().map(|side| u64::from(side.div_ceil(8))).product::<u64>();
        Ok(Self {
            light: Image::new(gpu, desc)?,
            groups: Buffer::new(gpu, "layer groups", 4 * LAYERS as u64 * blocks, Memory::Device)?,
            calls: Buffer::new(gpu, "layer calls", 16 * LAYERS as u64, Memory::Device)?,
        })
    }
}

impl Layers {
    pub fn pipeline(&self, gpu: &Arc<Gpu>, which: (bool, u32, Option<u32>)) -> Result<ComputePipeline> {
        self.pipelines.get(which, |which| {
            let (shader, layer) = match which {
                (_, _, None) => return ComputePipeline::new(gpu, "shade/layer_groups.comp", &[]),
                (true, _, Some(layer)) => ("shade/layers.comp:texels", *layer),
                (false, _, Some(layer)) => ("shade/layers.comp:words", *layer),
            };
            let pipeline = ComputePipeline::new(gpu, shader, &[("LAYER", layer), ("KINDS", which.1)])?;
            pipeline.with_struct::<SceneBlock>("scene")?.with_struct::<ChoicesBlock>("choices")
        })
    }
}
