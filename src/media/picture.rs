//! Flat pictures in memory, loaded from six file formats and saved as PNG.

use std::{io::Cursor, path::Path};

use anyhow::{Context, Result, anyhow, bail, ensure};
use image::{ColorType, DynamicImage, ImageDecoder, ImageFormat, ImageReader, RgbaImage, metadata::Orientation};

pub use super::pixels::{LONGEST_SIDE, MOST_BYTES, Picture};

use super::{
    bmp,
    clip::with_screen,
    colour::Conversion,
    jpeg,
    pixels::narrow,
    png, signature,
    source::Source,
    tiff::{Tiff, is_tiff},
};
use base::{file::write_atomically, guard::guarded, notes::Notes, srgb, text};

pub(super) const EXPECTED: &str = "expected a PNG, JPEG, WebP, GIF, BMP or TIFF from 1x1 to 16384x16384";
pub const DAMAGED: &str = "its data is damaged: what can be decoded is shown";
const FORMATS: [ImageFormat; 6] =
    [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::WebP, ImageFormat::Gif, ImageFormat::Bmp, ImageFormat::Tiff];
pub const ENDINGS: [&str; 8] = ["png", "jpg", "jpeg", "webp", "gif", "bmp", "tif", "tiff"];

impl Picture {
    /// By content; the first frame or page. Colours become sRGB by the file's profile, transparency is blended over
    /// middle grey, and the camera's orientation applied.
    pub fn load(path: &Path) -> Result<Self> {
        Self::load_with_notes(&Source::File(path.to_owned())).map(|(picture, _)| picture)
    }

    pub fn load_with_notes(source: &Source) -> Result<(Self, Notes)> {
        let named = || format!("cannot read {}", source.name());
        let bytes = source.bytes(MOST_BYTES, EXPECTED).with_context(named)?;
        let read = Self::read(&bytes).with_context(named)?;
        let mut remarks: Vec<String> = read.unused.into_iter().map(|why| format!("shown as sRGB: {why}")).collect();
        if read.is_damaged {
            remarks.push(DAMAGED.into());
        }
        Ok((read.picture, Notes { remarks, ..Notes::default() }))
    }

    pub fn decode(bytes: &[u8]) -> Result<Self> {
        Self::read(bytes).map(|read| read.picture)
    }

    fn read(bytes: &[u8]) -> Result<Read> {
        ensure!(!bytes.is_empty(), "the file is empty; {EXPECTED}");
        let guessed = || image::guess_format(bytes).ok().filter(|format| FORMATS.contains(format));
        let format = match () {
            () if is_tiff(bytes) => Some(ImageFormat::Tiff),
            () if bmp::is_array(bytes) => Some(ImageFormat::Bmp),
            () => guessed(),
        };
        let Some(format) = format else {
            match signature::noun(bytes) {
                Some(noun) => bail!("the file is {noun}; {EXPECTED}"),
                None => bail!("the file's format is unknown; {EXPECTED}"),
            }
        };
        let read = whole(bytes, |bytes| read_as(format, bytes))?;
        let (read, is_damaged) = read.with_context(|| format!("the file is damaged or cut off; {EXPECTED}"))?;
        Ok(Read { is_damaged: is_damaged || read.is_damaged, ..read })
    }

    pub(super) fn oriented(self, orientation: Orientation) -> Result<Self> {
        if orientation == Orientation::NoTransforms {
            return Ok(self);
        }
        let [width, height] = self.size;
        let pixels = RgbaImage::from_raw(width, height, self.rgba).context("the picture's size and bytes disagree")?;
        let mut turned = DynamicImage::ImageRgba8(pixels);
        turned.apply_orientation(orientation);
        Ok(Self { size: [turned.width(), turned.height()], rgba: turned.into_rgba8().into_raw() })
    }

    pub fn encode_png(&self) -> Result<Vec<u8>> {
        png::encode(self, &[])
    }

