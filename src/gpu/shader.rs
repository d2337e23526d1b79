//! Shaders, their edited versions, and their reflection.
use super::{
    access::{Access, Stages},
    embedded_shaders,
    error::{Error, Result},
    layout::{self, GpuStruct},
    records::Records,
    shader_folder::ShaderFolder,
    workgroup,
};
use ash::vk;
use spirq::{prelude::*, ty::Type};
use std::{
    collections::{BTreeMap, HashMap},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

/// All shaders by name (`mip_chain/reduce.comp`), as built or as last recompiled.
#[derive(Default)]
pub struct Shaders {
    replaced: Mutex<HashMap<String, Vec<u32>>>,
    /// The generation that replaced each of them.
    changed: Mutex<HashMap<String, u64>>,
    reloads: Mutex<BTreeMap<String, ShaderReload>>,
    /// Shaders that do not compile.
    errors: Mutex<BTreeMap<String, String>>,
    /// Pipelines, by the names of their shaders, that cannot be created from shaders that do compile.
    misfits: Mutex<BTreeMap<String, String>>,
    generation: AtomicU64,
    news: AtomicU64,
    /// Where they are from, if not from where the process takes them; and whether one that cannot be used is an error.
    folder: Option<(ShaderFolder, bool)>,
}

impl Shaders {
    /// With the shaders of a folder. If `is_strict`, one that cannot be used is an error of its pipeline; otherwise the embedded one is
    /// used, and [`errors`](Self::errors) reports it.
    pub(super) fn of_folder(folder: ShaderFolder, is_strict: bool) -> Self {
        Self { folder: Some((folder, is_strict)), ..Self::default() }
    }

    fn folder(&self) -> Option<&ShaderFolder> {
        match &self.folder {
            Some((folder, _)) => Some(folder),
            None => ShaderFolder::of_process(),
        }
    }

    /// Whether a test of an edited shader must not pass by the embedded one.
    fn is_strict(&self) -> bool {
        self.folder.as_ref().map_or(ShaderFolder::of_process().is_some(), |(_, is_strict)| *is_strict)
    }

    /// Incremented whenever a shader was replaced; pipelines check it before use.
    pub(super) fn generation(&self) -> u64 {
        self.generation.load(Ordering::Relaxed)
    }

    /// Incremented whenever [`errors`](Self::errors) may have changed.
    #[must_use]
    pub fn news(&self) -> u64 {
        self.news.load(Ordering::Relaxed)
    }

    /// Replaces the SPIR-V of `name`; pipelines pick it up at their next use.
    pub fn replace(&self, name: &str, words: Vec<u32>) {
        self.replace_edited(name, name.split(':').next().unwrap_or_default(), words);
    }

    /// The same after an edit of `file`, which the shader includes.
    pub(super) fn replace_edited(&self, name: &str, file: &str, words: Vec<u32>) {
        let before = locked(&self.replaced).get(name).cloned();
        let new = || ShaderReload { name: name.into(), file: file.into(), versions: [before, None] };
        locked(&self.reloads).entry(name.into()).or_insert_with(new).versions[1] = Some(words.clone());
        self.set(name, Some(words));
        locked(&self.errors).remove(name);
        self.news.fetch_add(1, Ordering::Relaxed);
    }

    /// `None`: as built.
    fn set(&self, name: &str, words: Option<Vec<u32>>) {
        let mut replaced = locked(&self.replaced);
        match words {
            Some(words) => drop(replaced.insert(name.into(), words)),
            None => drop(replaced.remove(name)),
        }
        drop(replaced);
        let mut changed = locked(&self.changed);
        changed.insert(name.into(), 1 + self.generation.load(Ordering::Relaxed));
        self.generation.fetch_add(1, Ordering::Relaxed);
    }

    /// Whether one of these was replaced after `generation`.
    pub(super) fn is_changed(&self, names: &[String], generation: u64) -> bool {
        let changed = locked(&self.changed);
        names.iter().any(|name| changed.get(name).is_some_and(|at| *at > generation))
    }

    /// Shaders replaced since the last call.
    pub fn take_reloads(&self) -> Vec<ShaderReload> {
        std::mem::take(&mut *locked(&self.reloads)).into_values().collect()
    }

    /// Uses the version after the reload, or the one before it.
    pub fn use_version(&self, reload: &ShaderReload, is_after: bool) {
        self.set(&reload.name, reload.versions[usize::from(is_after)].clone());
    }

    /// Keeps the old shader and stores the error.
    pub fn refuse(&self, name: &str, problem: String) {
        log::warn!("shader {name} keeps its last good version: {problem}");
        locked(&self.errors).insert(name.into(), problem);
        self.news.fetch_add(1, Ordering::Relaxed);
    }

    /// Removes errors of shaders that no longer exist, or are unedited again.
    pub fn forgive(&self, is_gone: impl Fn(&str) -> bool) {
        locked(&self.errors).retain(|name, _| !is_gone(name));
        self.news.fetch_add(1, Ordering::Relaxed);
    }

    /// Stores the result of recreating a pipeline from edited shaders: success, or the error.
    pub(super) fn refit(&self, pipeline: &str, problem: Option<String>) {
        let mut misfits = locked(&self.misfits);
        match problem {
            Some(problem) => {
                log::warn!("shader {pipeline} keeps its last good version: {problem}");
                misfits.insert(pipeline.into(), problem);
            }
            None if misfits.remove(pipeline).is_some() => {}
            None => return,
        }
        self.news.fetch_add(1, Ordering::Relaxed);
    }

    /// Shaders with compile errors, with the compiler's text, and pipelines that cannot be created from edited ones.
    #[must_use]
    pub fn errors(&self) -> Vec<(String, String)> {
        let (errors, misfits) = (locked(&self.errors), locked(&self.misfits));
        errors.iter().chain(misfits.iter()).map(|(name, problem)| (name.clone(), problem.clone())).collect()
    }

    /// Whether it was edited since the program was built.
    pub(super) fn is_edited(&self, name: &str) -> bool {
        locked(&self.replaced).contains_key(name)
    }

    /// The latest edit of a shader: from the watcher, or from the folder named by the environment.
    fn edited(&self, name: &str) -> Result<Option<Vec<u32>>> {
        let taken = locked(&self.replaced).get(name).cloned();
        if taken.is_some() {
            return Ok(taken);
        }
        if !self.is_strict() && locked(&self.errors).contains_key(name) {
            return Ok(None);
        }
        let found = match self.folder().map(|folder| folder.spirv(name)).transpose() {
            Err(why) if !self.is_strict() => {
                self.refuse(name, why.to_string());
                None
            }
            found => found?.flatten(),
        };
        if let Some(words) = &found {
            locked(&self.replaced).insert(name.into(), words.clone());
        }
        Ok(found)
    }

    /// Reflects one stage of a pipeline.
    pub(super) fn stage(&self, name: &str, source: ShaderSource) -> Result<ShaderStage> {
        let edited = if source == ShaderSource::Latest { self.edited(name)? } else { None };
        ShaderStage::new(name, edited.map_or_else(|| embedded_shaders::spirv(name), Ok)?)
    }
}

/// A replaced shader.
#[derive(Clone, Debug)]
pub struct ShaderReload {
    /// The shader with its variant.
    pub name: String,
    /// The edited file.
    pub file: String,
    /// Before and after; `None`: as built.
    versions: [Option<Vec<u32>>; 2],
}

/// Version of a shader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ShaderSource {
    /// As last edited.
    Latest,
    /// As the program was built.
    Built,
}

