//! Pair of renderers in one frame.

use super::composition::{Composition, PairLayout};
use super::size::resized;
use base::timing::FrameTiming;
use glass::LiquidGlass;
use gpu::{Format, Frame, Gpu, ImageDesc, ImageSlot, ImageView, Result, SharedPipelines, Use};
use renderer::{Backdrop, Background, FrameParams, FramePlan, Renderer, WorldLoader};
use std::sync::Arc;
use technique::Technique as _;

pub const OF_BOTH: &str = "A and B ";

pub const OF_B: &str = "B ";

pub struct Pair {
    renderer: Renderer,
    glass: LiquidGlass,
    composition: Composition,
    pictures: [ImageSlot; 3],
    gpu: Arc<Gpu>,
    gpu_b: Arc<Gpu>,
    _pipelines: Arc<SharedPipelines>,
    step: Step,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Step {
    is_shared: bool,
    is_common: bool,
    are_equal: bool,
    begun: [u64; 2],
}

pub struct PairInput<'a> {
    pub renderer: &'a mut Renderer,
    pub a: &'a FrameParams<'a>,
    pub b: &'a FrameParams<'a>,
    pub size_b: [u32; 2],
    pub layout: PairLayout,
}

impl Pair {
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

    pub fn renderer(&mut self) -> &mut Renderer {
        &mut self.renderer
    }

    pub fn renderer_ref(&self) -> &Renderer {
        &self.renderer
    }

    pub fn restart(&mut self) {
        self.step = Step::default();
    }

    #[cfg(any(test, feature = "fixtures"))]
    pub fn is_in_step(&self) -> bool {
        self.step.is_common
    }

    /// Their settings of the picture under the glass, its size and shaders are equal: A draws it for both.
    pub fn shares_backdrop(&self) -> bool {
        self.step.is_shared
    }

    /// Pictures of two worlds are comparable only once both have begun in the same frame.
    pub fn is_comparable(&self) -> bool {
        self.step.is_common || !self.step.are_equal
    }

    fn changes(&self, renderer: &Renderer) -> [u64; 2] {
        [renderer.changes(), self.renderer.changes()]
    }

    /// Whether both were drawn equally often since they began, which measurements and late mirrors prevent.
    fn have_as_many(&self, renderer: &Renderer) -> bool {
        let ([a, b], [begun_a, begun_b]) = (self.changes(renderer), self.step.begun);
        a.wrapping_sub(begun_a) == b.wrapping_sub(begun_b)
    }

