//! Passes of a frame: mirrors are marked, their rays traced bounce by bounce, and their light added to the picture.

use crate::{
    ReflectionsSettings,
    bvh::ResidentBvh,
    pipelines::Pipelines,
    uniforms::{
        BouncePush, CALL_BYTES, DEPTH_MOST, FOLLOWERS, FollowPush, PlanBlock, SizeBuffers, groups_of, size_for,
    },
};
use base::timing::PassId;
use gpu::{Buffer, Compute, Error, Frame, Gpu, ImageView, Memory, Resource, Result, Sampler};
use scene::world::GpuScene;
use std::sync::Arc;
use technique::{ListByMaterial, MirrorlessShading};

pub const MARK: PassId = PassId::new("reflections/mark");
pub const BOUNCES: PassId = PassId::new("reflections/bounces");
pub const BOUNCE: PassId = PassId::new("reflections/bounce");

#[derive(Clone, Copy)]
pub struct MirrorInput<'a> {
    pub world: &'a GpuScene,
    pub ids: &'a ImageView,
    /// As large as `ids`.
    pub shaded: &'a MirrorlessShading,
    pub lists: &'a dyn ListByMaterial,
}

pub struct Tracing<'a> {
    pub gpu: Arc<Gpu>,
    pub pipelines: Pipelines,
    pub bvh: ResidentBvh,
    pub settings: &'a ReflectionsSettings,
    pub input: &'a MirrorInput<'a>,
    pub scale: f32,
}

impl Tracing<'_> {
    pub fn kinds(&self) -> u32 {
        self.input.shaded.around.kinds
    }

    pub fn held(&self, old: Option<SizeBuffers>, plan: PlanBlock) -> Result<SizeResources> {
        Ok(SizeResources { plan, room: SizeBuffers::fitting(&self.gpu, old, &plan)? })
    }

    pub fn plan(&self, part: f32) -> PlanBlock {
        let whole = self.input.ids.size();
        let size = size_for(self.gpu.info(), whole, self.settings.scale * self.scale * part);
        PlanBlock::new(self.settings, self.gpu.policy(), size, whole)
    }
}

#[derive(Clone, Copy)]
pub struct Extent {
    pub scale: f32,
    /// In queues all of them, otherwise a few.
    pub at_once: bool,
    /// Frame number of a moving picture with accumulated samples: weak mirrors have fewer rays.
    pub moving: Option<u32>,
}

