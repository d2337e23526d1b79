//! The shading on the CPU: std and glam only.

pub mod gallery;
