//! Compute pipelines by shader name and reflection.
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

#[derive(Clone)]
pub struct ComputePipeline(pub(super) Arc<LivePipeline>);

pub(super) struct LivePipeline {
    gpu: Arc<Gpu>,
    pub recipe: Arc<PipelineRecipe>,
    generation: AtomicU64,
    made: Mutex<Arc<Program>>,
}

impl LivePipeline {
    pub fn new(gpu: &Arc<Gpu>, recipe: PipelineRecipe) -> Result<Arc<Self>> {
        if let Some(shared) = gpu.shared(&recipe) {
            return Ok(shared);
        }
        let (recipe, generation) = (Arc::new(recipe), AtomicU64::new(gpu.shaders.generation()));
        let made = first_made(&gpu.shaders, recipe.shaders(), |source| recipe.program(gpu, source, Purpose::Run))?;
        let made = Mutex::new(Arc::new(made));
        Ok(gpu.share(Arc::new(Self { gpu: gpu.clone(), recipe, generation, made })))
    }

    pub fn program(&self) -> Arc<Program> {
        let mut made = self.made.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let now = self.gpu.shaders.generation();
        let last = self.generation.swap(now, Ordering::Relaxed);
        if last != now && self.gpu.shaders.is_changed(self.recipe.shaders(), last) {
            let new = self.recipe.program(&self.gpu, ShaderSource::Latest, Purpose::Run);
            self.gpu.shaders.refit(&made.interface.name, new.as_ref().err().map(ToString::to_string));
            if let Ok(new) = new {
                *made = Arc::new(new);
            }
        }
        made.clone()
    }
}

macro_rules! pipeline_methods {
    () => {
        pub fn with_push<T: GpuStruct>(self) -> Result<Self> {
            self.0.program().interface.check_push::<T>()?;
            Ok(self)
        }

        pub fn with_struct<T: GpuStruct>(self, binding: &str) -> Result<Self> {
            self.0.program().interface.check_struct::<T>(binding)?;
            Ok(self)
        }
    };
}
pub(super) use pipeline_methods;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Recipe {
    pub shader: String,
    pub constants: Vec<(String, u32)>,
    subgroup: Option<u32>,
}

pub(super) struct Program {
    gpu: Arc<Gpu>,
    pub interface: Interface,
    pub recipe: Arc<PipelineRecipe>,
    pub raw: vk::Pipeline,
    pub layout: vk::PipelineLayout,
    pub set: vk::DescriptorSetLayout,
    pub group: [u32; 3],
    /// Many drivers compile at the first use.
    used: AtomicBool,
}

impl ComputePipeline {
    /// `shader`: a file below `shaders/` with its variant; `constants`: specialization constants by name.
    pub fn new(gpu: &Arc<Gpu>, shader: &str, constants: &[(&str, u32)]) -> Result<Self> {
        Self::make(gpu, shader, constants, None)
    }

    /// Full subgroups of `subgroup` invocations, which the device must support ([`Subgroup`](super::Subgroup)).
    pub fn with_subgroup(gpu: &Arc<Gpu>, shader: &str, constants: &[(&str, u32)], subgroup: u32) -> Result<Self> {
        Self::make(gpu, shader, constants, Some(subgroup))
    }

    fn make(gpu: &Arc<Gpu>, shader: &str, constants: &[(&str, u32)], subgroup: Option<u32>) -> Result<Self> {
        let constants = constants.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
        let recipe = Recipe { shader: shader.into(), constants, subgroup };
        Ok(Self(LivePipeline::new(gpu, PipelineRecipe::compute(recipe))?))
    }

    pipeline_methods!();

    pub fn group(&self) -> [u32; 3] {
        self.0.program().group
    }
}

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
    pub fn new(
        gpu: &Arc<Gpu>,
        all: &Arc<PipelineRecipe>,
        recipe: &Recipe,
        source: ShaderSource,
        purpose: Purpose,
    ) -> Result<Self> {
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
        #[cfg(any(test, feature = "fixtures"))]
        let make = || if super::garbage::is_on() { Ok(vec![vk::Pipeline::null()]) } else { make() };
        let made = make();
        unsafe { gpu.device.destroy_shader_module(module, None) };
        let raw = made.map_err(|(_, e)| e).context(&stage.name).map(|made| made[0]).inspect_err(|_| unsafe {
            gpu.device.destroy_pipeline_layout(layout, None);
            gpu.device.destroy_descriptor_set_layout(set, None);
        })?;
        let chosen = recipe.constants.iter().map(|(name, value)| (name.clone(), value.to_string()));
        let subgroup = recipe.subgroup.map(|size| ("subgroup".to_owned(), size.to_string()));
        gpu.note_statistics(raw, purpose, std::slice::from_ref(&recipe.shader), chosen.chain(subgroup));
        gpu.name(raw, &stage.name);
        gpu.name(layout, &stage.name);
        Ok(Self::of(gpu, interface, all.clone(), raw, layout, set, group))
    }

    pub fn is_first_use(&self) -> bool {
        !self.used.swap(true, Ordering::Relaxed)
    }

    pub fn of(
        gpu: &Arc<Gpu>,
        interface: Interface,
        recipe: Arc<PipelineRecipe>,
        raw: vk::Pipeline,
        layout: vk::PipelineLayout,
        set: vk::DescriptorSetLayout,
        group: [u32; 3],
    ) -> Self {
        Self { gpu: gpu.clone(), interface, recipe, raw, layout, set, group, used: AtomicBool::new(false) }
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
