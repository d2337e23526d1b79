//! Frame being recorded. Each pass is a debug label, barriers, a timestamp pair and commands, in that order; this is the only code that
//! records them.
use super::{
    Gpu,
    access::{Access, Queue, Stages},
    bind::{Bound, Resource, ResourceUse, binding_methods},
    buffer::{Buffer, Memory},
    error::{Error, Result},
    frame_in_flight::{FrameInFlight, PassRow},
    image::range,
    layout::GpuStruct,
    ownership::acquires,
    pass_capture::PassCapture,
    pipeline::{ComputePipeline, Program},
    queue_wait::latest_wait,
    usage::UsedFeatures,
};
use ash::vk;
use std::{any::Any, ffi::CString, sync::Arc, time::Instant};

pub struct Frame {
    pub(super) gpu: Arc<Gpu>,
    pub(super) in_flight: Option<Box<FrameInFlight>>,
    pub(super) begun: Instant,
    pub(super) acquired: Option<vk::Semaphore>,
    pub(super) presents: Option<vk::Semaphore>,
    pub(super) queue: Queue,
    pub(super) capture: Option<Box<PassCapture>>,
    pub(super) prefix: &'static str,
    pub(super) is_shared: bool,
    pub(super) of_view: bool,
    #[cfg(test)]
    pub(super) forget_barriers: bool,
}

impl Frame {
    pub(super) fn new(gpu: &Arc<Gpu>, in_flight: Box<FrameInFlight>) -> Self {
        Self {
            gpu: gpu.clone(),
            in_flight: Some(in_flight),
            begun: Instant::now(),
            acquired: None,
            presents: None,
            queue: Queue::Graphics,
            capture: None,
            prefix: "",
            is_shared: false,
            of_view: false,
            #[cfg(test)]
            forget_barriers: false,
        }
    }

    pub fn gpu(&self) -> &Arc<Gpu> {
        &self.gpu
    }

    pub fn number(&self) -> u64 {
        self.in_flight.as_ref().map_or(0, |in_flight| in_flight.number)
    }

    pub(super) fn in_flight(&mut self) -> Result<&mut FrameInFlight> {
        let gone = || Error::Pass { pass: "frame".into(), problem: "already submitted".into() };
        self.in_flight.as_deref_mut().ok_or_else(gone)
    }

    pub fn on<E: From<Error>>(
        &mut self,
        queue: Queue,
        passes: impl FnOnce(&mut Self) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        let back = std::mem::replace(&mut self.queue, queue);
        if queue != back {
            self.in_flight()?.close();
        }
        let done = passes(self);
        if queue != back {
            self.in_flight()?.close();
        }
        self.queue = back;
        done
    }

