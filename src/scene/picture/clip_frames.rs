//! Frames of a clip at the size of the window, decoded ahead on a thread.

use super::fitting::fitted;
use crate::Fit;
use base::job::Job;
use media::clip::{Clip, ClipReader};
use media::picture::Picture;
use media::resample::Crop;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Short clips are decoded once.
const MOST_BYTES: usize = 256 << 20;
const AHEAD: usize = 8;
/// How often a waiting caller checks that the thread still runs.
const WATCH: Duration = Duration::from_millis(200);

type Wake = Arc<dyn Fn() + Send + Sync>;

#[derive(Clone, Debug)]
pub struct ClipFrame {
    pub picture: Arc<Picture>,
    pub next: Option<Arc<Picture>>,
}

pub struct ClipFrames {
    shared: Arc<Shared>,
    blocks: bool,
    last: Arc<Picture>,
    last_index: usize,
    step: usize,
    worker: Job<()>,
}

struct Shared {
    clip: Arc<Clip>,
    fit: Fit,
    size: [u32; 2],
    most: usize,
    ahead: usize,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    wanted: usize,
    frames: Vec<(usize, Arc<Picture>)>,
    is_awaited: bool,
    is_closed: bool,
}

impl State {
    fn get(&self, index: usize) -> Option<&Arc<Picture>> {
        self.frames.iter().find(|(of, _)| *of == index).map(|(_, picture)| picture)
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        self.changed.wait_timeout(state, WATCH).unwrap_or_else(PoisonError::into_inner).0
    }

    fn fitted(&self, picture: Picture) -> Picture {
        if picture.size == self.size { picture } else { fitted(&picture, self.size, self.is_whole(), Crop::Middle) }
    }

    fn is_whole(&self) -> bool {
        self.fit == Fit::Contain
    }

    fn next(&self) -> Option<usize> {
        let mut state = self.lock();
        while !state.is_closed {
            let count = self.clip.count();
            let mut ahead = (0..=self.ahead.min(count - 1)).map(|ahead| (state.wanted + ahead) % count);
            if let Some(missing) = ahead.find(|index| state.get(*index).is_none()) {
                return Some(missing);
            }
            state = self.wait(state);
        }
        None
    }

    fn keep(&self, index: usize, picture: Option<Picture>) -> bool {
        let picture = picture.map(|picture| Arc::new(self.fitted(picture)));
        let mut state = self.lock();
        let (wanted, count) = (state.wanted, self.clip.count());
        let is_damaged = picture.is_none();
        state.frames.extend(picture.map(|picture| (index, picture)));
        state.frames.retain(|(index, _)| *index < count);
        if state.frames.len() > self.most {
            let wait_of = |index: usize| (index + count - wanted % count) % count;
            let farthest = state.frames.iter().enumerate().max_by_key(|(_, (index, _))| wait_of(*index));
            if let Some(at) = farthest.map(|(at, _)| at) {
                state.frames.swap_remove(at);
            }
        }
        self.changed.notify_all();
        (index == wanted || is_damaged) && std::mem::take(&mut state.is_awaited)
    }
}

impl ClipFrames {
    /// `shown`: the picture until a frame is decoded. `wake` is called when a requested frame is decoded; without it,
    /// callers wait.
    pub fn new(clip: &Arc<Clip>, fit: Fit, size: [u32; 2], shown: Option<Arc<Picture>>, wake: Option<Wake>) -> Self {
        let bytes = 4 * size[0] as usize * size[1] as usize;
        Self::keeping((MOST_BYTES / bytes.max(1)).max(2), clip, fit, size, shown, wake)
    }

    fn keeping(
        most: usize,
        clip: &Arc<Clip>,
        fit: Fit,
        size: [u32; 2],
        shown: Option<Arc<Picture>>,
        wake: Option<Wake>,
    ) -> Self {
        let ahead = AHEAD.min(most - 1);
        let state = Mutex::default();
        let shared = Shared { clip: clip.clone(), fit, size, most, ahead, state, changed: Condvar::new() };
        let shared = Arc::new(shared);
        let (own, blocks) = (shared.clone(), wake.is_none());
        let worker = Job::spawn("clip decoder", move |_| {
            let mut reader = ClipReader::default();
            while let Some(index) = own.next() {
                let is_awaited = own.keep(index, own.clip.read(&mut reader, index));
                wake.iter().filter(|_| is_awaited).for_each(|wake| wake());
            }
        });
        let last = shown.unwrap_or_else(|| clip.first().clone());
        Self { shared, blocks, last, last_index: 0, step: 1, worker }
    }

