//! Record of the kinds of work given to a device since the last query.
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Kinds of work recorded on a device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UsedFeatures {
    /// A raster pass.
    pub draws: bool,
    /// A compute dispatch whose shader has subgroup operations.
    pub subgroups: bool,
}

/// Set by the recorder, taken by the test harness: a check states which of these it depends on.
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
