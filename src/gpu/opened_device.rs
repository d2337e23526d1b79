//! Open Vulkan device with its own objects.
use super::{
    device::Options,
    error::{Context, Error, Result},
    features::{Feature, Probe},
    pipeline_cache_file::PipelinesKept,
    sampler::Samplers,
};
use ash::vk;
use gpu_allocator::{
    AllocationError,
    vulkan::{Allocator, AllocatorCreateDesc},
};

/// All fallible steps of opening a device are here, so that [`super::device_list::first_to_open`] can try the next one.
pub(super) struct OpenedDevice {
    pub device: ash::Device,
    pub memory: Option<Allocator>,
    pub timelines: [vk::Semaphore; 2],
    pub samplers: Samplers,
    pub pipeline_cache: vk::PipelineCache,
    pub kept: Option<PipelinesKept>,
}

impl OpenedDevice {
    pub fn new(
        instance: &ash::Instance,
        physical: vk::PhysicalDevice,
        probe: &Probe,
        options: &Options,
    ) -> Result<Self> {
        if options.statistics && !probe.tells_statistics {
            let why = "its driver tells nothing about compiled shaders (VK_KHR_pipeline_executable_properties)";
            return Err(Error::NoDevice(why.into()));
        }
        let device = probe.open(instance, physical, options.window.is_some()).context("vkCreateDevice")?;
        let mut opened = Self {
            device,
            memory: None,
            timelines: Default::default(),
            samplers: Samplers::default(),
            pipeline_cache: vk::PipelineCache::null(),
            kept: options.cache.as_deref().map(|folder| PipelinesKept::open(folder, &probe.properties)),
        };
        opened.fill(instance, physical, probe).inspect_err(|_| opened.destroy())?;
        Ok(opened)
    }

    fn fill(&mut self, instance: &ash::Instance, physical: vk::PhysicalDevice, probe: &Probe) -> Result<()> {
        let device = &self.device;
        let desc = AllocatorCreateDesc {
            instance: instance.clone(),
            device: device.clone(),
            physical_device: physical,
            debug_settings: Default::default(),
            buffer_device_address: probe.features.contains(&Feature::RayQuery),
            allocation_sizes: Default::default(),
        };
        let refused = |e: AllocationError| Error::OutOfMemory { what: "the allocator".into(), detail: e.to_string() };
        self.memory = Some(Allocator::new(&desc).map_err(refused)?);
        for timeline in &mut self.timelines {
            let mut kind = vk::SemaphoreTypeCreateInfo::default().semaphore_type(vk::SemaphoreType::TIMELINE);
            let info = vk::SemaphoreCreateInfo::default().push_next(&mut kind);
            // SAFETY: the device is alive.
            *timeline = unsafe { device.create_semaphore(&info, None) }.context("timeline semaphore")?;
        }
        let read = self.kept.as_ref().map_or(&[][..], |kept| &kept.read);
        let info = vk::PipelineCacheCreateInfo::default().initial_data(read);
        // SAFETY: the device is alive, and the data outlives the call.
        self.pipeline_cache = unsafe { device.create_pipeline_cache(&info, None) }.context("vkCreatePipelineCache")?;
        self.samplers.create(device)
    }

    fn destroy(&mut self) {
        // SAFETY: nothing has been submitted to the device, and nothing else refers to it.
        unsafe { destroy(&self.device, &self.samplers, self.pipeline_cache, self.timelines, self.memory.take()) };
    }
}

/// Destroys a device and its objects. Null ones were not created.
///
/// # Safety
/// The device must be idle, and nothing may use it afterwards.
pub(super) unsafe fn destroy(
    device: &ash::Device,
    samplers: &Samplers,
    pipeline_cache: vk::PipelineCache,
    timelines: [vk::Semaphore; 2],
    memory: Option<Allocator>,
) {
    // SAFETY: guaranteed by the caller.
    unsafe {
        samplers.destroy(device);
        device.destroy_pipeline_cache(pipeline_cache, None);
        for semaphore in timelines {
            device.destroy_semaphore(semaphore, None);
        }
        drop(memory);
        device.destroy_device(None);
    }
}
