//! Fences of presentations (VK_KHR_swapchain_maintenance1, VK_EXT_swapchain_maintenance1): signalled when the window
//! system no longer uses a replaced swapchain.
use super::{
    Gpu,
    error::{Context, Result},
};
use ash::{ext, vk};
use std::ffi::CStr;

/// Instance extensions, one of which is needed; the device's extension has the same index.
pub(super) const SURFACE: [&CStr; 2] = [c"VK_KHR_surface_maintenance1", ext::surface_maintenance1::NAME];
const SWAPCHAIN: [&CStr; 2] = [c"VK_KHR_swapchain_maintenance1", ext::swapchain_maintenance1::NAME];

/// Nanoseconds.
const LONGEST_NS: u64 = 1_000_000_000;

pub(super) fn extension(
    instance: &ash::Instance,
    device: vk::PhysicalDevice,
    has: impl Fn(&CStr) -> bool,
) -> Option<&'static CStr> {
    let name = SWAPCHAIN.into_iter().find(|name| has(name))?;
    let mut feature = vk::PhysicalDeviceSwapchainMaintenance1FeaturesEXT::default();
    let mut all = vk::PhysicalDeviceFeatures2::default().push_next(&mut feature);
    // SAFETY: a query about a device of this instance; both extensions have the same structure.
    unsafe { instance.get_physical_device_features2(device, &mut all) };
    (feature.swapchain_maintenance1 == vk::TRUE).then_some(name)
}

#[derive(Default)]
pub(super) struct PresentFences {
    pending: Vec<vk::Fence>,
    free: Vec<vk::Fence>,
}

impl PresentFences {
    pub fn next(&mut self, gpu: &Gpu) -> Result<Option<vk::Fence>> {
        if gpu.probe.present_fences.is_none() {
            return Ok(None);
        }
        self.poll(gpu);
        let fence = match self.free.pop() {
            Some(fence) => fence,
            // SAFETY: the device is alive.
            None => {
                unsafe { gpu.device.create_fence(&vk::FenceCreateInfo::default(), None) }.context("vkCreateFence")?
            }
        };
        self.pending.push(fence);
        Ok(Some(fence))
    }

    fn poll(&mut self, gpu: &Gpu) {
        // SAFETY (both): the fence is alive, and nothing waits for one that is signalled.
        let has_passed = |fence: &mut vk::Fence| unsafe { gpu.device.get_fence_status(*fence) } == Ok(true);
        for fence in self.pending.extract_if(.., has_passed) {
            match unsafe { gpu.device.reset_fences(&[fence]) } {
                Ok(()) => self.free.push(fence),
                Err(error) => {
                    log::error!("vkResetFences: {error}");
                    unsafe { gpu.device.destroy_fence(fence, None) };
                }
            }
        }
    }

    /// `true` without the extension.
    pub fn have_passed(&mut self, gpu: &Gpu) -> bool {
        self.poll(gpu);
        self.pending.is_empty()
    }

    pub fn destroy(self, gpu: &Gpu) {
        // SAFETY: the fences are alive; nothing uses them after the wait.
        unsafe {
            if !self.pending.is_empty()
                && let Err(error) = gpu.device.wait_for_fences(&self.pending, true, LONGEST_NS)
            {
                log::debug!("a presentation has not ended: {error}");
            }
            self.pending.into_iter().chain(self.free).for_each(|fence| gpu.device.destroy_fence(fence, None));
        }
    }
}
