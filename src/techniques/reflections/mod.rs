//! Reflections: what mirrors show, traced bounce by bounce over the pixels that a mask of bits says are live.

mod bench;
mod building;
mod bvh;
mod checks;
mod measure;
mod oracle;
mod passes;
mod pipelines;
mod plan;
mod scenes;
mod settings;
mod view_checks;
mod views;

pub use building::Wake;
pub use bvh::{Bvh, Limits};
pub use checks::{CastRay, Found, cast};
pub use passes::MirrorInput;
pub use scenes::{GLOW, furnace, mirror_room};
pub use settings::{Mapping, ReflectionsSettings, Storage, Work};

use self::{
    building::Building,
    bvh::ResidentBvh,
    measure::Measure,
    passes::{Bounces, Held},
    pipelines::{Lanes, Pipelines},
    plan::{DEPTH_MOST, PlanBlock, Room, size_for},
};
use super::{COLOURS, FrameContext, Output, OutputInfo, Report, Stage, Technique, ViewInfo, output::numbered};
use crate::{
    base::{array::Element, timing::FrameTiming},
    gpu::{Buffer, Error, Frame, Gpu, ImageView, Result},
    lab::{Bench, Check},
    scene::world::World,
};
use std::sync::Arc;

/// See the module.
pub struct Reflections {
    gpu: Arc<Gpu>,
    pipelines: Pipelines,
    building: Building,
    bvh: Option<ResidentBvh>,
    held: Option<Held>,
    measure: Measure,
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
    type Settings = ReflectionsSettings;

    fn new(gpu: &Arc<Gpu>) -> Result<Self> {
        Ok(Self::empty(gpu))
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
        let Some(view) = views::VIEWS.iter().position(|view| view.name == name) else {
            return Err(Error::Pass { pass: "reflections/view".into(), problem: format!("no view {name}") });
        };
        held.view(frame, &self.pipelines, settings, view as u32, picture)?;
        Ok(true)
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

    fn on_timing(&mut self, timing: &FrameTiming) -> Result<()> {
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
        self.measure.report()
    }

    fn checks() -> Vec<Check> {
        checks::all()
    }

    fn benches() -> Vec<Bench> {
        vec![bench::STENCIL]
    }
}

/// [`OutputInfo::needs`] of what is made of mirrors.
const MIRRORS: &str = "a drawn world (scene.source = \"world\") and reflections.depth above 0";

impl Reflections {
    /// From now on the masks of all bounces are kept: outputs are read.
    pub fn keep_masks(&mut self) {
        self.keeps_masks = true;
    }

    /// One for each way in which the device can put words together: for what compares them.
    #[must_use]
    pub fn variants(gpu: &Arc<Gpu>) -> Vec<(String, Self)> {
        let variant = |lanes: &Lanes| {
            let pipelines = Pipelines::with_lanes(gpu, *lanes);
            (format!("{lanes:?}"), Self { pipelines, ..Self::empty(gpu) })
        };
        Lanes::all(gpu).iter().map(variant).collect()
    }

    fn empty(gpu: &Arc<Gpu>) -> Self {
        Self {
            gpu: gpu.clone(),
            pipelines: Pipelines::new(gpu),
            building: Building::default(),
            bvh: None,
            held: None,
            measure: Measure::default(),
            masks: None,
            keeps_masks: false,
        }
    }

    /// What the last call of [`record`](Self::record) traced, Rgba16F: light before the first mirror's own colour, and how many bounces
    /// it took.
    #[must_use]
    pub fn traced(&self) -> Option<ImageView> {
        self.held.as_ref().map(|held| held.room.traced.mip(0))
    }

    /// Whether `world` can be traced now: its hierarchy is built on a thread, which calls `wake`; without `wake` it is waited for.
    /// Never where `settings` want no reflections, or the world is too large (the table says so then).
    ///
    /// # Errors
    /// What the GPU floor says.
    pub fn is_ready(
        &mut self,
        frame: &mut Frame,
        settings: &ReflectionsSettings,
        world: &Arc<World>,
        wake: Option<&Wake>,
    ) -> Result<bool> {
        self.bvh = match settings.depth {
            0 => None,
            _ => self.building.get(frame, &self.pipelines, world, wake)?,
        };
        if self.bvh.is_none() {
            (self.held, self.masks) = (None, None);
            self.measure.forget();
        }
        Ok(self.bvh.is_some())
    }

    /// Completes the light of a world for which [`is_ready`](Self::is_ready) said so: traces its mirrors with `scale` times the pixels
    /// of the settings' own scale along each side. Images stay as they are until the next call.
    ///
    /// # Errors
    /// What the GPU floor says; that there is no hierarchy.
    pub fn record(
        &mut self,
        frame: &mut Frame,
        settings: &ReflectionsSettings,
        input: &MirrorInput<'_>,
        scale: f32,
    ) -> Result<()> {
        let Some(bvh) = self.bvh.clone() else {
            return Err(Error::Pass { pass: "reflections".into(), problem: "the world has no hierarchy yet".into() });
        };
        let whole = input.ids.size();
        let size = size_for(self.gpu.facts(), whole, settings.scale * scale);
        let plan = PlanBlock::new(settings, self.gpu.facts(), size, whole);
        let room = Room::fitting(&self.gpu, self.held.take().map(|held| held.room), &plan)?;
        let held = Held { plan, room };
        let bounces = if settings.measure { Bounces::Apart } else { Bounces::Together };
        held.record(frame, &self.pipelines, &bvh, input, bounces)?;
        self.masks = None;
        if settings.measure || self.keeps_masks {
            let [masks, counts] = held.count(frame, &self.pipelines)?;
            if settings.measure {
                self.measure.begin(frame, &held.plan, &counts)?;
            }
            self.masks = self.keeps_masks.then_some(masks);
        }
        if !settings.measure {
            self.measure.forget();
        }
        self.held = Some(held);
        debug_assert!(settings.depth <= DEPTH_MOST);
        Ok(())
    }
}
