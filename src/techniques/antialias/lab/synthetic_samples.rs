//! Synthetic frames of the checks, seen by a moving camera.

use base::half;
use glam::{UVec2, Vec2, Vec3, Vec4};
use gpu::{Format, ImageDesc, ImageView, Use};
use lab::TestBench;
use media::pixels::pixels_of;
use scene::world::{Camera, Viewpoint, VisibilityId};

#[derive(Clone)]
pub struct FrameSamples {
    pub light: Vec<Vec4>,
    pub ids: Vec<u32>,
    /// As in the depth buffer.
    pub depth: Vec<f32>,
}

/// 0..1.
pub fn noise(x: u32, y: u32, of: u32) -> f32 {
    let mut word = x.wrapping_mul(0x9E37_79B1) ^ y.wrapping_mul(0x85EB_CA77) ^ of.wrapping_mul(0xC2B2_AE3D);
    word = (word ^ word >> 15).wrapping_mul(0x2C1B_3C6D);
    word = (word ^ word >> 12).wrapping_mul(0x297A_2D39);
    (word ^ word >> 15) as f32 / u32::MAX as f32
}

pub fn camera(at: f32) -> Camera {
    Viewpoint { orbit: 0.7 * at, height: 12.0 + 0.3 * at, ..Viewpoint::default() }.camera()
}

impl FrameSamples {
    /// Bumps of light with sparks among them, bars in front of a slope, and sky.
    pub fn new(size: [u32; 2], frame: u32, at: f32, near: f32) -> Self {
        let pixels = || pixels_of(size);
        let uv = |p: [u32; 2]| (UVec2::from_array(p).as_vec2() + 0.5) / UVec2::from_array(size).as_vec2();
        let bar = |p: [u32; 2]| (uv(p).x * 7.0 + 0.07 * at).fract() < 0.3;
        let is_sky = |p: [u32; 2]| uv(p).y < 0.2 && !bar(p);
        let light = pixels().map(|[x, y]| {
            let spark = if noise(x, y, frame) > 0.97 { 60.0 } else { 1.0 };
            let wave = (9.0 * uv([x, y]) + Vec2::splat(frame as f32)).map(f32::sin);
            let rgb = Vec3::new(1.2 + wave.x, 1.1 + wave.y, 1.5 - wave.x * wave.y) * (0.5 + noise(x, y, 7 + frame));
            (spark * if bar([x, y]) { 0.2 * rgb } else { rgb }).extend(1.0)
        });
        let depth = pixels().map(|p| match () {
            () if is_sky(p) => 0.0,
            () if bar(p) => near / 5.0,
            () => near / (6.0 + 9.0 * (1.0 - uv(p).y)),
        });
        let ids = pixels().map(|p| match () {
            () if is_sky(p) => 0,
            () if bar(p) => VisibilityId::new(2, 5).0,
            () => VisibilityId::new(8 + (uv(p) * 6.0).as_uvec2().dot(UVec2::new(1, 6)), 1).0,
        });
        Self { light: light.map(|c| c.map(half::rounded)).collect(), ids: ids.collect(), depth: depth.collect() }
    }

    pub fn images(&self, bench: &mut TestBench, size: [u32; 2]) -> anyhow::Result<[ImageView; 3]> {
        let desc = |name: &str, format| ImageDesc::new(name, size, format, &[Use::Sample]);
        let halves: Vec<[u16; 4]> =
            self.light.iter().map(|c| c.to_array().map(|x| half::from_f64(f64::from(x)))).collect();
        let light = bench.image(desc("light", Format::Rgba16F), &halves)?.mip(0);
        let ids = bench.image(desc("ids", Format::R32U), &self.ids)?.mip(0);
        let depth = bench.image(desc("depth", Format::R32F), &self.depth)?.mip(0);
        Ok([light, ids, depth])
    }
}
