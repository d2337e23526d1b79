//! Mip chain and tables that downsampling reads.

use downsample::{ChainSource, lab::MethodInputs};
use gpu::{Frame, Gpu, Image, ImageView, Result};
use mip_chain::{Filter, MipChain, MipChainSettings};
use std::sync::Arc;
use summed_area::{SummedArea, SummedAreaSettings};
use technique::{Sums, SumsRequest, Technique as _};

pub struct DownsampleInputs {
    technique: MipChain,
    chain: Image,
    filter: Filter,
    tables: SummedArea,
}

impl DownsampleInputs {
    pub fn new(gpu: &Arc<Gpu>, size: [u32; 2], filter: Filter) -> Result<Self> {
        let (technique, tables) = (MipChain::new(gpu)?, SummedArea::new(gpu)?);
        Ok(Self { technique, chain: mip_chain::chain_for(gpu, "measured chain", size, 16)?, filter, tables })
    }
}

impl MethodInputs for DownsampleInputs {
    fn chain(&mut self, frame: &mut Frame, picture: &ImageView) -> Result<ChainSource> {
        let settings = MipChainSettings { filter: self.filter, ..Default::default() };
        self.technique.record(frame, &settings, picture, &self.chain)?;
        Ok(ChainSource { chain: self.chain.clone(), is_tent: self.filter == Filter::Tent })
    }

    fn sums(&mut self, frame: &mut Frame, wanted: SumsRequest) -> Result<Option<Sums>> {
        self.tables.sums(frame, &SummedAreaSettings::default(), wanted)
    }
}
