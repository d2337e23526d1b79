//! Particles over a pixel, in its story.

use super::Particles;
use crate::techniques::{Fact, FrameContext, Output, Step, StoryPixel, Technique as _};

pub(super) fn evidence(particles: &Particles, context: &FrameContext) -> Vec<(&'static str, Output)> {
    particles.output("layer", context).into_iter().map(|layer| ("layer", layer)).collect()
}

pub(super) fn explain(pixel: &StoryPixel<'_>) -> Vec<Step> {
    let layer = pixel.texel("layer").filter(|layer| layer.numbers.iter().any(|number| *number != 0.0));
    let step = |layer| Step::new("particles", vec![Fact::texel("light, and how much they cover", &layer, 4)]);
    layer.map(step).into_iter().collect()
}
