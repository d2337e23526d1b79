//! Bindings of a pass by name.
use super::{
    Gpu,
    access::Access,
    buffer::Buffer,
    error::{Context, Error, Result},
    features::Feature,
    image::{Image, ImageView, Use},
    shader::Interface,
};
use ash::vk;
use std::{collections::BTreeMap, sync::Arc};

#[derive(Clone)]
pub enum Resource {
    Buffer(Buffer),
    ImageView(ImageView),
}

impl From<&Buffer> for Resource {
    fn from(buffer: &Buffer) -> Self {
        Self::Buffer(buffer.clone())
    }
}
impl From<Buffer> for Resource {
    fn from(buffer: Buffer) -> Self {
        Self::Buffer(buffer)
    }
}
impl From<ImageView> for Resource {
    fn from(view: ImageView) -> Self {
        Self::ImageView(view)
    }
}
impl From<&ImageView> for Resource {
    fn from(view: &ImageView) -> Self {
        Self::ImageView(view.clone())
    }
}
impl From<&Image> for Resource {
    fn from(image: &Image) -> Self {
        Self::ImageView(image.mip(0))
    }
}

impl Resource {
    pub(super) fn sampled_as(&self, how: Access) -> Access {
        match (self, how) {
            (Self::ImageView(view), Access::Sample(stages)) if view.image.format().is_depth() => {
                Access::SampleDepth(stages)
            }
            _ => how,
        }
    }

    pub(super) fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Buffer(a), Self::Buffer(b)) => Arc::ptr_eq(&a.0, &b.0),
            (Self::ImageView(a), Self::ImageView(b)) => {
                Arc::ptr_eq(&a.image.0, &b.image.0) && (a.base, a.count) == (b.base, b.count)
            }
            _ => false,
        }
    }
}

#[derive(Clone)]
pub(super) struct ResourceUse {
    pub resource: Resource,
    pub how: Access,
}

macro_rules! binding_methods {
    () => {
        pub fn bind(mut self, name: &str, resource: impl Into<Resource>) -> Self {
            self.bound.insert(name, vec![resource.into()]);
            self
        }

        pub fn bind_all(mut self, name: &str, resources: impl IntoIterator<Item = Resource>) -> Self {
            self.bound.insert(name, resources.into_iter().collect());
            self
        }

        pub fn bind_named<'n>(mut self, resources: impl IntoIterator<Item = (&'n str, Resource)>) -> Self {
            for (name, resource) in resources {
                if self.program.interface.bindings.contains_key(name) {
                    self.bound.insert(name, vec![resource]);
                }
            }
            self
        }

        pub fn push<T: GpuStruct>(mut self, push: &T) -> Self {
            self.bound.push = bytemuck::bytes_of(push).to_vec();
            self
        }
    };
}
pub(super) use binding_methods;

#[derive(Default, Clone)]
pub(super) struct Bound {
    pub resources: BTreeMap<String, Vec<Resource>>,
    pub push: Vec<u8>,
}

impl Bound {
    pub fn insert(&mut self, name: &str, resources: Vec<Resource>) {
        self.resources.insert(name.into(), resources);
    }

    pub fn touches(&self, pass: &str, interface: &Interface) -> Result<Vec<ResourceUse>> {
        let refuse =
            |problem: String| Error::Pass { pass: pass.into(), problem: format!("{}: {problem}", interface.name) };
        let declared = &interface.bindings;
        let missing: Vec<_> = declared.keys().filter(|name| !self.resources.contains_key(*name)).collect();
        let unknown: Vec<_> = self.resources.keys().filter(|name| !declared.contains_key(*name)).collect();
        if !missing.is_empty() || !unknown.is_empty() {
            let names = |names: Vec<&String>| names.into_iter().map(String::as_str).collect::<Vec<_>>().join(", ");
            let missing = (!missing.is_empty()).then(|| format!("nothing bound to {}", names(missing)));
            let unknown = (!unknown.is_empty()).then(|| format!("no such binding: {}", names(unknown)));
            let problems: Vec<_> = missing.into_iter().chain(unknown).collect();
            return Err(refuse(problems.join("; ")));
        }
        if self.push.len() != interface.push_size as usize {
            let (given, wanted) = (self.push.len(), interface.push_size);
            return Err(refuse(format!("push constants of {given} bytes given, expected {wanted}")));
        }
        let mut touches = Vec::new();
        for (name, binding) in declared {
            let resources = &self.resources[name];
            if resources.len() != binding.count as usize {
                let (given, wanted) = (resources.len(), binding.count);
                return Err(refuse(format!("{name}: {given} resources given, expected {wanted}")));
            }
            use vk::DescriptorType as K;
            let image = matches!(binding.kind, K::STORAGE_IMAGE | K::COMBINED_IMAGE_SAMPLER);
            for resource in resources {
                if image != matches!(resource, Resource::ImageView(_)) {
                    let wanted = if image { "an image" } else { "a buffer" };
                    return Err(refuse(format!("{name}: expected {wanted}")));
                }
                let wanted = if binding.kind == K::STORAGE_IMAGE { Use::Storage } else { Use::Sample };
                if let Resource::ImageView(view) = resource
                    && !view.image.is_for(wanted)
                {
                    return Err(refuse(format!("{name}: the image was created without {wanted:?}")));
                }
                // An array may contain a resource twice; two accesses would need a barrier between.
                let how = resource.sampled_as(binding.access());
                let below = match resource {
                    Resource::Buffer(buffer) if binding.kind == K::ACCELERATION_STRUCTURE_KHR => buffer.below(),
                    _ => None,
                };
                for resource in below.map(Resource::from).iter().chain([resource]) {
                    if !touches.iter().any(|t: &ResourceUse| t.how == how && t.resource.same(resource)) {
                        touches.push(ResourceUse { resource: resource.clone(), how });
                    }
                }
            }
        }
        Ok(touches)
    }

