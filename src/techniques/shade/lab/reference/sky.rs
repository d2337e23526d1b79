//! CPU reference of `shaders/shade/sky.glsl`: the sky in every direction, and as rough mirrors and white paper reflect it.

use super::noise::{cell_hash, fbm, noise, part_of, parts_of, scrambled, smoothstep};
use crate::frame::{SceneBlock, air_mass};
use glam::{Vec2, Vec3};
use std::f32::consts::PI;

/// Rayleigh's phase function, and Henyey and Greenstein's.
pub fn phases(mu: f32) -> Vec2 {
    const G: f32 = 0.76;
    let far = 1.0 + G * G - 2.0 * G * mu;
    Vec2::new(3.0 / (16.0 * PI) * (1.0 + mu * mu), (1.0 - G * G) / (4.0 * PI * far * far.sqrt()))
}

fn air_radiance(scene: &SceneBlock, d: Vec3) -> Vec3 {
    let mass = air_mass(d.y.max(0.0));
    let depth = scene.rayleigh + scene.mie;
    let x = depth * (mass - scene.sun_mass);
    let left = (-x).exp();
    let phase = phases(d.dot(scene.sun));
    let scattered = scene.rayleigh * phase.x + scene.mie * phase.y;
    let through = (-depth * scene.sun_mass).exp() * left;
    let saturation = x.map(|x| if x.abs() < 1e-3 { 1.0 - 0.5 * x } else { (1.0 - (-x).exp()) / x });
    scene.sky_light * scattered * mass * saturation + scene.fill * (Vec3::ONE - through)
}

fn clouded(scene: &SceneBlock, d: Vec3, behind: Vec3) -> Vec3 {
    let up = d.y.max(0.0);
    let at = Vec3::new(d.x, 0.0, d.z) * (1.6 / (up + 0.18)) + Vec3::new(3.1, 0.5, 7.4);
    let (shape, inner) = (fbm(at, 0.0, 4), noise(at * 2.6 + 9.0));
    let cover = smoothstep(0.0, 0.55, shape + 1.25 * scene.clouds - 0.75) * smoothstep(0.01, 0.22, up);
    let towards = phases(d.dot(scene.sun)).y;
    let lit =
        0.5 * scene.sky_light * (0.13 + 0.22 * towards * (1.0 - 0.7 * cover)) * (1.0 + 0.18 * inner) + 0.8 * scene.fill;
    behind.lerp(lit, if scene.clouds < 1e-3 { 0.0 } else { cover * 0.85 })
}

pub fn around_radiance(scene: &SceneBlock, d: Vec3) -> Vec3 {
    let above = clouded(scene, d, air_radiance(scene, d));
    above.lerp(scene.ground, 1.0 - smoothstep(-0.12, 0.0, d.y))
}

pub fn hazed(scene: &SceneBlock, radiance: Vec3, towards: Vec3, distance: f32) -> Vec3 {
    let phase = phases(towards.dot(scene.sun));
    let horizon = scene.haze_rayleigh * phase.x + scene.haze_mie * phase.y + scene.haze_fill;
    horizon.lerp(radiance, (-scene.haze * distance).exp())
}

fn starlight(scene: &SceneBlock, d: Vec3) -> f32 {
    let cell = (d * 90.0).floor();
    let word = cell_hash(cell.as_ivec3());
    let offset = d - (cell + 0.25 + 0.5 * parts_of(word)).normalize();
    let size = f32::max(0.0007, 0.6 * scene.ray_right.length());
    let bright = (part_of(scrambled(word)) - 0.96).max(0.0) * 25.0;
    bright * bright * (-offset.length_squared() / (size * size)).exp() * smoothstep(0.02, 0.3, d.y)
}

pub fn background(scene: &SceneBlock, d: Vec3) -> Vec3 {
    let cosine = d.dot(scene.sun);
    let inside = ((cosine - 0.999_945) / 0.000_05).clamp(0.0, 1.0);
    let disc = 60.0 * inside * inside * (3.0 - 2.0 * inside) + 0.35 * ((cosine - 1.0).min(0.0) * 900.0).exp();
    let disc = scene.sun_light * if d.y >= 0.0 { disc } else { 0.0 };
    let stars = if d.y >= 0.0 { scene.stars * starlight(scene, d) } else { 0.0 };
    let above = clouded(scene, d, air_radiance(scene, d) + disc + stars);
    let ground = hazed(scene, scene.ground, d, scene.eye.y.max(1.0) / (-d.y).max(1e-4));
    ground.lerp(above, smoothstep(-0.012, 0.0, d.y)).clamp(Vec3::ZERO, Vec3::splat(2000.0))
}

fn folded(p: Vec2) -> Vec2 {
    (Vec2::ONE - Vec2::new(p.y, p.x).abs())
        * Vec2::new(if p.x >= 0.0 { 1.0 } else { -1.0 }, if p.y >= 0.0 { 1.0 } else { -1.0 })
}

/// A direction on the unfolded octahedron, 0..1.
pub fn map_of(d: Vec3) -> Vec2 {
    let d = d / (d.x.abs() + d.y.abs() + d.z.abs());
    let p = Vec2::new(d.x, d.z);
    0.5 + 0.5 * if d.y < 0.0 { folded(p) } else { p }
}

pub fn from_map(uv: Vec2) -> Vec3 {
    let p = 2.0 * uv - 1.0;
    let y = 1.0 - p.x.abs() - p.y.abs();
    let p = if y < 0.0 { folded(p) } else { p };
    Vec3::new(p.x, y, p.y).normalize()
}

/// Radiance of white paper that faces `n`: the plain sum over `steps` directions up and four times as many around.
pub fn irradiance(sky: impl Fn(Vec3) -> Vec3, n: Vec3, steps: u32) -> Vec3 {
    let mut sum = Vec3::ZERO;
    for i in 0..steps {
        let y = (i as f32 + 0.5) / steps as f32 * 2.0 - 1.0;
        for j in 0..4 * steps {
            let (s, c) = ((j as f32 + 0.5) / (4 * steps) as f32 * 2.0 * PI).sin_cos();
            let d = Vec3::new((1.0 - y * y).sqrt() * c, y, (1.0 - y * y).sqrt() * s);
            sum += sky(d) * d.dot(n).max(0.0);
        }
    }
    // Every direction represents 4 pi / (4 steps^2); paper sends a pi-th to every side.
    sum / (steps * steps) as f32
}

/// Viewed along the normal: `steps` squared half vectors of GGX.
pub fn mirrored(sky: impl Fn(Vec3) -> Vec3, n: Vec3, roughness: f32, steps: u32) -> Vec3 {
    let a2 = roughness.powi(4);
    let right = n.any_orthonormal_vector();
    let down = n.cross(right);
    let (mut sum, mut weights) = (Vec3::ZERO, 0.0);
    for i in 0..steps {
        let u = (i as f32 + 0.5) / steps as f32;
        let c2 = (1.0 - u) / (1.0 + (a2 - 1.0) * u);
        for j in 0..steps {
            let (s, c) = ((j as f32 + 0.5) / steps as f32 * 2.0 * PI).sin_cos();
            let half = n * c2.sqrt() + (right * c + down * s) * (1.0 - c2).max(0.0).sqrt();
            let light = 2.0 * n.dot(half) * half - n;
            let weight = light.dot(n);
            if weight > 0.0 {
                sum += weight * sky(light);
                weights += weight;
            }
        }
    }
    sum / f32::max(weights, 1e-6)
}