/// Creates a pipeline for the first time. If an edit of one of its shaders does not match, the embedded version is used, and
/// [`Shaders::errors`] reports why.
pub(super) fn first_made<T>(shaders: &Shaders, names: &[&str], make: impl Fn(ShaderSource) -> Result<T>) -> Result<T> {
    let made = make(ShaderSource::Latest);
    if shaders.is_strict() || !names.iter().any(|name| shaders.is_edited(name)) {
        return made;
    }
    let name = names.join(" + ");
    made.inspect(|_| shaders.refit(&name, None)).or_else(|problem| {
        let built = make(ShaderSource::Built)?;
        shaders.refit(&name, Some(problem.to_string()));
        Ok(built)
    })
}

/// A poisoned lock is still consistent: each of these is changed in one step.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One descriptor of a shader.
#[derive(Clone, Debug)]
pub(super) struct Binding {
    pub slot: u32,
    pub count: u32,
    pub kind: vk::DescriptorType,
    pub stages: Stages,
    reads: bool,
    writes: bool,
    ty: Type,
}

impl Binding {
    /// Contents of the buffer as declared; empty for other resources.
    pub fn records(&self) -> Arc<Records> {
        Arc::new(Records::of(&self.ty))
    }

    /// Access of the pass to the binding: derived from the shader, so it cannot be forgotten.
    pub fn access(&self) -> Access {
        match self.kind {
            vk::DescriptorType::UNIFORM_BUFFER => Access::Uniform(self.stages),
            vk::DescriptorType::ACCELERATION_STRUCTURE_KHR => Access::Trace(self.stages),
            vk::DescriptorType::COMBINED_IMAGE_SAMPLER | vk::DescriptorType::UNIFORM_TEXEL_BUFFER => {
                Access::Sample(self.stages)
            }
            _ if !self.writes => Access::Read(self.stages),
            _ if !self.reads => Access::Write(self.stages),
            _ => Access::ReadWrite(self.stages),
        }
    }
}

