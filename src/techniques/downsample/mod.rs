//! Downsampling laboratory: the picture reduced by every available method.

mod bench;
mod bound;
mod checks;
mod comparison;
mod downsampler;
mod figures;
mod passes;
mod plan;
mod quality;
mod reference;
#[cfg(test)]
mod reference_tests;
mod replay;
mod settings;
mod source_table;
mod views;
mod work;
mod zone_plate;

pub use comparison::{MOST_DB, light_name};
pub use downsampler::Downsample;
pub use figures::{Figures, Material, MethodInputs};
pub use passes::{ChainSource, DownsampleInput, sums_request};
pub use settings::{DownsampleSettings, Light, Method, Source};
pub use source_table::{COLUMNS as SOURCE_COLUMNS, ROWS as SOURCE_ROWS};

use super::{COLOURS, Compares, FrameContext, Info, Measures, Output, OutputInfo, Stage, Technique};
use crate::{
    base::array::Element,
    gpu::{Frame, Gpu, ImageView, Result},
    lab::{Card, Check, Comparison},
};
use passes::Passes;
use std::sync::Arc;

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
        checks: &[Check::of::<checks::Methods>().draws(), Check::of::<checks::Blocks>()],
        benches: &[bench::BENCH],
        ..Info::NONE
    };
    type Settings = DownsampleSettings;

    fn new(gpu: &Arc<Gpu>) -> Result<Self> {
        Ok(Self {
            passes: Passes::new(gpu),
            views: views::Views::default(),
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
}

impl Compares for Downsample {
    const MEASURES: Measures = Measures {
        label: "Compare methods",
        doc: "Every method on this picture: times, PSNR, SSIM, ringing, brightness, flicker.",
        chooses: "method",
    };

    fn comparison(&mut self) -> &mut Comparison {
        &mut self.comparison.comparison
    }

    fn card(&self) -> Card {
        self.comparison.card()
    }
}
