//! CPU reference of `shaders/shade/noise.glsl`.

use glam::{IVec3, UVec3, Vec3};

const PRIMES: UVec3 = UVec3::new(0x8da6_b343, 0xd816_3841, 0xcb1a_b31f);

pub fn scrambled(mut h: u32) -> u32 {
    h ^= h >> 15;
    h = h.wrapping_mul(0x2c1b_3c6d);
    h ^= h >> 12;
    h = h.wrapping_mul(0x297a_2d39);
    h ^ h >> 15
}

pub fn cell_hash(cell: IVec3) -> u32 {
    let c = cell.as_uvec3();
    scrambled(c.x.wrapping_mul(PRIMES.x) ^ c.y.wrapping_mul(PRIMES.y) ^ c.z.wrapping_mul(PRIMES.z))
}

pub fn part_of(h: u32) -> f32 {
    (h >> 8) as f32 / 16_777_216.0
}

pub fn parts_of(h: u32) -> Vec3 {
    UVec3::new(h & 1023, h >> 10 & 1023, h >> 20 & 1023).as_vec3() / 1023.0
}

pub fn mix(a: f32, b: f32, t: f32) -> f32 {
    a + (b - a) * t
}

pub fn smoothstep(low: f32, high: f32, x: f32) -> f32 {
    let t = ((x - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

pub fn noise(p: Vec3) -> f32 {
    let low = p.floor();
    let f = p - low;
    let f = f * f * (3.0 - 2.0 * f);
    let cell = low.as_ivec3();
    let corner = |x: i32, y: i32, z: i32| {
        let c = IVec3::new(cell.x.wrapping_add(x), cell.y.wrapping_add(y), cell.z.wrapping_add(z)).as_uvec3();
        let mut h = c.x.wrapping_mul(PRIMES.x) ^ c.y.wrapping_mul(PRIMES.y) ^ c.z.wrapping_mul(PRIMES.z);
        h = (h ^ h >> 15).wrapping_mul(0x2c1b_3c6d);
        ((h ^ h >> 13) & 0xFFFF) as f32 / 32768.0 - 1.0
    };
    let along = |x, y| mix(corner(x, y, 0), corner(x, y, 1), f.z);
    mix(mix(along(0, 0), along(0, 1), f.y), mix(along(1, 0), along(1, 1), f.y), f.x)
}

pub fn kept(footprint: f32) -> f32 {
    (2.0 - 4.0 * footprint).clamp(0.0, 1.0)
}

pub fn next_octave(p: Vec3) -> Vec3 {
    Vec3::new(p.z, p.x, p.y) * 2.03 + Vec3::new(17.3, 5.7, 11.9)
}

pub fn fbm(mut p: Vec3, mut footprint: f32, octaves: u32) -> f32 {
    let (mut sum, mut strength) = (0.0, 0.6);
    for _ in 0..octaves {
        sum += strength * kept(footprint) * noise(p);
        p = next_octave(p);
        footprint *= 2.03;
        strength *= 0.5;
    }
    sum
}
