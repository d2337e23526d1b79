//! What is seen through, laid over the light of what is solid.

use super::{Shade, ShadeInput};
use crate::{
    gpu::{
        ComputePipeline, Error, Format, Frame, Gpu, Image, ImageDesc, ImageView, PipelineCache, Result, Sampler, Use,
    },
    techniques::shade::frame::{ChoicesBlock, SceneBlock},
};
use std::sync::Arc;

/// Layers of a pixel, and their names in the shader, nearest first.
pub const LAYERS: usize = 4;
const NAMES: [&str; LAYERS] = ["nearest_ids", "second_ids", "third_ids", "fourth_ids"];

/// Made when something is seen through.
#[derive(Default)]
pub(super) struct Layers {
    /// By whether the world is read as texels.
    pipelines: PipelineCache<bool>,
    light: Option<Image>,
}

impl Layers {
    fn pipeline(&self, gpu: &Arc<Gpu>, texels: bool) -> Result<ComputePipeline> {
        self.pipelines.get(texels, |texels| {
            let shader = if *texels { "shade/layers.comp:texels" } else { "shade/layers.comp:words" };
            let made = ComputePipeline::new(gpu, shader, &[])?;
            made.with_struct::<SceneBlock>("scene")?.with_struct::<ChoicesBlock>("choices")
        })
    }
}

impl Shade {
    /// Lays `layers` (R32U visibility values of what is seen through, the nearest first, 0 for none) over `light`, which
    /// [`record`](Self::record) or [`record_apart`](Self::record_apart) made last and others may have completed since: another image,
    /// that stays as it is until the next call.
    ///
    /// # Errors
    /// What the GPU floor says; that nothing was shaded.
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
        let made = match self.layers.light.take() {
            Some(image) if image.size() == size => image,
            _ => {
                let desc = ImageDesc::new("light with layers", size, Format::Rgba16F, &[Use::Sample, Use::Storage]);
                Image::new(&self.gpu, desc)?
            }
        };
        let texels = self.gpu.facts().is_software() && scene.world.has_texels;
        let pipeline = self.layers.pipeline(&self.gpu, texels)?;
        let nearest = |view: &ImageView| view.clone().through(Sampler::NearestClamp);
        let pass = frame.compute("shade/layers", &pipeline).bind_named(last.around.bindings);
        let pass = NAMES.iter().zip(layers).fold(pass, |pass, (name, layer)| pass.bind(name, nearest(layer)));
        let pass = pass.bind_named(scene.world.bindings()).bind("solid", nearest(light)).bind("hdr", &made);
        pass.dispatch(size)?;
        let light = made.mip(0);
        self.layers.light = Some(made);
        Ok(light)
    }
}
