//! Settings, jobs, text, statistics, atomic files.

pub mod boxes;
pub mod file;
#[cfg(any(test, feature = "fixtures"))]
pub mod fixtures;
pub mod guard;
pub mod half;
pub mod job;
pub mod markdown;
pub mod notes;
pub mod settings;
mod settings_field;
mod settings_toml;
mod settings_value;
pub mod srgb;
pub mod stats;
pub mod system;
pub mod text;
pub mod threads;
pub mod timing;
pub mod trace;
#[doc(hidden)]
pub use {serde, toml};
