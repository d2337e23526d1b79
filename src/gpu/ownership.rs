//! Queue ownership of exclusive buffers. With a single queue family its barriers name that family twice and transfer
//! nothing.
use super::{
    Gpu,
    access::{Access, Queue},
    bind::{Resource, ResourceUse},
    buffer::Buffer,
    error::{Error, Result},
    frame::Frame,
};
use ash::vk;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Owner {
    #[default]
    Nobody,
    Has(Queue),
    Awaits(Queue),
}

fn poisoned(name: &str) -> Error {
    Error::Pass { pass: name.into(), problem: "poisoned owner".into() }
}

fn families(gpu: &Gpu, from: Queue) -> [u32; 2] {
    [gpu.probe.families[from as usize], gpu.probe.families[from.other() as usize]]
}

fn barrier(gpu: &Gpu, buffer: &Buffer, from: Queue) -> vk::BufferMemoryBarrier2<'static> {
    let [src, dst] = families(gpu, from);
    let barrier = vk::BufferMemoryBarrier2::default().buffer(buffer.0.raw).size(vk::WHOLE_SIZE);
    barrier.src_queue_family_index(src).dst_queue_family_index(dst)
}

impl Frame {
    /// Releases an exclusive buffer to `to` after the work recorded so far: `to` then waits for no later work of this
    /// queue. No effect on buffers that it owns or that both queues share.
    pub fn give(&mut self, buffer: &Buffer, to: Queue) -> Result<()> {
        let Some(owner) = &buffer.0.owner else { return Ok(()) };
        let from = to.other();
        let now = *owner.lock().map_err(|_| poisoned(&buffer.0.name))?;
        match now {
            Owner::Nobody => return Ok(()),
            Owner::Has(queue) | Owner::Awaits(queue) if queue == to => return Ok(()),
            Owner::Has(_) => {}
            Owner::Awaits(_) => self.receive(buffer, from)?,
        }
        let gpu = self.gpu().clone();
        let (cmd, id) = self.in_flight()?.open(&gpu, from, 0)?;
        let src = buffer.0.state.lock().map_err(|_| poisoned(&buffer.0.name))?.release(from, id);
        let barriers = [barrier(&gpu, buffer, from).src_stage_mask(src.stage).src_access_mask(src.access)];
        // SAFETY: the command buffer is being recorded, outside of rendering; the frame keeps the buffer.
        unsafe {
            let info = vk::DependencyInfo::default().buffer_memory_barriers(&barriers);
            gpu.device.cmd_pipeline_barrier2(cmd, &info);
        }
        self.keep(buffer.0.clone());
        *owner.lock().map_err(|_| poisoned(&buffer.0.name))? = Owner::Awaits(to);
        Ok(())
    }

    fn receive(&mut self, buffer: &Buffer, queue: Queue) -> Result<()> {
        let touches = [ResourceUse { resource: buffer.into(), how: Access::TransferRead }];
        self.on(queue, |frame| frame.pass(&format!("give back/{}", buffer.0.name), &touches, |_, _, _| Ok(())))
    }

    pub(super) fn take_over(&mut self, pass: &str, touches: &[ResourceUse], queue: Queue) -> Result<()> {
        for touch in touches {
            let Resource::Buffer(buffer) = &touch.resource else { continue };
            let Some(owner) = &buffer.0.owner else { continue };
            let now = *owner.lock().map_err(|_| poisoned(pass))?;
            match now {
                Owner::Nobody => *owner.lock().map_err(|_| poisoned(pass))? = Owner::Has(queue),
                Owner::Has(_) | Owner::Awaits(_) => self.give(buffer, queue)?,
            }
        }
        Ok(())
    }
}

pub(super) fn acquires(
    gpu: &Gpu,
    buffer: &Buffer,
    how: Access,
    queue: Queue,
    batch: u64,
    barriers: &mut Vec<vk::BufferMemoryBarrier2<'static>>,
) -> Result<bool> {
    let Some(owner) = &buffer.0.owner else { return Ok(false) };
    let mut owner = owner.lock().map_err(|_| poisoned(&buffer.0.name))?;
    let mut state = buffer.0.state.lock().map_err(|_| poisoned(&buffer.0.name))?;
    let dst = how.scope();
    if *owner == Owner::Awaits(queue) {
        state.acquire(how, queue, batch);
        *owner = Owner::Has(queue);
        let barrier = barrier(gpu, buffer, queue.other()).src_stage_mask(dst.stage);
        barriers.push(barrier.dst_stage_mask(dst.stage).dst_access_mask(dst.access));
        return Ok(true);
    }
    let Some(barrier) = barriers.iter_mut().find(|barrier| barrier.buffer == buffer.0.raw) else { return Ok(false) };
    state.touch(how, queue, batch);
    barrier.src_stage_mask |= dst.stage;
    barrier.dst_stage_mask |= dst.stage;
    barrier.dst_access_mask |= dst.access;
    Ok(true)
}
