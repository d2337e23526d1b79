//! The twin on the CPU: std and glam only.

pub mod rays;
pub mod stencil;
