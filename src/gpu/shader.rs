//! Reflection of shaders.
use super::{
    access::{Access, Stages},
    error::{Error, Result},
    layout::{self, GpuStruct},
    records::Records,
    workgroup,
};
use ash::vk;
use spirq::{prelude::*, spirv::Op, ty::Type};
use std::{collections::BTreeMap, sync::Arc};

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
    pub fn records(&self) -> Arc<Records> {
        Arc::new(Records::of(&self.ty))
    }

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

pub(super) struct ShaderStage {
    pub name: String,
    pub words: Vec<u32>,
    pub stages: Stages,
    pub bindings: BTreeMap<String, Binding>,
    pub push: Option<Type>,
    pub constants: BTreeMap<String, u32>,
    pub inputs: BTreeMap<u32, (String, Type)>,
    outputs: BTreeMap<u32, String>,
    entry: EntryPoint,
}

fn called(label: &Option<String>) -> &str {
    label.as_deref().unwrap_or("a resource without a name")
}

impl ShaderStage {
    pub fn new(name: &str, words: Vec<u32>) -> Result<Self> {
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

    /// The GroupNonUniform capabilities of SPIR-V, 61 to 68.
    fn has_subgroup_operations(&self) -> bool {
        let mut capabilities = instructions(&self.words).take_while(|(op, _)| *op == Op::Capability);
        capabilities.any(|(_, operands)| matches!(operands, [61..=68]))
    }

    /// Workgroup size with these constants (by id), and bytes of shared memory.
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

/// Without the header of five words.
pub(super) fn instructions(words: &[u32]) -> impl Iterator<Item = (Op, &[u32])> {
    let mut rest = words.get(5..).unwrap_or_default();
    std::iter::from_fn(move || {
        let first = rest.first()?;
        let (instruction, next) = rest.split_at((first >> 16).clamp(1, rest.len() as u32) as usize);
        rest = next;
        Some((Op::from_u32(first & 0xFFFF).unwrap_or(Op::Nop), &instruction[1..]))
    })
}

pub(super) struct Interface {
    pub name: String,
    pub bindings: BTreeMap<String, Binding>,
    pub push: Option<Type>,
    pub push_size: u32,
    pub stages: Stages,
    pub targets: BTreeMap<u32, String>,
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

    /// With everything that `built` has; an error if this has more.
    pub fn within(self, mut built: Self) -> Result<Self> {
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

    pub fn check_push<T: GpuStruct>(&self) -> Result<()> {
        match &self.push {
            Some(ty) => layout::check::<T>(&self.name, ty),
            None => Err(Error::Shader { name: self.name.clone(), problem: "has no push constants".into() }),
        }
    }

    pub fn check_struct<T: GpuStruct>(&self, binding: &str) -> Result<()> {
        let refuse = |problem: String| Error::Shader { name: self.name.clone(), problem };
        let found = self.bindings.get(binding).ok_or_else(|| refuse(format!("has no binding {binding}")))?;
        layout::check::<T>(&self.name, layout::element(&found.ty).unwrap_or(&found.ty))
    }

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
