//! Trace: times of frames, and the run that they are from.

use super::timing::FrameTiming;
use serde::{Deserialize, Serialize};

/// The run of a trace.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct TraceFacts {
    /// The device's own name.
    pub device: String,
    /// Driver name and version.
    pub driver: String,
    /// Vulkan version.
    pub api: String,
    /// The device has no separate compute queue.
    pub is_one_queue: bool,
    /// Size of the picture in pixels.
    pub size: [u32; 2],
    /// All settings, as a preset.
    pub settings: String,
    /// Version of the program.
    pub version: String,
}

/// Frames of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trace {
    /// The run.
    pub facts: TraceFacts,
    /// Its frames, the oldest first.
    pub frames: Vec<FrameTiming>,
}

impl TraceFacts {
    /// Whether both are of one device with one driver.
    #[must_use]
    pub fn has_same_device(&self, other: &Self) -> bool {
        (&self.device, &self.driver) == (&other.device, &other.driver)
    }
}
