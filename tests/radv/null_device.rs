//! Vulkan driver that wraps Mesa's radv without hardware (`RADV_FORCE_FAMILY`): it compiles pipelines for a family of GPUs and executes nothing.
//!
//! Without hardware radv fails or crashes in everything but the creation of shaders, layouts, samplers and pipelines. All else stays
//! here: memory is zeroed memory of the process, commands do nothing, every wait ends at once and every query is unavailable. So frames
//! can be recorded, and their pipelines have the figures of that family.
//! `scripts/lib/null-device` compiles it.
use std::{
    ffi::{CStr, c_char, c_int, c_void},
    mem::transmute,
    sync::{
        OnceLock,
        atomic::{AtomicU64, Ordering},
    },
};

type Any = unsafe extern "C" fn();
type Find = unsafe extern "C" fn(*const c_void, *const c_char) -> Option<Any>;

const SUCCESS: c_int = 0;
const NOT_READY: c_int = 1;
const HEAP_BYTES: u64 = 16 << 30;
const ALIGNMENT: u64 = 256;

unsafe extern "C" {
    fn dlopen(file: *const c_char, flags: c_int) -> *mut c_void;
    fn dlsym(library: *mut c_void, name: *const c_char) -> *const c_void;
}

/// A function of radv's library.
unsafe fn radv(name: &CStr) -> *const c_void {
    unsafe { dlsym(dlopen(concat!(env!("RADV_LIBRARY"), "\0").as_ptr().cast(), 2), name.as_ptr()) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn vk_icdNegotiateLoaderICDInterfaceVersion(version: *mut u32) -> c_int {
    unsafe {
        let ask: unsafe extern "C" fn(*mut u32) -> c_int = transmute(radv(c"vk_icdNegotiateLoaderICDInterfaceVersion"));
        ask(version)
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn vk_icdGetInstanceProcAddr(instance: *const c_void, name: *const c_char) -> Option<Any> {
    unsafe { found(transmute::<*const c_void, Find>(radv(c"vk_icdGetInstanceProcAddr")), instance, name) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn vk_icdGetPhysicalDeviceProcAddr(instance: *const c_void, name: *const c_char) -> Option<Any> {
    unsafe { found(transmute::<*const c_void, Find>(radv(c"vk_icdGetPhysicalDeviceProcAddr")), instance, name) }
}

/// radv's `vkGetDeviceProcAddr`, known once the loader has asked for it.
static DEVICE_FIND: OnceLock<Any> = OnceLock::new();

unsafe extern "C" fn device_proc_addr(device: *const c_void, name: *const c_char) -> Option<Any> {
    unsafe { found(transmute::<Any, Find>(*DEVICE_FIND.get()?), device, name) }
}

/// The own command of a name, if radv has such a command, else radv's.
unsafe fn found(find: Find, from: *const c_void, name: *const c_char) -> Option<Any> {
    unsafe {
        let driver = find(from, name)?;
        let text = CStr::from_ptr(name).to_str().unwrap_or_default();
        if text == "vkGetDeviceProcAddr" {
            DEVICE_FIND.get_or_init(|| driver);
        }
        let plain = text.trim_end_matches("KHR").trim_end_matches("EXT");
        Some(own(plain).map_or(driver, |own| transmute::<*const c_void, Any>(own)))
    }
}

fn own(plain: &str) -> Option<*const c_void> {
    Some(match plain {
        "vkGetDeviceProcAddr" => device_proc_addr as *const c_void,
        "vkGetPhysicalDeviceMemoryProperties" => memory_properties as *const c_void,
        "vkGetPhysicalDeviceMemoryProperties2" => memory_properties_2 as *const c_void,
        "vkAllocateMemory" => allocate_memory as *const c_void,
        "vkMapMemory" => map_memory as *const c_void,
        "vkFreeMemory" => free_memory as *const c_void,
        "vkCreateBuffer" => create_buffer as *const c_void,
        "vkCreateImage" => create_image as *const c_void,
        "vkDestroyBuffer" | "vkDestroyImage" => destroy_sized as *const c_void,
        "vkGetBufferMemoryRequirements" | "vkGetImageMemoryRequirements" => requirements as *const c_void,
        "vkGetBufferDeviceAddress" | "vkGetAccelerationStructureDeviceAddress" => address as *const c_void,
        "vkAllocateCommandBuffers" => allocate_commands as *const c_void,
        "vkAllocateDescriptorSets" => allocate_sets as *const c_void,
        "vkGetQueryPoolResults" => query_results as *const c_void,
        "vkGetSemaphoreCounterValue" => counter as *const c_void,
        "vkGetCalibratedTimestamps" => timestamps as *const c_void,
        "vkGetAccelerationStructureBuildSizes" => build_sizes as *const c_void,
        "vkCreateBufferView"
        | "vkCreateImageView"
        | "vkCreateSemaphore"
        | "vkCreateCommandPool"
        | "vkCreateDescriptorPool"
        | "vkCreateQueryPool"
        | "vkCreateAccelerationStructure" => create as *const c_void,
        "vkDestroyBufferView"
        | "vkDestroyImageView"
        | "vkDestroySemaphore"
        | "vkDestroyCommandPool"
        | "vkDestroyDescriptorPool"
        | "vkDestroyQueryPool"
        | "vkDestroyAccelerationStructure"
        | "vkFreeCommandBuffers"
        | "vkUnmapMemory"
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
    })
}

unsafe extern "C" fn nothing() -> c_int {
    SUCCESS
}

fn handle() -> u64 {
    static LAST: AtomicU64 = AtomicU64::new(0x1000);
    LAST.fetch_add(16, Ordering::Relaxed)
}

unsafe extern "C" fn create(_: *const c_void, _: *const c_void, _: *const c_void, made: *mut u64) -> c_int {
    unsafe { *made = handle() };
    SUCCESS
}

/// `VkPhysicalDeviceMemoryProperties`: counts, flags and heap of each type, bytes and flags of each heap.
#[repr(C)]
struct MemoryProperties {
    types: u32,
    type_list: [[u32; 2]; 32],
    heaps: u32,
    heap_list: [[u64; 2]; 16],
}

unsafe extern "C" fn memory_properties(_: *const c_void, properties: *mut MemoryProperties) {
    const DEVICE_LOCAL: u32 = 1;
    const VISIBLE_COHERENT_CACHED: u32 = 2 | 4 | 8;
    let (mut type_list, mut heap_list) = ([[0; 2]; 32], [[0; 2]; 16]);
    type_list[..2].copy_from_slice(&[[DEVICE_LOCAL, 0], [VISIBLE_COHERENT_CACHED, 1]]);
    heap_list[..2].copy_from_slice(&[[HEAP_BYTES, DEVICE_LOCAL.into()], [HEAP_BYTES, 0]]);
    unsafe { *properties = MemoryProperties { types: 2, type_list, heaps: 2, heap_list } };
}

/// Start of a structure with a type and a successor.
#[repr(C)]
struct Chained<T> {
    kind: u32,
    next: *mut c_void,
    rest: T,
}

unsafe extern "C" fn memory_properties_2(device: *const c_void, properties: *mut Chained<MemoryProperties>) {
    const BUDGET: u32 = 1_000_237_000;
    unsafe {
        memory_properties(device, &raw mut (*properties).rest);
        let mut next = (*properties).next.cast::<Chained<[[u64; 16]; 2]>>();
        while !next.is_null() {
            if (*next).kind == BUDGET {
                (*next).rest = [[HEAP_BYTES; 16], [0; 16]];
            }
            next = (*next).next.cast();
        }
    }
}

/// The system provides pages at their first use: untouched memory costs nothing. The handle is that of the vector's owner.
unsafe extern "C" fn allocate_memory(
    _: *const c_void,
    info: *const Chained<u64>,
    _: *const c_void,
    made: *mut u64,
) -> c_int {
    unsafe { *made = Box::into_raw(Box::new(vec![0_u128; (*info).rest.div_ceil(16) as usize])) as u64 };
    SUCCESS
}

unsafe extern "C" fn free_memory(_: *const c_void, memory: *mut Vec<u128>, _: *const c_void) {
    if !memory.is_null() {
        drop(unsafe { Box::from_raw(memory) });
    }
}

unsafe extern "C" fn map_memory(
    _: *const c_void,
    memory: *mut Vec<u128>,
    offset: u64,
    _: u64,
    _: u32,
    place: *mut *mut c_void,
) -> c_int {
    unsafe { *place = (*memory).as_mut_ptr().byte_add(offset as usize).cast() };
    SUCCESS
}

/// An object that only has a size.
unsafe fn create_sized(bytes: u64, made: *mut u64) -> c_int {
    unsafe { *made = Box::into_raw(Box::new(bytes)) as u64 };
    SUCCESS
}

unsafe extern "C" fn destroy_sized(_: *const c_void, sized: *mut u64, _: *const c_void) {
    if !sized.is_null() {
        drop(unsafe { Box::from_raw(sized) });
    }
}

unsafe extern "C" fn requirements(_: *const c_void, sized: *const u64, needs: *mut Requirements) {
    unsafe { *needs = Requirements { bytes: (*sized).next_multiple_of(ALIGNMENT), alignment: ALIGNMENT, types: 0b11 } };
}

#[repr(C)]
struct Requirements {
    bytes: u64,
    alignment: u64,
    types: u32,
}

unsafe extern "C" fn create_buffer(
    _: *const c_void,
    info: *const Chained<[u64; 2]>,
    _: *const c_void,
    made: *mut u64,
) -> c_int {
    // After the flags, which are padded.
    unsafe { create_sized((*info).rest[1], made) }
}

unsafe extern "C" fn create_image(
    _: *const c_void,
    info: *const Chained<[u32; 8]>,
    _: *const c_void,
    made: *mut u64,
) -> c_int {
    // The largest texel, and mip levels below twice the first.
    let [_flags, _type, _format, width, height, depth, _mips, layers] = unsafe { (*info).rest };
    let texels: u64 = [width, height, depth, layers].into_iter().map(u64::from).product();
    unsafe { create_sized(texels * 16 * 2, made) }
}

unsafe extern "C" fn address() -> u64 {
    ALIGNMENT
}

unsafe extern "C" fn build_sizes(
    _: *const c_void,
    _: c_int,
    _: *const c_void,
    _: *const u32,
    sizes: *mut Chained<[u64; 3]>,
) {
    unsafe { (*sizes).rest = [1 << 16; 3] };
}

#[repr(C)]
struct Commands {
    pool: u64,
    level: u32,
    count: u32,
}

/// The loader keeps its table in the first word, and expects its mark there before.
unsafe extern "C" fn allocate_commands(_: *const c_void, info: *const Chained<Commands>, made: *mut u64) -> c_int {
    unsafe {
        for at in 0..(*info).rest.count as usize {
            *made.add(at) = Box::into_raw(Box::new(0x01CD_C0DE_u64)) as u64;
        }
    }
    SUCCESS
}

unsafe extern "C" fn allocate_sets(_: *const c_void, info: *const Chained<[u64; 2]>, made: *mut u64) -> c_int {
    unsafe { (0..(*info).rest[1] as u32 as usize).for_each(|at| *made.add(at) = handle()) };
    SUCCESS
}

unsafe extern "C" fn query_results(_: *const c_void, _: u64, _: u32, _: u32, bytes: usize, data: *mut u8) -> c_int {
    unsafe { data.write_bytes(0, bytes) };
    NOT_READY
}

unsafe extern "C" fn counter(_: *const c_void, _: u64, value: *mut u64) -> c_int {
    // Everything submitted has completed.
    unsafe { *value = u64::MAX / 2 };
    SUCCESS
}

unsafe extern "C" fn timestamps(
    _: *const c_void,
    count: u32,
    _: *const c_void,
    times: *mut u64,
    deviation: *mut u64,
) -> c_int {
    unsafe {
        times.write_bytes(0, count as usize);
        *deviation = 0;
    }
    SUCCESS
}
