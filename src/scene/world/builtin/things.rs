//! Objects on plinths.

use crate::world::shape::{Cells, Shape, block, ellipsoid, grid, implicit, lathe, ring};
use glam::{Mat4, Quat, Vec2, Vec3};
use std::f32::consts::{PI, TAU};

pub fn plinth(side: f32, height: f32) -> Shape {
    let slab = |wide: f32, low: f32, high: f32| {
        block(Vec3::new(wide, high - low, wide), 0.012, [3, 2, 3]).at(0.0, 0.5 * (low + high), 0.0)
    };
    slab(side * 1.16, 0.0, 0.07)
        .with(block(Vec3::new(side, height - 0.11, side), 0.018, [4, 5, 4]).at(0.0, 0.5 * (height + 0.01), 0.0))
        .with(slab(side * 1.12, height - 0.05, height))
}

/// Quilez' quadratic smooth minimum.
fn melt(a: f32, b: f32, k: f32) -> f32 {
    let h = (k - (a - b).abs()).max(0.0) / k;
    a.min(b) - h * h * k * 0.25
}

fn blob(p: Vec3, at: Vec3, radii: Vec3, turn: Quat) -> f32 {
    let q = turn.inverse() * (p - at);
    let (a, b) = ((q / radii).length(), (q / (radii * radii)).length());
    if b < 1e-6 { -radii.min_element() } else { a * (a - 1.0) / b }
}

pub fn hare() -> Shape {
    let side = |p: Vec3| Vec3::new(p.x.abs(), p.y, p.z);
    implicit(Vec3::new(-0.24, -0.02, -0.30), Vec3::new(0.24, 0.70, 0.30), 46, |p| {
        let q = side(p);
        let tilt = |x: f32, z: f32| Quat::from_rotation_x(x) * Quat::from_rotation_z(z);
        let mut d = blob(p, Vec3::new(0.0, 0.18, -0.05), Vec3::new(0.165, 0.175, 0.20), Quat::IDENTITY);
        d = melt(d, blob(p, Vec3::new(0.0, 0.27, 0.06), Vec3::new(0.115, 0.17, 0.12), tilt(0.35, 0.0)), 0.08);
        d = melt(d, blob(p, Vec3::new(0.0, 0.415, 0.125), Vec3::new(0.082, 0.080, 0.112), tilt(-0.35, 0.0)), 0.05);
        d = melt(d, blob(p, Vec3::new(0.0, 0.425, 0.205), Vec3::new(0.050, 0.045, 0.055), tilt(-0.3, 0.0)), 0.04);
        d = melt(d, blob(q, Vec3::new(0.062, 0.56, 0.03), Vec3::new(0.030, 0.135, 0.020), tilt(-0.38, -0.16)), 0.025);
        d = melt(d, blob(q, Vec3::new(0.125, 0.11, -0.05), Vec3::new(0.075, 0.12, 0.13), tilt(0.3, 0.0)), 0.03);
        d = melt(d, blob(q, Vec3::new(0.125, 0.025, 0.08), Vec3::new(0.050, 0.035, 0.11), Quat::IDENTITY), 0.03);
        d = melt(d, blob(q, Vec3::new(0.065, 0.12, 0.155), Vec3::new(0.038, 0.14, 0.042), tilt(-0.15, 0.05)), 0.03);
        d = melt(d, blob(q, Vec3::new(0.065, 0.02, 0.185), Vec3::new(0.042, 0.028, 0.065), Quat::IDENTITY), 0.02);
        d = melt(d, blob(p, Vec3::new(0.0, 0.10, -0.25), Vec3::new(0.055, 0.06, 0.05), Quat::IDENTITY), 0.02);
        melt(d, 10.0, 0.01).max(-p.y - 0.004)
    })
}