    /// `name`: its label, its row in the timings and its name in errors.
    pub fn compute(&mut self, name: impl Into<String>, pipeline: &ComputePipeline) -> Compute<'_> {
        Compute {
            program: pipeline.0.program(),
            frame: self,
            name: name.into(),
            bound: Bound::default(),
            extra: Vec::new(),
        }
    }

    pub fn keep(&mut self, thing: impl Any + Send) {
        if let Some(in_flight) = &mut self.in_flight {
            in_flight.kept.push(Box::new(thing));
        }
    }

    pub fn data<T: bytemuck::NoUninit>(&mut self, name: &str, data: &[T]) -> Result<Buffer> {
        let buffer = Buffer::new(&self.gpu, name, size_of_val(data) as u64, Memory::Upload)?;
        buffer.write(data)?;
        Ok(buffer)
    }

    fn ready(&mut self, pass: &str, touches: &[ResourceUse]) -> Result<vk::CommandBuffer> {
        let (gpu, queue) = (self.gpu.clone(), self.queue);
        let poisoned = || Error::Pass { pass: pass.into(), problem: "poisoned state".into() };
        refuse_clashes(pass, touches)?;
        if queue == Queue::Compute && gpu.two_families() {
            refuse_exclusive(pass, touches)?;
        }
        self.take_over(pass, touches, queue)?;
        let (mut wait, resource) = latest_wait(pass, touches, queue)?;
        let in_flight = self.in_flight()?;
        {
            let mut met = gpu.met.lock().map_err(|_| poisoned())?;
            if wait > met[queue as usize] {
                met[queue as usize] = wait;
                in_flight.close(); // do not hold up the passes before this one
                in_flight.note_wait(wait, resource);
            } else {
                wait = 0;
            }
        }
        let (cmd, id) = in_flight.open(&gpu, queue, wait)?;
        let windows = |touch: &ResourceUse| matches!(&touch.resource, Resource::ImageView(v) if !v.image.0.owned);
        if in_flight.target_batch.is_none() && touches.iter().any(windows) {
            in_flight.target_batch = Some(id);
        }
        let (mut images, mut buffers, mut memory) = (Vec::new(), Vec::new(), vk::MemoryBarrier2::default());
        let mut any_memory = false;
        for touch in touches {
            match &touch.resource {
                Resource::Buffer(buffer) if acquires(&gpu, buffer, touch.how, queue, id, &mut buffers)? => {}
                Resource::Buffer(buffer) => {
                    let hazard = buffer.0.state.lock().map_err(|_| poisoned())?.touch(touch.how, queue, id);
                    if let Some(h) = hazard.filter(|h| h.barrier) {
                        any_memory = true;
                        memory.src_stage_mask |= h.src.stage;
                        memory.src_access_mask |= h.src.access;
                        memory.dst_stage_mask |= h.dst.stage;
                        memory.dst_access_mask |= h.dst.access;
                    }
                }
                Resource::ImageView(view) => {
                    let mut states = view.image.0.states.lock().map_err(|_| poisoned())?;
                    let mut last = None;
                    for level in view.base..view.base + view.count {
                        let hazard = states[level as usize].touch(touch.how, queue, id).filter(|h| h.barrier);
                        if let (Some(h), Some((barrier, before))) = (hazard, &mut last)
                            && *before == h
                        {
                            let barrier: &mut vk::ImageMemoryBarrier2<'_> = barrier;
                            barrier.subresource_range.level_count += 1; // adjacent levels share a barrier
                            continue;
                        }
                        images.extend(last.take().map(|(barrier, _)| barrier));
                        // Barriers of one call are not ordered: readers of one pass share a barrier.
                        if let (Some(h), Some(both)) = (hazard, same_level(&mut images, view.image.0.raw, level)) {
                            both.src_stage_mask |= h.src.stage;
                            both.src_access_mask |= h.src.access;
                            both.dst_stage_mask |= h.dst.stage;
                            both.dst_access_mask |= h.dst.access;
                            continue;
                        }
                        last = hazard.map(|h| {
                            let barrier = vk::ImageMemoryBarrier2::default()
                                .image(view.image.0.raw)
                                .subresource_range(vk::ImageSubresourceRange {
                                    aspect_mask: view.image.format().aspect(),
                                    ..range(view.image.format(), level, 1)
                                })
                                .old_layout(h.src.layout)
                                .new_layout(h.dst.layout)
                                .src_stage_mask(h.src.stage)
                                .src_access_mask(h.src.access)
                                .dst_stage_mask(h.dst.stage)
                                .dst_access_mask(h.dst.access);
                            (barrier, h)
                        });
                    }
                    images.extend(last.map(|(barrier, _)| barrier));
                }
            }
        }
        #[cfg(test)]
        if self.forget_barriers {
            images.retain(|b| b.old_layout != b.new_layout);
            any_memory = false;
        }
        let memory = [memory];
        let mut info = vk::DependencyInfo::default().image_memory_barriers(&images).buffer_memory_barriers(&buffers);
        if any_memory {
            info = info.memory_barriers(&memory);
        }
        if any_memory || !images.is_empty() || !buffers.is_empty() {
            // SAFETY: the command buffer is being recorded, outside of rendering.
            unsafe { gpu.device.cmd_pipeline_barrier2(cmd, &info) };
        }
        let in_flight = self.in_flight()?;
        for touch in touches {
            in_flight.kept.push(match &touch.resource {
                Resource::Buffer(b) => Box::new(b.0.clone()),
                Resource::ImageView(v) => Box::new(v.image.0.clone()),
            });
        }
        Ok(cmd)
    }

    pub(super) fn pass(
        &mut self,
        name: &str,
        touches: &[ResourceUse],
        record: impl FnOnce(&Gpu, vk::CommandBuffer, &mut FrameInFlight) -> Result<()>,
    ) -> Result<()> {
        let prefixed = (!self.prefix.is_empty()).then(|| format!("{}{name}", self.prefix));
        let name = prefixed.as_deref().unwrap_or(name);
        match self.capture.take() {
            Some(capture) => self.pass_captured(capture, name, touches, record),
            None => self.record_pass(name, touches, record),
        }
    }

    pub(super) fn record_pass(
        &mut self,
        name: &str,
        touches: &[ResourceUse],
        record: impl FnOnce(&Gpu, vk::CommandBuffer, &mut FrameInFlight) -> Result<()>,
    ) -> Result<()> {
        let started = Instant::now();
        let gpu = self.gpu.clone();
        if let Ok(mut last) = gpu.last_pass.lock() {
            name.clone_into(&mut last);
        }
        let cmd = self.ready(name, touches)?;
        let queue = self.queue;
        let begun = self.begun;
        let is_shared = self.is_shared;
        let of_view = self.of_view;
        let in_flight = self.in_flight()?;
        let index = in_flight.passes.len() as u32;
        let timed = index < in_flight.timed && gpu.tick_ns(queue).is_some();
        let label = CString::new(name).unwrap_or_default();
        let all = vk::PipelineStageFlags2::ALL_COMMANDS;
        #[cfg(any(test, feature = "fixtures"))]
        let record = |gpu: &Gpu, cmd, in_flight: &mut FrameInFlight| match super::garbage::is_on() {
            true => Ok(()),
            false => record(gpu, cmd, in_flight),
        };
        // SAFETY: the command buffer is being recorded; the queries were reset when the frame began.
        let done = unsafe {
            let queries = in_flight.queries;
            let write_timestamp = |query| gpu.device.cmd_write_timestamp2(cmd, all, queries, query);
            if let Some(labels) = &gpu.labels {
                labels.cmd_begin_debug_utils_label(cmd, &vk::DebugUtilsLabelEXT::default().label_name(&label));
            }
            if timed {
                write_timestamp(2 * index);
                gpu.finish_recorded(cmd);
            }
            let done = record(&gpu, cmd, in_flight);
            if timed {
                gpu.finish_recorded(cmd);
                write_timestamp(2 * index + 1);
            }
            if let Some(labels) = &gpu.labels {
                labels.cmd_end_debug_utils_label(cmd);
            }
            done
        };
        let cpu_start_us = (started - begun).as_secs_f64() * 1e6;
        in_flight.passes.push(PassRow {
            name: name.into(),
            queue,
            batch: in_flight.batches.last().map_or(0, |batch| batch.id),
            timed,
            is_shared,
            of_view,
            cpu_start_us,
            cpu_us: started.elapsed().as_secs_f64() * 1e6,
        });
        done
    }

    /// `touches` must declare all accesses.
    pub(super) fn raw(
        &mut self,
        name: &str,
        touches: &[(Resource, Access)],
        record: impl FnOnce(&Gpu, vk::CommandBuffer) -> Result<()>,
    ) -> Result<()> {
        let touches: Vec<_> = touches.iter().map(|(r, how)| ResourceUse { resource: r.clone(), how: *how }).collect();
        self.pass(name, &touches, |gpu, cmd, _| record(gpu, cmd))
    }
}

