//! Compute pipelines, created from a shader's name; layout, bindings, group size and constants come from reflection.
use super::{
    DeviceInfo, Gpu,
    error::{Context, Error, Result},
    layout::GpuStruct,
    pipeline_recipe::PipelineRecipe,
    pipeline_statistics::Purpose,
    shader::Interface,
    shaders::{ShaderSource, first_made},
    spec_constants::Constants,
};
use ash::vk;
use std::sync::{
    Arc, Mutex,
    atomic::{AtomicBool, AtomicU64, Ordering},
};

/// A compute shader ready to run. Clones share the pipeline.
#[derive(Clone)]
pub struct ComputePipeline(Arc<Inner>);

struct Inner {
    gpu: Arc<Gpu>,
    recipe: Recipe,
    generation: AtomicU64,
    made: Mutex<Arc<Program>>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Recipe {
    pub shader: String,
    pub constants: Vec<(String, u32)>,
    subgroup: Option<u32>,
}

/// Vulkan objects of a version; frames in flight keep it while a newer one replaces it.
pub(super) struct Program {
    gpu: Arc<Gpu>,
    pub interface: Interface,
    pub recipe: Arc<PipelineRecipe>,
    pub raw: vk::Pipeline,
    pub layout: vk::PipelineLayout,
    pub set: vk::DescriptorSetLayout,
    pub group: [u32; 3],
    /// Whether a frame has run it: many drivers compile at the first use.
    used: AtomicBool,
}

impl ComputePipeline {
    /// `shader` is a file below `shaders/`, with its variant; `constants` are specialization constants by name.
    pub fn new(gpu: &Arc<Gpu>, shader: &str, constants: &[(&str, u32)]) -> Result<Self> {
        Self::make(gpu, shader, constants, None)
    }

    /// The same with full subgroups of `subgroup` invocations. The device must support that size ([`Subgroup`](super::Subgroup)); without
    /// size control only the driver's default size is allowed.
    pub fn with_subgroup(gpu: &Arc<Gpu>, shader: &str, constants: &[(&str, u32)], subgroup: u32) -> Result<Self> {
        Self::make(gpu, shader, constants, Some(subgroup))
    }

    fn make(gpu: &Arc<Gpu>, shader: &str, constants: &[(&str, u32)], subgroup: Option<u32>) -> Result<Self> {
        let constants = constants.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
        let recipe = Recipe { shader: shader.into(), constants, subgroup };
        if let Some(shared) = gpu.shared(&recipe) {
            return Ok(shared);
        }
        let generation = AtomicU64::new(gpu.shaders.generation());
        let made = first_made(&gpu.shaders, &[shader], |source| Program::new(gpu, &recipe, source, Purpose::Run))?;
        let made = Mutex::new(Arc::new(made));
        Ok(gpu.share(Self(Arc::new(Inner { gpu: gpu.clone(), recipe, generation, made }))))
    }

    pub(super) fn own_recipe(&self) -> &Recipe {
        &self.0.recipe
    }

    #[cfg(test)]
    pub(super) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Checks `T` against the shader's push constants.
    pub fn with_push<T: GpuStruct>(self) -> Result<Self> {
        self.program().interface.check_push::<T>()?;
        Ok(self)
    }

    /// Checks `T` against the uniform block `binding`, or an element of the storage buffer `binding`.
    pub fn with_struct<T: GpuStruct>(self, binding: &str) -> Result<Self> {
        self.program().interface.check_struct::<T>(binding)?;
        Ok(self)
    }

    /// Workgroup size.
    #[must_use]
    pub fn group(&self) -> [u32; 3] {
        self.program().group
    }

