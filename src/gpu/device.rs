//! Vulkan device: selection, queues, memory, names.
use super::{
    access::Queue,
    device_fault::FaultReports,
    device_list::{facts, first_to_open, rank},
    device_policy::DevicePolicy,
    error::{Context, Error, Result},
    features::{Feature, Probe, Subgroup},
    instance::{Instance, Messages},
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

pub trait WindowHandles: HasDisplayHandle + HasWindowHandle + Send + Sync {}
impl<T: HasDisplayHandle + HasWindowHandle + Send + Sync> WindowHandles for T {}

#[derive(Clone, Default)]
pub struct Options {
    pub gpu: Option<String>,
    pub validate: bool,
    pub window: Option<Arc<dyn WindowHandles>>,
    pub without: BTreeSet<Feature>,
    pub statistics: bool,
    pub cache: Option<PathBuf>,
    pub messages: Arc<Messages>,
}

#[derive(Clone, Debug)]
pub struct DeviceInfo {
    pub name: String,
    pub driver: String,
    pub api: String,
    pub kind: &'static str,
    pub subgroup: Subgroup,
    pub features: BTreeSet<Feature>,
    pub group_invocations: u32,
    pub group_size: [u32; 3],
    pub shared_bytes: u32,
    pub storage_bytes: u32,
    pub storage_images: u32,
    pub texels: u32,
    /// Pixels; 1 without [`Feature::LargePoints`].
    pub most_point: f32,
    pub max_side: u32,
    pub memory_bytes: u64,
    /// `None` if the program can use it.
    pub unusable: Option<String>,
}

impl DeviceInfo {
    pub fn group_limits(&self) -> String {
        let [x, y, z] = self.group_size;
        format!("{} invocations, {x} x {y} x {z} at most", self.group_invocations)
    }
}

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
    pub(super) waits: AtomicU64,
    pub(super) met: Mutex<[u64; 2]>,
    pub(super) memory: Mutex<Option<Allocator>>,
    pub(super) samplers: Samplers,
    pub(super) last_pass: Mutex<String>,
    pub(super) last_ended: Mutex<String>,
    pub(super) pipeline_cache: vk::PipelineCache,
    kept: Option<PipelinesKept>,
    features: BTreeSet<Feature>,
    facts: DeviceInfo,
    policy: DevicePolicy,
    pub(super) usage: Usage,
    pub(super) statistics: Option<StatisticsLog>,
    pub(super) faults: FaultReports,
    all: (Vec<DeviceInfo>, usize),
    pub(super) window: Option<Arc<dyn WindowHandles>>,
    pub(super) instance: Instance,
}

pub struct Gpu {
    core: Arc<DeviceCore>,
    pub shaders: Shaders,
    pub(super) shared: Mutex<Weak<SharedPipelines>>,
}

impl std::ops::Deref for Gpu {
    type Target = DeviceCore;
    fn deref(&self) -> &DeviceCore {
        &self.core
    }
}

const UNTIMED: &str = "no GPU times: under validation nothing separates the passes of a software driver";