fn same_level<'b, 'a>(
    barriers: &'b mut [vk::ImageMemoryBarrier2<'a>],
    image: vk::Image,
    level: u32,
) -> Option<&'b mut vk::ImageMemoryBarrier2<'a>> {
    let is = |barrier: &&mut vk::ImageMemoryBarrier2<'a>| {
        let range = barrier.subresource_range;
        barrier.image == image && (range.base_mip_level, range.level_count) == (level, 1)
    };
    barriers.iter_mut().find(is)
}

/// A pass may read a resource several times; it may not write one that it also reads elsewhere.
fn refuse_clashes(pass: &str, touches: &[ResourceUse]) -> Result<()> {
    for (i, a) in touches.iter().enumerate() {
        for b in &touches[..i] {
            let (sa, sb) = (a.how.scope(), b.how.scope());
            let (name, same) = match (&a.resource, &b.resource) {
                (Resource::Buffer(x), Resource::Buffer(y)) => (&x.0.name, Arc::ptr_eq(&x.0, &y.0)),
                (Resource::ImageView(x), Resource::ImageView(y)) => {
                    let overlap = x.base < y.base + y.count && y.base < x.base + x.count;
                    (&x.image.0.name, overlap && Arc::ptr_eq(&x.image.0, &y.image.0))
                }
                _ => continue,
            };
            let layouts_clash = matches!(a.resource, Resource::ImageView(_)) && sa.layout != sb.layout;
            if same && a.how != b.how && (sa.writes || sb.writes || layouts_clash) {
                let problem = format!("{name} is touched as {:?} and as {:?}; expected one of them", a.how, b.how);
                return Err(Error::Pass { pass: pass.into(), problem });
            }
        }
    }
    Ok(())
}

