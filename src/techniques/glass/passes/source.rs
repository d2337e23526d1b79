//! Mode "source": its extent.

use glam::Vec2;

/// Pixels, both ways: F = 1e-4 at 0.158 of the window's height.
pub fn half_extent(size: Vec2) -> f32 {
    0.5 * size.y * 1e-4_f32.powf(0.125)
}
