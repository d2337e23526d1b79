//! Reflections: mirror rays traced bounce by bounce over the live pixels of a bit mask.

mod bench;
mod breaks;
mod bvh;
mod bvh_build;
mod bvh_request;
mod checks;
mod fence;
mod flat;
mod hardware;
mod hardware_checks;
mod measure;
mod passes;
mod pipelines;
mod progressive;
mod ray_queues;
mod reference;
mod replay;
mod scenes;
mod settings;
mod sorted_hits;
mod source_table;
mod story;
mod uniforms;
mod view_checks;
mod views;

pub use bvh::{Bvh, Limits};
pub use bvh_request::Wake;
pub use checks::{CastHit, cast};
pub use fence::fenced_mirror;
pub use passes::{BOUNCE, BOUNCES, Extent, MirrorInput};
pub use reference::rays::{RayHit, Target, all_met, targets};
pub use scenes::{
    CastRay, GLOW, TiledRoom, coated_balls, dim_mirrors, furnace, mirror_cell, mirror_room, plane_mirror, tiled_room,
};
pub use settings::{Mapping, Rate, ReflectionsSettings, Storage, Trace, Traversal, Work};
pub use source_table::{RATE_ROWS, SOURCE as STENCIL_SOURCE};

use self::{
    bvh::ResidentBvh,
    bvh_build::Building,
    bvh_request::{BuildRequest, limits},
    measure::Measure,
    passes::{Bounces, SizeResources},
    pipelines::{Lanes, Pipelines},
    progressive::{Around, Stages},
    replay::Replayed,
    uniforms::{DEPTH_MOST, PlanBlock, SizeBuffers, size_for},
};
use super::{
    COLOURS, FrameContext, Measures, Output, OutputInfo, Replay, Report, Stage, Step, StoryPixel, StoryPoint,
    Technique, ViewInfo, output::numbered,
};
use crate::{
    base::{array::Element, timing::FrameTiming},
    gpu::{Buffer, Error, Feature, Frame, Gpu, ImageView, Result},
    lab::{Bench, BreakInfo, Card, Check, Comparison, SourceTable},
    scene::world::World,
};
use glam::Vec2;
use std::sync::Arc;

/// What the device's policy says, unless a check asks for something else.
#[derive(Clone, Copy)]
struct Preferences {
    /// Software drivers work by queues unless configured otherwise.
    queues: bool,
    /// [`Limits::flat`](bvh::Limits::flat).
    flat: u64,
}

/// The reflection technique.
pub struct Reflections {
    gpu: Arc<Gpu>,
    pipelines: Pipelines,
    building: Building,
    bvh: Option<ResidentBvh>,
    held: Option<SizeResources>,
    /// That found its work in a mask.
    is_by_mask: bool,
    measure: Measure,
    stages: Stages,
    prefers: Preferences,
    /// Something is to be built or compiled before anything is traced.
    warms: bool,
    /// The masks of the last frame, where they are wanted.
    masks: Option<Buffer>,
    keeps_masks: bool,
}

