//! Kinds of particles, and what the simulation of some begins with: the flow of the air, two discs of bodies.

use glam::{IVec3, Vec3};
use gpu::gpu_consts;

gpu_consts! { "particles/state.glsl":
    pub const MOTES: u32 = 0;
    pub const SPRAY: u32 = 1;
    pub const FIREFLIES: u32 = 2;
    pub const BODIES: u32 = 3;
    /// Motes up to `split` of the motion, then spray.
    pub const QUIET: u32 = 4;
}

/// Cells of the flow along each side.
pub const FLOW: u32 = 64;

/// `life`: age in the lower 16 bits (65536 is the whole life), size in the upper.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Particle {
    pub position: Vec3,
    /// For a body: its mass, as the bits of a number.
    pub seed: u32,
    pub velocity: Vec3,
    pub life: u32,
}

/// PCG's output permutation as a hash (Jarzynski and Olano, "Hash Functions for GPU Rendering", 2020).
pub fn hashed(v: u32) -> u32 {
    let v = v.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
    let word = ((v >> ((v >> 28) + 4)) ^ v).wrapping_mul(277_803_737);
    (word >> 22) ^ word
}

pub(super) fn next(seed: &mut u32) -> f32 {
    *seed = hashed(*seed);
    (*seed >> 8) as f32 / 16_777_216.0
}

/// The air's velocity in each cell: whirls of whole wave numbers, so that the table repeats, and each across its wave,
/// so that the flow is free of divergence. Three signed numbers of 10 bits a word.
pub fn flow() -> Vec<u32> {
    let sine: Vec<f32> = (0..FLOW).map(|k| (k as f32 * (std::f32::consts::TAU / FLOW as f32)).sin()).collect();
    let mut seed = 7;
    let waves: Vec<_> = (0..14)
        .map(|k| {
            let most = 1 + k / 4;
            let mut number = || (next(&mut seed) * (2 * most + 1) as f32).floor() as i32 - most;
            let wave = IVec3::new(number(), number(), number());
            let wave = if wave == IVec3::ZERO { IVec3::X } else { wave };
            let any = Vec3::new(next(&mut seed), next(&mut seed), next(&mut seed)) * 2.0 - 1.0;
            let across = wave.as_vec3().cross(any).normalize_or(Vec3::Y);
            (wave, across * (0.3 / (1.0 + 0.5 * (most - 1) as f32)), hashed(seed) as i32)
        })
        .collect();
    let word = |at: IVec3| {
        let whirl = |(wave, across, phase): &(IVec3, Vec3, i32)| {
            *across * sine[(wave.dot(at).wrapping_add(*phase) & (FLOW as i32 - 1)) as usize]
        };
        let sum: Vec3 = waves.iter().map(whirl).sum();
        let bits = |x: f32| ((x.clamp(-1.0, 1.0) * 511.0).round() as i32).cast_unsigned() & 0x3FF;
        bits(sum.x) | bits(sum.y) << 10 | bits(sum.z) << 20
    };
    let side = 0..FLOW as i32;
    let rows = side.clone().flat_map(|z| side.clone().map(move |y| (z, y)));
    rows.flat_map(|(z, y)| (0..FLOW as i32).map(move |x| IVec3::new(x, y, z))).map(word).collect()
}

/// Two discs of bodies that pass each other; their mass is 1 for a metre of 1.
pub fn discs(count: u32, middle: Vec3, metre: f32) -> Vec<Particle> {
    let body = |i: u32| {
        let mut seed = hashed(i ^ 0x5EED);
        let second = i.is_multiple_of(3);
        let (radius, turn) = (0.06 + 0.85 * next(&mut seed).powf(0.8), next(&mut seed) * std::f32::consts::TAU);
        let flat = 0.05 * (next(&mut seed) + next(&mut seed) - 1.0);
        let size = if second { 0.6 } else { 1.0 };
        let (sin, cos) = turn.sin_cos();
        let at = Vec3::new(cos * radius, flat, sin * radius) * size;
        // About a third or two thirds of all masses within the disc.
        let speed = (if second { 0.33 } else { 0.67 } * radius.min(1.0) / (radius * size + 0.05)).sqrt();
        let around = Vec3::new(-sin, 0.0, cos) * speed;
        let tilt = glam::Quat::from_euler(glam::EulerRot::XYZ, if second { 1.1 } else { 0.35 }, 0.0, 0.25);
        let (shift, drift) = match second {
            true => (Vec3::new(0.95, 0.35, 0.0), Vec3::new(-0.22, 0.0, 0.45)),
            false => (Vec3::new(-0.45, -0.1, 0.0), Vec3::new(0.11, 0.0, -0.22)),
        };
        Particle {
            position: middle + (tilt * at + shift) * metre,
            seed: ((0.5 + next(&mut seed)) * metre * metre * metre / count as f32).to_bits(),
            velocity: (tilt * around + drift) * metre,
            life: ((next(&mut seed) * 65535.0) as u32) << 16 | 0x8000,
        }
    };
    (0..count).map(body).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_flow_fills_its_range_and_stays_within() {
        let flow = flow();
        let number = |word: u32, shift: u32| (word.cast_signed() << (22 - shift) >> 22) as f32 / 511.0;
        for shift in [0, 10, 20] {
            let mean = flow.iter().map(|word| number(*word, shift)).sum::<f32>() / flow.len() as f32;
            let most = flow.iter().map(|word| number(*word, shift).abs()).fold(0.0, f32::max);
            assert!(mean.abs() < 0.05 && most > 0.6 && most <= 1.0, "{mean} {most}");
        }
        // As much flows into a cell as out of it, over a box of cells.
        let at = |x: u32, y: u32, z: u32| flow[((z % 64 * 64 + y % 64) * 64 + x % 64) as usize];
        let face = |axis: usize, k: u32| -> f32 {
            let all = (0..64).flat_map(|a| (0..64).map(move |b| (a, b)));
            let word = |(a, b)| [at(k, a, b), at(a, k, b), at(a, b, k)][axis];
            all.map(|ab| number(word(ab), 10 * axis as u32)).sum::<f32>() / 4096.0
        };
        let most = (0..3).flat_map(|axis| (0..64).map(move |k| (axis, k))).map(|(axis, k)| face(axis, k).abs());
        let most = most.fold(0.0, f32::max);
        assert!(most < 0.01, "a plane lets through what it lets back, but for {most}");
    }
}
