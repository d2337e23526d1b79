//! Framing of the scenery.

use glam::Vec2;

/// 1440 units from top to bottom, 1280 units in the middle from left to right.
pub struct Framing {
    pub size: [u32; 2],
    pub unit_px: f32,
}

impl Framing {
    pub fn new(size: [u32; 2]) -> Self {
        Self { size, unit_px: size[1] as f32 / 1440.0 }
    }

    pub fn origin(&self) -> Vec2 {
        Vec2::new(self.size[0] as f32 / 2.0 - 1280.0 * self.unit_px, 0.0)
    }

    pub fn unit(&self, px: Vec2) -> Vec2 {
        (px - self.origin()) / self.unit_px
    }

    pub fn px(&self, unit: Vec2) -> Vec2 {
        unit * self.unit_px + self.origin()
    }
}
