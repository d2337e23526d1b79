//! 2D images with access tracking per mip level.
use super::{
    Gpu,
    access::State,
    error::{Context, Error, Result},
    format::Format,
    sampler::Sampler,
};
use ash::vk;
use gpu_allocator::{MemoryLocation, vulkan::Allocation};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    Sample,
    Storage,
    Color,
    Depth,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ImageDesc {
    name: String,
    size: [u32; 2],
    mips: u32,
    format: Format,
    aliases: Vec<Format>,
    uses: Vec<Use>,
    both_queues: bool,
}

impl ImageDesc {
    pub fn new(name: &str, size: [u32; 2], format: Format, uses: &[Use]) -> Self {
        let size = size.map(|n| n.max(1));
        let (aliases, uses) = (Vec::new(), uses.to_vec());
        Self { name: name.into(), size, mips: 1, format, aliases, uses, both_queues: false }
    }

    pub fn mips(mut self, mips: u32) -> Self {
        self.mips = mips.clamp(1, full_chain(self.size));
        self
    }

    pub fn aliases(mut self, formats: &[Format]) -> Self {
        self.aliases = formats.to_vec();
        self
    }

    /// Both queues access it (costs compression on some GPUs).
    pub fn both_queues(mut self) -> Self {
        self.both_queues = true;
        self
    }
}

pub fn full_chain(size: [u32; 2]) -> u32 {
    32 - size[0].max(size[1]).max(1).leading_zeros()
}

pub fn mip_size(size: [u32; 2], level: u32) -> [u32; 2] {
    size.map(|n| n.checked_shr(level).unwrap_or(0).max(1))
}

#[derive(Clone)]
pub struct Image(pub(super) Arc<Inner>);

pub(super) struct Inner {
    gpu: Arc<Gpu>,
    pub desc: ImageDesc,
    pub name: String,
    pub both_queues: bool,
    pub raw: vk::Image,
    usage: vk::ImageUsageFlags,
    pub states: Mutex<Vec<State>>,
    views: Mutex<HashMap<(u32, u32, Format), vk::ImageView>>,
    memory: Option<Allocation>,
    pub owned: bool,
    copies: CopySupport,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct CopySupport {
    pub from: bool,
    pub to: bool,
}

impl Image {
    pub fn new(gpu: &Arc<Gpu>, desc: ImageDesc) -> Result<Self> {
        use vk::ImageUsageFlags as U;
        let [width, height] = desc.size;
        let most = gpu.info().max_side;
        if width > most || height > most {
            let detail = format!("{width}x{height}, the device allows {most}x{most}");
            return Err(Error::OutOfMemory { what: desc.name, detail });
        }
        let mut usage = U::TRANSFER_SRC | U::TRANSFER_DST;
        for each in &desc.uses {
            usage |= match each {
                Use::Sample => U::SAMPLED,
                Use::Storage => U::STORAGE,
                Use::Color => U::COLOR_ATTACHMENT,
                Use::Depth => U::DEPTH_STENCIL_ATTACHMENT,
            };
        }
        let mut flags = vk::ImageCreateFlags::empty();
        if !desc.aliases.is_empty() {
            flags |= vk::ImageCreateFlags::MUTABLE_FORMAT | vk::ImageCreateFlags::EXTENDED_USAGE;
        }
        let families = gpu.probe.families;
        let mut info = vk::ImageCreateInfo::default()
            .flags(flags)
            .image_type(vk::ImageType::TYPE_2D)
            .format(desc.format.raw())
            .mip_levels(desc.mips)
            .array_layers(1)
            .extent(vk::Extent3D { width, height, depth: 1 })
            .samples(vk::SampleCountFlags::TYPE_1)
            .usage(usage);
        if desc.both_queues && gpu.two_families() {
            info = info.sharing_mode(vk::SharingMode::CONCURRENT).queue_family_indices(&families);
        }
        // SAFETY: the device is alive; the image is bound once, to memory that fits it.
        unsafe {
            let raw = gpu.device.create_image(&info, None).context(&desc.name)?;
            let requirements = gpu.device.get_image_memory_requirements(raw);
            let bound = gpu.allocate(&desc.name, requirements, MemoryLocation::GpuOnly, false).and_then(|memory| {
                gpu.device.bind_image_memory(raw, memory.memory(), memory.offset()).context(&desc.name)?;
                Ok(memory)
            });
            let memory = bound.inspect_err(|_| gpu.device.destroy_image(raw, None))?;
            gpu.name(raw, &desc.name);
            Ok(Self::wrap(gpu, desc, raw, usage, Some(memory), CopySupport { from: true, to: true }))
        }
    }

    pub(super) fn borrowed(gpu: &Arc<Gpu>, desc: ImageDesc, raw: vk::Image, copies: CopySupport) -> Self {
        gpu.name(raw, &desc.name);
        Self::wrap(gpu, desc, raw, vk::ImageUsageFlags::COLOR_ATTACHMENT, None, copies)
    }

