//! Lazily created pipelines, made by the thread that builds the hierarchies or by the frame.

use super::{
    bvh::{Form, InstanceTransform},
    uniforms::{BouncePush, FollowPush, PlanBlock, QueuePush},
};
use crate::gpu::{ComputePipeline, Feature, Gpu, PipelineCache, Result};
use std::sync::Arc;

/// Assembly of a word from its threads' flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Lanes {
    /// In shared memory.
    Shared,
    /// By ballots of subgroups as the driver makes them.
    Usual,
    /// By ballots of full subgroups of this size.
    Of(u32),
}

impl Lanes {
    fn best(gpu: &Gpu) -> Self {
        let subgroup = gpu.info().subgroup;
        match gpu.has(Feature::SubgroupShuffle) {
            true if subgroup.control && subgroup.size <= 32 => Self::Of(subgroup.size),
            true => Self::Usual,
            false => Self::Shared,
        }
    }

    /// Every way that the device has.
    pub fn all(gpu: &Gpu) -> Vec<Self> {
        let subgroup = gpu.info().subgroup;
        let mut all = vec![Self::Shared];
        if gpu.has(Feature::SubgroupShuffle) {
            all.push(Self::Usual);
            let sizes = (2..=7).map(|power| 1 << power).filter(|size| (subgroup.min..=subgroup.max).contains(size));
            all.extend(sizes.filter(|_| subgroup.control).map(Self::Of));
        }
        all
    }
}

/// Key of a pipeline: its shader, kinds of material, traversal of the hierarchies.
type Key = (&'static str, u32, Option<Form>);

/// `ONE_LOOP` of `shaders/reflections/trace.glsl`: the form that the traversal has on this device.
fn one_loop(gpu: &Gpu) -> (&'static str, u32) {
    ("ONE_LOOP", u32::from(gpu.policy().one_loop_traversal))
}

/// `FLAT` of the same shader: the hierarchy has one level.
fn flat(is_flat: bool) -> (&'static str, u32) {
    ("FLAT", u32::from(is_flat))
}

/// The shaders that work by queues.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Queue {
    Mark,
    Meet,
    /// Kinds of material, a bit for each, and those of [`TRAITS`](crate::scene::world::TRAITS) that the world has.
    Kinds(u32),
    Sky,
    Resolve,
}

/// Clones share their pipelines.
#[derive(Clone)]
pub struct Pipelines {
    gpu: Arc<Gpu>,
    lanes: Lanes,
    made: PipelineCache<Key>,
    queues: PipelineCache<(Queue, Option<Form>)>,
}

impl Pipelines {
    pub fn new(gpu: &Arc<Gpu>) -> Self {
        Self::with_lanes(gpu, Lanes::best(gpu))
    }

    pub fn with_lanes(gpu: &Arc<Gpu>, lanes: Lanes) -> Self {
        Self { gpu: gpu.clone(), lanes, made: PipelineCache::default(), queues: PipelineCache::default() }
    }

    /// Lanes that vote together; none where words are put together in shared memory.
    pub fn ballot(&self) -> Option<u32> {
        match self.lanes {
            Lanes::Shared => None,
            Lanes::Usual => Some(self.gpu.info().subgroup.size),
            Lanes::Of(size) => Some(size),
        }
    }

    /// A shader of this folder that puts no words together.
    pub fn plain(&self, shader: &'static str) -> Result<ComputePipeline> {
        self.made.get((shader, 0, None), |_| {
            let variant = if shader == "resolve" { ":over" } else { "" };
            let made = ComputePipeline::new(&self.gpu, &format!("reflections/{shader}.comp{variant}"), &[])?;
            made.with_struct::<PlanBlock>("plan")
        })
    }

    /// One that puts words together.
    pub fn by_words(&self, shader: &'static str) -> Result<ComputePipeline> {
        self.made.get((shader, 0, None), |_| self.words(shader, "", &[]))
    }

    /// The bounce for these kinds of material.
    pub fn bounce(&self, kinds: u32, form: Form) -> Result<ComputePipeline> {
        self.made.get(("bounce", kinds, Some(form)), |_| {
            let made = match form {
                Form::Shader { stack, cuts, is_flat } => {
                    let cuts = ("CUTS", u32::from(cuts));
                    let constants = [("KINDS", kinds), ("STACK", stack), one_loop(&self.gpu), flat(is_flat), cuts];
                    self.words("bounce", "", &constants)?
                }
                Form::Hardware { cuts } => {
                    self.words("bounce", "_hardware", &[("KINDS", kinds), ("CUTS", u32::from(cuts))])?
                }
            };
            made.with_push::<BouncePush>()?.with_struct::<InstanceTransform>("Placings")
        })
    }

