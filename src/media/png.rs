//! PNG files with texts, and animated PNG (APNG, W3C PNG third edition).

use super::pixels::Picture;
use anyhow::{Context, Result, ensure};
use std::borrow::Cow;
use std::io::{BufRead, Seek, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Bytes.
const MOST_TEXT_BYTES: usize = 1 << 20;

/// Three channels if every pixel is opaque. `texts`: keywords (1 to 79 Latin letters) and texts.
pub fn encode(picture: &Picture, texts: &[(&str, &str)]) -> Result<Vec<u8>> {
    let [width, height] = picture.size;
    ensure!(
        picture.rgba.len() as u64 == u64::from(width) * u64::from(height) * 4,
        "the picture's size and bytes disagree"
    );
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_filter(png::Filter::Adaptive);
    encoder.set_depth(png::BitDepth::Eight);
    for (keyword, text) in texts {
        encoder.add_itxt_chunk((*keyword).to_owned(), (*text).to_owned())?;
    }
    if picture.rgba.chunks_exact(4).all(|pixel| pixel[3] == 255) {
        encoder.set_color(png::ColorType::Rgb);
        let rgb: Vec<u8> = picture.rgba.chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
        encoder.write_header()?.write_image_data(&rgb)?;
    } else {
        encoder.set_color(png::ColorType::Rgba);
        encoder.write_header()?.write_image_data(&picture.rgba)?;
    }
    Ok(bytes)
}

pub fn is_png(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\x89PNG\r\n\x1a\n")
}

/// Its name, data and end.
fn chunk(bytes: &[u8], at: usize) -> Option<(&[u8], &[u8], usize)> {
    let length = bytes.get(at..at + 4)?.iter().fold(0, |length: usize, byte| length << 8 | usize::from(*byte));
    let end = at.saturating_add(12).saturating_add(length);
    let chunk = bytes.get(at..end)?;
    Some((&chunk[4..8], &chunk[8..chunk.len() - 4], end))
}

/// The decoder ignores one behind the pixels.
pub fn exif(bytes: &[u8]) -> Option<&[u8]> {
    let mut at = 8;
    while let Some((name, data, end)) = chunk(bytes, at) {
        if name == b"eXIf" {
            return Some(data);
        }
        at = end;
    }
    None
}

/// Appends a missing end chunk, which the decoder requires.
pub fn ended(bytes: &[u8]) -> Cow<'_, [u8]> {
    const END: &[u8] = b"\0\0\0\0IEND\xae\x42\x60\x82";
    let mut at = bytes.len().min(8);
    while let Some((name, _, end)) = chunk(bytes, at) {
        if name == b"IEND" {
            return Cow::Borrowed(bytes);
        }
        at = end;
    }
    Cow::Owned([&bytes[..at], END].concat())
}

pub fn text(file: impl BufRead + Seek, keyword: &str) -> Result<Option<String>> {
    let limits = png::Limits { bytes: 4 * MOST_TEXT_BYTES };
    let reader = png::Decoder::new_with_limits(file, limits).read_info().context("its texts cannot be read")?;
    let Some(found) = reader.info().utf8_text.iter().find(|text| text.keyword == keyword) else { return Ok(None) };
    let mut found = found.clone();
    found.decompress_text_with_limit(MOST_TEXT_BYTES).context("its text cannot be read")?;
    Ok(Some(found.get_text().context("its text cannot be read")?))
}

pub fn decode_rgba(bytes: &[u8]) -> Result<Picture> {
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info()?;
    let mut rgba = vec![0; reader.output_buffer_size().context("too large")?];
    let info = reader.next_frame(&mut rgba)?;
    ensure!(info.color_type == png::ColorType::Rgba && info.bit_depth == png::BitDepth::Eight, "expected 8-bit RGBA");
    Ok(Picture { size: [info.width, info.height], rgba })
}

struct Patch {
    at: [u32; 2],
    picture: Picture,
}

