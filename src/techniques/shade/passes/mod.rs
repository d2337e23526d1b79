//! All passes of the technique, by the names that Timings shows: sky, light, layers, tone curve, and the views.

pub mod shading;
pub mod sky;
pub mod split;
pub mod tone;
