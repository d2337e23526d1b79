//! Pixel whose story the panels show.

use crate::instrument::FrameCapture;
use crate::renderer::{ActiveView, FrameParams, Renderer};
use crate::scene::Lens;
use crate::techniques::glass::{CrossSection, GlassStack, LensBody, RayPencil};
use crate::techniques::{Evidence, Settings};
use crate::ui::instruments::inspector::PixelStory;
use anyhow::Result;
use glam::UVec2;

#[derive(Default)]
pub struct InspectedPixel {
    asked: Option<[u32; 2]>,
    /// The present frame, and one that announces the story: it takes seconds on software drivers.
    frames_before: u8,
    story: Option<(PixelStory, FrameContent)>,
    pencils: Vec<RayPencil>,
    section: Option<CrossSection>,
}

/// What decides the pixels but for their samples.
#[derive(PartialEq)]
struct FrameContent {
    settings: Settings,
    lenses: Vec<Lens>,
    view: Option<ActiveView>,
    drifted_s: f32,
}

impl FrameContent {
    fn of(params: &FrameParams<'_>) -> Self {
        Self {
            settings: params.settings.clone(),
            lenses: params.lenses.to_vec(),
            view: params.view,
            drifted_s: params.drifted_s,
        }
    }
}

impl InspectedPixel {
    pub fn ask(&mut self, pixel: Option<[u32; 2]>) {
        (self.asked, self.frames_before) = (pixel, 2);
        if pixel.is_none() {
            self.story = None;
        }
    }

    pub fn is_asked(&self) -> bool {
        self.asked.is_some() && self.frames_before == 0
    }

    pub fn awaited(&self) -> Option<[u32; 2]> {
        self.asked
    }

    pub fn story(&self) -> Option<&PixelStory> {
        self.story.as_ref().map(|(story, _)| story)
    }

    pub fn section(&self) -> Option<&CrossSection> {
        self.section.as_ref()
    }

    pub fn cut(&mut self, pixel: Option<[u32; 2]>, params: &FrameParams<'_>, size: [u32; 2]) -> bool {
        let cut = pixel.and_then(|pixel| self.section_at(pixel, params, size));
        std::mem::replace(&mut self.section, cut) != self.section
    }

    fn section_at(&mut self, pixel: [u32; 2], params: &FrameParams<'_>, size: [u32; 2]) -> Option<CrossSection> {
        let at = UVec2::from_array(pixel).as_vec2() + 0.5;
        let stack = GlassStack::new(&params.settings.glass, params.lenses, params.scale, size);
        let mut bodies: Vec<&LensBody> = stack.bodies().iter().collect();
        bodies.sort_by_key(|body| body.layer);
        for (number, LensBody { settings, lenses, .. }) in bodies.into_iter().rev().enumerate() {
            if number == self.pencils.len() {
                self.pencils.push(RayPencil::new(settings, lenses, stack.scale()));
            }
            let pencil = &mut self.pencils[number];
            pencil.follow(settings, lenses, stack.scale());
            if pencil.has_glass(at) {
                return pencil.at(at);
            }
        }
        None
    }

    pub fn request(&mut self, capture: &mut FrameCapture, renderer: &mut Renderer) -> Option<([u32; 2], Evidence)> {
        if self.asked.is_some() && self.frames_before > 0 {
            self.frames_before -= 1;
            return None;
        }
        let pixel = self.asked.take()?;
        let evidence = Evidence::new(None);
        capture.once(evidence.points());
        renderer.prepare_outputs(evidence.outputs());
        Some((pixel, evidence))
    }

    /// Call when the frame has ended, before another is recorded.
    pub fn tell(
        &mut self,
        pixel: [u32; 2],
        evidence: &Evidence,
        renderer: &Renderer,
        params: &FrameParams<'_>,
    ) -> Result<()> {
        let Some((texels, (techniques, context))) = evidence.texels()?.zip(renderer.last_frame()) else {
            self.asked = Some(pixel);
            return Ok(());
        };
        let at = texels.pixel(context, pixel);
        let steps = techniques.explain(params.settings, at);
        let numbers = at.shown().map(|shown| shown.numbers.iter().map(f64::to_string).collect()).unwrap_or_default();
        let section = self.section_at(pixel, params, context.picture.size());
        let story = PixelStory { pixel, steps, section, numbers, is_outdated: false };
        self.story = Some((story, FrameContent::of(params)));
        Ok(())
    }

    pub fn follow(&mut self, params: &FrameParams<'_>) -> bool {
        let Some((story, content)) = self.story.as_mut().filter(|(story, _)| !story.is_outdated) else { return false };
        story.is_outdated = *content != FrameContent::of(params);
        story.is_outdated
    }
}
