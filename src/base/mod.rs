//! No Vulkan: settings, image files, statistics, text, the clock.

pub mod clock;
pub mod stats;
pub mod text;
pub mod timing;
