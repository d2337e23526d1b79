//! Required and optional device features.
use super::{
    device_fault::{FaultExtension, FaultFeatures},
    portability::PortabilityFeatures,
    present_fences,
};
use ash::{ext, khr, vk};
use std::{collections::BTreeSet, ffi::CStr};

macro_rules! features {
    ($($(#[$meta:meta])* $name:ident = $title:literal,)*) => {
        /// The program works without each of them.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Feature {
            $($(#[$meta])* $name,)*
        }

        impl Feature {
            pub const ALL: [Self; [$($title),*].len()] = [$(Self::$name),*];

            pub fn title(self) -> &'static str {
                match self {
                    $(Self::$name => $title,)*
                }
            }
        }
    };
}

features! {
    MeshShader = "mesh and task shaders",
    AsyncCompute = "compute-only queue",
    CalibratedTimestamps = "calibrated timestamps",
    PipelineStatistics = "pipeline statistics",
    MemoryModel = "Vulkan memory model",
    Half = "half floats",
    SubgroupShuffle = "subgroup shuffle",
    LargePoints = "large points",
    WriteWithoutFormat = "storage writes without format",
    ImageIndexing = "indexed storage images",
    Storage16 = "16-bit storage",
    BufferInt64Atomics = "64-bit buffer atomics",
    MemoryBudget = "memory budget",
    DeviceFault = "fault reports",
    RayQuery = "ray queries",
    PortabilitySubset = "portability subset",
}

#[derive(Clone, Debug)]
pub(super) struct Probe {
    pub properties: vk::PhysicalDeviceProperties,
    pub driver: String,
    pub subgroup: Subgroup,
    pub features: BTreeSet<Feature>,
    pub families: [u32; 2],
    pub timestamp_bits: [u32; 2],
    pub tells_statistics: bool,
    pub fault: Option<FaultExtension>,
    pub portability: PortabilityFeatures,
    pub present_fences: Option<&'static CStr>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subgroup {
    pub size: u32,
    pub min: u32,
    pub max: u32,
    pub most: u32,
    pub control: bool,
}

const RAYS: [&CStr; 3] = [khr::ray_query::NAME, khr::acceleration_structure::NAME, khr::deferred_host_operations::NAME];

/// Parts of Vulkan 1.3 that a 1.2 device must support: RenderDoc reports some 1.3 drivers as 1.2.
const PROMOTED: [&CStr; 4] = [
    khr::dynamic_rendering::NAME,
    khr::synchronization2::NAME,
    khr::maintenance4::NAME,
    ext::subgroup_size_control::NAME,
];

impl Probe {
    pub fn new(instance: &ash::Instance, device: vk::PhysicalDevice) -> Result<Self, String> {
        // SAFETY: queries about a device of this instance.
        let properties = unsafe { instance.get_physical_device_properties(device) };
        if properties.api_version < vk::API_VERSION_1_2 {
            return Err(format!("has Vulkan {}, expected 1.3", version(properties.api_version)));
        }
        let extensions = unsafe { instance.enumerate_device_extension_properties(device) }.unwrap_or_default();
        let has = |name: &CStr| extensions.iter().any(|e| e.extension_name_as_c_str() == Ok(name));
        if properties.api_version < vk::API_VERSION_1_3
            && let Some(missing) = PROMOTED.into_iter().find(|name| !has(name))
        {
            return Err(format!("has Vulkan {}, expected 1.3", version(properties.api_version))
                + &format!(" (or 1.2 with {})", missing.to_string_lossy()));
        }
        let mut driver = vk::PhysicalDeviceDriverProperties::default();
        let mut sub = vk::PhysicalDeviceSubgroupProperties::default();
        let mut sizes = vk::PhysicalDeviceSubgroupSizeControlProperties::default();
        let mut more =
            vk::PhysicalDeviceProperties2::default().push_next(&mut driver).push_next(&mut sub).push_next(&mut sizes);
        unsafe { instance.get_physical_device_properties2(device, &mut more) };

        let mut v11 = vk::PhysicalDeviceVulkan11Features::default();
        let mut v12 = vk::PhysicalDeviceVulkan12Features::default();
        let mut size_control = vk::PhysicalDeviceSubgroupSizeControlFeatures::default();
        let mut mesh = vk::PhysicalDeviceMeshShaderFeaturesEXT::default();
        let mut all =
            vk::PhysicalDeviceFeatures2::default().push_next(&mut v11).push_next(&mut v12).push_next(&mut size_control);
        let mesh_named = has(ext::mesh_shader::NAME);
        if mesh_named {
            all = all.push_next(&mut mesh);
        }
        let mut queries = vk::PhysicalDeviceRayQueryFeaturesKHR::default();
        let mut structures = vk::PhysicalDeviceAccelerationStructureFeaturesKHR::default();
        let rays_named = RAYS.into_iter().all(has);
        if rays_named {
            all = all.push_next(&mut queries).push_next(&mut structures);
        }
        let mut executables = vk::PhysicalDevicePipelineExecutablePropertiesFeaturesKHR::default();
        let statistics_named = has(khr::pipeline_executable_properties::NAME);
        if statistics_named {
            all = all.push_next(&mut executables);
        }
        unsafe { instance.get_physical_device_features2(device, &mut all) };
        let core = all.features;
        for (there, what) in [
            (v12.timeline_semaphore, "timeline semaphores"),
            (v12.scalar_block_layout, "scalar block layout"),
            (v12.host_query_reset, "host query reset"),
            (
                core.shader_storage_image_extended_formats,
                "storage images of more formats (shaderStorageImageExtendedFormats)",
            ),
        ] {
            if there == vk::FALSE {
                return Err(format!("lacks {what}"));
            }
        }
        let portability = PortabilityFeatures::query(instance, device, has);
        portability.lacking().map_or(Ok(()), |what| Err(format!("lacks {what}")))?;
        let fault = FaultExtension::find(instance, device, has);
        let queues = unsafe { instance.get_physical_device_queue_family_properties(device) };
        let draws = vk::QueueFlags::GRAPHICS | vk::QueueFlags::COMPUTE;
        let graphics = queues.iter().position(|q| q.queue_flags.contains(draws)).ok_or("has no queue that draws")?;
        let compute = queues.iter().position(|q| q.queue_flags & draws == vk::QueueFlags::COMPUTE);
        let families = [graphics, compute.unwrap_or(graphics)];
        let shuffle = vk::SubgroupFeatureFlags::BASIC
            | vk::SubgroupFeatureFlags::VOTE
            | vk::SubgroupFeatureFlags::BALLOT
            | vk::SubgroupFeatureFlags::SHUFFLE
            | vk::SubgroupFeatureFlags::ARITHMETIC;
        let shuffles =
            sub.supported_operations.contains(shuffle) && sub.supported_stages.contains(vk::ShaderStageFlags::COMPUTE);
        let found = [
            (Feature::MeshShader, mesh_named && mesh.task_shader + mesh.mesh_shader == 2),
            (Feature::AsyncCompute, compute.is_some()),
            (Feature::CalibratedTimestamps, has(ext::calibrated_timestamps::NAME)),
            (Feature::PipelineStatistics, core.pipeline_statistics_query == vk::TRUE),
            (Feature::MemoryModel, v12.vulkan_memory_model + v12.vulkan_memory_model_device_scope == 2),
            (Feature::Half, v12.shader_float16 == vk::TRUE),
            (Feature::SubgroupShuffle, shuffles),
            (Feature::LargePoints, core.large_points == vk::TRUE),
            (Feature::WriteWithoutFormat, core.shader_storage_image_write_without_format == vk::TRUE),
            (Feature::ImageIndexing, core.shader_storage_image_array_dynamic_indexing == vk::TRUE),
            (Feature::Storage16, v11.storage_buffer16_bit_access + core.shader_int16 == 2),
            (Feature::BufferInt64Atomics, v12.shader_buffer_int64_atomics + core.shader_int64 == 2),
            (Feature::MemoryBudget, has(ext::memory_budget::NAME)),
            (Feature::DeviceFault, fault.is_some()),
            (
                Feature::RayQuery,
                rays_named && queries.ray_query + structures.acceleration_structure + v12.buffer_device_address == 3,
            ),
            (Feature::PortabilitySubset, has(khr::portability_subset::NAME)),
        ];
        let control = size_control.subgroup_size_control == vk::TRUE
            && sizes.required_subgroup_size_stages.contains(vk::ShaderStageFlags::COMPUTE);
        Ok(Self {
            driver: driver.driver_info_as_c_str().unwrap_or(c"?").to_string_lossy().into_owned(),
            subgroup: Subgroup {
                size: sub.subgroup_size,
                min: if control { sizes.min_subgroup_size } else { sub.subgroup_size },
                max: if control { sizes.max_subgroup_size } else { sub.subgroup_size },
                most: if control { sizes.max_compute_workgroup_subgroups } else { u32::MAX },
                control,
            },
            features: found.into_iter().filter(|(_, there)| *there).map(|(feature, _)| feature).collect(),
            families: families.map(|family| family as u32),
            timestamp_bits: families.map(|family| queues[family].timestamp_valid_bits),
            fault,
            portability,
            present_fences: present_fences::extension(instance, device, has),
            tells_statistics: statistics_named && executables.pipeline_executable_info == vk::TRUE,
            properties,
        })
    }

    fn has(&self, feature: Feature) -> u32 {
        u32::from(self.features.contains(&feature))
    }

    pub fn open(
        &self,
        instance: &ash::Instance,
        device: vk::PhysicalDevice,
        window: bool,
    ) -> ash::prelude::VkResult<ash::Device> {
        let priority = [1.0f32];
        let [graphics, compute] = self.families;
        let mut queues =
            vec![vk::DeviceQueueCreateInfo::default().queue_family_index(graphics).queue_priorities(&priority)];
        if compute != graphics {
            queues.push(vk::DeviceQueueCreateInfo::default().queue_family_index(compute).queue_priorities(&priority));
        }
        let mut names = Vec::new();
        if window {
            names.push(khr::swapchain::NAME);
            names.extend(self.present_fences);
        }
        if self.properties.api_version < vk::API_VERSION_1_3 {
            names.extend(PROMOTED);
        }
        for (feature, name) in [
            (Feature::MeshShader, ext::mesh_shader::NAME),
            (Feature::CalibratedTimestamps, ext::calibrated_timestamps::NAME),
            (Feature::MemoryBudget, ext::memory_budget::NAME),
            (Feature::PortabilitySubset, khr::portability_subset::NAME),
        ] {
            if self.has(feature) == 1 {
                names.push(name);
            }
        }
        if self.has(Feature::RayQuery) == 1 {
            names.extend(RAYS);
        }
        if self.tells_statistics {
            names.push(khr::pipeline_executable_properties::NAME);
        }
        names.extend(self.fault.map(FaultExtension::name));
        let names: Vec<_> = names.into_iter().map(CStr::as_ptr).collect();
        let core = vk::PhysicalDeviceFeatures {
            pipeline_statistics_query: self.has(Feature::PipelineStatistics),
            shader_storage_image_write_without_format: self.has(Feature::WriteWithoutFormat),
            shader_storage_image_array_dynamic_indexing: self.has(Feature::ImageIndexing),
            large_points: self.has(Feature::LargePoints),
            shader_int16: self.has(Feature::Storage16),
            shader_int64: self.has(Feature::BufferInt64Atomics),
            shader_storage_image_extended_formats: vk::TRUE,
            ..Default::default()
        };
        let mut v11 = vk::PhysicalDeviceVulkan11Features {
            storage_buffer16_bit_access: self.has(Feature::Storage16),
            ..Default::default()
        };
        let mut v12 = vk::PhysicalDeviceVulkan12Features {
            timeline_semaphore: vk::TRUE,
            scalar_block_layout: vk::TRUE,
            host_query_reset: vk::TRUE,
            shader_float16: self.has(Feature::Half),
            shader_buffer_int64_atomics: self.has(Feature::BufferInt64Atomics),
            buffer_device_address: self.has(Feature::RayQuery),
            vulkan_memory_model: self.has(Feature::MemoryModel),
            vulkan_memory_model_device_scope: self.has(Feature::MemoryModel),
            ..Default::default()
        };
        let mut rendering = vk::PhysicalDeviceDynamicRenderingFeatures::default().dynamic_rendering(true);
        let mut sync = vk::PhysicalDeviceSynchronization2Features::default().synchronization2(true);
        let mut maintenance = vk::PhysicalDeviceMaintenance4Features::default().maintenance4(true);
        let mut sizes = vk::PhysicalDeviceSubgroupSizeControlFeatures::default()
            .subgroup_size_control(self.subgroup.control)
            .compute_full_subgroups(self.subgroup.control);
        let mut mesh = vk::PhysicalDeviceMeshShaderFeaturesEXT::default().task_shader(true).mesh_shader(true);
        let mut info = vk::DeviceCreateInfo::default()
            .queue_create_infos(&queues)
            .enabled_extension_names(&names)
            .enabled_features(&core)
            .push_next(&mut v11)
            .push_next(&mut v12)
            .push_next(&mut rendering)
            .push_next(&mut sync)
            .push_next(&mut maintenance)
            .push_next(&mut sizes);
        if self.has(Feature::MeshShader) == 1 {
            info = info.push_next(&mut mesh);
        }
        let mut queries = vk::PhysicalDeviceRayQueryFeaturesKHR::default().ray_query(true);
        let mut structures = vk::PhysicalDeviceAccelerationStructureFeaturesKHR::default().acceleration_structure(true);
        if self.has(Feature::RayQuery) == 1 {
            info = info.push_next(&mut queries).push_next(&mut structures);
        }
        let mut executables =
            vk::PhysicalDevicePipelineExecutablePropertiesFeaturesKHR::default().pipeline_executable_info(true);
        if self.tells_statistics {
            info = info.push_next(&mut executables);
        }
        let mut fences = vk::PhysicalDeviceSwapchainMaintenance1FeaturesEXT::default().swapchain_maintenance1(true);
        if window && self.present_fences.is_some() {
            info = info.push_next(&mut fences);
        }
        let mut portability = self.portability.offered();
        if let Some(features) = &mut portability {
            info = info.push_next(features);
        }
        let mut fault_khr = FaultFeatures::new(true);
        let mut fault_ext = vk::PhysicalDeviceFaultFeaturesEXT::default().device_fault(true);
        info = match self.fault {
            Some(FaultExtension::Khr) => info.push_next(&mut fault_khr),
            Some(FaultExtension::Ext) => info.push_next(&mut fault_ext),
            None => info,
        };
        // SAFETY: the structs live until the call returns, and request only available features.
        let made = unsafe { instance.create_device(device, &info, None) }?;
        Ok(load_either_spelling(instance, made.handle()))
    }
}

/// By core name, else KHR or EXT name: one code path for 1.3 and for 1.2 with extensions.
fn load_either_spelling(instance: &ash::Instance, handle: vk::Device) -> ash::Device {
    let get = instance.fp_v1_0().get_device_proc_addr;
    let find = |name: &CStr| {
        for suffix in ["", "KHR", "EXT"] {
            let mut spelled = name.to_bytes().to_vec();
            spelled.extend(suffix.bytes());
            spelled.push(0);
            // SAFETY: `spelled` is null-terminated; the device is alive.
            if let Some(command) = unsafe { get(handle, spelled.as_ptr().cast()) } {
                return command as *const std::ffi::c_void;
            }
        }
        std::ptr::null()
    };
    // SAFETY: the device is alive and the commands are its own.
    unsafe { ash::Device::load_with(find, handle) }
}

pub(super) fn version(packed: u32) -> String {
    format!("{}.{}.{}", vk::api_version_major(packed), vk::api_version_minor(packed), vk::api_version_patch(packed))
}
