//! Times of the frames of GIF, APNG and WebP files, read without decoding pixels.
//!
//! GIF89a (CompuServe 1990), PNG third edition (W3C 2025, section 11.3.4), WebP container (RFC 9649, section 2.7).

use image::ImageFormat;
use std::borrow::Cow;
use std::io::{BufReader, Cursor, Error, ErrorKind, Read, Result, Seek};

/// A longer clip ends there.
pub const MOST_FRAMES: usize = 1_000_000;
/// Shorter frames are shown for [`SHORT_S`], as in browsers.
const SHORTEST_S: f64 = 0.011;
const SHORT_S: f64 = 0.1;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Container {
    Gif,
    Png,
    WebP,
}

impl Container {
    pub fn of(begin: &[u8]) -> Option<Self> {
        match begin {
            [b'G', b'I', b'F', b'8', ..] => Some(Self::Gif),
            [0x89, b'P', b'N', b'G', ..] => Some(Self::Png),
            [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some(Self::WebP),
            _ => None,
        }
    }

    pub fn format(self) -> ImageFormat {
        match self {
            Self::Gif => ImageFormat::Gif,
            Self::Png => ImageFormat::Png,
            Self::WebP => ImageFormat::WebP,
        }
    }
}

/// Bytes that the decoder reads instead of the file's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Patch {
    pub at: u64,
    pub bytes: [u8; 4],
}

#[derive(Debug, Default, PartialEq)]
pub struct Delays {
    pub delays_s: Vec<f64>,
    /// Frames that the header promises, where it does.
    pub promised: u32,
    pub is_cut: bool,
    pub has_profile: bool,
    pub patch: Option<Patch>,
    /// End of the last whole chunk, where the decoder reads ahead and refuses a part of a frame.
    pub end: Option<u64>,
}

impl Delays {
    fn push(&mut self, delay_s: f64) {
        self.delays_s.push(if delay_s < SHORTEST_S { SHORT_S } else { delay_s });
    }
}

struct Bytes<'f, R> {
    from: &'f mut BufReader<R>,
    at: u64,
    length: u64,
}

impl<R: Read + Seek> Bytes<'_, R> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N]> {
        let mut bytes = [0; N];
        self.from.read_exact(&mut bytes)?;
        self.at += N as u64;
        Ok(bytes)
    }

    fn skip(&mut self, count: u64) -> Result<()> {
        self.at += count;
        if self.at > self.length {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        self.from.seek_relative(count as i64)
    }
}

/// A truncated file is no error.
pub fn delays<R: Read + Seek>(container: Container, from: &mut BufReader<R>, length: u64) -> Result<Delays> {
    let (mut bytes, mut found) = (Bytes { from, at: 0, length }, Delays::default());
    let read = match container {
        Container::Gif => gif(&mut bytes, &mut found),
        Container::Png => png(&mut bytes, &mut found),
        Container::WebP => webp(&mut bytes, &mut found),
    };
    match read {
        Err(why) if why.kind() != ErrorKind::UnexpectedEof && why.kind() != ErrorKind::InvalidData => return Err(why),
        read => found.is_cut = read.is_err(),
    }
    Ok(found)
}

fn damaged() -> Error {
    ErrorKind::InvalidData.into()
}

fn gif<R: Read + Seek>(from: &mut Bytes<'_, R>, found: &mut Delays) -> Result<()> {
    let table = |flags: u8| if flags & 0x80 == 0 { 0 } else { 3_u64 << ((flags & 7) + 1) };
    let screen: [u8; 13] = from.take()?;
    let is_empty = screen[6..8] == [0, 0] || screen[8..10] == [0, 0];
    from.skip(table(screen[10]))?;
    let mut delay_s = 0.0;
    while found.delays_s.len() < MOST_FRAMES && from.at < from.length {
        match from.take()? {
            [0x21] => {
                let [label, first] = from.take()?;
                if label == 0xF9 && first == 4 {
                    let [_, low, high, _] = from.take()?;
                    delay_s = f64::from(u16::from_le_bytes([low, high])) / 100.0;
                } else {
                    from.skip(first.into())?;
                }
                if first > 0 {
                    blocks(from)?;
                }
            }
            [0x2C] => {
                let descriptor: [u8; 9] = from.take()?;
                if is_empty && found.patch.is_none() {
                    let part = |at: usize| u16::from_le_bytes([descriptor[at], descriptor[at + 1]]);
                    let [[a, b], [c, d]] = [0, 2].map(|at| part(at).saturating_add(part(at + 4)).to_le_bytes());
                    found.patch = Some(Patch { at: 6, bytes: [a, b, c, d] });
                }
                from.skip(table(descriptor[8]) + 1)?;
                blocks(from)?;
                found.push(std::mem::take(&mut delay_s));
            }
            [0x3B] => break,
            _ => return Err(damaged()),
        }
    }
    Ok(())
}

