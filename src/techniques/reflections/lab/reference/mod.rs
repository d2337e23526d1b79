//! CPU reference of the reflections: std and glam only.

pub mod rays;
pub mod stencil;
