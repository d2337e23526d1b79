//! Device features that the passes use, and the pipelines for them.

use gpu::gpu_consts;
use gpu::{Buffer, ComputePipeline, Feature, Frame, Gpu, GpuStruct, Memory, PipelineCache, Result};
use std::{collections::HashMap, sync::Arc};

pub(super) type Constants = Vec<(&'static str, u32)>;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum PostFormat {
    /// 64 bits each: value, run and state.
    Wide,
    /// Twice 32 bits: half a value each, run and state.
    Narrow,
    /// Like `Narrow`, without the Vulkan memory model.
    Old,
}

/// Tests use fewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct ShaderFeatures {
    pub words: PostFormat,
    /// `None`: no subgroup operations.
    pub lanes: Option<u32>,
    /// Then a group computes by itself what it waits for.
    pub wait_turns: u32,
    /// Each n-th group posts nothing; 0: all do.
    pub silent_group: u32,
}

gpu_consts! { "summed_area/lanes.glsl":
    const THREADS: u32 = 256;
}

impl ShaderFeatures {
    pub fn of(gpu: &Gpu) -> Self {
        let subgroup = gpu.info().subgroup;
        let is_enough = subgroup.size >= 2 && subgroup.size.saturating_mul(subgroup.most) >= THREADS;
        let model = gpu.has(Feature::MemoryModel) && !gpu.policy().has_old_compiler;
        let words = match (model, gpu.has(Feature::BufferInt64Atomics)) {
            (false, _) => PostFormat::Old,
            (true, false) => PostFormat::Narrow,
            (true, true) => PostFormat::Wide,
        };
        Self {
            words,
            lanes: (gpu.has(Feature::SubgroupShuffle) && is_enough).then_some(subgroup.size),
            wait_turns: gpu.policy().wait_turns,
            silent_group: 0,
        }
    }

    /// Suffix of the variants, and the subgroup size to request.
    pub fn shuffles(self, least: u32) -> (&'static str, Option<u32>) {
        match self.lanes.filter(|lanes| *lanes >= least) {
            Some(lanes) => ("", Some(lanes)),
            None => ("_plain", None),
        }
    }

    pub fn lookback_variant(self) -> (String, Option<u32>) {
        let words = match self.words {
            PostFormat::Wide => "wide",
            PostFormat::Narrow => "narrow",
            PostFormat::Old => "old",
        };
        let (ending, lanes) = self.shuffles(32);
        (format!("{words}{ending}"), lanes)
    }
}

pub(super) struct Scratch {
    pub gpu: Arc<Gpu>,
    pub features: ShaderFeatures,
    pipelines: PipelineCache<(String, Constants, Option<u32>)>,
    buffers: HashMap<&'static str, Buffer>,
}

impl Scratch {
    pub fn new(gpu: &Arc<Gpu>, features: ShaderFeatures) -> Self {
        Self { gpu: gpu.clone(), features, pipelines: PipelineCache::default(), buffers: HashMap::new() }
    }

    pub fn pipeline<P: GpuStruct>(
        &self,
        shader: impl Into<String>,
        constants: Constants,
        subgroup: Option<u32>,
    ) -> Result<ComputePipeline> {
        self.pipelines.get((shader.into(), constants, subgroup), |(shader, constants, subgroup)| {
            let shader = format!("summed_area/{shader}");
            let pipeline = match subgroup {
                Some(size) => ComputePipeline::with_subgroup(&self.gpu, &shader, constants, *size)?,
                None => ComputePipeline::new(&self.gpu, &shader, constants)?,
            };
            pipeline.with_push::<P>()
        })
    }

    /// At least this large.
    pub fn buffer(&mut self, name: &'static str, bytes: u64) -> Result<Buffer> {
        if let Some(buffer) = self.buffers.get(name).filter(|buffer| buffer.size() >= bytes) {
            return Ok(buffer.clone());
        }
        let buffer = Buffer::new(&self.gpu, &format!("summed_area {name}"), bytes, Memory::Device)?;
        self.buffers.insert(name, buffer.clone());
        Ok(buffer)
    }
}

/// Posts of an earlier run are recognized by their number and need no clearing.
pub(super) const EPOCHS: u32 = 1 << 14;

#[derive(Default)]
pub(super) struct LookbackBuffer {
    words: Option<Buffer>,
    control: Option<Buffer>,
    pub epoch: u32,
}

pub(super) struct Run {
    pub words: Buffer,
    pub control: Buffer,
    pub epoch: u32,
}

impl LookbackBuffer {
    /// Cleared where an earlier run's posts have the same number.
    pub fn next(&mut self, gpu: &Arc<Gpu>, frame: &mut Frame, places: u64) -> Result<Run> {
        let bytes = places * 8;
        let control = match &self.control {
            Some(control) => control.clone(),
            None => {
                let control = Buffer::new(gpu, "summed_area control", 8, Memory::Device)?;
                frame.fill("setup/summed_area control", &control, 0)?;
                self.control.insert(control).clone()
            }
        };
        let (words, is_new) = match self.words.take().filter(|words| words.size() >= bytes) {
            Some(words) => (words, false),
            None => (Buffer::new(gpu, "summed_area posts", bytes.next_power_of_two(), Memory::Device)?, true),
        };
        if is_new || self.epoch + 1 >= EPOCHS {
            frame.fill("setup/summed_area posts", &words, 0)?;
            self.epoch = 0;
        }
        self.epoch += 1;
        let words = self.words.insert(words).clone();
        Ok(Run { words, control, epoch: self.epoch })
    }

    /// The next ticket, and the number of groups whose posts others made.
    pub fn control(&self) -> Option<&Buffer> {
        self.control.as_ref()
    }
}
