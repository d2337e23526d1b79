//! Conversion of texels between their bytes in memory and values.

use super::reference::{Rows, by_row, decode, encode};
use crate::pixel::ChainFormat;
use base::{half, threads::share};
use glam::DVec4;
use gpu::mip_size;
use lab::test_picture;
use std::{borrow::Cow, sync::LazyLock};

#[derive(Clone, Copy)]
pub struct Texels<'a> {
    pub size: [u32; 2],
    pub format: ChainFormat,
    pub bytes: &'a [u8],
}

static LINEAR: LazyLock<[f64; 256]> = LazyLock::new(|| std::array::from_fn(|v| decode(v as f64 / 255.0)));

impl Rows for Texels<'_> {
    fn size(&self) -> [u32; 2] {
        self.size
    }

    fn row(&self, y: usize) -> Cow<'_, [DVec4]> {
        let row = self.size[0] as usize * self.format.image().bytes() as usize;
        let bytes = &self.bytes[y * row..(y + 1) * row];
        let part = |v: u8| f64::from(v) / 255.0;
        let linear = |v: u8| LINEAR[usize::from(v)];
        let bytes4 = || bytes.as_chunks::<4>().0.iter();
        Cow::Owned(match self.format {
            ChainFormat::Rgba16F => {
                let channel = |t: &[u8; 8], i: usize| half::to_f64(u16::from_le_bytes([t[i], t[i + 1]]));
                let texel = |t| DVec4::new(channel(t, 0), channel(t, 2), channel(t, 4), channel(t, 6));
                bytes.as_chunks::<8>().0.iter().map(texel).collect()
            }
            ChainFormat::R32F => {
                bytes4().map(|t| DVec4::new(f64::from(f32::from_le_bytes(*t)), 0.0, 0.0, 1.0)).collect()
            }
            ChainFormat::Rgba8 => {
                bytes4().map(|t| DVec4::new(part(t[0]), part(t[1]), part(t[2]), part(t[3]))).collect()
            }
            ChainFormat::Bgra8 => {
                bytes4().map(|t| DVec4::new(part(t[2]), part(t[1]), part(t[0]), part(t[3]))).collect()
            }
            ChainFormat::Srgb8 => {
                bytes4().map(|t| DVec4::new(linear(t[0]), linear(t[1]), linear(t[2]), part(t[3]))).collect()
            }
        })
    }
}

pub fn levels_of(size: [u32; 2], levels: u32, format: ChainFormat, mut bytes: &[u8]) -> Vec<Texels<'_>> {
    let mut chain = Vec::new();
    for level in 0..levels {
        let size = mip_size(size, level);
        let count = size[0] as usize * size[1] as usize * format.image().bytes() as usize;
        // What compares them finds too few.
        let Some((level, rest)) = bytes.split_at_checked(count) else { break };
        chain.push(Texels { size, format, bytes: level });
        bytes = rest;
    }
    chain
}

fn bytes_len(size: [u32; 2]) -> usize {
    size[0] as usize * size[1] as usize * 4
}

pub fn level_zero(size: [u32; 2], format: ChainFormat) -> Vec<u8> {
    let picture = test_picture(size);
    let width = match format {
        ChainFormat::Rgba8 | ChainFormat::Bgra8 | ChainFormat::Srgb8 => return picture,
        ChainFormat::Rgba16F => 8,
        ChainFormat::R32F => 4,
    };
    let halves = |value: &dyn Fn(usize) -> f64| -> [[u8; 2]; 256] {
        std::array::from_fn(|v| half::from_f64(value(v)).to_le_bytes())
    };
    let (color, alpha) = (halves(&|v| LINEAR[v]), halves(&|v| v as f64 / 255.0));
    let row = size[0] as usize;
    let mut bytes = vec![0; row * size[1] as usize * width];
    share(bytes.chunks_mut(row * width).zip(picture.chunks(row * 4)), bytes_len(size), |(row, picture)| {
        for (place, texel) in row.chunks_exact_mut(width).zip(picture.as_chunks::<4>().0) {
            let [r, g, b, a] = texel.map(usize::from);
            if width == 4 {
                place.copy_from_slice(&(LINEAR[r] as f32).to_le_bytes());
            } else {
                place.copy_from_slice([color[r], color[g], color[b], alpha[a]].as_flattened());
            }
        }
    });
    bytes
}

/// 8-bit steps. NaN and planes of different sizes are infinitely far apart.
pub fn worst(format: ChainFormat, a: &dyn Rows, b: &dyn Rows) -> f64 {
    let encoded = |v: DVec4| DVec4::new(encode(v.x), encode(v.y), encode(v.z), v.w);
    let rows = by_row(a, b, |a, b| {
        let mut worst = 0f64;
        for (a, b) in a.iter().zip(b) {
            let d = if format == ChainFormat::Srgb8 { encoded(*a) - encoded(*b) } else { *a - *b };
            let d = d.abs();
            worst = if d.is_finite() { worst.max(d.max_element()) } else { f64::INFINITY };
        }
        worst
    });
    rows.into_iter().fold(0.0, |worst, row| if row.is_nan() { f64::INFINITY } else { worst.max(row) }) * 255.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_is_no_number_passes() {
        let nan = [0, 0x7E, 0, 0, 0, 0, 0, 0];
        let [a, b] = [&[0; 8], &nan].map(|bytes| Texels { size: [1, 1], format: ChainFormat::Rgba16F, bytes });
        assert_eq!(worst(ChainFormat::Rgba16F, &a, &a), 0.0);
        assert_eq!(worst(ChainFormat::Rgba16F, &a, &b), f64::INFINITY);
        let two = Texels { size: [2, 1], format: ChainFormat::Rgba16F, bytes: &[0; 16] };
        assert_eq!(worst(ChainFormat::Rgba16F, &a, &two), f64::INFINITY);
    }
}
