//! Stand-in for what radv's null hardware lacks (`RADV_FORCE_FAMILY`): memory, images, queues and command buffers that do nothing.
//!
//! Such a device compiles pipelines for a family of GPUs without one, and fails or crashes in everything else. Here shaders, layouts,
//! samplers and pipelines go to the driver, all else stays here: allocations are zeroed memory of the process, nothing is executed, and every
//! wait ends at once. So a frame can be recorded, and every readback is zeros.
use ash::vk;
use std::{
    alloc::{Layout, alloc_zeroed, dealloc},
    ffi::{CStr, c_char, c_void},
    sync::{
        OnceLock,
        atomic::{AtomicU64, Ordering},
    },
};

/// Start of the name of such a device.
const NAME: &str = "Null hardware (RADV ";

/// The family that a device of this name compiles for, in lower case, if it executes nothing.
pub(super) fn family(name: &str) -> Option<String> {
    Some(name.strip_prefix(NAME)?.trim_end_matches(')').to_lowercase())
}

/// Memory types: device-local, and visible to the host.
const MEMORY_TYPES: u32 = 0b11;
/// Memory of each heap.
pub(super) const HEAP_BYTES: u64 = 16 << 30;
const ALIGNMENT: u64 = 256;

static DRIVER: OnceLock<vk::PFN_vkGetDeviceProcAddr> = OnceLock::new();

/// The same instance, whose null devices get this stand-in.
///
/// # Safety
/// The instance must be alive.
pub(super) unsafe fn stand_in(entry: &ash::Entry, instance: &ash::Instance) -> ash::Instance {
    let _ = DRIVER.set(instance.fp_v1_0().get_device_proc_addr);
    let handle = instance.handle();
    let find = |name: &CStr| {
        let own: Option<*const c_void> = match name.to_bytes() {
            b"vkGetDeviceProcAddr" => Some(device_command as vk::PFN_vkGetDeviceProcAddr as *const c_void),
            b"vkGetPhysicalDeviceMemoryProperties" => {
                Some(memory_properties as vk::PFN_vkGetPhysicalDeviceMemoryProperties as *const c_void)
            }
            _ => None,
        };
        // SAFETY: the caller's instance is alive, the name is null-terminated.
        let driver = || unsafe { (entry.static_fn().get_instance_proc_addr)(handle, name.as_ptr()) };
        own.unwrap_or_else(|| driver().map_or(std::ptr::null(), |command| command as *const c_void))
    };
    // SAFETY: commands of this instance, or of the same signature.
    unsafe { ash::Instance::load_with(find, handle) }
}

unsafe extern "system" fn memory_properties(
    _: vk::PhysicalDevice,
    properties: *mut vk::PhysicalDeviceMemoryProperties,
) {
    let mut memory =
        vk::PhysicalDeviceMemoryProperties { memory_type_count: 2, memory_heap_count: 2, ..Default::default() };
    memory.memory_heaps[0] = vk::MemoryHeap { size: HEAP_BYTES, flags: vk::MemoryHeapFlags::DEVICE_LOCAL };
    memory.memory_heaps[1] = vk::MemoryHeap { size: HEAP_BYTES, flags: vk::MemoryHeapFlags::empty() };
    let visible = vk::MemoryPropertyFlags::HOST_VISIBLE
        | vk::MemoryPropertyFlags::HOST_COHERENT
        | vk::MemoryPropertyFlags::HOST_CACHED;
    memory.memory_types[0] = vk::MemoryType { property_flags: vk::MemoryPropertyFlags::DEVICE_LOCAL, heap_index: 0 };
    memory.memory_types[1] = vk::MemoryType { property_flags: visible, heap_index: 1 };
    // SAFETY: valid by the API.
    unsafe { *properties = memory };
}

/// `vkGetDeviceProcAddr`: the own command of a name, else the driver's.
unsafe extern "system" fn device_command(device: vk::Device, name: *const c_char) -> vk::PFN_vkVoidFunction {
    // SAFETY: null-terminated by the API.
    let text = unsafe { CStr::from_ptr(name) }.to_str().unwrap_or_default();
    let driver = || DRIVER.get().and_then(|get| unsafe { get(device, name) });
    match own_command(text) {
        // A command without an extension that the driver lacks stays missing.
        Some(own) if driver().is_some() => Some(own),
        _ => driver(),
    }
}

