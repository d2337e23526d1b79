//! Spring animation of one lens: stretch along its motion, swelling while pressed, gliding, and the return from the border.
//!
//! Time advances in steps of fixed length, and each step is the exact solution over it: 30 and 240 Hz give the same
//! motion. A lens at rest is exactly at rest and requests no frame.

use crate::{HandSettings, Lens};
use glam::Vec2;
use std::ops::{Add, Div, Mul, Sub};

/// Seconds; the remainder of a frame carries over to the next.
pub(crate) const STEP_S: f32 = 1.0 / 480.0;
/// Longest time advanced at once, seconds.
pub(crate) const LONGEST_S: f32 = 0.25;
/// Wobble.
pub(crate) const SPRING: Spring = Spring { rate: 17.0, damping: 0.5 };
/// Appearing and disappearing lenses.
pub(crate) const COMING: Spring = Spring { rate: 15.0, damping: 0.75 };
/// Rate of the return from the border, which must not oscillate.
pub(crate) const BACK: f32 = 17.0;
/// Logical pixels a second at which the stretch is three quarters of its maximum.
const FAST: f32 = 1600.0;
/// Averaging time of the pointer speed in seconds: events arrive unevenly.
const SMOOTH_S: f32 = 0.02;
/// A lens released slower than this, in logical pixels a second, stays in place.
const THROWN: f32 = 150.0;
/// A thrown lens is at most this many times as fast as on average in this time, in seconds: after a long frame all its
/// events arrive at once.
const THROWN_MOST: f32 = 2.0;
const TRAIL_S: f32 = 0.1;
/// Fraction of its speed that a gliding lens loses per second.
const FRICTION: f32 = 4.5;
/// Maximum overshoot over the border in logical pixels, and initial stiffness.
const BAND: f32 = 120.0;
const BAND_GIVES: f32 = 0.55;
/// Invisible below these: logical pixels a second, and fractions of a lens' size.
const SLOW: f32 = 3.0;
const FINE: f32 = 2e-4;

/// Largest stretch of a moving lens and growth of a pressed one, as fractions.
const SQUASH: f32 = 0.2;
const GROWTH: f32 = 0.03;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Feel {
    /// Largest stretch, as a fraction.
    pub squash: f32,
    /// Swelling of a pressed lens, as a fraction.
    pub press: f32,
    pub inertia: bool,
    pub rubber_band: bool,
    pub appears: bool,
}

impl Feel {
    pub const STILL: Self = Self { squash: 0.0, press: 0.0, inertia: false, rubber_band: false, appears: false };

    pub fn of(settings: &HandSettings) -> Self {
        if settings.reduced_motion {
            return Self::STILL;
        }
        Self { squash: SQUASH, press: GROWTH, inertia: settings.inertia, rubber_band: true, appears: true }
    }
}

/// Centres lie within `area_px`, with `scale` physical pixels per logical one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ground {
    pub area_px: Vec2,
    pub scale: f32,
}

impl Ground {
    pub fn inside(&self, center: Vec2) -> Vec2 {
        center.clamp(Vec2::ZERO, self.area_px.max(Vec2::ZERO))
    }

    /// Centre for a drag to `wanted`: beyond the border it follows ever less, at most by the length of the band.
    pub fn banded(&self, target: Vec2) -> Vec2 {
        let (inside, band) = (self.inside(target), BAND * self.scale);
        let over = target - inside;
        inside + over * BAND_GIVES / (1.0 + over.abs() * BAND_GIVES / band)
    }

