//! All passes of the technique, by the names that Timings shows: the step of the simulation, and drawing.

pub mod draw;
pub mod step;
