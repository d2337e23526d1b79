//! Compute mip chain: the blur source of the glass, in linear light.

mod bench;
mod bound;
mod cascade;
mod checks;
mod comparison;
mod partial_update;
mod pipelines;
mod pixel;
mod plan;
mod reference;
mod repeats;
mod shape;
mod single_pass;
mod step;
mod strips;
mod texels;
mod tier;
mod variants;
mod view_checks;
mod views;

pub use pixel::ChainFormat;
pub use tier::Filter;

use super::{
    COLOURS, FrameContext, Measures, Output, OutputInfo, READ_BEYOND, Stage, Technique, ViewInfo, output::numbered,
};
use crate::{
    base::{array::Element, timing::FrameTiming},
    gpu::{Format, Frame, Gpu, Image, ImageDesc, ImageView, Result, Sampler, Use, full_chain},
    lab::{Bench, Card, Check, Comparison},
};
use pipelines::{Pipelines, Recipe};
use single_pass::{ChainRequest, SinglePass};
use std::sync::Arc;

crate::choices! {
    /// How the levels are made.
    pub enum Method {
        /// The quickest for what is asked for: strips by the tent, and for large odd sizes in half floats, else the single pass; on
        /// software drivers one draw or dispatch per level.
        Auto = "auto",
        /// Two levels from the picture, axis by axis, then up to three in a second dispatch, or many by a single pass.
        Strips = "strips",
        /// All levels in one dispatch: the last workgroup to finish continues with the small levels.
        SinglePass = "single_pass",
        /// Several levels per dispatch (mip_chain.levels_per_dispatch), as in the source article.
        Ladder = "ladder",
        /// One compute dispatch per level.
        PerLevel = "per_level",
        /// One vkCmdBlitImage per level, with the driver's own filter, for comparison.
        Blit = "blit" as "Blits",
        /// One draw per level: the fallback where shaders cannot write a format.
        Raster = "raster",
    }
}

crate::settings! {
    /// Successively halved copies of the picture, in linear light.
    pub struct MipChainSettings {
        /// How the levels are made. On software drivers one draw per level replaces the single pass.
        method: Method = Method::Auto, choice;
        /// Filter from one level to the next (not used by blits).
        filter: Filter = Filter::Tent, choice, when "method=auto|strips|single_pass|ladder|per_level|raster";
        /// Levels per dispatch of the ladder.
        levels_per_dispatch: u32 = 5, range(1, 6), when "method=ladder";
        /// Texel format of the measured chain; the chain that the glass reads is always rgba16f.
        format: ChainFormat = ChainFormat::Rgba16F, choice, label "Measured format";
        /// Maximum number of levels, including the picture itself.
        levels: u32 = 16, range(1, 16), label "Max. levels";
        /// Level shown by the views.
        view_level: u32 = 3, range(0, 14), label "Level", view "level|difference";
    } internal {
        /// Exchange values within a subgroup by shuffles; off uses shared memory only.
        shuffles: bool = true;
        /// Let the texture sampler average texels where its weights are exact (never on software drivers).
        hardware_filter: bool = true;
    }
}

/// The mip chain technique.
pub struct MipChain {
    gpu: Arc<Gpu>,
    pipelines: Pipelines,
    single_pass: SinglePass,
    draws: step::Draws,
    near: partial_update::Near,
    views: views::Views,
    judge: comparison::MethodComparison,
}

