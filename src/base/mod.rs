//! Foundation without Vulkan: settings, image files, statistics, text.

pub mod array;
pub mod boxes;
mod colour;
pub mod difference;
pub mod file;
pub mod half;
pub mod job;
mod jpeg;
pub mod markdown;
pub mod notes;
pub mod picture;
pub mod pixels;
pub mod png;
pub mod resample;
pub mod settings;
mod settings_field;
mod settings_toml;
mod settings_value;
pub mod signature;
pub mod srgb;
pub mod stats;
pub mod system;
pub mod system_fonts;
pub mod text;
pub mod threads;
pub mod timing;
pub mod trace;
