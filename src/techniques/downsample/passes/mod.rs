//! All passes of the technique, by the names that Timings shows: every method, and the views.

pub mod methods;
pub mod views;
