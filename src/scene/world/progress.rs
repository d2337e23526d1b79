//! Progress of a world under construction: reported by the building thread, read and cancelled by any other.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

/// Shared progress.
#[derive(Clone, Debug, Default)]
pub struct Progress(Arc<Work>);

#[derive(Debug, Default)]
struct Work {
    /// In thousandths.
    done: AtomicU32,
    is_stopped: AtomicBool,
}

/// The work was cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("reading it was cancelled")]
pub struct Stopped;

thread_local! {
    static HERE: RefCell<Progress> = RefCell::default();
}

impl Progress {
    /// From 0 to 1.
    #[must_use]
    pub fn part(&self) -> f32 {
        self.0.done.load(Relaxed) as f32 / 1000.0
    }

    /// Runs `work`, which reports its progress here.
    pub fn follow<T>(&self, work: impl FnOnce() -> T) -> T {
        let before = HERE.replace(self.clone());
        let done = work();
        HERE.set(before);
        done
    }

    /// The progress of the work on this thread.
    pub(super) fn here() -> Self {
        HERE.with_borrow(Clone::clone)
    }

    /// Reports the progress.
    pub(super) fn tell(&self, part: f32) {
        self.0.done.fetch_max((part.clamp(0.0, 1.0) * 1000.0) as u32, Relaxed);
    }

    /// Cancels the work: it ends as soon as possible, with [`Stopped`] if it can fail.
    pub fn stop(&self) {
        self.0.is_stopped.store(true, Relaxed);
    }

    /// Whether it was cancelled.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.0.is_stopped.load(Relaxed)
    }

    /// Reports the progress; fails if cancelled.
    pub(super) fn go_on(&self, part: f32) -> Result<(), Stopped> {
        self.tell(part);
        if self.is_stopped() { Err(Stopped) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::built_in;
    use super::*;
    use crate::scene::Place;

    #[test]
    fn a_world_tells_how_far_it_is() {
        let (progress, other) = (Progress::default(), Progress::default());
        assert_eq!(progress.part(), 0.0);
        progress.follow(|| built_in(Place::Many, 5));
        assert_eq!((progress.part(), other.part()), (1.0, 0.0));
        Progress::here().tell(0.5);
        assert_eq!(progress.part(), 1.0, "what comes later is not told to it");
    }
}
