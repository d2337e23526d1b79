//! Vulkan device: selection, queues, memory, names.
use super::{
    access::Queue,
    device_fault::FaultReports,
    device_list::{facts, first_to_open, rank},
    device_policy::DevicePolicy,
    error::{Context, Error, Result},
    features::{Feature, Probe, Subgroup},
    instance::{Instance, Messages},
    null_device,
    opened_device::{OpenedDevice, destroy},
    pipeline_cache_file::PipelinesKept,
    pipeline_statistics::StatisticsLog,
    sampler::Samplers,
    shader_edits::ShaderEdit,
    shader_folder::ShaderFolder,
    shaders::Shaders,
    shared_pipelines::SharedPipelines,
    usage::{Usage, UsedFeatures},
};
use ash::{ext, khr, vk};
use gpu_allocator::vulkan::Allocator;
use raw_window_handle::{HasDisplayHandle, HasWindowHandle};
use std::{
    collections::BTreeSet,
    ffi::CString,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, Weak,
        atomic::{AtomicU64, Ordering},
    },
};

/// A window with a display handle.
pub trait WindowHandles: HasDisplayHandle + HasWindowHandle + Send + Sync {}
impl<T: HasDisplayHandle + HasWindowHandle + Send + Sync> WindowHandles for T {}

/// User options of the device.
#[derive(Clone, Default)]
pub struct Options {
    /// Index in [`list`], or a part of the name; `None`: the best one.
    pub gpu: Option<String>,
    /// Validation with synchronization validation.
    pub validate: bool,
    /// The window to present to.
    pub window: Option<Arc<dyn WindowHandles>>,
    /// Features to disable, for tests of the fallbacks.
    pub without: BTreeSet<Feature>,
    /// Collects statistics of every pipeline ([`Gpu::pipeline_statistics`]). Only with this a device that compiles for a family of GPUs and
    /// executes nothing can be opened (radv's `RADV_FORCE_FAMILY`).
    pub statistics: bool,
    /// File of the driver's pipeline cache between launches; `None`: not kept.
    pub cache: Option<PathBuf>,
    /// Receives the messages of the validation layer; several devices may share it.
    pub messages: Arc<Messages>,
}

/// Facts about a device, for panels and JSON.
#[derive(Clone, Debug)]
pub struct DeviceInfo {
    /// The device's own name.
    pub name: String,
    /// Driver name and version, as reported by the driver.
    pub driver: String,
    /// Vulkan version.
    pub api: String,
    /// "discrete", "integrated", "virtual", "software" or "other".
    pub kind: &'static str,
    /// Subgroup sizes.
    pub subgroup: Subgroup,
    /// Available optional features.
    pub features: BTreeSet<Feature>,
    /// Largest number of invocations per workgroup (compute shaders).
    pub group_invocations: u32,
    /// Largest workgroup size along each axis.
    pub group_size: [u32; 3],
    /// Shared memory of a workgroup, bytes.
    pub shared_bytes: u32,
    /// Largest storage buffer range of a shader, bytes.
    pub storage_bytes: u32,
    /// Largest number of storage images per shader.
    pub storage_images: u32,
    /// Largest number of texels of a texel buffer.
    pub texels: u32,
    /// Side of the largest point, pixels; without [`Feature::LargePoints`] only 1 is allowed.
    pub most_point: f32,
    /// Largest side of a 2D image, texels.
    pub max_side: u32,
    /// Device-local memory, bytes.
    pub memory_bytes: u64,
    /// The family of GPUs that it compiles for, if it executes nothing (radv's `RADV_FORCE_FAMILY`).
    pub null_family: Option<String>,
    /// Why the program cannot use it; `None` if it can.
    pub unusable: Option<String>,
}

impl DeviceInfo {
    /// The workgroup limits of compute shaders, as text.
    #[must_use]
    pub fn group_limits(&self) -> String {
        let [x, y, z] = self.group_size;
        format!("{} invocations, {x} x {y} x {z} at most", self.group_invocations)
    }
}

