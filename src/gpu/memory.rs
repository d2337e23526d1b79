//! Device memory by gpu-allocator.
use super::{Feature, Gpu, error::Error, error::Result};
use ash::vk;
use gpu_allocator::{
    MemoryLocation,
    vulkan::{Allocation, AllocationCreateDesc, AllocationScheme},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryUse {
    pub used: u64,
    /// Bytes that this process can use, if the driver reports it (VK_EXT_memory_budget).
    pub budget: Option<u64>,
}

impl Gpu {
    pub fn memory_use(&self) -> MemoryUse {
        if !self.has(Feature::MemoryBudget) {
            let capacity = self.memory.lock().ok().and_then(|memory| memory.as_ref().map(|memory| memory.capacity()));
            return MemoryUse { used: capacity.unwrap_or(0), budget: None };
        }
        let mut budget = vk::PhysicalDeviceMemoryBudgetPropertiesEXT::default();
        let mut memory = vk::PhysicalDeviceMemoryProperties2::default().push_next(&mut budget);
        // SAFETY: a query about the open device; it offers the extension of the second structure.
        unsafe { self.instance.raw.get_physical_device_memory_properties2(self.physical, &mut memory) };
        let heaps = memory.memory_properties;
        let local = |heap: &usize| heaps.memory_heaps[*heap].flags.contains(vk::MemoryHeapFlags::DEVICE_LOCAL);
        let locals: Vec<usize> = (0..heaps.memory_heap_count as usize).filter(local).collect();
        let sum = |of: &[u64]| locals.iter().map(|heap| of[*heap]).sum();
        MemoryUse { used: sum(&budget.heap_usage), budget: Some(sum(&budget.heap_budget)) }
    }

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
