//! CPU reference of surface lighting: `shaders/shade/light.glsl`.

use super::{
    lamps::lit_by_lamps,
    lobes::{Matter, ggx, schlick, smith},
    map::Sky,
    noise::mix,
    surface::Surface,
};
use crate::frame::{SceneBlock, lamp_power};
use glam::{Vec2, Vec3};
use scene::world::World;
use std::f32::consts::PI;

pub struct Surroundings<'a> {
    pub weight: u32,
    pub world: &'a World,
    pub scene: &'a SceneBlock,
    pub sky: &'a Sky,
    /// Reversed depth from the sun's side; empty: everything is lit.
    pub shadow: &'a [f32],
}

#[derive(Clone, Copy)]
pub struct Light {
    pub sun: Vec3,
    pub open: f32,
    pub sky: f32,
}

pub fn dfg(roughness: f32, n_v: f32) -> Vec2 {
    let [x, y, z, w] =
        [1.0 - roughness, 0.0425 - 0.0275 * roughness, 1.04 - 0.572 * roughness, -0.04 + 0.022 * roughness];
    let a = (x * x).min((-9.28 * n_v).exp2()) * x + y;
    Vec2::new(-1.04, 1.04) * a + Vec2::new(z, w)
}

pub fn mirror_open(n_v: f32, sky: f32, roughness: f32) -> f32 {
    ((n_v + sky).powf((-16.0 * roughness - 1.0).exp2()) - 1.0 + sky).clamp(0.0, 1.0)
}

pub fn reflect(d: Vec3, n: Vec3) -> Vec3 {
    d - 2.0 * n.dot(d) * n
}

impl Surroundings<'_> {
    /// The mean of 3x3 bilinear comparisons.
    pub fn sun_seen(&self, position: Vec3, normal: Vec3) -> f32 {
        let scene = self.scene;
        let slope = (1.0 - normal.dot(scene.sun)).clamp(0.0, 1.0);
        let p = position + normal * (scene.shadow_texel * (0.6 + 1.9 * slope));
        let clip = (scene.shadow_from_world * p.extend(1.0)).truncate();
        if self.shadow.is_empty() || clip.x.abs() > 0.999 || clip.y.abs() > 0.999 || clip.z < 0.0 {
            return 1.0;
        }
        let side = scene.shadow_side as i32;
        let open = |x: i32, y: i32| {
            let depth = self.shadow[(y.clamp(0, side - 1) * side + x.clamp(0, side - 1)) as usize];
            if clip.z + scene.shadow_bias >= depth { 1.0 } else { 0.0 }
        };
        let at = Vec2::new(0.5 + 0.5 * clip.x, 0.5 + 0.5 * clip.y) * scene.shadow_side - 0.5;
        let (low, f) = (at.floor(), at - at.floor());
        let mut sum = 0.0;
        for j in -1..2 {
            for i in -1..2 {
                let (x, y) = (low.x as i32 + i, low.y as i32 + j);
                sum += mix(mix(open(x, y), open(x + 1, y), f.x), mix(open(x, y + 1), open(x + 1, y + 1), f.x), f.y);
            }
        }
        sum / 9.0
    }

    pub fn lit(&self, s: &Surface, m: &Matter, light: &Light) -> Vec3 {
        let (sun, sky) = (self.scene.sun, self.sky);
        let h = (sun + s.view).normalize();
        let v_h = s.view.dot(h).clamp(0.0, 1.0);
        let (n_v, facing) = (m.normal.dot(s.view).max(1e-3), m.normal.dot(sun));
        let n_l = facing.clamp(0.0, 1.0);
        let soft = ((facing + m.wrap) / ((1.0 + m.wrap) * (1.0 + m.wrap))).clamp(0.0, 1.0);
        let spread = (0.5 * s.bend).min(0.18);
        let alpha = (m.roughness.powi(4) + spread).sqrt().clamp(0.03, 1.0);
        let ab = dfg(m.roughness, n_v);
        let mirrors = m.f0.max_element() >= 1e-6;
        let whole = m.f0 * ab.x + ab.y * (50.0 * m.f0.max_element()).clamp(0.0, 1.0);
        let more = 1.0 + m.f0 * (1.0 / (ab.x + ab.y).max(0.05) - 1.0);
        let lobe = ggx(m.normal.dot(h).clamp(0.0, 1.0), alpha) * smith(n_l, n_v, alpha);
        let mirror = if mirrors { schlick(m.f0, v_h) * more * lobe } else { Vec3::ZERO };
        let diffuse = m.albedo * (1.0 - whole);
        let mut out = light.sun * (diffuse * (soft / PI) + mirror * n_l);
        out += diffuse * light.sky * sky.on(m.normal);
        let thin = (m.coat_roughness.powi(4) + spread).sqrt().clamp(0.02, 1.0);
        let c_v = m.coat_normal.dot(s.view).max(1e-3);
        let lamps = self.world.lit_lamps(lamp_power(self.scene.sun));
        let [lamps_on_body, lamps_on_coat] = lit_by_lamps(&lamps, (s, m), (diffuse, more), [alpha, thin], [n_v, c_v]);
        out += lamps_on_body;
        out += whole
            * more
            * mirror_open(n_v, light.sky, m.roughness)
            * sky.mirrored(reflect(-s.view, m.normal), m.roughness);
        if m.coat > 0.0 {
            let c_l = m.coat_normal.dot(sun).clamp(0.0, 1.0);
            let glint = ggx(m.coat_normal.dot(h).clamp(0.0, 1.0), thin) * smith(c_l, c_v, thin);
            let ab = dfg(m.coat_roughness, c_v);
            let fresnel = m.coat * (0.04 * ab.x + ab.y);
            out *= 1.0 - fresnel;
            out += m.coat * (schlick(Vec3::splat(0.04), v_h).x * glint * c_l * light.sun + lamps_on_coat);
            let open = mirror_open(c_v, light.sky, m.coat_roughness);
            out += fresnel * open * sky.mirrored(reflect(-s.view, m.coat_normal), m.coat_roughness);
        }
        out + m.emission
    }
}
