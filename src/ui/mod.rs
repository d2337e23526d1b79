//! Panels: knows settings and timings, not Vulkan.
