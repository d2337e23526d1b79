//! Buffer views compressed by EXT_meshopt_compression or KHR_meshopt_compression.

use super::{limits, schema::Meshopt, words::quoted};
use anyhow::{Context, Result, anyhow, bail, ensure};

#[derive(Clone, Copy)]
struct Block<const N: usize>([u8; N]);

impl<const N: usize> Default for Block<N> {
    fn default() -> Self {
        Self([0; N])
    }
}

pub fn decode(view: &Meshopt, encoded: &[u8]) -> Result<Vec<u8>> {
    let (count, stride) = (view.count, view.byte_stride);
    let size = count.checked_mul(stride).filter(|size| *size <= limits::BUFFERS);
    ensure!(size.is_some(), "{count} elements of {stride} bytes; at most {} bytes", limits::BUFFERS);
    let (count, stride) = (count as usize, stride as usize);
    let mut bytes = match view.mode.as_str() {
        "ATTRIBUTES" => attributes(encoded, count, stride)?,
        "TRIANGLES" => {
            ensure!(count.is_multiple_of(3), "{count} indices; expected three for each triangle");
            match stride {
                2 => words(&meshopt::decode_index_buffer::<u16>(encoded, count).map_err(damaged)?),
                4 => words(&meshopt::decode_index_buffer::<u32>(encoded, count).map_err(damaged)?),
                _ => bail!("indices of {stride} bytes; expected 2 or 4"),
            }
        }
        "INDICES" => match stride {
            2 => words(&meshopt::decode_index_sequence::<u16>(encoded, count).map_err(damaged)?),
            4 => words(&meshopt::decode_index_sequence::<u32>(encoded, count).map_err(damaged)?),
            _ => bail!("indices of {stride} bytes; expected 2 or 4"),
        },
        other => bail!("mode {}; expected ATTRIBUTES, TRIANGLES or INDICES", quoted(other)),
    };
    match (view.filter.as_str(), stride) {
        ("NONE", _) => {}
        ("OCTAHEDRAL", 4) => filtered::<[i8; 4]>(&mut bytes, meshopt::decode_filter_oct),
        ("OCTAHEDRAL", 8) => filtered::<[i16; 4]>(&mut bytes, meshopt::decode_filter_oct),
        ("QUATERNION", 8) => filtered::<[i16; 4]>(&mut bytes, meshopt::decode_filter_quat),
        ("EXPONENTIAL", _) if stride.is_multiple_of(4) => {
            filtered::<[u32; 1]>(&mut bytes, meshopt::decode_filter_exp);
        }
        ("COLOR", 4) => filtered::<[i8; 4]>(&mut bytes, meshopt::decode_filter_color),
        ("COLOR", 8) => filtered::<[i16; 4]>(&mut bytes, meshopt::decode_filter_color),
        (other, _) => bail!("filter {} of elements of {stride} bytes", quoted(other)),
    }
    Ok(bytes)
}

fn damaged(_: meshopt::Error) -> anyhow::Error {
    anyhow!("what is compressed is damaged")
}

fn words<T: bytemuck::NoUninit>(words: &[T]) -> Vec<u8> {
    bytemuck::cast_slice(words).to_vec()
}

fn filtered<T: bytemuck::AnyBitPattern + bytemuck::NoUninit>(bytes: &mut [u8], filter: impl Fn(&mut [T])) {
    let mut elements: Vec<T> = bytemuck::pod_collect_to_vec(bytes);
    filter(&mut elements);
    bytes.copy_from_slice(bytemuck::cast_slice(&elements));
}

/// The codec takes the element size as a type.
fn attributes(encoded: &[u8], count: usize, stride: usize) -> Result<Vec<u8>> {
    macro_rules! by_words {
        ($($words:literal)*) => {
            match stride {
                $(stride if stride == 4 * $words => {
                    let blocks = meshopt::decode_vertex_buffer::<Block<{ 4 * $words }>>(encoded, count).map_err(damaged)?;
                    blocks.iter().flat_map(|block| block.0).collect()
                })*
                _ => bail!("elements of {stride} bytes; expected a multiple of 4 up to 256"),
            }
        };
    }
    let bytes: Vec<u8> = by_words!(
        1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32
        33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64
    );
    (bytes.len() == count * stride).then_some(bytes).context("fewer elements than it says")
}
