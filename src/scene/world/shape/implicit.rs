//! Zero surface of a function of space.

use super::Shape;
use crate::world::Corner;
use glam::{Vec2, Vec3};
use std::collections::HashMap;

/// Naive surface nets (Gibson 1998) of `distance` (negative inside), with vertices projected onto the surface; `cells`
/// along the longest side.
pub fn implicit(low: Vec3, high: Vec3, cells: u32, distance: impl Fn(Vec3) -> f32) -> Shape {
    let size = high - low;
    let step = size.max_element() / cells as f32;
    let count = (size / step).ceil().as_uvec3() + 1;
    let at = |i: u32, j: u32, k: u32| low + Vec3::new(i as f32, j as f32, k as f32) * step;
    let number = |i: u32, j: u32, k: u32| (k * count.y + j) * count.x + i;
    let mut values = Vec::with_capacity((count.x * count.y * count.z) as usize);
    for k in 0..count.z {
        for j in 0..count.y {
            values.extend((0..count.x).map(|i| distance(at(i, j, k))));
        }
    }
    let inside = |i, j, k| values[number(i, j, k) as usize] < 0.0;
    let gradient = |p: Vec3| {
        let e = step * 0.25;
        let along = |d: Vec3| distance(p + d * e) - distance(p - d * e);
        Vec3::new(along(Vec3::X), along(Vec3::Y), along(Vec3::Z)).normalize_or(Vec3::Y)
    };
    let mut shape = Shape::default();
    let mut vertex_of: HashMap<u32, u32> = HashMap::new();
    let middle = (low + high) * 0.5;
    for k in 0..count.z - 1 {
        for j in 0..count.y - 1 {
            for i in 0..count.x - 1 {
                let within = (0..8).filter(|c| inside(i + (c & 1), j + (c >> 1 & 1), k + (c >> 2))).count();
                if within == 0 || within == 8 {
                    continue;
                }
                let mut p = at(i, j, k) + step * 0.5;
                for _ in 0..3 {
                    p -= gradient(p) * distance(p).clamp(-step, step) * 0.9;
                }
                let normal = gradient(p);
                let out = p - middle;
                let tangent = Vec3::Y.cross(normal).normalize_or(Vec3::X);
                let uv = Vec2::new(out.z.atan2(out.x) / std::f32::consts::TAU + 0.5, (p.y - low.y) / size.y);
                vertex_of.insert(number(i, j, k), shape.corners.len() as u32);
                shape.corners.push(Corner { position: p, normal, uv, tangent, ..Corner::default() });
            }
        }
    }
    for k in 1..count.z - 1 {
        for j in 1..count.y - 1 {
            for i in 1..count.x - 1 {
                let here = inside(i, j, k);
                for (axis, (b, c)) in [(1, 2), (2, 0), (0, 1)].into_iter().enumerate() {
                    let mut next = [i, j, k];
                    next[axis] += 1;
                    if inside(next[0], next[1], next[2]) == here {
                        continue;
                    }
                    let cell = |db: u32, dc: u32| {
                        let mut cell = [i, j, k];
                        cell[b] -= db;
                        cell[c] -= dc;
                        vertex_of.get(&number(cell[0], cell[1], cell[2])).copied()
                    };
                    let (Some(p), Some(q), Some(r), Some(s)) = (cell(1, 1), cell(0, 1), cell(0, 0), cell(1, 0)) else {
                        continue;
                    };
                    shape.indices.extend(if here { [p, q, r, p, r, s] } else { [p, r, q, p, s, r] });
                }
            }
        }
    }
    shape.occluder = super::ellipsoid(size * 0.4, 10, 6).at(middle.x, middle.y, middle.z).occluder;
    shape
}
