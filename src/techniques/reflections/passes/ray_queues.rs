//! Ray queues by material, a slice of the pixels at a time, for software drivers.

use super::mask::{MARK, SizeResources, Tracing, named, pass_of};
use crate::{pipelines::Queue, uniforms::QueuePush};
use gpu::{Buffer, Frame, Gpu, ImageView, Memory, Resource, Result, gpu_consts};
use scene::world::{MaterialKind, TRAITS};
use std::{ops::Range, sync::Arc};

const QUEUES: u32 = MaterialKind::ALL.len() as u32 + 2;
const NO_CALL: [u32; 4] = [0, 1, 1, 0];

gpu_consts! { "reflections/queues.glsl":
    const GROUP: u32 = 64;
}

const SLICE: u32 = 1 << 18;

pub struct Queues {
    calls: Buffer,
    entries: Buffer,
    hits: Buffer,
    room: u32,
    none: Vec<u32>,
}

/// One kernel for each kind needs fewer registers. Only drivers that compile at first run and skip branches that no
/// lane takes have one for all.
fn splits(gpu: &Gpu) -> bool {
    gpu.policy().has_old_compiler || !gpu.policy().compiles_late
}

fn kernels(kinds: u32, splits: bool) -> Vec<(Queue, u32)> {
    let each = (0..MaterialKind::ALL.len() as u32).filter(|kind| kinds >> kind & 1 != 0);
    let kernel = |kind: u32| Queue::Kinds(if splits { 1 << kind | kinds & TRAITS } else { kinds });
    let first = [(Queue::Hits, 0)].into_iter();
    first.chain(each.map(|kind| (kernel(kind), 1 + kind))).chain([(Queue::Sky, QUEUES - 1)]).collect()
}

impl Queues {
    pub fn fitting(gpu: &Arc<Gpu>, held: Option<Self>, depth: u32, items: u32) -> Result<Self> {
        let none = NO_CALL.repeat((QUEUES * (depth + 1)) as usize);
        let room = items.min(SLICE);
        if let Some(held) = held.filter(|held| held.room >= room && held.none.len() == none.len()) {
            return Ok(held);
        }
        let buffer = |name: &str, words: u32| {
            Buffer::new(gpu, &format!("reflections {name}"), 4 * u64::from(words), Memory::Device)
        };
        Ok(Self {
            calls: buffer("queues", none.len() as u32)?,
            entries: buffer("queued", QUEUES * room)?,
            hits: buffer("hits", 2 * room)?,
            room,
            none,
        })
    }

    fn bound(&self, held: &SizeResources, plan: &Buffer, tracing: &Tracing<'_>) -> Vec<(&'static str, Resource)> {
        let mut bound = held.seen(plan, tracing);
        bound.extend([
            ("QueueCalls", Resource::from(&self.calls)),
            ("QueueItems", (&self.entries).into()),
            ("Hits", (&self.hits).into()),
        ]);
        bound
    }

    pub fn trace(
        &self,
        frame: &mut Frame,
        tracing: &Tracing<'_>,
        held: &SizeResources,
        items: Range<u32>,
    ) -> Result<()> {
        let Tracing { pipelines, bvh, .. } = tracing;
        let plan = frame.data("reflections plan", &[held.plan])?;
        let bound = self.bound(held, &plan, tracing);
        let kernels = kernels(tracing.kinds(), splits(frame.gpu()));
        for first in items.clone().step_by(self.room as usize) {
            let count = self.room.min(items.end - first);
            frame.upload_buffer(&self.calls, &self.none)?;
            let mark = pipelines.queue(Queue::Mark, bvh.form())?;
            let mark = named(frame.compute(MARK, &mark), &bound);
            mark.push(&QueuePush { bounce: 0, first, count, kind: 0 }).dispatch_groups([
                count.div_ceil(GROUP),
                1,
                1,
            ])?;
            for bounce in 0..held.plan.depth {
                for (shader, queue) in &kernels {
                    let push = QueuePush { bounce, first, count, kind: queue.saturating_sub(1) };
                    let pipeline = pipelines.queue(*shader, bvh.form())?;
                    let call = 16 * u64::from(bounce * QUEUES + queue);
                    let pass = named(frame.compute(pass_of(bounce), &pipeline), &bound);
                    pass.dispatch_chain(&self.calls, &[(call, push)])?;
                }
            }
        }
        Ok(())
    }

    /// With no work, so that the driver compiles it; false: there is none.
    pub fn warm(
        &self,
        frame: &mut Frame,
        tracing: &Tracing<'_>,
        held: &SizeResources,
        lit: &ImageView,
        number: usize,
    ) -> Result<bool> {
        let Tracing { pipelines, bvh, input, .. } = tracing;
        let mut all: Vec<_> =
            kernels(tracing.kinds(), splits(frame.gpu())).into_iter().map(|(queue, _)| queue).collect();
        all.dedup();
        all.extend([Queue::Mark, Queue::Resolve]);
        let Some(queue) = all.get(number) else { return Ok(false) };
        let pipeline = pipelines.queue(*queue, bvh.form())?;
        let plan = frame.data("reflections plan", &[held.plan])?;
        if *queue == Queue::Resolve {
            let pass = named(frame.compute("reflections/compile", &pipeline), &held.resolved(&plan, input, lit));
            pass.dispatch_groups([0, 0, 0])?;
        } else {
            let pass = named(frame.compute("reflections/compile", &pipeline), &self.bound(held, &plan, tracing));
            pass.push(&QueuePush { bounce: 0, first: 0, count: 0, kind: 0 }).dispatch_groups([0, 0, 0])?;
        }
        Ok(true)
    }

    pub fn resolve(frame: &mut Frame, tracing: &Tracing<'_>, held: &SizeResources, lit: &ImageView) -> Result<()> {
        let Tracing { pipelines, bvh, input, .. } = tracing;
        let plan = frame.data("reflections plan", &[held.plan])?;
        let pipeline = pipelines.queue(Queue::Resolve, bvh.form())?;
        let pass = named(frame.compute("reflections/resolve", &pipeline), &held.resolved(&plan, input, lit));
        pass.dispatch(input.ids.size())
    }
}
