//! Bandwidth baseline: the same bytes without other work.

use gpu::{Buffer, ComputePipeline, Frame, Gpu, Memory, Result, gpu_struct};
use std::sync::Arc;

gpu_struct! {
    /// Push constants of `lab/probe.comp`: 16-byte words to read and to write, and total invocations.
    struct ProbePush { reads: u32, writes: u32, stride: u32 }
}

pub struct Probe {
    pipeline: ComputePipeline,
    pub(super) source: Buffer,
    target: Buffer,
    push: ProbePush,
    groups: u32,
}

impl Probe {
    /// Rounded up to 16.
    pub fn new(gpu: &Arc<Gpu>, read_bytes: u64, write_bytes: u64) -> Result<Self> {
        let words = |bytes: u64| bytes.div_ceil(16) as u32;
        let (reads, writes) = (words(read_bytes), words(write_bytes));
        // Four words per invocation: enough in flight on a large GPU, few enough to spread over all of it.
        let groups = reads.max(writes).div_ceil(256 * 4).clamp(1, 65_535);
        Ok(Self {
            pipeline: ComputePipeline::new(gpu, "lab/probe.comp", &[])?.with_push::<ProbePush>()?,
            source: Buffer::new(gpu, "probe source", u64::from(reads.max(1)) * 16, Memory::Device)?,
            target: Buffer::new(gpu, "probe target", u64::from(writes.max(1)) * 16, Memory::Device)?,
            push: ProbePush { reads, writes, stride: groups * 256 },
            groups,
        })
    }

    pub fn record(&self, frame: &mut Frame) -> Result<()> {
        let pass = frame.compute("probe", &self.pipeline).bind("Source", &self.source).bind("Target", &self.target);
        pass.push(&self.push).dispatch_groups([self.groups, 1, 1])
    }
}
