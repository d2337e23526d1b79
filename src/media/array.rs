//! Numeric arrays read back from a GPU, and their files: NPY, PNG, OpenEXR.

use super::picture::Picture;
use anyhow::{Context, Result, ensure};
use base::{half, srgb};
use exr::prelude::{AnyChannel, AnyChannels, Encoding, FlatSamples, Layer, LayerAttributes, WritableImage as _, f16};
use std::io::Cursor;
use std::path::Path;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    U8,
    U16,
    U32,
    F16,
    F32,
}

impl Element {
    pub const fn bytes(self) -> usize {
        match self {
            Self::U8 => 1,
            Self::U16 | Self::F16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    pub const fn name(self) -> &'static str {
        match self {
            Self::U8 => "u8",
            Self::U16 => "u16",
            Self::U32 => "u32",
            Self::F16 => "f16",
            Self::F32 => "f32",
        }
    }
}

/// Tightly packed; the last axis is contiguous.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    pub element: Element,
    pub shape: Vec<usize>,
    /// In native byte order.
    pub bytes: Vec<u8>,
}

impl Array {
    /// An NPY file, version 1.0 (numpy.lib.format), with unchanged elements.
    pub fn npy(&self) -> Result<Vec<u8>> {
        self.check()?;
        let order = match self.element {
            Element::U8 => '|',
            _ if cfg!(target_endian = "little") => '<',
            _ => '>',
        };
        let (kind, size) = (self.element.name().split_at(1).0, self.element.bytes());
        let axes: Vec<String> = self.shape.iter().map(usize::to_string).collect();
        // A Python tuple of one needs its comma.
        let comma = if axes.len() == 1 { "," } else { "" };
        let shape = format!("({}{comma})", axes.join(", "));
        let mut header =
            format!("{{'descr': '{order}{kind}{size}', 'fortran_order': False, 'shape': {shape}, }}").into_bytes();
        // Magic, version and length are ten bytes; the data starts at a multiple of 64.
        let padded = (10 + header.len() + 1).next_multiple_of(64) - 10;
        header.resize(padded - 1, b' ');
        header.push(b'\n');
        let length = u16::try_from(header.len()).context("the shape has too many axes")?;
        let mut file = b"\x93NUMPY\x01\x00".to_vec();
        file.extend(length.to_le_bytes());
        file.extend(header);
        file.extend(&self.bytes);
        Ok(file)
    }

    /// `h x w x 4`: 8-bit colours stay; floats are linear light, clamped to 0..1, encoded as sRGB and opaque.
    pub fn picture(&self) -> Result<Picture> {
        let [width, height, channels] = self.channels()?;
        let is_colour = channels == 4 && matches!(self.element, Element::U8 | Element::F16 | Element::F32);
        ensure!(is_colour, "{} are no picture; expected h x w x 4 of u8, f16 or f32", self.kind());
        let byte = |value: f64| srgb::byte_of_linear(value as f32);
        let opaque = |bytes: Vec<u8>| bytes.chunks_exact(4).flat_map(|t| [t[0], t[1], t[2], 255]).collect();
        let rgba = match self.element {
            Element::F16 => opaque(self.halves().map(|bits| byte(half::to_f64(bits))).collect()),
            Element::F32 => opaque(self.words().map(|bits| byte(f32::from_bits(bits).into())).collect()),
            _ => self.bytes.clone(),
        };
        Ok(Picture { size: [width as u32, height as u32], rgba })
    }

    /// f16, f32 or u32, `h x w` or `h x w x 1..4`: scanlines, ZIP. One channel is called Y.
    pub fn exr(&self) -> Result<Vec<u8>> {
        let [width, height, channels] = self.channels()?;
        let is_sample = matches!(self.element, Element::F16 | Element::F32 | Element::U32);
        ensure!(is_sample, "{}; expected f16, f32 or u32", self.kind());
        let names: &[&str] = if channels == 1 { &["Y"] } else { &["R", "G", "B", "A"] };
        let channel = |i: usize| match self.element {
            Element::F16 => FlatSamples::F16(self.halves().skip(i).step_by(channels).map(f16::from_bits).collect()),
            Element::F32 => FlatSamples::F32(self.words().skip(i).step_by(channels).map(f32::from_bits).collect()),
            _ => FlatSamples::U32(self.words().skip(i).step_by(channels).collect()),
        };
        let all = names.iter().take(channels).enumerate().map(|(i, name)| AnyChannel::new(*name, channel(i)));
        let channels = AnyChannels::sort(all.collect());
        let layer = Layer::new((width, height), LayerAttributes::default(), Encoding::SMALL_LOSSLESS, channels);
        let mut file = Vec::new();
        exr::prelude::Image::from_layer(layer).write().non_parallel().to_buffered(Cursor::new(&mut file))?;
        Ok(file)
    }

    fn halves(&self) -> impl Iterator<Item = u16> {
        self.bytes.as_chunks::<2>().0.iter().map(|bytes| u16::from_ne_bytes(*bytes))
    }

    fn words(&self) -> impl Iterator<Item = u32> {
        self.bytes.as_chunks::<4>().0.iter().map(|bytes| u32::from_ne_bytes(*bytes))
    }

    fn channels(&self) -> Result<[usize; 3]> {
        self.check()?;
        match self.shape[..] {
            [height, width] if height.min(width) > 0 => Ok([width, height, 1]),
            [height, width, channels @ 1..=4] if height.min(width) > 0 => Ok([width, height, channels]),
            _ => anyhow::bail!("{} are no picture; expected h x w or h x w x 4", self.kind()),
        }
    }

    /// `f16 numbers of shape 600 x 960 x 4`.
    fn kind(&self) -> String {
        format!("{} numbers of shape {}", self.element.name(), shape_text(&self.shape))
    }

    fn check(&self) -> Result<()> {
        let wanted = self.shape.iter().product::<usize>() * self.element.bytes();
        let shape = shape_text(&self.shape);
        ensure!(self.bytes.len() == wanted, "{} bytes, expected {wanted} for a shape of {shape}", self.bytes.len());
        Ok(())
    }
}

/// File of an array, by the end of its name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ArrayFormat {
    Npy,
    Png,
    Exr,
}

impl ArrayFormat {
    pub fn of(file: &Path) -> Result<Self, String> {
        let ending = file.extension().and_then(|ending| ending.to_str()).map(str::to_ascii_lowercase);
        match ending.as_deref() {
            Some("npy") => Ok(Self::Npy),
            Some("png") => Ok(Self::Png),
            Some("exr") => Ok(Self::Exr),
            _ => Err(format!("{}: expected a file that ends in .npy, .png or .exr", file.display())),
        }
    }

    pub fn encode(self, array: &Array) -> Result<Vec<u8>> {
        match self {
            Self::Npy => array.npy(),
            Self::Png => array.picture().and_then(|picture| picture.encode_png()),
            Self::Exr => array.exr(),
        }
    }
}

fn shape_text(shape: &[usize]) -> String {
    shape.iter().map(usize::to_string).collect::<Vec<_>>().join(" x ")
}

#[cfg(test)]
#[path = "array_tests.rs"]
mod tests;