    /// Where B has shaders of its own, lets both begin in the same frame, so that equal settings give equal pictures
    /// bit for bit.
    fn keep_step(
        &mut self,
        renderer: &mut Renderer,
        [a, b]: [&FrameParams<'_>; 2],
        has_size_of_a: bool,
        is_shared: bool,
    ) -> Result<()> {
        let are_equal = has_size_of_a && a.settings == b.settings && a.lenses == b.lenses;
        if is_shared {
            if are_equal {
                self.renderer.adopt_glass(renderer);
            }
            self.step = Step { is_shared, is_common: true, are_equal, begun: self.changes(renderer) };
            return Ok(());
        }
        let have_as_many = self.have_as_many(renderer);
        let was_equal = !self.step.is_shared && self.step.are_equal && are_equal;
        let is_common = self.step.is_common && was_equal && have_as_many;
        let draws = |renderer: &Renderer| {
            renderer.last_frame().is_some() && renderer.beginning().is_none() && !renderer.redraws_to_measure()
        };
        let is_alike = || renderer.subject(a.settings) == self.renderer.subject(b.settings);
        let is_ready = are_equal && draws(renderer) && draws(&self.renderer) && is_alike();
        let both_begin = renderer.last_frame().is_none() && self.renderer.last_frame().is_none();
        let begins = is_ready && !is_common && !self.has_shaders_of_a();
        if begins {
            renderer.restart();
            self.renderer.restart();
        }
        let begun = if is_common { self.step.begun } else { self.changes(renderer) };
        self.step = Step { is_shared, is_common: is_common && is_ready || begins || both_begin, are_equal, begun };
        Ok(())
    }

    fn has_shaders_of_a(&self) -> bool {
        Arc::ptr_eq(&self.gpu, &self.gpu_b)
    }

    /// The order alternates, so that neither has an advantage.
    pub fn record<'a>(
        &mut self,
        frame: &mut Frame,
        input: PairInput<'a>,
        target: &ImageView,
    ) -> Result<[ImageView; 2]> {
        let PairInput { renderer, a, b, size_b, layout } = input;
        let has_size_of_a = size_b == target.size();
        let is_shared = self.has_shaders_of_a() && has_size_of_a && Renderer::shares_backdrop(a, b);
        let exact = |params: &FrameParams<'a>| FrameParams {
            plan: FramePlan { is_exact: !is_shared, ..params.plan },
            ..*params
        };
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
        self.keep_step(renderer, [a, b], has_size_of_a, is_shared)?;
        let (lenses, factor) = resized(b.lenses, target.size(), size_b);
        let used = b.used.map(|used| used.scaled(factor));
        let sized = FrameParams { lenses: &lenses, used: used.as_ref(), press: None, scale: b.scale * factor, ..*b };
        let b = if has_size_of_a { b } else { &sized };
        let shared = match is_shared {
            true => {
                let of_a = frame.shared(|frame| renderer.record_backdrop(frame, a, picture_a))?;
                Some((self.renderer.share_backdrop(picture_b, &of_a)?, of_a))
            }
            false => None,
        };
        let (of_a, of_b) = (shared.as_ref().map(|(_, of_a)| of_a), shared.as_ref().map(|(of_b, _)| of_b));
        let b_is_first = frame.number() % 2 == 1;
        if b_is_first {
            self.record_b(frame, b, of_b, picture_b)?;
        }
        match of_a {
            Some(backdrop) => renderer.record_over(frame, a, backdrop, picture_a)?,
            None => renderer.record(frame, a, picture_a)?,
        }
        if !b_is_first {
            self.record_b(frame, b, of_b, picture_b)?;
        }
        self.step.is_common &= is_shared || !self.step.are_equal || self.have_as_many(renderer);
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

    fn record_b(
        &mut self,
        frame: &mut Frame,
        b: &FrameParams<'_>,
        shared: Option<&Backdrop>,
        picture: &ImageView,
    ) -> Result<()> {
        let (gpu, renderer) = (&self.gpu_b, &mut self.renderer);
        let record = |frame: &mut Frame| match shared {
            Some(backdrop) => renderer.record_over(frame, b, backdrop, picture),
            None => renderer.record(frame, b, picture),
        };
        frame.prefixed(OF_B, |frame| frame.with_gpu(gpu, record))
    }

    /// Where A and B are to be equal both take the same times: how much a frame traces depends on those of earlier
    /// frames.
    pub fn on_timing(&mut self, timing: &FrameTiming, a: &mut Renderer) -> Result<()> {
        let [own, other] = split(timing);
        a.on_timing(&own)?;
        let is_one = self.step.is_common && self.step.are_equal;
        self.renderer.on_timing(if is_one { &own } else { &other })
    }
}

/// Passes of A, and of B without their prefix; shared ones are passes of both, those that display the pair of none.
pub fn split(timing: &FrameTiming) -> [FrameTiming; 2] {
    let mut both = [timing.clone(), timing.clone()];
    let displayed = timing.passes.iter().position(|pass| pass.name.starts_with(OF_BOTH));
    let displayed = displayed.unwrap_or(usize::MAX);
    both[0].retain_passes(|index, pass| index < displayed && !pass.name.starts_with(OF_B));
    both[1].retain_passes(|_, pass| pass.is_shared || pass.name.starts_with(OF_B));
    for pass in both[1].passes.iter_mut().filter(|pass| !pass.is_shared) {
        pass.name.drain(..OF_B.len());
    }
    both
}
