//! Contents of a buffer as its shader declares them.

use spirq::ty::{ScalarType, Type};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    Unsigned(usize),
    Signed(usize),
    Float(usize),
}

impl Scalar {
    pub fn bytes(self) -> usize {
        match self {
            Self::Unsigned(bytes) | Self::Signed(bytes) | Self::Float(bytes) => bytes,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordField {
    /// Path such as `planes[2].x`. Empty for an array of plain numbers.
    pub name: String,
    pub offset: usize,
    pub scalar: Scalar,
}

/// Members at the start, then an array of records without a declared end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Records {
    pub header: Vec<RecordField>,
    pub start: usize,
    /// 0 without an array.
    pub stride: usize,
    pub fields: Vec<RecordField>,
}

const FIELDS_MOST: usize = 256;

impl Records {
    pub(super) fn of(block: &Type) -> Self {
        let mut records = Self::default();
        let Type::Struct(block) = block else { return records };
        for member in &block.members {
            let (name, offset) = (member.name.clone().unwrap_or_default(), member.offset.unwrap_or(0));
            match &member.ty {
                Type::Array(array) if array.nelement.is_none() => {
                    records.start = offset;
                    records.stride = array.stride.or_else(|| array.element_ty.nbyte()).unwrap_or(0);
                    flatten(&array.element_ty, String::new(), 0, &mut records.fields);
                }
                ty => flatten(ty, name, offset, &mut records.header),
            }
        }
        if let [only] = &block.members[..]
            && matches!(only.ty, Type::Struct(_))
        {
            let prefix = format!("{}.", only.name.clone().unwrap_or_default());
            for field in &mut records.header {
                if let Some(rest) = field.name.strip_prefix(&prefix) {
                    field.name = rest.to_owned();
                }
            }
        }
        records
    }
}

fn flatten(ty: &Type, name: String, offset: usize, fields: &mut Vec<RecordField>) {
    if fields.len() >= FIELDS_MOST {
        return;
    }
    let joined = |part: &str| if name.is_empty() { part.to_owned() } else { format!("{name}.{part}") };
    match ty {
        Type::Scalar(scalar) => {
            let scalar = match scalar {
                ScalarType::Integer { bits, is_signed: false } => Scalar::Unsigned(*bits as usize / 8),
                ScalarType::Integer { bits, is_signed: true } => Scalar::Signed(*bits as usize / 8),
                ScalarType::Float { bits } => Scalar::Float(*bits as usize / 8),
                _ => return,
            };
            fields.push(RecordField { name, offset, scalar });
        }
        Type::Vector(vector) => {
            let part = Type::Scalar(vector.scalar_ty.clone());
            let bytes = part.nbyte().unwrap_or(4);
            for (i, axis) in ["x", "y", "z", "w"].into_iter().enumerate().take(vector.nscalar as usize) {
                flatten(&part, joined(axis), offset + i * bytes, fields);
            }
        }
        Type::Matrix(matrix) => {
            let column = Type::Vector(matrix.vector_ty.clone());
            let stride = matrix.stride.or_else(|| column.nbyte()).unwrap_or(16);
            for i in 0..matrix.nvector as usize {
                flatten(&column, format!("{name}[{i}]"), offset + i * stride, fields);
            }
        }
        Type::Array(array) => {
            let stride = array.stride.or_else(|| array.element_ty.nbyte()).unwrap_or(4);
            for i in 0..array.nelement.unwrap_or(0) as usize {
                if fields.len() >= FIELDS_MOST {
                    return;
                }
                flatten(&array.element_ty, format!("{name}[{i}]"), offset + i * stride, fields);
            }
        }
        Type::Struct(parts) => {
            for part in &parts.members {
                flatten(
                    &part.ty,
                    joined(part.name.as_deref().unwrap_or("?")),
                    offset + part.offset.unwrap_or(0),
                    fields,
                );
            }
        }
        _ => {}
    }
}
