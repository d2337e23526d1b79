//! Structures shared with the shaders: buffer elements, uniform blocks, and the domain of the particles in the world.

use super::{
    beginning::{BODIES, FIREFLIES, MOTES, Particle, QUIET, SPRAY},
    settings::Kind,
};
use glam::{Mat4, UVec2, Vec2, Vec3};
use gpu::{DeviceInfo, Feature, gpu_struct};
use technique::{Daylight, WorldFrame};

gpu_struct! {
    pub struct ParticleState { pub position: Vec3, pub seed: u32, pub velocity: Vec3, pub life: u32 }
}

gpu_struct! {
    pub struct MotionBlock {
        pub low: Vec3,
        pub dt: f32,
        pub high: Vec3,
        pub metre: f32,
        pub fountain: Vec3,
        pub ring: f32,
        pub count: u32,
        pub split: u32,
        pub life_step: u32,
        pub step_number: u32,
        pub cells: f32,
        pub softening: f32,
    }
}

gpu_struct! {
    pub struct LookBlock {
        pub clip_from_world: Mat4,
        pub shadow_from_world: Mat4,
        pub eye: Vec3,
        pub near: f32,
        pub sun: Vec3,
        pub shadow_side: f32,
        pub sun_light: Vec3,
        pub shadow_bias: f32,
        pub sky: Vec3,
        pub white: f32,
        pub size: Vec2,
        pub pixels: f32,
        pub seconds: f32,
        pub most: f32,
        pub brightness: f32,
        pub spare: UVec2,
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ground {
    pub focus: [Vec3; 2],
    /// Metres.
    pub fountain: Option<(Vec3, f32)>,
}

/// Of the built-in worlds' box, metres: others are scaled to it.
const DIAGONAL: f32 = 33.0;
/// Seconds that a mote or a firefly lives.
const LIFE_S: f32 = 14.0;
const CELLS: f32 = 2.6;
const SPRAY_PART: u32 = 5;

impl Kind {
    pub fn number(self) -> u32 {
        match self {
            Self::Motes => MOTES,
            Self::Spray => SPRAY,
            Self::Fireflies => FIREFLIES,
            Self::Nbody => BODIES,
            Self::Auto | Self::Quiet | Self::None => QUIET,
        }
    }
}

impl Ground {
    pub fn motion(&self, count: u32) -> MotionBlock {
        let [low, high] = self.focus;
        let across = high - low;
        let metre = (across.length() / DIAGONAL).max(1e-6);
        let floor = Vec3::new(0.5, 0.1, 0.5);
        let (fountain, ring) = self.fountain.unwrap_or((low + across * floor, 1.2 * metre));
        MotionBlock {
            low: low + across * Vec3::new(0.20, 0.08, 0.06),
            dt: 0.0,
            high: low + across * Vec3::new(0.96, 0.72, 0.94),
            metre,
            fountain,
            ring,
            count,
            split: if self.fountain.is_some() { count - count / SPRAY_PART } else { count },
            life_step: 0,
            step_number: 0,
            cells: CELLS / metre,
            softening: 2.5e-3 * metre * metre,
        }
    }

    pub fn middle(&self) -> Vec3 {
        let motion = self.motion(1);
        motion.fountain + Vec3::Y * (2.0 * motion.metre)
    }
}

impl MotionBlock {
    pub fn after(self, dt: f32, step_number: u32) -> Self {
        Self { dt, step_number, life_step: (dt / LIFE_S * 65536.0) as u32, ..self }
    }
}

impl LookBlock {
    /// `points`: the device's largest point size limits the particles.
    pub fn new(world: &WorldFrame, daylight: &Daylight, facts: &DeviceInfo, points: bool) -> Self {
        let size = world.depth.size();
        let camera = world.camera.block(size);
        let largest = if facts.features.contains(&Feature::LargePoints) { facts.most_point } else { 1.0 };
        Self {
            clip_from_world: camera.clip_from_world,
            shadow_from_world: world.shadow.clip_from_world,
            eye: camera.eye,
            near: camera.near,
            sun: world.sun,
            shadow_side: world.shadow.depth.size()[0] as f32,
            sun_light: daylight.sun,
            shadow_bias: daylight.shadow_bias,
            sky: daylight.sky,
            white: daylight.white,
            size: camera.size,
            pixels: 0.5 * camera.size.y / (0.5 * world.camera.angle).tan(),
            seconds: 0.0,
            most: if points { largest.min(64.0) } else { 64.0 },
            brightness: 1.0,
            spare: UVec2::ZERO,
        }
    }
}

impl From<Particle> for ParticleState {
    fn from(Particle { position, seed, velocity, life }: Particle) -> Self {
        Self { position, seed, velocity, life }
    }
}

impl From<ParticleState> for Particle {
    fn from(ParticleState { position, seed, velocity, life }: ParticleState) -> Self {
        Self { position, seed, velocity, life }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_sprays_by_itself_where_there_is_no_fountain() {
        let with = Ground { focus: [Vec3::ZERO, Vec3::ONE], fountain: Some((Vec3::ZERO, 1.0)) };
        let without = Ground { fountain: None, ..with };
        assert_eq!([with, without].map(|ground| ground.motion(1000).split), [800, 1000]);
    }
}
