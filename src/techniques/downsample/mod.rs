//! Downsampling laboratory: the picture reduced by every available method.

mod bench;
mod bound;
mod checks;
mod comparison;
mod figures;
mod passes;
mod plan;
mod quality;
mod reference;
#[cfg(test)]
mod reference_tests;
mod view_checks;
mod views;
mod zone_plate;

pub use comparison::{MOST_DB, light_name};
pub use figures::{Figures, Material, MethodInputs, Timing, Trial};
pub use passes::{ChainSource, DownsampleInput};
pub use quality::Quality;

use super::{COLOURS, FrameContext, Measures, Output, OutputInfo, Stage, SumsRequest, Technique, ViewInfo};
use crate::{
    base::array::Element,
    gpu::{Frame, Gpu, Image, ImageView, Result},
    lab::{Bench, Card, Check, Comparison},
};
use passes::Passes;
use std::sync::Arc;

crate::choices! {
    /// How the picture is made smaller.
    pub enum Method {
        /// The pixel nearest to the middle of each result pixel.
        Nearest = "nearest",
        /// Linear between the four pixels nearest to the middle; at ratios above 2 it skips pixels.
        Bilinear = "bilinear",
        /// A spline through the sixteen pixels nearest to the middle; at ratios above 4 it skips pixels.
        Bicubic = "bicubic",
        /// Halved repeatedly by draws, with one framebuffer per level.
        RasterChain = "raster_chain",
        /// Halved repeatedly by vkCmdBlitImage.
        BlitChain = "blit_chain",
        /// Mean of all covered pixels, in a loop of a fragment shader.
        AreaFragment = "area_fragment",
        /// Mean of all covered pixels, in one compute dispatch; groups of threads share the work.
        AreaCompute = "area_compute",
        /// Read from the mip chain of the technique of that name (always in linear light).
        MipChain = "mip_chain",
        /// Mean of all covered pixels, from the summed-area table: the same cost at any ratio.
        Table = "table" as "Summed-area table",
        /// Mitchell-Netravali cubic filter, scaled with the ratio.
        Mitchell = "mitchell",
        /// Catmull-Rom cubic filter, scaled with the ratio.
        CatmullRom = "catmull_rom" as "Catmull-Rom",
        /// Windowed sinc filter with three lobes, scaled with the ratio.
        Lanczos3 = "lanczos3" as "Lanczos 3",
        /// Halved repeatedly with 13 bilinear reads: stable under motion, as used for bloom.
        Tap13 = "tap13" as "13 taps",
        /// Halved repeatedly with 5 bilinear reads: the downward half of the dual Kawase blur.
        Kawase = "kawase",
    }
}

impl Method {
    /// Whether it halves again and again.
    #[must_use]
    pub fn is_chain(self) -> bool {
        matches!(self, Self::RasterChain | Self::BlitChain | Self::Tap13 | Self::Kawase)
    }
}

crate::choices! {
    /// What is averaged.
    pub enum Light {
        /// Linear light, in floats.
        Linear = "linear" as "Linear light",
        /// Encoded values as they are, in bytes, as the source article does.
        Encoded = "encoded" as "Encoded values",
    }
}

crate::choices! {
    /// What is made smaller.
    pub enum Source {
        /// The picture under the glass.
        Picture = "picture" as "Background",
        /// Rings that get finer outwards, down to two pixels: patterns in the result that are finer than it can hold are aliasing.
        ZonePlate = "zone_plate",
    }
}

crate::settings! {
    /// Downsampling by one of many methods; the views show the result, its error, and which pixels were read.
    pub struct DownsampleSettings {
        /// Downsampling method.
        method: Method = Method::AreaCompute, choice;
        /// Number of picture pixels per result pixel, along each side.
        ratio: u32 = 8, range(1, 64), powers_of_two, label "Reduction";
        /// Width and height of the result, instead of the ratio: any size up to the picture's. 0: use the ratio for that side.
        size: [u32; 2] = [0, 0], range(0, 16384), unit "px", label "Result size";
        /// Whether linear light or encoded (sRGB) values are averaged.
        light: Light = Light::Linear, choice, label "Averages";
        /// Picture to downsample.
        source: Source = Source::Picture, choice, label "Input";
    } internal {
        /// Let the texture sampler average pixels where that is exact (never on software drivers).
        hardware_filter: bool = true;
    }
}

/// The downsampling technique.
pub struct Downsample {
    passes: Passes,
    views: views::Views,
    zone_plate: Option<Image>,
    /// Result of the last frame that made one.
    result: Option<ImageView>,
    comparison: comparison::MethodComparison,
}