/// The device, its queues, and objects of the same lifetime.
pub struct DeviceCore {
    pub(super) device: ash::Device,
    pub(super) physical: vk::PhysicalDevice,
    pub(super) probe: Probe,
    pub(super) labels: Option<ext::debug_utils::Device>,
    pub(super) mesh: Option<ext::mesh_shader::Device>,
    pub(super) structures: Option<khr::acceleration_structure::Device>,
    pub(super) calibrated: Option<ext::calibrated_timestamps::Device>,
    pub(super) swapchain: khr::swapchain::Device,
    pub(super) queues: [vk::Queue; 2],
    pub(super) timelines: [vk::Semaphore; 2],
    pub(super) batches: AtomicU64,
    /// Number of waits for the whole device.
    pub(super) waits: AtomicU64,
    pub(super) met: Mutex<[u64; 2]>,
    pub(super) memory: Mutex<Option<Allocator>>,
    pub(super) samplers: Samplers,
    pub(super) last_pass: Mutex<String>,
    /// The last pass known to have completed on the GPU.
    pub(super) last_ended: Mutex<String>,
    pub(super) pipeline_cache: vk::PipelineCache,
    kept: Option<PipelinesKept>,
    features: BTreeSet<Feature>,
    facts: DeviceInfo,
    policy: DevicePolicy,
    pub(super) usage: Usage,
    pub(super) statistics: Option<StatisticsLog>,
    pub(super) faults: FaultReports,
    /// Every device of the loader, and the index of this one.
    all: (Vec<DeviceInfo>, usize),
    pub(super) window: Option<Arc<dyn WindowHandles>>,
    #[cfg(test)]
    pub(super) fault: super::garbage::Fault,
    pub(super) instance: Instance,
}

/// A device, with the shaders that its pipelines are made of.
pub struct Gpu {
    core: Arc<DeviceCore>,
    /// Shaders and compiler messages.
    pub shaders: Shaders,
    pub(super) shared: Mutex<Weak<SharedPipelines>>,
}

impl std::ops::Deref for Gpu {
    type Target = DeviceCore;
    fn deref(&self) -> &DeviceCore {
        &self.core
    }
}

