//! Resources of one frame in flight.
use super::{
    Gpu,
    access::Queue,
    bind::Sets,
    error::{Context, Error, Result},
    queue_wait::WaitRow,
    time_axis::{Span, TimeAxis},
};
use ash::vk;
use base::timing::{FrameTiming, PassTiming, PictureStep};
use std::{any::Any, sync::Mutex, time::Instant};

/// Of a first frame; further passes run untimed. The frame after one with more has room for as many.
const TIMED_PASSES: u32 = 256;
const TIMED_PASSES_MOST: u32 = 1 << 14;

pub(super) struct PassRow {
    pub name: String,
    pub queue: Queue,
    pub batch: u64,
    pub timed: bool,
    pub is_shared: bool,
    pub of_view: bool,
    pub cpu_start_us: f64,
    pub cpu_us: f64,
}

pub(super) struct Batch {
    pub queue: Queue,
    pub id: u64,
    pub cmd: vk::CommandBuffer,
    pub wait: u64,
    pub submitted_us: f64,
}

pub(super) struct FrameInFlight {
    pub batches: Vec<Batch>,
    pub is_open: bool,
    pub passes: Vec<PassRow>,
    pub sets: Sets,
    pub queries: vk::QueryPool,
    pub timed: u32,
    pub kept: Vec<Box<dyn Any + Send>>,
    pub number: u64,
    pub cpu_us: f64,
    /// From an arbitrary start, the same for all frames.
    pub begun_us: f64,
    pub waits: Vec<WaitRow>,
    pub compiles: bool,
    pub picture: Option<PictureStep>,
    pub begun_tick: Option<u64>,
    pub acquire: vk::Semaphore,
    pub target_batch: Option<u64>,
    pools: [vk::CommandPool; 2],
    buffers: [Vec<vk::CommandBuffer>; 2],
    used: [usize; 2],
    targets: [u64; 2],
}

impl Batch {
    pub fn summary(&self) -> String {
        format!("{:?}#{} after {}", self.queue, self.id, self.wait)
    }
}

impl FrameInFlight {
    pub fn open(&mut self, gpu: &Gpu, queue: Queue, wait: u64) -> Result<(vk::CommandBuffer, u64)> {
        if let Some(batch) = self.batches.last()
            && self.is_open
            && batch.queue == queue
            && wait == 0
        {
            return Ok((batch.cmd, batch.id));
        }
        let cmd = self.command_buffer(gpu, queue)?;
        let begin = vk::CommandBufferBeginInfo::default().flags(vk::CommandBufferUsageFlags::ONE_TIME_SUBMIT);
        // SAFETY: the command buffer is not in use: the slot's last frame has completed.
        unsafe { gpu.device.begin_command_buffer(cmd, &begin) }.context("vkBeginCommandBuffer")?;
        let id = gpu.next_batch();
        self.batches.push(Batch { queue, id, cmd, wait, submitted_us: 0.0 });
        self.is_open = true;
        Ok((cmd, id))
    }

    pub fn close(&mut self) {
        self.is_open = false;
    }

    pub fn new(gpu: &Gpu) -> Result<Box<Self>> {
        let queries = timestamps(gpu, TIMED_PASSES)?;
        // SAFETY: the device is alive.
        let acquire = unsafe { gpu.device.create_semaphore(&Default::default(), None) }.context("vkCreateSemaphore")?;
        let mut in_flight = Box::new(Self {
            batches: Vec::new(),
            is_open: false,
            passes: Vec::new(),
            sets: Sets::default(),
            queries,
            timed: TIMED_PASSES,
            kept: Vec::new(),
            number: 0,
            cpu_us: 0.0,
            begun_us: 0.0,
            waits: Vec::new(),
            compiles: false,
            picture: None,
            begun_tick: None,
            acquire,
            target_batch: None,
            pools: Default::default(),
            buffers: Default::default(),
            used: [0; 2],
            targets: [0; 2],
        });
        for (pool, family) in in_flight.pools.iter_mut().zip(gpu.probe.families) {
            let info = vk::CommandPoolCreateInfo::default()
                .queue_family_index(family)
                .flags(vk::CommandPoolCreateFlags::TRANSIENT);
            *pool = unsafe { gpu.device.create_command_pool(&info, None) }.context("vkCreateCommandPool")?;
        }
        gpu.name(acquire, "window image acquired");
        Ok(in_flight)
    }

    pub fn command_buffer(&mut self, gpu: &Gpu, queue: Queue) -> Result<vk::CommandBuffer> {
        let q = queue as usize;
        if self.used[q] == self.buffers[q].len() {
            let info = vk::CommandBufferAllocateInfo::default().command_pool(self.pools[q]).command_buffer_count(1);
            // SAFETY: the pool is alive; one thread records.
            let made = unsafe { gpu.device.allocate_command_buffers(&info) }.context("vkAllocateCommandBuffers")?;
            gpu.name(made[0], &format!("frame commands, {queue:?}"));
            self.buffers[q].extend(made);
        }
        self.used[q] += 1;
        Ok(self.buffers[q][self.used[q] - 1])
    }

