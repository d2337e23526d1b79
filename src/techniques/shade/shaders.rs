//! Shading pipelines for the kinds of material of a world, created at their first use.

use super::frame::{ChoicesBlock, SceneBlock};
use gpu::{ComputePipeline, Gpu, PipelineCache, PipelinesAhead, Result};
use scene::world::{Instance, LAMPS, Material, MaterialKind, Meshlet, MeshletInstance, Texture, Vertex};
use std::sync::Arc;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Variant {
    All { texels: bool },
    Kind(u32),
    View { is_of_light: bool },
}

pub struct Shaders {
    gpu: Arc<Gpu>,
    pipelines: PipelineCache<(u32, Variant)>,
    ahead: Option<((u32, Variant), PipelinesAhead)>,
}

impl Shaders {
    pub fn new(gpu: &Arc<Gpu>) -> Self {
        Self { gpu: gpu.clone(), pipelines: PipelineCache::default(), ahead: None }
    }

    pub fn get(&self, kinds: u32, variant: Variant) -> Result<ComputePipeline> {
        self.pipelines.get((kinds, variant), |_| make(&self.gpu, kinds, variant))
    }

    pub fn make_ahead(&mut self, kinds: u32, variant: Variant) {
        let either = [(kinds, variant), (kinds & !LAMPS, variant)];
        if kinds & LAMPS == 0 || self.pipelines.is_empty() {
            return;
        }
        let Some(key) = either.into_iter().find(|key| !self.pipelines.contains(key)) else { return };
        self.make_one_ahead(key);
    }

    pub fn make_one_ahead(&mut self, key: (u32, Variant)) {
        if self.pipelines.contains(&key)
            || self.ahead.as_ref().is_some_and(|(last, ahead)| *last == key || ahead.is_running())
        {
            return;
        }
        let gpu = self.gpu.clone();
        let make = move |key: &(u32, Variant)| make(&gpu, key.0, key.1);
        self.ahead = Some((key, self.pipelines.make_ahead("shading pipelines", vec![key], make)));
    }
}

fn make(gpu: &Arc<Gpu>, kinds: u32, variant: Variant) -> Result<ComputePipeline> {
    let pipeline = match variant {
        Variant::All { texels } => {
            let shader = if texels { "shade/shade.comp:light_texels" } else { "shade/shade.comp:light" };
            ComputePipeline::new(gpu, shader, &[("KINDS", kinds)])?
        }
        Variant::View { is_of_light } => {
            let constants = [("KINDS", kinds), ("IN_LIGHT", u32::from(is_of_light))];
            ComputePipeline::new(gpu, "shade/shade.comp:view", &constants)?
        }
        Variant::Kind(only) => ComputePipeline::new(gpu, "shade/shade.comp:kind", &[("KINDS", kinds), ("ONLY", only)])?,
    };
    let pipeline = pipeline.with_struct::<SceneBlock>("scene")?.with_struct::<ChoicesBlock>("choices")?;
    if let Variant::Kind(_) | Variant::All { texels: true } = variant {
        return Ok(pipeline);
    }
    let pipeline = pipeline
        .with_struct::<Vertex>("Vertices")?
        .with_struct::<Meshlet>("Meshlets")?
        .with_struct::<Instance>("Instances")?
        .with_struct::<MeshletInstance>("MeshletInstances")?
        .with_struct::<Material>("Materials")?;
    if kinds >> MaterialKind::Textured as u32 & 1 != 0 {
        pipeline.with_struct::<Texture>("Textures")
    } else {
        Ok(pipeline)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gpu::Options;
    use lab::TestBench;

    const ALL: Variant = Variant::All { texels: false };

    #[test]
    fn the_evening_is_made_ahead() {
        let bench = TestBench::new(&Options::default()).unwrap();
        let mut shaders = Shaders::new(bench.gpu());
        let (evening, day) = (1 | LAMPS, 1);
        shaders.make_ahead(evening, ALL);
        assert!(shaders.ahead.is_none(), "the first one is made by who needs it");
        shaders.get(day, ALL).unwrap();
        shaders.make_ahead(evening, ALL);
        shaders.ahead.take().unwrap().1.finish();
        assert!(shaders.pipelines.contains(&(evening, ALL)));
        shaders.make_ahead(evening, ALL);
        assert!(shaders.ahead.is_none(), "both are there");
        shaders.make_ahead(2, ALL);
        assert!(shaders.ahead.is_none(), "without lamps there is one only");
    }
}