impl Gpu {
    /// Selects and opens a device; if that fails, the next one.
    pub fn new(options: &Options) -> Result<Arc<Self>> {
        let extensions = match &options.window {
            None => Vec::new(),
            Some(window) => {
                let display = window.display_handle().map_err(|e| Error::NoDevice(format!("no display: {e}")))?;
                ash_window::enumerate_required_extensions(display.as_raw()).context("surface extensions")?.to_vec()
            }
        };
        let mut instance = Instance::new(&extensions, options.validate, options.messages.clone())?;
        // SAFETY (this function): handles are alive, and structs live until each call returns.
        let devices = unsafe { instance.raw.enumerate_physical_devices() }.context("vkEnumeratePhysicalDevices")?;
        let found: Vec<_> = devices.iter().map(|device| facts(&instance.raw, *device)).collect();
        let mut ranked: Vec<_> = (0..found.len())
            .filter_map(|i| rank(&found[i].0, i, options.gpu.as_deref()).map(|rank| (std::cmp::Reverse(rank), i)))
            .collect();
        ranked.sort_unstable();
        if ranked.is_empty() {
            let seen: Vec<_> = found
                .iter()
                .enumerate()
                .map(|(i, (f, _))| format!("{i}: {} ({})", f.name, f.unusable.as_deref().unwrap_or("usable")))
                .collect();
            let wanted = options.gpu.as_ref().map_or(String::new(), |name| format!(" called \"{name}\""));
            if seen.is_empty() {
                return Err(Error::no_driver());
            }
            let seen = seen.join(", ");
            return Err(Error::NoDevice(format!("no usable GPU{wanted}; expected one of: {seen}")));
        }
        let all: Vec<_> = found.iter().map(|(facts, _)| facts.clone()).collect();
        let mut found: Vec<_> = found.into_iter().map(Some).collect();
        let candidates = ranked.into_iter().filter_map(|(_, i)| {
            let (facts, probe) = found[i].take()?;
            Some((facts.name.clone(), (i, facts, probe?)))
        });
        let (opened, index, mut facts, probe, raw) = first_to_open(candidates, |(index, facts, mut probe)| {
            let physical = devices[index];
            for feature in &options.without {
                probe.features.remove(feature);
            }
            probe.present_fences = probe.present_fences.filter(|_| instance.has_present_fences);
            if !probe.features.contains(&Feature::AsyncCompute) {
                probe.families[1] = probe.families[0];
            }
            let mut raw = instance.raw.clone();
            if let Some(family) = &facts.null_family {
                if !options.statistics {
                    return Err(Error::NoDevice(format!("it compiles shaders for {family} and executes nothing")));
                }
                // Without hardware there are no clocks, and no memory to ask about.
                probe.features.remove(&Feature::CalibratedTimestamps);
                probe.features.remove(&Feature::MemoryBudget);
                raw = unsafe { null_device::stand_in(&instance.entry, &raw) };
            }
            let opened = OpenedDevice::new(&raw, physical, &probe, options)?;
            Ok((opened, index, facts, probe, raw))
        })?;
        let physical = devices[index];
        instance.raw = raw;
        facts.features.clone_from(&probe.features);
        let OpenedDevice { device, memory, timelines, samplers, pipeline_cache, kept } = opened;
        let queues = probe.families.map(|family| unsafe { device.get_device_queue(family, 0) });
        let tells = probe.tells_statistics;
        let core = DeviceCore {
            labels: instance.labels.then(|| ext::debug_utils::Device::new(&instance.raw, &device)),
            mesh: probe
                .features
                .contains(&Feature::MeshShader)
                .then(|| ext::mesh_shader::Device::new(&instance.raw, &device)),
            structures: probe
                .features
                .contains(&Feature::RayQuery)
                .then(|| khr::acceleration_structure::Device::new(&instance.raw, &device)),
            calibrated: super::time_axis::calibrated(&instance, &device, physical, &probe),
            swapchain: khr::swapchain::Device::new(&instance.raw, &device),
            samplers,
            queues,
            timelines,
            batches: AtomicU64::new(0),
            waits: AtomicU64::new(0),
            met: Mutex::default(),
            memory: Mutex::new(memory),
            last_pass: Mutex::default(),
            last_ended: Mutex::default(),
            pipeline_cache,
            kept,
            features: probe.features.clone(),
            policy: DevicePolicy::new(facts.kind, &facts.driver, facts.subgroup.size),
            facts,
            usage: Usage::default(),
            statistics: tells.then(|| StatisticsLog::new(&instance.raw, &device, options.statistics)),
            faults: FaultReports::new(probe.fault, &instance.raw, &device),
            all: (all, index),
            window: options.window.clone(),
            #[cfg(test)]
            fault: Default::default(),
            physical,
            probe,
            device,
            instance,
        };
        let gpu = Self { core: Arc::new(core), shaders: Shaders::default(), shared: Mutex::default() };
        gpu.name(queues[0], "graphics queue");
        gpu.name(timelines[0], "graphics timeline");
        gpu.name(timelines[1], "compute timeline");
        log::info!("GPU: {} ({}), Vulkan {}", gpu.facts.name, gpu.facts.driver, gpu.facts.api);
        Ok(Arc::new(gpu))
    }

    /// The same device with the shaders of another folder, a copy of `shaders`. If `is_strict`, one that cannot be used is an error of its
    /// pipeline; otherwise it is reported by [`Shaders::errors`], and the embedded one is used.
    ///
    /// # Errors
    /// The folder is no such copy.
    pub fn with_shaders(&self, folder: &Path, is_strict: bool) -> Result<Arc<Self>> {
        let shaders = Shaders::of_folder(ShaderFolder::new(folder)?, is_strict);
        Ok(Arc::new(Self { core: self.core.clone(), shaders, shared: Mutex::default() }))
    }

    /// The same device with edits of the embedded shaders. A pipeline whose shaders do not compile with them is an error.
    #[must_use]
    pub fn with_edits(&self, edits: &'static [ShaderEdit]) -> Arc<Self> {
        Arc::new(Self { core: self.core.clone(), shaders: Shaders::of_edits(edits), shared: Mutex::default() })
    }

    /// A device without a window, for tests.
    pub fn headless(validate: bool) -> Result<Arc<Self>> {
        Self::new(&Options { validate, ..Default::default() })
    }

    /// Facts about the device.
    #[must_use]
    pub fn info(&self) -> &DeviceInfo {
        &self.facts
    }

    /// Every device of the loader, usable or not, and the index of this one among them.
    #[must_use]
    pub fn all_devices(&self) -> (&[DeviceInfo], usize) {
        (&self.all.0, self.all.1)
    }

    /// Choices that depend on the kind of device.
    #[must_use]
    pub fn policy(&self) -> &DevicePolicy {
        &self.policy
    }

    /// Whether an optional feature is available.
    #[must_use]
    pub fn has(&self, feature: Feature) -> bool {
        self.features.contains(&feature)
    }

