//! Flat pictures in memory, from PNG and JPEG files and back to PNG.

use std::{io::Cursor, path::Path};

use anyhow::{Context, Result, anyhow, bail, ensure};
use image::{ColorType, DynamicImage, ImageDecoder, ImageFormat, ImageReader, RgbaImage, metadata::Orientation};

use super::{
    file::{read_bounded, write_atomically},
    png, srgb, text,
};

/// The longest side that is read.
pub const LONGEST_SIDE: u32 = 16384;
/// The most memory that the pixels of a file may take, and the longest file that is read, in bytes.
pub const MOST_BYTES: u64 = 1 << 30;
const EXPECTED: &str = "expected a PNG or JPEG from 1x1 to 16384x16384";

/// A flat picture: rows from the top, pixels from the left.
#[derive(Clone, PartialEq, Eq)]
pub struct Picture {
    /// Width and height in pixels, at least 1.
    pub size: [u32; 2],
    /// Four bytes a pixel: red, green and blue encoded as sRGB, and alpha, which is 255 in every picture that was loaded.
    pub rgba: Vec<u8>,
}

impl std::fmt::Debug for Picture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Picture {}x{}", self.size[0], self.size[1])
    }
}

impl Picture {
    /// A picture from a colour per pixel; `colour(x, y)`.
    pub fn from_fn(size: [u32; 2], mut colour: impl FnMut(u32, u32) -> [u8; 4]) -> Self {
        let pixels = (0..size[1]).flat_map(|y| (0..size[0]).map(move |x| (x, y)));
        Self { size, rgba: pixels.flat_map(|(x, y)| colour(x, y)).collect() }
    }

    /// The four bytes of a pixel inside the picture.
    pub fn pixel(&self, x: u32, y: u32) -> [u8; 4] {
        let at = (y as usize * self.size[0] as usize + x as usize) * 4;
        std::array::from_fn(|channel| self.rgba[at + channel])
    }

    /// Reads a PNG or JPEG file, whatever its name ends in. Colours are taken as sRGB (embedded profiles are not looked at),
    /// 16-bit, grey, palette and CMYK become 8-bit RGB, transparency is laid over middle grey, and the camera's orientation applied.
    ///
    /// # Errors
    /// One line that names the file, what is wrong with it, and what was expected. The size is checked before anything is decoded.
    pub fn load(path: &Path) -> Result<Self> {
        let bytes =
            read_bounded(path, MOST_BYTES, EXPECTED).with_context(|| format!("cannot read {}", path.display()))?;
        Self::decode(&bytes).with_context(|| format!("cannot read {}", path.display()))
    }

    /// The same from the bytes of a file.
    ///
    /// # Errors
    /// As [`Picture::load`], without the name.
    pub fn decode(bytes: &[u8]) -> Result<Self> {
        ensure!(!bytes.is_empty(), "the file is empty; {EXPECTED}");
        let format = image::guess_format(bytes).ok();
        let format = format.filter(|format| matches!(format, ImageFormat::Png | ImageFormat::Jpeg));
        let format = format.ok_or_else(|| anyhow!("the file is neither PNG nor JPEG; {EXPECTED}"))?;
        let broken = |error: image::ImageError| anyhow!("{}; {EXPECTED}", cause(&error));
        // A JPEG that ends early is decoded with grey in place of the rest, without an error.
        if format == ImageFormat::Jpeg && !ends_as_jpeg(bytes) {
            bail!("the file is cut off; {EXPECTED}");
        }
        let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
        let mut limits = image::Limits::default();
        limits.max_alloc = Some(MOST_BYTES);
        reader.limits(limits);
        let mut decoder = reader.into_decoder().map_err(broken)?;
        let (width, height) = decoder.dimensions();
        if width == 0 || height == 0 || width > LONGEST_SIDE || height > LONGEST_SIDE {
            bail!("the picture is {width}x{height}; {EXPECTED}");
        }
        let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
        let rgba = decode_rgba(decoder, broken)?;
        let mut picture = Self { size: [width, height], rgba };
        if orientation != Orientation::NoTransforms {
            picture = picture.oriented(orientation)?;
        }
        Ok(picture)
    }

    fn oriented(self, orientation: Orientation) -> Result<Self> {
        let [width, height] = self.size;
        let pixels = RgbaImage::from_raw(width, height, self.rgba).context("the picture's size and bytes disagree")?;
        let mut turned = DynamicImage::ImageRgba8(pixels);
        turned.apply_orientation(orientation);
        Ok(Self { size: [turned.width(), turned.height()], rgba: turned.into_rgba8().into_raw() })
    }

