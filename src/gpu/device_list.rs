//! The devices that the loader reports, and which of them is opened.
use super::{
    device::DeviceInfo,
    error::{Context, Error, Result},
    features::{Probe, Subgroup, version},
    instance::{Instance, Messages},
};
use ash::vk;
use std::sync::Arc;

pub(super) fn facts(instance: &ash::Instance, device: vk::PhysicalDevice) -> (DeviceInfo, Option<Probe>) {
    let probe = Probe::new(instance, device);
    // SAFETY: queries about a device of this instance.
    let (properties, memory) = unsafe {
        (instance.get_physical_device_properties(device), instance.get_physical_device_memory_properties(device))
    };
    let local = vk::MemoryHeapFlags::DEVICE_LOCAL;
    let name = properties.device_name_as_c_str().unwrap_or(c"?").to_string_lossy().into_owned();
    let heaps = memory.memory_heaps_as_slice().iter().filter(|heap| heap.flags.contains(local));
    let facts = DeviceInfo {
        name,
        driver: probe.as_ref().map(|p| p.driver.clone()).unwrap_or_default(),
        api: version(properties.api_version),
        kind: match properties.device_type {
            vk::PhysicalDeviceType::DISCRETE_GPU => "discrete",
            vk::PhysicalDeviceType::INTEGRATED_GPU => "integrated",
            vk::PhysicalDeviceType::VIRTUAL_GPU => "virtual",
            vk::PhysicalDeviceType::CPU => "software",
            _ => "other",
        },
        subgroup: probe.as_ref().map_or(Subgroup { size: 1, min: 1, max: 1, most: 1, control: false }, |p| p.subgroup),
        features: probe.as_ref().map(|p| p.features.clone()).unwrap_or_default(),
        group_invocations: properties.limits.max_compute_work_group_invocations,
        group_size: properties.limits.max_compute_work_group_size,
        most_point: properties.limits.point_size_range[1],
        shared_bytes: properties.limits.max_compute_shared_memory_size,
        storage_bytes: properties.limits.max_storage_buffer_range,
        storage_images: properties.limits.max_per_stage_descriptor_storage_images,
        texels: properties.limits.max_texel_buffer_elements,
        max_side: properties.limits.max_image_dimension2_d,
        memory_bytes: heaps.map(|heap| heap.size).sum(),
        unusable: probe.as_ref().err().cloned(),
    };
    (facts, probe.ok())
}

pub fn list() -> Result<Vec<DeviceInfo>> {
    let instance = Instance::new(&[], false, Arc::<Messages>::default())?;
    // SAFETY: the instance is alive.
    let devices = unsafe { instance.raw.enumerate_physical_devices() }.context("vkEnumeratePhysicalDevices")?;
    Ok(devices.into_iter().map(|device| facts(&instance.raw, device).0).collect())
}

/// Larger is better.
pub(super) fn rank(facts: &DeviceInfo, index: usize, wanted: Option<&str>) -> Option<u32> {
    if facts.unusable.is_some() {
        return None;
    }
    if let Some(wanted) = wanted {
        let by_index = wanted.parse() == Ok(index);
        let by_name = facts.name.to_lowercase().contains(&wanted.to_lowercase());
        return (by_index || by_name && wanted.parse::<usize>().is_err()).then_some(1);
    }
    Some(match facts.kind {
        "discrete" => 4,
        "integrated" => 3,
        "virtual" => 2,
        _ => 1,
    })
}

pub(super) fn first_to_open<C, T>(
    candidates: impl IntoIterator<Item = (String, C)>,
    mut open: impl FnMut(C) -> Result<T>,
) -> Result<T> {
    let mut refused = Vec::new();
    for (name, candidate) in candidates {
        match open(candidate) {
            Ok(opened) => {
                let used = |why: &String| log::warn!("{why}; the next GPU is used");
                refused.iter().for_each(used);
                return Ok(opened);
            }
            Err(why) => refused.push(format!("{name} cannot be opened: {why}")),
        }
    }
    Err(Error::NoDevice(format!("{}; expected a GPU that can be used", refused.join("; "))))
}
