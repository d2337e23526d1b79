//! Numeric arrays read back from a GPU, and their files: NPY, PNG, OpenEXR.

use super::{half, picture::Picture, srgb};
use anyhow::{Context, Result, ensure};
use exr::prelude::{Encoding, Layer, LayerAttributes, SpecificChannels, Vec2, WritableImage as _, f16};
use std::io::Cursor;

/// Element type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    /// Unsigned 8-bit integer.
    U8,
    /// Unsigned 16-bit integer.
    U16,
    /// Unsigned 32-bit integer.
    U32,
    /// Half float (IEEE 754 binary16).
    F16,
    /// Float (binary32).
    F32,
}

impl Element {
    /// Bytes per element.
    #[must_use]
    pub const fn bytes(self) -> usize {
        match self {
            Self::U8 => 1,
            Self::U16 | Self::F16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    /// `u8`, `f16`: kind and bits.
    #[must_use]
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

/// An array of any number of axes, tightly packed; the last axis is contiguous.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    /// Element type.
    pub element: Element,
    /// Length of each axis.
    pub shape: Vec<usize>,
    /// All elements, in native byte order.
    pub bytes: Vec<u8>,
}

impl Array {
    /// The bytes of an NPY file, version 1.0 (numpy.lib.format), with unchanged elements.
    ///
    /// # Errors
    /// When shape and bytes disagree; a header of 64 KiB or more.
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

    /// Converts colours to a picture: 8-bit ones unchanged; half floats are linear light, clamped to 0..1, encoded as sRGB and opaque.
    ///
    /// # Errors
    /// Anything but `h x w x 4` numbers of 8 bits or half floats.
    pub fn picture(&self) -> Result<Picture> {
        let [width, height] = self.colours()?;
        let rgba = match self.element {
            Element::U8 => self.bytes.clone(),
            _ => {
                let byte = |bits: &[u8; 2]| srgb::byte_of_linear(half::to_f64(u16::from_ne_bytes(*bits)) as f32);
                let texels = self.bytes.as_chunks::<2>().0.as_chunks::<4>().0.iter();
                texels.flat_map(|[red, green, blue, _]| [byte(red), byte(green), byte(blue), 255]).collect()
            }
        };
        Ok(Picture { size: [width as u32, height as u32], rgba })
    }

    /// The bytes of an OpenEXR file with the channels R, G, B and A, with unchanged half floats: scanlines, ZIP.
    ///
    /// # Errors
    /// Anything but `h x w x 4` half floats.
    pub fn exr(&self) -> Result<Vec<u8>> {
        let [width, height] = self.colours()?;
        ensure!(self.element == Element::F16, "numbers of kind {}; expected f16", self.element.name());
        let channels = SpecificChannels::rgba(|at: Vec2<usize>| {
            let start = (at.y() * width + at.x()) * 8;
            let channel = |i: usize| {
                f16::from_bits(u16::from_ne_bytes([self.bytes[start + 2 * i], self.bytes[start + 2 * i + 1]]))
            };
            (channel(0), channel(1), channel(2), channel(3))
        });
        let layer = Layer::new((width, height), LayerAttributes::default(), Encoding::SMALL_LOSSLESS, channels);
        let mut file = Vec::new();
        exr::prelude::Image::from_layer(layer).write().non_parallel().to_buffered(Cursor::new(&mut file))?;
        Ok(file)
    }

    /// Width and height of an array of colours.
    fn colours(&self) -> Result<[usize; 2]> {
        self.check()?;
        match (&self.shape[..], self.element) {
            ([height, width, 4], Element::U8 | Element::F16) if height.min(width) > &0 => Ok([*width, *height]),
            (shape, element) => {
                anyhow::bail!(
                    "{} numbers of shape {} are no picture; expected h x w x 4 of u8 or f16",
                    element.name(),
                    shape_text(shape)
                )
            }
        }
    }

    fn check(&self) -> Result<()> {
        let wanted = self.shape.iter().product::<usize>() * self.element.bytes();
        let shape = shape_text(&self.shape);
        ensure!(self.bytes.len() == wanted, "{} bytes, expected {wanted} for a shape of {shape}", self.bytes.len());
        Ok(())
    }
}

/// Display form of a shape: `600 x 960 x 4`.
fn shape_text(shape: &[usize]) -> String {
    shape.iter().map(usize::to_string).collect::<Vec<_>>().join(" x ")
}

#[cfg(test)]
#[path = "array_tests.rs"]
mod tests;
