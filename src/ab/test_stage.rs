//! Fixture: whole frames of a small scene under a lens.

#![allow(clippy::unwrap_used, reason = "for tests alone")]

use base::settings::parse_set;
use glam::Vec2;
use gpu::{Format, Frame, Frames, Gpu, Image, ImageDesc, PassCapture, Use};
use reflections::AutoRays;
use renderer::{
    ActiveView, Background, FrameParams, FramePlan, LoadMode, PlanInput, Renderer, WindowPace, WorldLoader,
};
use scene::Lens;
use std::sync::Arc;
use technique::StoryTexels;
use techniques::{Evidence, Settings};

pub const SIZE: [u32; 2] = [97, 55];

/// With arguments as for `--set`.
pub fn with(settings: &Settings, sets: &[&str]) -> Settings {
    let mut settings = settings.clone();
    for set in sets {
        settings.lay(parse_set(set).unwrap()).unwrap();
    }
    settings
}

pub fn settings(sets: &[&str]) -> Settings {
    with(&Settings::default(), &[&["scene.place=many", "scene.instances=9"], sets].concat())
}

pub fn lens(settings: &Settings) -> Lens {
    let glass = settings.glass.lens_glass();
    Lens { center: Vec2::new(50.0, 28.0), glass, ..Lens::default() }.sized(Vec2::splat(20.0))
}

pub fn target(gpu: &Arc<Gpu>, size: [u32; 2]) -> Image {
    let desc = ImageDesc::new("target", size, Format::Rgba8, &[Use::Color, Use::Storage]);
    Image::new(gpu, desc.aliases(&[Format::R32U])).unwrap()
}

pub fn background() -> Background {
    Background::new(None, LoadMode::Block)
}

pub fn worlds() -> WorldLoader {
    WorldLoader::new(None, LoadMode::Block)
}

pub fn renderer(gpu: &Arc<Gpu>) -> Renderer {
    Renderer::new(gpu, background(), worlds()).unwrap()
}

/// A frame of a window at rest.
pub fn at_rest<'a>(gpu: &Gpu, settings: &'a Settings, lenses: &'a [Lens], view: Option<ActiveView>) -> FrameParams<'a> {
    let window = Some(WindowPace { scales: [1.0; 2], is_still: true, auto_rays: AutoRays::NO_DISPLAY });
    let input = PlanInput { policy: gpu.policy(), measures_bounces: false, view, saved: &[], window };
    FrameParams { plan: FramePlan::of(settings, &input), view, seconds: 0.016, ..FrameParams::of(settings, lenses) }
}

pub struct Stage {
    pub renderer: Renderer,
    pub frames: Frames,
    pub settings: Settings,
    pub lenses: Vec<Lens>,
    pub target: Image,
}

impl Stage {
    pub fn new(gpu: &Arc<Gpu>, sets: &[&str]) -> Self {
        let (renderer, frames, target) = (renderer(gpu), Frames::new(gpu, 1), target(gpu, SIZE));
        let settings = settings(sets);
        Self { renderer, frames, lenses: vec![lens(&settings)], settings, target }
    }

    pub fn frame<T>(
        &mut self,
        capture: Option<PassCapture>,
        read: impl FnOnce(&mut Frame, &Renderer, &PassCapture) -> T,
    ) -> (T, PassCapture, Vec<String>) {
        let (renderer, target) = (&mut self.renderer, self.target.mip(0));
        let params = FrameParams::of(&self.settings, &self.lenses);
        let result = self.frames.once(|frame| {
            if let Some(capture) = capture {
                frame.begin_capture(capture);
            }
            renderer.record(frame, &params, &target)?;
            let capture = frame.end_capture();
            let read = read(frame, renderer, &capture);
            gpu::Result::Ok((read, capture))
        });
        let ((read, capture), timing) = result.unwrap();
        renderer.on_timing(&timing).unwrap();
        (read, capture, timing.passes.into_iter().map(|pass| pass.name).collect())
    }

    pub fn evidence(&mut self, steps_of: Option<&'static str>) -> StoryTexels {
        let (settings, target) = (self.settings.clone(), self.target.mip(0));
        let mut evidence = Evidence::new(steps_of);
        let capture = PassCapture::of(&evidence.points());
        self.renderer.prepare_outputs(evidence.outputs());
        self.frame(Some(capture), |frame, renderer, capture| {
            evidence.read(frame, capture, renderer.last_frame(), &settings, &target).unwrap();
        });
        self.renderer.prepare_outputs(&[]);
        evidence.texels().unwrap().unwrap()
    }
}
