//! Passes of the views.

use super::{builder::ChainBuilder, strips};
use crate::{
    plan,
    settings::{Method, MipChainSettings},
};
use gpu::{
    ComputePipeline, Format, Frame, Gpu, Image, ImageDesc, ImageSlot, ImageView, Result, Sampler, Use, gpu_struct,
};
use std::sync::{Arc, Mutex, PoisonError};

gpu_struct! {
    struct TilesPush { side: [i32; 2], before: [i32; 2], after: [i32; 2] }
}

pub struct Views {
    level: ComputePipeline,
    tiles: ComputePipeline,
    area: ComputePipeline,
    difference: ComputePipeline,
    mean: Mutex<ImageSlot>,
}

impl Views {
    pub fn new(gpu: &Arc<Gpu>) -> Result<Self> {
        let pipeline = |name: &str| ComputePipeline::new(gpu, &format!("mip_chain/{name}.comp"), &[]);
        Ok(Self {
            level: pipeline("view_level")?,
            tiles: pipeline("view_tiles")?.with_push::<TilesPush>()?,
            area: pipeline("area")?,
            difference: pipeline("view_difference")?,
            mean: Mutex::default(),
        })
    }

    fn mean(&self, gpu: &Arc<Gpu>, size: [u32; 2]) -> Result<Image> {
        let desc = ImageDesc::new("area means", size, Format::Rgba16F, &[Use::Sample, Use::Storage]);
        self.mean.lock().unwrap_or_else(PoisonError::into_inner).fit(gpu, desc)
    }

    /// Encoded, as large as the chain. An unknown name shows the level.
    pub fn draw(
        &self,
        frame: &mut Frame,
        builder: &ChainBuilder,
        name: &str,
        settings: &MipChainSettings,
        chain: &Image,
        picture: &ImageView,
    ) -> Result<()> {
        let shown = settings.view_level.min(settings.levels.saturating_sub(1));
        let level = chain.mip(shown).through(Sampler::NearestClamp);
        let size = picture.size();
        match name {
            "tiles" => {
                let (side, [before, after]) = tile_of(builder, settings, chain);
                let both = |n: u32| [n as i32; 2];
                let push = TilesPush { side: side.map(|n| n as i32), before: both(before), after: both(after) };
                let pass = frame.compute("mip_chain/view", &self.tiles).push(&push);
                pass.bind("chain", chain.mip(0).through(Sampler::NearestClamp)).bind("picture", picture).dispatch(size)
            }
            "difference" => {
                let mean = self.mean(frame.gpu(), level.size())?;
                let top = chain.mip(0).through(Sampler::NearestClamp);
                let pass = frame.compute("mip_chain/area", &self.area).bind("top", top);
                pass.bind("mean", &mean).dispatch(level.size())?;
                let mean = mean.mip(0).through(Sampler::NearestClamp);
                let pass = frame.compute("mip_chain/view", &self.difference).bind("level", level);
                pass.bind("mean", mean).bind("picture", picture).dispatch(size)
            }
            _ => {
                let pass = frame.compute("mip_chain/view", &self.level).bind("level", level);
                pass.bind("picture", picture).dispatch(size)
            }
        }
    }
}

/// And what it reads before and after it.
fn tile_of(builder: &ChainBuilder, settings: &MipChainSettings, chain: &Image) -> ([u32; 2], [u32; 2]) {
    let (size, filter) = (chain.size(), settings.filter);
    match builder.method_for(settings, chain) {
        Method::SinglePass => {
            let plan = plan::plan(size, settings.levels.min(chain.mips()), filter, None);
            let none = ([plan::TILE; 2], [0; 2]);
            plan.tiers.first().map_or(none, |first| (first.stride(), plan::halo_at(filter, first, size)))
        }
        Method::Strips => {
            let tiers = strips::tiers(size, settings.levels.min(chain.mips()), filter, None);
            let none = ([64, 32], [0; 2]);
            tiers.first().map_or(none, |first| (first.stride(), plan::halo_at(filter, first, size)))
        }
        Method::Ladder => {
            let depth = settings.levels_per_dispatch.min(chain.mips().saturating_sub(1)).max(1);
            let first = plan::tier(0, depth, [1; 2]);
            ([(1 << depth).max(32); 2], plan::halo_at(filter, &first, size))
        }
        _ => ([32, 16], plan::halo(filter, 1)),
    }
}
