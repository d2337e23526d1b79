//! Stories of pixels: the evidence of a frame, and the JSON of `--pixel`.

use super::arguments::PixelArgument;
use super::failure::Failure;
use crate::gpu::{CapturePoint, DeviceInfo, Frame, ImageView, PassCapture};
use crate::renderer::Renderer;
use crate::techniques::mip_chain::MipChain;
use crate::techniques::{Settings, Step, StoryPixel, StoryPoint, StoryReads, StoryTexels, Technique as _, Techniques};
use anyhow::Result;
use serde_json::{Value, json};

pub const OUTPUTS: [(&str, &str); 1] = [(MipChain::ID, "level 0")];

#[derive(Default)]
pub struct StoryEvidence {
    points: Vec<(&'static str, StoryPoint)>,
    reads: Option<StoryReads>,
}

impl StoryEvidence {
    pub fn new() -> Self {
        Self { points: Techniques::story_points(), reads: None }
    }

    pub fn points(&self) -> Vec<CapturePoint> {
        self.points.iter().flat_map(|(_, wanted)| wanted.points.clone()).collect()
    }

    pub fn read(
        &mut self,
        frame: &mut Frame,
        capture: &PassCapture,
        renderer: &Renderer,
        target: &ImageView,
    ) -> Result<()> {
        if let Some((techniques, context)) = renderer.last_frame() {
            let outputs = techniques.evidence(context);
            self.reads = Some(StoryReads::read(frame, capture, &self.points, &outputs, target)?);
        }
        Ok(())
    }

    pub fn texels(&self) -> Result<Option<StoryTexels>> {
        Ok(self.reads.as_ref().map(StoryReads::texels).transpose()?)
    }
}

pub fn steps(renderer: &Renderer, settings: &Settings, texels: &StoryTexels, at: [u32; 2]) -> Vec<Step> {
    let pixel = |context| StoryPixel { technique: "", at, context, texels };
    renderer.last_frame().map_or_else(Vec::new, |(techniques, context)| techniques.explain(settings, pixel(context)))
}

pub struct Stories<'a> {
    pixels: &'a [PixelArgument],
    size: [u32; 2],
    evidence: StoryEvidence,
}

impl<'a> Stories<'a> {
    pub fn new(pixels: &'a [PixelArgument], size: [u32; 2]) -> Result<Self, Failure> {
        let [width, height] = size;
        if let Some(PixelArgument([x, y])) = pixels.iter().find(|pixel| pixel.0[0] >= width || pixel.0[1] >= height) {
            let picture = format!("the picture has {width}x{height} pixels");
            let expected = format!("expected 0,0 to {},{}", width - 1, height - 1);
            return Err(Failure::bad(format!("--pixel {x},{y}: {picture}; {expected}")));
        }
        let evidence = if pixels.is_empty() { StoryEvidence::default() } else { StoryEvidence::new() };
        Ok(Self { pixels, size, evidence })
    }

    pub fn points(&self) -> Vec<CapturePoint> {
        self.evidence.points()
    }

    pub fn outputs(&self) -> &'static [(&'static str, &'static str)] {
        if self.pixels.is_empty() { &[] } else { &OUTPUTS }
    }

    pub fn read(
        &mut self,
        frame: &mut Frame,
        capture: &PassCapture,
        renderer: &Renderer,
        target: &ImageView,
    ) -> Result<()> {
        if self.pixels.is_empty() { Ok(()) } else { self.evidence.read(frame, capture, renderer, target) }
    }

    pub fn tell(&self, renderer: &Renderer, settings: &Settings, facts: &DeviceInfo) -> Result<Option<String>> {
        let Some(texels) = self.evidence.texels()? else { return Ok(None) };
        let story = |pixel: &PixelArgument| {
            let steps = steps(renderer, settings, &texels, pixel.0);
            let steps: Vec<Value> = steps.iter().map(Step::json).collect();
            json!({ "pixel": pixel.0, "steps": steps })
        };
        let stories: Vec<Value> = self.pixels.iter().map(story).collect();
        let device = json!({ "name": facts.name, "driver": facts.driver });
        let all = json!({ "device": device, "size": self.size, "pixels": stories });
        Ok(Some(format!("{all:#}\n")))
    }
}
