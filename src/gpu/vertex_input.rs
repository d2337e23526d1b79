//! Vertex input by the names of shader and Rust struct.
use super::{
    GpuStruct,
    access::Stages,
    error::{Error, Result},
    layout::Field,
    shader::ShaderStage,
};
use ash::vk;
use spirq::ty::{ScalarType, Type};

#[derive(Clone, Copy, PartialEq)]
pub struct VertexLayout {
    name: &'static str,
    fields: &'static [Field],
    bytes: usize,
}

impl VertexLayout {
    pub fn of<T: GpuStruct>() -> Self {
        Self { name: T::NAME, fields: T::FIELDS, bytes: size_of::<T>() }
    }
}

impl std::fmt::Debug for VertexLayout {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

type VertexState = (Vec<vk::VertexInputBindingDescription>, Vec<vk::VertexInputAttributeDescription>);

pub(super) fn describe(stages: &[ShaderStage], layout: Option<&VertexLayout>) -> Result<VertexState> {
    let Some(stage) = stages.iter().find(|stage| stage.stages == Stages::VERTEX) else { return Ok(Default::default()) };
    let refuse = |problem: String| Error::Shader { name: stage.name.clone(), problem };
    let Some(layout) = layout else {
        return match stage.inputs.values().next() {
            None => Ok(Default::default()),
            Some((name, _)) => Err(refuse(format!("takes in {name:?}, but no vertices are described"))),
        };
    };
    let attribute = |(location, (name, ty)): (&u32, &(String, Type))| {
        let (format, size) =
            format_of(ty).ok_or_else(|| refuse(format!("{name:?} is no number or vector of 32 bits")))?;
        let field = layout.fields.iter().find(|field| field.name == name && field.size == size);
        let field = field.ok_or_else(|| {
            let known: Vec<_> = layout.fields.iter().map(|field| format!("{}+{}", field.name, field.size)).collect();
            refuse(format!("takes in {name}+{size}; {} has {} (name+size)", layout.name, known.join(" ")))
        })?;
        let at = vk::VertexInputAttributeDescription::default().location(*location).format(format);
        Ok(at.offset(field.offset as u32))
    };
    let attributes = stage.inputs.iter().map(attribute).collect::<Result<Vec<_>>>()?;
    let binding = vk::VertexInputBindingDescription::default().stride(layout.bytes as u32);
    Ok((vec![binding], attributes))
}

fn format_of(ty: &Type) -> Option<(vk::Format, usize)> {
    use vk::Format as F;
    let (scalar, count) = match ty {
        Type::Scalar(scalar) => (scalar, 1),
        Type::Vector(vector) => (&vector.scalar_ty, vector.nscalar),
        _ => return None,
    };
    let formats = match scalar {
        ScalarType::Float { bits: 32 } => {
            [F::R32_SFLOAT, F::R32G32_SFLOAT, F::R32G32B32_SFLOAT, F::R32G32B32A32_SFLOAT]
        }
        ScalarType::Integer { bits: 32, is_signed: false } => {
            [F::R32_UINT, F::R32G32_UINT, F::R32G32B32_UINT, F::R32G32B32A32_UINT]
        }
        ScalarType::Integer { bits: 32, is_signed: true } => {
            [F::R32_SINT, F::R32G32_SINT, F::R32G32B32_SINT, F::R32G32B32A32_SINT]
        }
        _ => return None,
    };
    Some((*formats.get((count as usize).checked_sub(1)?)?, 4 * count as usize))
}
