//! Replay of one pixel of the result: the pixels that count for it, their weighted sum, every other method, and a zone plate.

mod evidence;
mod methods;
mod patch;
mod plate;
mod steps;
mod subject;

use self::{
    evidence::Evidence,
    subject::{CHAIN, Subject, source_of},
};
use super::reference::trace::Paths;
use crate::{Downsample, DownsampleSettings};
use gpu::Frame;
use technique::{FrameContext, MemoryComparison, NamedOutputs, Replay, Replays, StoryPixel, Variant};

const NOTE: &str = "Both results are made once more for these steps, of the picture and of a zone plate. \"Compare methods\" in the section measures the time of every method.";

impl Replays for Downsample {
    const SHOWS: &'static str = "A pixel of the result: the pixels that count for it by every method, their weighted sum, and aliases of a zone plate.";

    fn record_replay(
        &self,
        frame: &mut Frame,
        settings: &DownsampleSettings,
        context: &FrameContext,
    ) -> gpu::Result<NamedOutputs> {
        evidence::record(frame, settings, context)
    }

    fn replay(&self, chosen: &DownsampleSettings, pixel: &StoryPixel<'_>) -> Result<Replay, String> {
        let evidence = Evidence::of(&self.passes, chosen, pixel)?;
        let Evidence { settings, from, to, .. } = &evidence;
        let tiles = pixel.tiles([1, 1], *to);
        let source = source_of(evidence.source(), settings.method);
        let at = pixel.place(*to).map(|at| at as usize);
        let traces = Paths::new(settings.method, *from, *to, CHAIN).trace(&source, at);
        let subject =
            Subject { method: settings.method, light: settings.light, source, from: *from, to: *to, at, traces };
        let mut steps = steps::steps(&subject);
        steps.extend(methods::steps(&subject));
        let mut plates = plate::Plates::new(&subject, &evidence.plate);
        steps.extend(plates.steps(&subject));
        let (last, comparisons): (_, Vec<MemoryComparison>) = evidence.compared(&subject, plates.result())?;
        steps.push(last);
        let variant = Variant {
            runs: format!("the method {}", chosen.method.title()),
            when: " where a view shows its result",
            shown: format!("the method {}", settings.method.title()),
        };
        Ok(Replay::new(tiles, steps, comparisons, variant.note(NOTE)))
    }
}