/// A compiled shader and its declarations.
pub(super) struct ShaderStage {
    pub name: String,
    pub words: Vec<u32>,
    pub stages: Stages,
    pub bindings: BTreeMap<String, Binding>,
    pub push: Option<Type>,
    pub constants: BTreeMap<String, u32>,
    /// Vertex inputs: location, name, type.
    pub inputs: BTreeMap<u32, (String, Type)>,
    /// Outputs by location.
    outputs: BTreeMap<u32, String>,
    entry: EntryPoint,
}

/// Display name of a shader's variable.
fn called(label: &Option<String>) -> &str {
    label.as_deref().unwrap_or("a resource without a name")
}

impl ShaderStage {
    fn new(name: &str, words: Vec<u32>) -> Result<Self> {
        let refuse = |problem: String| Error::Shader { name: name.into(), problem };
        let mut entries =
            ReflectConfig::new().spv(words.clone()).reflect().map_err(|e| refuse(format!("reflection: {e}")))?;
        let entry = entries.pop().ok_or_else(|| refuse("no entry point".into()))?;
        let stages = match entry.exec_model {
            ExecutionModel::GLCompute => Stages::COMPUTE,
            ExecutionModel::Vertex => Stages::VERTEX,
            ExecutionModel::Fragment => Stages::FRAGMENT,
            ExecutionModel::TaskEXT => Stages::TASK,
            ExecutionModel::MeshEXT => Stages::MESH,
            _ => {
                return Err(refuse(
                    "its stage is not used here; expected compute, vertex, fragment, task or mesh".into(),
                ));
            }
        };
        let (mut bindings, mut push, mut constants) = (BTreeMap::new(), None, BTreeMap::new());
        let (mut inputs, mut outputs) = (BTreeMap::new(), BTreeMap::new());
        for var in &entry.vars {
            match var {
                Variable::Descriptor { name: label, desc_bind, desc_ty, ty, nbind } => {
                    use vk::DescriptorType as K;
                    let (kind, access) = match desc_ty {
                        DescriptorType::StorageImage(a) => (K::STORAGE_IMAGE, *a),
                        DescriptorType::StorageBuffer(a) => (K::STORAGE_BUFFER, *a),
                        DescriptorType::UniformBuffer() => (K::UNIFORM_BUFFER, AccessType::ReadOnly),
                        DescriptorType::UniformTexelBuffer() => (K::UNIFORM_TEXEL_BUFFER, AccessType::ReadOnly),
                        DescriptorType::CombinedImageSampler() => (K::COMBINED_IMAGE_SAMPLER, AccessType::ReadOnly),
                        DescriptorType::AccelStruct() => (K::ACCELERATION_STRUCTURE_KHR, AccessType::ReadOnly),
                        _ => {
                            let expected = "expected a buffer, a storage image, an image with its sampler or an acceleration structure";
                            return Err(refuse(format!(
                                "{} is of a kind that is not used here; {expected}",
                                called(label)
                            )));
                        }
                    };
                    if desc_bind.set() != 0 {
                        return Err(refuse(format!("{} is in set {}, expected set 0", called(label), desc_bind.set())));
                    }
                    // A block without an instance name goes by its block name.
                    let block = match ty {
                        Type::Struct(block) => block.name.clone(),
                        _ => None,
                    };
                    let label = label.clone().filter(|n| !n.is_empty()).or(block);
                    let label = label.ok_or_else(|| refuse(format!("binding {} has no name", desc_bind.bind())))?;
                    let binding = Binding {
                        slot: desc_bind.bind(),
                        count: (*nbind).max(1),
                        kind,
                        stages,
                        reads: !matches!(access, AccessType::WriteOnly),
                        writes: !matches!(access, AccessType::ReadOnly),
                        ty: ty.clone(),
                    };
                    bindings.insert(label, binding);
                }
                Variable::PushConstant { ty, .. } => push = Some(ty.clone()),
                Variable::SpecConstant { name: Some(name), spec_id, .. } => {
                    constants.insert(name.clone(), *spec_id);
                }
                Variable::Input { name: Some(name), location, ty } => {
                    inputs.insert(location.loc(), (name.clone(), ty.clone()));
                }
                Variable::Output { name: Some(name), location, .. } => {
                    outputs.insert(location.loc(), name.clone());
                }
                _ => {}
            }
        }
        Ok(Self { name: name.into(), words, stages, bindings, push, constants, inputs, outputs, entry })
    }

