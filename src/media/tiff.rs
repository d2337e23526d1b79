//! TIFF pictures (TIFF 6.0, Adobe 1992; JPEG as in Technical Note 2 of 1995; BigTIFF). The tags of the first page are
//! read here; the library decompresses each plane as a page of plain numbers.

use super::jpeg::{State, examined};
use super::pixels::{LONGEST_SIDE, MOST_BYTES, narrow};
use anyhow::{Context as _, Result, bail, ensure};
use base::text;
use image::error::{DecodingError, ImageFormatHint};
use image::metadata::Orientation;
use image::{ColorType, ImageDecoder, ImageError, ImageFormat, ImageResult};
use std::collections::BTreeMap;
use std::io::Cursor;
use tiff::decoder::{Decoder, Limits};

mod tag {
    pub const WIDTH: u16 = 256;
    pub const HEIGHT: u16 = 257;
    pub const BITS: u16 = 258;
    pub const COMPRESSION: u16 = 259;
    pub const PHOTOMETRIC: u16 = 262;
    pub const FILL_ORDER: u16 = 266;
    pub const STRIP_OFFSETS: u16 = 273;
    pub const ORIENTATION: u16 = 274;
    pub const SAMPLES: u16 = 277;
    pub const ROWS_PER_STRIP: u16 = 278;
    pub const STRIP_BYTES: u16 = 279;
    pub const PLANAR: u16 = 284;
    pub const PREDICTOR: u16 = 317;
    pub const COLOR_MAP: u16 = 320;
    pub const TILE_WIDTH: u16 = 322;
    pub const TILE_HEIGHT: u16 = 323;
    pub const TILE_OFFSETS: u16 = 324;
    pub const TILE_BYTES: u16 = 325;
    pub const INK_SET: u16 = 332;
    pub const EXTRA_SAMPLES: u16 = 338;
    pub const SAMPLE_FORMAT: u16 = 339;
    pub const JPEG_TABLES: u16 = 347;
    pub const CHROMA_SUBSAMPLING: u16 = 530;
    pub const ICC: u16 = 34675;
}

const JPEG: u64 = 7;
const GROUP_4: u64 = 4;
const MOST_TILE: u64 = 1 << 16;

/// The second pair is BigTIFF.
pub fn is_tiff(bytes: &[u8]) -> bool {
    [b"II*\0", b"MM\0*", b"II+\0", b"MM\0+"].iter().any(|begin| bytes.starts_with(*begin))
}

#[derive(Clone, Copy)]
struct Entry {
    kind: u64,
    count: u64,
    at: u64,
}

struct Tags<'a> {
    bytes: &'a [u8],
    is_little: bool,
    entries: BTreeMap<u16, Entry>,
}

impl<'a> Tags<'a> {
    fn read(bytes: &'a [u8]) -> Option<Self> {
        let mut tags = Self { bytes, is_little: bytes.starts_with(b"II"), entries: BTreeMap::new() };
        let is_big = tags.uint(2, 2)? == 43;
        let [head, entry, word] = if is_big { [8, 20, 8] } else { [2, 12, 4] };
        let first = tags.uint(if is_big { 8 } else { 4 }, word)?;
        for number in 0..tags.uint(first, head)? {
            let at = first.checked_add(head)?.checked_add(number.checked_mul(entry)?)?;
            let [name, kind, count] = [tags.uint(at, 2)?, tags.uint(at + 2, 2)?, tags.uint(at + 4, word)?];
            let value = at + 4 + word;
            let is_inside = size_of(kind).and_then(|size| count.checked_mul(size)).is_some_and(|size| size <= word);
            let at = if is_inside { value } else { tags.uint(value, word)? };
            tags.entries.entry(name as u16).or_insert(Entry { kind, count, at });
        }
        Some(tags)
    }

