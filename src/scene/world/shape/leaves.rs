//! Crowns of many small leaves.

use super::{Shape, ellipsoid};
use crate::{picture::noise::Dice, world::Corner};
use glam::{Vec2, Vec3};

/// Two triangles folded along its rib, two-sided.
fn leaf(shape: &mut Shape, root: Vec3, tip: Vec3, up: Vec3, wide: f32, sky: f32, color: Vec3) {
    let along = tip - root;
    let side = along.cross(up).normalize_or(along.any_orthonormal_vector()) * wide;
    let rise = side.cross(along).normalize_or(Vec3::Y) * wide * 0.35;
    let middle = root.lerp(tip, 0.45);
    let at = [root, middle + side + rise, tip, middle - side + rise];
    let normal = side.cross(along).normalize_or(Vec3::Y);
    let smooth = (normal * normal.dot(up).signum() * 0.55 + up).normalize_or(Vec3::Y);
    for (order, facing) in [([0, 1, 2, 0, 2, 3], 1.0), ([0, 2, 1, 0, 3, 2], -1.0)] {
        let base = shape.corners.len() as u32;
        let lit = (smooth + normal * facing * normal.dot(up).signum() * 0.6).normalize_or(smooth);
        for (k, position) in at.into_iter().enumerate() {
            let uv = [Vec2::ZERO, Vec2::new(1.0, 0.5), Vec2::ONE, Vec2::new(0.0, 0.5)][k];
            let tangent = (along - lit * lit.dot(along)).normalize_or(lit.any_orthonormal_vector());
            shape.corners.push(Corner {
                position,
                normal: lit,
                uv,
                tangent,
                flipped: false,
                color,
                sky,
                ..Corner::default()
            });
        }
        shape.indices.extend(order.map(|k| base + k));
    }
}

/// `count` leaves on ellipsoids with `radii`. Their sky visibility depends on how far out they are.
pub fn crown(radii: Vec3, count: u32, length: f32, slender: f32, seed: u32) -> Shape {
    let mut dice = Dice::new(seed);
    let mut shape = Shape { occluder: ellipsoid(radii * 0.8, 10, 6).occluder, ..Shape::default() };
    for _ in 0..count {
        let y = dice.between(-1.0, 1.0);
        let turn = dice.between(0.0, std::f32::consts::TAU);
        let flat = (1.0 - y * y).sqrt();
        let out = Vec3::new(flat * turn.cos(), y, flat * turn.sin());
        let depth = 1.0 - 0.5 * dice.roll() * dice.roll();
        let taper = if radii.y > 1.6 * radii.x { 1.0 - 0.55 * (0.5 + 0.5 * y) } else { 1.0 };
        let root = out * radii * depth * Vec3::new(taper, 1.0, taper);
        let up = (out / radii).normalize_or(Vec3::Y);
        let wander = Vec3::new(dice.between(-1.0, 1.0), dice.between(-1.0, 1.0), dice.between(-1.0, 1.0));
        let growth = if radii.y > 1.6 * radii.x { Vec3::Y * 0.9 } else { Vec3::Y * 0.2 };
        let direction = (up * 0.6 + wander * 0.8 + growth).normalize_or(up);
        let long = length * dice.between(0.7, 1.3);
        let sky = ((depth - 0.4) / 0.6).powf(1.5) * (0.62 + 0.38 * (up.y * 0.5 + 0.5)) * dice.between(0.85, 1.0);
        let shade = dice.between(0.72, 1.0);
        let color = Vec3::new(shade * dice.between(0.85, 1.0), shade, shade * dice.between(0.6, 0.95));
        leaf(&mut shape, root, root + direction * long, up, long * slender, sky, color);
    }
    shape
}
