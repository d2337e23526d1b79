//! Stored numbers of texels, as text.

use super::picture::{is_encoded, is_unsigned};
use crate::{base::half, gpu::Format};

/// Kind of the numbers of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TexelKind {
    /// Colours of 8 bits.
    Encoded,
    /// Floats, or fractions of 8 bits.
    Float,
    /// Integers.
    Unsigned,
}

/// Kind and number of channels of a format.
#[must_use]
pub fn texel_kind(format: Format) -> (TexelKind, usize) {
    let channels = match format {
        Format::R8 | Format::R16U | Format::R32F | Format::R32U | Format::Depth32F | Format::Depth32FStencil8 => 1,
        Format::Rg32U => 2,
        _ => 4,
    };
    let kind = match format {
        _ if is_unsigned(format) => TexelKind::Unsigned,
        _ if is_encoded(format) || format.is_srgb() => TexelKind::Encoded,
        _ => TexelKind::Float,
    };
    (kind, channels)
}

/// Texels read from an image.
#[derive(Clone, Debug, PartialEq)]
pub struct Texels {
    /// Left, top, width, height.
    pub region: [u32; 4],
    /// Format of the bytes.
    pub format: Format,
    /// Rows from the top, tightly packed.
    pub bytes: Vec<u8>,
}

impl Texels {
    /// The stored numbers of a texel of the image, red first; `None` outside of the region.
    #[must_use]
    pub fn numbers(&self, x: u32, y: u32) -> Option<Vec<String>> {
        let [left, top, width, height] = self.region;
        let (column, row) = (x.checked_sub(left)?, y.checked_sub(top)?);
        if column >= width || row >= height {
            return None;
        }
        let size = self.format.bytes() as usize;
        let start = (row as usize * width as usize + column as usize) * size;
        let bytes = self.bytes.get(start..start + size)?;
        let words = || bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word));
        let halves = || bytes.as_chunks::<2>().0.iter().map(|word| u16::from_le_bytes(*word));
        Some(match self.format {
            Format::Rgba8 | Format::Rgba8Srgb | Format::R8 => bytes.iter().map(u8::to_string).collect(),
            Format::Bgra8 | Format::Bgra8Srgb => [2, 1, 0, 3].iter().map(|i| bytes[*i].to_string()).collect(),
            Format::Rgba16F => halves().map(|word| float(half::to_f64(word) as f32)).collect(),
            Format::R16U => halves().map(|word| word.to_string()).collect(),
            Format::Rgba32F | Format::R32F | Format::Depth32F | Format::Depth32FStencil8 => {
                words().map(|word| float(f32::from_bits(word))).collect()
            }
            Format::R32U | Format::Rg32U | Format::Rgba32U => words().map(|word| word.to_string()).collect(),
        })
    }
}

/// A float with at least the digits that tell it from its neighbours.
pub(super) fn float(value: f32) -> String {
    if value == 0.0 || (1e-4..1e7).contains(&value.abs()) || !value.is_finite() {
        value.to_string()
    } else {
        format!("{value:e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_stored() {
        let region = [5, 7, 2, 1];
        let texels = |format, bytes: Vec<u8>| Texels { region, format, bytes };
        let two = texels(Format::Bgra8, vec![1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(two.numbers(5, 7).unwrap(), ["3", "2", "1", "4"]);
        assert_eq!(two.numbers(6, 7).unwrap(), ["7", "6", "5", "8"]);
        for (x, y) in [(4, 7), (7, 7), (5, 6), (5, 8)] {
            assert_eq!(two.numbers(x, y), None);
        }
        let floats = [1.5f32, f32::NAN].iter().flat_map(|value| value.to_le_bytes()).collect();
        assert_eq!(texels(Format::R32F, floats).numbers(6, 7).unwrap(), ["NaN"]);
        let words = [70_000u32, 1, 2, u32::MAX].iter().flat_map(|value| value.to_le_bytes()).collect();
        assert_eq!(texels(Format::Rg32U, words).numbers(6, 7).unwrap(), ["2", "4294967295"]);
        let halves = [0x3C00u16, 0x7C00, 0, 0xC000, 0, 0, 0, 0].iter().flat_map(|half| half.to_le_bytes()).collect();
        assert_eq!(texels(Format::Rgba16F, halves).numbers(5, 7).unwrap(), ["1", "inf", "0", "-2"]);
        for format in Format::ALL {
            let bytes = vec![0; 2 * format.bytes() as usize];
            assert_eq!(texels(format, bytes).numbers(6, 7).unwrap().len(), texel_kind(format).1, "{format:?}");
        }
    }
}