    fn uint(&self, at: u64, size: u64) -> Option<u64> {
        let at = usize::try_from(at).ok()?;
        let bytes = self.bytes.get(at..at.checked_add(size as usize)?)?;
        let add = |number: u64, byte: &u8| number << 8 | u64::from(*byte);
        Some(if self.is_little { bytes.iter().rev().fold(0, add) } else { bytes.iter().fold(0, add) })
    }

    fn numbers(&self, tag: u16) -> Option<Vec<u64>> {
        let Entry { kind, count, at } = *self.entries.get(&tag)?;
        let size = size_of(kind)?;
        (0..count).map(|index| self.uint(at.checked_add(index.checked_mul(size)?)?, size)).collect()
    }

    fn number(&self, tag: u16) -> Option<u64> {
        self.numbers(tag)?.first().copied()
    }

    fn bytes(&self, tag: u16) -> Option<&'a [u8]> {
        let Entry { kind, count, at } = *self.entries.get(&tag)?;
        let [at, size] = [at, count.checked_mul(size_of(kind)?)?].map(|number| usize::try_from(number).ok());
        self.bytes.get(at?..at?.checked_add(size?)?)
    }
}

fn size_of(kind: u64) -> Option<u64> {
    match kind {
        1 | 2 | 7 => Some(1),
        3 => Some(2),
        4 | 13 => Some(4),
        16 | 18 => Some(8),
        _ => None,
    }
}

#[derive(Clone, Debug, PartialEq)]
enum Colours {
    Grey { is_inverse: bool },
    Rgb,
    Palette(Vec<[u16; 3]>),
    Cmyk,
    YCbCr,
}

