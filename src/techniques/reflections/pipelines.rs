//! Lazily created pipelines, made by the thread that builds the hierarchies or by the frame.

use super::{
    bvh::{Form, InstanceTransform},
    uniforms::{BouncePush, FollowPush, PlanBlock, QueuePush},
};
use gpu::{ComputePipeline, Feature, Gpu, PipelineCache, Result};
use std::sync::Arc;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Lanes {
    Shared,
    Usual,
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

type Key = (&'static str, u32, Option<Form>);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Queue {
    Mark,
    Hits,
    /// With the world's [`TRAITS`](scene::world::TRAITS).
    Kinds(u32),
    Sky,
    Resolve,
}

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

    /// `None`: words are assembled in shared memory.
    pub fn ballot(&self) -> Option<u32> {
        match self.lanes {
            Lanes::Shared => None,
            Lanes::Usual => Some(self.gpu.info().subgroup.size),
            Lanes::Of(size) => Some(size),
        }
    }

    pub fn plain(&self, shader: &'static str) -> Result<ComputePipeline> {
        self.made.get((shader, 0, None), |_| {
            let variant = if shader == "resolve" { ":over" } else { "" };
            let made = ComputePipeline::new(&self.gpu, &format!("reflections/{shader}.comp{variant}"), &[])?;
            made.with_struct::<PlanBlock>("plan")
        })
    }

    pub fn by_words(&self, shader: &'static str) -> Result<ComputePipeline> {
        self.made.get((shader, 0, None), |_| self.words(shader, "", &[]))
    }

    fn traversal(&self, form: Form) -> (&'static str, Vec<(&'static str, u32)>) {
        match form {
            Form::Shader { stack, cuts, is_flat } => {
                let one_loop = self.gpu.policy().runs_on_cpu.into();
                (
                    "shader",
                    vec![("STACK", stack), ("ONE_LOOP", one_loop), ("FLAT", is_flat.into()), ("CUTS", cuts.into())],
                )
            }
            Form::Hardware { cuts } => ("hardware", vec![("CUTS", cuts.into())]),
        }
    }

    pub fn bounce(&self, kinds: u32, form: Form) -> Result<ComputePipeline> {
        self.made.get(("bounce", kinds, Some(form)), |_| {
            let (variant, mut constants) = self.traversal(form);
            constants.push(("KINDS", kinds));
            let made = self.words("bounce", if variant == "hardware" { "_hardware" } else { "" }, &constants)?;
            made.with_push::<BouncePush>()?.with_struct::<InstanceTransform>("Placings")
        })
    }

    pub fn follow(&self, kinds: u32, form: Form, takes_over: bool) -> Result<ComputePipeline> {
        let (cuts, is_flat) = match form {
            Form::Shader { cuts, is_flat, .. } => (cuts, is_flat),
            Form::Hardware { cuts } => (cuts, false),
        };
        let (name, form) = match takes_over {
            true => ("follow others", Form::Shader { stack: 0, cuts, is_flat }),
            false => ("follow", form),
        };
        self.made.get((name, kinds, Some(form)), |_| {
            let (variant, mut constants) = match takes_over {
                true => ("takes_over", vec![("CUTS", cuts.into()), ("FLAT", is_flat.into())]),
                false => self.traversal(form),
            };
            constants.push(("KINDS", kinds));
            let made = ComputePipeline::new(&self.gpu, &format!("reflections/follow.comp:{variant}"), &constants)?;
            let made = made.with_struct::<PlanBlock>("plan")?.with_push::<FollowPush>()?;
            if takes_over { Ok(made) } else { made.with_struct::<InstanceTransform>("Placings") }
        })
    }

    pub fn hits(&self, form: Form) -> Result<ComputePipeline> {
        self.made.get(("hits", 0, Some(form)), |_| {
            let (variant, constants) = self.traversal(form);
            let made = ComputePipeline::new(&self.gpu, &format!("reflections/hits.comp:{variant}"), &constants)?;
            let made = made.with_struct::<PlanBlock>("plan")?.with_push::<BouncePush>()?;
            made.with_struct::<InstanceTransform>("Placings")
        })
    }

    pub fn shade_hits(&self, kinds: u32) -> Result<ComputePipeline> {
        self.made.get(("shade_hits", kinds, None), |_| {
            let made = ComputePipeline::new(&self.gpu, "reflections/shade_hits.comp", &[("KINDS", kinds)])?;
            made.with_struct::<PlanBlock>("plan")?.with_push::<BouncePush>()
        })
    }

    pub fn queue(&self, shader: Queue, form: Form) -> Result<ComputePipeline> {
        let (variant, traversal) = self.traversal(form);
        let (name, constants) = match shader {
            Queue::Mark => ("queue_mark.comp:texels", vec![]),
            Queue::Hits if variant == "hardware" => ("queue_hits.comp:hardware", traversal),
            Queue::Hits => ("queue_hits.comp:texels", traversal),
            Queue::Kinds(kinds) => ("queue_answer.comp:kinds", vec![("KINDS", kinds)]),
            Queue::Sky => ("queue_answer.comp:sky", vec![]),
            Queue::Resolve => ("resolve.comp:apart", vec![]),
        };
        let form = (shader == Queue::Hits).then_some(form);
        self.queues.get((shader, form), |_| {
            let made = ComputePipeline::new(&self.gpu, &format!("reflections/{name}"), &constants)?;
            match shader {
                Queue::Hits => made.with_push::<QueuePush>(),
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

    /// A failure is reported at use. On software drivers pipelines of moving pictures are made at first use, if
    /// `reflections.work` requests them.
    pub fn prepare(&self, kinds: u32, form: Form) {
        let mut all = vec![
            self.by_words("mark").err(),
            self.plain("begin").err(),
            self.bounce(kinds, form).err(),
            self.plain("resolve").err(),
        ];
        if !self.gpu.policy().runs_on_cpu {
            all.push(self.plain("gather").err());
            all.extend([false, true].map(|takes_over| self.follow(kinds, form, takes_over).err()));
        }
        for problem in all.into_iter().flatten() {
            log::debug!("{problem}");
        }
    }
}
