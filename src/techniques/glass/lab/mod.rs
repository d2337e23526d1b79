//! Laboratory of the glass: reference, checks, benches, comparison of the blurs, story and steps of a pixel.

pub mod bench;
pub mod blur_judge;
mod blur_measurement;
pub mod blur_quality;
pub mod blur_quality_check;
mod blur_similarity;
#[cfg(test)]
mod border_tests;
pub mod breaks;
mod check_fixture;
pub mod checks;
pub mod ink_check;
pub mod luminance_adaptation_check;
pub mod many_check;
pub mod path_check;
pub mod reference;
pub mod replay;
pub mod story;
pub mod system_glass_check;
pub mod text_contrast_check;
pub mod text_outline_check;

use super::LiquidGlass;
use crate::GlassSettings;
use gpu::{Frame, Result};
use lab::{Bench, BreakInfo, Check};
use technique::{
    Benches, Breaks, Checks, Explains, FrameContext, NamedOutputs, Replay, Replays, Step, StepInfo, StoryPixel,
    Technique as _,
};

impl Checks for LiquidGlass {
    const CHECKS: &'static [Check] = &[
        Check::of::<checks::LensOracle>().draws(),
        Check::of::<many_check::ManyOracle>().draws(),
        Check::of::<checks::SourceOracle>().draws(),
        Check::of::<checks::DistanceOracle>(),
        Check::of::<text_outline_check::FieldOracle>(),
        Check::of::<path_check::PathOracle>(),
        Check::of::<text_outline_check::LettersOracle>().draws(),
        Check::of::<blur_quality_check::BlurOracle>(),
        Check::of::<luminance_adaptation_check::BrightnessOracle>(),
        Check::of::<text_contrast_check::ContrastOracle>().draws(),
        Check::of::<ink_check::InkOracle>().draws(),
        Check::of::<system_glass_check::SystemOracle>().draws(),
    ];
}

impl Benches for LiquidGlass {
    const BENCHES: &'static [Bench] = &[bench::LENS, bench::SOURCE];
}

impl Breaks for LiquidGlass {
    const BREAKS: &'static [BreakInfo] = breaks::BREAKS;
}

impl Explains for LiquidGlass {
    const STEPS: &'static [StepInfo] = story::STEPS;

    fn looks_at(&self, settings: &GlassSettings, pixel: &StoryPixel<'_>) -> Option<[u32; 2]> {
        story::looks_at((self.light, self.press), settings, pixel)
    }

    fn evidence(&self, context: &FrameContext) -> NamedOutputs {
        story::evidence(self.output("brightness", context), context)
    }

    fn explain(&self, settings: &GlassSettings, pixel: &StoryPixel<'_>) -> Vec<Step> {
        story::explain((self.light, self.press), settings, pixel)
    }
}

impl Replays for LiquidGlass {
    const SHOWS: &'static str =
        "A pixel: cross-section, rays, footprint, looks, layers of light; of the reference glass its masks.";

    fn record_replay(&self, _: &mut Frame, _: &GlassSettings, context: &FrameContext) -> Result<NamedOutputs> {
        Ok(self.evidence(context))
    }

    fn replay(&self, settings: &GlassSettings, pixel: &StoryPixel<'_>) -> std::result::Result<Replay, String> {
        replay::replay((self.light, self.press), settings, pixel)
    }
}