    /// The arrays that descriptors point to live until the call returns.
    pub fn write(&self, gpu: &Gpu, interface: &Interface, set: vk::DescriptorSet) -> Result<()> {
        let mut images = Vec::new();
        let mut buffers = Vec::new();
        let mut texels = Vec::new();
        let mut structures = Vec::new();
        for (name, binding) in &interface.bindings {
            for resource in &self.resources[name] {
                match resource {
                    Resource::ImageView(view) => images.push(vk::DescriptorImageInfo {
                        sampler: gpu.samplers.raw(view.sampler),
                        image_view: view.raw()?,
                        image_layout: resource.sampled_as(binding.access()).scope().layout,
                    }),
                    Resource::Buffer(buffer) if binding.kind == vk::DescriptorType::UNIFORM_TEXEL_BUFFER => {
                        texels.push(buffer.texels()?);
                    }
                    Resource::Buffer(buffer) if binding.kind == vk::DescriptorType::ACCELERATION_STRUCTURE_KHR => {
                        structures.push([buffer.structure()?]);
                    }
                    Resource::Buffer(buffer) => buffers.push(vk::DescriptorBufferInfo {
                        buffer: buffer.0.raw,
                        offset: 0,
                        range: vk::WHOLE_SIZE,
                    }),
                }
            }
        }
        let more = |raw| vk::WriteDescriptorSetAccelerationStructureKHR::default().acceleration_structures(raw);
        let mut more: Vec<_> = structures.iter().map(|raw| more(raw)).collect();
        let mut more = more.iter_mut();
        let mut image_at = 0;
        let mut buffer_at = 0;
        let mut texels_at = 0;
        let mut writes = Vec::new();
        for (name, binding) in &interface.bindings {
            let count = self.resources[name].len();
            let write = vk::WriteDescriptorSet::default()
                .dst_set(set)
                .dst_binding(binding.slot)
                .descriptor_type(binding.kind)
                .descriptor_count(binding.count);
            if binding.kind == vk::DescriptorType::ACCELERATION_STRUCTURE_KHR {
                writes.extend(more.next().map(|more| write.push_next(more)));
                continue;
            }
            writes.push(if matches!(self.resources[name].first(), Some(Resource::ImageView(_))) {
                image_at += count;
                write.image_info(&images[image_at - count..image_at])
            } else if binding.kind == vk::DescriptorType::UNIFORM_TEXEL_BUFFER {
                texels_at += count;
                write.texel_buffer_view(&texels[texels_at - count..texels_at])
            } else {
                buffer_at += count;
                write.buffer_info(&buffers[buffer_at - count..buffer_at])
            });
        }
        // SAFETY: the set was allocated for this interface and no frame in flight uses it.
        unsafe { gpu.device.update_descriptor_sets(&writes, &[]) };
        Ok(())
    }
}

#[derive(Default)]
pub(super) struct Sets {
    pools: Vec<vk::DescriptorPool>,
    at: usize,
}

const SETS: u32 = 128;

impl Sets {
    pub fn allocate(&mut self, gpu: &Gpu, layout: vk::DescriptorSetLayout) -> Result<vk::DescriptorSet> {
        loop {
            if self.at == self.pools.len() {
                self.pools.push(Self::pool(gpu)?);
            }
            let layouts = [layout];
            let info =
                vk::DescriptorSetAllocateInfo::default().descriptor_pool(self.pools[self.at]).set_layouts(&layouts);
            // SAFETY: pool and layout are alive; one thread records.
            match unsafe { gpu.device.allocate_descriptor_sets(&info) } {
                Ok(sets) => return Ok(sets[0]),
                Err(vk::Result::ERROR_OUT_OF_POOL_MEMORY | vk::Result::ERROR_FRAGMENTED_POOL) => self.at += 1,
                Err(e) => return Err(e).context("vkAllocateDescriptorSets"),
            }
        }
    }

    fn pool(gpu: &Gpu) -> Result<vk::DescriptorPool> {
        use vk::DescriptorType as K;
        let buffers = [K::STORAGE_BUFFER, K::UNIFORM_BUFFER, K::UNIFORM_TEXEL_BUFFER];
        let kinds = [K::STORAGE_IMAGE, K::COMBINED_IMAGE_SAMPLER, buffers[0], buffers[1], buffers[2]];
        let mut sizes = kinds.map(|ty| vk::DescriptorPoolSize { ty, descriptor_count: 4 * SETS }).to_vec();
        if gpu.has(Feature::RayQuery) {
            sizes.push(vk::DescriptorPoolSize { ty: K::ACCELERATION_STRUCTURE_KHR, descriptor_count: SETS });
        }
        let info = vk::DescriptorPoolCreateInfo::default().max_sets(SETS).pool_sizes(&sizes);
        // SAFETY: the device is alive.
        let pool = unsafe { gpu.device.create_descriptor_pool(&info, None) }.context("vkCreateDescriptorPool")?;
        gpu.name(pool, "frame descriptors");
        Ok(pool)
    }

    pub fn reset(&mut self, gpu: &Gpu) -> Result<()> {
        for pool in &self.pools {
            // SAFETY: the caller guarantees that no frame in flight uses these sets.
            unsafe { gpu.device.reset_descriptor_pool(*pool, vk::DescriptorPoolResetFlags::empty()) }
                .context("vkResetDescriptorPool")?;
        }
        self.at = 0;
        Ok(())
    }

    pub fn destroy(&mut self, gpu: &Gpu) {
        for pool in self.pools.drain(..) {
            // SAFETY: as above.
            unsafe { gpu.device.destroy_descriptor_pool(pool, None) };
        }
    }
}
