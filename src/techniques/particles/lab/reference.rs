//! CPU reference of the particles: shaders/particles/state.glsl, step.comp and bodies.comp.

pub use crate::beginning::{BODIES, FIREFLIES, MOTES, Particle, QUIET, SPRAY, discs, flow, hashed};

use crate::{
    beginning::{FLOW, next},
    blocks::MotionBlock,
};
use glam::{DVec3, IVec3, Vec3};

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

impl MotionBlock {
    pub fn reference(&self) -> Motion {
        let Self { low, dt, high, metre, fountain, ring, split, life_step, step_number, cells, softening, .. } = *self;
        Motion { low, dt, high, metre, fountain, ring, split, life_step, step_number, cells, softening }
    }
}