impl Gpu {
    /// Opens the next best device if one fails.
    pub fn new(options: &Options) -> Result<Arc<Self>> {
        let extensions = match &options.window {
            None => Vec::new(),
            Some(window) => {
                let display = window.display_handle().map_err(|e| Error::NoDevice(format!("no display: {e}")))?;
                ash_window::enumerate_required_extensions(display.as_raw()).context("surface extensions")?.to_vec()
            }
        };
        let instance = Instance::new(&extensions, options.validate, options.messages.clone())?;
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
        let (opened, index, mut facts, probe) = first_to_open(candidates, |(index, facts, mut probe)| {
            let physical = devices[index];
            for feature in &options.without {
                probe.features.remove(feature);
            }
            probe.present_fences = probe.present_fences.filter(|_| instance.has_present_fences);
            if !probe.features.contains(&Feature::AsyncCompute) {
                probe.families[1] = probe.families[0];
            }
            let opened = OpenedDevice::new(&instance.raw, physical, &probe, options)?;
            Ok((opened, index, facts, probe))
        })?;
        let physical = devices[index];
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

    /// `folder` is a copy of `shaders`. `is_strict`: a shader that cannot be used is an error; otherwise the embedded
    /// one is used, and [`Shaders::errors`] reports it.
    pub fn with_shaders(&self, folder: &Path, is_strict: bool) -> Result<Arc<Self>> {
        let shaders = Shaders::of_folder(ShaderFolder::new(folder)?, is_strict);
        Ok(Arc::new(Self { core: self.core.clone(), shaders, shared: Mutex::default() }))
    }

    pub fn with_edits(&self, edits: &'static [ShaderEdit]) -> Arc<Self> {
        Arc::new(Self { core: self.core.clone(), shaders: Shaders::of_edits(edits), shared: Mutex::default() })
    }

    pub fn headless(validate: bool) -> Result<Arc<Self>> {
        Self::new(&Options { validate, ..Default::default() })
    }

    pub fn info(&self) -> &DeviceInfo {
        &self.facts
    }

    pub fn all_devices(&self) -> (&[DeviceInfo], usize) {
        (&self.all.0, self.all.1)
    }

    pub fn policy(&self) -> &DevicePolicy {
        &self.policy
    }

    pub fn has(&self, feature: Feature) -> bool {
        self.features.contains(&feature)
    }

    pub fn validates(&self) -> bool {
        self.instance.validates
    }

    /// Why timestamps do not enclose their passes; such times are not shown.
    pub fn untimed(&self) -> Option<&'static str> {
        (self.policy.runs_on_cpu && self.validates()).then_some(UNTIMED)
    }

    /// Completes all recorded work. Mesa's software driver (25.0) writes a timestamp with the draws that it submits at
    /// the next barrier and runs dispatches meanwhile, so they would seem to take no time. Disabled under validation,
    /// which would otherwise miss absent barriers.
    pub(super) fn finish_recorded(&self, cmd: vk::CommandBuffer) {
        if !self.policy.runs_on_cpu || self.untimed().is_some() {
            return;
        }
        let all = vk::PipelineStageFlags2::ALL_COMMANDS;
        let ended = [vk::MemoryBarrier2::default().src_stage_mask(all).dst_stage_mask(all)];
        let info = vk::DependencyInfo::default().memory_barriers(&ended);
        // SAFETY: the command buffer is being recorded, outside of rendering.
        unsafe { self.device.cmd_pipeline_barrier2(cmd, &info) };
    }

    /// Keep it to read leaks, reported when the device is destroyed.
    pub fn messages(&self) -> Arc<Messages> {
        self.instance.messages.clone()
    }

    pub fn take_used(&self) -> UsedFeatures {
        self.usage.take()
    }

    pub fn waits(&self) -> u64 {
        self.waits.load(Ordering::Relaxed)
    }

    pub fn wait_idle(&self) -> Result<()> {
        self.waits.fetch_add(1, Ordering::Relaxed);
        // SAFETY: no other thread submits: the thread that owns the loop records and submits all frames.
        unsafe { self.device.device_wait_idle() }.context("vkDeviceWaitIdle").map_err(|e| self.lost(e))
    }

    pub(super) fn wait_to_drop(&self) {
        match self.wait_idle() {
            Ok(()) | Err(Error::DeviceLost { .. }) => {}
            Err(e) => log::error!("{e}"),
        }
    }

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

    pub(super) fn two_families(&self) -> bool {
        self.probe.families[0] != self.probe.families[1]
    }

    pub(super) fn raw_queue(&self, queue: Queue) -> vk::Queue {
        self.queues[queue as usize]
    }

    pub(super) fn tick_bits(&self, queue: Queue) -> u32 {
        self.probe.timestamp_bits[queue as usize]
    }

    /// `None` if the queue has no timestamps.
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
