//! Reflections: mirror rays traced bounce by bounce over the live pixels of a bit mask.

// What only the laboratory uses.
#![cfg_attr(not(feature = "lab"), allow(unused))]

mod bvh;
mod bvh_build;
mod bvh_request;
mod flat;
#[cfg(feature = "lab")]
pub mod lab;
mod passes;
mod pipelines;
mod settings;
mod uniforms;
mod views;

pub use bvh::{Bvh, Limits};
pub use bvh_request::Wake;
pub use passes::{
    mask::{Extent, MirrorInput},
    progressive::SAMPLES_APART,
};
pub use settings::{AutoRays, Mapping, Rate, RaysReason, ReflectionsSettings, Storage, Trace, Traversal, Work};

use self::uniforms::HIT_IDS;
use self::{
    bvh::ResidentBvh,
    bvh_build::Building,
    bvh_request::{BuildRequest, limits},
    passes::{
        hardware::NO_RAY_QUERIES,
        mask::{Bounces, SizeResources, Tracing},
        progressive::Stages,
    },
    pipelines::Pipelines,
    uniforms::{DEPTH_MOST, PlanBlock},
};
use base::timing::FrameTiming;
use glam::Vec2;
use gpu::{Buffer, Error, Feature, Frame, Gpu, ImageView, Result};
use media::array::Element;
use scene::world::{VisibilityId, World};
use std::sync::Arc;
use technique::{COLOURS, FrameContext, Info, Output, OutputInfo, Report, Stage, Technique, numbered};

#[derive(Clone, Copy)]
struct Preferences {
    queues: bool,
    flat: u64,
}

pub struct Reflections {
    gpu: Arc<Gpu>,
    pipelines: Pipelines,
    building: Building,
    bvh: Option<ResidentBvh>,
    held: Option<SizeResources>,
    looked_at: Option<SizeResources>,
    is_by_mask: bool,
    /// A comparison times bounces apart, and takes what was counted: the plan, and lanes and words of each bounce.
    counts_bounces: bool,
    counted: Option<(PlanBlock, Buffer)>,
    stages: Stages,
    prefers: Preferences,
    warms: bool,
    masks: Option<Buffer>,
    keeps_masks: bool,
}

impl Technique for Reflections {
    const INFO: Info = Info {
        id: "reflections",
        title: "Reflections",
        doc: include_str!("../../../docs/reflections.md"),
        stage: Stage::World,
        views: &views::VIEWS,
        outputs: &[
            OutputInfo {
                name: "light",
                doc: "Linear light that the mirrors show before their own colour, and in the fourth channel how many bounces it took; 0: no mirror.",
                elements: &[Element::F16],
                shape: COLOURS,
                needs: MIRRORS,
            },
            OutputInfo {
                name: "mask N",
                doc: "The mask of bounce N (from 0): a bit for each pixel that traces a ray in it, the first pixel of a word in its lowest bit.",
                elements: &[Element::U32],
                shape: "words",
                needs: MIRRORS,
            },
        ],
        meaning: |image, bits| (image == HIT_IDS).then(|| VisibilityId(bits).text()),
        ..Info::NONE
    };
    type Settings = ReflectionsSettings;

    fn new(gpu: &Arc<Gpu>) -> Result<Self> {
        Ok(Self::empty(gpu))
    }

    fn unsupported(settings: &ReflectionsSettings, gpu: &Gpu) -> Option<String> {
        let lacks = settings.traversal == Traversal::Hardware && !gpu.has(Feature::RayQuery);
        let name = &gpu.info().name;
        lacks.then(|| format!("reflections.traversal=hardware: {name}: {}; expected shader", NO_RAY_QUERIES))
    }

    fn draw_view(
        &mut self,
        frame: &mut Frame,
        name: &str,
        settings: &Self::Settings,
        context: &FrameContext,
        picture: &ImageView,
    ) -> Result<bool> {
        let Some(held) = self.held.as_ref().filter(|_| context.world.is_some()) else { return Ok(false) };
        let view = Self::view_index(name)?;
        held.view(frame, &self.pipelines, settings, view, picture)?;
        Ok(true)
    }

    fn prepare_outputs(&mut self, names: &[&str]) {
        self.keeps_masks |= names.iter().any(|name| name.starts_with("mask"));
    }

    fn output(&self, name: &str, context: &FrameContext) -> Option<Output> {
        let held = self.shown().filter(|_| context.world.is_some())?;
        if name == "light" {
            return Some((&held.room.traced.mip(0)).into());
        }
        let bounce = numbered(name, "mask").filter(|bounce| *bounce < held.plan.depth)? as usize;
        let words = held.plan.words as usize;
        let buffer = self.masks.clone()?;
        Some(Output::Part { buffer, first: bounce * words, element: Element::U32, shape: vec![words] })
    }

    fn on_timing(&mut self, timing: &FrameTiming) -> Result<()> {
        self.stages.on_timing(timing);
        Ok(())
    }

