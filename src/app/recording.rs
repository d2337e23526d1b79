//! Recording of the window, or of a clip: what is under the panels, at a constant rate. Each frame is the last one drawn before
//! its time.

use super::folders;
use super::video::{FFMPEG, SavedFile, Video};
use anyhow::{Context as _, Result};
use base::job::{Outcome, spawn_detached};
use instrument::Recorded;
use media::picture::Picture;
use std::cell::RefCell;
use std::ffi::OsStr;
use std::sync::Arc;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize};
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::time::{Duration, Instant};
use ui::{RecordingStage, RecordingState};

/// Frames that wait for the writer. Of a window that draws faster, frames are left out; a clip waits.
const WAITING: usize = 4;
const LOOK: Duration = Duration::from_millis(50);
/// After which a drawn frame is there.
const READ_BACK: Duration = Duration::from_secs(1);
const CLIP_S: u32 = 8;

type DrawnFrame = (Duration, Vec<u8>);
/// No file if it was cancelled.
pub type Written = Outcome<Result<Option<SavedFile>>>;

pub struct WindowRecording {
    pub size: [u32; 2],
    /// Frames of the clip so far, and all.
    clip: Option<[u32; 2]>,
    rate: u32,
    frames: SyncSender<DrawnFrame>,
    shared: Arc<Shared>,
}

struct Shared {
    what: Recorded,
    started: Instant,
    /// Microseconds; 0 until then.
    ended_us: AtomicU64,
    is_cancelled: AtomicBool,
    has_stopped: AtomicBool,
    waiting: AtomicUsize,
    bytes: AtomicU64,
    rate: u32,
    /// Frames.
    written: AtomicU64,
}

impl Shared {
    fn new(what: Recorded, rate: u32) -> Arc<Self> {
        Arc::new(Self {
            what,
            started: Instant::now(),
            ended_us: AtomicU64::new(0),
            is_cancelled: AtomicBool::new(false),
            has_stopped: AtomicBool::new(false),
            waiting: AtomicUsize::new(0),
            bytes: AtomicU64::new(0),
            rate,
            written: AtomicU64::new(0),
        })
    }

    fn end(&self) {
        let at = match self.what {
            Recorded::Window => self.started.elapsed(),
            Recorded::Clip => Duration::from_secs(CLIP_S.into()),
        };
        let _ = self.ended_us.compare_exchange(0, (at.as_micros() as u64).max(1), AcqRel, Relaxed);
    }

    fn state(&self, stage: RecordingStage) -> RecordingState {
        RecordingState { stage, bytes: self.bytes.load(Relaxed) }
    }

    fn ending(&self) -> Option<RecordingState> {
        let all = self.ended()?.as_secs_f64() * f64::from(self.rate);
        let part = (self.written.load(Relaxed) as f64 / all.max(1.0)).min(1.0);
        Some(self.state(RecordingStage::Ending(part as f32)))
    }

    fn ended(&self) -> Option<Duration> {
        Some(self.ended_us.load(Acquire)).filter(|us| *us > 0).map(Duration::from_micros)
    }
}

impl WindowRecording {
    /// `then` gets the file, on another thread.
    pub fn start(what: Recorded, size: [u32; 2], then: impl FnOnce(Written) + Send + 'static) -> Result<Self> {
        let video = Video::create(&folders::Kind::Videos.folder()?, size, OsStr::new(FFMPEG))?;
        let rate = video.rate();
        let shared = Shared::new(what, rate);
        let (frames, drawn) = sync_channel(WAITING);
        let (is_writing, written) = channel();
        let (of_writer, stopped) = (shared.clone(), shared.clone());
        let work = move || {
            let _is_writing = is_writing;
            write(video, size, &drawn, &of_writer)
        };
        let done = move |written| {
            stopped.has_stopped.store(true, Relaxed);
            then(written);
        };
        spawn_detached("window recording", work, done).context("there is no thread for the recording")?;
        UNFINISHED.with(|slot| slot.0.borrow_mut().push(Unfinished { shared: shared.clone(), written }));
        let clip = (what == Recorded::Clip).then_some([0, CLIP_S * rate]);
        Ok(Self { size, clip, rate, frames, shared })
    }

    pub fn has_stopped(&self) -> bool {
        self.shared.has_stopped.load(Relaxed)
    }

    /// Of the clip: what is done, and the time of a frame.
    pub fn clip(&self) -> Option<(f32, Duration)> {
        let [done, all] = self.clip?;
        Some((done as f32 / all as f32, Duration::from_secs(1) / self.rate))
    }

    /// How many more frames of a clip the writer takes at once.
    pub fn room(&self) -> usize {
        WAITING.saturating_sub(self.shared.waiting.load(Relaxed))
    }

    /// The time of a frame that is drawn now.
    pub fn next(&mut self) -> Duration {
        match &mut self.clip {
            Some([done, _]) => {
                let at = Duration::from_secs_f64((f64::from(*done) + 0.5) / f64::from(self.rate));
                *done += 1;
                at
            }
            None => self.shared.started.elapsed(),
        }
    }

    pub fn add(&self, at: Duration, rgba: Vec<u8>) {
        self.shared.waiting.fetch_add(1, Relaxed);
        if self.frames.try_send((at, rgba)).is_err() {
            self.shared.waiting.fetch_sub(1, Relaxed);
        }
    }

