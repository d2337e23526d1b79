//! Decoder of the frames of a clip.

use super::frames::{Frames, MOST_FRAME_BYTES, check_size};
use crate::base::picture::{Picture, cause, over_grey};
use anyhow::{Context as _, Result, anyhow};
use image::codecs::{gif::GifDecoder, png::PngDecoder, webp::WebPDecoder};
use image::{AnimationDecoder as _, ImageDecoder, ImageError, ImageFormat, Limits};
use std::fs::File;
use std::io::{BufReader, Read as _, Seek as _, SeekFrom};
use std::path::Path;

/// A clip's open file, and the place in it. Frames of an animation are decoded in order: going back begins again.
#[derive(Default)]
pub struct ClipReader(Option<OpenFile>);

enum OpenFile {
    Video(BufReader<File>),
    Animation { frames: image::Frames<'static>, next: usize },
}

impl ClipReader {
    /// Decodes a frame.
    pub(super) fn read(&mut self, frames: &Frames, index: usize) -> Result<Picture> {
        match frames {
            Frames::Files(files) => Picture::load(files.get(index).context("it is missing")?),
            Frames::Video { file, header, offsets } => {
                let mut from = match self.0.take() {
                    Some(OpenFile::Video(from)) => from,
                    _ => BufReader::new(File::open(file)?),
                };
                from.seek(SeekFrom::Start(*offsets.get(index).context("it is missing")?))?;
                let picture = header.frame(&mut from)?.context("it is cut off")?;
                self.0 = Some(OpenFile::Video(from));
                Ok(picture)
            }
            Frames::Animation { file, format, end } => self.animation_frame((file, *end), *format, index),
        }
    }

    fn animation_frame(&mut self, file: (&Path, u64), format: ImageFormat, index: usize) -> Result<Picture> {
        let open = match self.0.take() {
            Some(OpenFile::Animation { frames, next }) if next <= index => (frames, next),
            _ => (decoder(file, format)?, 0),
        };
        let (mut frames, first) = open;
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

/// The frames of an animation, of checked size.
fn decoder((file, end): (&Path, u64), format: ImageFormat) -> Result<image::Frames<'static>> {
    let from = BufReader::new(File::open(file)?.take(end));
    let broken = |error: ImageError| anyhow!(cause(&error));
    let checked = |decoder: &dyn ImageDecoder| {
        let (width, height) = decoder.dimensions();
        check_size([width, height])
    };
    let mut limits = Limits::default();
    // The composed picture, the one before it, a frame in its own colours and in these.
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
