//! Lamps: lanterns of the built-in worlds, and the punctual lights of files.

use glam::Vec3;
use gpu::gpu_struct;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum LampKind {
    Lantern = 0,
    Point = 1,
    Directional = 2,
}

gpu_struct! {
    /// As declared in shaders/shade/lamps.glsl.
    pub struct Lamp {
        pub place: Vec3,
        /// Range, metres.
        pub reach: f32,
        /// Illumination of a facing surface a metre away; of a lantern, at night; of a directional light, anywhere.
        pub light: Vec3,
        pub kind: u32,
        pub axis: Vec3,
        /// Metres squared; the falloff is constant below.
        pub near: f32,
        /// (cosine of the angle to the axis * `cone_scale` + `cone_offset`), clamped to 0..1 and squared.
        pub cone_scale: f32,
        pub cone_offset: f32,
    }
}

/// Metres squared.
const LANTERN_SIZE: f32 = 0.04;

impl Lamp {
    pub fn lantern(place: Vec3, reach: f32, light: Vec3) -> Self {
        let kind = LampKind::Lantern as u32;
        Self { place, reach, light, kind, axis: Vec3::Y, near: LANTERN_SIZE, cone_scale: 0.0, cone_offset: 1.0 }
    }

    pub fn at(&self, position: Vec3) -> (Vec3, Vec3) {
        if self.kind == LampKind::Directional as u32 {
            return (self.axis, self.light);
        }
        let way = self.place - position;
        let square = way.length_squared();
        let towards = way.normalize_or_zero();
        let part = square / (self.reach * self.reach);
        let fading = if self.kind == LampKind::Lantern as u32 {
            (1.0 - part).clamp(0.0, 1.0).powi(2)
        } else {
            (1.0 - part * part).clamp(0.0, 1.0)
        };
        let cone = (self.axis.dot(towards) * self.cone_scale + self.cone_offset).clamp(0.0, 1.0);
        (towards, self.light * (fading * cone * cone / square.max(self.near)))
    }

    pub fn arriving(&self, position: Vec3, normal: Vec3) -> Vec3 {
        let (towards, light) = self.at(position);
        light * normal.dot(towards).max(0.0)
    }
}