pub fn cushion() -> [Shape; 2] {
    let half = Vec3::new(0.28, 0.15, 0.28);
    let soft = |p: Vec3| {
        let r = Vec2::new(p.x, p.z).length();
        let dimple = 0.05 * (-(r * r) / 0.006).exp() * p.y.signum() * (p.y.abs() / half.y).min(1.0);
        let waist = 1.0 - 0.10 * (1.0 - (p.x.abs().min(p.z.abs()) / half.x)).max(0.0) * (r / half.x).min(1.0);
        let angle = p.z.atan2(p.x);
        let fold = 0.006 * (angle * 16.0).sin() * (-(r - 0.12) * (r - 0.12) / 0.004).exp() * p.y.signum();
        Vec3::new(p.x * waist, p.y - dimple + fold * (p.y.abs() / half.y).min(1.0), p.z * waist)
    };
    let power = |x: f32, e: f32| x.signum() * x.abs().powf(e);
    let body = grid(Cells::new(72, 40), |u, v| {
        let (sin_u, cos_u) = (u * TAU).sin_cos();
        let (sin_v, cos_v) = ((v - 0.5) * PI).sin_cos();
        let wide = power(cos_v, 0.75);
        soft(half * Vec3::new(wide * power(cos_u, 0.42), power(sin_v, 0.9), -wide * power(sin_u, 0.42)))
    });
    let seam = grid(Cells::new(96, 8), |u, v| {
        let (sin_u, cos_u) = (u * TAU).sin_cos();
        let flat = Vec3::new(power(cos_u, 0.42), 0.0, -power(sin_u, 0.42));
        let (sin, cos) = (v * TAU).sin_cos();
        let cord = 0.013 * (1.0 + 0.12 * (u * 96.0 * PI).sin());
        soft(half * flat) - flat.normalize_or(Vec3::X) * cos * cord - Vec3::Y * sin * cord
    });
    [body, seam]
}

/// On the unit sphere, from below up.
fn direction(u: f32, v: f32) -> Vec3 {
    let (sin_u, cos_u) = (u * TAU).sin_cos();
    let (sin_v, cos_v) = ((v - 0.5) * PI).sin_cos();
    Vec3::new(cos_v * cos_u, sin_v, -cos_v * sin_u)
}

pub fn pebble() -> Shape {
    grid(Cells::new(72, 48), |u, v| {
        let p = direction(u, v);
        let tail = 1.0 - 0.28 * p.x;
        let lift = 0.10 * (p.x * 1.6).sin();
        let crease = 0.02 * (1.0 - (p.z * 4.0).abs()).max(0.0).powi(2) * p.y.max(0.0);
        Vec3::new(0.37 * p.x, 0.23 * p.y * tail + lift * 0.5 + crease, 0.24 * p.z * tail)
    })
}

pub fn gong() -> [Shape; 2] {
    let upright = Mat4::from_rotation_x(PI / 2.0);
    let dish = lathe(
        80,
        4,
        &[
            &[[0.395, -0.06], [0.40, -0.02], [0.395, 0.012]],
            &[[0.395, 0.012], [0.36, 0.022], [0.30, 0.02], [0.2, 0.03], [0.12, 0.035]],
            &[[0.12, 0.035], [0.10, 0.055], [0.06, 0.075], [0.0, 0.08]],
        ],
    )
    .with(lathe(48, 2, &[&[[0.0, -0.01], [0.385, -0.012]], &[[0.385, -0.012], [0.395, -0.06]]]))
    .placed(Mat4::from_translation(Vec3::Y * 0.56) * upright);
    let post = |x: f32| {
        lathe(
            20,
            3,
            &[
                &[[0.06, 0.0], [0.06, 0.03], [0.032, 0.07], [0.026, 0.5], [0.03, 0.9], [0.028, 1.0]],
                &[[0.045, 1.0], [0.05, 1.03], [0.03, 1.06], [0.0, 1.07]],
            ],
        )
        .at(x, 0.0, 0.0)
    };
    let beam = lathe(
        20,
        2,
        &[&[[0.0, -0.62], [0.03, -0.61], [0.026, -0.3], [0.03, 0.0], [0.026, 0.3], [0.03, 0.61], [0.0, 0.62]]],
    )
    .placed(Mat4::from_translation(Vec3::Y * 1.0) * Mat4::from_rotation_z(PI / 2.0));
    let cord = |x: f32| lathe(8, 2, &[&[[0.008, 0.9], [0.008, 1.0]]]).at(x, 0.0, 0.0);
    [dish, post(-0.52).with(post(0.52)).with(beam).with(cord(-0.18)).with(cord(0.18))]
}