    fn wrap(
        gpu: &Arc<Gpu>,
        desc: ImageDesc,
        raw: vk::Image,
        usage: vk::ImageUsageFlags,
        memory: Option<Allocation>,
        copies: CopySupport,
    ) -> Self {
        let states = Mutex::new(vec![State::default(); desc.mips as usize]);
        let (gpu, owned) = (gpu.clone(), memory.is_some());
        let (name, both_queues) = (desc.name.clone(), desc.both_queues);
        Self(Arc::new(Inner {
            gpu,
            desc,
            name,
            both_queues,
            raw,
            usage,
            states,
            views: Mutex::default(),
            memory,
            owned,
            copies,
        }))
    }

    pub fn name(&self) -> &str {
        &self.0.desc.name
    }

    pub fn size(&self) -> [u32; 2] {
        self.0.desc.size
    }

    pub fn mips(&self) -> u32 {
        self.0.desc.mips
    }

    pub fn format(&self) -> Format {
        self.0.desc.format
    }

    pub fn takes_copies(&self) -> bool {
        self.0.copies.to
    }

    pub fn gives_copies(&self) -> bool {
        self.0.copies.from
    }

    pub fn is_for(&self, wanted: Use) -> bool {
        self.0.desc.uses.contains(&wanted)
    }

    pub fn shows_as(&self, format: Format) -> bool {
        self.format() == format || self.0.desc.aliases.contains(&format)
    }

    pub fn mip(&self, level: u32) -> ImageView {
        self.view(level.min(self.mips() - 1), 1)
    }

    pub fn all(&self) -> ImageView {
        self.view(0, self.mips())
    }

    pub fn view(&self, base: u32, count: u32) -> ImageView {
        let base = base.min(self.mips() - 1);
        let count = count.clamp(1, self.mips() - base);
        ImageView { image: self.clone(), base, count, format: self.format(), sampler: Sampler::default() }
    }
}

#[derive(Clone)]
pub struct ImageView {
    pub(super) image: Image,
    pub(super) base: u32,
    pub(super) count: u32,
    pub(super) format: Format,
    pub(super) sampler: Sampler,
}

impl ImageView {
    pub fn as_format(mut self, format: Format) -> Self {
        self.format = format;
        self
    }

    pub fn through(mut self, sampler: Sampler) -> Self {
        self.sampler = sampler;
        self
    }

    pub fn size(&self) -> [u32; 2] {
        mip_size(self.image.size(), self.base)
    }

    pub fn image(&self) -> &Image {
        &self.image
    }

    pub fn level(&self) -> u32 {
        self.base
    }

    pub fn format(&self) -> Format {
        self.format
    }

    pub(super) fn range(&self) -> vk::ImageSubresourceRange {
        range(self.image.format(), self.base, self.count)
    }

    pub(super) fn raw(&self) -> Result<vk::ImageView> {
        let inner = &self.image.0;
        let gone = |_| Error::Pass { pass: inner.desc.name.clone(), problem: "poisoned".into() };
        let mut views = inner.views.lock().map_err(gone)?;
        if let Some(view) = views.get(&(self.base, self.count, self.format)) {
            return Ok(*view);
        }
        let uses = inner.usage & !vk::ImageUsageFlags::STORAGE;
        let mut usage = vk::ImageViewUsageCreateInfo::default().usage(uses);
        let mut info = vk::ImageViewCreateInfo::default()
            .image(inner.raw)
            .view_type(vk::ImageViewType::TYPE_2D)
            .format(self.format.raw())
            .subresource_range(self.range());
        if !inner.desc.aliases.is_empty() && !self.format.can_be_stored() {
            info = info.push_next(&mut usage);
        }
        let name = format!("{} mip {}+{} {:?}", inner.desc.name, self.base, self.count, self.format);
        // SAFETY: image and device are alive.
        let view = unsafe { inner.gpu.device.create_image_view(&info, None) }.context(&name)?;
        inner.gpu.name(view, &name);
        views.insert((self.base, self.count, self.format), view);
        Ok(view)
    }
}

pub(super) fn range(format: Format, base: u32, count: u32) -> vk::ImageSubresourceRange {
    vk::ImageSubresourceRange {
        aspect_mask: format.aspect(),
        base_mip_level: base,
        level_count: count,
        base_array_layer: 0,
        layer_count: 1,
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        // SAFETY: frames in flight keep a clone, so the GPU is done with it.
        unsafe {
            if let Ok(views) = self.views.get_mut() {
                for (_, view) in views.drain() {
                    self.gpu.device.destroy_image_view(view, None);
                }
            }
            if self.owned {
                self.gpu.device.destroy_image(self.raw, None);
            }
        }
        self.gpu.free(self.memory.take());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chains_end_at_one_texel() {
        for (size, levels) in
            [([1, 1], 1), ([2, 1], 2), ([3, 5], 3), ([255, 129], 8), ([256, 1], 9), ([4096, 4095], 13)]
        {
            assert_eq!(full_chain(size), levels, "{size:?}");
            assert_eq!(mip_size(size, levels - 1), [1, 1]);
        }
        assert_eq!(mip_size([5, 3], 40), [1, 1]);
    }
}