    /// Whether it declares a capability of subgroup operations (the GroupNonUniform family of SPIR-V, 61 to 68).
    fn has_subgroup_operations(&self) -> bool {
        const CAPABILITY: u32 = 17;
        const HEADER_WORDS: usize = 5;
        let mut rest = self.words.get(HEADER_WORDS..).unwrap_or_default();
        // Capabilities precede all other instructions.
        while let [first, capability, ..] = rest
            && first & 0xFFFF == CAPABILITY
        {
            if (61..=68).contains(capability) {
                return true;
            }
            rest = rest.get((first >> 16).max(1) as usize..).unwrap_or_default();
        }
        false
    }

    /// Workgroup size with these constants (by id) set, and bytes of shared memory.
    pub fn group(&self, chosen: &[(u32, u32)]) -> ([u32; 3], u64) {
        use spirq::spirv::ExecutionMode as M;
        let needs = workgroup::needs(&self.words, chosen);
        let mode = self.entry.exec_modes.iter().find(|mode| mode.exec_mode == M::LocalSize);
        let own = [0, 1, 2].map(|axis| match mode.and_then(|mode| mode.operands.get(axis)).map(|size| &size.value) {
            Some(ConstantValue::U32(n)) => *n,
            Some(ConstantValue::S32(n)) => n.unsigned_abs(),
            _ => 1,
        });
        (needs.size.unwrap_or(own), needs.shared_bytes)
    }
}

/// Combined declarations of a pipeline's stages.
pub(super) struct Interface {
    pub name: String,
    pub bindings: BTreeMap<String, Binding>,
    pub push: Option<Type>,
    pub push_size: u32,
    pub stages: Stages,
    /// Names of the colour attachments, by location.
    pub targets: BTreeMap<u32, String>,
    /// Whether a stage has subgroup operations.
    pub subgroups: bool,
}

impl Interface {
    pub fn new(stages: &[ShaderStage]) -> Result<Self> {
        let name = stages.iter().map(|s| s.name.as_str()).collect::<Vec<_>>().join(" + ");
        let refuse = |problem: String| Error::Shader { name: name.clone(), problem };
        let mut bindings: BTreeMap<String, Binding> = BTreeMap::new();
        let (mut push, mut all) = (None, Stages::default());
        for stage in stages {
            all = all.and(stage.stages);
            push = stage.push.clone().or(push);
            for (label, new) in &stage.bindings {
                if let Some(clash) = bindings.iter().find(|(l, b)| (*l == label) != (b.slot == new.slot)) {
                    return Err(refuse(format!(
                        "{label} (binding {}) and {} (binding {}) clash",
                        new.slot, clash.0, clash.1.slot
                    )));
                }
                bindings
                    .entry(label.clone())
                    .and_modify(|old| {
                        old.stages = old.stages.and(new.stages);
                        old.reads |= new.reads;
                        old.writes |= new.writes;
                    })
                    .or_insert_with(|| new.clone());
            }
        }
        let push_size = push.as_ref().and_then(Type::nbyte).unwrap_or(0) as u32;
        if push_size > 128 {
            return Err(refuse(format!("push constants of {push_size} bytes; every device has 128, expected no more")));
        }
        let subgroups = stages.iter().any(ShaderStage::has_subgroup_operations);
        let fragment = stages.iter().find(|stage| stage.stages == Stages::FRAGMENT);
        let targets = fragment.map(|stage| stage.outputs.clone()).unwrap_or_default();
        Ok(Self { name, bindings, push, push_size, stages: all, targets, subgroups })
    }

