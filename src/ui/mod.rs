//! Panels: knows settings and timings, not Vulkan.

pub mod hand;
pub mod hand_grip;