    pub fn unbanded(&self, center: Vec2) -> Vec2 {
        let (inside, band) = (self.inside(center), BAND * self.scale);
        let over = (center - inside).clamp(Vec2::splat(-0.95 * band), Vec2::splat(0.95 * band));
        inside + over / (BAND_GIVES * (1.0 - over.abs() / band))
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Motion {
    /// Pixels a second, smoothed over [`SMOOTH_S`] during a drag.
    velocity: Vec2,
    strain: Vec2,
    strain_rate: Vec2,
    /// From 0, free, to 1, pressed.
    press: f32,
    press_rate: f32,
    /// From 0, whole, to 1, gone.
    missing: f32,
    missing_rate: f32,
    goes: bool,
    grip: Grip,
    owed_s: f32,
    /// Seconds ago, and centre then, of the drag's last frames: back to the first that is [`TRAIL_S`] ago.
    trail: Vec<(f32, Vec2)>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Grip {
    #[default]
    Free,
    /// Its centre at the last frame.
    Held(Vec2),
    Gliding,
}

impl Motion {
    pub fn coming() -> Self {
        Self { missing: 1.0, ..Self::default() }
    }

    pub fn going(self) -> Self {
        Self { goes: true, grip: Grip::Free, velocity: Vec2::ZERO, ..self }
    }

    pub fn is_gone(&self) -> bool {
        self.goes && self.missing >= 0.97
    }

    fn missing_goal(&self) -> f32 {
        if self.goes { 1.0 } else { 0.0 }
    }

    fn press_goal(&self) -> f32 {
        if matches!(self.grip, Grip::Held(_)) { 1.0 } else { 0.0 }
    }

    pub fn press(&self) -> f32 {
        self.press.clamp(0.0, 1.0)
    }

    pub fn grab(&mut self, center: Vec2) {
        self.grip = Grip::Held(center);
        self.velocity = Vec2::ZERO;
        self.trail = vec![(0.0, center)];
    }

    /// The lens may glide, or return from over the border.
    pub fn throw(&mut self, center: Vec2, feel: &Feel, ground: &Ground) {
        if let Some((seconds, before)) = self.trail.first() {
            let mean = (center - *before).length() / seconds.max(STEP_S);
            self.velocity = self.velocity.clamp_length_max(THROWN_MOST * mean);
        }
        self.trail.clear();
        let thrown = feel.inertia && self.velocity.length() > THROWN * ground.scale;
        if !thrown {
            self.velocity = Vec2::ZERO;
        }
        let over = feel.rubber_band && ground.inside(center) != center;
        self.grip = if thrown || over { Grip::Gliding } else { Grip::Free };
    }

    pub fn stop(&mut self) {
        self.grip = Grip::Free;
        self.velocity = Vec2::ZERO;
    }

    pub fn is_gliding(&self) -> bool {
        self.grip == Grip::Gliding
    }

    pub fn is_held(&self) -> bool {
        matches!(self.grip, Grip::Held(_))
    }

    /// A lens that is held still is at rest.
    pub fn is_moving(&self, feel: &Feel, ground: &Ground) -> bool {
        let shaped = feel.squash > 0.0 || self.strain != Vec2::ZERO;
        self.grip == Grip::Gliding
            || self.press != self.press_goal()
            || self.missing != self.missing_goal()
            || (shaped && (self.velocity.length() > SLOW * ground.scale || self.strain != Vec2::ZERO))
    }

    pub fn advance(&mut self, frame_s: f32, center: Vec2, feel: &Feel, ground: &Ground) -> Vec2 {
        let elapsed_s = if frame_s.is_finite() { frame_s.max(0.0) } else { 0.0 };
        if matches!(self.grip, Grip::Held(_)) {
            self.trail.iter_mut().for_each(|(ago, _)| *ago += elapsed_s);
            self.trail.push((0.0, center));
            let old = self.trail.iter().take_while(|(ago, _)| *ago >= TRAIL_S).count();
            self.trail.drain(..old.saturating_sub(1));
        }
        let frame_s = elapsed_s.min(LONGEST_S);
        let mut center = center;
        let pushed = match &mut self.grip {
            Grip::Held(before) if frame_s > 0.0 => (center - std::mem::replace(before, center)) / frame_s,
            _ => Vec2::ZERO,
        };
        self.owed_s += frame_s;
        while self.owed_s >= STEP_S {
            self.owed_s -= STEP_S;
            if self.grip == Grip::Gliding {
                center = self.glide(center, feel, ground);
            } else {
                self.velocity += (pushed - self.velocity) * (1.0 - (-STEP_S / SMOOTH_S).exp());
            }
            self.shape(feel, ground);
        }
        self.settle(feel, ground);
        center
    }

    fn glide(&mut self, center: Vec2, feel: &Feel, ground: &Ground) -> Vec2 {
        let border = ground.inside(center);
        let slower = (-FRICTION * STEP_S).exp();
        let mut next = center;
        for axis in 0..2 {
            let (over, speed) = (center[axis] - border[axis], self.velocity[axis]);
            if over == 0.0 {
                next[axis] += speed * (1.0 - slower) / FRICTION;
                self.velocity[axis] = speed * slower;
                if !feel.rubber_band {
                    next[axis] = ground.inside(next)[axis];
                }
            } else {
                // Critically damped spring: x = (x0 + (v0 + w x0) t) exp(-w t).
                let (rise, fade) = (speed + BACK * over, (-BACK * STEP_S).exp());
                let now = (over + rise * STEP_S) * fade;
                next[axis] = border[axis] + now;
                self.velocity[axis] = rise * fade - BACK * now;
            }
        }
        let over = next - ground.inside(next);
        if over.length() < 0.05 * ground.scale && self.velocity.length() < SLOW * ground.scale {
            next = ground.inside(next);
            self.stop();
        }
        next
    }

    fn shape(&mut self, feel: &Feel, ground: &Ground) {
        let speed = self.velocity.length();
        let along = if speed > 0.0 { self.velocity / speed } else { Vec2::ZERO };
        let stretch = (feel.squash * (speed / (FAST * ground.scale)).tanh()).ln_1p();
        // The direction at twice its angle, by the double-angle formulas.
        let goal = stretch * Vec2::new(along.x * along.x - along.y * along.y, 2.0 * along.x * along.y);
        (self.strain, self.strain_rate) = SPRING.advance(self.strain, self.strain_rate, goal);
        (self.press, self.press_rate) = SPRING.advance(self.press, self.press_rate, self.press_goal());
        (self.missing, self.missing_rate) = COMING.advance(self.missing, self.missing_rate, self.missing_goal());
    }

    fn settle(&mut self, feel: &Feel, ground: &Ground) {
        let goal = self.press_goal();
        let swelling = (feel.press * (self.press - goal)).abs() < FINE;
        if swelling && (feel.press * self.press_rate).abs() < FINE * SPRING.rate {
            (self.press, self.press_rate) = (goal, 0.0);
        }
        let missing = self.missing_goal();
        if !feel.appears || (self.missing - missing).abs() < FINE && self.missing_rate.abs() < FINE * COMING.rate {
            (self.missing, self.missing_rate) = (missing, 0.0);
        }
        if self.grip == Grip::Gliding {
            return;
        }
        let slow = self.velocity.length() <= SLOW * ground.scale;
        let quiet = self.strain.length() < FINE && self.strain_rate.length() < FINE * SPRING.rate;
        if slow && (quiet || feel.squash == 0.0) {
            (self.velocity, self.strain, self.strain_rate) = (Vec2::ZERO, Vec2::ZERO, Vec2::ZERO);
        }
        if !self.is_moving(feel, ground) {
            self.owed_s = 0.0;
        }
    }

    pub fn drawn(&self, lens: &Lens, feel: &Feel) -> Lens {
        // Text and paths keep their size: their distance field is not rebuilt for each frame.
        let there = if !lens.outline.has_field() { (1.0 - self.missing).max(0.03) } else { 1.0 };
        let size = (1.0 + feel.press * self.press) * there;
        Lens { strain: self.strain, ..lens.sized(lens.outline.half() * size) }
    }
}

/// `rate`: radians a second without damping; `damping` below 1 oscillates.
pub(crate) struct Spring {
    pub rate: f32,
    pub damping: f32,
}

impl Spring {
    pub fn advance<T>(&self, place: T, speed: T, goal: T) -> (T, T)
    where
        T: Copy + Add<Output = T> + Sub<Output = T> + Mul<f32, Output = T> + Div<f32, Output = T>,
    {
        let decay = self.damping * self.rate;
        let swing = self.rate * (1.0 - self.damping * self.damping).sqrt();
        let (sin, cos) = (swing * STEP_S).sin_cos();
        let fade = (-decay * STEP_S).exp();
        let off = place - goal;
        let push = (speed + off * decay) / swing;
        let now = (off * cos + push * sin) * fade;
        (goal + now, (push * cos - off * sin) * (swing * fade) - now * decay)
    }
}

#[cfg(test)]
#[path = "spring_tests.rs"]
mod tests;
