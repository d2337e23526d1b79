//! The glass on the CPU: the same formulas as `shaders/glass`, line by line and name by name, in plain `std` and `glam`.

pub mod luminance_adaptation;
#[cfg(test)]
mod artefacts;
pub mod blur;
pub mod text_contrast;
pub mod lens;
pub mod text_outline;
#[cfg(test)]
mod text_outline_tests;
pub mod light;
pub mod optics;
pub mod picture;
pub mod preblur;
pub mod shape;
pub mod source;
pub mod surface;
pub mod view;