    pub fn save_png(&self, path: &Path) -> Result<()> {
        let bytes = self.encode_png().with_context(|| format!("cannot write {}", path.display()))?;
        write_atomically(path, &bytes)
    }
}

/// `None` if a part of a JPEG is missing, else whether its data is damaged as well. A PNG may only lack its end.
pub fn whole<T>(bytes: &[u8], decode: impl Fn(&[u8]) -> Result<T>) -> Result<Option<(T, bool)>> {
    guarded(|| match png::is_png(bytes) {
        true => Ok(Some((decode(&png::ended(bytes))?, false))),
        false => jpeg::whole(bytes, decode),
    })
}

pub fn cause(error: &image::ImageError) -> &'static str {
    match error {
        image::ImageError::Limits(_) => "decoding the file takes too much memory",
        image::ImageError::Unsupported(_) => "the file is of a kind that is not read here",
        _ => "the file is damaged or cut off",
    }
}

struct Read {
    picture: Picture,
    unused: Option<String>,
    is_damaged: bool,
}

fn read_as(format: ImageFormat, bytes: &[u8]) -> Result<Read> {
    let broken = |error: image::ImageError| anyhow!("{}; {EXPECTED}", cause(&error));
    let expected = |error: anyhow::Error| anyhow!("{error:#}; {EXPECTED}");
    let (mut upright, mut is_damaged) = (Orientation::NoTransforms, false);
    let mut decoder: Box<dyn ImageDecoder + '_> = match format {
        ImageFormat::Tiff => {
            let tiff = Tiff::open(bytes).map_err(expected)?;
            is_damaged = tiff.is_damaged();
            Box::new(tiff)
        }
        ImageFormat::Bmp => {
            let plain = bmp::plain(bytes).map_err(expected)?;
            if plain.is_flipped {
                upright = Orientation::FlipVertical;
            }
            Box::new(library_decoder(format, plain.bytes).map_err(broken)?)
        }
        ImageFormat::Gif => Box::new(library_decoder(format, with_screen(bytes)).map_err(broken)?),
        _ => Box::new(library_decoder(format, bytes).map_err(broken)?),
    };
    let (width, height) = decoder.dimensions();
    if width == 0 || height == 0 || width > LONGEST_SIDE || height > LONGEST_SIDE {
        bail!("the picture is {width}x{height}; {EXPECTED}");
    }
    let exif = match format {
        ImageFormat::Png => png::exif(bytes).map(<[u8]>::to_vec),
        _ => decoder.exif_metadata().ok().flatten(),
    };
    let orientation = match orientation_of(&mut *decoder, exif.as_deref()) {
        Orientation::NoTransforms => upright,
        found => found,
    };
    let is_grey = !decoder.color_type().has_color();
    let found = match format {
        ImageFormat::Png => Conversion::of_png(bytes, is_grey),
        _ => match decoder.icc_profile() {
            Ok(Some(icc)) => Conversion::of_icc(&icc, is_grey),
            _ => Ok(None),
        },
    };
    let (conversion, unused) = match found {
        Ok(conversion) => (conversion, None),
        Err(why) => (None, Some(why)),
    };
    let rgba = decode_rgba(decoder, conversion.as_ref(), broken)?;
    let picture = Picture { size: [width, height], rgba }.oriented(orientation)?;
    Ok(Read { picture, unused, is_damaged })
}

fn library_decoder<'a>(
    format: ImageFormat,
    bytes: impl AsRef<[u8]> + 'a,
) -> image::ImageResult<impl ImageDecoder + 'a> {
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    let mut limits = image::Limits::default();
    limits.max_alloc = Some(MOST_BYTES);
    reader.limits(limits);
    reader.into_decoder()
}

/// Many programs write EXIF into a WebP or PNG with the six bytes of a JPEG before it.
pub(super) fn orientation_of(decoder: &mut dyn ImageDecoder, exif: Option<&[u8]>) -> Orientation {
    let found = match exif {
        Some(exif) => Orientation::from_exif_chunk(exif.strip_prefix(b"Exif\0\0").unwrap_or(exif)),
        None => decoder.orientation().ok(),
    };
    found.unwrap_or(Orientation::NoTransforms)
}

