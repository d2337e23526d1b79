//! CPU reference of the sky's map, its prefiltered levels and its irradiance: `prefilter.comp` and `irradiance.comp`.

use super::sky::{around_radiance, from_map, map_of};
use crate::frame::SceneBlock;
use base::half;
use glam::{Vec2, Vec3};
use gpu::gpu_consts;
use std::f32::consts::PI;

gpu_consts! { "shade/sky.glsl":
    const SHARP: usize = 128;
    const ROUGH: usize = 64;
}

const WIDE: usize = 320;

pub struct Sky {
    /// Texels of the six tiles, rows of 320.
    pub tiles: Vec<Vec3>,
    /// Spherical harmonics, convolved with the cosine, over pi.
    pub irradiance: [Vec3; 9],
}

fn bilinear(texels: &[Vec3], wide: usize, at: Vec2) -> Vec3 {
    let at = at - 0.5;
    let (low, f) = (at.floor(), at - at.floor());
    let high = (texels.len() / wide) as i32 - 1;
    let texel = |x: i32, y: i32| texels[y.clamp(0, high) as usize * wide + x.clamp(0, wide as i32 - 1) as usize];
    let (x, y) = (low.x as i32, low.y as i32);
    texel(x, y).lerp(texel(x + 1, y), f.x).lerp(texel(x, y + 1).lerp(texel(x + 1, y + 1), f.x), f.y)
}

fn sharp(map: &[Vec3], d: Vec3) -> Vec3 {
    let at = map_of(d) * SHARP as f32;
    bilinear(map, SHARP, at.clamp(Vec2::splat(0.5), Vec2::splat(SHARP as f32 - 0.5)))
}

fn tile_of(level: usize) -> Vec2 {
    if level == 0 {
        return Vec2::ZERO;
    }
    Vec2::new((SHARP + (level - 1) % 3 * ROUGH) as f32, ((level - 1) / 3 * ROUGH) as f32)
}

fn prefiltered(map: &[Vec3], normal: Vec3, level: usize) -> Vec3 {
    let a2 = (level as f32 / 5.0).powi(4);
    let s = if normal.z >= 0.0 { 1.0 } else { -1.0 };
    let a = -1.0 / (s + normal.z);
    let b = normal.x * normal.y * a;
    let right = Vec3::new(1.0 + s * normal.x * normal.x * a, s * b, -s * normal.x);
    let down = Vec3::new(b, s + normal.y * normal.y * a, -normal.y);
    let (mut sum, mut weights) = (Vec3::ZERO, 0.0f32);
    for i in 0..64u32 {
        let u = (i as f32 + 0.5) / 64.0;
        let turn = 2.0 * PI * i.reverse_bits() as f32 / 4_294_967_296.0;
        let c2 = (1.0 - u) / (1.0 + (a2 - 1.0) * u);
        let (c, sine) = (c2.sqrt(), (1.0 - c2).max(0.0).sqrt());
        let halfway = normal * c + (right * turn.cos() + down * turn.sin()) * sine;
        let light = 2.0 * c * halfway - normal;
        let weight = light.dot(normal);
        if weight > 0.0 {
            sum += weight * sharp(map, light);
            weights += weight;
        }
    }
    sum / weights.max(1e-6)
}

impl Sky {
    pub fn new(scene: &SceneBlock) -> Self {
        Self::of(|d| around_radiance(scene, d))
    }

    pub fn of(radiance: impl Fn(Vec3) -> Vec3) -> Self {
        let center = |x: usize, y: usize, side: usize| (Vec2::new(x as f32, y as f32) + 0.5) / side as f32;
        let map: Vec<Vec3> = (0..SHARP * SHARP)
            .map(|i| radiance(from_map(center(i % SHARP, i / SHARP, SHARP))).map(half::rounded))
            .collect();
        let mut tiles = vec![Vec3::ZERO; WIDE * SHARP];
        for y in 0..SHARP {
            tiles[y * WIDE..y * WIDE + SHARP].copy_from_slice(&map[y * SHARP..(y + 1) * SHARP]);
        }
        for level in 1..6 {
            let corner = tile_of(level).as_uvec2();
            for y in 0..ROUGH {
                for x in 0..ROUGH {
                    let to = (corner.y as usize + y) * WIDE + corner.x as usize + x;
                    tiles[to] = prefiltered(&map, from_map(center(x, y, ROUGH)), level).map(half::rounded);
                }
            }
        }
        Self { irradiance: harmonics(&map), tiles }
    }

    pub fn mirrored(&self, d: Vec3, roughness: f32) -> Vec3 {
        let level = roughness.clamp(0.0, 1.0) * 5.0;
        let low = level.floor().min(4.0);
        let look = |level: usize| {
            let side = if level == 0 { SHARP } else { ROUGH } as f32;
            let at = tile_of(level) + (map_of(d) * side).clamp(Vec2::splat(0.5), Vec2::splat(side - 0.5));
            bilinear(&self.tiles, WIDE, at)
        };
        look(low as usize).lerp(look(low as usize + 1), level - low)
    }

    /// Radiance of white paper in the sky's light.
    pub fn on(&self, n: Vec3) -> Vec3 {
        evaluated(&self.irradiance, n)
    }
}

pub fn evaluated(c: &[Vec3; 9], n: Vec3) -> Vec3 {
    let sum = c[0]
        + c[1] * n.y
        + c[2] * n.z
        + c[3] * n.x
        + c[4] * (n.x * n.y)
        + c[5] * (n.y * n.z)
        + c[6] * (3.0 * n.z * n.z - 1.0)
        + c[7] * (n.x * n.z)
        + c[8] * (n.x * n.x - n.y * n.y);
    sum.max(Vec3::ZERO)
}

fn harmonics(map: &[Vec3]) -> [Vec3; 9] {
    let (mut sums, mut weight) = ([Vec3::ZERO; 9], 0.0);
    for (i, light) in map.iter().enumerate() {
        let p = 2.0 * (Vec2::new((i % SHARP) as f32, (i / SHARP) as f32) + 0.5) / SHARP as f32 - 1.0;
        let d = from_map(0.5 + 0.5 * p);
        // On the octahedron's face |x| + |y| + |z| = 1: the nearer the face, the larger the texel.
        let face = 1.0 / (d.x.abs() + d.y.abs() + d.z.abs());
        let solid = face.powi(-3);
        let basis = [1.0, d.y, d.z, d.x, d.x * d.y, d.y * d.z, 3.0 * d.z * d.z - 1.0, d.x * d.z, d.x * d.x - d.y * d.y];
        weight += solid;
        for (sum, basis) in sums.iter_mut().zip(basis) {
            *sum += *light * (solid * basis);
        }
    }
    let scale = [1.0, 2.0, 2.0, 2.0, 3.75, 3.75, 0.3125, 3.75, 0.9375];
    std::array::from_fn(|i| sums[i] * (scale[i] / weight))
}
