//! All passes of the technique, by the names that Timings shows: resolve, reprojection, history.

pub mod history;
pub mod reproject;
pub mod resolve;