    pub fn submit(
        &mut self,
        gpu: &Gpu,
        acquired: Option<vk::Semaphore>,
        presents: Option<vk::Semaphore>,
        begun: Instant,
    ) -> Result<()> {
        if self.batches.is_empty() && (acquired.is_some() || presents.is_some()) {
            self.open(gpu, Queue::Graphics, 0)?;
        }
        let last_graphics = self.batches.iter().rposition(|batch| batch.queue == Queue::Graphics);
        let any = vk::PipelineStageFlags2::ALL_COMMANDS;
        for (index, batch) in self.batches.iter_mut().enumerate() {
            let q = batch.queue as usize;
            let at = |queue: Queue, id: u64| {
                vk::SemaphoreSubmitInfo::default().semaphore(gpu.timelines[queue as usize]).value(id).stage_mask(any)
            };
            let mut waits = Vec::new();
            if batch.wait != 0 {
                waits.push(at(batch.queue.other(), batch.wait));
            }
            let mut signals = vec![at(batch.queue, batch.id)];
            let is_last = Some(index) == last_graphics;
            if self.target_batch.map_or(is_last, |id| id == batch.id) {
                let stage = super::swapchain::ACQUIRED_AT;
                waits.extend(acquired.map(|s| vk::SemaphoreSubmitInfo::default().semaphore(s).stage_mask(stage)));
            }
            if is_last {
                signals.extend(presents.map(|s| vk::SemaphoreSubmitInfo::default().semaphore(s).stage_mask(any)));
            }
            let commands = &[vk::CommandBufferSubmitInfo::default().command_buffer(batch.cmd)];
            #[cfg(any(test, feature = "fixtures"))]
            let commands = &commands[usize::from(super::garbage::is_on())..];
            let info = vk::SubmitInfo2::default()
                .wait_semaphore_infos(&waits)
                .command_buffer_infos(commands)
                .signal_semaphore_infos(&signals);
            log::trace!("submit {}", batch.summary());
            batch.submitted_us = begun.elapsed().as_secs_f64() * 1e6;
            // SAFETY: this slot keeps everything that the commands access until `targets` is reached.
            unsafe {
                gpu.device.end_command_buffer(batch.cmd).context("vkEndCommandBuffer")?;
                gpu.device
                    .queue_submit2(gpu.raw_queue(batch.queue), &[info], vk::Fence::null())
                    .context("vkQueueSubmit2")
                    .map_err(|e| gpu.lost(e))?;
            }
            self.targets[q] = batch.id;
        }
        Ok(())
    }

    pub fn ended(&self, gpu: &Gpu, wait: bool) -> Result<bool> {
        for (timeline, target) in gpu.timelines.iter().zip(self.targets) {
            // SAFETY: the semaphore is alive.
            unsafe {
                let reached = || gpu.device.get_semaphore_counter_value(*timeline).context("timeline");
                if reached().map_err(|e| self.lost(gpu, e))? >= target {
                    continue;
                }
                if !wait {
                    return Ok(false);
                }
                let (semaphores, values) = ([*timeline], [target]);
                let info = vk::SemaphoreWaitInfo::default().semaphores(&semaphores).values(&values);
                let limit = gpu.policy().frame_limit * 1_000_000_000;
                let waited = gpu.device.wait_semaphores(&info, limit).context("waiting for a frame");
                waited.map_err(|e| self.lost(gpu, e))?;
            }
        }
        Ok(true)
    }

    fn lost(&self, gpu: &Gpu, error: Error) -> Error {
        if let (Error::DeviceLost { .. }, Some(name)) =
            (&error, self.ticks(gpu).ok().and_then(|ticks| self.last_ended(&ticks)))
        {
            gpu.note_ended(name);
        }
        gpu.lost(error)
    }

    fn last_ended(&self, ticks: &[[u64; 2]]) -> Option<&str> {
        let mut ended =
            self.passes.iter().zip(ticks.chunks_exact(2)).filter(|(row, pair)| row.timed && pair[1][1] != 0);
        ended.next_back().map(|(row, _)| row.name.as_str())
    }

    fn ticks(&self, gpu: &Gpu) -> Result<Vec<[u64; 2]>> {
        let mut ticks = vec![[0u64; 2]; 2 * self.passes.len().min(self.timed as usize)];
        let flags = vk::QueryResultFlags::TYPE_64 | vk::QueryResultFlags::WITH_AVAILABILITY;
        if ticks.is_empty() {
            return Ok(ticks);
        }
        #[cfg(any(test, feature = "fixtures"))]
        if super::garbage::is_on() {
            super::garbage::spoil(bytemuck::cast_slice_mut(&mut ticks));
            return Ok(ticks);
        }
        // SAFETY: the array has room for every requested query.
        match unsafe { gpu.device.get_query_pool_results(self.queries, 0, &mut ticks, flags) } {
            Ok(()) | Err(vk::Result::NOT_READY) => Ok(ticks),
            Err(e) => Err(e).context("timestamps"),
        }
    }

