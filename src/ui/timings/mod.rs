//! Cost of each pass per displayed frame: its history, and the figures of the last second.

mod axis_scale;
mod cost;
mod history;
mod hovered_pass;
mod limit_rows;
mod owners;
mod recent;
mod row_focus;
mod tab;
mod table;
#[cfg(test)]
mod tests;

pub(super) use axis_scale::AxisScale;
pub use cost::{CostOf, FullFrame, TechniqueCost};
pub use history::Timings;
pub use hovered_pass::{HoveredPass, RowCosts};
pub(super) use owners::Owners;
pub use recent::FRAMES_RECENT;
pub(super) use recent::TimedFrame;
pub(super) use row_focus::request as request_focus;
pub(super) use tab::PassRows;
