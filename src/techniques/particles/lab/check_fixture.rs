//! Particles, their domain and a plain world around them, for checks and benchmarks.

use super::reference::Particle;
use crate::{
    blocks::{Ground, LookBlock, ParticleState},
    passes::{draw::Scene, step::BYTES},
};
use glam::{Mat4, Vec2, Vec3};
use gpu::{Buffer, Format, Frame, Gpu, Image, ImageDesc, Memory, Result, Use};
use scene::world::{Camera, GpuScene, Shadow, World};
use std::sync::Arc;
use technique::{Daylight, WorldFrame};

/// A fountain in front of the camera.
pub fn ground() -> Ground {
    let focus = [Vec3::new(-10.0, -0.6, -17.0), Vec3::new(9.0, 7.5, 8.5)];
    Ground { focus, fountain: Some((Vec3::new(-0.3, 0.3, -3.4), 1.1)) }
}

pub(super) fn states(particles: &[Particle]) -> Vec<ParticleState> {
    particles.iter().copied().map(ParticleState::from).collect()
}

pub(super) fn buffer(gpu: &Arc<Gpu>, count: u32) -> Result<Buffer> {
    Buffer::new(gpu, "particles", BYTES * u64::from(count), Memory::Device)
}

/// An empty world in a low sun, for particles alone.
pub struct Fixture {
    pub world: WorldFrame,
    pub daylight: Daylight,
}

impl Fixture {
    pub fn new(frame: &mut Frame, size: [u32; 2]) -> Result<Self> {
        let gpu = frame.gpu().clone();
        let image = |name: &str, size, format, value| -> Result<_> {
            let desc = ImageDesc::new(name, size, format, &[Use::Sample, Use::Color, Use::Storage]);
            Ok((Image::new(&gpu, desc)?.mip(0), [value; 4]))
        };
        let images = [
            image("ids", size, Format::R32U, 0.0)?,
            image("depth", size, Format::R32F, 0.1 / 9.0)?,
            image("light", size, Format::Rgba16F, 0.25)?,
            image("shadow", [32, 32], Format::R32F, 0.5)?,
        ];
        for (view, value) in &images {
            frame.clear("setup/clear", view, *value)?;
        }
        let [ids, depth, light, shadow] = images.map(|(view, _)| view);
        let eye = Vec3::new(1.5, 2.2, 5.2);
        let camera = Camera {
            eye,
            target: Vec3::new(0.0, 1.2, -2.0),
            angle: 0.7,
            near: 0.1,
            roll: 0.0,
            shift: Vec2::ZERO,
            center: Vec2::ZERO,
        };
        // Half of the lit particles are behind the map's one depth.
        let clip_from_world = Mat4::from_scale(Vec3::new(0.08, 0.08, 0.04)) * Mat4::from_translation(Vec3::Z * 14.0);
        let world = WorldFrame {
            resident: GpuScene::new(frame, Arc::new(World::default()))?,
            camera,
            sun: Vec3::new(-0.8, 0.4, 0.4).normalize(),
            shadow: Shadow { depth: shadow, clip_from_world },
            ids,
            depth,
            list: None,
            resolved: light.clone(),
            light,
        };
        let daylight =
            Daylight { sun: Vec3::new(14.0, 11.0, 8.0), sky: Vec3::new(0.2, 0.3, 0.5), white: 4.0, shadow_bias: 1e-3 };
        Ok(Self { world, daylight })
    }

    pub fn scene<'a>(&'a self, gpu: &Gpu, kind: u32, state: &'a Buffer, count: u32) -> Scene<'a> {
        let look = LookBlock::new(&self.world, &self.daylight, gpu.info(), false);
        Scene { kind, state, motion: ground().motion(count), look, world: &self.world }
    }
}
