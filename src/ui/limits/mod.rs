//! Limits of passes: bytes and bandwidth beside a copy's, and the details of one pass.

mod details;
mod source_rows;
mod state;
#[cfg(test)]
mod tests;
mod text;

pub(super) use details::Details;
pub use state::{ClockState, LimitsState, ProbeState};
pub(super) use text::{brief, clock_lamp, device_line, figures, sentences};