fn patch(before: &Picture, now: &Picture) -> Patch {
    let [width, height] = now.size;
    let row = |picture: &Picture, y: u32| -> std::ops::Range<usize> {
        let bytes = picture.size[0] as usize * 4;
        y as usize * bytes..(y as usize + 1) * bytes
    };
    let (mut low, mut high) = ([width, height], [0, 0]);
    for y in 0..height {
        let (a, b) = (&before.rgba[row(before, y)], &now.rgba[row(now, y)]);
        if a == b {
            continue;
        }
        let differs = |x: &u32| a[*x as usize * 4..][..4] != b[*x as usize * 4..][..4];
        let (first, last) = ((0..width).find(differs), (0..width).rev().find(differs));
        if let (Some(first), Some(last)) = (first, last) {
            low = [low[0].min(first), low[1].min(y)];
            high = [high[0].max(last + 1), high[1].max(y + 1)];
        }
    }
    if high == [0, 0] {
        (low, high) = ([0, 0], [1, 1]);
    }
    let size = [high[0] - low[0], high[1] - low[1]];
    let pixel = |x: u32, y: u32| {
        let (x, y) = (low[0] + x, low[1] + y);
        let (old, new) = (before.pixel(x, y), now.pixel(x, y));
        if old == new { [0; 4] } else { [new[0], new[1], new[2], 255] }
    };
    Patch { at: low, picture: Picture::from_fn(size, pixel) }
}

#[derive(Clone, Default)]
struct Bytes(Arc<Mutex<Vec<u8>>>);

impl Bytes {
    fn all(&self) -> MutexGuard<'_, Vec<u8>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Write for Bytes {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.all().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Time that compression may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// While frames are drawn.
    Least,
    Most,
}

pub struct Animation {
    writer: png::Writer<Bytes>,
    bytes: Bytes,
    last: Option<Picture>,
    missing: u32,
    frames: u32,
}

impl Animation {
    /// `delay` between frames: a fraction of a second.
    pub fn new(size: [u32; 2], frames: u32, delay: [u16; 2], effort: Effort) -> Result<Self> {
        let bytes = Bytes::default();
        let mut encoder = png::Encoder::new(bytes.clone(), size[0], size[1]);
        encoder.set_color(png::ColorType::Rgba);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(match effort {
            Effort::Least => png::Compression::Fast,
            Effort::Most => png::Compression::High,
        });
        encoder.set_filter(png::Filter::Adaptive);
        encoder.set_animated(frames, 0)?;
        encoder.set_frame_delay(delay[0], delay[1])?;
        Ok(Self { writer: encoder.write_header()?, bytes, last: None, missing: frames, frames })
    }

    pub fn frame(&mut self, picture: Picture) -> Result<()> {
        let opaque = Picture { rgba: opaque(&picture.rgba), ..picture };
        match &self.last {
            None => self.writer.write_image_data(&opaque.rgba)?,
            Some(last) => {
                ensure!(last.size == opaque.size, "a frame of another size");
                let Patch { at, picture } = patch(last, &opaque);
                self.writer.set_frame_position(0, 0)?;
                self.writer.set_frame_dimension(picture.size[0], picture.size[1])?;
                self.writer.set_frame_position(at[0], at[1])?;
                self.writer.set_blend_op(png::BlendOp::Over)?;
                self.writer.write_image_data(&picture.rgba)?;
            }
        }
        self.last = Some(opaque);
        self.missing = self.missing.saturating_sub(1);
        Ok(())
    }

    /// Bytes so far.
    pub fn length(&self) -> usize {
        self.bytes.all().len()
    }

    pub fn end(self) -> Result<Vec<u8>> {
        ensure!(self.last.is_some(), "no frame was recorded");
        if self.missing == 0 {
            self.writer.finish()?;
            return Ok(std::mem::take(&mut *self.bytes.all()));
        }
        drop(self.writer);
        let mut bytes = std::mem::take(&mut *self.bytes.all());
        let at = bytes.windows(4).position(|four| four == b"acTL").context("the animation has no header")?;
        let body = [b"acTL", &(self.frames - self.missing).to_be_bytes()[..], &bytes[at + 8..at + 12]].concat();
        bytes[at..at + 12].copy_from_slice(&body);
        bytes[at + 12..at + 16].copy_from_slice(&crc32(&body).to_be_bytes());
        Ok(bytes)
    }
}

/// PNG third edition, annex D.
pub(super) fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| if crc & 1 == 1 { 0xEDB8_8320 ^ (crc >> 1) } else { crc >> 1 })
    })
}

fn opaque(rgba: &[u8]) -> Vec<u8> {
    rgba.chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2], 255]).collect()
}

