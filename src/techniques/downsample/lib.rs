//! Downsampling laboratory: the picture reduced by every available method.

// What only the laboratory uses.
#![cfg_attr(not(feature = "lab"), allow(unused))]

mod downsampler;
#[cfg(feature = "lab")]
pub mod lab;
mod passes;
mod plan;
mod settings;
mod taps;
mod views;
mod work;
mod zone_plate;

pub use downsampler::Downsample;
pub use passes::methods::{ChainSource, DownsampleInput, sums_request};
pub use settings::{DownsampleSettings, Light, Method, Source};

use self::{passes::methods::Passes, views::Views};
use gpu::{Frame, Gpu, ImageView, Result};
use media::array::Element;
use std::sync::Arc;
use technique::{COLOURS, FrameContext, Info, Output, OutputInfo, Stage, Technique};

impl Technique for Downsample {
    const INFO: Info = Info {
        id: "downsample",
        title: "Downsampling",
        doc: include_str!("../../../docs/downsample.md"),
        stage: Stage::Picture,
        views: views::VIEWS,
        outputs: &[OutputInfo {
            name: "result",
            doc: "The smaller picture: bytes as they are encoded, or linear light in floats, as downsample.light says.",
            elements: &[Element::U8, Element::F32],
            shape: COLOURS,
            needs: "any picture",
        }],
        ..Info::NONE
    };
    type Settings = DownsampleSettings;

    fn new(gpu: &Arc<Gpu>) -> Result<Self> {
        Ok(Self { passes: Passes::new(gpu), views: Views::default(), zone_plate: None, result: None })
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
}