    pub fn are_of(&self, clip: &Arc<Clip>, fit: Fit, size: [u32; 2]) -> bool {
        Arc::ptr_eq(&self.shared.clip, clip) && (self.shared.fit, self.shared.size) == (fit, size)
    }

    pub fn last_of(self, clip: &Arc<Clip>) -> Option<Arc<Picture>> {
        Arc::ptr_eq(&self.shared.clip, clip).then(|| self.last.clone())
    }

    pub fn substitute(&self) -> ClipFrame {
        ClipFrame { picture: Arc::new(self.shared.fitted((*self.last).clone())), next: None }
    }

    pub fn at(&mut self, seconds: f64) -> Option<ClipFrame> {
        let shared = self.shared.clone();
        let mut state = shared.lock();
        let (index, picture) = loop {
            let index = shared.clip.frame_at(seconds);
            if std::mem::replace(&mut state.wanted, index) != index {
                shared.changed.notify_all();
            }
            match state.get(index) {
                Some(picture) => break (index, picture.clone()),
                None if self.blocks && self.worker.is_running() => state = shared.wait(state),
                None => {
                    state.is_awaited = true;
                    return None;
                }
            }
        };
        let count = shared.clip.count();
        if index != self.last_index {
            (self.step, self.last_index) = ((index + count - self.last_index % count) % count, index);
        }
        self.last = picture.clone();
        let next = loop {
            let next = (index + self.step) % shared.clip.count();
            match state.get(next) {
                Some(picture) => break Some(picture.clone()),
                None if self.blocks && self.step <= shared.ahead && self.worker.is_running() => {
                    state = shared.wait(state);
                }
                None => break None,
            }
        };
        Some(ClipFrame { picture, next })
    }
}

impl Drop for ClipFrames {
    fn drop(&mut self) {
        self.shared.lock().is_closed = true;
        self.shared.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::fixtures::Folder;
    use media::clip::test_clip_in;
    use std::sync::mpsc::channel;

    #[test]
    fn every_frame_is_there_in_time_and_memory_is_bounded() {
        let (folder, size) = (Folder::new("clip-frames"), [24, 16]);
        let clip = test_clip_in(&folder, size, 40);
        let mut frames = ClipFrames::keeping(12, &clip, Fit::Cover, size, None, None);
        let mut reader = ClipReader::default();
        for (turn, index) in (0..90).chain([7, 3, 3, 39, 0]).enumerate() {
            let shown = frames.at(f64::from(index) / 25.0).unwrap();
            let wanted = clip.read(&mut reader, index as usize % 40).unwrap();
            assert_eq!(*shown.picture, wanted, "{index}");
            if (1..90).contains(&turn) {
                assert_eq!(*shown.next.unwrap(), clip.read(&mut reader, (index as usize + 1) % 40).unwrap());
            }
            let state = frames.shared.lock();
            assert!(state.frames.len() <= frames.shared.most, "{} frames", state.frames.len());
        }
        assert!(frames.are_of(&clip, Fit::Cover, size) && !frames.are_of(&clip, Fit::Contain, size));
    }

    #[test]
    fn a_window_is_woken_and_a_damaged_frame_ends_the_round() {
        let (folder, size) = (Folder::new("clip-frames-window"), [24, 16]);
        let clip = test_clip_in(&folder, size, 5);
        let (send, woken) = channel();
        let send = Mutex::new(send);
        let wake: Wake = Arc::new(move || drop(send.lock().map(|send| send.send(()))));
        let mut frames = ClipFrames::new(&clip, Fit::Cover, [12, 8], None, Some(wake));
        assert_eq!(frames.substitute().picture.size, [12, 8]);
        let mut shown = |at: f64| loop {
            match frames.at(at) {
                Some(frame) => break frame.picture,
                None => woken.recv_timeout(Duration::from_secs(60)).unwrap(),
            }
        };
        let fourth = shown(3.0 / 25.0);
        assert_eq!(fourth.size, [12, 8]);
        let file = folder.0.join("a.y4m");
        let bytes = std::fs::read(&file).unwrap();
        std::fs::write(&file, &bytes[..bytes.len() / 2]).unwrap();
        let mut reader = ClipReader::default();
        assert!(clip.read(&mut reader, 4).is_none());
        let count = clip.count();
        assert!(count < 5 && clip.take_news().is_some_and(|line| line.contains("cut off")));
        assert!(Arc::ptr_eq(&shown(0.0), &shown(count as f64 / 25.0)), "it goes round earlier");
    }
}
