//! All passes of the technique, by the names that Timings shows: every method, and the views.

pub mod builder;
pub mod cascade;
pub mod partial_update;
pub mod single_pass;
pub mod step;
pub mod strips;
pub mod views;