impl Extent {
    pub const WHOLE: Self = Self { scale: 1.0, at_once: true, moving: None };
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Bounces {
    Together,
    Apart,
    First(u32),
}

pub struct SizeResources {
    pub plan: PlanBlock,
    pub room: SizeBuffers,
}

pub fn named<'f>(pass: Compute<'f>, what: &[(&'static str, Resource)]) -> Compute<'f> {
    pass.bind_named(what.iter().map(|(name, resource)| (*name, resource.clone())))
}

impl SizeResources {
    pub fn shared(&self, plan: &Buffer) -> Vec<(&'static str, Resource)> {
        vec![
            ("plan", plan.into()),
            ("Control", (&self.room.control).into()),
            ("Work", (&self.room.work).into()),
            ("State", (&self.room.state).into()),
            ("Visits", (&self.room.visits).into()),
        ]
    }

    pub fn mark(
        &self,
        frame: &mut Frame,
        pipelines: &Pipelines,
        shader: &'static str,
        plan: &Buffer,
        more: &[(&'static str, Resource)],
    ) -> Result<()> {
        frame.fill("reflections/clear", &self.room.control, 0)?;
        let shared = self.shared(plan);
        let pipeline = pipelines.by_words(shader)?;
        let pass = named(named(frame.compute(MARK, &pipeline), &shared), more);
        pass.dispatch_groups(groups_of(self.plan.words))?;
        let pipeline = pipelines.plain("begin")?;
        named(frame.compute("reflections/begin", &pipeline), &shared).dispatch_groups([1, 1, 1])
    }

    pub fn bounce(
        &self,
        frame: &mut Frame,
        pipeline: &gpu::ComputePipeline,
        bounces: Bounces,
        plan: &Buffer,
        more: &[(&'static str, Resource)],
    ) -> Result<()> {
        let shared = self.shared(plan);
        let call = |bounce: u32| (CALL_BYTES * u64::from(bounce), BouncePush { bounce });
        let mut passes: Vec<(String, Vec<_>)> = match bounces {
            Bounces::Together => vec![(BOUNCES.into(), (0..self.plan.depth).map(call).collect())],
            Bounces::First(some) => vec![(BOUNCES.into(), (0..some).map(call).collect())],
            Bounces::Apart => (0..self.plan.depth).map(|bounce| (pass_of(bounce), vec![call(bounce)])).collect(),
        };
        for (name, calls) in passes.drain(..) {
            let pass = named(named(frame.compute(name, pipeline), &shared), more);
            pass.dispatch_chain(&self.room.control, &calls)?;
        }
        Ok(())
    }

    pub fn record(&self, frame: &mut Frame, tracing: &Tracing<'_>, bounces: Bounces) -> Result<()> {
        if self.plan.thinned != 0 {
            self.follow(frame, tracing)?;
            return self.resolve(frame, tracing);
        }
        let Tracing { pipelines, bvh, .. } = tracing;
        let plan = frame.data("reflections plan", &[self.plan])?;
        let seen = self.seen(&plan, tracing);
        self.mark(frame, pipelines, "mark", &plan, &seen)?;
        let pipeline = pipelines.bounce(tracing.kinds(), bvh.form())?;
        self.bounce(frame, &pipeline, bounces, &plan, &seen)?;
        self.resolve(frame, tracing)
    }

    /// Rays of one pixel in 2x2, then the others by the triangles that these hit, then the rest.
    fn follow(&self, frame: &mut Frame, tracing: &Tracing<'_>) -> Result<()> {
        let Tracing { pipelines, bvh, .. } = tracing;
        let plan = frame.data("reflections plan", &[self.plan])?;
        let missing = || Error::Pass { pass: BOUNCES.into(), problem: "there is no buffer for what rays met".into() };
        let met = self.room.met.as_ref().ok_or_else(missing)?;
        let mut seen = self.seen(&plan, tracing);
        seen.push(("Met", met.into()));
        frame.fill("reflections/clear", &self.room.control, 0)?;
        let [width, height] = self.plan.size.to_array();
        let blocks = width.div_ceil(16) * height.div_ceil(8);
        let gather = pipelines.plain("gather")?;
        named(frame.compute(MARK, &gather), &seen).dispatch_groups(groups_of(blocks.div_ceil(2)))?;
        for (list, pixels) in [(0, 128), (1, 96), (2, 96)] {
            let pipeline = pipelines.follow(tracing.kinds(), bvh.form(), list == 1)?;
            let pass = named(frame.compute(BOUNCES, &pipeline), &seen).push(&FollowPush { list });
            pass.dispatch_groups(groups_of((blocks * pixels).div_ceil(FOLLOWERS)))?;
        }
        Ok(())
    }

    pub fn seen(&self, plan: &Buffer, Tracing { bvh, input, .. }: &Tracing<'_>) -> Vec<(&'static str, Resource)> {
        let nearest = |view: &ImageView| Resource::from(view.clone().through(Sampler::NearestClamp));
        let mut seen: Vec<_> = input.world.bindings().into_iter().chain(bvh.bindings()).collect();
        seen.extend(input.shaded.around.bindings.iter().cloned());
        seen.extend(self.shared(plan));
        seen.extend([("ids", nearest(input.ids)), ("mirrors", nearest(&input.shaded.mirrors))]);
        seen.push(("traced_light", (&self.room.traced.mip(0)).into()));
        seen
    }

    pub fn resolve(&self, frame: &mut Frame, Tracing { pipelines, input, .. }: &Tracing<'_>) -> Result<()> {
        let plan = frame.data("reflections plan", &[self.plan])?;
        let bound = self.resolved(&plan, input, &input.shaded.light);
        let pipeline = pipelines.plain("resolve")?;
        named(frame.compute("reflections/resolve", &pipeline), &bound).dispatch(input.ids.size())
    }

    pub fn resolved(&self, plan: &Buffer, input: &MirrorInput<'_>, hdr: &ImageView) -> Vec<(&'static str, Resource)> {
        let nearest = |view: &ImageView| Resource::from(view.clone().through(Sampler::NearestClamp));
        let mut bound = input.world.bindings();
        bound.extend(input.shaded.around.bindings.iter().cloned());
        bound.extend([
            ("ids", nearest(input.ids)),
            ("mirrors", nearest(&input.shaded.mirrors)),
            ("light", nearest(&input.shaded.light)),
            ("plan", plan.into()),
            ("traced_light", nearest(&self.room.traced.mip(0))),
            ("hdr", hdr.into()),
        ]);
        bound
    }

    pub fn count(&self, frame: &mut Frame, pipelines: &Pipelines) -> Result<[Buffer; 2]> {
        let plan = frame.data("reflections plan", &[self.plan])?;
        let gpu = frame.gpu().clone();
        let bytes = 4 * u64::from(self.plan.words) * u64::from(DEPTH_MOST);
        let masks = Buffer::new(&gpu, "reflections masks", bytes, Memory::Device)?;
        let counts = Buffer::new(&gpu, "reflections counts", 8 * u64::from(DEPTH_MOST), Memory::Device)?;
        frame.fill("reflections/clear counts", &counts, 0)?;
        let traced = self.room.traced.mip(0).through(Sampler::NearestClamp);
        let pipeline = pipelines.by_words("count")?;
        let pass = named(frame.compute("reflections/count", &pipeline), &self.shared(&plan));
        let pass = pass.bind("traced_light", traced).bind("Masks", &masks).bind("Counts", &counts);
        pass.dispatch_groups(groups_of(self.plan.words))?;
        Ok([masks, counts])
    }

    pub fn view(
        &self,
        frame: &mut Frame,
        pipelines: &Pipelines,
        settings: &ReflectionsSettings,
        view: u32,
        picture: &ImageView,
    ) -> Result<()> {
        let plan = PlanBlock { view, view_bounce: settings.view_bounce, ..self.plan };
        let plan = frame.data("reflections plan", &[plan])?;
        let traced = self.room.traced.mip(0).through(Sampler::NearestClamp);
        let pipeline = pipelines.plain("view")?;
        let pass = frame.compute("reflections/view", &pipeline).bind("plan", &plan).bind("Visits", &self.room.visits);
        pass.bind("traced_light", traced).bind("picture", picture).dispatch(picture.size())
    }
}

pub fn pass_of(bounce: u32) -> String {
    BOUNCE.part(bounce + 1)
}
