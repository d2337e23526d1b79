//! A shape as corners and triangles, and those of a grid.

use super::super::Corner;
use glam::{Mat4, Vec2, Vec3};

#[derive(Clone, Default)]
pub struct Shape {
    pub corners: Vec<Corner>,
    /// Three for each triangle, counter-clockwise from outside.
    pub indices: Vec<u32>,
    pub occluder: Vec<[Vec3; 3]>,
    /// What it is, after its material; empty if that says it.
    pub name: &'static str,
}

#[derive(Clone, Copy)]
pub struct Cells {
    pub count: [u32; 2],
    pub coarse: [u32; 2],
    /// At u = v = 1.
    pub uv: Vec2,
}

impl Cells {
    pub fn new(across: u32, along: u32) -> Self {
        let coarse = |n: u32| n.div_ceil(12).max(1);
        Self { count: [across, along], coarse: [coarse(across), coarse(along)], uv: Vec2::ONE }
    }

    pub fn uv(self, u: f32, v: f32) -> Self {
        Self { uv: Vec2::new(u, v), ..self }
    }

    pub fn coarse(self, u: u32, v: u32) -> Self {
        Self { coarse: [u, v], ..self }
    }
}

/// The surface `at(u, v)`, u and v from 0 to 1; outside is the direction of the cross product of the u and v
/// directions.
pub fn grid(cells: Cells, at: impl Fn(f32, f32) -> Vec3) -> Shape {
    const STEP: f32 = 1.0 / 1024.0;
    let [nu, nv] = cells.count;
    let mut shape = Shape::default();
    for j in 0..=nv {
        for i in 0..=nu {
            let (u, v) = (i as f32 / nu as f32, j as f32 / nv as f32);
            let (near_u, near_v) = (u.clamp(STEP, 1.0 - STEP), v.clamp(2.0 * STEP, 1.0 - 2.0 * STEP));
            let du = at(u + STEP, near_v) - at(u - STEP, near_v);
            let dv = at(near_u, near_v + STEP) - at(near_u, near_v - STEP);
            let normal = du.cross(dv).normalize_or(Vec3::Y);
            let tangent = (du - normal * normal.dot(du)).normalize_or(normal.any_orthonormal_vector());
            shape.corners.push(Corner {
                position: at(u, v),
                normal,
                uv: Vec2::new(u, v) * cells.uv,
                tangent,
                ..Corner::default()
            });
        }
    }
    let row = nu + 1;
    for j in 0..nv {
        for i in 0..nu {
            let a = j * row + i;
            let quad = [a, a + 1, a + row + 1, a + row];
            let p = quad.map(|k| shape.corners[k as usize].position);
            let cut = if p[0].distance_squared(p[2]) <= p[1].distance_squared(p[3]) * 1.0001 {
                [[0, 1, 2], [0, 2, 3]]
            } else {
                [[0, 1, 3], [1, 2, 3]]
            };
            for [a, b, c] in cut {
                if (p[b] - p[a]).cross(p[c] - p[a]).length_squared() > 1e-16 {
                    shape.indices.extend([quad[a], quad[b], quad[c]]);
                }
            }
        }
    }
    let steps = |n: u32, step: u32| (0..n.div_ceil(step)).map(move |k| (k * step, ((k + 1) * step).min(n)));
    for (j, below) in steps(nv, cells.coarse[1]) {
        for (i, right) in steps(nu, cells.coarse[0]) {
            let p = |i: u32, j: u32| shape.corners[(j * row + i) as usize].position;
            let [a, b, c, d] = [p(i, j), p(right, j), p(right, below), p(i, below)];
            shape.occluder.extend([[a, b, c], [a, c, d]]);
        }
    }
    shape
}

impl Shape {
    pub fn named(self, name: &'static str) -> Self {
        Self { name, ..self }
    }

    pub fn with(mut self, other: Self) -> Self {
        let base = self.corners.len() as u32;
        self.corners.extend(other.corners);
        self.indices.extend(other.indices.iter().map(|index| base + index));
        self.occluder.extend(other.occluder);
        self
    }

    pub fn placed(mut self, world_from_shape: Mat4) -> Self {
        let normal = world_from_shape.inverse().transpose();
        for corner in &mut self.corners {
            corner.position = world_from_shape.transform_point3(corner.position);
            corner.normal = normal.transform_vector3(corner.normal).normalize_or(Vec3::Y);
            corner.tangent = world_from_shape.transform_vector3(corner.tangent).normalize_or(Vec3::X);
        }
        for at in self.occluder.as_flattened_mut() {
            *at = world_from_shape.transform_point3(*at);
        }
        self
    }

    pub fn at(self, x: f32, y: f32, z: f32) -> Self {
        self.placed(Mat4::from_translation(Vec3::new(x, y, z)))
    }

    pub fn uv_by(mut self, uv: impl Fn(&Corner) -> Vec2) -> Self {
        for corner in &mut self.corners {
            corner.uv = uv(corner);
        }
        self
    }

    pub fn flipped(mut self) -> Self {
        self.corners.iter_mut().for_each(|corner| corner.normal = -corner.normal);
        self.indices.chunks_exact_mut(3).for_each(|triangle| triangle.swap(1, 2));
        self
    }

    pub fn shadeless(self) -> Self {
        Self { occluder: vec![], ..self }
    }
}

/// Catmull-Rom, `t` from 0 to 1.
pub fn spline(points: &[[f32; 2]], t: f32) -> Vec2 {
    let last = points.len() - 1;
    let at = |i: isize| Vec2::from(points[i.clamp(0, last as isize) as usize]);
    if last == 0 {
        return at(0);
    }
    let along = t.clamp(0.0, 1.0) * last as f32;
    let i = (along as usize).min(last - 1);
    let (t, i) = (along - i as f32, i as isize);
    let (b, c) = (at(i), at(i + 1));
    let a = if i == 0 { b * 2.0 - c } else { at(i - 1) };
    let d = if i as usize + 2 > last { c * 2.0 - b } else { at(i + 2) };
    0.5 * (2.0 * b + (c - a) * t + (2.0 * a - 5.0 * b + 4.0 * c - d) * t * t + (3.0 * b - a - 3.0 * c + d) * t * t * t)
}