    fn table(&self) -> Option<Report> {
        if let Some(problem) = self.building.refusal() {
            return Some(Report {
                title: "Mirrors show the sky only".into(),
                head: vec!["why"],
                rows: vec![vec![problem.into()]],
            });
        }
        let why = self.building.hardware_refusal()?;
        Some(Report { title: "Rays are traced in the shader".into(), head: vec!["why"], rows: vec![vec![why.into()]] })
    }

    fn restart(&mut self) {
        self.stages.restart();
    }
}

const MIRRORS: &str = "a drawn world (scene.source = \"world\") and reflections.depth above 0";

impl Reflections {
    fn empty(gpu: &Arc<Gpu>) -> Self {
        Self {
            gpu: gpu.clone(),
            pipelines: Pipelines::new(gpu),
            building: Building::default(),
            bvh: None,
            held: None,
            looked_at: None,
            is_by_mask: false,
            counts_bounces: false,
            counted: None,
            stages: Stages::default(),
            prefers: Preferences { queues: gpu.policy().runs_on_cpu, flat: gpu.policy().flat_triangles },
            warms: false,
            masks: None,
            keeps_masks: false,
        }
    }

    fn shown(&self) -> Option<&SizeResources> {
        self.looked_at.as_ref().or(self.held.as_ref())
    }

    /// Rgba16F: light before the first mirror's own colour, and the number of bounces.
    pub fn traced(&self) -> Option<ImageView> {
        self.held.as_ref().map(|held| held.room.traced.mip(0))
    }

    /// As packed in `shaders/reflections/ray.glsl`.
    pub fn rays(&self) -> Option<Buffer> {
        self.held.as_ref().map(|held| held.room.state.clone())
    }

    /// Indirect-dispatch records (64 B); word 4 counts primary, secondary and remaining rays. Moving pictures only.
    pub fn lists(&self) -> Option<Buffer> {
        self.held.as_ref().map(|held| held.room.control.clone())
    }

    /// As in `shaders/reflections/first_hits.glsl`. Moving pictures only.
    pub fn met(&self) -> Option<Buffer> {
        self.held.as_ref()?.room.met.clone()
    }

    pub fn visits(&self) -> Option<Buffer> {
        self.held.as_ref().map(|held| held.room.visits.clone())
    }

    /// The hierarchy is built on a thread, which calls `wake`; without `wake` it is waited for. With one, the driver
    /// must have compiled the kernels too ([`warm_up`](Self::warm_up)).
    pub fn is_ready(
        &mut self,
        frame: &mut Frame,
        settings: &ReflectionsSettings,
        world: &Arc<World>,
        wake: Option<&Wake>,
    ) -> Result<bool> {
        self.bvh = match settings.depth {
            0 => None,
            _ => {
                let (has_queues, traversal) = (self.has_queues(settings), settings.traversal);
                let limits = limits(&self.gpu, traversal, self.prefers.flat);
                let asked = BuildRequest { world, wake, has_queues, traversal, limits };
                self.building.get(frame, &self.pipelines, &asked)?
            }
        };
        if self.bvh.is_none() {
            (self.held, self.looked_at, self.masks) = (None, None, None);
            self.stages.forget();
        }
        let form = self.bvh.as_ref().map(ResidentBvh::form);
        let compiles = wake.is_some() && self.has_queues(settings);
        let is_compiled = form.is_some_and(|form| !compiles || self.stages.is_warm_for(form));
        let is_built = form.is_some() || settings.depth == 0 || !self.building.is_building_hardware();
        self.warms = !is_built || form.is_some() && !is_compiled;
        Ok(is_compiled)
    }

    pub fn has_queues(&self, settings: &ReflectionsSettings) -> bool {
        settings.in_queues(self.prefers.queues)
    }

    fn traces_queues(&self, tracing: &Tracing<'_>) -> bool {
        self.has_queues(tracing.settings) && tracing.bvh.has_texels && tracing.input.world.has_texels
    }