    /// The bytes of a PNG file: three channels where every pixel is opaque, else four.
    ///
    /// # Errors
    /// When size and bytes disagree.
    pub fn encode_png(&self) -> Result<Vec<u8>> {
        png::encode(self, &[])
    }

    /// Writes a PNG file, whole or not at all.
    ///
    /// # Errors
    /// Names the file and what the system said.
    pub fn save_png(&self, path: &Path) -> Result<()> {
        let bytes = self.encode_png().with_context(|| format!("cannot write {}", path.display()))?;
        write_atomically(path, &bytes)
    }
}

/// Why a file is not decoded. The decoder's own words contain its types.
fn cause(error: &image::ImageError) -> &'static str {
    match error {
        image::ImageError::Limits(_) => "decoding the file takes too much memory",
        image::ImageError::Unsupported(_) => "the file is of a kind that is not read here",
        _ => "the file is damaged or cut off",
    }
}

/// Whether an end marker (FF D9) follows the last start of a scan (FF DA). Within a scan FF is followed by 00 or a restart
/// marker only (ITU-T T.81, B.1.1.5), and a thumbnail's end marker comes before the picture's scans.
fn ends_as_jpeg(bytes: &[u8]) -> bool {
    let last = |marker: u8| bytes.windows(2).rposition(|pair| pair == [0xFF, marker]);
    matches!((last(0xDA), last(0xD9)), (Some(scan), Some(end)) if end > scan)
}

/// Decodes into one buffer and widens or narrows there: a second one would double the memory of a large picture.
fn decode_rgba(decoder: impl ImageDecoder, broken: impl Fn(image::ImageError) -> anyhow::Error) -> Result<Vec<u8>> {
    let (width, height) = decoder.dimensions();
    let (count, colour) = (u64::from(width) * u64::from(height), decoder.color_type());
    let from = usize::from(colour.bytes_per_pixel());
    let needed = count * from.max(4) as u64;
    if needed > MOST_BYTES {
        let (needed, most) = (text::bytes(needed), text::bytes(MOST_BYTES));
        bail!("the picture is {width}x{height} and takes {needed} decoded; expected at most {most}");
    }
    let count = count as usize;
    let mut buffer = vec![0; count * from.max(4)];
    // Decoded to the end of the buffer, pixel i is always read before the growing front reaches it.
    let start = buffer.len() - count * from;
    decoder.read_image(&mut buffer[start..]).map_err(broken)?;
    for i in 0..count {
        let pixel = rgba_of(&buffer[start + i * from..][..from], colour)
            .ok_or_else(|| anyhow!("the pixels are {colour:?}; expected 8 or 16 bits of grey or RGB"))?;
        buffer[i * 4..][..4].copy_from_slice(&pixel);
    }
    buffer.truncate(count * 4);
    buffer.shrink_to_fit();
    Ok(buffer)
}

/// One decoded pixel as opaque 8-bit RGBA; nothing for a kind that neither PNG nor JPEG has.
fn rgba_of(bytes: &[u8], colour: ColorType) -> Option<[u8; 4]> {
    let wide = |i: usize| ((u32::from(u16::from_ne_bytes([bytes[i * 2], bytes[i * 2 + 1]])) + 128) / 257) as u8;
    Some(match colour {
        ColorType::L8 => [bytes[0], bytes[0], bytes[0], 255],
        ColorType::La8 => over_grey([bytes[0], bytes[0], bytes[0], bytes[1]]),
        ColorType::Rgb8 => [bytes[0], bytes[1], bytes[2], 255],
        ColorType::Rgba8 => over_grey([bytes[0], bytes[1], bytes[2], bytes[3]]),
        ColorType::L16 => [wide(0), wide(0), wide(0), 255],
        ColorType::La16 => over_grey([wide(0), wide(0), wide(0), wide(1)]),
        ColorType::Rgb16 => [wide(0), wide(1), wide(2), 255],
        ColorType::Rgba16 => over_grey([wide(0), wide(1), wide(2), wide(3)]),
        _ => return None,
    })
}

/// Laid over middle grey in linear light.
fn over_grey([red, green, blue, alpha]: [u8; 4]) -> [u8; 4] {
    if alpha == 255 {
        return [red, green, blue, 255];
    }
    let (linear, cover) = (&*srgb::LINEAR_OF_BYTE, f32::from(alpha) / 255.0);
    let mix = |byte: u8| srgb::byte_of_linear(linear[usize::from(byte)] * cover + linear[128] * (1.0 - cover));
    [mix(red), mix(green), mix(blue), 255]
}

#[cfg(test)]
#[path = "picture_tests.rs"]
mod tests;
