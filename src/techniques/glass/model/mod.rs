//! CPU model of the glass: the formulas of `shaders/glass`, line by line and name by name, in plain `std` and `glam`.

#[cfg(test)]
mod artefacts;
pub mod blur;
pub mod lens;
pub mod light;
pub mod luminance_adaptation;
pub mod optics;
pub mod picture;
pub mod preblur;
pub mod shape;
pub mod source;
pub mod surface;
pub mod text_contrast;
pub mod text_outline;
#[cfg(test)]
mod text_outline_tests;
pub mod view;