fn refuse_exclusive(pass: &str, touches: &[ResourceUse]) -> Result<()> {
    for touch in touches {
        if let Resource::ImageView(view) = &touch.resource
            && !view.image.0.both_queues
        {
            let problem =
                format!("{} is touched on the compute queue; expected ImageDesc::both_queues", view.image.name());
            return Err(Error::Pass { pass: pass.into(), problem });
        }
    }
    Ok(())
}

#[must_use = "a pass does nothing until it is dispatched"]
pub struct Compute<'f> {
    pub(super) frame: &'f mut Frame,
    program: Arc<Program>,
    name: String,
    bound: Bound,
    extra: Vec<ResourceUse>,
}

impl Compute<'_> {
    binding_methods!();

    /// Whole workgroups, at least one invocation per element of `over`.
    pub fn dispatch(self, over: [u32; 2]) -> Result<()> {
        let group = self.program.group;
        self.dispatch_groups([over[0].div_ceil(group[0].max(1)), over[1].div_ceil(group[1].max(1)), 1])
    }

    pub fn dispatch_groups(self, groups: [u32; 3]) -> Result<()> {
        self.record(|gpu, cmd| {
            // SAFETY: pipeline and descriptors are bound by `record`.
            unsafe { gpu.device.cmd_dispatch(cmd, groups[0], groups[1], groups[2]) };
        })
    }

    /// `offset`: bytes to the three numbers of workgroups.
    pub fn dispatch_indirect(mut self, buffer: &Buffer, offset: u64) -> Result<()> {
        self.extra.push(ResourceUse { resource: buffer.into(), how: Access::Indirect });
        let raw = buffer.0.raw;
        self.record(|gpu, cmd| {
            // SAFETY: as above; the buffer is kept by the frame.
            unsafe { gpu.device.cmd_dispatch_indirect(cmd, raw, offset) };
        })
    }

    /// Dispatches in one pass, each with its own push constants and its three numbers of workgroups at a byte offset of
    /// `calls`. Each sees the writes of those before it, also to `calls`.
    pub fn dispatch_chain<T: GpuStruct>(mut self, calls: &Buffer, each: &[(u64, T)]) -> Result<()> {
        let Some((_, first)) = each.first() else { return Ok(()) };
        self.bound.push = bytemuck::bytes_of(first).to_vec();
        self.program.interface.check_push::<T>()?;
        let (program, calls, each) = (self.program.clone(), calls.0.clone(), each.to_vec());
        self.frame.keep(calls.clone());
        self.record(move |gpu, cmd| {
            let (shader, indirect) = (vk::PipelineStageFlags2::COMPUTE_SHADER, vk::PipelineStageFlags2::DRAW_INDIRECT);
            let shaders = vk::AccessFlags2::SHADER_STORAGE_READ | vk::AccessFlags2::SHADER_STORAGE_WRITE;
            let written = [vk::MemoryBarrier2::default()
                .src_stage_mask(shader)
                .src_access_mask(vk::AccessFlags2::SHADER_STORAGE_WRITE)
                .dst_stage_mask(shader | indirect)
                .dst_access_mask(shaders | vk::AccessFlags2::INDIRECT_COMMAND_READ)];
            let read = [vk::MemoryBarrier2::default().src_stage_mask(indirect).dst_stage_mask(shader)];
            let push_stages = program.interface.stages.shader();
            // SAFETY: pipeline and descriptors are bound by `record`, the buffer is kept by the frame.
            unsafe {
                for (offset, push) in &each {
                    let written = vk::DependencyInfo::default().memory_barriers(&written);
                    gpu.device.cmd_pipeline_barrier2(cmd, &written);
                    gpu.device.cmd_push_constants(cmd, program.layout, push_stages, 0, bytemuck::bytes_of(push));
                    gpu.device.cmd_dispatch_indirect(cmd, calls.raw, *offset);
                }
                gpu.device.cmd_pipeline_barrier2(cmd, &vk::DependencyInfo::default().memory_barriers(&read));
            }
        })
    }

    fn record(self, run: impl FnOnce(&Gpu, vk::CommandBuffer)) -> Result<()> {
        let Self { frame, program, name, bound, extra } = self;
        let mut touches = bound.touches(&name, &program.interface)?;
        touches.extend(extra);
        frame.gpu.usage.note(UsedFeatures { subgroups: program.interface.subgroups, draws: false });
        frame.keep(program.clone());
        frame.declare(&bound, &program);
        frame.pass(&name, &touches, |gpu, cmd, in_flight| {
            bind(gpu, cmd, in_flight, &program, &bound, Stages::COMPUTE)?;
            run(gpu, cmd);
            Ok(())
        })
    }
}

