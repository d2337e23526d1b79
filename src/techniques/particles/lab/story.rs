//! Particles over a pixel, in its story.

use crate::{Particles, ParticlesSettings};
use technique::{Clause, Explains, Fact, FrameContext, NamedOutputs, Step, StepInfo, StoryPixel, Technique as _};

const PASSES: &[&str] = &["step", "bodies", "splat", "resolve", "draw", "join"];

impl Explains for Particles {
    const STEPS: &'static [StepInfo] =
        &[StepInfo::new("particles", Clause::Surface, PASSES).off("particles.kind=none").lines(&["vec4 joined_of("])];

    fn evidence(&self, context: &FrameContext) -> NamedOutputs {
        self.output("layer", context).into_iter().map(|layer| ("layer", layer)).collect()
    }

    fn explain(&self, _: &ParticlesSettings, pixel: &StoryPixel<'_>) -> Vec<Step> {
        let layer = pixel.texel("layer").filter(|layer| layer.numbers.iter().any(|number| *number != 0.0));
        let facts = |layer| vec![Fact::texel("light, and how much they cover", &layer, 4)];
        let step = |layer| Step::new("particles", facts(layer)).summary("behind particles");
        layer.map(step).into_iter().collect()
    }
}
