//! Counts of shader invocations by pipeline statistics queries.
use super::{
    Gpu,
    access::Queue,
    error::{Context, Result},
    features::Feature,
    pipeline_recipe::PipelineRecipe,
};
use ash::vk;
use std::sync::Arc;

/// `None`: no such stage, or not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Invocations {
    pub vertex: Option<u64>,
    pub fragment: Option<u64>,
    pub compute: Option<u64>,
}

impl Invocations {
    pub fn plus(self, other: Self) -> Self {
        let sum = |a: Option<u64>, b: Option<u64>| a.map_or(b, |a| Some(a + b.unwrap_or(0)));
        Self {
            vertex: sum(self.vertex, other.vertex),
            fragment: sum(self.fragment, other.fragment),
            compute: sum(self.compute, other.compute),
        }
    }
}

pub struct InvocationQuery {
    gpu: Arc<Gpu>,
    pool: vk::QueryPool,
    flags: vk::QueryPipelineStatisticFlags,
}

impl InvocationQuery {
    pub(super) fn new(gpu: &Arc<Gpu>, queue: Queue, pipelines: &[Arc<PipelineRecipe>]) -> Result<Option<Arc<Self>>> {
        use vk::QueryPipelineStatisticFlags as F;
        let has = |ending: &str| pipelines.iter().flat_map(|one| one.shaders()).any(|shader| shader.contains(ending));
        let stages = [
            (".vert", F::VERTEX_SHADER_INVOCATIONS),
            (".frag", F::FRAGMENT_SHADER_INVOCATIONS),
            (".comp", F::COMPUTE_SHADER_INVOCATIONS),
        ];
        let flags = stages.into_iter().filter(|(ending, _)| has(ending)).fold(F::empty(), |all, (_, flag)| all | flag);
        let flags = if queue == Queue::Compute { flags & F::COMPUTE_SHADER_INVOCATIONS } else { flags };
        if flags.is_empty() || !gpu.has(Feature::PipelineStatistics) {
            return Ok(None);
        }
        let info = vk::QueryPoolCreateInfo::default()
            .query_type(vk::QueryType::PIPELINE_STATISTICS)
            .query_count(1)
            .pipeline_statistics(flags);
        // SAFETY: the device is alive, and nothing uses the query yet.
        let pool = unsafe { gpu.device.create_query_pool(&info, None) }.context("vkCreateQueryPool")?;
        unsafe { gpu.device.reset_query_pool(pool, 0, 1) };
        gpu.name(pool, "shader invocations");
        Ok(Some(Arc::new(Self { gpu: gpu.clone(), pool, flags })))
    }

    pub(super) fn begin(&self, cmd: vk::CommandBuffer) {
        // SAFETY: the command buffer is being recorded, outside of rendering; the frame keeps the query.
        unsafe { self.gpu.device.cmd_begin_query(cmd, self.pool, 0, vk::QueryControlFlags::empty()) };
    }

    pub(super) fn end(&self, cmd: vk::CommandBuffer) {
        // SAFETY: as above.
        unsafe { self.gpu.device.cmd_end_query(cmd, self.pool, 0) };
    }

    pub fn read(&self) -> Result<Invocations> {
        use vk::QueryPipelineStatisticFlags as F;
        let mut counts = [[0_u64; 4]; 1];
        let flags = vk::QueryResultFlags::TYPE_64 | vk::QueryResultFlags::WITH_AVAILABILITY;
        // SAFETY: three counts and the availability fit.
        match unsafe { self.gpu.device.get_query_pool_results(self.pool, 0, &mut counts, flags) } {
            Ok(()) => {}
            Err(vk::Result::NOT_READY) => return Ok(Invocations::default()),
            Err(e) => return Err(e).context("shader invocations"),
        }
        let mut next = counts[0].into_iter();
        let mut count = |flag| self.flags.contains(flag).then(|| next.next()).flatten();
        let vertex = count(F::VERTEX_SHADER_INVOCATIONS);
        let fragment = count(F::FRAGMENT_SHADER_INVOCATIONS);
        Ok(Invocations { vertex, fragment, compute: count(F::COMPUTE_SHADER_INVOCATIONS) })
    }
}

impl Drop for InvocationQuery {
    fn drop(&mut self) {
        // SAFETY: the frame kept it until it ended.
        unsafe { self.gpu.device.destroy_query_pool(self.pool, None) };
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Buffer, ComputePipeline, Frames, Memory, PassCapture};
    use super::*;

    #[test]
    fn counted_passes_have_their_invocations() {
        let gpu = Gpu::headless(true).unwrap();
        let spin = ComputePipeline::new(&gpu, "lab/spin.comp", &[]).unwrap();
        let sink = Buffer::new(&gpu, "sink", 4, Memory::Device).unwrap();
        let mut capture = PassCapture::default();
        capture.count_invocations(Some("counted"));
        let (capture, _) = Frames::new(&gpu, 1)
            .once(|frame| {
                frame.begin_capture(capture);
                for pass in ["counted", "other", "counted"] {
                    frame.compute(pass, &spin).bind("Sink", &sink).dispatch_groups([3, 1, 1])?;
                }
                Result::Ok(frame.end_capture())
            })
            .unwrap();
        let queries = capture.invocations();
        if !gpu.has(Feature::PipelineStatistics) {
            return assert!(queries.is_empty());
        }
        assert_eq!(queries.len(), 2);
        for query in queries {
            let expected = Invocations { compute: Some(3 * 256), ..Invocations::default() };
            assert_eq!(query.read().unwrap(), expected);
        }
    }
}
