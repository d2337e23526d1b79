//! Accessors: every offset, count and stride is checked before a byte is read.

use super::source::Source;
use anyhow::{Context, Result, bail, ensure};
use gltf::accessor::{Accessor, DataType};

/// Numbers of an accessor, one after the other.
pub struct Elements {
    bytes: Vec<u8>,
    kind: DataType,
    normalized: bool,
    /// Numbers in an element.
    pub wide: usize,
    /// Elements.
    pub count: usize,
}

/// Bytes of a number.
fn size(kind: DataType) -> usize {
    match kind {
        DataType::I8 | DataType::U8 => 1,
        DataType::I16 | DataType::U16 => 2,
        DataType::U32 | DataType::F32 => 4,
    }
}

/// `count` elements of `size` bytes out of a buffer view, packed.
fn packed(
    source: &Source,
    view: usize,
    first: usize,
    stride: Option<usize>,
    count: usize,
    size: usize,
) -> Result<Vec<u8>> {
    let bytes = source.view(view)?;
    let stride = stride.unwrap_or(size);
    ensure!(stride >= size, "a stride of {stride} bytes; elements have {size}");
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

/// Reads `accessor`, of at most `most` elements.
pub fn read(source: &Source, accessor: &Accessor, most: usize) -> Result<Elements> {
    elements(source, accessor, most).with_context(|| format!("accessor {}", accessor.index()))
}

fn elements(source: &Source, accessor: &Accessor, most: usize) -> Result<Elements> {
    let (count, kind, wide) = (accessor.count(), accessor.data_type(), accessor.dimensions().multiplicity());
    ensure!(count <= most, "{count} elements; at most {most} are read");
    let element = size(kind) * wide;
    let offset = accessor.offset();
    let own = accessor.view().filter(|_| !source.zeros.contains(&accessor.index()));
    let mut bytes = match own {
        Some(view) => packed(source, view.index(), offset, source.stride(view.index()), count, element)?,
        None => vec![0; count * element],
    };
    if let Some(sparse) = accessor.sparse() {
        let changed = sparse.count();
        ensure!(changed <= count, "{changed} sparse elements; expected at most {count}");
        let (indices, values) = (sparse.indices(), sparse.values());
        let (index_kind, index_size) = match indices.index_type() {
            gltf::accessor::sparse::IndexType::U8 => (DataType::U8, 1),
            gltf::accessor::sparse::IndexType::U16 => (DataType::U16, 2),
            gltf::accessor::sparse::IndexType::U32 => (DataType::U32, 4),
        };
        let places = packed(source, indices.view().index(), indices.offset(), None, changed, index_size)?;
        let places = Elements { bytes: places, kind: index_kind, normalized: false, wide: 1, count: changed };
        let changes = packed(source, values.view().index(), values.offset(), None, changed, element)?;
        for (place, change) in places.whole()?.into_iter().zip(changes.chunks_exact(element)) {
            let place = place as usize;
            ensure!(place < count, "sparse element {place} of {count}");
            bytes[place * element..][..element].copy_from_slice(change);
        }
    }
    Ok(Elements { bytes, kind, normalized: accessor.normalized(), wide, count })
}

impl Elements {
    /// Indices: unsigned whole numbers.
    pub fn whole(&self) -> Result<Vec<u32>> {
        ensure!(self.wide == 1, "{} numbers in each index; expected one", self.wide);
        Ok(match self.kind {
            DataType::U8 => self.bytes.iter().map(|b| u32::from(*b)).collect(),
            DataType::U16 => self.pieces::<2>().map(|b| u32::from(u16::from_le_bytes(b))).collect(),
            DataType::U32 => self.pieces::<4>().map(u32::from_le_bytes).collect(),
            _ => bail!("indices that are signed or fractions; expected unsigned whole numbers"),
        })
    }

    /// Vectors of `N` numbers; further numbers of an element are left out.
    pub fn vectors<const N: usize>(&self) -> Result<Vec<[f32; N]>> {
        ensure!(self.wide >= N, "{} numbers in each element; expected {N}", self.wide);
        // Numbers of integers are fractions only where the accessor says so.
        let full = |full: f32| if self.normalized { full } else { 1.0 };
        let numbers: Vec<f32> = match self.kind {
            DataType::I8 => self.bytes.iter().map(|b| (f32::from(b.cast_signed()) / full(127.0)).max(-128.0)).collect(),
            DataType::U8 => self.bytes.iter().map(|b| f32::from(*b) / full(255.0)).collect(),
            DataType::I16 => self.pieces().map(|b| f32::from(i16::from_le_bytes(b)) / full(32767.0)).collect(),
            DataType::U16 => self.pieces().map(|b| f32::from(u16::from_le_bytes(b)) / full(65535.0)).collect(),
            DataType::U32 => self.pieces().map(|b| u32::from_le_bytes(b) as f32).collect(),
            DataType::F32 => self.pieces().map(f32::from_le_bytes).collect(),
        };
        Ok(numbers.chunks_exact(self.wide).map(|element| std::array::from_fn(|k| element[k])).collect())
    }

    fn pieces<const N: usize>(&self) -> impl Iterator<Item = [u8; N]> {
        self.bytes.chunks_exact(N).map(|piece| std::array::from_fn(|k| piece[k]))
    }
}
