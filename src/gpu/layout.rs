//! Struct layouts of Rust and GLSL, compared.
use super::{Error, error::Result};
use spirq::ty::Type;

#[derive(PartialEq)]
pub struct Field {
    pub name: &'static str,
    pub offset: usize,
    pub size: usize,
}

pub trait GpuStruct: bytemuck::Pod {
    const NAME: &'static str;
    const FIELDS: &'static [Field];
}

/// Declares a `#[repr(C)]` struct without padding. Its GLSL counterpart (`layout(scalar)`) is compared field by field
/// when a pipeline is created.
#[macro_export]
macro_rules! gpu_struct {
    ($(#[$meta:meta])* $vis:vis struct $name:ident { $($(#[$fmeta:meta])* $fvis:vis $field:ident: $ty:ty),* $(,)? }) => {
        $(#[$meta])*
        #[repr(C)]
        #[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
        $vis struct $name { $($(#[$fmeta])* $fvis $field: $ty),* }
        impl $crate::GpuStruct for $name {
            const NAME: &'static str = stringify!($name);
            const FIELDS: &'static [$crate::layout::Field] = &[$($crate::layout::Field {
                name: stringify!($field),
                offset: std::mem::offset_of!($name, $field),
                size: size_of::<$ty>(),
            }),*];
        }
    };
}

pub(super) fn check<T: GpuStruct>(shader: &str, ty: &Type) -> Result<()> {
    let refuse = |problem: String| Err(Error::Shader { name: shader.into(), problem });
    let Type::Struct(glsl) = ty else {
        return refuse(format!("{} is no struct in GLSL", T::NAME));
    };
    let row = |name: &str, offset: usize, size: usize| format!("{name}@{offset}+{size}");
    let ours: Vec<_> = T::FIELDS.iter().map(|f| row(f.name, f.offset, f.size)).collect();
    let theirs: Vec<_> = glsl
        .members
        .iter()
        .map(|m| row(m.name.as_deref().unwrap_or("?"), m.offset.unwrap_or(0), m.ty.nbyte().unwrap_or(0)))
        .collect();
    if ours != theirs {
        return refuse(format!(
            "struct {} differs (name@offset+size)\n  Rust: {}\n  GLSL: {}",
            T::NAME,
            ours.join(" "),
            theirs.join(" ")
        ));
    }
    Ok(())
}

pub(super) fn element(block: &Type) -> Option<&Type> {
    let Type::Struct(block) = block else { return None };
    match &block.members.last()?.ty {
        Type::Array(array) => Some(&array.element_ty),
        _ => None,
    }
}
