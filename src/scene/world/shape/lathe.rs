//! Round shapes: lathed profiles, ellipsoids, rings and knots.

use super::{Cells, Shape, grid, spline};
use glam::{Vec2, Vec3};
use std::f32::consts::TAU;

fn round(radius: f32, y: f32, turn: f32) -> Vec3 {
    let (sin, cos) = (turn * TAU).sin_cos();
    Vec3::new(radius * cos, y, -radius * sin)
}

/// Radius and height, rotated about the vertical, with creases between profiles; `rows` cells between two points.
pub fn lathe(around: u32, rows: u32, profiles: &[&[[f32; 2]]]) -> Shape {
    fluted(around, rows, profiles, 0, 0.0)
}

/// Flutes are cut `depth` of the radius deep into the second profile of several.
pub fn fluted(around: u32, rows: u32, profiles: &[&[[f32; 2]]], flutes: u32, depth: f32) -> Shape {
    profiles.iter().enumerate().fold(Shape::default(), |shape, (k, points)| {
        let straight = points.len() == 2 && flutes == 0;
        let along = if straight { rows.min(2) } else { rows * (points.len() as u32 - 1) };
        let cut = if flutes > 0 && (k == 1 || profiles.len() == 1) { depth } else { 0.0 };
        let cells = Cells::new(around, along).coarse((around / 10).max(1), if straight { 2 } else { rows });
        shape.with(grid(cells, |u, v| {
            let at = spline(points, v);
            let fade = (v * (1.0 - v) * 40.0).min(1.0);
            let flute = (u * flutes as f32 * std::f32::consts::PI).sin().abs();
            let inward = 1.0 - cut * fade * (1.0 - flute * flute * 0.9);
            round(at.x.max(0.0) * inward, at.y, u)
        }))
    })
}

pub fn ellipsoid(radii: Vec3, around: u32, along: u32) -> Shape {
    superellipsoid(radii, [1.0, 1.0], around, along)
}

/// Barr's: exponents 1 for an ellipsoid, towards 0 for a box.
pub fn superellipsoid(radii: Vec3, [upright, flat]: [f32; 2], around: u32, along: u32) -> Shape {
    let power = |x: f32, e: f32| if e == 1.0 { x } else { x.signum() * x.abs().powf(e) };
    grid(Cells::new(around, along), |u, v| {
        let (sin_u, cos_u) = (u * TAU).sin_cos();
        let (sin_v, cos_v) = ((v - 0.5) * 0.5 * TAU).sin_cos();
        let wide = power(cos_v, upright);
        radii * Vec3::new(wide * power(cos_u, flat), power(sin_v, upright), -wide * power(sin_u, flat))
    })
}

pub fn disc(around: u32, rings: u32, radius: f32, height: impl Fn(Vec2) -> f32) -> Shape {
    grid(Cells::new(around, rings), |u, v| {
        let flat = round(radius * (1.0 - v), 0.0, u);
        flat + Vec3::Y * height(Vec2::new(flat.x, flat.z))
    })
}

pub fn ring(wide: f32, thin: f32, around: u32, tube: u32) -> Shape {
    grid(Cells::new(around, tube), |u, v| {
        let (sin, cos) = (v * TAU).sin_cos();
        round(wide - thin * cos, -thin * sin, u)
    })
}

/// `p` turns around the hole's axis, `q` through it; the tube is an ellipse.
pub fn knot([p, q]: [f32; 2], wide: f32, thin: Vec2, along: u32, tube: u32) -> Shape {
    let curve = |t: f32| {
        let (sin_q, cos_q) = (q * t * TAU).sin_cos();
        let (sin_p, cos_p) = (p * t * TAU).sin_cos();
        let r = wide * (1.0 + 0.42 * cos_q);
        Vec3::new(r * cos_p, r * sin_p, wide * 0.42 * sin_q)
    };
    grid(Cells::new(tube, along), |u, v| {
        const STEP: f32 = 1e-3;
        let center = curve(v);
        let forward = (curve(v + STEP) - curve(v - STEP)).normalize_or(Vec3::X);
        let core = Vec3::new((p * v * TAU).cos(), (p * v * TAU).sin(), 0.0) * wide;
        let out = center - core;
        let side = (out - forward * forward.dot(out)).normalize_or(Vec3::Z);
        let other = forward.cross(side);
        let (sin, cos) = (u * TAU).sin_cos();
        center + (side * cos * thin.x + other * sin * thin.y)
    })
}
