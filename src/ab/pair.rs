//! Pair of renderers in one frame.

use super::composition::{Composition, PairLayout};
use super::size::resized;
use crate::{
    base::timing::FrameTiming,
    gpu::{Format, Frame, Gpu, ImageDesc, ImageSlot, ImageView, Result, SharedPipelines, Use},
    renderer::{Background, FrameParams, FramePlan, Renderer, WorldLoader},
    techniques::{Technique as _, glass::LiquidGlass},
};
use std::sync::Arc;

/// Before the names of the passes that display both.
pub const OF_BOTH: &str = "A and B ";

/// Before the names of the passes of B.
pub const OF_B: &str = "B ";

/// The renderer of B, and what joins its picture with that of A.
pub struct Pair {
    renderer: Renderer,
    /// Draws the coverage of the lenses of A.
    glass: LiquidGlass,
    composition: Composition,
    pictures: [ImageSlot; 3],
    gpu: Arc<Gpu>,
    /// The same device, with the shaders of B.
    gpu_b: Arc<Gpu>,
    /// Both renderers have mostly the same pipelines.
    _pipelines: Arc<SharedPipelines>,
    step: Step,
}

/// Whether both renderers have drawn the same frames.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Step {
    /// They have begun in the same frame.
    is_common: bool,
    /// Settings, lenses and sizes were equal in the last frame.
    are_equal: bool,
    /// [`Renderer::changes`] of A and of B before that frame.
    begun: [u64; 2],
}

/// A frame of both.
pub struct PairInput<'a> {
    /// The renderer of A.
    pub renderer: &'a mut Renderer,
    /// The frame of A.
    pub a: &'a FrameParams<'a>,
    /// The frame of B, as if its picture had the size of A's.
    pub b: &'a FrameParams<'a>,
    /// Size of the picture of B, pixels.
    pub size_b: [u32; 2],
    /// What is displayed.
    pub layout: PairLayout,
}

impl Pair {
    /// With its own scene: equal to that of A if they are made of the same. `gpus`: with the shaders of A, and with those of B.
    ///
    /// # Errors
    /// Those of the GPU.
    pub fn new(gpus: [&Arc<Gpu>; 2], background: Background, worlds: WorldLoader) -> Result<Self> {
        let [gpu, gpu_b] = gpus;
        let pipelines = gpu_b.share_pipelines();
        Ok(Self {
            renderer: Renderer::new(gpu_b, background, worlds)?,
            glass: LiquidGlass::new(gpu)?,
            composition: Composition::new(gpu),
            pictures: Default::default(),
            gpu: gpu.clone(),
            gpu_b: gpu_b.clone(),
            _pipelines: pipelines,
            step: Step::default(),
        })
    }

    /// The renderer of B.
    pub fn renderer(&mut self) -> &mut Renderer {
        &mut self.renderer
    }

    /// The same, to look at.
    #[must_use]
    pub fn renderer_ref(&self) -> &Renderer {
        &self.renderer
    }

    /// Both begin again in the next frame in which B is ready.
    pub fn restart(&mut self) {
        self.step = Step::default();
    }

    /// Whether both have begun in the same frame.
    #[cfg(test)]
    pub fn is_in_step(&self) -> bool {
        self.step.is_common
    }

    /// Whether the pictures can be compared: those of equal settings are equal only once both have begun in the same frame.
    #[must_use]
    pub fn is_comparable(&self) -> bool {
        self.step.is_common || !self.step.are_equal
    }

    /// [`Renderer::changes`] of both.
    fn changes(&self, renderer: &Renderer) -> [u64; 2] {
        [renderer.changes(), self.renderer.changes()]
    }

    /// Whether both were drawn as often since they have begun: for a measurement, or where mirrors are there in another frame, one is drawn
    /// more often and has other samples.
    fn have_as_many(&self, renderer: &Renderer) -> bool {
        let ([a, b], [begun_a, begun_b]) = (self.changes(renderer), self.step.begun);
        a.wrapping_sub(begun_a) == b.wrapping_sub(begun_b)
    }

