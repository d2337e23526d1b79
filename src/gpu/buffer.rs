//! Buffers; each remembers how it was last touched.
use super::{
    Gpu,
    access::State,
    error::{Context, Error, Result},
};
use ash::vk;
use gpu_allocator::{MemoryLocation, vulkan::Allocation};
use std::sync::{Arc, Mutex};

/// Where a buffer lies and who fills it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// On the device: storage, uniform, indirect, copies.
    Device,
    /// Written by the host before the frame is submitted.
    Upload,
    /// Read by the host after the frame has ended.
    ReadBack,
}

/// A buffer. Clones are the same buffer; it lives until the last clone and the last frame that touched it are gone.
#[derive(Clone)]
pub struct Buffer(pub(super) Arc<Inner>);

pub(super) struct Inner {
    gpu: Arc<Gpu>,
    pub name: String,
    pub raw: vk::Buffer,
    pub size: u64,
    pub state: Mutex<State>,
    memory: Mutex<Option<Allocation>>,
}

impl Buffer {
    /// `size` in bytes, at least 1. Both queues may touch it.
    pub fn new(gpu: &Arc<Gpu>, name: &str, size: u64, place: Memory) -> Result<Self> {
        use vk::BufferUsageFlags as U;
        let usage = U::STORAGE_BUFFER | U::UNIFORM_BUFFER | U::INDIRECT_BUFFER | U::TRANSFER_SRC | U::TRANSFER_DST;
        let families = gpu.probe.families;
        let mut info = vk::BufferCreateInfo::default().size(size.max(1)).usage(usage);
        if gpu.two_families() {
            info = info.sharing_mode(vk::SharingMode::CONCURRENT).queue_family_indices(&families);
        }
        let location = match place {
            Memory::Device => MemoryLocation::GpuOnly,
            Memory::Upload => MemoryLocation::CpuToGpu,
            Memory::ReadBack => MemoryLocation::GpuToCpu,
        };
        // SAFETY: the device is alive; the buffer is bound once, to memory that fits it.
        unsafe {
            let raw = gpu.device.create_buffer(&info, None).context(name)?;
            let requirements = gpu.device.get_buffer_memory_requirements(raw);
            let bound = gpu.allocate(name, requirements, location, true).and_then(|memory| {
                gpu.device.bind_buffer_memory(raw, memory.memory(), memory.offset()).context(name)?;
                Ok(memory)
            });
            let memory = bound.inspect_err(|_| gpu.device.destroy_buffer(raw, None))?;
            gpu.name(raw, name);
            let (gpu, name, memory) = (gpu.clone(), name.to_owned(), Mutex::new(Some(memory)));
            let size = size.max(1);
            Ok(Self(Arc::new(Inner { gpu, name, raw, size, state: Mutex::default(), memory })))
        }
    }

    /// Bytes.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.0.size
    }

    /// Copies `data` to the start of an [`Memory::Upload`] buffer; the GPU must not be reading it.
    pub fn write<T: bytemuck::NoUninit>(&self, data: &[T]) -> Result<()> {
        let bytes: &[u8] = bytemuck::cast_slice(data);
        self.mapped(|memory| match memory.get_mut(..bytes.len()) {
            Some(place) => {
                place.copy_from_slice(bytes);
                Ok(())
            }
            None => Err(format!("{} bytes do not fit into {}", bytes.len(), self.0.size)),
        })
    }

    /// A copy of the first `count` elements of a [`Memory::ReadBack`] buffer, after the frame that filled it has ended.
    pub fn read<T: bytemuck::AnyBitPattern>(&self, count: usize) -> Result<Vec<T>> {
        let size = count * size_of::<T>();
        self.mapped(|memory| match memory.get(..size) {
            Some(bytes) => {
                let mut all = Vec::<T>::with_capacity(count);
                // SAFETY: there is room for `size` bytes, and any bytes are elements. At once, since an element at a time
                // takes a second for a large image where the compiler does not optimise.
                unsafe {
                    std::ptr::copy_nonoverlapping(bytes.as_ptr(), all.as_mut_ptr().cast::<u8>(), size);
                    all.set_len(count);
                }
                Ok(all)
            }
            None => Err(format!("{size} bytes asked for, {} there", self.0.size)),
        })
    }

    fn mapped<R>(&self, with: impl FnOnce(&mut [u8]) -> std::result::Result<R, String>) -> Result<R> {
        let refuse = |problem: String| Error::Pass { pass: self.0.name.clone(), problem };
        let mut memory = self.0.memory.lock().map_err(|_| refuse("poisoned".into()))?;
        let bytes = memory.as_mut().and_then(Allocation::mapped_slice_mut);
        with(bytes.ok_or_else(|| refuse("the host cannot reach this buffer".into()))?).map_err(refuse)
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        // SAFETY: frames in flight hold a clone, so the GPU is done with it.
        unsafe { self.gpu.device.destroy_buffer(self.raw, None) };
        self.gpu.free(self.memory.get_mut().ok().and_then(Option::take));
    }
}
