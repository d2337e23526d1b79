//! Particles over a pixel, in its story.

use crate::{Particles, ParticlesSettings};
use technique::{Explains, Fact, FrameContext, NamedOutputs, Step, StoryPixel, Technique as _};

impl Explains for Particles {
    fn evidence(&self, context: &FrameContext) -> NamedOutputs {
        self.output("layer", context).into_iter().map(|layer| ("layer", layer)).collect()
    }

    fn explain(&self, _: &ParticlesSettings, pixel: &StoryPixel<'_>) -> Vec<Step> {
        let layer = pixel.texel("layer").filter(|layer| layer.numbers.iter().any(|number| *number != 0.0));
        let step = |layer| Step::new("particles", vec![Fact::texel("light, and how much they cover", &layer, 4)]);
        layer.map(step).into_iter().collect()
    }
}