    pub fn state(&self) -> RecordingState {
        let elapsed_s = self.shared.started.elapsed().as_secs_f64();
        let stage = match self.clip() {
            Some((part, _)) => {
                let left_s = elapsed_s * (1.0 / f64::from(part) - 1.0);
                RecordingStage::Clip { part, left_s: Some(left_s).filter(|_| part > 0.0) }
            }
            None => RecordingStage::Window(elapsed_s),
        };
        self.shared.state(stage)
    }
}

/// The file of a clip that ends early is left out.
impl Drop for WindowRecording {
    fn drop(&mut self) {
        self.shared.is_cancelled.store(self.clip.is_some_and(|[done, all]| done < all), Relaxed);
        self.shared.end();
    }
}

struct Unfinished {
    shared: Arc<Shared>,
    written: Receiver<()>,
}

/// Xlib exits when its display disconnects: completes the recordings.
struct AtThreadEnd(RefCell<Vec<Unfinished>>);

thread_local! {
    static UNFINISHED: AtThreadEnd = const { AtThreadEnd(RefCell::new(Vec::new())) };
}

/// Of those that have ended, one whose file is still written.
pub fn ending() -> Option<RecordingState> {
    UNFINISHED.with(|slot| {
        let mut all = slot.0.borrow_mut();
        all.retain(|one| !one.shared.has_stopped.load(Relaxed));
        all.iter().find_map(|one| one.shared.ending())
    })
}

pub fn finish() {
    UNFINISHED.with(AtThreadEnd::finish);
}

impl AtThreadEnd {
    fn finish(&self) {
        // A busy machine writes the frames that wait slowly; a disk that never answers does not hold the process for ever.
        const PATIENCE: Duration = Duration::from_secs(60);
        for Unfinished { shared, written } in self.0.borrow_mut().drain(..) {
            let is_part = shared.what == Recorded::Clip && shared.ended().is_none();
            shared.is_cancelled.fetch_or(is_part, Relaxed);
            shared.end();
            let _ = written.recv_timeout(PATIENCE);
        }
    }
}

impl Drop for AtThreadEnd {
    fn drop(&mut self) {
        self.finish();
    }
}

fn write(mut video: Video, size: [u32; 2], drawn: &Receiver<DrawnFrame>, shared: &Shared) -> Result<Option<SavedFile>> {
    let (mut last, mut written) = (None::<Picture>, 0_u64);
    let most = video.most_s().map_or(u64::MAX, |seconds| u64::from(seconds * video.rate()));
    loop {
        // Whoever ends it has sent all frames before.
        let ended = shared.ended();
        let (at, rgba, ends) = match (drawn.recv_timeout(LOOK), ended, shared.what) {
            (Ok((at, rgba)), ..) => {
                shared.waiting.fetch_sub(1, Relaxed);
                (at, Some(rgba), false)
            }
            (Err(_), Some(at), _) => (at, None, true),
            // At rest nothing is drawn.
            (Err(_), None, Recorded::Window) => (shared.started.elapsed().saturating_sub(READ_BACK), None, false),
            (Err(_), None, Recorded::Clip) => (Duration::ZERO, None, false),
        };
        if shared.is_cancelled.load(Relaxed) {
            return Ok(None);
        }
        let due = ((at.as_secs_f64() * f64::from(video.rate())).floor() as u64).min(most);
        if let Some(last) = &last {
            while written < due {
                video.frame(last)?;
                written += 1;
                shared.written.store(written, Relaxed);
                shared.bytes.store(video.bytes(), Relaxed);
            }
        }
        last = rgba.map(|rgba| Picture { size, rgba }).or(last);
        if let Some(last) = last.as_ref().filter(|_| ends && written == 0) {
            video.frame(last)?;
        }
        if ends || written == most {
            return video.end().map(Some);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::video::tests::count_of;
    use base::fixtures::Folder;

    /// Of black at 10 ms and white at 130 ms, until 210 ms or for ever: frames, and the first one.
    fn recorded(ends: bool, is_cancelled: bool) -> Option<(u32, Vec<u8>)> {
        let folder = Folder::new(&format!("window-recording-{ends}-{is_cancelled}"));
        let (frames, drawn) = sync_channel(9);
        let shared = Shared::new(Recorded::Window, 20);
        shared.is_cancelled.store(is_cancelled, Relaxed);
        let video = Video::create(&folder.0, [1, 1], OsStr::new("no-such-program")).unwrap();
        frames.send((Duration::from_millis(10), vec![0, 0, 0, 255])).unwrap();
        frames.send((Duration::from_millis(130), vec![255; 4])).unwrap();
        shared.waiting.store(3, Relaxed);
        if ends {
            shared.ended_us.store(210_000, Relaxed);
        } else {
            frames.send((Duration::from_secs(90), vec![0; 4])).unwrap();
        }
        let saved = write(video, [1, 1], &drawn, &shared).unwrap();
        let is_whole = |state: RecordingState| matches!(state.stage, RecordingStage::Ending(part) if part > 0.9);
        assert_eq!(shared.ending().is_some_and(is_whole), ends && !is_cancelled);
        let files = std::fs::read_dir(&folder.0).unwrap().count();
        assert_eq!(files, usize::from(saved.is_some()), "nothing beside it");
        let file = saved?.file;
        assert_eq!(shared.waiting.load(Relaxed), usize::from(ends));
        Some((count_of(&file), Picture::load(&file).unwrap().rgba))
    }

    #[test]
    fn each_frame_is_shown_until_the_next_and_the_longest_ends_by_itself() {
        assert_eq!(recorded(true, false), Some((4, vec![0, 0, 0, 255])));
        assert_eq!(recorded(false, false).map(|(count, _)| count), Some(400));
        assert_eq!(recorded(true, true), None);
    }
}
