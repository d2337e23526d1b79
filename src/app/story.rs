//! Stories of pixels requested by `--pixel`, as JSON.

use super::arguments::PixelArgument;
use super::failure::Failure;
use crate::gpu::{CapturePoint, DeviceInfo, Frame, ImageView, PassCapture};
use crate::renderer::Renderer;
use crate::techniques::mip_chain::MipChain;
use crate::techniques::{Settings, Step, StoryPixel, StoryPoint, StoryReads, Technique as _, Techniques};
use anyhow::Result;
use serde_json::{Value, json};

/// The requested pixels, and the evidence of the frame that they are of.
pub struct Stories<'a> {
    pixels: &'a [PixelArgument],
    points: Vec<(&'static str, StoryPoint)>,
    reads: Option<StoryReads>,
}

impl<'a> Stories<'a> {
    /// Of these pixels, perhaps none.
    ///
    /// # Errors
    /// Exit code 2 for a pixel outside of a picture of `size`.
    pub fn new(pixels: &'a [PixelArgument], size: [u32; 2]) -> Result<Self, Failure> {
        let [width, height] = size;
        if let Some(PixelArgument([x, y])) = pixels.iter().find(|pixel| pixel.0[0] >= width || pixel.0[1] >= height) {
            let picture = format!("the picture has {width}x{height} pixels");
            let expected = format!("expected 0,0 to {},{}", width - 1, height - 1);
            return Err(Failure::bad(format!("--pixel {x},{y}: {picture}; {expected}")));
        }
        let points = if pixels.is_empty() { Vec::new() } else { Techniques::story_points() };
        Ok(Self { pixels, points, reads: None })
    }

    /// What the last frame must capture.
    pub fn points(&self) -> Vec<CapturePoint> {
        self.points.iter().flat_map(|(_, wanted)| wanted.points.clone()).collect()
    }

    /// Outputs that all frames must make: the whole chain, not the part that the glass reads.
    pub fn outputs(&self) -> Option<(&'static str, &'static str)> {
        (!self.pixels.is_empty()).then_some((MipChain::ID, "level 0"))
    }

    /// Reads the evidence back with the last frame, which `renderer` has just recorded into `target`.
    pub fn read(
        &mut self,
        frame: &mut Frame,
        capture: &PassCapture,
        renderer: &Renderer,
        target: &ImageView,
    ) -> Result<()> {
        if let Some((techniques, context)) = renderer.last_frame().filter(|_| !self.pixels.is_empty()) {
            let outputs = techniques.evidence(context);
            self.reads = Some(StoryReads::read(frame, capture, &self.points, &outputs, target)?);
        }
        Ok(())
    }

    /// The stories, when that frame has ended and before another is recorded.
    pub fn tell(&self, renderer: &Renderer, settings: &Settings, facts: &DeviceInfo) -> Result<Option<String>> {
        let (Some(reads), Some((techniques, context))) = (&self.reads, renderer.last_frame()) else { return Ok(None) };
        let texels = reads.texels()?;
        let story = |pixel: &PixelArgument| {
            let pixel = StoryPixel { technique: "", at: pixel.0, context, texels: &texels };
            let steps: Vec<Value> = techniques.explain(settings, pixel).iter().map(Step::json).collect();
            json!({ "pixel": pixel.at, "steps": steps })
        };
        let stories: Vec<Value> = self.pixels.iter().map(story).collect();
        let device = json!({ "name": facts.name, "driver": facts.driver });
        let all = json!({ "device": device, "size": context.picture.size(), "pixels": stories });
        Ok(Some(format!("{all:#}\n")))
    }
}