impl Colours {
    fn count(&self) -> usize {
        match self {
            Self::Grey { .. } | Self::Palette(_) => 1,
            Self::Rgb | Self::YCbCr => 3,
            Self::Cmyk => 4,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Alpha {
    None,
    Straight,
    Premultiplied,
}

pub struct Tiff<'a> {
    tags: Tags<'a>,
    size: [u32; 2],
    bits: u32,
    samples: usize,
    compression: u64,
    is_planar: bool,
    colours: Colours,
    alpha: Alpha,
    /// Position and length of each strip or tile, those of the first plane first.
    parts: Vec<[u64; 2]>,
    /// Width and height of each strip or tile. The last tiles can stick out of the picture.
    part: [u32; 2],
    is_tiled: bool,
}

impl<'a> Tiff<'a> {
    pub fn open(bytes: &'a [u8]) -> Result<Self> {
        let damaged = "the file is damaged or cut off";
        let tags = Tags::read(bytes).context(damaged)?;
        let or = |tag: u16, default: u64| tags.number(tag).unwrap_or(default);
        let side = |tag: u16| tags.number(tag).and_then(|side| u32::try_from(side).ok());
        let size = [side(tag::WIDTH).context(damaged)?, side(tag::HEIGHT).context(damaged)?];
        ensure!(size.iter().all(|side| (1..=LONGEST_SIDE).contains(side)), "the picture is {}x{}", size[0], size[1]);
        let not_read = |what: &str| format!("a TIFF with {what} is not read here");

        let compression = or(tag::COMPRESSION, 1);
        if let Some(what) = unread_compression(compression) {
            bail!(not_read(&what));
        }
        let order = or(tag::FILL_ORDER, 1);
        ensure!(order <= 2, not_read(&format!("order of bits {order}")));
        let all_bits = tags.numbers(tag::BITS).unwrap_or_else(|| vec![1]);
        let bits = all_bits.first().copied().unwrap_or(1);
        ensure!(all_bits.iter().all(|other| *other == bits), not_read("channels of different sizes"));
        for format in tags.numbers(tag::SAMPLE_FORMAT).unwrap_or_default() {
            match format {
                1 | 4 => {}
                2 => bail!(not_read("signed numbers")),
                3 => bail!("the pixels are floating-point numbers; expected 8 or 16 bits of grey or RGB"),
                _ => bail!(not_read("complex numbers")),
            }
        }
        ensure!(matches!(bits, 1..=8 | 16 | 32), not_read(&format!("{bits} bits for a channel")));
        let bits = bits as u32;
        let predictor = or(tag::PREDICTOR, 1);
        ensure!(
            predictor < 2 || predictor == 2 && bits >= 8,
            not_read(&format!("predictor {predictor} of {bits} bits"))
        );

        let samples = or(tag::SAMPLES, 1) as usize;
        let colours = Self::colours(&tags, samples, bits).map_err(|what| anyhow::anyhow!(not_read(&what)))?;
        ensure!(
            samples >= colours.count(),
            not_read(&format!("{} for such colours", text::counted(samples, "channel")))
        );
        let extra = tags.numbers(tag::EXTRA_SAMPLES).filter(|extra| !extra.is_empty());
        let alpha = match extra.as_deref() {
            _ if samples == colours.count() => Alpha::None,
            Some([1, ..]) => Alpha::Premultiplied,
            Some([2, ..]) => Alpha::Straight,
            None if samples == colours.count() + 1 => Alpha::Straight,
            _ => Alpha::None,
        };
        let is_planar = or(tag::PLANAR, 1) == 2 && samples > 1;
        let sampling = tags.numbers(tag::CHROMA_SUBSAMPLING).unwrap_or_else(|| vec![2, 2]);
        let is_subsampled = colours == Colours::YCbCr && sampling != [1, 1];
        let what = "subsampled colours (YCbCr) without JPEG compression, or in planes";
        ensure!(!is_subsampled || compression == JPEG && !is_planar, not_read(what));

        let tile = match (tags.number(tag::TILE_WIDTH), tags.number(tag::TILE_HEIGHT)) {
            (Some(width), Some(height)) if tags.entries.contains_key(&tag::TILE_OFFSETS) => Some([width, height]),
            _ => None,
        };
        let is_tiled = tile.is_some();
        let [width, height] = size.map(u64::from);
        let part = tile.unwrap_or_else(|| [width, or(tag::ROWS_PER_STRIP, height).clamp(1, height)]);
        ensure!(part.iter().all(|side| (1..=MOST_TILE).contains(side)), damaged);
        let [across, down] = [width.div_ceil(part[0]), height.div_ceil(part[1])];
        let pixels = across * part[0] * if is_tiled { down * part[1] } else { height };
        let needed = pixels.saturating_mul(samples as u64 * u64::from(bits)) / 8;
        if needed > MOST_BYTES {
            let (needed, most) = (text::bytes(needed), text::bytes(MOST_BYTES));
            bail!("the picture is {width}x{height} and takes {needed} decoded; expected at most {most}");
        }
        let (offsets, lengths) = match is_tiled {
            true => (tag::TILE_OFFSETS, tag::TILE_BYTES),
            false => (tag::STRIP_OFFSETS, tag::STRIP_BYTES),
        };
        let count = (across * down).saturating_mul(if is_planar { samples as u64 } else { 1 });
        let offsets = tags.numbers(offsets).context(damaged)?;
        ensure!(offsets.len() as u64 >= count, damaged);
        let lengths = tags.numbers(lengths).filter(|lengths| lengths.len() >= offsets.len());
        let rest = |at: u64| (bytes.len() as u64).saturating_sub(at);
        let length = |index: usize, at: u64| lengths.as_ref().map_or_else(|| rest(at), |lengths| lengths[index]);
        let parts = offsets.iter().take(count as usize).enumerate();
        let part = part.map(|side| side as u32);
        let parts: Vec<_> = parts.map(|(index, at)| [*at, length(index, *at).min(rest(*at))]).collect();
        ensure!(!parts.contains(&[0, 0]), not_read("parts that are left out"));
        Ok(Self { tags, size, bits, samples, compression, is_planar, colours, alpha, parts, part, is_tiled })
    }

    fn colours(tags: &Tags<'_>, samples: usize, bits: u32) -> Result<Colours, String> {
        let default = if samples >= 3 { 2 } else { 1 };
        Ok(match tags.number(tag::PHOTOMETRIC).unwrap_or(default) {
            photometric @ (0 | 1) => Colours::Grey { is_inverse: photometric == 0 },
            2 => Colours::Rgb,
            3 if bits <= 8 => {
                let map = tags.numbers(tag::COLOR_MAP).unwrap_or_default();
                let count = 1 << bits;
                if map.len() < 3 * count {
                    return Err("a palette that is cut off".into());
                }
                let scale = if map.iter().all(|value| *value < 256) { 257 } else { 1 };
                let entry = |at: usize| [0, 1, 2].map(|channel| (map[channel * count + at] * scale) as u16);
                Colours::Palette((0..count).map(entry).collect())
            }
            3 => return Err(format!("a palette of {bits} bits")),
            4 => return Err("a transparency mask as its first page".into()),
            5 if tags.number(tag::INK_SET).unwrap_or(1) != 1 => return Err("inks other than CMYK".into()),
            5 => Colours::Cmyk,
            6 => Colours::YCbCr,
            8..=10 => return Err("CIE Lab colours".into()),
            32803 | 34892 => return Err("a camera's raw data".into()),
            32844 | 32845 => return Err("LogLuv light".into()),
            other => return Err(format!("colours of kind {other}")),
        })
    }

    /// JPEG streams, whose tables are apart. Decoders replace what is missing by grey.
    pub fn is_damaged(&self) -> bool {
        let tables = self.tags.bytes(tag::JPEG_TABLES).and_then(|tables| tables.strip_suffix(&[0xFF, 0xD9]));
        let is_damaged = |[at, length]: &[u64; 2]| {
            let stream = self.tags.bytes.get(*at as usize..at.saturating_add(*length) as usize).unwrap_or_default();
            let stream = match tables {
                Some(tables) => [tables, stream.get(2..).unwrap_or_default()].concat(),
                None => stream.to_vec(),
            };
            examined(&stream).0 != State::Whole
        };
        self.compression == JPEG && self.parts.iter().any(is_damaged)
    }

    fn stride(&self) -> usize {
        if self.is_planar { 1 } else { self.samples }
    }

    fn planes(&self) -> usize {
        if self.is_planar { self.samples } else { 1 }
    }

    /// With a tile as a strip: of LZW, the library reads whole strips, but not the rows of tiles.
    fn append_page(&self, file: &mut Vec<u8>, plane: usize) {
        let count = self.parts.len() / self.planes();
        let parts = &self.parts[plane * count..(plane + 1) * count];
        let column = |index: usize| parts.iter().map(|part| part[index] as u32).collect::<Vec<_>>();
        let samples = self.stride() as u32;
        let tags: BTreeMap<u16, Vec<u32>> = BTreeMap::from([
            (tag::WIDTH, vec![self.part[0]]),
            (tag::HEIGHT, vec![if self.is_tiled { self.part[1] * count as u32 } else { self.size[1] }]),
            (tag::ROWS_PER_STRIP, vec![self.part[1]]),
            (tag::STRIP_OFFSETS, column(0)),
            (tag::STRIP_BYTES, column(1)),
            (tag::BITS, vec![self.bits]),
            (tag::COMPRESSION, vec![self.compression as u32]),
            (tag::PHOTOMETRIC, vec![1]),
            (tag::SAMPLES, vec![samples]),
            (tag::PREDICTOR, vec![self.tags.number(tag::PREDICTOR).unwrap_or(1).max(1) as u32]),
        ]);
        let is_little = self.tags.is_little;
        let short = |value: u16| if is_little { value.to_le_bytes() } else { value.to_be_bytes() };
        let long = |value: u32| if is_little { value.to_le_bytes() } else { value.to_be_bytes() };
        let tables = self.tags.bytes(tag::JPEG_TABLES).filter(|_| self.compression == JPEG);
        let kinds = tags.into_iter().map(|(tag, values)| {
            let bytes: Vec<u8> = values.iter().flat_map(|value| long(*value)).collect();
            (tag, 4, values.len() as u32, bytes)
        });
        let entries = kinds.chain(tables.map(|tables| (tag::JPEG_TABLES, 7, tables.len() as u32, tables.to_vec())));
        let mut directory = Vec::new();
        let mut number = 0;
        for (tag, kind, count, mut bytes) in entries {
            number += 1;
            directory.extend([short(tag), short(kind)].concat());
            directory.extend(long(count));
            if bytes.len() > 4 {
                directory.extend(long(file.len() as u32));
                file.extend(bytes);
            } else {
                bytes.resize(4, 0);
                directory.extend(bytes);
            }
        }
        let at = file.len() as u32;
        file.extend(short(number));
        file.extend(directory);
        file.extend([0; 4]);
        let header = [if is_little { *b"II" } else { *b"MM" }, short(42)].concat();
        file[..4].copy_from_slice(&header);
        file[4..8].copy_from_slice(&long(at));
    }

    /// Rows of whole bytes, numbers of more than 8 bits in native byte order.
    fn decompress(&self) -> Result<Vec<Vec<u8>>, tiff::TiffError> {
        let mut file = self.tags.bytes.to_vec();
        // Bits are reversed in each byte, except in JPEG streams.
        if self.tags.number(tag::FILL_ORDER) == Some(2) && self.compression != JPEG {
            // Strips can share their bytes.
            for [at, length] in &self.parts {
                let range = *at as usize..at.saturating_add(*length) as usize;
                let (to, from) = (file.get_mut(range.clone()), self.tags.bytes.get(range));
                let bytes = to.into_iter().flatten().zip(from.into_iter().flatten());
                bytes.for_each(|(to, from)| *to = from.reverse_bits());
            }
        }
        let length = file.len();
        let used = self.colours.count() + usize::from(self.alpha != Alpha::None);
        let decompress = |plane: usize| {
            file.truncate(length);
            self.append_page(&mut file, plane);
            let mut decoder = Decoder::new(Cursor::new(&file))?.with_limits(Limits::unlimited());
            let mut numbers = vec![0; decoder.image_buffer_layout()?.len];
            decoder.read_image_bytes(&mut numbers)?;
            Ok(numbers)
        };
        (0..self.planes().min(used)).map(decompress).collect()
    }

    fn pixel(&self, number: impl Fn(usize) -> u32) -> [u16; 4] {
        let most = u64::from(u32::MAX >> (32 - self.bits));
        let wide = |channel: usize| ((u64::from(number(channel)) * 65535 + most / 2) / most) as u16;
        let alpha = if self.alpha == Alpha::None { u16::MAX } else { wide(self.colours.count()) };
        let mut rgb = match &self.colours {
            Colours::Grey { is_inverse: true } => [u16::MAX - wide(0); 3],
            Colours::Grey { .. } => [wide(0); 3],
            Colours::Rgb => [0, 1, 2].map(wide),
            Colours::Palette(map) => map[number(0) as usize],
            Colours::Cmyk => {
                let light = |channel: usize| u32::from(u16::MAX - wide(channel));
                [0, 1, 2].map(|channel| (light(channel) * light(3) / 65535) as u16)
            }
            Colours::YCbCr => {
                let [y, blue, red] = [wide(0), wide(1), wide(2)].map(f32::from);
                let [blue, red] = [blue - 32896.0, red - 32896.0];
                [y + 1.402 * red, y - 0.344_136 * blue - 0.714_136 * red, y + 1.772 * blue].map(|x| x.round() as u16)
            }
        };
        if self.alpha == Alpha::Premultiplied {
            let divided = |value: u16| (u32::from(value) * 65535).checked_div(alpha.into()).unwrap_or(0);
            rgb = rgb.map(|value| divided(value).min(65535) as u16);
        }
        [rgb[0], rgb[1], rgb[2], alpha]
    }
}

fn unread_compression(compression: u64) -> Option<String> {
    Some(match compression {
        // None, CCITT group 4, LZW, JPEG, Deflate under two numbers, PackBits.
        1 | GROUP_4 | 5 | JPEG | 8 | 32946 | 32773 => return None,
        2 => "CCITT run lengths".into(),
        3 => "CCITT group 3 compression".into(),
        6 => "JPEG of the old kind".into(),
        34661 => "JBIG compression".into(),
        34676 | 34677 => "LogLuv compression".into(),
        34712 | 33003 | 33005 => "JPEG 2000 compression".into(),
        34887 => "LERC compression".into(),
        34925 => "LZMA compression".into(),
        50000 => "Zstandard compression".into(),
        50001 => "WebP compression".into(),
        50002 | 52546 => "JPEG XL compression".into(),
        other => format!("compression {other}"),
    })
}

impl ImageDecoder for Tiff<'_> {
    fn dimensions(&self) -> (u32, u32) {
        self.size.into()
    }

    fn color_type(&self) -> ColorType {
        let is_grey = matches!(self.colours, Colours::Grey { .. });
        match (is_grey, self.alpha == Alpha::None, self.bits > 8) {
            (true, true, false) => ColorType::L8,
            (true, false, false) => ColorType::La8,
            (false, true, false) => ColorType::Rgb8,
            (false, false, false) => ColorType::Rgba8,
            (true, true, true) => ColorType::L16,
            (true, false, true) => ColorType::La16,
            (false, true, true) => ColorType::Rgb16,
            (false, false, true) => ColorType::Rgba16,
        }
    }

    fn icc_profile(&mut self) -> ImageResult<Option<Vec<u8>>> {
        Ok(self.tags.bytes(tag::ICC).map(<[u8]>::to_vec))
    }

    fn orientation(&mut self) -> ImageResult<Orientation> {
        let found = self.tags.number(tag::ORIENTATION).and_then(|number| Orientation::from_exif(number.min(255) as u8));
        Ok(found.unwrap_or(Orientation::NoTransforms))
    }

    fn read_image(self, to: &mut [u8]) -> ImageResult<()> {
        let broken = |why| ImageError::Decoding(DecodingError::new(ImageFormatHint::Exact(ImageFormat::Tiff), why));
        let planes = self.decompress().map_err(broken)?;
        let (width, bits, stride) = (self.size[0] as usize, self.bits as usize, self.stride());
        let [across, down] = self.part.map(|side| side as usize);
        let row = (across * stride * bits).div_ceil(8);
        let colour = self.color_type();
        let channels: &[usize] = match colour.channel_count() {
            1 => &[0],
            2 => &[0, 3],
            3 => &[0, 1, 2],
            _ => &[0, 1, 2, 3],
        };
        for (index, to) in to.chunks_exact_mut(colour.bytes_per_pixel().into()).enumerate() {
            let (x, y) = (index % width, index / width);
            let part = y / down * width.div_ceil(across) + x / across;
            let (x, y) = (x % across, part * down + y % down);
            let pixel = self.pixel(|channel| {
                let (plane, at) = if self.is_planar { (channel, x) } else { (0, x * stride + channel) };
                let bytes = &planes[plane][y * row + at * bits / 8..];
                match bits {
                    8 => bytes[0].into(),
                    16 => u16::from_ne_bytes([bytes[0], bytes[1]]).into(),
                    32 => u32::from_ne_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]),
                    _ => {
                        let two = u16::from_be_bytes([bytes[0], bytes.get(1).copied().unwrap_or(0)]);
                        u32::from(two << (at * bits % 8) >> (16 - bits))
                    }
                }
            });
            if bits > 8 {
                for (to, channel) in to.chunks_exact_mut(2).zip(channels) {
                    to.copy_from_slice(&pixel[*channel].to_ne_bytes());
                }
            } else {
                to.iter_mut().zip(channels).for_each(|(to, channel)| *to = narrow(pixel[*channel]));
            }
        }
        Ok(())
    }

    fn read_image_boxed(self: Box<Self>, to: &mut [u8]) -> ImageResult<()> {
        (*self).read_image(to)
    }
}

#[cfg(test)]
#[path = "tiff_tests.rs"]
mod tests;
