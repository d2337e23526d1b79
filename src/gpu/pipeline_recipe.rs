//! Parameters of a pipeline: its shaders and constants, their texts, and what the driver tells about it.
use super::{
    Gpu,
    error::Result,
    pipeline::{self, Program},
    pipeline_statistics::{PipelineStatistics, Purpose},
    raster::{self, RasterDesc},
    shader_text::ShaderText,
    shaders::ShaderSource,
};
use std::sync::Arc;

/// Parameters of a pipeline, from which it can be created again.
#[derive(Clone, Debug, PartialEq)]
pub struct PipelineRecipe(Kind);

#[derive(Clone, Debug, PartialEq)]
enum Kind {
    Compute(pipeline::Recipe),
    Raster(Box<RasterDesc>),
}

impl PipelineRecipe {
    pub(super) fn compute(recipe: &pipeline::Recipe) -> Arc<Self> {
        Arc::new(Self(Kind::Compute(recipe.clone())))
    }

    pub(super) fn raster(desc: &RasterDesc) -> Arc<Self> {
        Arc::new(Self(Kind::Raster(Box::new(desc.clone()))))
    }

    /// Shaders below `shaders/` with their variants, in pipeline order.
    #[must_use]
    pub fn shaders(&self) -> &[String] {
        match &self.0 {
            Kind::Compute(recipe) => std::slice::from_ref(&recipe.shader),
            Kind::Raster(desc) => &desc.shaders,
        }
    }

    /// Specialization constants that differ from the shaders' own, by name, as bits.
    #[must_use]
    pub fn constants(&self) -> &[(String, u32)] {
        match &self.0 {
            Kind::Compute(recipe) => &recipe.constants,
            Kind::Raster(desc) => &desc.constants,
        }
    }

    /// Whether a draw reads its colour attachments: it blends.
    pub(super) fn blends(&self) -> bool {
        matches!(&self.0, Kind::Raster(desc) if desc.blend != raster::Blend::None)
    }

    /// Texts of its shaders in their current version.
    ///
    /// # Errors
    /// A shader that does not compile.
    pub fn texts(&self, gpu: &Gpu) -> Result<Vec<ShaderText>> {
        let text = |name: &String| {
            let stage = gpu.shaders.stage(name, ShaderSource::Latest)?;
            Ok(ShaderText::of(name, &stage.words, self.constants()))
        };
        self.shaders().iter().map(text).collect()
    }

    /// Compiles it again, without any cache, and asks the driver about the result; `None` if the driver tells nothing. It may take long.
    ///
    /// # Errors
    /// Those of creating the pipeline.
    pub fn statistics(&self, gpu: &Arc<Gpu>) -> Result<Option<PipelineStatistics>> {
        if !gpu.tells_statistics() {
            return Ok(None);
        }
        let program = match &self.0 {
            Kind::Compute(recipe) => Program::new(gpu, recipe, ShaderSource::Latest, Purpose::Statistics)?,
            Kind::Raster(desc) => raster::make(gpu, desc, ShaderSource::Latest, Purpose::Statistics)?,
        };
        Ok(gpu.statistics_of(program.raw, self.shaders(), Vec::new()))
    }
}