impl Technique for Downsample {
    const ID: &'static str = "downsample";
    const TITLE: &'static str = "Downsampling";
    const DOC: &'static str = include_str!("../../../docs/downsample.md");
    const STAGE: Stage = Stage::Picture;
    const VIEWS: &'static [ViewInfo] = views::VIEWS;
    const OUTPUTS: &'static [OutputInfo] = &[OutputInfo {
        name: "result",
        doc: "The smaller picture: bytes as they are encoded, or linear light in floats, as downsample.light says.",
        elements: &[Element::U8, Element::F32],
        shape: COLOURS,
        needs: "any picture",
    }];
    const MEASURES: Option<Measures> = Some(Measures {
        label: "Compare methods",
        doc: "Every method on this picture: times, PSNR, SSIM, ringing, brightness, flicker.",
        chooses: "method",
    });
    type Settings = DownsampleSettings;

    fn new(gpu: &Arc<Gpu>) -> Result<Self> {
        Ok(Self {
            passes: Passes::new(gpu),
            views: views::Views::new(gpu),
            zone_plate: None,
            result: None,
            comparison: comparison::MethodComparison::default(),
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
        let input = DownsampleInput::of(context);
        self.view(frame, name, settings, &input, picture)?;
        Ok(true)
    }

    fn output(&self, name: &str, _: &FrameContext) -> Option<Output> {
        self.result.as_ref().filter(|_| name == "result").map(Output::from)
    }

    fn wants_frame(&self) -> bool {
        self.comparison.comparison.is_active()
    }

    fn comparison(&mut self) -> Option<&mut Comparison> {
        Some(&mut self.comparison.comparison)
    }

    fn card(&self) -> Card {
        self.comparison.card()
    }

    fn checks() -> Vec<Check> {
        checks::checks()
    }

    fn benches() -> Vec<Bench> {
        vec![bench::BENCH]
    }
}

impl Downsample {
    /// Copies the picture for a running comparison of the methods; `content` names the picture.
    pub fn compare(
        &mut self,
        frame: &mut Frame,
        settings: &DownsampleSettings,
        content: &str,
        picture: &ImageView,
    ) -> Result<()> {
        self.comparison.record(frame, settings, content, picture)
    }

    /// Measures the next method, between frames, after `frame` has ended; `inputs` makes the inputs for a picture size.
    pub fn compare_next(
        &mut self,
        gpu: &Arc<Gpu>,
        frame: u64,
        inputs: impl FnOnce([u32; 2]) -> Result<Box<dyn MethodInputs>>,
    ) -> Result<()> {
        self.comparison.on_timing(gpu, frame, inputs)
    }

    /// The tables that [`DownsampleInput::sums`] must be of, where the method reads some.
    #[must_use]
    pub fn sums_wanted(settings: &DownsampleSettings, picture: &ImageView) -> Option<SumsRequest> {
        let is_wanted = settings.method == Method::Table && settings.source == Source::Picture;
        let to = plan::result_size(settings, picture.size());
        let linear = settings.light == Light::Linear;
        let unit = plan::unit(picture.size(), to, if linear { 65535 } else { 255 });
        is_wanted.then(|| SumsRequest { picture: passes::seen(picture, linear), unit })
    }

    /// Makes the result of `settings.source`; it keeps what it holds until the next call.
    pub fn record(
        &mut self,
        frame: &mut Frame,
        settings: &DownsampleSettings,
        input: &DownsampleInput<'_>,
    ) -> Result<ImageView> {
        let source = self.source(frame, settings, input)?;
        let result = self.passes.record(frame, settings, &source.as_input())?;
        self.result = Some(result.clone());
        Ok(result)
    }

    /// Source of the methods: the given picture, or a zone plate of the same size.
    fn source(
        &mut self,
        frame: &mut Frame,
        settings: &DownsampleSettings,
        input: &DownsampleInput<'_>,
    ) -> Result<passes::OwnedInput> {
        if settings.source == Source::Picture {
            let (chain, sums) = (input.chain.clone(), input.sums.clone());
            return Ok(passes::OwnedInput { picture: input.picture.clone(), chain, sums });
        }
        let size = input.picture.size();
        let plate = match self.zone_plate.take().filter(|plate| plate.size() == size) {
            Some(plate) => plate,
            None => zone_plate::upload(frame, size)?,
        };
        let picture = self.zone_plate.insert(plate).mip(0);
        // Chain and tables that were handed over are another picture's.
        Ok(passes::OwnedInput { picture, chain: None, sums: None })
    }
}
