//! The glass on the CPU: the same formulas as `shaders/glass`, line by line and name by name, in plain `std` and `glam`.

pub mod adapt;
#[cfg(test)]
mod artefacts;
pub mod blur;
pub mod legible;
pub mod lens;
pub mod letters;
#[cfg(test)]
mod letters_tests;
pub mod light;
pub mod optics;
pub mod picture;
pub mod preblur;
pub mod shape;
pub mod source;
pub mod surface;
pub mod view;
