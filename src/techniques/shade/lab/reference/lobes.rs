//! Surface parameters and the terms of its microfacet lobes: `shaders/shade/light.glsl`.

use super::noise::mix;
use glam::Vec3;
use std::f32::consts::PI;

#[derive(Clone, Copy)]
pub struct Matter {
    pub albedo: Vec3,
    pub f0: Vec3,
    pub roughness: f32,
    pub normal: Vec3,
    pub coat: f32,
    pub coat_roughness: f32,
    pub coat_normal: Vec3,
    pub emission: Vec3,
    pub wrap: f32,
    pub alpha: f32,
    pub through: Vec3,
}

pub fn ggx(n_h: f32, alpha: f32) -> f32 {
    let a2 = alpha * alpha;
    let d = n_h * n_h * (a2 - 1.0) + 1.0;
    a2 / (PI * d * d)
}

pub fn smith(n_l: f32, n_v: f32, alpha: f32) -> f32 {
    0.5 / mix(2.0 * n_l * n_v, n_l + n_v, alpha).max(1e-5)
}

pub fn schlick(f0: Vec3, cosine: f32) -> Vec3 {
    f0 + (1.0 - f0) * (1.0 - cosine).clamp(0.0, 1.0).powi(5)
}