impl Technique for MipChain {
    const ID: &'static str = "mip_chain";
    const TITLE: &'static str = "Mip chain";
    const DOC: &'static str = include_str!("../../../docs/mip_chain.md");
    const STAGE: Stage = Stage::Picture;
    const VIEWS: &'static [ViewInfo] = views::VIEWS;
    const OUTPUTS: &'static [OutputInfo] = &[OutputInfo {
        name: "level N",
        doc: "Level N of the chain of the picture under the glass, linear light, opaque; level 0 is as large as the picture.",
        elements: &[Element::F16],
        shape: COLOURS,
        needs: "a level that the chain has: N less than mip_chain.levels, and none after that of one pixel",
    }];
    const MEASURES: Option<Measures> = Some(Measures {
        label: "Compare methods",
        doc: "Every method on this picture: time, ratio to the fastest possible copy, error, bytes.",
        chooses: "method",
    });
    type Settings = MipChainSettings;

    fn new(gpu: &Arc<Gpu>) -> Result<Self> {
        Ok(Self {
            gpu: gpu.clone(),
            pipelines: Pipelines::new(gpu),
            single_pass: SinglePass::default(),
            draws: step::Draws::default(),
            near: partial_update::Near::default(),
            views: views::Views::new(gpu)?,
            judge: comparison::MethodComparison::new(gpu)?,
        })
    }

    fn draw_view(
        &mut self,
        frame: &mut Frame,
        name: &str,
        settings: &Self::Settings,
        context: &FrameContext,
        picture: &ImageView,
    ) -> Result<bool> {
        self.view(frame, name, settings, &context.chain, picture)?;
        Ok(true)
    }

    fn output(&self, name: &str, context: &FrameContext) -> Option<Output> {
        let level = numbered(name, "level").filter(|level| *level < context.chain.mips())?;
        Some(context.chain.mip(level).into())
    }

    fn on_timing(&mut self, timing: &FrameTiming) -> Result<()> {
        self.judge.on_timing(timing)
    }

    fn wants_frame(&self) -> bool {
        self.judge.is_pending()
    }

    fn comparison(&mut self) -> Option<&mut Comparison> {
        Some(&mut self.judge.comparison)
    }

    fn card(&self) -> Card {
        self.judge.card()
    }

    fn checks() -> Vec<Check> {
        checks::checks()
    }

    fn benches() -> Vec<Bench> {
        vec![bench::BENCH]
    }
}

/// A chain for a picture of this size: RGBA16F in linear light, level 0 as large as the picture, at most `levels` levels.
pub fn chain_for(gpu: &Arc<Gpu>, name: &str, size: [u32; 2], levels: u32) -> Result<Image> {
    let uses: &[Use] = if partial_update::draws(gpu) { &[Use::Color] } else { &[] };
    chain_of(gpu, name, size, ChainFormat::Rgba16F, levels.clamp(1, full_chain(size)), uses)
}

/// A chain of another format or of fewer levels; `uses` beside sampling and storage.
pub fn chain_of(
    gpu: &Arc<Gpu>,
    name: &str,
    size: [u32; 2],
    format: ChainFormat,
    levels: u32,
    uses: &[Use],
) -> Result<Image> {
    let all: Vec<_> = [Use::Sample, Use::Storage].iter().chain(uses).copied().collect();
    let mut desc = ImageDesc::new(name, size, format.image(), &all).mips(levels);
    if format.stored() != format.image() {
        desc = desc.aliases(if format.is_srgb() { &[Format::R32U, Format::Rgba8] } else { &[Format::R32U] });
    }
    Image::new(gpu, desc)
}

/// A picture of sRGB-encoded values as the shaders of a format read it: decoded by the hardware, or by themselves.
fn linear_view(picture: &ImageView, format: ChainFormat) -> ImageView {
    let decoded = picture.clone().as_format(picture.format().decoding());
    single_pass::read(&decoded, format).through(Sampler::NearestClamp)
}

impl MipChain {
    /// Fills `chain` (from [`chain_for`] or [`chain_of`]) with the picture and its levels. `picture` holds sRGB-encoded
    /// values and can be seen through its sRGB format. On a software driver a dispatch for each level replaces the
    /// single pass, whose barriers and code cost it twenty times as much (docs/measured/mip_chain.md).
    pub fn record(
        &self,
        frame: &mut Frame,
        settings: &MipChainSettings,
        picture: &ImageView,
        chain: &Image,
    ) -> Result<()> {
        if self.gpu.policy().mips_by_level && settings.method == Method::SinglePass {
            let settings = MipChainSettings { method: Method::PerLevel, ..settings.clone() };
            return self.record_part(frame, &settings, picture, chain, None);
        }
        self.record_part(frame, settings, picture, chain, None)
    }

