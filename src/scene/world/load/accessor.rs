//! Accessors: every offset, count and stride is checked before a byte is read.

use super::{
    schema::{self, Sparse},
    source::Source,
    words::quoted,
};
use anyhow::{Context, Result, bail, ensure};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Number {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Number {
    fn of(code: u32) -> Result<Self> {
        Ok(match code {
            5120 => Self::I8,
            5121 => Self::U8,
            5122 => Self::I16,
            5123 => Self::U16,
            5125 => Self::U32,
            5126 => Self::F32,
            _ => bail!("component type {code}; expected 5120 to 5123, 5125 or 5126"),
        })
    }

    fn bytes(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }
}

pub struct Elements {
    bytes: Vec<u8>,
    kind: Number,
    normalized: bool,
    pub wide: usize,
    pub count: usize,
}

fn packed(source: &Source, view: usize, first: u64, is_strided: bool, count: usize, size: usize) -> Result<Vec<u8>> {
    let bytes = source.view(view)?;
    let stride = bytes.stride.filter(|_| is_strided).unwrap_or(size);
    ensure!(stride >= size, "a stride of {stride} bytes; elements have {size}");
    let first = usize::try_from(first).unwrap_or(usize::MAX);
    let needed = count
        .checked_sub(1)
        .map_or(Some(0), |steps| steps.checked_mul(stride)?.checked_add(size))
        .and_then(|long| long.checked_add(first));
    let fits = needed.is_some_and(|needed| needed <= bytes.len());
    ensure!(fits, "{count} elements of {size} bytes from {first} on, of a buffer view of {} bytes", bytes.len());
    let mut packed = Vec::with_capacity(count * size);
    for k in 0..count {
        packed.extend_from_slice(&bytes[first + k * stride..][..size]);
    }
    Ok(packed)
}

pub fn read(source: &Source, index: usize, most: usize) -> Result<Elements> {
    let accessor: schema::Accessor = source.document.get(index)?;
    elements(source, &accessor, most).with_context(|| format!("accessor {index}"))
}

fn elements(source: &Source, accessor: &schema::Accessor, most: usize) -> Result<Elements> {
    let kind = Number::of(accessor.component_type)?;
    let wide = match accessor.shape.as_str() {
        "SCALAR" => 1,
        "VEC2" => 2,
        "VEC3" => 3,
        "VEC4" | "MAT2" => 4,
        "MAT3" => 9,
        "MAT4" => 16,
        other => bail!("type {}; expected SCALAR, VEC2 .. VEC4 or MAT2 .. MAT4", quoted(other)),
    };
    let count = accessor.count;
    ensure!(count <= most as u64, "{count} elements; at most {most} are read");
    let count = count as usize;
    let element = kind.bytes() * wide;
    let mut bytes = match accessor.buffer_view {
        Some(view) => packed(source, view, accessor.byte_offset, true, count, element)?,
        None => vec![0; count * element],
    };
    if let Some(Sparse { count: changed, indices, values }) = &accessor.sparse {
        ensure!(*changed <= count as u64, "{changed} sparse elements; expected at most {count}");
        let changed = *changed as usize;
        let index = Number::of(indices.component_type)?;
        let places = packed(source, indices.buffer_view, indices.byte_offset, false, changed, index.bytes())?;
        let places = Elements { bytes: places, kind: index, normalized: false, wide: 1, count: changed };
        let changes = packed(source, values.buffer_view, values.byte_offset, false, changed, element)?;
        for (place, change) in places.whole()?.into_iter().zip(changes.chunks_exact(element)) {
            let place = place as usize;
            ensure!(place < count, "sparse element {place} of {count}");
            bytes[place * element..][..element].copy_from_slice(change);
        }
    }
    Ok(Elements { bytes, kind, normalized: accessor.normalized, wide, count })
}

impl Elements {
    pub fn of_numbers(numbers: Vec<f32>, wide: usize, normalized: Option<u32>) -> Self {
        let full = match normalized {
            Some(5120) => 127.0,
            Some(5121) => 255.0,
            Some(5122) => 32767.0,
            Some(5123) => 65535.0,
            _ => 1.0,
        };
        let count = numbers.len() / wide.max(1);
        let bytes = numbers.into_iter().flat_map(|x| (x / full).to_le_bytes()).collect();
        Self { bytes, kind: Number::F32, normalized: full > 1.0, wide, count }
    }

    pub fn whole(&self) -> Result<Vec<u32>> {
        ensure!(self.wide == 1, "{} numbers in each index; expected one", self.wide);
        Ok(match self.kind {
            Number::U8 => self.bytes.iter().map(|b| u32::from(*b)).collect(),
            Number::U16 => self.pieces::<2>().map(|b| u32::from(u16::from_le_bytes(b))).collect(),
            Number::U32 => self.pieces::<4>().map(u32::from_le_bytes).collect(),
            _ => bail!("indices that are signed or fractions; expected unsigned whole numbers"),
        })
    }

    pub fn vectors<const N: usize>(&self) -> Result<Vec<[f32; N]>> {
        ensure!(self.wide >= N, "{} numbers in each element; expected {N}", self.wide);
        let full = |full: f32| if self.normalized { full } else { 1.0 };
        let numbers: Vec<f32> = match self.kind {
            Number::I8 => self.bytes.iter().map(|b| f32::from(b.cast_signed()) / full(127.0)).collect(),
            Number::U8 => self.bytes.iter().map(|b| f32::from(*b) / full(255.0)).collect(),
            Number::I16 => self.pieces().map(|b| f32::from(i16::from_le_bytes(b)) / full(32767.0)).collect(),
            Number::U16 => self.pieces().map(|b| f32::from(u16::from_le_bytes(b)) / full(65535.0)).collect(),
            Number::U32 => self.pieces().map(|b| u32::from_le_bytes(b) as f32).collect(),
            Number::F32 => self.pieces().map(f32::from_le_bytes).collect(),
        };
        let numbers = numbers.into_iter().map(|x| if self.normalized { x.max(-1.0) } else { x });
        let numbers: Vec<f32> = numbers.collect();
        Ok(numbers.chunks_exact(self.wide).map(|element| std::array::from_fn(|k| element[k])).collect())
    }

    fn pieces<const N: usize>(&self) -> impl Iterator<Item = [u8; N]> {
        self.bytes.chunks_exact(N).map(|piece| std::array::from_fn(|k| piece[k]))
    }
}