impl Technique for Reflections {
    const ID: &'static str = "reflections";
    const TITLE: &'static str = "Reflections";
    const DOC: &'static str = include_str!("../../../docs/reflections.md");
    const STAGE: Stage = Stage::World;
    const VIEWS: &'static [ViewInfo] = &views::VIEWS;
    const OUTPUTS: &'static [OutputInfo] = &[
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
    ];
    const MEASURES: Option<Measures> = Some(Measures {
        label: "Measure bounces",
        doc: "Time, live pixels, threads with work and skipped words of each bounce.",
        chooses: "",
    });
    const REPLAYS: &'static str = "The bit stencil of one tile: words, ballots and lists from bounce to bounce.";
    const BREAKS: &'static [BreakInfo] = breaks::BREAKS;
    type Settings = ReflectionsSettings;

    fn new(gpu: &Arc<Gpu>) -> Result<Self> {
        Ok(Self::empty(gpu))
    }

    fn unsupported(settings: &ReflectionsSettings, gpu: &Gpu) -> Option<String> {
        let lacks = settings.traversal == Traversal::Hardware && !gpu.has(Feature::RayQuery);
        let name = &gpu.info().name;
        lacks.then(|| format!("reflections.traversal=hardware: {name}: {}; expected shader", hardware::NO_RAY_QUERIES))
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
        let held = self.held.as_ref().filter(|_| context.world.is_some())?;
        if name == "light" {
            return Some((&held.room.traced.mip(0)).into());
        }
        let bounce = numbered(name, "mask").filter(|bounce| *bounce < held.plan.depth)? as usize;
        let words = held.plan.words as usize;
        let buffer = self.masks.clone()?;
        Some(Output::Part { buffer, first: bounce * words, element: Element::U32, shape: vec![words] })
    }

    fn story_points() -> Vec<StoryPoint> {
        story::points()
    }

    fn evidence(&self, context: &FrameContext) -> Vec<(&'static str, Output)> {
        story::evidence(self.output("light", context), context)
    }

    fn explain(&self, _: &ReflectionsSettings, pixel: &StoryPixel<'_>) -> Vec<Step> {
        story::explain(pixel)
    }

    fn record_replay(
        &self,
        frame: &mut Frame,
        settings: &Self::Settings,
        context: &FrameContext,
    ) -> Result<Vec<(&'static str, Output)>> {
        match context.world {
            Some(_) => replay::record(&self.replayed(), frame, settings),
            None => Ok(Vec::new()),
        }
    }

    fn replay(&self, settings: &Self::Settings, pixel: &StoryPixel<'_>) -> std::result::Result<Replay, String> {
        replay::replay(&self.replayed(), settings, pixel)
    }

    fn on_timing(&mut self, timing: &FrameTiming) -> Result<()> {
        self.stages.on_timing(timing);
        self.measure.on_timing(timing)
    }

    fn wants_frame(&self) -> bool {
        self.measure.is_pending()
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

    fn comparison(&mut self) -> Option<&mut Comparison> {
        Some(&mut self.measure.comparison)
    }

    fn card(&self) -> Card {
        self.measure.card()
    }

    fn why_not_measured(&self, settings: &ReflectionsSettings) -> Option<String> {
        if settings.trace == Trace::Off || settings.depth == 0 {
            return Some("Mirrors show the sky only".into());
        }
        self.building.refusal().map(str::to_owned)
    }

    fn restart(&mut self) {
        self.stages.restart();
    }

    fn checks() -> Vec<Check> {
        vec![
            Check::of::<checks::Stencil>().depends_on_subgroups(),
            Check::of::<checks::Rays>(),
            Check::of::<hardware_checks::HardwareRays>(),
            Check::of::<view_checks::Views>().depends_on_subgroups(),
        ]
    }

    fn benches() -> Vec<Bench> {
        vec![bench::STENCIL]
    }

    fn source_tables() -> Vec<SourceTable> {
        vec![source_table::FLAGS]
    }
}

/// [`OutputInfo::needs`] of what is made of mirrors.
const MIRRORS: &str = "a drawn world (scene.source = \"world\") and reflections.depth above 0";

impl Reflections {
    /// One for each way in which the device can put words together: for what compares them.
    #[must_use]
    pub fn variants(gpu: &Arc<Gpu>) -> Vec<(String, Self)> {
        let variant = |lanes: &Lanes| {
            let pipelines = Pipelines::with_lanes(gpu, *lanes);
            let own = Self::empty(gpu);
            let prefers = Preferences { queues: false, ..own.prefers };
            (format!("{lanes:?}"), Self { pipelines, prefers, ..own })
        };
        Lanes::all(gpu).iter().map(variant).collect()
    }

    /// With hierarchies of one level, or of two, also where the device has the others.
    #[must_use]
    pub fn with_levels(gpu: &Arc<Gpu>, is_flat: bool) -> Self {
        let own = Self::empty(gpu);
        Self { prefers: Preferences { flat: if is_flat { u64::MAX } else { 0 }, ..own.prefers }, ..own }
    }

    fn empty(gpu: &Arc<Gpu>) -> Self {
        Self {
            gpu: gpu.clone(),
            pipelines: Pipelines::new(gpu),
            building: Building::default(),
            bvh: None,
            held: None,
            is_by_mask: false,
            measure: Measure::default(),
            stages: Stages::default(),
            prefers: Preferences { queues: gpu.policy().ray_queues, flat: gpu.policy().flat_triangles },
            warms: false,
            masks: None,
            keeps_masks: false,
        }
    }

