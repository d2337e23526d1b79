//! Recording of the window (F9): what is under the panels, as raw video, 25 frames a second. Each frame is the last one
//! drawn before its time.

use super::saved_files::free_name;
use super::user_event::{UserEvent, send_written};
use crate::folders;
use anyhow::{Context as _, Result};
use base::file::AtomicFile;
use base::job::{Job, Outcome};
use media::picture::Picture;
use media::y4m::Writer;
use std::cell::RefCell;
use std::io::{BufWriter, IntoInnerError};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::time::{Duration, Instant};
use winit::event_loop::EventLoopProxy;

const RATE: u32 = 25;
/// Frames that wait for the writer; a faster window waits too.
const WAITING: usize = 4;

type DrawnFrame = (Duration, Vec<u8>);

pub struct WindowRecording {
    pub size: [u32; 2],
    started: Instant,
    frames: SyncSender<DrawnFrame>,
    writer: Job<Result<PathBuf>>,
    wake: EventLoopProxy<UserEvent>,
}

impl WindowRecording {
    pub fn start(size: [u32; 2], wake: EventLoopProxy<UserEvent>) -> Self {
        let (frames, drawn) = sync_channel(WAITING);
        let (is_writing, written) = channel();
        let writer = Job::spawn("window recording", move |_| {
            let _is_writing = is_writing;
            let folder = folders::pictures().with_context(|| folders::missing("pictures"))?;
            write(&folder, size, &drawn)
        });
        let started = Instant::now();
        UNFINISHED.with(|slot| *slot.0.borrow_mut() = Some(Unfinished { frames: frames.clone(), started, written }));
        Self { size, started, frames, writer, wake }
    }

    pub fn has_failed(&self) -> bool {
        !self.writer.is_running()
    }

    pub fn add(&self, at: Instant, rgba: Vec<u8>) {
        let at = at.saturating_duration_since(self.started);
        let _ = self.frames.send((at, rgba));
    }
}

struct Unfinished {
    frames: SyncSender<DrawnFrame>,
    started: Instant,
    written: Receiver<()>,
}

/// Xlib exits when its display disconnects: completes the recording.
struct AtThreadEnd(RefCell<Option<Unfinished>>);

thread_local! {
    static UNFINISHED: AtThreadEnd = const { AtThreadEnd(RefCell::new(None)) };
}

impl Drop for AtThreadEnd {
    fn drop(&mut self) {
        // A busy machine writes the frames that wait slowly; a disk that never answers does not hold the process for ever.
        const PATIENCE: Duration = Duration::from_secs(60);
        if let Some(Unfinished { frames, started, written }) = self.0.borrow_mut().take() {
            let _ = frames.send((started.elapsed(), Vec::new()));
            let _ = written.recv_timeout(PATIENCE);
        }
    }
}

impl Drop for WindowRecording {
    fn drop(&mut self) {
        UNFINISHED.with(|slot| slot.0.borrow_mut().take());
        let _ = self.frames.send((self.started.elapsed(), Vec::new()));
        let written: Option<Outcome<Result<PathBuf>>> = self.writer.wait(Duration::MAX);
        let written = written.unwrap_or_else(|| Err("the recording's thread is missing".into()));
        send_written(&self.wake, written);
    }
}

/// A frame without pixels is the end.
fn write(folder: &Path, size: [u32; 2], drawn: &Receiver<DrawnFrame>) -> Result<PathBuf> {
    let file = free_name(folder, "Meniscus", "y4m");
    let named = || format!("cannot write {}", file.display());
    let mut video = Writer::new(BufWriter::new(AtomicFile::create(&file)?), size, RATE).with_context(named)?;
    let (mut last, mut written) = (None::<Picture>, 0_u64);
    for (at, rgba) in drawn {
        let due = (at.as_secs_f64() * f64::from(RATE)).floor() as u64;
        if let Some(last) = &last {
            while written < due {
                video.frame(last).with_context(named)?;
                written += 1;
            }
        }
        if rgba.is_empty() {
            break;
        }
        last = Some(Picture { size, rgba });
    }
    if let Some(last) = last.filter(|_| written == 0) {
        video.frame(&last).with_context(named)?;
    }
    let buffer = video.end().and_then(|buffer| buffer.into_inner().map_err(IntoInnerError::into_error));
    buffer.with_context(named)?.commit()?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::fixtures::Folder;
    use media::y4m::Header;

    #[test]
    fn each_frame_is_shown_until_the_next() {
        let folder = Folder::new("window-recording");
        let (frames, drawn) = sync_channel(9);
        let (black, white) = (vec![0, 0, 0, 255], vec![255; 4]);
        frames.send((Duration::from_millis(10), black)).unwrap();
        frames.send((Duration::from_millis(130), white)).unwrap();
        frames.send((Duration::from_millis(210), Vec::new())).unwrap();
        drop(frames);
        let file = write(&folder.0, [1, 1], &drawn).unwrap();
        let mut from = std::io::BufReader::new(std::fs::File::open(&file).unwrap());
        let header = Header::read(&mut from).unwrap();
        let shown: Vec<u8> =
            std::iter::from_fn(|| header.frame(&mut from).unwrap()).map(|frame| frame.rgba[0]).collect();
        assert_eq!((header.rate, shown), (Some([25, 1]), vec![0, 0, 0, 255, 255]));
        assert_eq!(std::fs::read_dir(&folder.0).unwrap().count(), 1, "nothing beside it");
    }
}