    /// All bounces of a moving picture: by the hierarchy, or by what the rays around met.
    pub fn follow(&self, kinds: u32, form: Form, takes_over: bool) -> Result<ComputePipeline> {
        let (cuts, is_flat) = match form {
            Form::Shader { cuts, is_flat, .. } => (cuts, is_flat),
            Form::Hardware { cuts } => (cuts, false),
        };
        // What takes over goes through no hierarchy: its depth makes no difference.
        let (name, form) = match takes_over {
            true => ("follow others", Form::Shader { stack: 0, cuts, is_flat }),
            false => ("follow", form),
        };
        self.made.get((name, kinds, Some(form)), |_| {
            let mut constants = vec![("KINDS", kinds), ("CUTS", u32::from(cuts))];
            let variant = match form {
                Form::Shader { .. } if takes_over => {
                    constants.push(flat(is_flat));
                    "takes_over"
                }
                Form::Shader { stack, .. } => {
                    constants.extend([("STACK", stack), one_loop(&self.gpu), flat(is_flat)]);
                    "shader"
                }
                Form::Hardware { .. } => "hardware",
            };
            let made = ComputePipeline::new(&self.gpu, &format!("reflections/follow.comp:{variant}"), &constants)?;
            let made = made.with_struct::<PlanBlock>("plan")?.with_push::<FollowPush>()?;
            if takes_over { Ok(made) } else { made.with_struct::<InstanceTransform>("Placings") }
        })
    }

    /// What the rays of a bounce hit.
    pub fn hits(&self, form: Form) -> Result<ComputePipeline> {
        self.made.get(("hits", 0, Some(form)), |_| {
            let made = match form {
                Form::Shader { stack, cuts, is_flat } => {
                    let constants = [("STACK", stack), one_loop(&self.gpu), flat(is_flat), ("CUTS", cuts.into())];
                    ComputePipeline::new(&self.gpu, "reflections/hits.comp:shader", &constants)?
                }
                Form::Hardware { cuts } => {
                    ComputePipeline::new(&self.gpu, "reflections/hits.comp:hardware", &[("CUTS", cuts.into())])?
                }
            };
            let made = made.with_struct::<PlanBlock>("plan")?.with_push::<BouncePush>()?;
            made.with_struct::<InstanceTransform>("Placings")
        })
    }

    /// The light of listed hits on these kinds of material.
    pub fn shade_hits(&self, kinds: u32) -> Result<ComputePipeline> {
        self.made.get(("shade_hits", kinds, None), |_| {
            let made = ComputePipeline::new(&self.gpu, "reflections/shade_hits.comp", &[("KINDS", kinds)])?;
            made.with_struct::<PlanBlock>("plan")?.with_push::<BouncePush>()
        })
    }

    /// One of those that work by queues.
    pub fn queue(&self, shader: Queue, form: Form) -> Result<ComputePipeline> {
        let (stack, cuts, is_flat) = match form {
            Form::Shader { stack, cuts, is_flat } => (stack, cuts, is_flat),
            Form::Hardware { cuts } => (0, cuts, false),
        };
        let cuts = ("CUTS", u32::from(cuts));
        let (meet, by_hardware) = ([cuts, ("STACK", stack), one_loop(&self.gpu), flat(is_flat)], [cuts]);
        let (name, constants): (&str, &[(&str, u32)]) = match shader {
            Queue::Mark => ("reflections/queue_mark.comp:texels", &[]),
            Queue::Meet if matches!(form, Form::Hardware { .. }) => {
                ("reflections/queue_meet.comp:hardware", &by_hardware)
            }
            Queue::Meet => ("reflections/queue_meet.comp:texels", &meet),
            Queue::Kinds(kinds) => ("reflections/queue_answer.comp:kinds", &[("KINDS", kinds)]),
            Queue::Sky => ("reflections/queue_answer.comp:sky", &[]),
            Queue::Resolve => ("reflections/resolve.comp:apart", &[]),
        };
        // The others do not trace.
        let form = (shader == Queue::Meet).then_some(form);
        self.queues.get((shader, form), |_| {
            let made = ComputePipeline::new(&self.gpu, name, constants)?;
            match shader {
                // The hit of a ray does not depend on the plan.
                Queue::Meet => made.with_push::<QueuePush>(),
                Queue::Resolve => made.with_struct::<PlanBlock>("plan"),
                _ => made.with_push::<QueuePush>()?.with_struct::<PlanBlock>("plan"),
            }
        })
    }

    fn words(&self, shader: &str, form: &str, constants: &[(&str, u32)]) -> Result<ComputePipeline> {
        let name = |variant: &str| format!("reflections/{shader}.comp:{variant}{form}");
        let made = match self.lanes {
            Lanes::Shared => ComputePipeline::new(&self.gpu, &name("shared"), constants),
            Lanes::Usual => ComputePipeline::new(&self.gpu, &name("subgroup"), constants),
            Lanes::Of(size) => ComputePipeline::with_subgroup(&self.gpu, &name("subgroup"), constants, size),
        };
        made?.with_struct::<PlanBlock>("plan")
    }

    /// Makes the pipelines that a picture needs; a failure is reported at their use. Software drivers compile for seconds: those of moving
    /// pictures are made at first use there, if `reflections.work` asks for them.
    pub fn prepare(&self, kinds: u32, form: Form) {
        let mut all = vec![
            self.by_words("mark").err(),
            self.plain("begin").err(),
            self.bounce(kinds, form).err(),
            self.plain("resolve").err(),
        ];
        if !self.gpu.policy().ray_queues {
            all.push(self.plain("gather").err());
            all.extend([false, true].map(|takes_over| self.follow(kinds, form, takes_over).err()));
        }
        for problem in all.into_iter().flatten() {
            log::debug!("{problem}");
        }
    }
}
