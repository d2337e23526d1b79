//! Drawing surface in units.

use super::{canvas::Canvas, lettering::Face, path::Path};
use glam::{Vec2, Vec3};

pub struct Desk<'a> {
    pub canvas: &'a mut Canvas,
    pub unit_px: f32,
}

impl Desk<'_> {
    pub fn fill(&mut self, path: Path, light: Vec3, alpha: f32) {
        self.canvas.fill(&path.placed(self.unit_px, Vec2::ZERO), light, alpha);
    }

    pub fn text(&mut self, face: &Face, text: &str, size: f32, origin: Vec2, light: Vec3, alpha: f32) -> f32 {
        let (path, width) = face.line(text, size, 0.0, origin);
        self.fill(path, light, alpha);
        width
    }

    pub fn centred(&mut self, face: &Face, text: &str, size: f32, middle: Vec2, light: Vec3, alpha: f32) {
        let width = face.line(text, size, 0.0, Vec2::ZERO).1;
        self.text(face, text, size, middle - Vec2::new(width / 2.0, 0.0), light, alpha);
    }

    pub fn snapped(&self, low: Vec2, high: Vec2) -> (Vec2, Vec2) {
        ((low * self.unit_px).round() / self.unit_px, (high * self.unit_px).round() / self.unit_px)
    }

    pub fn lift(&mut self, low: Vec2, high: Vec2, radius: f32) {
        let down = Vec2::new(0.0, 9.0);
        let unit = self.unit_px;
        self.canvas.shadow((low + down) * unit, (high + down) * unit, radius * unit, 22.0 * unit, 0.42);
    }
}