    fn replayed(&self) -> Replayed<'_> {
        let Self { gpu, pipelines, held, is_by_mask, .. } = self;
        Replayed { gpu, pipelines, held: held.as_ref(), is_by_mask: *is_by_mask }
    }

    /// Result of the last call of [`record`](Self::record), Rgba16F: light before the first mirror's own colour, and how many bounces
    /// it took.
    #[must_use]
    pub fn traced(&self) -> Option<ImageView> {
        self.held.as_ref().map(|held| held.room.traced.mip(0))
    }

    /// The ray that each item went on with last in that call, as `shaders/reflections/ray.glsl` packs it.
    #[must_use]
    pub fn rays(&self) -> Option<Buffer> {
        self.held.as_ref().map(|held| held.room.state.clone())
    }

    /// Of a moving picture the 64-byte calls, of which word 4 is how many rays came first, were others, and were left of the others.
    #[must_use]
    pub fn lists(&self) -> Option<Buffer> {
        self.held.as_ref().map(|held| held.room.control.clone())
    }

    /// Of a moving picture what the first rays met, as `shaders/reflections/met.glsl` has it.
    #[must_use]
    pub fn met(&self) -> Option<Buffer> {
        self.held.as_ref()?.room.met.clone()
    }

    /// Nodes visited by the rays of each item in that call, in the order of the mask.
    #[must_use]
    pub fn visits(&self) -> Option<Buffer> {
        self.held.as_ref().map(|held| held.room.visits.clone())
    }

    /// Whether `world` can be traced now: its hierarchy is built on a thread, which calls `wake`; without `wake` it is waited for. Where
    /// the window is woken, the driver must have compiled the kernels, too: [`warm_up`](Self::warm_up).
    /// Never where `settings` want no reflections, or the world is too large (the table says so then).
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
            (self.held, self.masks) = (None, None);
            self.stages.forget();
        }
        let form = self.bvh.as_ref().map(ResidentBvh::form);
        let compiles = wake.is_some() && self.has_queues(settings);
        let is_compiled = form.is_some_and(|form| !compiles || self.stages.is_warm_for(form));
        let is_built = form.is_some() || settings.depth == 0 || !self.building.is_building_hardware();
        self.warms = !is_built || form.is_some() && !is_compiled;
        Ok(is_compiled)
    }

    /// Whether rays wait in queues.
    fn has_queues(&self, settings: &ReflectionsSettings) -> bool {
        settings.in_queues(self.prefers.queues)
    }

    /// Whether bounces are measured: each frame is to trace all of them.
    #[must_use]
    pub fn is_measuring(&self) -> bool {
        self.measure.comparison.is_active()
    }

    /// Whether another frame would trace more, or compile more for it.
    #[must_use]
    pub fn is_unfinished(&self) -> bool {
        self.stages.is_tracing() || self.warms
    }

    /// Pauses the mirrors: no frame is requested for them. Compiled pipelines and built hierarchies stay.
    pub fn pause(&mut self) {
        self.warms = false;
        self.stages.forget();
    }

    /// Lets the driver compile one more kernel, where it compiles for seconds in all: `input` is what will be reflected, as far as it is
    /// there.
    pub fn warm_up(
        &mut self,
        frame: &mut Frame,
        settings: &ReflectionsSettings,
        input: &MirrorInput<'_>,
    ) -> Result<()> {
        let Some(bvh) = self.bvh.clone().filter(|_| self.warms) else { return Ok(()) };
        let (gpu, pipelines) = (self.gpu.clone(), self.pipelines.clone());
        let around = Around { gpu: &gpu, pipelines: &pipelines, bvh: &bvh, settings, input, scale: 1.0 };
        self.stages.warm_up(frame, &around)
    }

    /// Completes the light of a world for which [`is_ready`](Self::is_ready) said so. The light, and other images, stay as they are until
    /// the next call.
    ///
    /// # Errors
    /// There is no hierarchy, or an error of the GPU.
    pub fn record(
        &mut self,
        frame: &mut Frame,
        settings: &ReflectionsSettings,
        input: &MirrorInput<'_>,
        Extent { scale, at_once, moving }: Extent,
    ) -> Result<ImageView> {
        let Some(bvh) = self.bvh.clone() else {
            return Err(Error::Pass { pass: "reflections".into(), problem: "the world has no hierarchy yet".into() });
        };
        debug_assert!(settings.depth <= DEPTH_MOST);
        let old = self.held.take();
        self.is_by_mask = !(self.has_queues(settings) && bvh.has_texels && input.world.has_texels);
        let (held, light) = if !self.is_by_mask {
            let (gpu, pipelines) = (self.gpu.clone(), self.pipelines.clone());
            let around = Around { gpu: &gpu, pipelines: &pipelines, bvh: &bvh, settings, input, scale };
            match at_once {
                true => self.stages.whole(frame, &around, old)?,
                false => self.stages.begin(frame, &around, old)?,
            }
        } else {
            self.stages.forget();
            let whole = input.ids.size();
            let size = size_for(self.gpu.info(), whole, settings.scale * scale);
            let mut plan = PlanBlock::new(settings, self.gpu.policy(), size, whole);
            // Masks and bounces are of all mirrors.
            let is_counted = self.is_measuring() || self.keeps_masks;
            if let Some(number) = moving.filter(|_| settings.thins() && !is_counted) {
                plan = plan.thinned(number);
                self.is_by_mask &= plan.thinned == 0;
            }
            let mut held =
                SizeResources { plan, room: SizeBuffers::fitting(&self.gpu, old.map(|held| held.room), &plan)? };
            let bounces = if self.is_measuring() { Bounces::Apart } else { Bounces::Together };
            if settings.work == Work::Sorted {
                self.is_by_mask = false;
                held.room.add_hits(&self.gpu)?;
                held.record_sorted(frame, &self.pipelines, &bvh, input, bounces)?;
            } else {
                held.record(frame, &self.pipelines, &bvh, input, bounces)?;
            }
            (held, input.shaded.light.clone())
        };
        self.masks = None;
        if self.is_measuring() || self.keeps_masks {
            let [masks, counts] = held.count(frame, &self.pipelines)?;
            if self.is_measuring() {
                self.measure.begin(frame, &held.plan, &counts)?;
            }
            self.masks = self.keeps_masks.then_some(masks);
        }
        self.held = Some(held);
        Ok(light)
    }

    /// Completes the light of a world of which the last call of [`record`](Self::record) has seen other samples of the same pixels, with
    /// what was traced then; these are `shift` pixels from those. Nothing where rays wait in no queues. For some of the samples `at_rest`
    /// (the number of this one, and of all) this begins to trace mirrors once more: [`go_on`](Self::go_on).
    pub fn reuse(
        &mut self,
        frame: &mut Frame,
        settings: &ReflectionsSettings,
        input: &MirrorInput<'_>,
        shift: Vec2,
        at_rest: [u32; 2],
    ) -> Result<Option<ImageView>> {
        let has_queues = self.has_queues(settings);
        let (Some(bvh), Some(held)) = (self.bvh.clone().filter(|_| has_queues), &mut self.held) else {
            return Ok(None);
        };
        let (gpu, pipelines) = (self.gpu.clone(), self.pipelines.clone());
        let around = Around { gpu: &gpu, pipelines: &pipelines, bvh: &bvh, settings, input, scale: 1.0 };
        let light = self.stages.reuse(frame, &around, held, shift)?;
        let [number, samples] = at_rest;
        if self.stages.is_due(number, samples) {
            self.stages.begin_again(&around, samples)?;
        }
        Ok(Some(light))
    }

    /// Continues the last call of [`record`](Self::record), with the same arguments. Returns whether the light has changed.
    pub fn go_on(
        &mut self,
        frame: &mut Frame,
        settings: &ReflectionsSettings,
        input: &MirrorInput<'_>,
        scale: f32,
    ) -> Result<bool> {
        let Some(bvh) = self.bvh.clone() else { return Ok(false) };
        let (gpu, pipelines) = (self.gpu.clone(), self.pipelines.clone());
        let around = Around { gpu: &gpu, pipelines: &pipelines, bvh: &bvh, settings, input, scale };
        let Some(held) = self.stages.go_on(frame, &around)? else { return Ok(false) };
        if let Some(old) = self.held.replace(held) {
            self.stages.take_back(old);
        }
        Ok(true)
    }
}
