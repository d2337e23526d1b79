//! Compute mip chain: the blur source of the glass, in linear light.

mod bench;
mod oracle;

use super::{Legend, Technique, ViewInfo};
use crate::{
    gpu::{ComputePipeline, Format, Frame, Gpu, Image, ImageDesc, Result, Sampler, Use, View, full_chain},
    lab::{Bench, Check},
};
use std::sync::Arc;

crate::choices! {
    /// How the levels are made.
    pub enum Method {
        /// One compute dispatch for each level.
        PerLevel = "per_level",
        /// One vkCmdBlitImage for each level: the driver's 2x2 filter, as a rival.
        Blit = "blit",
    }
}

crate::settings! {
    /// Ever smaller copies of the picture in linear light, each made from the one before it.
    pub struct MipChainSettings {
        /// How the levels are made.
        method: Method = Method::PerLevel, choice;
        /// Make the chain in every frame, even where the picture has not changed: for steady timings.
        every_frame: bool = false;
        /// The level that the view shows.
        view_level: u32 = 3, range(0, 14);
    }
}

/// See the module.
pub struct MipChain {
    gpu: Arc<Gpu>,
    linear: ComputePipeline,
    tent: ComputePipeline,
    view: ComputePipeline,
}

impl Technique for MipChain {
    const ID: &'static str = "mip_chain";
    const TITLE: &'static str = "Mip chain";
    const DOC: &'static str = include_str!("../../../docs/mip_chain.md");
    const VIEWS: &'static [ViewInfo] = &[ViewInfo {
        name: "level",
        title: "Level",
        doc: "One level of the chain over the whole picture, its texels as squares; mip_chain.view_level chooses it.",
        legend: Legend::None,
    }];
    type Settings = MipChainSettings;

    fn new(gpu: &Arc<Gpu>) -> Result<Self> {
        let pipeline = |name| ComputePipeline::new(gpu, name, &[]);
        Ok(Self {
            gpu: gpu.clone(),
            linear: pipeline("mip_chain/linear.comp")?,
            tent: pipeline("mip_chain/tent.comp")?,
            view: pipeline("mip_chain/view_level.comp")?,
        })
    }

    fn checks() -> Vec<Check> {
        vec![Check::of::<oracle::Tent>()]
    }

    fn benches() -> Vec<Bench> {
        vec![bench::BENCH]
    }
}

/// A full chain for a picture of this size: RGBA16F in linear light, level 0 as large as the picture.
///
/// # Errors
/// What the GPU floor says.
pub fn chain_for(gpu: &Arc<Gpu>, name: &str, size: [u32; 2]) -> Result<Image> {
    let desc = ImageDesc::new(name, size, Format::Rgba16F, &[Use::Sample, Use::Storage]);
    Image::new(gpu, desc.mips(full_chain(size)))
}

impl MipChain {
    /// Fills `chain` (from [`chain_for`]) with the picture and its levels. `picture` holds sRGB-encoded values and can
    /// be seen through its sRGB format.
    ///
    /// # Errors
    /// What the GPU floor says.
    pub fn record(&self, frame: &mut Frame, settings: &MipChainSettings, picture: &View, chain: &Image) -> Result<()> {
        let decoded = picture.clone().as_format(picture.format().decoding()).through(Sampler::NearestClamp);
        let top = chain.mip(0);
        let pass = frame.compute("mip_chain/linear", &self.linear).bind("picture", decoded).bind("level", &top);
        pass.dispatch(top.size())?;
        for level in 1..chain.mips() {
            let (above, below) = (chain.mip(level - 1), chain.mip(level));
            let name = format!("mip_chain/level {level}");
            match settings.method {
                Method::PerLevel => {
                    let pass = frame.compute(name, &self.tent).bind("above", above).bind("level", &below);
                    pass.dispatch(below.size())?;
                }
                Method::Blit => frame.blit(&name, &above, &below)?,
            }
        }
        Ok(())
    }

    /// The picture of a view, encoded, as large as the chain.
    ///
    /// # Errors
    /// What the GPU floor says.
    pub fn view(&self, frame: &mut Frame, settings: &MipChainSettings, chain: &Image, picture: &View) -> Result<()> {
        let level = chain.mip(settings.view_level).through(Sampler::NearestClamp);
        let pass = frame.compute("mip_chain/view", &self.view).bind("level", level).bind("picture", picture);
        pass.dispatch(picture.size())
    }

    /// The device.
    #[must_use]
    pub fn gpu(&self) -> &Arc<Gpu> {
        &self.gpu
    }
}
