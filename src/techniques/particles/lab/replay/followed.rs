//! Particles that are followed through a step, and all of them beside the reference implementation.

use super::super::reference::{self, BODIES, Motion, Particle, SPRAY, kind_of};
use crate::blocks::ParticleState;
use glam::{DVec3, Vec3};
use scene::world::Camera;
use technique::MemoryComparison;

/// Side of a tile, pixels of the final image.
pub const TILE: u32 = 64;
/// Words of a particle.
pub const WORDS: usize = 8;
/// A row of lanes.
pub const FOLLOWED: usize = 32;
/// Relative bound of a float after a step: some roundings, fewer where a GPU multiplies and adds at once.
const ROUNDS: f32 = 1.0 / (1 << 20) as f32;
/// Of a sum over bodies.
const SUM_ROUNDS: f32 = 1.0 / (1 << 17) as f32;
/// Bound of what is born, metres: sines and cosines of a GPU have 2^-11.
const BORN: f32 = 2e-3;
/// Metres from a border within which rounding decides about an end.
const HAIR: f32 = 1e-4;

pub struct LastStep<'a> {
    pub kind: u32,
    pub motion: Motion,
    pub before: &'a [Particle],
    pub after: &'a [Particle],
}

impl LastStep<'_> {
    pub fn kind_of(&self, number: usize) -> u32 {
        kind_of(self.kind, number as u32, &self.motion)
    }
}

/// Some particles over a tile on the screen, or the nearest to its middle where there are too few.
pub struct Followed {
    /// In ascending order.
    pub numbers: Vec<usize>,
    /// The same particles after the step, by the reference.
    pub expected: Vec<Particle>,
    /// Where they are drawn, and where after the step, pixels from the tile's corner; `None` behind the eye.
    pub places: Vec<[Option<[f32; 2]>; 2]>,
    flow: Vec<u32>,
    /// Of bodies alone.
    pulls: Vec<DVec3>,
}

impl Followed {
    pub fn new(last: &LastStep<'_>, camera: &Camera, size: [u32; 2], tile: [u32; 2]) -> Self {
        let clip_from_world = camera.block(size).clip_from_world;
        let corner = tile.map(|at| (at * TILE) as f32);
        let place = |at: Vec3| {
            let clip = clip_from_world * at.extend(1.0);
            let on = |axis: usize| 0.5 * (clip[axis] / clip.w + 1.0) * size[axis] as f32 - corner[axis];
            (clip.w > camera.near).then(|| [on(0), on(1)])
        };
        let off = |number: &usize| {
            let middle = 0.5 * TILE as f32;
            place(last.before[*number].position).map_or(f32::INFINITY, |at| (at[0] - middle).hypot(at[1] - middle))
        };
        let is_over = |number: &usize| {
            let at = place(last.before[*number].position);
            at.is_some_and(|at| at.iter().all(|at| (0.0..TILE as f32).contains(at)))
        };
        let over: Vec<usize> = (0..last.before.len()).filter(is_over).collect();
        let numbers = if over.len() >= FOLLOWED {
            // Of all parts of the tile.
            (0..FOLLOWED).map(|place| over[place * over.len() / FOLLOWED]).collect()
        } else {
            let mut all: Vec<(f32, usize)> = (0..last.before.len()).map(|number| (off(&number), number)).collect();
            all.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            let mut nearest: Vec<usize> = all.into_iter().take(FOLLOWED).map(|(_, number)| number).collect();
            nearest.sort_unstable();
            nearest
        };
        let (mut flow, mut pulls) = (Vec::new(), Vec::new());
        if last.kind == BODIES {
            let pull = |number: &usize| reference::pull_on(last.before, *number, last.motion.softening);
            pulls = numbers.iter().map(pull).collect();
        } else {
            flow = reference::flow();
        }
        let places = |number: &usize| [last.before, last.after].map(|state| place(state[*number].position));
        let places = numbers.iter().map(places).collect();
        let mut followed = Self { numbers, expected: Vec::new(), places, flow, pulls };
        let expected = |(place, number): (usize, &usize)| followed.step(last, *number, place);
        followed.expected = followed.numbers.iter().enumerate().map(expected).collect();
        followed
    }

