//! Where one lens lies and what outline it has.

use glam::Vec2;

/// The outline of one lens: |x / half.x|^exponent + |y / half.y|^exponent = 1 around its centre, turned by its angle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lens {
    /// Pixels from the top left, x to the right, y down.
    pub center: Vec2,
    /// Half width and half height in pixels.
    pub half: Vec2,
    /// 2 is an ellipse; the larger, the nearer to a rectangle.
    pub exponent: f32,
    /// Radians, from x towards y.
    pub angle: f32,
}
