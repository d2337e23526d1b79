//! CPU reference of the particles: shaders/particles/state.glsl, step.comp and bodies.comp.

use crate::gpu_consts;
use glam::{DVec3, IVec3, Vec3};

gpu_consts! { "particles/state.glsl":
    pub const MOTES: u32 = 0;
    pub const SPRAY: u32 = 1;
    pub const FIREFLIES: u32 = 2;
    pub const BODIES: u32 = 3;
    /// Motes up to [`Motion::split`], then spray.
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

/// Names as in the shader.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    pub low: Vec3,
    pub dt: f32,
    pub high: Vec3,
    pub metre: f32,
    pub fountain: Vec3,
    pub ring: f32,
    pub split: u32,
    pub life_step: u32,
    pub step_number: u32,
    pub cells: f32,
    pub softening: f32,
}

/// PCG's output permutation as a hash (Jarzynski and Olano, "Hash Functions for GPU Rendering", 2020).
pub fn hashed(v: u32) -> u32 {
    let v = v.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
    let word = ((v >> ((v >> 28) + 4)) ^ v).wrapping_mul(277_803_737);
    (word >> 22) ^ word
}

fn next(seed: &mut u32) -> f32 {
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

fn flow_at(flow: &[u32], position: Vec3, cells: f32) -> Vec3 {
    let at = (position * cells).floor().as_ivec3() & IVec3::splat(FLOW as i32 - 1);
    let word = flow[((at.z * FLOW as i32 + at.y) * FLOW as i32 + at.x) as usize].cast_signed();
    Vec3::new((word << 22 >> 22) as f32, (word << 12 >> 22) as f32, (word << 2 >> 22) as f32) / 511.0
}

pub fn kind_of(kind: u32, i: u32, motion: &Motion) -> u32 {
    match kind {
        QUIET if i < motion.split => MOTES,
        QUIET => SPRAY,
        kind => kind,
    }
}

/// `begins`: at any age, as if the particles had always existed; else just born.
pub fn born(kind: u32, mut seed: u32, begins: bool, motion: &Motion) -> Particle {
    let seed = &mut seed;
    let size = (next(seed) * 65535.0) as u32;
    let age = if begins { (next(seed) * 65535.0) as u32 } else { 0 };
    let (position, velocity) = if kind == SPRAY {
        let turn = (*seed & 7) as f32 * std::f32::consts::FRAC_PI_4 + 0.1 * (next(seed) - 0.5);
        let out = Vec3::new(turn.cos(), 0.0, turn.sin());
        let (up, inwards) = (3.9 + 0.35 * next(seed), 0.95 + 0.25 * next(seed));
        let side = 0.16 * (next(seed) - 0.5);
        let velocity = motion.metre * (Vec3::Y * up - out * inwards + Vec3::new(-out.z, 0.0, out.x) * side);
        let t = if begins { 0.8 * next(seed) } else { 0.0 };
        let pull = 9.81 * motion.metre;
        let at = motion.fountain + out * motion.ring + velocity * t - Vec3::Y * (0.5 * pull * t * t);
        (at.with_y(at.y.max(motion.fountain.y)), velocity - Vec3::Y * (pull * t))
    } else {
        let mut at = Vec3::new(next(seed), next(seed), next(seed));
        if kind == FIREFLIES {
            at.y = 0.06 + 0.34 * at.y * at.y;
        }
        (motion.low + (motion.high - motion.low) * at, Vec3::ZERO)
    };
    Particle { position, seed: *seed, velocity, life: size << 16 | age }
}

pub fn begin(kind: u32, count: u32, motion: &Motion) -> Vec<Particle> {
    let first = |i: u32| {
        let seed = hashed(i ^ motion.step_number.wrapping_mul(0x9E37_79B9));
        born(kind_of(kind, i, motion), seed, true, motion)
    };
    (0..count).map(first).collect()
}

/// For kinds that follow no other particle.
pub fn step(kind: u32, particle: Particle, motion: &Motion, flow: &[u32]) -> Particle {
    let (mut v, mut x) = (particle.velocity, particle.position);
    if kind == SPRAY {
        v += (Vec3::new(0.0, -9.81 * motion.metre, 0.0) - 0.12 * v) * motion.dt;
    } else {
        let wind = flow_at(flow, x, motion.cells) * motion.metre;
        let drift = if kind == FIREFLIES { 0.55 * wind } else { 0.11 * wind - Vec3::Y * (0.004 * motion.metre) };
        v += (drift - v) * (1.5 * motion.dt).min(1.0);
    }
    x += v * motion.dt;
    let age = (particle.life & 0xFFFF) + ((motion.life_step * (192 + (particle.seed & 127))) >> 8);
    let ends = match kind {
        SPRAY => x.y < motion.fountain.y && v.y < 0.0,
        _ => age > 0xFFFF || x.cmplt(motion.low).any() || x.cmpgt(motion.high).any(),
    };
    match ends {
        true => born(kind, particle.seed ^ motion.step_number, false, motion),
        false => Particle { position: x, velocity: v, life: particle.life & 0xFFFF_0000 | age.min(0xFFFF), ..particle },
    }
}

pub fn pull_on(bodies: &[Particle], number: usize, softening: f32) -> DVec3 {
    let body = bodies[number].position.as_dvec3();
    bodies.iter().fold(DVec3::ZERO, |sum, other| {
        let d = other.position.as_dvec3() - body;
        let square = d.length_squared() + f64::from(softening);
        sum + d * (f64::from(f32::from_bits(other.seed)) / (square * square.sqrt()))
    })
}

pub fn pulls(bodies: &[Particle], softening: f32) -> Vec<DVec3> {
    (0..bodies.len()).map(|number| pull_on(bodies, number, softening)).collect()
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
