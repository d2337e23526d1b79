//! Construction of chains by each method, and the method that a device uses.

use super::{
    cascade,
    partial_update::{self, PartialUpdate},
    single_pass::{self, ChainRequest, SinglePass},
    step::{self, LevelDraws},
    strips,
};
use crate::{
    images::linear_view,
    pipelines::{Pipelines, Recipe},
    pixel::ChainFormat,
    settings::{Method, MipChainSettings},
};
use gpu::{Frame, Gpu, Image, ImageView, Result, Use};
use std::sync::Arc;

pub struct ChainBuilder {
    gpu: Arc<Gpu>,
    pub pipelines: Pipelines,
    single_pass: SinglePass,
    draws: LevelDraws,
    partial_update: PartialUpdate,
}

impl ChainBuilder {
    pub fn new(gpu: &Arc<Gpu>) -> Self {
        Self {
            gpu: gpu.clone(),
            pipelines: Pipelines::new(gpu),
            single_pass: SinglePass::default(),
            draws: LevelDraws::default(),
            partial_update: PartialUpdate::default(),
        }
    }

    /// A software driver has a dispatch for each level instead of the single pass, which costs it twenty times as much
    /// (docs/measured/mip_chain.md).
    pub fn record(
        &self,
        frame: &mut Frame,
        settings: &MipChainSettings,
        picture: &ImageView,
        chain: &Image,
    ) -> Result<()> {
        if self.gpu.policy().runs_on_cpu && settings.method == Method::SinglePass {
            let settings = MipChainSettings { method: Method::PerLevel, ..settings.clone() };
            return self.record_part(frame, &settings, picture, chain, None);
        }
        self.record_part(frame, settings, picture, chain, None)
    }

    /// For readers of only `part`, where levels are drawn. Returns whether the rest was left out.
    pub fn record_near(
        &self,
        frame: &mut Frame,
        settings: &MipChainSettings,
        picture: &ImageView,
        chain: &Image,
        part: Option<[i32; 4]>,
    ) -> Result<bool> {
        let by_itself = matches!(settings.method, Method::Auto | Method::SinglePass);
        let is_drawn = by_itself && partial_update::draws(&self.gpu) && chain.is_for(Use::Color);
        if !is_drawn || self.format_of(chain) != ChainFormat::Rgba16F {
            return self.record(frame, settings, picture, chain).map(|()| false);
        }
        let levels = settings.levels.min(chain.mips());
        let decoded = linear_view(picture, ChainFormat::Rgba16F);
        self.partial_update.record(&self.gpu, frame, settings.filter, &decoded, (chain, levels), part)?;
        Ok(part.is_some())
    }

    /// Only `part` (left, top, right, bottom; pixels) has to be correct.
    pub fn record_part(
        &self,
        frame: &mut Frame,
        settings: &MipChainSettings,
        picture: &ImageView,
        chain: &Image,
        part: Option<[u32; 4]>,
    ) -> Result<()> {
        let format = self.format_of(chain);
        let decoded = linear_view(picture, format);
        let levels = settings.levels.min(chain.mips());
        let method = self.method_for(settings, chain);
        if matches!(method, Method::SinglePass | Method::Strips) && levels > 1 {
            let request = ChainRequest { source: decoded, base: 0, chain, format, levels, top: true, part };
            return self.record_request(frame, settings, method, &request);
        }
        self.decode(frame, picture, chain)?;
        self.levels(frame, settings, chain, None)
    }

    /// Level 0 alone.
    pub fn decode(&self, frame: &mut Frame, picture: &ImageView, chain: &Image) -> Result<()> {
        let (top, format) = (chain.mip(0), self.format_of(chain));
        let shader = format!("mip_chain/linear.comp:{}", format.variant());
        let linear = self.pipelines.get(Recipe { shader, constants: format.constants(), subgroup: None })?;
        let pass = frame.compute("mip_chain/linear", &linear).bind("picture", linear_view(picture, format));
        pass.bind("level", top.clone().as_format(format.stored())).dispatch(top.size())
    }

    pub fn levels(
        &self,
        frame: &mut Frame,
        settings: &MipChainSettings,
        chain: &Image,
        part: Option<[u32; 4]>,
    ) -> Result<()> {
        let (format, levels) = (self.format_of(chain), settings.levels.min(chain.mips()));
        match self.method_for(settings, chain) {
            method @ (Method::Auto | Method::SinglePass | Method::Strips) => {
                let request = ChainRequest { source: chain.mip(0), base: 0, chain, format, levels, top: false, part };
                self.record_request(frame, settings, method, &request)
            }
            Method::Ladder => cascade::record(&self.pipelines, frame, settings, chain, format, levels),
            Method::PerLevel => step::dispatch(&self.pipelines, frame, settings.filter, chain, format, levels),
            Method::Raster => self.draws.draw(&self.gpu, frame, settings.filter, chain, levels),
            Method::Blit => step::blit(frame, chain, levels),
        }
    }

    fn record_request(
        &self,
        frame: &mut Frame,
        settings: &MipChainSettings,
        method: Method,
        request: &ChainRequest<'_>,
    ) -> Result<()> {
        match method {
            Method::Strips => strips::record(&self.pipelines, &self.single_pass, frame, settings, request),
            _ => self.single_pass.record(&self.pipelines, frame, settings, request),
        }
    }

    pub fn method_for(&self, settings: &MipChainSettings, chain: &Image) -> Method {
        let written = ChainFormat::of(chain.format()).is_some_and(|format| format.can_write(chain));
        let by_strips = strips::is_quicker(chain.size(), self.format_of(chain), settings.filter);
        let preferred = match settings.method {
            Method::Auto if self.gpu.policy().runs_on_cpu => Method::PerLevel,
            Method::Auto if by_strips => Method::Strips,
            Method::Auto => Method::SinglePass,
            method => method,
        };
        match preferred {
            Method::Blit => Method::Blit,
            Method::Raster if chain.is_for(Use::Color) => Method::Raster,
            Method::SinglePass if written && single_pass::is_possible(&self.gpu, chain.size()) => Method::SinglePass,
            Method::SinglePass | Method::Raster if written => Method::PerLevel,
            Method::Ladder | Method::Strips if written && single_pass::is_faulty(&self.gpu) => Method::PerLevel,
            other if written => other,
            _ if chain.is_for(Use::Color) => Method::Raster,
            _ => Method::Blit,
        }
    }

    pub fn effective_settings(&self, settings: &MipChainSettings, chain: &Image) -> MipChainSettings {
        MipChainSettings { method: self.method_for(settings, chain), ..settings.clone() }
    }

    pub fn format_of(&self, chain: &Image) -> ChainFormat {
        ChainFormat::of(chain.format()).unwrap_or(ChainFormat::Rgba16F)
    }
}
