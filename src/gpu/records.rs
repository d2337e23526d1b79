//! Contents of a buffer as its shader declares them.

use media::array::{Array, Element};
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

    /// A row for each record of one type of number. All else: 32-bit words.
    pub fn array(&self, bytes: Vec<u8>) -> Array {
        let element = |scalar: Scalar| match scalar {
            Scalar::Float(4) => Some(Element::F32),
            Scalar::Float(2) => Some(Element::F16),
            Scalar::Unsigned(4) => Some(Element::U32),
            Scalar::Unsigned(2) => Some(Element::U16),
            Scalar::Unsigned(1) => Some(Element::U8),
            _ => None,
        };
        let is_block = self.stride == 0;
        let fields = if is_block { &self.header } else { &self.fields };
        let first = fields.first().and_then(|field| element(field.scalar));
        let stride = if is_block { bytes.len() } else { self.stride };
        let is_dense = |element: Element| {
            let is_next = |(i, field): (usize, &RecordField)| {
                field.scalar == fields[0].scalar && field.offset == i * element.bytes()
            };
            fields.iter().enumerate().all(is_next) && fields.len() * element.bytes() == stride
        };
        match first.filter(|element| is_dense(*element) && (is_block || self.start == 0)) {
            Some(element) => {
                let rows = bytes.len() / stride.max(1);
                let shape = match (is_block, fields.len()) {
                    (true, columns) => vec![columns],
                    (false, 1) => vec![rows],
                    (false, columns) => vec![rows, columns],
                };
                let length = shape.iter().product::<usize>() * element.bytes();
                Array { element, shape, bytes: bytes[..length].to_vec() }
            }
            None => {
                let words = bytes.len() / 4;
                let length = 4 * words;
                let row = stride / 4;
                let is_table = !is_block && self.start == 0 && row > 0 && stride % 4 == 0 && words.is_multiple_of(row);
                let shape = if is_table { vec![words / row, row] } else { vec![words] };
                Array { element: Element::U32, shape, bytes: bytes[..length].to_vec() }
            }
        }
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
