//! Moving pictures: animations (GIF, APNG, WebP), raw video (.y4m), and picture files in a row. Frames are decoded one by one.

mod container;
mod frames;
mod reader;
mod scan;
mod sequence;
#[cfg(test)]
mod tests;

pub use reader::ClipReader;
pub use sequence::{has_pictures, is_sequence};
#[cfg(test)]
pub(crate) use tests::{test_clip, test_clip_in};

use super::notes::Notes;
use super::picture::Picture;
use anyhow::{Context as _, Result, anyhow, ensure};
use frames::{Frames, Times, frames_are};
use scan::Scan;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

/// Added to a time before it is rounded down to a frame: the rounding of seconds to binary fractions is far below it, a frame far above.
const TOLERANCE_S: f64 = 1e-7;

/// A moving picture. All of its frames have one size.
pub struct Clip {
    /// Name of the file, the folder or the pattern, for messages.
    name: String,
    frames: Frames,
    times: Times,
    first: Arc<Picture>,
    /// Number of frames that can be decoded, as far as is known.
    count: AtomicUsize,
    /// A line about a frame that cannot be decoded.
    news: Mutex<Option<String>>,
}

impl std::fmt::Debug for Clip {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(to, "clip {} of {} frames", self.name, self.count())
    }
}

impl Clip {
    /// Opens a folder or a pattern of pictures (`frames/%04d.png`), an animation or a video, and decodes the first frame. `begin`: the first
    /// bytes of a file. `None` for a still picture and for other files. A clip that is cut off has the frames before that, and a note.
    ///
    /// # Errors
    /// One line that names the file, the fault, and what was expected.
    pub fn open(path: &Path, begin: &[u8]) -> Result<Option<(Arc<Self>, Notes)>> {
        let named = || format!("cannot read {}", path.display());
        let Some(scan) = Scan::of(path, begin).with_context(named)? else { return Ok(None) };
        let Scan { frames, times, count, remarks } = scan;
        let first = read_caught(&mut ClipReader::default(), &frames, 0).with_context(named)?;
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        let (count, news) = (AtomicUsize::new(count), Mutex::default());
        let clip = Self { name, frames, times, first: Arc::new(first), count, news };
        Ok(Some((Arc::new(clip), Notes { remarks, ..Notes::default() })))
    }

    /// Width and height of each frame.
    #[must_use]
    pub fn size(&self) -> [u32; 2] {
        self.first.size
    }

    /// Number of frames, at least 1. It becomes smaller when a frame turns out to be damaged.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count.load(Relaxed)
    }

    /// The first frame.
    #[must_use]
    pub fn first(&self) -> &Arc<Picture> {
        &self.first
    }

    /// Duration of a round, seconds.
    #[must_use]
    pub fn length_s(&self) -> f64 {
        self.begin_s(self.count())
    }

    /// Begin of a frame, or of the end, seconds since the begin of the first frame.
    #[must_use]
    pub fn begin_s(&self, index: usize) -> f64 {
        match &self.times {
            Times::Rate(rate) => index as f64 / rate,
            Times::Ends(ends) => index.checked_sub(1).and_then(|before| ends.get(before)).copied().unwrap_or(0.0),
        }
    }

    /// The frame shown `seconds` after the begin of the first. The clip goes round: with n frames at a constant rate it is
    /// floor(seconds * rate) modulo n.
    #[must_use]
    pub fn frame_at(&self, seconds: f64) -> usize {
        let (count, at) = (self.count(), if seconds.is_finite() { seconds + TOLERANCE_S } else { 0.0 });
        match &self.times {
            Times::Rate(rate) => ((at * rate).floor() as i64).rem_euclid(count as i64) as usize,
            Times::Ends(ends) => {
                let at = at.rem_euclid(self.length_s());
                ends.partition_point(|end| *end <= at).min(count - 1)
            }
        }
    }

    /// Seconds of the clip from this time to the next frame.
    #[must_use]
    pub fn until_next_s(&self, seconds: f64) -> f64 {
        (self.begin_s(self.frame_at(seconds) + 1) - seconds.rem_euclid(self.length_s())).max(0.0)
    }

    /// Decodes a frame; `reader` is quick when it goes forward. If it cannot be decoded the clip ends before it: `None`, except for the first
    /// frame, which is kept.
    pub fn read(&self, reader: &mut ClipReader, index: usize) -> Option<Picture> {
        let read = read_caught(reader, &self.frames, index).and_then(|picture| {
            let ([width, height], [w, h]) = (picture.size, self.size());
            ensure!(picture.size == self.size(), "it is {width}x{height}; expected {w}x{h} as of the first frame");
            Ok(picture)
        });
        match read {
            Ok(picture) => Some(picture),
            Err(why) => {
                *reader = ClipReader::default();
                self.end_before(index, &why);
                (index == 0).then(|| (*self.first).clone())
            }
        }
    }

    /// The line about a damaged frame, once.
    pub fn take_news(&self) -> Option<String> {
        self.news.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn end_before(&self, index: usize, why: &anyhow::Error) {
        let left = index.max(1);
        let before = self.count.fetch_min(left, Relaxed);
        // Another reader may have found it.
        if left < before {
            let line = format!("{}: frame {} of {before}: {why:#}; {} shown", self.name, index + 1, frames_are(left));
            log::warn!("{line}");
            *self.news.lock().unwrap_or_else(PoisonError::into_inner) = Some(line);
        }
    }
}

/// A decoder may stop at bytes that it does not expect.
fn read_caught(reader: &mut ClipReader, frames: &Frames, index: usize) -> Result<Picture> {
    let read = catch_unwind(AssertUnwindSafe(|| reader.read(frames, index)));
    read.unwrap_or_else(|_| Err(anyhow!("the decoder failed")))
}