    /// Lets both begin in the same frame where they have not, so that equal settings give equal pictures, bit for bit, from there on: with
    /// as many samples, and the same mirrors.
    fn keep_step(&mut self, renderer: &mut Renderer, [a, b]: [&FrameParams<'_>; 2], has_size_of_a: bool) {
        let are_equal = has_size_of_a && a.settings == b.settings && a.lenses == b.lenses;
        let have_as_many = self.have_as_many(renderer);
        // They were different: each has a history of its own.
        let is_common = self.step.is_common && (!are_equal || self.step.are_equal && have_as_many);
        // A measurement draws its own picture again in every frame.
        let draws = |renderer: &Renderer| {
            renderer.last_frame().is_some() && renderer.beginning().is_none() && !renderer.redraws_to_measure()
        };
        // One of them may lack mirrors still, or its world.
        let is_alike = !are_equal || renderer.subject(a.settings) == self.renderer.subject(b.settings);
        let is_ready = draws(renderer) && draws(&self.renderer) && is_alike;
        let both_begin = renderer.last_frame().is_none() && self.renderer.last_frame().is_none();
        if is_ready && !is_common {
            renderer.restart();
            self.renderer.restart();
        }
        let begun = if is_common { self.step.begun } else { self.changes(renderer) };
        self.step = Step { is_common: is_ready || both_begin, are_equal, begun };
    }

    /// Records both frames and their composition into `target`; which of both is first alternates, so that neither has an advantage.
    ///
    /// # Errors
    /// Those of the GPU.
    pub fn record<'a>(
        &mut self,
        frame: &mut Frame,
        input: PairInput<'a>,
        target: &ImageView,
    ) -> Result<[ImageView; 2]> {
        let PairInput { renderer, a, b, size_b, layout } = input;
        let exact =
            |params: &FrameParams<'a>| FrameParams { plan: FramePlan { is_exact: true, ..params.plan }, ..*params };
        let (a, b) = (&exact(a), &exact(b));
        let sizes = [target.size(), size_b, target.size()];
        let names = ["picture of A", "picture of B", "glass of A"];
        let mut views = Vec::new();
        for ((slot, size), name) in self.pictures.iter_mut().zip(sizes).zip(names) {
            let uses = [Use::Color, Use::Storage, Use::Sample];
            let desc = ImageDesc::new(name, size, Format::Rgba8, &uses).aliases(&[Format::Rgba8Srgb, Format::R32U]);
            views.push(slot.fit(&self.gpu, desc)?.mip(0));
        }
        let [picture_a, picture_b, coverage] = [&views[0], &views[1], &views[2]];
        let has_size_of_a = size_b == target.size();
        self.keep_step(renderer, [a, b], has_size_of_a);
        let (lenses, factor) = resized(b.lenses, target.size(), size_b);
        let sized = FrameParams { lenses: &lenses, press: None, scale: b.scale * factor, ..*b };
        let b = if has_size_of_a { b } else { &sized };
        let b_is_first = frame.number() % 2 == 1;
        if b_is_first {
            self.record_b(frame, b, picture_b)?;
        }
        renderer.record(frame, a, picture_a)?;
        if !b_is_first {
            self.record_b(frame, b, picture_b)?;
        }
        self.step.is_common &= !self.step.are_equal || self.have_as_many(renderer);
        let context = renderer.last_frame().map(|(_, context)| context).filter(|_| layout == PairLayout::Lens);
        frame.prefixed(OF_BOTH, |frame| {
            let has_glass = match context {
                Some(context) => self.glass.draw_view(frame, "coverage", &a.settings.glass, context, coverage)?,
                None => false,
            };
            if !has_glass {
                frame.clear("ab/no glass", coverage, [0.0; 4])?;
            }
            self.composition.draw(frame, [picture_a, picture_b, coverage], layout, target)
        })?;
        Ok([picture_a.clone(), picture_b.clone()])
    }

    fn record_b(&mut self, frame: &mut Frame, b: &FrameParams<'_>, picture: &ImageView) -> Result<()> {
        let (gpu, renderer) = (&self.gpu_b, &mut self.renderer);
        frame.prefixed(OF_B, |frame| frame.with_gpu(gpu, |frame| renderer.record(frame, b, picture)))
    }

    /// Takes the measurements of a finished frame: the passes of B, with their own names, for B; the others for `a`. Where both are to be
    /// equal they take the same: how much a frame traces depends on what the frames before took.
    ///
    /// # Errors
    /// Those of the techniques.
    pub fn on_timing(&mut self, timing: &FrameTiming, a: &mut Renderer) -> Result<()> {
        let [own, other] = split(timing);
        a.on_timing(&own)?;
        let is_one = self.step.is_common && self.step.are_equal;
        self.renderer.on_timing(if is_one { &own } else { &other })
    }
}

/// The passes of A, and those of B without their prefix. What displays both belongs to none, and what is recorded after that. Times of the
/// whole frame are of both.
#[must_use]
pub fn split(timing: &FrameTiming) -> [FrameTiming; 2] {
    let mut both = [timing.clone(), timing.clone()];
    let displayed = timing.passes.iter().position(|pass| pass.name.starts_with(OF_BOTH));
    let displayed = displayed.unwrap_or(usize::MAX);
    both[0].retain_passes(|index, pass| index < displayed && !pass.name.starts_with(OF_B));
    both[1].retain_passes(|_, pass| pass.name.starts_with(OF_B));
    for pass in &mut both[1].passes {
        pass.name.drain(..OF_B.len());
    }
    both
}
