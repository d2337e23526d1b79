//! Pictures, moving pictures, colour, resampling, fonts; without a GPU.

pub mod array;
mod bmp;
pub mod clip;
mod colour;
mod cube_map;
pub mod difference;
mod jpeg;
pub mod light_picture;
mod openexr;
pub mod picture;
pub mod pixels;
pub mod png;
mod radiance;
pub mod resample;
pub mod signature;
pub mod source;
pub mod system_fonts;
mod tiff;
pub mod y4m;
