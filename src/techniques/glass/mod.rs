//! The liquid glass: a lens over the picture that bends, frosts and lights what lies below.

pub mod gpu;
pub mod oracle;
pub mod settings;
pub mod tiles;
pub mod views;

pub use settings::{Blur, GlassSettings, Mode, Preset, SourceBlur};