const BLOCK: usize = 1 << 14;

/// Decodes into one buffer and widens or narrows there: a second one would double the memory of a large picture.
fn decode_rgba(
    decoder: impl ImageDecoder,
    conversion: Option<&Conversion>,
    broken: impl Fn(image::ImageError) -> anyhow::Error,
) -> Result<Vec<u8>> {
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
    let unknown = || anyhow!("the pixels are floating-point numbers; expected 8 or 16 bits of grey or RGB");
    match conversion {
        None => {
            for i in 0..count {
                let pixel = rgba_of(&buffer[start + i * from..][..from], colour).ok_or_else(unknown)?;
                buffer[i * 4..][..4].copy_from_slice(&over_grey(pixel));
            }
        }
        Some(conversion) => {
            let (mut rgb, mut alpha) = (Vec::with_capacity(3 * BLOCK), Vec::with_capacity(BLOCK));
            for first in (0..count).step_by(BLOCK) {
                rgb.clear();
                alpha.clear();
                for i in first..count.min(first + BLOCK) {
                    let pixel = wide_rgba_of(&buffer[start + i * from..][..from], colour).ok_or_else(unknown)?;
                    rgb.extend(&pixel[..3]);
                    alpha.push(narrow(pixel[3]));
                }
                conversion.apply(&mut rgb);
                for (i, (rgb, alpha)) in rgb.chunks_exact(3).zip(&alpha).enumerate() {
                    let pixel = over_grey([narrow(rgb[0]), narrow(rgb[1]), narrow(rgb[2]), *alpha]);
                    buffer[(first + i) * 4..][..4].copy_from_slice(&pixel);
                }
            }
        }
    }
    buffer.truncate(count * 4);
    buffer.shrink_to_fit();
    Ok(buffer)
}

fn rgba_of(bytes: &[u8], colour: ColorType) -> Option<[u8; 4]> {
    Some(match colour {
        ColorType::L8 => [bytes[0], bytes[0], bytes[0], 255],
        ColorType::La8 => [bytes[0], bytes[0], bytes[0], bytes[1]],
        ColorType::Rgb8 => [bytes[0], bytes[1], bytes[2], 255],
        ColorType::Rgba8 => [bytes[0], bytes[1], bytes[2], bytes[3]],
        _ => return wide_rgba_of(bytes, colour).map(|wide| wide.map(narrow)),
    })
}

fn wide_rgba_of(bytes: &[u8], colour: ColorType) -> Option<[u16; 4]> {
    let wide = |i: usize| u16::from_ne_bytes([bytes[i * 2], bytes[i * 2 + 1]]);
    Some(match colour {
        ColorType::L16 => [wide(0), wide(0), wide(0), u16::MAX],
        ColorType::La16 => [wide(0), wide(0), wide(0), wide(1)],
        ColorType::Rgb16 => [wide(0), wide(1), wide(2), u16::MAX],
        ColorType::Rgba16 => [wide(0), wide(1), wide(2), wide(3)],
        ColorType::L8 | ColorType::La8 | ColorType::Rgb8 | ColorType::Rgba8 => {
            rgba_of(bytes, colour)?.map(|byte| u16::from(byte) * 257)
        }
        _ => return None,
    })
}

/// In linear light.
pub(super) fn over_grey([red, green, blue, alpha]: [u8; 4]) -> [u8; 4] {
    if alpha == 255 {
        return [red, green, blue, 255];
    }
    let (linear, cover) = (&*srgb::LINEAR_OF_BYTE, f32::from(alpha) / 255.0);
    let mix = |byte: u8| srgb::byte_of_linear(linear[usize::from(byte)] * cover + linear[128] * (1.0 - cover));
    [mix(red), mix(green), mix(blue), 255]
}

#[cfg(test)]
#[path = "picture_tests.rs"]
pub(super) mod tests;
