//! Kinds of work given to a device.
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UsedFeatures {
    pub draws: bool,
    pub subgroups: bool,
}

#[derive(Default)]
pub(super) struct Usage {
    draws: AtomicBool,
    subgroups: AtomicBool,
}

impl Usage {
    pub fn note(&self, used: UsedFeatures) {
        self.draws.fetch_or(used.draws, Relaxed);
        self.subgroups.fetch_or(used.subgroups, Relaxed);
    }

    pub fn take(&self) -> UsedFeatures {
        UsedFeatures { draws: self.draws.swap(false, Relaxed), subgroups: self.subgroups.swap(false, Relaxed) }
    }
}
