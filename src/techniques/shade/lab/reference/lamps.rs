//! CPU reference of `shaders/shade/lamps.glsl`, and the reflection of lamps by bodies and coats.

use super::lobes::{Matter, ggx, schlick, smith};
use super::surface::Surface;
use glam::Vec3;
use scene::world::Lamp;
use std::f32::consts::PI;

pub fn lit_by_lamps(
    lamps: &[Lamp],
    (s, m): (&Surface, &Matter),
    (diffuse, more): (Vec3, Vec3),
    alphas: [f32; 2],
    cosines: [f32; 2],
) -> [Vec3; 2] {
    let (mut body, mut coat) = (Vec3::ZERO, Vec3::ZERO);
    for lamp in lamps {
        let (l, light) = lamp.at(s.position);
        let h = (l + s.view).normalize();
        let (v_h, facing) = (s.view.dot(h).clamp(0.0, 1.0), m.normal.dot(l));
        let n_l = facing.clamp(0.0, 1.0);
        let soft = ((facing + m.wrap) / ((1.0 + m.wrap) * (1.0 + m.wrap))).clamp(0.0, 1.0);
        let lobe = ggx(m.normal.dot(h).clamp(0.0, 1.0), alphas[0]) * smith(n_l, cosines[0], alphas[0]);
        let mirror = if m.f0.max_element() >= 1e-6 { schlick(m.f0, v_h) * more * lobe } else { Vec3::ZERO };
        body += light * (diffuse * (soft / PI) + mirror * n_l);
        let c_l = m.coat_normal.dot(l).clamp(0.0, 1.0);
        let glint = ggx(m.coat_normal.dot(h).clamp(0.0, 1.0), alphas[1]) * smith(c_l, cosines[1], alphas[1]);
        coat += light * (schlick(Vec3::splat(0.04), v_h).x * glint * c_l);
    }
    [body, coat]
}
