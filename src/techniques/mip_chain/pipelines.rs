//! Pipelines of the chain, made at their first use: methods, formats, filters and subgroup sizes multiply.

use super::{pixel::ChainFormat, settings::MipChainSettings, tier::Filter};
use gpu::{ComputePipeline, Feature, Gpu, GpuStruct, PipelineCache, Result};
use std::sync::Arc;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Recipe {
    pub shader: String,
    pub constants: Vec<(&'static str, u32)>,
    pub subgroup: Option<u32>,
}

pub(super) struct Pipelines {
    gpu: Arc<Gpu>,
    cache: PipelineCache<Recipe>,
}

impl Pipelines {
    pub fn new(gpu: &Arc<Gpu>) -> Self {
        Self { gpu: gpu.clone(), cache: PipelineCache::default() }
    }

    pub fn gpu(&self) -> &Arc<Gpu> {
        &self.gpu
    }

    pub fn get(&self, recipe: Recipe) -> Result<ComputePipeline> {
        self.find(recipe, Ok)
    }

    pub fn pushing<P: GpuStruct>(&self, recipe: Recipe) -> Result<ComputePipeline> {
        self.find(recipe, ComputePipeline::with_push::<P>)
    }

    fn find(
        &self,
        recipe: Recipe,
        check: impl FnOnce(ComputePipeline) -> Result<ComputePipeline>,
    ) -> Result<ComputePipeline> {
        self.cache.get(recipe, |Recipe { shader, constants, subgroup }| {
            check(match subgroup {
                Some(size) => ComputePipeline::with_subgroup(&self.gpu, shader, constants, *size)?,
                None => ComputePipeline::new(&self.gpu, shader, constants)?,
            })
        })
    }
}

const THREADS: u32 = 256;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lanes {
    /// 0: without subgroup operations.
    pub shuffles: u32,
    pub size: Option<u32>,
}

impl Lanes {
    pub fn of(gpu: &Gpu, settings: &MipChainSettings) -> Self {
        let subgroup = gpu.info().subgroup;
        let shuffles = match subgroup.size {
            _ if !settings.shuffles || !gpu.has(Feature::SubgroupShuffle) => 0,
            size if size.saturating_mul(subgroup.most) < THREADS => 0,
            0..4 => 0,
            4..16 => 1,
            16..64 => 2,
            _ => 3,
        };
        Self { shuffles, size: (shuffles > 0).then_some(subgroup.size) }
    }

    pub fn suffix(self) -> &'static str {
        if self.shuffles == 0 { "_plain" } else { "" }
    }
}

pub(super) fn constants(format: ChainFormat, filter: Filter) -> Vec<(&'static str, u32)> {
    let mut constants = format.constants();
    constants.push(("FILTER", filter.constant()));
    constants
}

/// Software drivers filter 8-bit texels in 8 bits. Beyond 4096 texels a coordinate is too coarse, except for powers of
/// two: an H200 is right to 4096, and off by 1.05 of an 8-bit step from 4288 on.
pub(super) fn hardware_filter(gpu: &Gpu, settings: &MipChainSettings, format: ChainFormat, size: [u32; 2]) -> u32 {
    u32::from(
        settings.hardware_filter
            && size.iter().all(|n| *n <= 4096 || n.is_power_of_two())
            && !gpu.policy().runs_on_cpu
            && !matches!(format, ChainFormat::R32F | ChainFormat::Srgb8),
    )
}