    pub fn recycle(&mut self, gpu: &Gpu) -> Result<FrameTiming> {
        let timing = self.timing(gpu);
        let passes = self.passes.len() as u32;
        self.kept.clear();
        self.batches.clear();
        self.passes.clear();
        self.waits.clear();
        self.is_open = false;
        self.compiles = false;
        self.picture = None;
        self.target_batch = None;
        self.used = [0; 2];
        self.sets.reset(gpu)?;
        // SAFETY: the frame has completed.
        unsafe {
            gpu.device.reset_query_pool(self.queries, 0, 2 * self.timed);
            for pool in self.pools {
                gpu.device
                    .reset_command_pool(pool, vk::CommandPoolResetFlags::empty())
                    .context("vkResetCommandPool")?;
            }
        }
        if passes > self.timed && self.timed < TIMED_PASSES_MOST {
            let timed = passes.next_power_of_two().min(TIMED_PASSES_MOST);
            let queries = std::mem::replace(&mut self.queries, timestamps(gpu, timed)?);
            self.timed = timed;
            // SAFETY: the frame that used it has completed.
            unsafe { gpu.device.destroy_query_pool(queries, None) };
        }
        timing
    }

    fn timing(&self, gpu: &Gpu) -> Result<FrameTiming> {
        let ticks = self.ticks(gpu).map_err(|e| gpu.lost(e))?;
        if let Some(name) = self.last_ended(&ticks) {
            gpu.note_ended(name);
        }
        let pairs = ticks.chunks_exact(2).map(Some).chain(std::iter::repeat(None));
        let spans: Vec<_> = self.passes.iter().zip(pairs).map(|(row, pair)| span(gpu, row, pair?)).collect();
        let laid = TimeAxis::of(gpu, self.begun_tick).lay(&spans);
        let submitted_us = |batch: u64| {
            let batch = self.batches.iter().find(|known| known.id == batch);
            batch.map_or(0.0, |batch| batch.submitted_us)
        };
        let passes = self.passes.iter().zip(&laid.spans).map(|(row, span)| PassTiming {
            name: row.name.clone(),
            gpu_us: span.map(|(_, us)| us),
            gpu_start_us: span.map(|(start, _)| start),
            cpu_us: row.cpu_us,
            cpu_start_us: row.cpu_start_us,
            submitted_us: submitted_us(row.batch),
            on_compute_queue: row.queue == Queue::Compute,
            is_shared: row.is_shared,
            of_view: row.of_view,
        });
        Ok(FrameTiming {
            frame: self.number,
            gpu_us: laid.whole_us,
            cpu_us: self.cpu_us,
            begun_us: self.begun_us,
            gpu_after_us: laid.after_us,
            clocks_apart: laid.apart,
            compiles: self.compiles,
            waits: self.queue_waits(),
            window_pass: self.window_pass(),
            picture: self.picture,
            passes: passes.collect(),
        })
    }

    pub fn destroy(&mut self, gpu: &Gpu) {
        self.kept.clear();
        self.sets.destroy(gpu);
        // SAFETY: the caller has waited.
        unsafe {
            gpu.device.destroy_query_pool(self.queries, None);
            gpu.device.destroy_semaphore(self.acquire, None);
            for pool in self.pools {
                gpu.device.destroy_command_pool(pool, None);
            }
        }
    }
}

fn timestamps(gpu: &Gpu, passes: u32) -> Result<vk::QueryPool> {
    let info = vk::QueryPoolCreateInfo::default().query_type(vk::QueryType::TIMESTAMP).query_count(2 * passes);
    // SAFETY: the device is alive; nothing uses the queries yet.
    unsafe {
        let queries = gpu.device.create_query_pool(&info, None).context("vkCreateQueryPool")?;
        gpu.device.reset_query_pool(queries, 0, 2 * passes);
        gpu.name(queries, "frame timestamps");
        Ok(queries)
    }
}

fn span(gpu: &Gpu, row: &PassRow, pair: &[[u64; 2]]) -> Option<Span> {
    let written = row.timed && gpu.tick_ns(row.queue).is_some() && pair.iter().all(|tick| tick[1] != 0);
    written.then(|| Span { queue: row.queue, from: pair[0][0], to: pair[1][0] })
}

impl Gpu {
    fn note_ended(&self, pass: &str) {
        if let Ok(mut last) = self.last_ended.lock()
            && *last != pass
        {
            pass.clone_into(&mut last);
        }
    }

    pub(super) fn lost(&self, error: Error) -> Error {
        match error {
            Error::DeviceLost { .. } => {
                let told = |pass: &Mutex<String>| {
                    let pass = pass.lock().map(|pass| pass.clone()).unwrap_or_default();
                    if pass.is_empty() { "none".to_owned() } else { pass }
                };
                let (pass, ended) = (told(&self.last_pass), told(&self.last_ended));
                Error::DeviceLost { pass, ended, fault: self.faults.text(self.device.handle()) }
            }
            other => other,
        }
    }
}