    fn tracing<'a>(
        &self,
        settings: &'a ReflectionsSettings,
        input: &'a MirrorInput<'a>,
        scale: f32,
    ) -> Option<Tracing<'a>> {
        let (gpu, pipelines, bvh) = (self.gpu.clone(), self.pipelines.clone(), self.bvh.clone()?);
        Some(Tracing { gpu, pipelines, bvh, settings, input, scale })
    }

    pub fn shared_rays(&self) -> Option<bool> {
        let plan = &self.held.as_ref()?.plan;
        (plan.size == plan.whole).then_some(plan.thinned != 0)
    }

    pub fn is_measuring(&self) -> bool {
        self.counts_bounces
    }

    pub fn is_unfinished(&self) -> bool {
        self.stages.is_tracing() || self.warms
    }

    /// 0 to 1; at rest mirrors are traced once more for every [`SAMPLES_APART`] samples.
    pub fn traced_part(&self) -> Option<f32> {
        if self.warms { Some(0.0) } else { self.stages.traced_part() }
    }

    /// Pipelines and hierarchies stay.
    pub fn pause(&mut self) {
        self.warms = false;
        self.stages.forget();
    }

    /// One more kernel, where compilation takes seconds; `input` is what will be reflected, as far as it exists.
    pub fn warm_up(
        &mut self,
        frame: &mut Frame,
        settings: &ReflectionsSettings,
        input: &MirrorInput<'_>,
    ) -> Result<()> {
        match self.tracing(settings, input, 1.0).filter(|_| self.warms) {
            Some(tracing) => self.stages.warm_up(frame, &tracing),
            None => Ok(()),
        }
    }

    /// For a world for which [`is_ready`](Self::is_ready) was true. Images stay until the next call.
    pub fn record(
        &mut self,
        frame: &mut Frame,
        settings: &ReflectionsSettings,
        input: &MirrorInput<'_>,
        Extent { scale, at_once, moving }: Extent,
    ) -> Result<ImageView> {
        let Some(tracing) = self.tracing(settings, input, scale) else {
            return Err(Error::Pass { pass: "reflections".into(), problem: "the world has no hierarchy yet".into() });
        };
        debug_assert!(settings.depth <= DEPTH_MOST);
        let old = self.held.take();
        self.looked_at = None;
        self.is_by_mask = !self.traces_queues(&tracing);
        let (held, light) = if !self.is_by_mask {
            match at_once {
                true => self.stages.whole(frame, &tracing, old)?,
                false => self.stages.begin(frame, &tracing, old)?,
            }
        } else {
            self.stages.forget();
            let mut plan = tracing.plan(1.0);
            let is_counted = self.is_measuring() || self.keeps_masks;
            if let Some(number) = moving.filter(|_| settings.may_share_rays() && !is_counted) {
                plan = plan.thinned(number);
                self.is_by_mask &= plan.thinned == 0;
            }
            let mut held = tracing.held(old.map(|held| held.room), plan)?;
            let bounces = if self.is_measuring() { Bounces::Apart } else { Bounces::Together };
            if settings.work == Work::Sorted {
                self.is_by_mask = false;
                held.room.add_hits(&self.gpu)?;
                held.record_sorted(frame, &tracing, bounces)?;
            } else {
                held.record(frame, &tracing, bounces)?;
            }
            (held, input.shaded.light.clone())
        };
        self.masks = None;
        if self.is_measuring() || self.keeps_masks {
            let [masks, counts] = held.count(frame, &self.pipelines)?;
            if self.is_measuring() {
                self.counted = Some((held.plan, counts));
            }
            self.masks = self.keeps_masks.then_some(masks);
        }
        self.held = Some(held);
        Ok(light)
    }

    /// From the rays of the last [`record`](Self::record), for other samples of the same pixels, `shift` pixels from
    /// those. For some of the samples `at_rest` (number, and of all) this begins another trace: [`go_on`](Self::go_on).
    pub fn reuse(
        &mut self,
        frame: &mut Frame,
        settings: &ReflectionsSettings,
        input: &MirrorInput<'_>,
        shift: Vec2,
        at_rest: [u32; 2],
    ) -> Result<Option<ImageView>> {
        let tracing = self.tracing(settings, input, 1.0).filter(|_| self.has_queues(settings));
        let (Some(tracing), Some(held)) = (tracing, &mut self.held) else { return Ok(None) };
        self.looked_at = None;
        let light = self.stages.reuse(frame, &tracing, held, shift)?;
        let [number, samples] = at_rest;
        if self.stages.is_due(number, samples) {
            self.stages.begin_again(&tracing, samples)?;
        }
        Ok(Some(light))
    }

    /// For an inspection: the light is the same, and progressive tracing does not advance. `traces`: also rays in
    /// queues.
    pub fn repeat(
        &mut self,
        frame: &mut Frame,
        settings: &ReflectionsSettings,
        input: &MirrorInput<'_>,
        scale: f32,
        traces: bool,
    ) -> Result<ImageView> {
        let tracing = self.tracing(settings, input, scale).filter(|tracing| self.traces_queues(tracing));
        let (Some(tracing), Some(held)) = (tracing, &self.held) else {
            return self.record(frame, settings, input, Extent { scale, ..Extent::WHOLE });
        };
        self.looked_at = match traces {
            true => Some(self.stages.look(frame, &tracing)?),
            false => {
                self.stages.resolve(frame, &tracing, held)?;
                None
            }
        };
        self.stages.lit(&tracing)
    }

    /// With the arguments of the last [`record`](Self::record). Returns whether the light has changed.
    pub fn go_on(
        &mut self,
        frame: &mut Frame,
        settings: &ReflectionsSettings,
        input: &MirrorInput<'_>,
        scale: f32,
    ) -> Result<bool> {
        let Some(tracing) = self.tracing(settings, input, scale) else { return Ok(false) };
        self.looked_at = None;
        let Some(held) = self.stages.go_on(frame, &tracing)? else { return Ok(false) };
        if let Some(old) = self.held.replace(held) {
            self.stages.take_back(old);
        }
        Ok(true)
    }
}