    /// The same for readers of only `part` of level 0 (left, top, right, bottom; pixels, where it goes over a border mirrored there) and
    /// what is over it, to within [`READ_BEYOND`] texels of each level. Only a software driver leaves the rest out: the levels are drawn
    /// there. Whether it did.
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
        self.near.record(&self.gpu, frame, settings.filter, &decoded, (chain, levels), part)?;
        Ok(part.is_some())
    }

    /// The same where only a part of the picture (left, top, right, bottom; pixels) has to be correct: a single pass and
    /// strips then make only the tiles that it needs, the other methods make all.
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
            // The picture itself is the source: level 0 is written on the way and never read.
            let ask = ChainRequest { source: decoded, base: 0, chain, format, levels, top: true, part };
            return self.record_ask(frame, settings, method, &ask);
        }
        let top = chain.mip(0);
        let shader = format!("mip_chain/linear.comp:{}", format.variant());
        let linear = self.pipelines.get(Recipe { shader, constants: format.constants(), subgroup: None })?;
        let pass = frame.compute("mip_chain/linear", &linear).bind("picture", decoded);
        pass.bind("level", top.clone().as_format(format.stored())).dispatch(top.size())?;
        self.levels(frame, settings, chain, None)
    }

    /// Makes levels `1..settings.levels` of a chain whose level 0 is there.
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
                let ask = ChainRequest { source: chain.mip(0), base: 0, chain, format, levels, top: false, part };
                self.record_ask(frame, settings, method, &ask)
            }
            Method::Ladder => cascade::record(&self.pipelines, frame, settings, chain, format, levels),
            Method::PerLevel => step::dispatch(&self.pipelines, frame, settings.filter, chain, format, levels),
            Method::Raster => self.draws.draw(&self.gpu, frame, settings.filter, chain, levels),
            Method::Blit => step::blit(frame, chain, levels),
        }
    }

    fn record_ask(
        &self,
        frame: &mut Frame,
        settings: &MipChainSettings,
        method: Method,
        ask: &ChainRequest<'_>,
    ) -> Result<()> {
        match method {
            Method::Strips => strips::record((&self.pipelines, &self.single_pass), frame, settings, ask),
            _ => self.single_pass.record(&self.pipelines, frame, settings, ask),
        }
    }

    /// The method that this device uses for this image, if these settings are requested: a format that shaders cannot write is
    /// drawn, else blitted.
    #[must_use]
    pub fn method_for(&self, settings: &MipChainSettings, chain: &Image) -> Method {
        let written = ChainFormat::of(chain.format()).is_some_and(|format| format.can_write(chain));
        let by_strips = strips::is_quicker(chain.size(), self.format_of(chain), settings.filter);
        let wanted = match settings.method {
            Method::Auto if self.gpu.policy().mips_by_level => Method::PerLevel,
            Method::Auto if by_strips => Method::Strips,
            Method::Auto => Method::SinglePass,
            method => method,
        };
        match wanted {
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

    /// The settings with the method that this device uses for this image.
    #[must_use]
    fn as_made(&self, settings: &MipChainSettings, chain: &Image) -> MipChainSettings {
        MipChainSettings { method: self.method_for(settings, chain), ..settings.clone() }
    }

    fn format_of(&self, chain: &Image) -> ChainFormat {
        ChainFormat::of(chain.format()).unwrap_or(ChainFormat::Rgba16F)
    }

    /// The device.
    #[must_use]
    pub fn gpu(&self) -> &Arc<Gpu> {
        &self.gpu
    }
}
