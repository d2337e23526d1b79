//! Decoder of the frames of a clip.

use super::container::{SCREEN, screen_bytes};
use super::frames::{Frames, MOST_FRAME_BYTES, check_size};
use crate::base::picture::{Picture, cause, over_grey};
use crate::base::source::{Bytes, Source};
use anyhow::{Context as _, Result, anyhow};
use image::codecs::{gif::GifDecoder, png::PngDecoder, webp::WebPDecoder};
use image::{AnimationDecoder as _, ImageDecoder, ImageError, ImageFormat, Limits};
use std::io::{BufReader, Read, Seek, SeekFrom, Take};

/// Frames of an animation are decoded in order: going back restarts.
#[derive(Default)]
pub struct ClipReader(Option<OpenFile>);

enum OpenFile {
    Video(BufReader<Box<dyn Bytes>>),
    Animation { frames: image::Frames<'static>, next: usize },
}

impl ClipReader {
    pub(super) fn read(&mut self, frames: &Frames, index: usize) -> Result<Picture> {
        match frames {
            Frames::Files(files) => Picture::load(files.get(index).context("it is missing")?),
            Frames::Video { source, header, offsets } => {
                let mut from = match self.0.take() {
                    Some(OpenFile::Video(from)) => from,
                    _ => BufReader::new(source.open()?),
                };
                from.seek(SeekFrom::Start(*offsets.get(index).context("it is missing")?))?;
                let picture = header.frame(&mut from)?.context("it is cut off")?;
                self.0 = Some(OpenFile::Video(from));
                Ok(picture)
            }
            Frames::Animation { source, format, end, screen } => {
                self.animation_frame(|| decoder(source, *end, *format, *screen), index)
            }
        }
    }

    fn animation_frame(
        &mut self,
        open: impl FnOnce() -> Result<image::Frames<'static>>,
        index: usize,
    ) -> Result<Picture> {
        let (mut frames, first) = match self.0.take() {
            Some(OpenFile::Animation { frames, next }) if next <= index => (frames, next),
            _ => (open()?, 0),
        };
        for at in first..=index {
            let frame = frames.next().context("it is missing")?.map_err(|error| anyhow!(cause(&error)))?;
            if at == index {
                self.0 = Some(OpenFile::Animation { frames, next: index + 1 });
                let pixels = frame.into_buffer();
                let size = [pixels.width(), pixels.height()];
                let mut rgba = pixels.into_raw();
                for pixel in rgba.as_chunks_mut::<4>().0.iter_mut().filter(|pixel| pixel[3] < 255) {
                    *pixel = over_grey(*pixel);
                }
                return Ok(Picture { size, rgba });
            }
        }
        Err(anyhow!("it is missing"))
    }
}

struct Screened {
    file: Take<Box<dyn Bytes>>,
    at: u64,
    screen: Option<[u16; 2]>,
}

impl Read for Screened {
    fn read(&mut self, to: &mut [u8]) -> std::io::Result<usize> {
        let count = self.file.read(to)?;
        for (place, byte) in SCREEN.zip(self.screen.into_iter().flat_map(screen_bytes)) {
            if let Some(at) = (place as u64).checked_sub(self.at).filter(|at| *at < count as u64) {
                to[at as usize] = byte;
            }
        }
        self.at += count as u64;
        Ok(count)
    }
}

impl Seek for Screened {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        self.at = self.file.seek(to)?;
        Ok(self.at)
    }
}

fn decoder(source: &Source, end: u64, format: ImageFormat, screen: Option<[u16; 2]>) -> Result<image::Frames<'static>> {
    let from = BufReader::new(Screened { file: source.open()?.take(end), at: 0, screen });
    let broken = |error: ImageError| anyhow!(cause(&error));
    let checked = |decoder: &dyn ImageDecoder| {
        let (width, height) = decoder.dimensions();
        check_size([width, height])
    };
    let mut limits = Limits::default();
    limits.max_alloc = Some(4 * MOST_FRAME_BYTES);
    match format {
        ImageFormat::Gif => {
            let mut decoder = GifDecoder::new(from).map_err(broken)?;
            checked(&decoder)?;
            decoder.set_limits(limits).map_err(broken)?;
            Ok(decoder.into_frames())
        }
        ImageFormat::Png => {
            let decoder = PngDecoder::with_limits(from, limits).map_err(broken)?;
            checked(&decoder)?;
            Ok(decoder.apng().map_err(broken)?.into_frames())
        }
        _ => {
            let decoder = WebPDecoder::new(from).map_err(broken)?;
            checked(&decoder)?;
            Ok(decoder.into_frames())
        }
    }
}