    /// Whether the validation layer is on.
    #[must_use]
    pub fn validates(&self) -> bool {
        self.instance.validates
    }

    /// Completes all recorded work before the following. Mesa's software driver (25.0) writes a timestamp together with the draws that
    /// it submits at the next barrier, and runs a dispatch by itself meanwhile: a pass of dispatches would seem to take no time. It orders
    /// no memory accesses. Disabled under validation, which would otherwise miss absent barriers.
    pub(super) fn finish_recorded(&self, cmd: vk::CommandBuffer) {
        if !self.policy.completes_passes || self.validates() {
            return;
        }
        let all = vk::PipelineStageFlags2::ALL_COMMANDS;
        let ended = [vk::MemoryBarrier2::default().src_stage_mask(all).dst_stage_mask(all)];
        let info = vk::DependencyInfo::default().memory_barriers(&ended);
        // SAFETY: the command buffer is being recorded, outside of rendering.
        unsafe { self.device.cmd_pipeline_barrier2(cmd, &info) };
    }

    /// Messages of the validation layer. Keep the handle to read them after the device was destroyed.
    #[must_use]
    pub fn messages(&self) -> Arc<Messages> {
        self.instance.messages.clone()
    }

    /// Kinds of work recorded since the last call.
    pub fn take_used(&self) -> UsedFeatures {
        self.usage.take()
    }

    /// Number of waits for the whole device so far: each of them is a hitch.
    #[must_use]
    pub fn waits(&self) -> u64 {
        self.waits.load(Ordering::Relaxed)
    }

    /// Waits until the device is idle.
    pub fn wait_idle(&self) -> Result<()> {
        self.waits.fetch_add(1, Ordering::Relaxed);
        // SAFETY: no other thread submits: the thread that owns the loop records and submits all frames.
        unsafe { self.device.device_wait_idle() }.context("vkDeviceWaitIdle").map_err(|e| self.lost(e))
    }

    /// Waits before a resource is destroyed. A lost GPU uses no resource, and the loss has been reported already.
    pub(super) fn wait_to_drop(&self) {
        match self.wait_idle() {
            Ok(()) | Err(Error::DeviceLost { .. }) => {}
            Err(e) => log::error!("{e}"),
        }
    }

    /// Gives any object a name for RenderDoc, Nsight and the validation layer.
    pub(super) fn name<H: vk::Handle + Copy>(&self, handle: H, name: &str) {
        let (Some(labels), Ok(text)) = (&self.labels, CString::new(name)) else { return };
        if handle.is_null() {
            return;
        }
        let info = vk::DebugUtilsObjectNameInfoEXT::default().object_handle(handle).object_name(&text);
        // SAFETY: the object is alive: the caller has just created it. A failure costs only the name.
        let _ = unsafe { labels.set_debug_utils_object_name(&info) };
    }

    pub(super) fn next_batch(&self) -> u64 {
        1 + self.batches.fetch_add(1, Ordering::Relaxed)
    }

    /// Whether the queues are of different families.
    pub(super) fn two_families(&self) -> bool {
        self.probe.families[0] != self.probe.families[1]
    }

    pub(super) fn raw_queue(&self, queue: Queue) -> vk::Queue {
        self.queues[queue as usize]
    }

    /// Valid bits of a timestamp of this queue.
    pub(super) fn tick_bits(&self, queue: Queue) -> u32 {
        self.probe.timestamp_bits[queue as usize]
    }

    /// Nanoseconds per timestamp tick; `None` if the queue has no timestamps.
    pub(super) fn tick_ns(&self, queue: Queue) -> Option<f64> {
        let bits = self.probe.timestamp_bits[queue as usize];
        (bits > 0).then(|| f64::from(self.probe.properties.limits.timestamp_period))
    }
}

impl Drop for DeviceCore {
    fn drop(&mut self) {
        // SAFETY: every resource holds an `Arc` of this, so none is left; the device is idle before anything is destroyed.
        unsafe {
            let _ = self.device.device_wait_idle();
            if let (Some(kept), Ok(data)) = (&self.kept, self.device.get_pipeline_cache_data(self.pipeline_cache)) {
                kept.keep(&data);
            }
            let memory = self.memory.lock().ok().and_then(|mut memory| memory.take());
            destroy(&self.device, &self.samplers, self.pipeline_cache, self.timelines, memory);
        }
    }
}
