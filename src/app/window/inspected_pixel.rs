//! Pixel whose story the panels show.

use crate::app::story::{OUTPUTS, StoryEvidence, steps};
use crate::gpu::{Frame, ImageView, PassCapture};
use crate::instrument::Pins;
use crate::renderer::{FrameParams, Renderer};
use crate::techniques::glass::{CrossSection, RayPencil};
use crate::ui::inspector::PixelStory;
use anyhow::Result;
use glam::UVec2;

/// The pixel of the next frame that is asked for, and the last story.
#[derive(Default)]
pub struct InspectedPixel {
    asked: Option<[u32; 2]>,
    /// The pixel and the evidence of the frame that is being recorded.
    read: Option<([u32; 2], StoryEvidence)>,
    /// The last story.
    story: Option<PixelStory>,
    pencil: Option<RayPencil>,
    /// The glass over the pixel under the pointer.
    section: Option<CrossSection>,
}

impl InspectedPixel {
    /// Asks for the story of a pixel of the next frame, or removes the last one.
    pub fn ask(&mut self, pixel: Option<[u32; 2]>) {
        self.asked = pixel;
        if pixel.is_none() {
            self.story = None;
        }
    }

    /// Whether the next frame is asked for a story: it records passes that it could omit.
    pub fn is_asked(&self) -> bool {
        self.asked.is_some()
    }

    /// The last story.
    pub fn story(&self) -> Option<&PixelStory> {
        self.story.as_ref()
    }

    /// The glass over the pixel under the pointer.
    pub fn section(&self) -> Option<&CrossSection> {
        self.section.as_ref()
    }

    /// Cuts the glass of a frame at a pixel; returns whether the section changed.
    pub fn cut(&mut self, pixel: Option<[u32; 2]>, params: &FrameParams<'_>) -> bool {
        let cut = pixel.and_then(|pixel| self.section_at(pixel, params));
        std::mem::replace(&mut self.section, cut) != self.section
    }

    fn section_at(&mut self, pixel: [u32; 2], params: &FrameParams<'_>) -> Option<CrossSection> {
        let (glass, lenses, scale) = (&params.settings.glass, params.lenses, params.scale);
        let pencil = self.pencil.get_or_insert_with(|| RayPencil::new(glass, lenses, scale));
        pencil.follow(glass, lenses, scale);
        pencil.at(UVec2::from_array(pixel).as_vec2() + 0.5)
    }

    /// Before a frame is recorded: what it must capture and make.
    pub fn request(&mut self, pins: &mut Pins, renderer: &mut Renderer) {
        if let Some(pixel) = self.asked.take() {
            let evidence = StoryEvidence::new();
            pins.capture_once(evidence.points());
            renderer.prepare_outputs(&OUTPUTS);
            self.read = Some((pixel, evidence));
        }
    }

    /// Reads the evidence with the frame that was asked.
    pub fn read(
        &mut self,
        frame: &mut Frame,
        capture: &PassCapture,
        renderer: &mut Renderer,
        target: &ImageView,
    ) -> Result<()> {
        if let Some((_, evidence)) = &mut self.read {
            evidence.read(frame, capture, renderer, target)?;
            renderer.prepare_outputs(&[]);
        }
        Ok(())
    }

    /// Whether a frame was asked.
    pub fn is_read(&self) -> bool {
        self.read.is_some()
    }

    /// Makes the story, when the frame has ended and before another is recorded.
    pub fn tell(&mut self, renderer: &Renderer, params: &FrameParams<'_>) -> Result<()> {
        let Some((pixel, evidence)) = self.read.take() else { return Ok(()) };
        // Without an image of the window there was no frame: ask again.
        let Some(texels) = evidence.texels()? else {
            self.asked = Some(pixel);
            return Ok(());
        };
        let steps = steps(renderer, params.settings, &texels, pixel);
        self.story = Some(PixelStory { pixel, steps, section: self.section_at(pixel, params) });
        Ok(())
    }
}