    /// `place`: of a body, among those that are followed.
    fn step(&self, last: &LastStep<'_>, number: usize, place: usize) -> Particle {
        let particle = last.before[number];
        match self.pulls.get(place) {
            Some(pull) => {
                let velocity = particle.velocity + pull.as_vec3() * last.motion.dt;
                Particle { velocity, position: particle.position + velocity * last.motion.dt, ..particle }
            }
            None => reference::step(last.kind_of(number), particle, &last.motion, &self.flow),
        }
    }

    /// Every word of the particles, of bodies only the followed ones: integers bit for bit, floats within roundings.
    pub fn comparison(&self, last: &LastStep<'_>) -> MemoryComparison {
        let numbers: Vec<usize> =
            if last.kind == BODIES { self.numbers.clone() } else { (0..last.before.len()).collect() };
        let (mut cpu, mut gpu) = (Vec::with_capacity(WORDS * numbers.len()), Vec::with_capacity(WORDS * numbers.len()));
        let (mut rounded, mut hairs, mut most) = (0, 0, 0);
        for (place, number) in numbers.into_iter().enumerate() {
            let (expected, stored) = (self.step(last, number, place), last.after[number]);
            let [own, other] = [words_of(&expected), words_of(&stored)];
            gpu.extend(other);
            if expected.seed != stored.seed && is_at_border(last, number) {
                hairs += 1;
                cpu.extend(other);
                continue;
            }
            let pull = self.pulls.get(place).map_or(0.0, |pull| pull.length() as f32);
            let bounds = bounds_of(last, number, &expected, pull);
            for (at, (own, other)) in own.into_iter().zip(other).enumerate() {
                let [a, b] = [own, other].map(f32::from_bits);
                let is_rounded = own != other && bounds[at] > 0.0 && (a - b).abs() <= bounds[at];
                if is_rounded {
                    rounded += 1;
                    most = most.max(own.abs_diff(other));
                }
                cpu.push(if is_rounded { other } else { own });
            }
        }
        let mut compared = MemoryComparison::of("words of particles", &cpu, &gpu);
        if rounded > 0 && compared.is_equal() {
            let (same, count) = (gpu.len() - rounded, gpu.len());
            compared.text = format!(
                "{same} of the GPU's {count} words of particles have the same bits; {rounded} floats differ by at most {most} ULP, which rounding and fused multiply-add explain"
            );
        }
        compared.with(hairs, "ended by a hair on one side alone")
    }
}

pub fn words_of(particle: &Particle) -> [u32; WORDS] {
    bytemuck::cast(ParticleState::from(*particle))
}

/// Whether rounding decides about the end of a particle.
fn is_at_border(last: &LastStep<'_>, number: usize) -> bool {
    let Motion { dt, low, high, fountain, metre, .. } = last.motion;
    let (now, then) = (last.before[number], last.before[number].position + last.after[number].velocity * dt);
    let near = |a: f32, b: f32| (a - b).abs() <= HAIR * metre;
    match last.kind_of(number) {
        SPRAY => {
            let fallen = now.position.y + (now.velocity.y - 9.81 * metre * dt) * dt;
            near(fallen, fountain.y) || (now.velocity.y - 9.81 * metre * dt).abs() <= HAIR * metre
        }
        _ => (0..3).any(|axis| {
            let moved = now.position[axis] + now.velocity[axis] * dt;
            [moved, then[axis]].into_iter().any(|at| near(at, low[axis]) || near(at, high[axis]))
        }),
    }
}

/// By how much each word may differ; 0: not at all.
fn bounds_of(last: &LastStep<'_>, number: usize, expected: &Particle, pull: f32) -> [f32; WORDS] {
    let Motion { dt, metre, .. } = last.motion;
    let before = &last.before[number];
    if expected.seed != before.seed {
        // It was born again.
        let born =
            if last.kind_of(number) == SPRAY { BORN * metre } else { ROUNDS * expected.position.abs().max_element() };
        let speed = if last.kind_of(number) == SPRAY { 4.0 * BORN * metre } else { 0.0 };
        return [born, born, born, 0.0, speed, speed, speed, 0.0];
    }
    let speed = ROUNDS * (before.velocity.abs().max_element() + expected.velocity.abs().max_element())
        + if last.kind == BODIES { SUM_ROUNDS * pull * dt } else { ROUNDS * 0.01 * metre };
    let place = |axis: usize| ROUNDS * 0.25 * expected.position[axis].abs() + speed * dt;
    [place(0), place(1), place(2), 0.0, speed, speed, speed, 0.0]
}
