//! The run that a trace is from.

use serde::Serialize;

#[derive(Clone, Debug, Default, Serialize)]
pub struct TraceFacts {
    pub device: String,
    pub driver: String,
    pub api: String,
    pub is_one_queue: bool,
    pub size: [u32; 2],
    pub settings: String,
    pub version: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub untimed: Option<String>,
}
