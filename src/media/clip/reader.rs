//! Decoder of the frames of a clip.

use super::container::Patch;
use super::frames::{Frames, MOST_FRAME_BYTES, check_size};
use crate::picture::{Picture, cause, orientation_of, over_grey};
use crate::source::{Bytes, Source};
use anyhow::{Context as _, Result, anyhow};
use base::notes::Notes;
use image::codecs::{gif::GifDecoder, png::PngDecoder, webp::WebPDecoder};
use image::metadata::Orientation;
use image::{AnimationDecoder as _, ImageDecoder, ImageError, ImageFormat, Limits};
use std::io::{BufReader, Read, Seek, SeekFrom, Take};

/// Frames of an animation are decoded in order: going back restarts.
#[derive(Default)]
pub struct ClipReader(Option<OpenFile>);

enum OpenFile {
    Video(BufReader<Box<dyn Bytes>>),
    Animation(Animation),
}

struct Animation {
    frames: image::Frames<'static>,
    orientation: Orientation,
    next: usize,
}

impl ClipReader {
    pub(super) fn read(&mut self, frames: &Frames, index: usize) -> Result<(Picture, Notes)> {
        let picture = match frames {
            Frames::Files(files) => {
                let file = files.get(index).context("it is missing")?;
                return Picture::load_with_notes(&Source::File(file.clone()));
            }
            Frames::Video { source, header, offsets } => {
                let mut from = match self.0.take() {
                    Some(OpenFile::Video(from)) => from,
                    _ => BufReader::new(source.open()?),
                };
                from.seek(SeekFrom::Start(*offsets.get(index).context("it is missing")?))?;
                let picture = header.frame(&mut from)?.context("it is cut off")?;
                self.0 = Some(OpenFile::Video(from));
                picture
            }
            Frames::Animation { source, format, end, patch } => {
                self.animation_frame(|| decoder(source, *end, *format, *patch), index)?
            }
        };
        Ok((picture, Notes::default()))
    }

    fn animation_frame(&mut self, open: impl FnOnce() -> Result<Animation>, index: usize) -> Result<Picture> {
        let mut animation = match self.0.take() {
            Some(OpenFile::Animation(animation)) if animation.next <= index => animation,
            _ => open()?,
        };
        for at in animation.next..=index {
            let frame = animation.frames.next().context("it is missing")?.map_err(|error| anyhow!(cause(&error)))?;
            if at == index {
                let orientation = animation.orientation;
                self.0 = Some(OpenFile::Animation(Animation { next: index + 1, ..animation }));
                let pixels = frame.into_buffer();
                let size = [pixels.width(), pixels.height()];
                let mut rgba = pixels.into_raw();
                for pixel in rgba.as_chunks_mut::<4>().0.iter_mut().filter(|pixel| pixel[3] < 255) {
                    *pixel = over_grey(*pixel);
                }
                return Picture { size, rgba }.oriented(orientation);
            }
        }
        Err(anyhow!("it is missing"))
    }
}

struct Patched {
    file: Take<Box<dyn Bytes>>,
    at: u64,
    patch: Option<Patch>,
}

impl Read for Patched {
    fn read(&mut self, to: &mut [u8]) -> std::io::Result<usize> {
        let count = self.file.read(to)?;
        for (place, byte) in self.patch.iter().flat_map(|patch| (patch.at..).zip(patch.bytes)) {
            if let Some(at) = place.checked_sub(self.at).filter(|at| *at < count as u64) {
                to[at as usize] = byte;
            }
        }
        self.at += count as u64;
        Ok(count)
    }
}

impl Seek for Patched {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        self.at = self.file.seek(to)?;
        Ok(self.at)
    }
}

fn decoder(source: &Source, end: u64, format: ImageFormat, patch: Option<Patch>) -> Result<Animation> {
    let from = BufReader::new(Patched { file: source.open()?.take(end), at: 0, patch });
    let broken = |error: ImageError| anyhow!(cause(&error));
    let checked = |decoder: &mut dyn ImageDecoder| {
        let (width, height) = decoder.dimensions();
        check_size([width, height])?;
        let exif = decoder.exif_metadata().ok().flatten();
        anyhow::Ok(orientation_of(decoder, exif.as_deref()))
    };
    let mut limits = Limits::default();
    limits.max_alloc = Some(4 * MOST_FRAME_BYTES);
    let (orientation, frames) = match format {
        ImageFormat::Gif => {
            let mut decoder = GifDecoder::new(from).map_err(broken)?;
            let orientation = checked(&mut decoder)?;
            decoder.set_limits(limits).map_err(broken)?;
            (orientation, decoder.into_frames())
        }
        ImageFormat::Png => {
            let mut decoder = PngDecoder::with_limits(from, limits).map_err(broken)?;
            (checked(&mut decoder)?, decoder.apng().map_err(broken)?.into_frames())
        }
        _ => {
            let mut decoder = WebPDecoder::new(from).map_err(broken)?;
            (checked(&mut decoder)?, decoder.into_frames())
        }
    };
    Ok(Animation { frames, orientation, next: 0 })
}