fn blocks<R: Read + Seek>(from: &mut Bytes<'_, R>) -> Result<()> {
    loop {
        match from.take()? {
            [0] => return Ok(()),
            [length] => from.skip(length.into())?,
        }
    }
}

fn png<R: Read + Seek>(from: &mut Bytes<'_, R>, found: &mut Delays) -> Result<()> {
    from.skip(8)?;
    let mut is_animation = false;
    let mut delay_s = None;
    while found.delays_s.len() < MOST_FRAMES {
        let [a, b, c, d, kind @ ..]: [u8; 8] = from.take()?;
        let length = u64::from(u32::from_be_bytes([a, b, c, d]));
        match &kind {
            b"acTL" if length == 8 => {
                found.promised = u32::from_be_bytes(from.take()?);
                is_animation = found.promised > 0;
                from.skip(4 + 4)?;
                continue;
            }
            b"IDAT" if !is_animation => return Ok(()),
            b"iCCP" => found.has_profile = true,
            _ => {}
        }
        let is_end = matches!(&kind, b"fcTL" | b"IEND");
        let ended = if is_end { delay_s.take() } else { None };
        match &kind {
            b"fcTL" if length == 26 => {
                let control: [u8; 26] = from.take()?;
                let number = |at: usize| f64::from(u16::from_be_bytes([control[at], control[at + 1]]));
                delay_s = Some(number(20) / if number(22) == 0.0 { 100.0 } else { number(22) });
                from.skip(4)?;
            }
            _ => from.skip(length + 4)?,
        }
        ended.into_iter().for_each(|delay_s| found.push(delay_s));
        if &kind == b"IEND" {
            break;
        }
    }
    Ok(())
}

fn webp<R: Read + Seek>(from: &mut Bytes<'_, R>, found: &mut Delays) -> Result<()> {
    let header: [u8; 12] = from.take()?;
    let [a, b, c, d] = [header[4], header[5], header[6], header[7]];
    let end = 8 + u64::from(u32::from_le_bytes([a, b, c, d]));
    while from.at < end && found.delays_s.len() < MOST_FRAMES {
        let [kind @ .., a, b, c, d]: [u8; 8] = from.take()?;
        let length = u64::from(u32::from_le_bytes([a, b, c, d]));
        let padded = length + length % 2;
        match &kind {
            b"ANMF" if length >= 16 => {
                let control: [u8; 16] = from.take()?;
                let delay_ms = u32::from_le_bytes([control[12], control[13], control[14], 0]);
                from.skip(padded - 16)?;
                found.push(f64::from(delay_ms) / 1000.0);
            }
            // The decoder refuses a file without the EXIF and XMP that are promised, be they damaged or cut off.
            b"VP8X" if length >= 4 => {
                const PROMISES: u8 = 0b1100;
                let (at, [flags, rest @ ..]) = (from.at, from.take::<4>()?);
                found.patch = Some(Patch { at, bytes: [flags & !PROMISES, rest[0], rest[1], rest[2]] });
                from.skip(padded - 4)?;
            }
            kind => {
                found.has_profile |= kind == b"ICCP";
                from.skip(padded)?;
            }
        }
        found.end = Some(from.at);
    }
    Ok(())
}

/// Where the screen has no size, browsers take the first frame's.
pub fn with_screen(bytes: &[u8]) -> Cow<'_, [u8]> {
    let mut from = BufReader::new(Cursor::new(bytes));
    let patch = delays(Container::Gif, &mut from, bytes.len() as u64).ok().and_then(|found| found.patch);
    let Some(patch) = patch else { return Cow::Borrowed(bytes) };
    let mut patched = bytes.to_vec();
    patched[patch.at as usize..][..patch.bytes.len()].copy_from_slice(&patch.bytes);
    Cow::Owned(patched)
}
