//! Transparent layers, composited over the light of opaque surfaces.

use super::{Shade, ShadeInput};
use crate::{
    gpu::{
        Buffer, ComputePipeline, Error, Format, Frame, Gpu, Image, ImageDesc, ImageView, Memory, PipelineCache, Result,
        Sampler, Use,
    },
    scene::world::TRAITS,
    techniques::shade::frame::{ChoicesBlock, SceneBlock},
};
use std::sync::Arc;

/// Layers of a pixel.
pub const LAYERS: usize = 4;
/// Their names in passes that read all, nearest first.
const NAMES: [&str; LAYERS] = ["nearest_ids", "second_ids", "third_ids", "fourth_ids"];
/// Arguments of an indirect dispatch of no workgroup yet, and a count.
const NO_CALL: [u32; 4] = [0, 1, 1, 0];

/// Made when something is seen through.
#[derive(Default)]
pub(super) struct Layers {
    /// By whether the world is read as texels, and the layer; none: what lists the blocks of all.
    pipelines: PipelineCache<(bool, u32, Option<u32>)>,
    held: Option<LayerBuffers>,
}

/// For one size.
struct LayerBuffers {
    light: Image,
    /// For each layer, room for all blocks of 8x8 pixels.
    groups: Buffer,
    calls: Buffer,
}

impl LayerBuffers {
    fn new(gpu: &Arc<Gpu>, size: [u32; 2]) -> Result<Self> {
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
    /// By whether the world is read as texels, its [`TRAITS`], and the layer; without one the kernel that lists the blocks.
    fn pipeline(&self, gpu: &Arc<Gpu>, which: (bool, u32, Option<u32>)) -> Result<ComputePipeline> {
        self.pipelines.get(which, |which| {
            let (shader, layer) = match which {
                (_, _, None) => return ComputePipeline::new(gpu, "shade/layer_groups.comp", &[]),
                (true, _, Some(layer)) => ("shade/layers.comp:texels", *layer),
                (false, _, Some(layer)) => ("shade/layers.comp:words", *layer),
            };
            let made = ComputePipeline::new(gpu, shader, &[("LAYER", layer), ("KINDS", which.1)])?;
            made.with_struct::<SceneBlock>("scene")?.with_struct::<ChoicesBlock>("choices")
        })
    }
}

impl Shade {
    /// Lays `layers` (R32U visibility values of transparent surfaces, the nearest first, 0 for none) over `light`, which
    /// [`record`](Self::record) or [`record_apart`](Self::record_apart) made last and others may have completed since: another image,
    /// that stays as it is until the next call.
    ///
    /// # Errors
    /// Nothing was shaded, or an error of the GPU.
    pub fn lay_over(
        &mut self,
        frame: &mut Frame,
        scene: &ShadeInput<'_>,
        layers: &[ImageView; LAYERS],
        light: &ImageView,
    ) -> Result<ImageView> {
        let Some(last) = self.last.clone() else {
            return Err(Error::Pass { pass: "shade/layers".into(), problem: "nothing was shaded before".into() });
        };
        let size = light.size();
        let held = match self.layers.held.take() {
            Some(held) if held.light.size() == size => held,
            _ => LayerBuffers::new(&self.gpu, size)?,
        };
        frame.upload_buffer(&held.calls, NO_CALL.repeat(LAYERS).as_slice())?;
        let nearest = |view: &ImageView| view.clone().through(Sampler::NearestClamp);
        let around = || last.around.bindings.iter().cloned();
        let texels = self.gpu.policy().texel_buffers && scene.world.has_texels;
        let traits = last.around.kinds & TRAITS;
        let list = self.layers.pipeline(&self.gpu, (texels, traits, None))?;
        let pass = frame.compute("shade/layers", &list).bind_named(around());
        let pass = NAMES.iter().zip(layers).fold(pass, |pass, (name, layer)| pass.bind(name, nearest(layer)));
        let pass = pass.bind("solid", nearest(light)).bind("hdr", &held.light);
        pass.bind("Groups", &held.groups).bind("Calls", &held.calls).dispatch(size)?;
        for (number, layer) in (0..).zip(layers).collect::<Vec<_>>().into_iter().rev() {
            let pipeline = self.layers.pipeline(&self.gpu, (texels, traits, Some(number)))?;
            let pass = frame.compute(format!("shade/layer {}", number + 1), &pipeline);
            let pass = pass.bind_named(around()).bind_named(scene.world.bindings());
            let pass = pass.bind("layer", nearest(layer)).bind("hdr", &held.light);
            let pass = pass.bind("Groups", &held.groups).bind("Calls", &held.calls);
            pass.dispatch_indirect(&held.calls, 16 * u64::from(number))?;
        }
        let light = held.light.mip(0);
        self.layers.held = Some(held);
        Ok(light)
    }
}
