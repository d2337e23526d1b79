//! Trace: times of frames, and the run that they are from.

use super::timing::FrameTiming;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct TraceFacts {
    pub device: String,
    pub driver: String,
    pub api: String,
    pub is_one_queue: bool,
    pub size: [u32; 2],
    pub settings: String,
    pub version: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub untimed: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trace {
    pub facts: TraceFacts,
    pub frames: Vec<FrameTiming>,
}

impl TraceFacts {
    pub fn has_same_device(&self, other: &Self) -> bool {
        (&self.device, &self.driver) == (&other.device, &other.driver)
    }
}