    /// The current version: a newer one if the shader was edited and still matches.
    pub(super) fn program(&self) -> Arc<Program> {
        let inner = &self.0;
        let mut made = inner.made.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let now = inner.gpu.shaders.generation();
        let last = inner.generation.swap(now, Ordering::Relaxed);
        if last != now && inner.gpu.shaders.is_changed(std::slice::from_ref(&inner.recipe.shader), last) {
            let new = Program::new(&inner.gpu, &inner.recipe, ShaderSource::Latest, Purpose::Run);
            inner.gpu.shaders.refit(&inner.recipe.shader, new.as_ref().err().map(ToString::to_string));
            if let Ok(new) = new {
                *made = Arc::new(new);
            }
        }
        made.clone()
    }
}

/// Rejects a workgroup above the device's limits.
fn refuse_large_group(facts: &DeviceInfo, shader: &str, group: [u32; 3], shared_bytes: u64) -> Result<()> {
    let [x, y, z] = group;
    let fits = group.iter().zip(facts.group_size).all(|(side, most)| *side <= most);
    let product = group.iter().try_fold(1u32, |product, side| product.checked_mul(*side));
    let fits = fits && shared_bytes <= u64::from(facts.shared_bytes);
    if fits && product.is_some_and(|product| product <= facts.group_invocations) {
        return Ok(());
    }
    let problem =
        format!("workgroups of {x} x {y} x {z} with {shared_bytes} bytes of shared memory; the device allows ");
    let problem = problem + &format!("{}, {} bytes", facts.group_limits(), facts.shared_bytes);
    Err(Error::Shader { name: shader.into(), problem })
}

impl Program {
    pub fn new(gpu: &Arc<Gpu>, recipe: &Recipe, source: ShaderSource, purpose: Purpose) -> Result<Self> {
        let stage = gpu.shaders.stage(&recipe.shader, source)?;
        Constants::all_known(&gpu.shaders, std::slice::from_ref(&stage), &recipe.constants)?;
        let constants = Constants::of(&stage, &recipe.constants);
        let (group, shared_bytes) = stage.group(&constants.chosen);
        refuse_large_group(gpu.info(), &stage.name, group, shared_bytes)?;
        let stages = [stage];
        let interface = gpu.shaders.interface(&stages)?;
        let (set, layout) = interface.layouts(&gpu.device)?;
        let [stage] = stages;
        let special = constants.info();
        let subgroup = gpu.info().subgroup;
        let mut required = vk::PipelineShaderStageRequiredSubgroupSizeCreateInfo::default();
        let mut flags = vk::PipelineShaderStageCreateFlags::empty();
        let module = super::shader_module(gpu, &stage)?;
        let mut info = vk::PipelineShaderStageCreateInfo::default()
            .stage(vk::ShaderStageFlags::COMPUTE)
            .module(module)
            .name(c"main")
            .specialization_info(&special);
        // A group of more subgroups than a selected size allows has the driver's size.
        let threads: u32 = group.iter().product();
        let is_default = |size: u32| size == subgroup.size && threads > size.saturating_mul(subgroup.most);
        if let Some(size) = recipe.subgroup.filter(|size| subgroup.control && !is_default(*size)) {
            if group[0] % size == 0 {
                flags |= vk::PipelineShaderStageCreateFlags::REQUIRE_FULL_SUBGROUPS;
            }
            required = required.required_subgroup_size(size);
            info = info.push_next(&mut required);
        }
        let info = info.flags(flags);
        let (flags, cache) = gpu.creation(purpose);
        let info = vk::ComputePipelineCreateInfo::default().stage(info).layout(layout).flags(flags);
        // SAFETY: the device is alive and every struct lives until the call returns.
        let make = || unsafe { gpu.device.create_compute_pipelines(cache, &[info], None) };
        #[cfg(test)]
        let make = || if gpu.is_faulty() { Ok(vec![vk::Pipeline::null()]) } else { make() };
        let made = make();
        unsafe { gpu.device.destroy_shader_module(module, None) };
        let raw = made.map_err(|(_, e)| e).context(&stage.name).map(|made| made[0]).inspect_err(|_| unsafe {
            gpu.device.destroy_pipeline_layout(layout, None);
            gpu.device.destroy_descriptor_set_layout(set, None);
        })?;
        let chosen = recipe.constants.iter().map(|(name, value)| (name.clone(), value.to_string()));
        let subgroup = recipe.subgroup.map(|size| ("subgroup".to_owned(), size.to_string()));
        gpu.note_statistics((raw, purpose), std::slice::from_ref(&recipe.shader), chosen.chain(subgroup));
        gpu.name(raw, &stage.name);
        gpu.name(layout, &stage.name);
        let (gpu, recipe, used) = (gpu.clone(), PipelineRecipe::compute(recipe), AtomicBool::new(false));
        Ok(Self { gpu, interface, recipe, raw, layout, set, group, used })
    }

    /// Records a use; true for the first one.
    pub fn is_first_use(&self) -> bool {
        !self.used.swap(true, Ordering::Relaxed)
    }

    /// The same record for a raster pipeline, which is created elsewhere.
    pub fn raster(
        gpu: &Arc<Gpu>,
        (interface, recipe): (Interface, Arc<PipelineRecipe>),
        raw: vk::Pipeline,
        layout: vk::PipelineLayout,
        set: vk::DescriptorSetLayout,
    ) -> Self {
        Self { gpu: gpu.clone(), interface, recipe, raw, layout, set, group: [1; 3], used: AtomicBool::new(false) }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // SAFETY: frames in flight keep a clone, so the GPU is done with it.
        unsafe {
            self.gpu.device.destroy_pipeline(self.raw, None);
            self.gpu.device.destroy_pipeline_layout(self.layout, None);
            self.gpu.device.destroy_descriptor_set_layout(self.set, None);
        }
    }
}
