//! All passes of the technique, by the names that Timings shows: culling, drawing, the depth pyramid, and the views.

pub mod compute;
pub mod culling;
pub mod draw;
pub mod targets;
pub mod view;
