//! Flat-sided shapes: blocks with rounded edges, arches.

use super::{Cells, Shape, grid};
use glam::{Mat4, Vec2, Vec3};
use std::f32::consts::PI;

/// `bevel` rounds the edges; `cells`: of each face.
pub fn block(size: Vec3, bevel: f32, cells: [u32; 3]) -> Shape {
    const EDGE: u32 = 2;
    let half = size * 0.5;
    let inner = (half - bevel).max(Vec3::splat(1e-4));
    let turns = [
        (Mat4::IDENTITY, [0, 1, 2]),
        (Mat4::from_rotation_y(PI), [0, 1, 2]),
        (Mat4::from_rotation_y(PI / 2.0), [2, 1, 0]),
        (Mat4::from_rotation_y(-PI / 2.0), [2, 1, 0]),
        (Mat4::from_rotation_x(-PI / 2.0), [0, 2, 1]),
        (Mat4::from_rotation_x(PI / 2.0), [0, 2, 1]),
    ];
    turns.iter().fold(Shape::default(), |shape, (turn, [x, y, z])| {
        let (reach, core) = (Vec3::new(half[*x], half[*y], half[*z]), Vec3::new(inner[*x], inner[*y], inner[*z]));
        let (nx, ny) = (cells[*x] + 2 * EDGE, cells[*y] + 2 * EDGE);
        let along = |t: f32, n: u32, core: f32, reach: f32| {
            let (k, edge) = (t * n as f32, EDGE as f32);
            let bent = |angle: f32| core + (reach - core) * angle.tan();
            if k < edge {
                -bent((edge - k) / edge * PI / 4.0)
            } else if k > n as f32 - edge {
                bent((k - n as f32 + edge) / edge * PI / 4.0)
            } else {
                core * ((k - edge) / (n as f32 - 2.0 * edge) * 2.0 - 1.0)
            }
        };
        let coarse = (nx.max(1), ny.max(1));
        let face = grid(Cells::new(nx, ny).coarse(coarse.0, coarse.1).uv(reach.x * 2.0, reach.y * 2.0), |u, v| {
            let on = Vec3::new(along(u, nx, core.x, reach.x), along(v, ny, core.y, reach.y), reach.z);
            let near = on.clamp(-core, core);
            near + (on - near).normalize_or(Vec3::Z) * (reach - core)
        });
        shape.with(face.placed(*turn))
    })
}

pub fn block_of(low: Vec3, high: Vec3, bevel: f32, cells: [u32; 3]) -> Shape {
    let middle = (low + high) * 0.5;
    block(high - low, bevel, cells).at(middle.x, middle.y, middle.z)
}

/// From y = 0, `depth` deep about z = 0, with a round arch springing at y = 0.
pub fn arch(width: f32, height: f32, depth: f32, radius: f32, around: u32) -> Shape {
    let rim = |u: f32| {
        let (sin, cos) = (u * PI).sin_cos();
        Vec2::new(cos, sin)
    };
    let outline = |direction: Vec2| {
        let side = if direction.x.abs() > 1e-6 { 0.5 * width / direction.x.abs() } else { f32::INFINITY };
        let top = if direction.y > 1e-6 { height / direction.y } else { f32::INFINITY };
        direction * side.min(top)
    };
    let corner = (height / (0.5 * width)).atan() / PI;
    let spread = |u: f32| {
        if u < 0.25 {
            u * 4.0 * corner
        } else if u > 0.75 {
            1.0 - (1.0 - u) * 4.0 * corner
        } else {
            corner + (u - 0.25) * 2.0 * (1.0 - 2.0 * corner)
        }
    };
    let around = around.next_multiple_of(4);
    let face = |z: f32| {
        move |u: f32, v: f32| {
            let direction = rim(spread(u));
            let flat = (direction * radius).lerp(outline(direction), v);
            flat.extend(z)
        }
    };
    let cells = Cells::new(around, 5).coarse(around / 8, 5);
    let front = grid(cells, |u, v| face(0.5 * depth)(1.0 - u, v));
    let back = grid(cells, |u, v| face(-0.5 * depth)(u, v));
    let under =
        grid(Cells::new(around, 4).coarse(around / 8, 4), |u, v| (rim(spread(u)) * radius).extend((0.5 - v) * depth));
    let molding = grid(Cells::new(around, 6).coarse(around / 8, 6), |u, v| {
        let (sin, cos) = ((0.5 - v) * PI).sin_cos();
        (rim(spread(1.0 - u)) * (radius + 0.06 - 0.05 * sin)).extend(0.5 * depth + 0.04 * cos)
    });
    front.with(back).with(under).with(molding)
}
