//! Parameters of a pipeline, with texts and statistics.
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

#[derive(Clone, Debug, PartialEq)]
pub struct PipelineRecipe(Kind);

#[derive(Clone, Debug, PartialEq)]
enum Kind {
    Compute(pipeline::Recipe),
    Raster(Box<RasterDesc>),
}

impl PipelineRecipe {
    pub(super) fn compute(recipe: pipeline::Recipe) -> Self {
        Self(Kind::Compute(recipe))
    }

    pub(super) fn raster(desc: RasterDesc) -> Self {
        Self(Kind::Raster(Box::new(desc)))
    }

    pub(super) fn program(self: &Arc<Self>, gpu: &Arc<Gpu>, source: ShaderSource, purpose: Purpose) -> Result<Program> {
        match &self.0 {
            Kind::Compute(recipe) => Program::new(gpu, self, recipe, source, purpose),
            Kind::Raster(desc) => raster::make(gpu, self, desc, source, purpose),
        }
    }

    pub(super) fn takes_vertices(&self) -> bool {
        matches!(&self.0, Kind::Raster(desc) if desc.vertices.is_some())
    }

    pub fn shaders(&self) -> &[String] {
        match &self.0 {
            Kind::Compute(recipe) => std::slice::from_ref(&recipe.shader),
            Kind::Raster(desc) => &desc.shaders,
        }
    }

    pub fn constants(&self) -> &[(String, u32)] {
        match &self.0 {
            Kind::Compute(recipe) => &recipe.constants,
            Kind::Raster(desc) => &desc.constants,
        }
    }

    pub(super) fn blends(&self) -> bool {
        matches!(&self.0, Kind::Raster(desc) if desc.blend != raster::Blend::None)
    }

    pub fn texts(&self, gpu: &Gpu) -> Result<Vec<ShaderText>> {
        let text = |name: &String| {
            let stage = gpu.shaders.stage(name, ShaderSource::Latest)?;
            Ok(ShaderText::of(name, &stage.words, self.constants()))
        };
        self.shaders().iter().map(text).collect()
    }

    /// Compiles it again without a cache, which may take long; `None` if the driver reports nothing.
    pub fn statistics(self: &Arc<Self>, gpu: &Arc<Gpu>) -> Result<Option<PipelineStatistics>> {
        if !gpu.tells_statistics() {
            return Ok(None);
        }
        let program = self.program(gpu, ShaderSource::Latest, Purpose::Statistics)?;
        Ok(gpu.statistics_of(program.raw, self.shaders(), Vec::new()))
    }
}
