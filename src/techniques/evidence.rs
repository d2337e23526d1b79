//! Evidence of one frame, which explains its pixels or the work of a workgroup.

use crate::{Settings, Techniques};
use gpu::{CapturePoint, Frame, ImageView, PassCapture, Result};
use technique::{FrameContext, FrameRead, Output, Replay, StoryTexels};

type Key = (&'static str, &'static str);

/// What is read of a frame to explain it: for stories of its pixels, or for the steps of a technique's workgroup.
pub struct Evidence {
    pub steps_of: Option<&'static str>,
    reads: Vec<(Key, FrameRead)>,
    shown: Option<FrameRead>,
    passes: Vec<String>,
}

impl Evidence {
    pub fn new(steps_of: Option<&'static str>) -> Self {
        Self { steps_of, reads: Vec::new(), shown: None, passes: Vec::new() }
    }

    /// To be captured in the frame.
    pub fn points(&self) -> Vec<CapturePoint> {
        let all = Techniques::story_points().into_iter().filter(|_| self.steps_of.is_none());
        all.flat_map(|(_, wanted)| wanted.points).collect()
    }

    /// To be prepared before the frame.
    pub fn outputs(&self) -> &'static [Key] {
        if self.steps_of.is_none() { &[("mip_chain", "level 0")] } else { &[] }
    }

    /// `last`: what the frame has recorded.
    pub fn read(
        &mut self,
        frame: &mut Frame,
        capture: &PassCapture,
        last: Option<(&Techniques, &FrameContext)>,
        settings: &Settings,
        shown: &ImageView,
    ) -> Result<()> {
        let Some((techniques, context)) = last else { return Ok(()) };
        let (points, outputs) = match self.steps_of {
            Some(technique) => (Vec::new(), techniques.record_replay(frame, technique, settings, context)?),
            None => (Techniques::story_points(), techniques.evidence(context)),
        };
        for (technique, wanted) in points {
            let place = |point: &CapturePoint| capture.passes().iter().rposition(|pass| pass.pass == point.pass);
            let found = wanted.points.iter().filter_map(|point| Some((place(point)?, capture.get(point)?)));
            let Some((_, captured)) = found.max_by_key(|(place, _)| *place) else { continue };
            self.reads.push(((technique, wanted.name), FrameRead::of(frame, captured)?));
        }
        for (technique, name, output) in outputs {
            self.reads.push(((technique, name), output.read(frame)?));
        }
        self.passes = capture.passes().iter().map(|pass| pass.pass.clone()).collect();
        self.shown = Some(Output::from(shown).read(frame)?);
        Ok(())
    }

    /// Call it when the frame has ended. `None`: nothing was drawn in it.
    pub fn texels(&self) -> Result<Option<StoryTexels>> {
        let Some(shown) = &self.shown else { return Ok(None) };
        let arrays = self.reads.iter().map(|(key, read)| Ok((*key, read.array()?))).collect::<Result<_>>()?;
        Ok(Some(StoryTexels { arrays, shown: shown.array()?, passes: self.passes.clone() }))
    }

    /// Call it when the frame has ended, before another is recorded.
    pub fn replay(
        &self,
        last: Option<(&Techniques, &FrameContext)>,
        settings: &Settings,
        at: [u32; 2],
    ) -> Result<Option<std::result::Result<Replay, String>>> {
        let (technique, found) = (self.steps_of.unwrap_or_default(), self.texels()?.zip(last));
        Ok(found.map(|(texels, (all, context))| all.replay(technique, settings, texels.pixel(context, at))))
    }
}
