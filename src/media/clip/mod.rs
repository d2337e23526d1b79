//! Moving pictures: animations (GIF, APNG, WebP), raw video (.y4m), and picture files in a row. Frames are decoded one by one.

mod container;
#[cfg(any(test, feature = "fixtures"))]
mod fixtures;
mod frames;
mod reader;
mod scan;
mod sequence;
#[cfg(test)]
mod tests;

pub(super) use container::with_screen;
#[cfg(any(test, feature = "fixtures"))]
pub use fixtures::{test_clip, test_clip_in};
pub use reader::ClipReader;
pub use sequence::{has_pictures, is_sequence};

use super::picture::Picture;
use super::source::Source;
use anyhow::{Result, anyhow, ensure};
use base::guard::guarded;
use base::notes::Notes;
use frames::{Frames, Times, frames_are};
use scan::Scan;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Seconds added before rounding down to a frame, against the rounding of fractions.
const TOLERANCE_S: f64 = 1e-7;
const EXPECTED: &str = "expected a whole GIF, APNG, WebP or .y4m video, or pictures of one size";

pub struct Clip {
    name: String,
    frames: Frames,
    times: Times,
    first: Arc<Picture>,
    count: AtomicUsize,
    news: Mutex<Option<String>>,
    /// Frames whose notes were said.
    noted: Mutex<BTreeSet<usize>>,
}

impl std::fmt::Debug for Clip {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(to, "clip {} of {} frames", self.name, self.count())
    }
}

impl Clip {
    /// A folder or a pattern of pictures (`frames/%04d.png`), an animation or a video; `begin`: the file's first bytes.
    /// `None` for other files. A truncated clip has the frames before the cut, and a note.
    pub fn open(source: &Source, begin: &[u8]) -> Result<Option<(Arc<Self>, Notes)>> {
        let refused = |why: anyhow::Error| {
            let line = format!("{why:#}");
            let why = if line.contains("expected") { why } else { anyhow!("{line}; {EXPECTED}") };
            why.context(format!("cannot read {}", source.name()))
        };
        let Some(scan) = Scan::of(source, begin).map_err(refused)? else { return Ok(None) };
        let Scan { frames, times, count, mut remarks } = scan;
        let (first, notes) = guarded(|| ClipReader::default().read(&frames, 0)).map_err(refused)?;
        remarks.extend(notes_of_frame(0, &notes));
        let name = source.path().and_then(Path::file_name);
        let name = name.map_or_else(|| source.name(), |name| name.to_string_lossy().into_owned());
        let (count, news) = (AtomicUsize::new(count), Mutex::default());
        let clip = Self { name, frames, times, first: Arc::new(first), count, news, noted: Mutex::new([0].into()) };
        Ok(Some((Arc::new(clip), Notes { remarks, ..Notes::default() })))
    }

    pub fn size(&self) -> [u32; 2] {
        self.first.size
    }

    pub fn count(&self) -> usize {
        self.count.load(Relaxed)
    }

    pub fn first(&self) -> &Arc<Picture> {
        &self.first
    }

    pub fn length_s(&self) -> f64 {
        self.begin_s(self.count())
    }

    pub fn begin_s(&self, index: usize) -> f64 {
        match &self.times {
            Times::Rate(rate) => index as f64 / rate,
            Times::Ends(ends) => index.checked_sub(1).and_then(|before| ends.get(before)).copied().unwrap_or(0.0),
        }
    }

    /// The clip loops: with n frames at a constant rate this is floor(seconds * rate) modulo n.
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

    pub fn until_next_s(&self, seconds: f64) -> f64 {
        (self.begin_s(self.frame_at(seconds) + 1) - seconds.rem_euclid(self.length_s())).max(0.0)
    }

    /// Fast in order. A frame that cannot be decoded ends the clip before it; the first one is kept.
    pub fn read(&self, reader: &mut ClipReader, index: usize) -> Option<Picture> {
        let read = guarded(|| reader.read(&self.frames, index)).and_then(|(picture, notes)| {
            let ([width, height], [w, h]) = (picture.size, self.size());
            ensure!(picture.size == self.size(), "it is {width}x{height}; expected {w}x{h} as of the first frame");
            let said = notes_of_frame(index, &notes).filter(|_| locked(&self.noted).insert(index));
            said.into_iter().for_each(|said| self.say(format!("{}: {said}", self.name)));
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

    pub fn take_news(&self) -> Option<String> {
        locked(&self.news).take()
    }

    fn say(&self, line: String) {
        log::warn!("{line}");
        *locked(&self.news) = Some(line);
    }

    fn end_before(&self, index: usize, why: &anyhow::Error) {
        let left = index.max(1);
        let before = self.count.fetch_min(left, Relaxed);
        if left < before {
            self.say(format!("{}: frame {} of {before}: {why:#}; {} shown", self.name, index + 1, frames_are(left)));
        }
    }
}

fn notes_of_frame(index: usize, notes: &Notes) -> Option<String> {
    (!notes.is_empty()).then(|| format!("frame {}: {}", index + 1, notes.line()))
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