/// The command of this name with any suffix.
fn own_command(name: &str) -> Option<unsafe extern "system" fn()> {
    type Any = unsafe extern "system" fn();
    // SAFETY: each is called with the signature of its name, and those of `nothing` by the C calling convention ignore their arguments.
    let any = |command: *const c_void| unsafe { std::mem::transmute::<*const c_void, Any>(command) };
    let plain = name.trim_end_matches("KHR").trim_end_matches("EXT");
    Some(any(match plain {
        "vkAllocateMemory" => allocate_memory as vk::PFN_vkAllocateMemory as *const c_void,
        "vkFreeMemory" => free_memory as vk::PFN_vkFreeMemory as *const c_void,
        "vkMapMemory" => map_memory as vk::PFN_vkMapMemory as *const c_void,
        "vkUnmapMemory" => nothing as *const c_void,
        "vkCreateBuffer" => create_buffer as vk::PFN_vkCreateBuffer as *const c_void,
        "vkDestroyBuffer" => destroy_buffer as vk::PFN_vkDestroyBuffer as *const c_void,
        "vkGetBufferMemoryRequirements" => {
            buffer_requirements as vk::PFN_vkGetBufferMemoryRequirements as *const c_void
        }
        "vkCreateImage" => create_image as vk::PFN_vkCreateImage as *const c_void,
        "vkDestroyImage" => destroy_image as vk::PFN_vkDestroyImage as *const c_void,
        "vkGetImageMemoryRequirements" => image_requirements as vk::PFN_vkGetImageMemoryRequirements as *const c_void,
        "vkGetBufferDeviceAddress" => buffer_address as vk::PFN_vkGetBufferDeviceAddress as *const c_void,
        "vkAllocateCommandBuffers" => allocate_commands as vk::PFN_vkAllocateCommandBuffers as *const c_void,
        "vkAllocateDescriptorSets" => allocate_sets as vk::PFN_vkAllocateDescriptorSets as *const c_void,
        "vkGetQueryPoolResults" => query_results as vk::PFN_vkGetQueryPoolResults as *const c_void,
        "vkGetSemaphoreCounterValue" => counter as vk::PFN_vkGetSemaphoreCounterValue as *const c_void,
        "vkGetAccelerationStructureBuildSizes" => {
            build_sizes as vk::PFN_vkGetAccelerationStructureBuildSizesKHR as *const c_void
        }
        "vkGetAccelerationStructureDeviceAddress" => {
            structure_address as vk::PFN_vkGetAccelerationStructureDeviceAddressKHR as *const c_void
        }
        "vkCreateBufferView"
        | "vkCreateImageView"
        | "vkCreateSemaphore"
        | "vkCreateCommandPool"
        | "vkCreateDescriptorPool"
        | "vkCreateQueryPool"
        | "vkCreateAccelerationStructure" => create_handle as Create as *const c_void,
        "vkDestroyBufferView"
        | "vkDestroyImageView"
        | "vkDestroySemaphore"
        | "vkDestroyCommandPool"
        | "vkDestroyDescriptorPool"
        | "vkDestroyQueryPool"
        | "vkDestroyAccelerationStructure"
        | "vkBindBufferMemory"
        | "vkBindImageMemory"
        | "vkBeginCommandBuffer"
        | "vkEndCommandBuffer"
        | "vkResetCommandBuffer"
        | "vkResetCommandPool"
        | "vkResetDescriptorPool"
        | "vkResetQueryPool"
        | "vkUpdateDescriptorSets"
        | "vkWaitSemaphores"
        | "vkSignalSemaphore"
        | "vkDeviceWaitIdle"
        | "vkSetDebugUtilsObjectName" => nothing as *const c_void,
        _ if plain.starts_with("vkCmd") || plain.starts_with("vkQueue") => nothing as *const c_void,
        _ => return None,
    }))
}

/// Any command without results besides `VK_SUCCESS`.
unsafe extern "system" fn nothing() -> vk::Result {
    vk::Result::SUCCESS
}

static LAST_HANDLE: AtomicU64 = AtomicU64::new(0x1000);

/// A handle that means nothing.
fn handle() -> u64 {
    LAST_HANDLE.fetch_add(16, Ordering::Relaxed)
}

