//! Buffers with access tracking.
use super::{
    Gpu,
    acceleration::Structures,
    access::State,
    error::{Context, Error, Result},
    features::Feature,
    format::Format,
    ownership::Owner,
};
use ash::vk;
use gpu_allocator::{MemoryLocation, vulkan::Allocation};
use std::sync::{Arc, Mutex, OnceLock};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    Device,
    Upload,
    ReadBack,
}

/// Clones share it; it lives until the last frame that accessed it has ended.
#[derive(Clone)]
pub struct Buffer(pub(super) Arc<Inner>);

pub(super) struct Inner {
    pub(super) gpu: Arc<Gpu>,
    pub name: String,
    pub raw: vk::Buffer,
    pub size: u64,
    pub state: Mutex<State>,
    pub owner: Option<Mutex<Owner>>,
    memory: Mutex<Option<Allocation>>,
    texels: OnceLock<vk::BufferView>,
    pub(super) structures: OnceLock<Structures>,
}

impl Buffer {
    /// `size`: bytes, at least 1. Shared by both queues.
    pub fn new(gpu: &Arc<Gpu>, name: &str, size: u64, place: Memory) -> Result<Self> {
        Self::make(gpu, name, size, place, None, vk::BufferUsageFlags::empty())
    }

    pub fn to_build_of(gpu: &Arc<Gpu>, name: &str, size: u64, place: Memory) -> Result<Self> {
        use vk::BufferUsageFlags as U;
        let more = U::ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_KHR | U::SHADER_DEVICE_ADDRESS;
        Self::make(gpu, name, size, place, None, if gpu.has(Feature::RayQuery) { more } else { U::empty() })
    }

    /// On the device, owned by one queue at a time: an access by the other transfers it.
    /// [`Frame::give`](super::Frame::give) transfers it early, so that queues do not wait.
    pub fn exclusive(gpu: &Arc<Gpu>, name: &str, size: u64) -> Result<Self> {
        Self::make(gpu, name, size, Memory::Device, Some(Mutex::default()), vk::BufferUsageFlags::empty())
    }

    pub(super) fn make(
        gpu: &Arc<Gpu>,
        name: &str,
        size: u64,
        place: Memory,
        owner: Option<Mutex<Owner>>,
        more: vk::BufferUsageFlags,
    ) -> Result<Self> {
        use vk::BufferUsageFlags as U;
        let usage = U::STORAGE_BUFFER | U::UNIFORM_BUFFER | U::INDIRECT_BUFFER | U::TRANSFER_SRC | U::TRANSFER_DST;
        let usage = usage | U::UNIFORM_TEXEL_BUFFER | U::VERTEX_BUFFER | more;
        let families = gpu.probe.families;
        let mut info = vk::BufferCreateInfo::default().size(size.max(1)).usage(usage);
        if gpu.two_families() && owner.is_none() {
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
            let (state, texels, structures) = (Mutex::default(), OnceLock::new(), OnceLock::new());
            Ok(Self(Arc::new(Inner { gpu, name, raw, size, state, owner, memory, texels, structures })))
        }
    }

    /// For `samplerBuffer`. Call once; at most [`DeviceInfo::texels`](super::DeviceInfo) texels.
    pub fn read_as_texels(&self, format: Format) -> Result<()> {
        let (inner, bytes) = (&self.0, u64::from(format.bytes()));
        let refuse = |problem: String| Error::Pass { pass: inner.name.clone(), problem };
        let most = inner.gpu.info().texels;
        if inner.size % bytes != 0 || inner.size / bytes > u64::from(most) {
            let size = inner.size;
            return Err(refuse(format!("{size} bytes as texels of {bytes}: expected whole ones, {most} at most")));
        }
        let info = vk::BufferViewCreateInfo::default().buffer(inner.raw).format(format.raw()).range(vk::WHOLE_SIZE);
        // SAFETY: the buffer has memory and the usage; the view is destroyed before it.
        let view = unsafe { inner.gpu.device.create_buffer_view(&info, None) }.context(&inner.name)?;
        inner.texels.set(view).map_err(|view| {
            // SAFETY: this view has not been shared.
            unsafe { inner.gpu.device.destroy_buffer_view(view, None) };
            refuse("read as texels twice".into())
        })
    }

    pub fn size(&self) -> u64 {
        self.0.size
    }

    /// The GPU must not be reading it.
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

    /// After the frame that filled it has completed.
    pub fn read<T: bytemuck::AnyBitPattern>(&self, count: usize) -> Result<Vec<T>> {
        let size = count * size_of::<T>();
        self.mapped(|memory| match memory.get(..size) {
            Some(bytes) => {
                let mut all = Vec::<T>::with_capacity(count);
                // SAFETY: there is room for `size` bytes, and any bytes are elements. A copy per element would take a
                // second in unoptimised builds.
                unsafe {
                    std::ptr::copy_nonoverlapping(bytes.as_ptr(), all.as_mut_ptr().cast::<u8>(), size);
                    all.set_len(count);
                }
                Ok(all)
            }
            None => Err(format!("{size} bytes asked for, {} there", self.0.size)),
        })
    }

    pub(super) fn texels(&self) -> Result<vk::BufferView> {
        let refuse = || Error::Pass { pass: self.0.name.clone(), problem: "bound as texels, made without".into() };
        self.0.texels.get().copied().ok_or_else(refuse)
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
        if let Some(structures) = self.structures.take() {
            structures.destroy(&self.gpu);
        }
        // SAFETY: frames in flight keep a clone, so the GPU is done with it.
        unsafe {
            if let Some(view) = self.texels.take() {
                self.gpu.device.destroy_buffer_view(view, None);
            }
            self.gpu.device.destroy_buffer(self.raw, None);
        }
        self.gpu.free(self.memory.get_mut().ok().and_then(Option::take));
    }
}
