//! Cost of each pass per displayed frame: its history, and the figures of the last second.

mod cost;
pub(super) mod graph;
mod history;
mod limit_rows;
mod owners;
mod queue_axis;
mod queues;
mod tab;
mod table;
#[cfg(test)]
mod tests;

pub use cost::TechniqueCost;
pub use history::{Timings, WINDOW_S};
pub(super) use owners::Owners;
pub(super) use queue_axis::QueueNote;
pub(super) use tab::PassRows;
