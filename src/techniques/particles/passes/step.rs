//! Particle state on the GPU, and its steps.

use crate::{
    beginning,
    blocks::{Ground, MotionBlock, ParticleState},
    settings::Kind,
};
use base::timing::PassId;
use gpu::{Buffer, ComputePipeline, Frame, Gpu, Memory, PipelineCache, Queue, Result};
use std::sync::Arc;

pub const STEP: PassId = PassId::new("particles/step");
pub const BODIES: PassId = PassId::new("particles/bodies");
pub const COPY: PassId = PassId::new("particles/copy");

/// By convention. `bodies.comp` has 19: distance 3, its square with the softening 6, inverse root 1, cube with the mass
/// 3, pull 3, sum 3.
pub const FLOP_OF_PAIR: u64 = 20;

pub const BYTES: u64 = 32;

pub struct Movers {
    gpu: Arc<Gpu>,
    steps: PipelineCache<(u32, bool)>,
    bodies: PipelineCache<u32>,
    flow: Option<Buffer>,
}

impl Movers {
    pub fn new(gpu: &Arc<Gpu>) -> Self {
        Self { gpu: gpu.clone(), steps: PipelineCache::default(), bodies: PipelineCache::default(), flow: None }
    }

    /// In shared memory at once: 256, or as many as the device allows.
    pub fn tile(gpu: &Gpu) -> u32 {
        let facts = gpu.info();
        let most = facts.group_invocations.min(facts.group_size[0]).min(facts.shared_bytes / 16).clamp(4, 256);
        1 << most.ilog2()
    }

    fn step(&self, kind: u32, begins: bool) -> Result<ComputePipeline> {
        self.steps.get((kind, begins), |(kind, begins)| {
            let constants = [("KIND", *kind), ("BEGIN", u32::from(*begins))];
            ComputePipeline::new(&self.gpu, "particles/step.comp", &constants)?.with_struct::<MotionBlock>("motion")
        })
    }

    fn flow(&mut self, frame: &mut Frame) -> Result<Buffer> {
        let flow = match self.flow.take() {
            Some(flow) => flow,
            None => {
                let words = beginning::flow();
                let flow = Buffer::new(&self.gpu, "particles flow", 4 * words.len() as u64, Memory::Device)?;
                frame.upload_buffer(&flow, &words)?;
                flow
            }
        };
        Ok(self.flow.insert(flow).clone())
    }

    pub fn record(
        &mut self,
        frame: &mut Frame,
        kind: u32,
        begins: bool,
        motion: &MotionBlock,
        [from, to]: [&Buffer; 2],
    ) -> Result<()> {
        let block = frame.data("particles motion", &[*motion])?;
        if kind == beginning::BODIES {
            let tile = Self::tile(&self.gpu);
            let pipeline = self.bodies.get(tile, |tile| {
                let pipeline = ComputePipeline::new(&self.gpu, "particles/bodies.comp", &[("TILE", *tile)])?;
                pipeline.with_struct::<MotionBlock>("motion")
            })?;
            let pass = frame.compute(BODIES, &pipeline).bind("motion", block);
            return pass.bind("From", from).bind("To", to).dispatch_groups([motion.count.div_ceil(tile), 1, 1]);
        }
        let flow = self.flow(frame)?;
        let pipeline = self.step(kind, begins)?;
        let named = [("motion", block.into()), ("Flow", (&flow).into()), ("From", from.into()), ("To", to.into())];
        let name = if begins { "particles/begin" } else { STEP.as_ref() };
        let group = pipeline.group()[0].max(1);
        frame.compute(name, &pipeline).bind_named(named).dispatch_groups([motion.count.div_ceil(group), 1, 1])
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SystemKey {
    pub kind: Kind,
    pub count: u32,
    pub exclusive: bool,
    pub ground: Ground,
}

pub struct System {
    pub key: SystemKey,
    pub motion: MotionBlock,
    states: [Buffer; 2],
    copies: Option<[Buffer; 2]>,
    newest: usize,
    drawn: usize,
    steps: u32,
    last: Option<MotionBlock>,
}

impl System {
    pub fn new(frame: &mut Frame, movers: &mut Movers, key: SystemKey) -> Result<Self> {
        let gpu = frame.gpu().clone();
        let bytes = BYTES * u64::from(key.count);
        let state = |k: u32| Buffer::new(&gpu, &format!("particles {k}"), bytes, Memory::Device);
        let copy = |k: u32| Buffer::exclusive(&gpu, &format!("particles to draw {k}"), bytes);
        let copies = if key.exclusive { Some([copy(0)?, copy(1)?]) } else { None };
        let (states, motion) = ([state(0)?, state(1)?], key.ground.motion(key.count));
        let system = Self { key, motion, states, copies, newest: 0, drawn: 0, steps: 0, last: None };
        if key.kind == Kind::Nbody {
            let bodies = beginning::discs(key.count, key.ground.middle(), motion.metre);
            let bodies: Vec<ParticleState> = bodies.into_iter().map(ParticleState::from).collect();
            frame.upload_buffer(&system.states[0], &bodies)?;
        } else {
            let [first, other] = &system.states;
            movers.record(frame, key.kind.number(), true, &motion, [other, first])?;
        }
        if let Some([copy, _]) = &system.copies {
            frame.copy_buffer(COPY, &system.states[0], copy)?;
        }
        Ok(system)
    }

    /// Meanwhile the previous state is drawn.
    pub fn step(&mut self, frame: &mut Frame, movers: &mut Movers, dt: f32, queue: Queue) -> Result<()> {
        self.steps = self.steps.wrapping_add(1);
        let motion = self.motion.after(dt, self.steps);
        let (old, new) = (self.newest, 1 - self.newest);
        let states = [&self.states[old], &self.states[new]];
        // Uploads belong to the graphics queue, before the queue changes.
        movers.flow(frame)?;
        frame.on(queue, |frame| {
            movers.record(frame, self.key.kind.number(), false, &motion, states)?;
            let Some(copies) = &self.copies else { return Ok(()) };
            frame.copy_buffer(COPY, states[1], &copies[new])
        })?;
        if let (Some(copies), Queue::Compute) = (&self.copies, queue) {
            frame.give(&copies[new], Queue::Graphics)?;
        }
        (self.drawn, self.newest, self.last) = (old, new, Some(motion));
        Ok(())
    }

    pub fn drawn(&self) -> &Buffer {
        self.copies.as_ref().map_or(&self.states[self.drawn], |copies| &copies[self.drawn])
    }

    /// Returns the state that the next step overwrites to the compute queue.
    pub fn has_been_drawn(&self, frame: &mut Frame, next: Queue) -> Result<()> {
        match (&self.copies, next) {
            (Some(copies), Queue::Compute) => frame.give(&copies[self.drawn], next),
            _ => Ok(()),
        }
    }

    pub fn last_step(&self) -> Option<([&Buffer; 2], MotionBlock)> {
        Some(([&self.states[1 - self.newest], &self.states[self.newest]], self.last?))
    }

    pub fn newest_index(&self) -> usize {
        self.newest
    }

    pub fn newest(&self) -> &Buffer {
        &self.states[self.newest]
    }
}
