//! Numbers of texels, as text.

use super::picture::{PictureView, color_of, is_encoded, is_unsigned};
use base::srgb;
use gpu::{Format, Frame, ImageView, Result};
use media::array::{Array, Element};
use serde_json::Value;
use technique::{FrameRead, Output, Texel, texel_of};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TexelKind {
    Encoded,
    Float,
    Unsigned,
}

pub fn texel_kind(format: Format) -> (TexelKind, usize) {
    let (element, channels) = format.channels();
    let kind = match element {
        Element::U16 | Element::U32 => TexelKind::Unsigned,
        Element::U8 => TexelKind::Encoded,
        _ => TexelKind::Float,
    };
    (kind, channels)
}

#[derive(Clone, Debug, PartialEq)]
pub struct Texels {
    pub region: [u32; 4],
    pub format: Format,
    pub array: Array,
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
        let texels = |(format, region)| Ok(Self { region, format, array: read.array()? });
        read.image().map(texels).transpose()
    }

    fn texel(&self, x: u32, y: u32) -> Option<Texel> {
        texel_of(&self.array, [x.checked_sub(self.region[0])?, y.checked_sub(self.region[1])?])
    }

    pub fn stored(&self, x: u32, y: u32) -> Option<Vec<String>> {
        let text = |stored: Value| stored.as_str().map_or_else(|| stored.to_string(), str::to_owned);
        Some(self.texel(x, y)?.stored.into_iter().map(text).collect())
    }

    pub fn color(&self, x: u32, y: u32, view: &PictureView) -> Option<[u8; 3]> {
        let bits = |number: f64| match self.array.element {
            Element::U16 | Element::U32 => number as u32,
            Element::U8 if self.format.is_srgb() => srgb::decode(number as f32 / 255.0).to_bits(),
            Element::U8 => (number as f32 / 255.0).to_bits(),
            Element::F16 | Element::F32 => (number as f32).to_bits(),
        };
        let mut four = [0; 4];
        four.iter_mut().zip(self.texel(x, y)?.numbers).for_each(|(to, number)| *to = bits(number));
        let color = color_of(four, is_unsigned(self.format), is_encoded(self.format), view);
        Some(color.map(|part| (part * 255.0).round() as u8))
    }

    pub fn numbers(&self, x: u32, y: u32) -> Option<Vec<String>> {
        let is_float = matches!(self.array.element, Element::F16 | Element::F32);
        let text = |number: f64| if is_float { float(number as f32) } else { number.to_string() };
        Some(self.texel(x, y)?.numbers.into_iter().map(text).collect())
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
        let texels = |format: Format, bytes: Vec<u8>| {
            let (element, channels) = format.channels();
            Texels { region: [5, 7, 2, 1], format, array: Array { element, shape: vec![1, 2, channels], bytes } }
        };
        let two = texels(Format::Rgba8, vec![1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(two.numbers(5, 7).unwrap(), ["1", "2", "3", "4"]);
        assert_eq!(two.numbers(6, 7).unwrap(), ["5", "6", "7", "8"]);
        for (x, y) in [(4, 7), (7, 7), (5, 6), (5, 8)] {
            assert_eq!(two.numbers(x, y), None);
        }
        let floats = [1.5f32, f32::NAN].iter().flat_map(|value| value.to_le_bytes()).collect();
        assert_eq!(texels(Format::R32F, floats).numbers(6, 7).unwrap(), ["NaN"]);
        let words = [70_000u32, 1, 2, u32::MAX].iter().flat_map(|value| value.to_le_bytes()).collect();
        assert_eq!(texels(Format::Rg32U, words).numbers(6, 7).unwrap(), ["2", "4294967295"]);
        let halves = [0x3C00u16, 0x7C00, 0, 0xC000, 0, 0, 0, 0].iter().flat_map(|half| half.to_le_bytes()).collect();
        let halves = texels(Format::Rgba16F, halves);
        assert_eq!(halves.numbers(5, 7).unwrap(), ["1", "inf", "0", "-2"]);
        assert_eq!(halves.stored(5, 7).unwrap(), ["0x3c00", "0x7c00", "0x0000", "0xc000"]);
    }
}
