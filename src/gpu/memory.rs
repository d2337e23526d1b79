//! Device memory, allocated through gpu-allocator.
use super::{Gpu, error::Error, error::Result};
use ash::vk;
use gpu_allocator::{
    MemoryLocation,
    vulkan::{Allocation, AllocationCreateDesc, AllocationScheme},
};

impl Gpu {
    /// `linear` is true for buffers, false for images.
    pub(super) fn allocate(
        &self,
        name: &str,
        requirements: vk::MemoryRequirements,
        location: MemoryLocation,
        linear: bool,
    ) -> Result<Allocation> {
        let full = |detail: String| Error::OutOfMemory { what: name.into(), detail };
        let mut memory = self.memory.lock().map_err(|_| full("the allocator is poisoned".into()))?;
        let memory = memory.as_mut().ok_or_else(|| full("the device is gone".into()))?;
        let scheme = AllocationScheme::GpuAllocatorManaged;
        memory
            .allocate(&AllocationCreateDesc { name, requirements, location, linear, allocation_scheme: scheme })
            .map_err(|e| full(format!("{} bytes: {e}", requirements.size)))
    }

    pub(super) fn free(&self, allocation: Option<Allocation>) {
        let Some(allocation) = allocation else { return };
        if let Ok(mut memory) = self.memory.lock()
            && let Some(memory) = memory.as_mut()
            && let Err(e) = memory.free(allocation)
        {
            log::error!("freeing memory: {e}");
        }
    }
}
