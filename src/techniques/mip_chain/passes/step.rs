//! Step method: one pass for each level, by compute shader, drawn, or blitted by the driver.

use super::single_pass::read;
use crate::{
    pipelines::{Pipelines, Recipe, constants},
    pixel::ChainFormat,
    tier::Filter,
};
use gpu::{Format, Frame, Gpu, Image, ImageView, PipelineCache, RasterDesc, RasterPipeline, Result, Sampler};
use std::sync::Arc;

fn levels_of(chain: &Image, levels: u32) -> impl Iterator<Item = (String, ImageView, ImageView)> {
    let pair = |level: u32| (format!("mip_chain/level {level}"), chain.mip(level - 1), chain.mip(level));
    (1..levels.min(chain.mips())).map(pair)
}

pub fn dispatch(
    pipelines: &Pipelines,
    frame: &mut Frame,
    filter: Filter,
    chain: &Image,
    format: ChainFormat,
    levels: u32,
) -> Result<()> {
    let shader = format!("mip_chain/level.comp:{}", format.variant());
    for (name, above, below) in levels_of(chain, levels) {
        let [width, height] = above.size();
        let mut constants = constants(format, filter);
        constants.extend([("ODD_COLUMNS", width & 1), ("ODD_ROWS", height & 1)]);
        let pipeline = pipelines.get(Recipe { shader: shader.clone(), constants, subgroup: None })?;
        let pass = frame.compute(name, &pipeline).bind("above", read(&above, format).through(Sampler::NearestClamp));
        let size = below.size();
        pass.bind("level", below.as_format(format.stored())).dispatch(size)?;
    }
    Ok(())
}

#[derive(Default)]
pub struct LevelDraws {
    pipelines: PipelineCache<(Format, Filter), RasterPipeline>,
}

impl LevelDraws {
    fn get(&self, gpu: &Arc<Gpu>, format: Format, filter: Filter) -> Result<RasterPipeline> {
        self.pipelines.get((format, filter), |_| {
            let desc = RasterDesc {
                shaders: vec!["include/screen.vert".into(), "mip_chain/level.frag".into()],
                color: vec![format],
                constants: vec![("FILTER".into(), filter.constant())],
                ..Default::default()
            };
            RasterPipeline::new(gpu, desc)
        })
    }

    pub fn draw(&self, gpu: &Arc<Gpu>, frame: &mut Frame, filter: Filter, chain: &Image, levels: u32) -> Result<()> {
        let pipeline = self.get(gpu, chain.format(), filter)?;
        for (name, above, below) in levels_of(chain, levels) {
            let draw = pipeline.draw(3).bind("above", above.through(Sampler::NearestClamp));
            frame.raster(name).color(&below, None).draw(draw).finish()?;
        }
        Ok(())
    }
}

pub fn blit(frame: &mut Frame, chain: &Image, levels: u32) -> Result<()> {
    levels_of(chain, levels).try_for_each(|(name, above, below)| frame.blit(&name, &above, &below))
}