#[cfg(test)]
pub(crate) fn frames_of(bytes: &[u8]) -> Result<Vec<Picture>> {
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info()?;
    let size = [reader.info().width, reader.info().height];
    let count = reader.info().animation_control().map_or(1, |control| control.num_frames);
    let mut canvas = Picture::from_fn(size, |_, _| [0; 4]);
    let mut frames = Vec::new();
    for _ in 0..count {
        let mut buffer = vec![0; reader.output_buffer_size().context("size")?];
        reader.next_frame(&mut buffer)?;
        let control = reader.info().frame_control().copied().context("no frame control")?;
        for y in 0..control.height {
            for x in 0..control.width {
                let pixel = &buffer[((y * control.width + x) * 4) as usize..][..4];
                let to = (((y + control.y_offset) * size[0] + x + control.x_offset) * 4) as usize;
                if pixel[3] == 255 {
                    canvas.rgba[to..to + 4].copy_from_slice(pixel);
                }
            }
        }
        frames.push(canvas.clone());
    }
    Ok(frames)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    fn dots(size: [u32; 2], number: u32) -> Picture {
        Picture::from_fn(size, |x, y| [(x * 7) as u8, (y * 5) as u8, if x == number { 200 } else { 10 }, 255])
    }

    #[test]
    fn texts_come_back_and_pictures_do_not_mind() {
        let picture = dots([9, 4], 3);
        let texts = [("Software", "a b"), ("meniscus:preset", "[glass]\nfrost = 3.0\n# \u{e4} \u{4e00}")];
        let file = encode(&picture, &texts).unwrap();
        assert!(is_png(&file) && Picture::decode(&file).unwrap() == picture);
        let read = |keyword| text(Cursor::new(&file), keyword);
        for (keyword, text) in texts {
            assert_eq!(read(keyword).unwrap().as_deref(), Some(text));
        }
        assert_eq!(read("Title").unwrap(), None);
        assert!(encode(&picture, &[("", "x")]).is_err() && encode(&Picture { rgba: vec![], ..picture }, &[]).is_err());
    }

    #[test]
    fn opacity_is_kept() {
        let clear = Picture::from_fn([3, 2], |x, y| [x as u8, y as u8, 7, 100 * x as u8]);
        assert!(decode_rgba(&encode(&clear, &[]).unwrap()).unwrap() == clear);
        assert!(decode_rgba(&encode(&dots([3, 2], 0), &[]).unwrap()).is_err() && decode_rgba(b"").is_err());
    }

    #[test]
    fn broken_files_and_endless_texts_are_refused() {
        let file = encode(&dots([9, 4], 3), &[("a", &"x".repeat(1000))]).unwrap();
        for end in 0..900 {
            assert!(text(Cursor::new(&file[..end]), "a").is_err(), "{end}");
        }
        for at in 8..file.len() {
            let mut file = file.clone();
            file[at] ^= 0x55;
            let _ = text(Cursor::new(&file), "a");
        }
        let mut encoder_bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut encoder_bytes, 1, 1);
        encoder.set_color(png::ColorType::Grayscale);
        let mut writer = encoder.write_header().unwrap();
        let mut bomb = png::text_metadata::ITXtChunk::new("a", " ".repeat(3 << 20));
        bomb.compressed = true;
        bomb.compress_text().unwrap();
        writer.write_text_chunk(&bomb).unwrap();
        writer.write_image_data(&[0]).unwrap();
        drop(writer);
        assert!(encoder_bytes.len() < 20_000 && text(Cursor::new(&encoder_bytes), "a").is_err());
    }

    #[test]
    fn animations_keep_every_pixel_of_every_frame() {
        let size = [40, 30];
        let pictures: Vec<Picture> = [3, 4, 4, 39, 0].map(|number| dots(size, number)).into();
        let mut animation = Animation::new(size, pictures.len() as u32, [1, 20], Effort::Least).unwrap();
        pictures.iter().for_each(|picture| animation.frame(picture.clone()).unwrap());
        assert!(animation.frame(dots([2, 2], 0)).is_err());
        let bytes = animation.end().unwrap();
        assert!(frames_of(&bytes).unwrap() == pictures);
        assert!(Picture::decode(&bytes).unwrap() == pictures[0], "who knows no animations sees the first frame");
        let mut early = Animation::new(size, 1000, [1, 20], Effort::Most).unwrap();
        pictures[..3].iter().for_each(|picture| early.frame(picture.clone()).unwrap());
        assert!(
            frames_of(&early.end().unwrap()).unwrap() == pictures[..3],
            "one that ends early has its frames so far"
        );
        assert!(Animation::new(size, 2, [1, 20], Effort::Most).unwrap().end().is_err());
        let Patch { at, picture } = patch(&pictures[0], &pictures[1]);
        assert_eq!((at, picture.size), ([3, 0], [2, 30]));
    }
}