type Create =
    unsafe extern "system" fn(vk::Device, *const c_void, *const vk::AllocationCallbacks<'_>, *mut u64) -> vk::Result;

unsafe extern "system" fn create_handle(
    _: vk::Device,
    _: *const c_void,
    _: *const vk::AllocationCallbacks<'_>,
    made: *mut u64,
) -> vk::Result {
    // SAFETY: valid by the API.
    unsafe { *made = handle() };
    vk::Result::SUCCESS
}

/// Memory of the process. The operating system provides pages at their first use, so untouched device memory costs nothing.
struct Allocation {
    start: *mut u8,
    layout: Layout,
}

unsafe extern "system" fn allocate_memory(
    _: vk::Device,
    info: *const vk::MemoryAllocateInfo<'_>,
    _: *const vk::AllocationCallbacks<'_>,
    made: *mut vk::DeviceMemory,
) -> vk::Result {
    // SAFETY: valid by the API.
    let bytes = unsafe { (*info).allocation_size };
    let Ok(layout) = Layout::from_size_align(bytes.max(1) as usize, 4096) else {
        return vk::Result::ERROR_OUT_OF_DEVICE_MEMORY;
    };
    // SAFETY: its size is not zero.
    let start = unsafe { alloc_zeroed(layout) };
    if start.is_null() {
        return vk::Result::ERROR_OUT_OF_HOST_MEMORY;
    }
    let allocation = Box::into_raw(Box::new(Allocation { start, layout }));
    unsafe { *made = vk::Handle::from_raw(allocation as u64) };
    vk::Result::SUCCESS
}

unsafe extern "system" fn free_memory(_: vk::Device, memory: vk::DeviceMemory, _: *const vk::AllocationCallbacks<'_>) {
    if memory != vk::DeviceMemory::null() {
        // SAFETY: made by `allocate_memory`, freed once.
        unsafe {
            let Allocation { start, layout } = *Box::from_raw(vk::Handle::as_raw(memory) as *mut Allocation);
            dealloc(start, layout);
        }
    }
}

unsafe extern "system" fn map_memory(
    _: vk::Device,
    memory: vk::DeviceMemory,
    offset: u64,
    _: u64,
    _: vk::MemoryMapFlags,
    place: *mut *mut c_void,
) -> vk::Result {
    // SAFETY: made by `allocate_memory`; the offset is inside by the API.
    unsafe { *place = (*(vk::Handle::as_raw(memory) as *const Allocation)).start.add(offset as usize).cast() };
    vk::Result::SUCCESS
}

/// Makes an object that only has a size.
unsafe fn create_sized<H: vk::Handle>(bytes: u64, made: *mut H) -> vk::Result {
    // SAFETY: valid by the API.
    unsafe { *made = H::from_raw(Box::into_raw(Box::new(bytes)) as u64) };
    vk::Result::SUCCESS
}

unsafe fn destroy_sized(raw: u64) {
    if raw != 0 {
        // SAFETY: made by `create_sized`, destroyed once.
        drop(unsafe { Box::from_raw(raw as *mut u64) });
    }
}

unsafe fn requirements(raw: u64, needs: *mut vk::MemoryRequirements) {
    // SAFETY: made by `create_sized`; valid by the API.
    unsafe {
        let size = (*(raw as *const u64)).next_multiple_of(ALIGNMENT);
        *needs = vk::MemoryRequirements { size, alignment: ALIGNMENT, memory_type_bits: MEMORY_TYPES };
    }
}

unsafe extern "system" fn create_buffer(
    _: vk::Device,
    info: *const vk::BufferCreateInfo<'_>,
    _: *const vk::AllocationCallbacks<'_>,
    made: *mut vk::Buffer,
) -> vk::Result {
    unsafe { create_sized((*info).size, made) }
}

unsafe extern "system" fn destroy_buffer(_: vk::Device, buffer: vk::Buffer, _: *const vk::AllocationCallbacks<'_>) {
    unsafe { destroy_sized(vk::Handle::as_raw(buffer)) };
}

unsafe extern "system" fn buffer_requirements(_: vk::Device, buffer: vk::Buffer, needs: *mut vk::MemoryRequirements) {
    unsafe { requirements(vk::Handle::as_raw(buffer), needs) };
}

unsafe extern "system" fn create_image(
    _: vk::Device,
    info: *const vk::ImageCreateInfo<'_>,
    _: *const vk::AllocationCallbacks<'_>,
    made: *mut vk::Image,
) -> vk::Result {
    // The largest texel, and mip levels below twice the first.
    let vk::ImageCreateInfo { extent, array_layers, .. } = unsafe { *info };
    let texels = u64::from(extent.width) * u64::from(extent.height) * u64::from(extent.depth) * u64::from(array_layers);
    unsafe { create_sized(texels * 16 * 2, made) }
}

unsafe extern "system" fn destroy_image(_: vk::Device, image: vk::Image, _: *const vk::AllocationCallbacks<'_>) {
    unsafe { destroy_sized(vk::Handle::as_raw(image)) };
}

unsafe extern "system" fn image_requirements(_: vk::Device, image: vk::Image, needs: *mut vk::MemoryRequirements) {
    unsafe { requirements(vk::Handle::as_raw(image), needs) };
}

unsafe extern "system" fn buffer_address(
    _: vk::Device,
    _: *const vk::BufferDeviceAddressInfo<'_>,
) -> vk::DeviceAddress {
    ALIGNMENT
}

unsafe extern "system" fn structure_address(
    _: vk::Device,
    _: *const vk::AccelerationStructureDeviceAddressInfoKHR<'_>,
) -> vk::DeviceAddress {
    ALIGNMENT
}

unsafe extern "system" fn build_sizes(
    _: vk::Device,
    _: vk::AccelerationStructureBuildTypeKHR,
    _: *const vk::AccelerationStructureBuildGeometryInfoKHR<'_>,
    _: *const u32,
    sizes: *mut vk::AccelerationStructureBuildSizesInfoKHR<'_>,
) {
    // SAFETY: valid by the API.
    unsafe {
        (*sizes).acceleration_structure_size = 1 << 16;
        (*sizes).build_scratch_size = 1 << 16;
        (*sizes).update_scratch_size = 1 << 16;
    }
}

unsafe extern "system" fn allocate_commands(
    _: vk::Device,
    info: *const vk::CommandBufferAllocateInfo<'_>,
    made: *mut vk::CommandBuffer,
) -> vk::Result {
    // SAFETY: the array has room by the API.
    unsafe {
        for at in 0..(*info).command_buffer_count as usize {
            *made.add(at) = vk::Handle::from_raw(handle());
        }
    }
    vk::Result::SUCCESS
}

unsafe extern "system" fn allocate_sets(
    _: vk::Device,
    info: *const vk::DescriptorSetAllocateInfo<'_>,
    made: *mut vk::DescriptorSet,
) -> vk::Result {
    // SAFETY: the array has room by the API.
    unsafe {
        for at in 0..(*info).descriptor_set_count as usize {
            *made.add(at) = vk::Handle::from_raw(handle());
        }
    }
    vk::Result::SUCCESS
}

unsafe extern "system" fn query_results(
    _: vk::Device,
    _: vk::QueryPool,
    _: u32,
    _: u32,
    bytes: usize,
    data: *mut c_void,
    _: vk::DeviceSize,
    _: vk::QueryResultFlags,
) -> vk::Result {
    // None is available.
    // SAFETY: the array has room by the API.
    unsafe { data.cast::<u8>().write_bytes(0, bytes) };
    vk::Result::NOT_READY
}

unsafe extern "system" fn counter(_: vk::Device, _: vk::Semaphore, value: *mut u64) -> vk::Result {
    // Everything submitted has completed.
    // SAFETY: valid by the API.
    unsafe { *value = u64::MAX / 2 };
    vk::Result::SUCCESS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_radvs_null_hardware_is_null() {
        assert_eq!(family("Null hardware (RADV NAVI31)").as_deref(), Some("navi31"));
        assert_eq!(family("Null hardware (RADV GFX1201)").as_deref(), Some("gfx1201"));
        assert_eq!(family("AMD Radeon RX 7900 XTX (RADV NAVI31)"), None);
        assert_eq!(family("llvmpipe (LLVM 19.1.7, 256 bits)"), None);
    }

    #[test]
    fn what_compiles_stays_with_the_driver() {
        for name in ["vkCreateComputePipelines", "vkCreateShaderModule", "vkGetPipelineExecutableStatisticsKHR"] {
            assert!(own_command(name).is_none(), "{name}");
        }
        for name in ["vkQueueSubmit2KHR", "vkCmdDrawMeshTasksEXT", "vkCreateImage", "vkSetDebugUtilsObjectNameEXT"] {
            assert!(own_command(name).is_some(), "{name}");
        }
    }

    #[test]
    fn memory_is_zeroed_and_can_be_written() {
        let (mut memory, mut place) = (vk::DeviceMemory::null(), std::ptr::null_mut());
        let info = vk::MemoryAllocateInfo::default().allocation_size(1000);
        let none = vk::Device::null();
        unsafe {
            assert_eq!(allocate_memory(none, &info, std::ptr::null(), &mut memory), vk::Result::SUCCESS);
            let flags = vk::MemoryMapFlags::empty();
            assert_eq!(map_memory(none, memory, 8, 992, flags, &mut place), vk::Result::SUCCESS);
            let bytes = std::slice::from_raw_parts_mut(place.cast::<u8>(), 992);
            assert!(bytes.iter().all(|byte| *byte == 0));
            bytes.fill(7);
            free_memory(none, memory, std::ptr::null());
            free_memory(none, vk::DeviceMemory::null(), std::ptr::null());
        }
    }

    #[test]
    fn an_image_needs_memory_for_its_texels() {
        let (mut image, mut needs) = (vk::Image::null(), vk::MemoryRequirements::default());
        let extent = vk::Extent3D { width: 30, height: 20, depth: 1 };
        let info = vk::ImageCreateInfo::default().extent(extent).array_layers(2);
        let none = vk::Device::null();
        unsafe {
            assert_eq!(create_image(none, &info, std::ptr::null(), &mut image), vk::Result::SUCCESS);
            image_requirements(none, image, &mut needs);
            destroy_image(none, image, std::ptr::null());
        }
        assert!(needs.size >= 30 * 20 * 2 * 16 && needs.size % needs.alignment == 0, "{needs:?}");
    }
}
