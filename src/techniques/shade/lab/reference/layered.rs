//! CPU reference of materials of files: `shaders/shade/layered.glsl`.

use super::{
    kinds::{Work, sheen_part},
    light::dfg,
    lobes::Matter,
};
use glam::Vec3;
use scene::world::{AlphaMode, SECOND_UV, UNLIT, WHOLE};

impl Work<'_> {
    pub fn layered(&mut self) -> Matter {
        let s = &self.s;
        let by = |slot: usize| match self.m.flags & SECOND_UV << slot {
            0 => (self.m.uv, s.uv),
            _ => (self.m.uv2, s.second),
        };
        let (mut r, m) = self.textured_by(&by);
        r.coat_normal = s.normal;
        let base = m.base.truncate() * s.color;
        if m.alpha_mode() == AlphaMode::Blend && m.flags & WHOLE == 0 {
            r.alpha = (m.base.w * s.alpha).clamp(0.0, 1.0);
        }
        r.f0 = m.dielectric.lerp(base, m.metallic);
        let n_v = r.normal.dot(s.view).clamp(0.02, 1.0);
        if m.film.x > 0.0 {
            let root = r.f0.clamp(Vec3::ZERO, Vec3::splat(0.9999)).map(f32::sqrt);
            let (body, index) = ((1.0 + root) / (1.0 - root), m.film.y.max(1.01));
            r.f0 = r.f0.lerp(self.film_on(n_v, index, m.film.z, (index - body) / (index + body)), m.film.x);
        }
        [r.coat, r.coat_roughness] = [m.parameters.x, m.parameters.y];
        let mut extra = Vec3::ZERO;
        if m.second != Vec3::ZERO {
            extra = self.sheen_light(m.second, (m.parameters.z * m.parameters.z).clamp(0.1, 1.0));
            let kept = 1.0 - m.second.max_element() * sheen_part(s.normal.dot(s.view).max(1e-3));
            (r.albedo, r.f0) = (r.albedo * kept, r.f0 * kept);
        }
        let ab = dfg(r.roughness, n_v);
        let mirrored = r.f0 * ab.x + ab.y;
        r.through = base * (m.parameters.w * (1.0 - m.metallic)) * (1.0 - mirrored).clamp(Vec3::ZERO, Vec3::ONE);
        r.albedo *= 1.0 - m.parameters.w;
        if m.flags & UNLIT != 0 {
            let emission = base * self.stage.scene.white;
            (r.albedo, r.f0, r.coat, r.through) = (Vec3::ZERO, Vec3::ZERO, 0.0, Vec3::ZERO);
            return Matter { emission, ..r };
        }
        self.extra += extra;
        r
    }
}