pub(super) fn bind(
    gpu: &Gpu,
    cmd: vk::CommandBuffer,
    in_flight: &mut FrameInFlight,
    program: &Program,
    bound: &Bound,
    stages: Stages,
) -> Result<()> {
    let point =
        if stages == Stages::COMPUTE { vk::PipelineBindPoint::COMPUTE } else { vk::PipelineBindPoint::GRAPHICS };
    let interface = &program.interface;
    in_flight.compiles |= program.is_first_use();
    // SAFETY: everything bound is kept by the frame until the GPU is done with it.
    unsafe {
        gpu.device.cmd_bind_pipeline(cmd, point, program.raw);
        if !interface.bindings.is_empty() {
            let set = in_flight.sets.allocate(gpu, program.set)?;
            bound.write(gpu, interface, set)?;
            gpu.device.cmd_bind_descriptor_sets(cmd, point, program.layout, 0, &[set], &[]);
        }
        if !bound.push.is_empty() {
            gpu.device.cmd_push_constants(cmd, program.layout, interface.stages.shader(), 0, &bound.push);
        }
    }
    Ok(())
}

impl Drop for Frame {
    fn drop(&mut self) {
        // On an error the recorded part is still submitted, because the resources' states already include it.
        if let Some(mut in_flight) = self.in_flight.take() {
            match in_flight.submit(&self.gpu, self.acquired, None, self.begun) {
                Ok(()) | Err(Error::DeviceLost { .. }) => {}
                Err(e) => log::error!("a dropped frame: {e}"),
            }
            self.gpu.wait_to_drop();
            in_flight.destroy(&self.gpu);
        }
    }
}
