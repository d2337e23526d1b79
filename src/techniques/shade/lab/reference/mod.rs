//! CPU reference of the shading: std and glam only, one file for each of the shaders' includes.

pub mod gallery;
pub mod kinds;
mod lamps;
mod layered;
pub mod light;
pub mod lobes;
pub mod map;
pub mod noise;
pub mod sky;
pub mod sky_picture;
pub mod surface;
pub mod tone;