pub fn bowl() -> Shape {
    lathe(
        56,
        4,
        &[
            &[[0.0, 0.0], [0.11, 0.0]],
            &[[0.11, 0.0], [0.115, 0.012], [0.10, 0.025], [0.17, 0.075], [0.235, 0.15], [0.258, 0.215]],
            &[[0.258, 0.215], [0.253, 0.223], [0.245, 0.215], [0.215, 0.14], [0.14, 0.07], [0.05, 0.045], [0.0, 0.043]],
        ],
    )
}

pub fn fruit(radius: f32, nib: f32) -> Shape {
    grid(Cells::new(24, 16), |u, v| {
        let p = direction(u, v);
        let bump = 1.0 + 0.008 * (u * TAU * 9.0).sin() * (v * 37.0).sin();
        let long = 1.0 + nib * (p.y.abs().powi(6));
        Vec3::new(p.x * bump, p.y * long, p.z * bump) * radius
    })
}

pub fn vase() -> Shape {
    lathe(
        56,
        4,
        &[
            &[[0.0, 0.0], [0.13, 0.0]],
            &[
                [0.13, 0.0],
                [0.135, 0.02],
                [0.115, 0.05],
                [0.10, 0.075],
                [0.16, 0.20],
                [0.235, 0.40],
                [0.225, 0.56],
                [0.13, 0.69],
                [0.092, 0.75],
                [0.10, 0.81],
                [0.135, 0.85],
            ],
            &[[0.135, 0.85], [0.132, 0.86], [0.122, 0.855], [0.085, 0.80], [0.076, 0.75], [0.10, 0.70], [0.0, 0.6]],
        ],
    )
}

pub fn vessel() -> Shape {
    lathe(
        64,
        5,
        &[
            &[[0.0, 0.0], [0.12, 0.0]],
            &[[0.12, 0.0], [0.14, 0.02], [0.23, 0.13], [0.285, 0.27], [0.25, 0.41], [0.14, 0.49], [0.088, 0.52]],
            &[
                [0.088, 0.52],
                [0.085, 0.56],
                [0.115, 0.60],
                [0.11, 0.607],
                [0.098, 0.60],
                [0.07, 0.56],
                [0.07, 0.5],
                [0.0, 0.45],
            ],
        ],
    )
}

pub fn lantern() -> [Shape; 2] {
    let glass =
        lathe(24, 4, &[&[[0.0, -0.50], [0.09, -0.49], [0.13, -0.40], [0.135, -0.30], [0.10, -0.20], [0.05, -0.17]]]);
    let mut metal = lathe(
        18,
        2,
        &[
            &[[0.0, -0.54], [0.02, -0.535], [0.015, -0.515], [0.06, -0.505], [0.095, -0.485]],
            &[
                [0.115, -0.215],
                [0.11, -0.19],
                [0.06, -0.15],
                [0.025, -0.10],
                [0.012, -0.08],
                [0.012, -0.02],
                [0.0, 0.0],
            ],
        ],
    );
    for k in 0..6 {
        let turn = Mat4::from_rotation_y(k as f32 * TAU / 6.0);
        let rib = grid(Cells::new(4, 9), |u, v| {
            let (sin, cos) = (u * TAU).sin_cos();
            let y = -0.49 + 0.28 * v;
            let out = 0.095 + 0.048 * (v * PI).sin();
            Vec3::new(out + 0.006 * cos, y, -0.006 * sin)
        });
        metal = metal.with(rib.placed(turn));
    }
    [glass, metal.with(ring(0.147, 0.007, 20, 5).at(0.0, -0.35, 0.0))]
}

pub fn planter() -> [Shape; 2] {
    let pot = lathe(
        28,
        2,
        &[
            &[[0.0, 0.0], [0.22, 0.0]],
            &[[0.22, 0.0], [0.23, 0.02], [0.27, 0.20], [0.305, 0.36], [0.31, 0.42]],
            &[[0.31, 0.42], [0.345, 0.435], [0.355, 0.47], [0.355, 0.52], [0.34, 0.55]],
            &[[0.34, 0.55], [0.32, 0.55], [0.305, 0.53], [0.29, 0.44]],
        ],
    );
    [pot, ellipsoid(Vec3::new(0.295, 0.04, 0.295), 20, 8).at(0.0, 0.46, 0.0)]
}