    /// For stages that may have been edited: the embedded interface stays valid. A declaration that an edit has left unused (the compiler
    /// removes it) is kept, so that the program may still bind it; additional declarations are rejected.
    pub fn of(shaders: &Shaders, stages: &[ShaderStage]) -> Result<Self> {
        let found = Self::new(stages)?;
        if !stages.iter().any(|stage| shaders.is_edited(&stage.name)) {
            return Ok(found);
        }
        let built =
            stages.iter().map(|stage| shaders.stage(&stage.name, ShaderSource::Built)).collect::<Result<Vec<_>>>()?;
        found.within(Self::new(&built)?)
    }

    fn within(self, mut built: Self) -> Result<Self> {
        let refuse = |problem: String| Err(Error::Shader { name: self.name.clone(), problem });
        for (label, new) in &self.bindings {
            match built.bindings.get_mut(label) {
                None => return refuse(format!("binding {label} is new; restart to take it")),
                Some(old) if (old.slot, old.count, old.kind) == (new.slot, new.count, new.kind) => {
                    old.reads |= new.reads;
                    old.writes |= new.writes;
                    old.stages = old.stages.and(new.stages);
                }
                Some(_) => return refuse(format!("binding {label} is another than it was; restart to take it")),
            }
        }
        if self.push.is_some() && self.push_size != built.push_size {
            return refuse("the push constants changed; restart to take them".into());
        }
        Ok(built)
    }

    /// Checks, when the pipeline is created, `T` against the shader's push constants.
    pub fn check_push<T: GpuStruct>(&self) -> Result<()> {
        match &self.push {
            Some(ty) => layout::check::<T>(&self.name, ty),
            None => Err(Error::Shader { name: self.name.clone(), problem: "has no push constants".into() }),
        }
    }

    /// The same for the uniform block `binding`, or for the elements of the storage buffer `binding`.
    pub fn check_struct<T: GpuStruct>(&self, binding: &str) -> Result<()> {
        let refuse = |problem: String| Error::Shader { name: self.name.clone(), problem };
        let found = self.bindings.get(binding).ok_or_else(|| refuse(format!("has no binding {binding}")))?;
        layout::check::<T>(&self.name, layout::element(&found.ty).unwrap_or(&found.ty))
    }

    /// The set layout and the pipeline layout.
    pub fn layouts(&self, device: &ash::Device) -> Result<(vk::DescriptorSetLayout, vk::PipelineLayout)> {
        use super::error::Context;
        let slots: Vec<_> = self
            .bindings
            .values()
            .map(|b| {
                vk::DescriptorSetLayoutBinding::default()
                    .binding(b.slot)
                    .descriptor_type(b.kind)
                    .descriptor_count(b.count)
                    .stage_flags(b.stages.shader())
            })
            .collect();
        let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&slots);
        // SAFETY: the device is alive, the arrays live until the calls return.
        let set = unsafe { device.create_descriptor_set_layout(&info, None) }.context(&self.name)?;
        let (sets, ranges) = ([set], [self.push_range()]);
        let mut info = vk::PipelineLayoutCreateInfo::default().set_layouts(&sets);
        if self.push_size > 0 {
            info = info.push_constant_ranges(&ranges);
        }
        let layout = unsafe { device.create_pipeline_layout(&info, None) }.context(&self.name).inspect_err(|_| {
            unsafe { device.destroy_descriptor_set_layout(set, None) };
        })?;
        Ok((set, layout))
    }

    fn push_range(&self) -> vk::PushConstantRange {
        vk::PushConstantRange { stage_flags: self.stages.shader(), offset: 0, size: self.push_size }
    }
}
