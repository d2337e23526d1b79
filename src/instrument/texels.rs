//! Stored numbers of texels, as text.

use super::picture::{PictureView, color_of, is_encoded, is_unsigned};
use crate::{
    base::{half, srgb},
    gpu::{Format, Frame, ImageView, Result},
    techniques::{FrameRead, Output},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TexelKind {
    Encoded,
    Float,
    Unsigned,
}

pub fn texel_kind(format: Format) -> (TexelKind, usize) {
    let channels = match format {
        Format::R32F | Format::R32U | Format::Depth32F => 1,
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

#[derive(Clone, Debug, PartialEq)]
pub struct Texels {
    pub region: [u32; 4],
    pub format: Format,
    /// Rows from the top, tightly packed.
    pub bytes: Vec<u8>,
}

impl Texels {
    /// `None`: no texel of the region is within the image.
    pub(super) fn request(frame: &mut Frame, view: &ImageView, region: [u32; 4]) -> Result<Option<FrameRead>> {
        let read = |[x, y, width, height]: [u32; 4]| {
            Output::Image { view: view.clone(), first: [x, y], size: [width, height] }.read(frame)
        };
        clamped(region, view.size()).map(read).transpose()
    }

    pub(super) fn of(read: &FrameRead) -> Result<Option<Self>> {
        let texels = |(format, region)| Ok(Self { region, format, bytes: read.bytes()? });
        read.image().map(texels).transpose()
    }

    fn texel(&self, x: u32, y: u32) -> Option<&[u8]> {
        let [left, top, width, height] = self.region;
        let (column, row) = (x.checked_sub(left)?, y.checked_sub(top)?);
        let size = self.format.bytes() as usize;
        let start = (row as usize * width as usize + column as usize) * size;
        self.bytes.get(start..start + size).filter(|_| column < width && row < height)
    }

    pub fn stored(&self, x: u32, y: u32) -> Option<Vec<String>> {
        let bytes = self.texel(x, y)?;
        let words = bytes.as_chunks::<4>().0.iter().map(|word| format!("{:#010x}", u32::from_le_bytes(*word)));
        let halves = bytes.as_chunks::<2>().0.iter().map(|word| format!("{:#06x}", u16::from_le_bytes(*word)));
        match self.format {
            Format::Rgba16F => Some(halves.collect()),
            Format::Rgba32F | Format::R32F | Format::Depth32F => Some(words.collect()),
            _ => self.numbers(x, y),
        }
    }

    pub fn color(&self, x: u32, y: u32, view: &PictureView) -> Option<[u8; 3]> {
        let bytes = self.texel(x, y)?;
        let words = || bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word));
        let part = |byte: u8| f32::from(byte) / 255.0;
        let mut four = [0; 4];
        let mut set = |all: &mut dyn Iterator<Item = u32>| four.iter_mut().zip(all).for_each(|(to, bits)| *to = bits);
        match self.format {
            Format::Rgba8 => set(&mut bytes.iter().map(|byte| part(*byte).to_bits())),
            Format::Bgra8 => set(&mut [2, 1, 0, 3].iter().map(|at| part(bytes[*at]).to_bits())),
            Format::Rgba8Srgb => set(&mut bytes.iter().map(|byte| srgb::decode(part(*byte)).to_bits())),
            Format::Bgra8Srgb => set(&mut [2, 1, 0, 3].iter().map(|at| srgb::decode(part(bytes[*at])).to_bits())),
            Format::Rgba16F => {
                let halves = bytes.as_chunks::<2>().0.iter().map(|word| u16::from_le_bytes(*word));
                set(&mut halves.map(|word| half::to_f32(word).to_bits()));
            }
            _ => set(&mut words()),
        }
        let color = color_of(four, is_unsigned(self.format), is_encoded(self.format), view);
        Some(color.map(|part| (part * 255.0).round() as u8))
    }

    pub fn numbers(&self, x: u32, y: u32) -> Option<Vec<String>> {
        let bytes = self.texel(x, y)?;
        let words = || bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word));
        Some(match self.format {
            Format::Rgba8 | Format::Rgba8Srgb => bytes.iter().map(u8::to_string).collect(),
            Format::Bgra8 | Format::Bgra8Srgb => [2, 1, 0, 3].iter().map(|i| bytes[*i].to_string()).collect(),
            Format::Rgba16F => {
                let halves = bytes.as_chunks::<2>().0.iter().map(|word| u16::from_le_bytes(*word));
                halves.map(|word| float(half::to_f32(word))).collect()
            }
            Format::Rgba32F | Format::R32F | Format::Depth32F => {
                words().map(|word| float(f32::from_bits(word))).collect()
            }
            Format::R32U | Format::Rg32U | Format::Rgba32U => words().map(|word| word.to_string()).collect(),
        })
    }
}

pub(super) fn clamped([x, y, width, height]: [u32; 4], size: [u32; 2]) -> Option<[u32; 4]> {
    let [width, height] = [width.min(size[0].saturating_sub(x)), height.min(size[1].saturating_sub(y))];
    (width > 0 && height > 0).then_some([x, y, width, height])
}

pub fn short_number(number: &str) -> String {
    if number.len() <= 7 || !number.contains(['.', 'e']) {
        return number.to_owned();
    }
    match number.parse::<f64>() {
        Ok(value) if (1e-3..1e5).contains(&value.abs()) => format!("{value:.4}").chars().take(7).collect(),
        Ok(value) => format!("{value:.1e}"),
        Err(_) => number.to_owned(),
    }
}

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
