//! Explanations of frames, from the evidence of one: the story of a pixel, and the steps of a workgroup.

use anyhow::Result;
use gpu::{CapturePoint, Frame, ImageView, PassCapture};
use technique::{FrameContext, Replay, Step};
use techniques::{Evidence, Settings, Techniques};

/// Technique and name of an output.
type OutputName = (&'static str, &'static str);

/// Another number asks again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoryRequest {
    pub pixel: [u32; 2],
    pub number: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepsRequest {
    pub technique: &'static str,
    pub pixel: [u32; 2],
    pub number: u64,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Story {
    pub number: u64,
    pub pixel: [u32; 2],
    /// Number of the frame that it is of.
    pub frame: u64,
    pub steps: Vec<Step>,
    /// The pixel's final value.
    pub numbers: Vec<String>,
}

#[derive(Default)]
pub(super) struct Explanations {
    stories: Vec<StoryRequest>,
    steps: Option<StepsRequest>,
    /// Of the frame that is recorded.
    evidence: Vec<Evidence>,
    /// Its number.
    frame: u64,
    told: Vec<Story>,
    replay: Option<Replay>,
    /// Number of the answered request.
    replayed: u64,
    refusal: Option<(u64, String)>,
}

impl Explanations {
    /// What is asked for no longer is dropped.
    pub fn ask(&mut self, stories: Vec<StoryRequest>, steps: Option<StepsRequest>) {
        self.told.retain(|told| stories.iter().any(|asked| asked.number == told.number));
        if steps.is_none() {
            (self.replay, self.replayed, self.refusal) = (None, 0, None);
        }
        (self.stories, self.steps) = (stories, steps);
    }

    pub fn told(&self) -> &[Story] {
        &self.told
    }

    pub fn replay(&self) -> Option<&Replay> {
        self.replay.as_ref()
    }

    pub fn refusal(&self) -> Option<(u64, &str)> {
        self.refusal.as_ref().map(|(number, why)| (*number, why.as_str()))
    }

    pub fn awaits_story(&self) -> bool {
        self.stories.iter().any(|asked| self.told.iter().all(|told| told.number != asked.number))
    }

    fn awaited_steps(&self) -> Option<StepsRequest> {
        self.steps.filter(|asked| asked.number != self.replayed)
    }

    /// Points that the next frame has to capture, and outputs that it has to have; `None` if it explains nothing.
    pub fn prepare(&mut self) -> Option<(Vec<CapturePoint>, Vec<OutputName>)> {
        let story = self.awaits_story().then(|| Evidence::new(None));
        let steps = self.awaited_steps().map(|asked| Evidence::new(Some(asked.technique)));
        self.evidence = story.into_iter().chain(steps).collect();
        let all = || self.evidence.iter();
        let outputs = || all().flat_map(|evidence| evidence.outputs()).copied().collect();
        (!self.evidence.is_empty()).then(|| (all().flat_map(Evidence::points).collect(), outputs()))
    }

    /// `last`: what the frame has recorded.
    pub fn read(
        &mut self,
        frame: &mut Frame,
        captured: &PassCapture,
        last: Option<(&Techniques, &FrameContext)>,
        settings: &Settings,
        shown: &ImageView,
    ) -> Result<()> {
        self.frame = frame.number();
        for evidence in &mut self.evidence {
            evidence.read(frame, captured, last, settings, shown)?;
        }
        Ok(())
    }

    /// Call it when the frame has ended, before another is recorded. What drew nothing stays asked.
    pub fn explain(&mut self, last: Option<(&Techniques, &FrameContext)>, settings: &Settings) -> Result<()> {
        for evidence in std::mem::take(&mut self.evidence) {
            match evidence.steps_of {
                None => self.tell(&evidence, last, settings)?,
                Some(_) => self.replay_steps(&evidence, last, settings)?,
            }
        }
        Ok(())
    }

    fn tell(
        &mut self,
        evidence: &Evidence,
        last: Option<(&Techniques, &FrameContext)>,
        settings: &Settings,
    ) -> Result<()> {
        let Some((texels, (techniques, context))) = evidence.texels()?.zip(last) else { return Ok(()) };
        let story = |StoryRequest { pixel, number }: &StoryRequest| {
            let at = texels.pixel(context, *pixel);
            let shown = at.shown().map(|shown| shown.numbers.iter().map(f64::to_string).collect());
            let (steps, numbers) = (techniques.explain(settings, at), shown.unwrap_or_default());
            Story { number: *number, pixel: *pixel, frame: self.frame, steps, numbers }
        };
        self.told = self.stories.iter().map(story).collect();
        Ok(())
    }

    fn replay_steps(
        &mut self,
        evidence: &Evidence,
        last: Option<(&Techniques, &FrameContext)>,
        settings: &Settings,
    ) -> Result<()> {
        let Some(StepsRequest { pixel, number, .. }) = self.steps else { return Ok(()) };
        match evidence.replay(last, settings, pixel)? {
            Some(Ok(replay)) => (self.replay, self.replayed) = (Some(replay), number),
            Some(Err(why)) => (self.refusal, self.replayed) = (Some((number, why)), number),
            None => {}
        }
        Ok(())
    }
}
