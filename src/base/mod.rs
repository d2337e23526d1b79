//! No Vulkan: settings, image files, statistics, text, the clock.
