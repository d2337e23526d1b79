//! Scrolling: the springs of the lenses along one axis, and the way to a goal of the wheel or a key.

use crate::spring::{BACK, Feel, Ground, Motion};
use glam::Vec2;

/// Points, and points a second: at rest.
const NEAR: f32 = 0.05;
const SLOW: f32 = 2.0;

#[derive(Clone, Debug, Default)]
pub struct Scroll {
    motion: Motion,
    seek: Option<Seek>,
}

#[derive(Clone, Copy, Debug)]
struct Seek {
    goal: f32,
    speed: f32,
}

fn ground(longest: f32) -> Ground {
    Ground { area_px: Vec2::new(0.0, longest), scale: 1.0 }
}

fn along(offset: f32) -> Vec2 {
    Vec2::new(0.0, offset)
}

impl Scroll {
    /// Returns the offset that a drag starts from: the one that the band, if there is one, has pulled it from.
    pub fn grab(&mut self, offset: f32, longest: f32, feel: &Feel) -> f32 {
        self.seek = None;
        self.motion.grab(along(offset));
        if feel.rubber_band { ground(longest).unbanded(along(offset)).y } else { offset }
    }

    pub fn dragged(target: f32, longest: f32, feel: &Feel) -> f32 {
        let ground = ground(longest);
        if feel.rubber_band { ground.banded(along(target)).y } else { ground.inside(along(target)).y }
    }

    pub fn release(&mut self, offset: f32, longest: f32, feel: &Feel) {
        self.motion.throw(along(offset), feel, &ground(longest));
    }

    /// By a wheel or key: from where it is going already.
    pub fn seek(&mut self, by: f32, offset: f32, longest: f32) {
        self.motion.stop();
        let from = self.seek.map_or(offset, |seek| seek.goal);
        let speed = self.seek.map_or(0.0, |seek| seek.speed);
        self.seek = Some(Seek { goal: (from + by).clamp(0.0, longest), speed });
    }

    pub fn advance(&mut self, seconds: f32, offset: f32, longest: f32, feel: &Feel) -> (f32, bool) {
        let (ground, feel) = (ground(longest), &Feel { squash: 0.0, ..*feel });
        let Some(seek) = &mut self.seek else {
            let offset = self.motion.advance(seconds, along(offset), feel, &ground).y;
            // The window may have grown.
            let is_free = !self.motion.is_gliding() && !self.motion.is_held();
            let inside = if is_free { ground.inside(along(offset)).y } else { offset };
            return (inside, self.motion.is_moving(feel, &ground));
        };
        seek.goal = seek.goal.clamp(0.0, longest);
        if !feel.rubber_band {
            let goal = seek.goal;
            self.seek = None;
            return (goal, false);
        }
        // Critically damped spring: x = (x0 + (v0 + w x0) t) exp(-w t).
        let seconds = if seconds.is_finite() { seconds.max(0.0) } else { 0.0 };
        let (off, fade) = (offset - seek.goal, (-BACK * seconds).exp());
        let rise = seek.speed + BACK * off;
        let now = (off + rise * seconds) * fade;
        seek.speed = rise * fade - BACK * now;
        if now.abs() < NEAR && seek.speed.abs() < SLOW {
            let goal = seek.goal;
            self.seek = None;
            return (goal, false);
        }
        (seek.goal + now, true)
    }
}
