//! Plan of the GPU path: outlines for the tiles, reach of the rays, frost, and values of the shaders. `reference`
//! shares none of it.

pub mod blur;
pub mod lens;
pub mod light;
pub mod optics;
pub mod preblur;
pub mod shape;
pub mod source;
pub mod surface;
pub mod system;
pub mod text_contrast;
pub mod text_outline;
#[cfg(test)]
mod text_outline_tests;
