//! Draggable line of a split view.

use glam::Vec2;

/// Logical pixels.
const REACH: f32 = 6.0;
pub const KNOB: f32 = 30.0;
pub const KNOB_RADIUS: f32 = 11.0;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Split {
    /// From 0, the left border, to 1, the right one.
    pub at: f32,
    grab_offset: Option<f32>,
    was_moved: bool,
}

impl Default for Split {
    fn default() -> Self {
        Self { at: 0.5, grab_offset: None, was_moved: false }
    }
}

impl Split {
    pub fn is_near(&self, pointer: Vec2, width_px: f32, scale: f32) -> bool {
        (pointer.x - self.at * width_px).abs() <= REACH * scale
    }

    pub fn is_on_knob(&self, pointer: Vec2, area_px: Vec2, scale: f32) -> bool {
        let knob = Vec2::new(self.at * area_px.x, area_px.y - KNOB * scale);
        pointer.distance(knob) <= (KNOB_RADIUS + 3.0) * scale
    }

    pub fn center(&mut self, free_px: f32, width_px: f32) {
        if !self.was_moved {
            self.put(0.5 * free_px, width_px);
        }
    }

    pub fn put(&mut self, x_px: f32, width_px: f32) {
        self.at = (x_px / width_px.max(1.0)).clamp(0.0, 1.0);
    }

    pub fn grab(&mut self, pointer: Vec2, width_px: f32) {
        self.grab_offset = Some(pointer.x - self.at * width_px);
    }

    pub fn release(&mut self) {
        self.grab_offset = None;
    }

    pub fn is_held(&self) -> bool {
        self.grab_offset.is_some()
    }

    pub fn drag(&mut self, pointer: Vec2, width_px: f32) -> bool {
        let Some(offset) = self.grab_offset else { return false };
        let before = self.at;
        self.put(pointer.x - offset, width_px);
        self.was_moved |= self.at != before;
        self.at != before
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_follows_without_a_jump_and_stays_inside() {
        let at = |x| Vec2::new(x, 10.0);
        let mut split = Split::default();
        assert!(split.is_near(at(405.0), 800.0, 1.0) && !split.is_near(at(410.0), 800.0, 1.0));
        assert!(split.is_near(at(410.0), 800.0, 2.0));
        assert!(!split.drag(at(700.0), 800.0), "not held");
        split.grab(at(404.0), 800.0);
        assert!(!split.drag(at(404.0), 800.0), "grabbing moves nothing");
        assert!(split.drag(at(604.0), 800.0));
        assert_eq!(split.at, 0.75);
        split.drag(at(-50.0), 800.0);
        assert_eq!(split.at, 0.0);
        split.release();
        assert!(!split.drag(at(400.0), 800.0));
        split.center(500.0, 800.0);
        assert_eq!(split.at, 0.0, "it stays where it was put");
        let mut fresh = Split::default();
        fresh.center(400.0, 800.0);
        assert_eq!(fresh.at, 0.25);
        let area = Vec2::new(800.0, 600.0);
        assert!(fresh.is_on_knob(Vec2::new(205.0, 565.0), area, 1.0));
        assert!(!fresh.is_on_knob(Vec2::new(200.0, 300.0), area, 1.0));
        assert!(fresh.is_on_knob(Vec2::new(220.0, 540.0), area, 2.0));
    }
}
