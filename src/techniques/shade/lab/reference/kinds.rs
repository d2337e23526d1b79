//! CPU reference of the kinds of material: `shaders/shade/kinds.glsl`.

use super::{
    light::{Light, Surroundings, dfg, mirror_open, reflect},
    lobes::{Matter, ggx, schlick, smith},
    noise::{cell_hash, fbm, kept, mix, next_octave, noise, part_of, parts_of, scrambled, smoothstep},
    sky::hazed,
    surface::{Surface, surface_at},
};
use glam::{Mat2, Vec2, Vec3};
use scene::world::{Material, MaterialKind, NO_TEXTURE};
use std::f32::consts::PI;

fn or_else(x: f32, otherwise: f32) -> f32 {
    if x > 0.0 { x } else { otherwise }
}

pub(super) fn sheen_part(n_v: f32) -> f32 {
    0.12 + 0.75 * (1.0 - n_v).powi(3)
}

fn unit(x: f32) -> f32 {
    x.clamp(0.0, 1.0)
}

fn plain(s: &Surface, m: &Material) -> Matter {
    let base = m.base.truncate() * s.color;
    Matter {
        albedo: base * (1.0 - m.metallic),
        f0: Vec3::splat(0.04).lerp(base, m.metallic),
        roughness: m.roughness,
        normal: s.normal,
        coat: 0.0,
        coat_roughness: 0.1,
        coat_normal: s.normal,
        emission: m.emissive,
        wrap: 0.0,
        alpha: 1.0,
        through: Vec3::ZERO,
    }
}

pub(super) struct Work<'a> {
    pub stage: &'a Surroundings<'a>,
    pub s: Surface,
    pub m: Material,
    pub light: Light,
    weight: u32,
    pub extra: Vec3,
}

pub struct PixelShading {
    pub radiance: Vec3,
    pub direct: Vec3,
    pub normal: Vec3,
    pub albedo: Vec3,
    pub roughness: f32,
    pub kind: u32,
    pub surface: Surface,
    pub light: Light,
    pub alpha: f32,
    pub through: Vec3,
}

pub fn shaded(stage: &Surroundings<'_>, visibility: u32, at: [u32; 2]) -> Vec3 {
    let PixelShading { radiance, surface: s, .. } = shaded_parts(stage, visibility, at);
    hazed(stage.scene, radiance, -s.view, s.distance).clamp(Vec3::ZERO, Vec3::splat(2000.0))
}

pub fn laid_over(stage: &Surroundings<'_>, behind: Vec3, layers: &[u32], at: [u32; 2]) -> Vec3 {
    let light = layers.iter().rev().filter(|id| **id != 0).fold(behind, |behind, id| {
        let PixelShading { radiance, surface: s, alpha, through, .. } = shaded_parts(stage, *id, at);
        let hazy = |radiance: Vec3| hazed(stage.scene, radiance, -s.view, s.distance);
        behind.lerp(hazy(radiance) + through * (behind - hazy(Vec3::ZERO)).max(Vec3::ZERO), alpha)
    });
    light.clamp(Vec3::ZERO, Vec3::splat(2000.0))
}

pub fn shaded_parts(stage: &Surroundings<'_>, visibility: u32, at: [u32; 2]) -> PixelShading {
    let s = surface_at(stage.world, stage.scene, visibility, at);
    let m = stage.world.materials[s.material as usize];
    let open = stage.sun_seen(s.position, s.normal);
    let light = Light { sun: stage.scene.sun_light * open, open, sky: s.sky };
    let mut work = Work { stage, s, m, light, weight: stage.weight, extra: Vec3::ZERO };
    let matter = match MaterialKind::ALL.get(m.kind as usize) {
        Some(MaterialKind::Textured) => work.textured(),
        Some(MaterialKind::Marble) => work.marble(),
        Some(MaterialKind::CarPaint) => work.car_paint(),
        Some(MaterialKind::Subsurface) => work.subsurface(),
        Some(MaterialKind::Iridescent) => work.iridescent(),
        Some(MaterialKind::Velvet) => work.velvet(),
        Some(MaterialKind::Brushed) => work.brushed(),
        Some(MaterialKind::Wood) => work.wood(),
        Some(MaterialKind::Ember) => work.ember(),
        Some(MaterialKind::Layered) => work.layered(),
        Some(MaterialKind::Plain) | None => plain(&work.s, &work.m),
    };
    let radiance = stage.lit(&work.s, &matter, &work.light) + work.extra;
    let dark = Matter { emission: Vec3::ZERO, ..matter };
    let none = Light { sun: Vec3::ZERO, ..work.light };
    let direct = stage.lit(&work.s, &dark, &work.light) - stage.lit(&work.s, &dark, &none);
    PixelShading {
        radiance,
        direct,
        normal: matter.normal,
        albedo: matter.albedo.max(matter.f0),
        roughness: matter.roughness,
        kind: m.kind,
        surface: work.s,
        light: work.light,
        alpha: matter.alpha,
        through: matter.through,
    }
}

impl Work<'_> {
    fn textured(&self) -> Matter {
        let by = |_| (self.m.uv, self.s.uv);
        self.textured_by(&by).0
    }

    /// `by`: matrix, coordinates and their derivatives for each texture. Also returns the textures' values.
    pub fn textured_by(&self, by: &dyn Fn(usize) -> ([Vec2; 3], [Vec2; 3])) -> (Matter, Material) {
        let (s, mut m) = (&self.s, self.m);
        let look = |slot: usize| {
            let (matrix, [uv, right, down]) = by(slot);
            let turn = Mat2::from_cols(matrix[0], matrix[1]);
            let (uv, right, down) = (turn * uv + matrix[2], turn * right, turn * down);
            let index = m.textures[slot];
            (index != NO_TEXTURE).then(|| self.stage.world.sampled(index, uv, right, down, self.weight))
        };
        let (base, both, bump, glow) = (look(0), look(1), look(2), look(3));
        m.base *= base.unwrap_or(glam::Vec4::ONE);
        if let Some(both) = both {
            m.roughness *= both.y;
            m.metallic *= both.z;
        }
        m.emissive *= glow.map_or(Vec3::ONE, |glow| glow.truncate());
        let mut r = plain(s, &m);
        if let Some(bump) = bump {
            let mut bump = bump.truncate() * 2.0 - 1.0;
            let length = bump.length().clamp(0.1, 1.0);
            bump.x *= m.normal_scale;
            bump.y *= m.normal_scale;
            let across = s.normal.cross(s.tangent) * s.handed;
            let n = (s.tangent * bump.x + across * bump.y + s.normal * bump.z.max(0.05)).normalize();
            r.normal = (n + (0.02 - n.dot(s.view)).max(0.0) * s.view).normalize();
            r.roughness = unit(r.roughness.powi(4) + 0.5 * (1.0 - length)).sqrt().sqrt();
            r.coat_normal = r.normal;
        }
        (r, m)
    }

    fn marble(&mut self) -> Matter {
        let (s, m) = (&self.s, &self.m);
        let size = or_else(m.parameters.x, 0.4);
        let (foot, p) = (s.footprint / size, s.pattern / size);
        let slow = fbm(p * 0.9, foot * 0.9, 2);
        let other = fbm(Vec3::new(p.y, p.z, p.x) * 0.9 + 31.7, foot * 0.9, 2);
        let mut at = p + m.parameters.z * 0.9 * Vec3::new(slow, other, slow - other);
        let (mut veins, mut strength, mut step) = (0.0f32, 1.0, foot * (1.0 + m.parameters.z));
        for _ in 0..2 + self.weight {
            let ridge = (1.0 - noise(at).abs()).powi(8);
            veins = veins.max(strength * mix(0.2, ridge, kept(step * 1.5)));
            at = next_octave(at);
            step *= 2.03;
            strength *= 0.62;
        }
        let vein = unit(m.parameters.y * veins * (0.55 + 0.6 * other));
        let mut r = plain(s, m);
        r.albedo = (r.albedo * (1.0 + 0.22 * slow)).lerp(m.second * s.color * (1.0 - m.metallic), vein);
        r.roughness = unit(m.roughness + 0.15 * vein);
        r.coat = m.parameters.w;
        r.coat_roughness = 0.08;
        r
    }

    fn car_paint(&mut self) -> Matter {
        let (s, sun) = (&self.s, self.stage.scene.sun);
        let mut layer = self.m;
        let grazing = 1.0 - unit(s.normal.dot(s.view));
        layer.base = self.m.base.truncate().lerp(self.m.second, grazing * grazing).extend(1.0);
        let mut r = plain(s, &layer);
        r.coat = self.m.parameters.w;
        r.coat_roughness = or_else(self.m.parameters.z, 0.06);
        let size = or_else(self.m.parameters.x, 0.003);
        let coarse = (1.6 * s.footprint / size).log2().max(0.0);
        let low = coarse.floor();
        let strength = self.m.parameters.y * (-0.35 * coarse).exp2();
        let h = (sun + s.view).normalize();
        let flakes = |p: Vec3| {
            let d = parts_of(cell_hash(p.floor().as_ivec3())) - 0.5;
            let n = (s.normal + 0.7 * d).normalize();
            Vec2::new(ggx(unit(n.dot(h)), 0.09), d.x)
        };
        let (mut p, mut sum) = (s.pattern / (size * low.exp2()), Vec2::ZERO);
        for _ in 0..self.weight {
            sum += flakes(p).lerp(flakes(p * 0.5), coarse - low);
            p = Vec3::new(p.y, p.z, p.x) * 1.31 + 5.3;
        }
        sum /= self.weight as f32;
        r.albedo *= 1.0 + strength * sum.y;
        r.f0 *= 1.0 + strength * sum.y;
        let n_l = unit(s.normal.dot(sun));
        self.extra += self.light.sun * layer.base.truncate() * s.color * (0.25 * strength * n_l * sum.x);
        r
    }

    fn subsurface(&mut self) -> Matter {
        let (s, m, scene) = (&self.s, &self.m, self.stage.scene);
        let depth = or_else(m.parameters.x, 0.05);
        let foot = s.footprint / depth;
        let mut r = plain(s, m);
        let n_v = s.normal.dot(s.view);
        let eta = 1.0 / 1.4;
        let k = 1.0 - eta * eta * (1.0 - n_v * n_v);
        let inwards = -s.view * eta - s.normal * (-eta * n_v + k.sqrt());
        let (mut cloud, mut weight, mut through) = (0.0, 0.0, 1.0);
        for i in 0..=self.weight {
            let far = (i as f32 + 0.5) * 1.5 / (self.weight + 1) as f32;
            cloud += through * noise((s.pattern + inwards * (far * depth)) / (1.6 * depth)) * kept(foot / 1.6);
            weight += through;
            through *= 0.75;
        }
        cloud *= m.parameters.w / weight;
        r.albedo *= (1.0 + 0.9 * cloud).clamp(0.0, 2.0);
        r.wrap = m.parameters.z;
        let (strength, edge) = (m.parameters.y, 1.0 - unit(n_v));
        let back = unit(s.view.dot(-(scene.sun + 0.35 * s.normal).normalize()));
        let around = 0.5 - 0.5 * s.normal.dot(scene.sun);
        let glow = m.second * s.color * strength * (1.0 + 0.6 * cloud);
        let open = 0.35 + 0.65 * self.light.open;
        self.extra += glow * scene.sun_light * (open * (0.30 * back.powi(3) + 0.05 * around) * (0.5 + edge));
        self.extra += glow * self.light.sky * self.stage.sky.on(-s.normal) * (0.25 + 0.35 * edge);
        r.albedo *= 1.0 - 0.3 * strength;
        r
    }

    fn iridescent(&mut self) -> Matter {
        let (s, m) = (&self.s, &self.m);
        let index = or_else(m.parameters.z, 1.4).max(1.01);
        let size = or_else(m.parameters.w, 0.3);
        let (p, foot) = (s.pattern / size, s.footprint / size);
        let slow = noise(p * 0.7 + 3.0) * kept(foot * 0.7);
        let thick = or_else(m.parameters.x, 380.0) * (1.0 + m.parameters.y * fbm(p + 0.8 * slow, foot, 2));
        let mut r = plain(s, m);
        let n_v = s.normal.dot(s.view).clamp(0.02, 1.0);
        let film = self.film_on(n_v, index, thick, Vec3::splat(-mix(0.35, 0.85, m.metallic)));
        let tint = m.base.truncate() * s.color;
        r.f0 = (tint * film).clamp(Vec3::ZERO, Vec3::ONE);
        r.albedo = tint * (1.0 - m.metallic) * 0.12;
        r
    }

    pub fn film_on(&self, n_v: f32, index: f32, thick: f32, below: Vec3) -> Vec3 {
        let inside = (1.0 - (1.0 - n_v * n_v) / (index * index)).sqrt();
        let path = 2.0 * index * thick * inside;
        let across = (n_v - index * inside) / (n_v + index * inside);
        let along = (index * n_v - inside) / (index * n_v + inside);
        let r01 = -(0.5 * (across * across + along * along)).sqrt();
        let airy = |nm: f32, r12: f32| {
            let (turn, both) = ((2.0 * PI * path / nm).cos(), r01 * r12);
            (r01 * r01 + r12 * r12 + 2.0 * both * turn) / (1.0 + both * both + 2.0 * both * turn)
        };
        let mut film = Vec3::ZERO;
        for i in 0..self.weight {
            let shift = (i as f32 + 0.5) / self.weight as f32 - 0.5;
            let bands = [(630.0, 70.0), (535.0, 60.0), (450.0, 55.0)];
            film += Vec3::from([0, 1, 2].map(|k| airy(bands[k].0 + bands[k].1 * shift, below[k])));
        }
        film / self.weight as f32
    }

    pub fn sheen_light(&self, color: Vec3, sheen: f32) -> Vec3 {
        let (s, sun) = (&self.s, self.stage.scene.sun);
        let (n, h) = (s.normal, (sun + s.view).normalize());
        let (n_h, n_v, n_l) = (unit(n.dot(h)), n.dot(s.view).max(1e-3), unit(n.dot(sun)));
        let inverse = 1.0 / sheen;
        let charlie = (2.0 + inverse) * (1.0 - n_h * n_h).max(1e-4).powf(0.5 * inverse) / (2.0 * PI);
        let visible = 1.0 / (4.0 * (n_l + n_v - n_l * n_v) + 1e-3);
        let around = self.stage.sky.on((n + 0.7 * s.view).normalize());
        color * self.light.sun * (charlie * visible * n_l) + color * self.light.sky * around * sheen_part(n_v)
    }

    fn velvet(&mut self) -> Matter {
        let (s, m) = (&self.s, &self.m);
        let size = or_else(m.parameters.x, 0.004);
        let sheen = or_else(m.parameters.z, 0.4).clamp(0.1, 1.0);
        let (p, foot) = (s.pattern / size, s.footprint / size);
        let wave = (PI * p).map(f32::sin);
        let weave = (wave.x * wave.y + wave.y * wave.z + wave.z * wave.x) * 0.4 * kept(foot * 0.5);
        let fuzz = fbm(p * 0.11, foot * 0.11, 1 + self.weight);
        let mut r = plain(s, m);
        r.albedo *= (1.0 + m.parameters.w * (0.5 * weave + 0.5 * fuzz)).clamp(0.0, 2.0);
        r.f0 = Vec3::ZERO;
        let color = m.second * s.color * m.parameters.y * (1.0 + 0.5 * m.parameters.w * fuzz).clamp(0.0, 2.0);
        self.extra += self.sheen_light(color, sheen);
        r
    }

    fn brushed(&mut self) -> Matter {
        let (s, m, sun) = (&self.s, &self.m, self.stage.scene.sun);
        let (size, turned) = (or_else(m.parameters.x, 0.002), m.parameters.w.clamp(0.0, 1.0) >= 0.5);
        let around = s.axis.cross(s.normal);
        let along = if turned && around.length_squared() > 1e-4 { around.normalize() } else { s.tangent };
        let along = (along - s.normal * along.dot(s.normal)).normalize();
        let across = s.normal.cross(along);
        let q = s.pattern;
        let p = if turned {
            Vec3::new(Vec2::new(q.x, q.z).length(), q.y, 0.0) / size
        } else {
            q * Vec3::new(1.0, 1.0, 0.02) / size
        };
        let scratch = fbm(p * 0.25, s.footprint / size * 0.25, 2 + self.weight) * m.parameters.z;
        let mut r = plain(s, m);
        let f0 = r.f0 * (1.0 + 0.35 * scratch).clamp(0.0, 1.3);
        r.f0 = Vec3::ZERO;
        let n = (s.normal + across * (0.06 * scratch)).normalize();
        let aspect = (1.0 - 0.9 * unit(m.parameters.y)).sqrt();
        let (alpha, spread) = (m.roughness * m.roughness, (0.5 * s.bend).min(0.18));
        let ax = (alpha * alpha / (aspect * aspect) + spread).sqrt().max(0.03);
        let ay = (alpha * alpha * (aspect * aspect) + spread).sqrt().max(0.03);
        let h = (sun + s.view).normalize();
        let (hx, hy, hn) = (h.dot(across) / ax, h.dot(along) / ay, unit(n.dot(h)));
        let q = hx * hx + hy * hy + hn * hn;
        let (n_l, n_v) = (unit(n.dot(sun)), n.dot(s.view).max(1e-3));
        let lobe = smith(n_l, n_v, alpha) / (PI * ax * ay * q * q);
        self.extra += self.light.sun * schlick(f0, unit(s.view.dot(h))) * (lobe * n_l);
        let looks = 1 + self.weight;
        let mut sum = Vec3::ZERO;
        for i in 0..looks {
            let turn = ((i as f32 + 0.5) / looks as f32 * 2.0 - 1.0) * 0.75 * ax.min(1.0);
            sum += self.stage.sky.mirrored(reflect(-s.view, (n + across * turn).normalize()), (ax * ay).sqrt().sqrt());
        }
        let ab = dfg(m.roughness, n_v);
        let open = mirror_open(n_v, self.light.sky, m.roughness);
        self.extra += (f0 * ab.x + ab.y) * open * sum / looks as f32;
        r
    }

    fn wood(&mut self) -> Matter {
        let (s, m) = (&self.s, &self.m);
        let width = or_else(m.parameters.x, 0.03);
        let (p, foot) = (s.pattern / width, s.footprint / width);
        let slow = noise(p * Vec3::new(0.22, 0.05, 0.22));
        let wobble = m.parameters.z * (1.3 * slow + 0.35 * noise(p * Vec3::new(0.7, 0.12, 0.7) + 8.0));
        let radius = Vec2::new(p.x, p.z).length() + wobble;
        let (ring, k) = (radius - radius.floor(), kept(0.6 * foot));
        let edge = foot.clamp(0.06, 0.7);
        let late = smoothstep(0.25, 1.0 - edge, ring) * (1.0 - smoothstep(1.0 - edge, 1.0, ring));
        let late = mix(0.38, late, k);
        let year = part_of(scrambled((radius.floor() as i32).cast_unsigned())) - 0.5;
        let fibre = fbm(p * Vec3::new(9.0, 0.35, 9.0), foot * 9.0, 1 + self.weight);
        let pores = smoothstep(0.35, 0.8, noise(p * Vec3::new(16.0, 0.8, 16.0) + 4.0)) * kept(foot * 16.0);
        let dark = unit(m.parameters.y * (late * (0.85 + 0.5 * year * k) + 0.28 * fibre + 0.35 * pores));
        let mut r = plain(s, m);
        r.albedo = m.base.truncate().lerp(m.second, dark) * s.color * (1.0 - m.metallic) * (1.0 + 0.1 * slow);
        r.roughness = unit(m.roughness + 0.12 * dark);
        r.coat = m.parameters.w;
        r.coat_roughness = 0.18;
        r
    }

    fn ember(&mut self) -> Matter {
        let (s, m) = (&self.s, &self.m);
        let size = or_else(m.parameters.x, 0.15);
        let (mut foot, mut p) = (s.footprint / size, s.pattern / size);
        p += 0.12 * Vec3::new(noise(p * 1.7), noise(p * 1.7 + 13.1), noise(p * 1.7 + 27.7));
        let (mut glow, mut dark, mut strength) = (0.0, 0.0f32, 1.0);
        for _ in 0..self.weight.div_ceil(2) + 1 {
            let (d, cell) = cracks(p);
            let (width, gap) = (m.parameters.y.max(0.01), d.y - d.x);
            let (soft, k) = ((0.6 * width).max(foot), kept(0.7 * foot));
            let crack = 1.0 - smoothstep(0.35 * width - 0.5 * soft, 0.35 * width + soft, gap);
            let hot = smoothstep(0.0, 0.15, m.parameters.w - part_of(scrambled(cell ^ 0x9e37_79b9)));
            let here = hot * (crack + 0.25 * (-5.0 * gap).exp()) + 0.12 * crack;
            glow += strength * mix(0.35 * m.parameters.w * width, here, k);
            dark = dark.max(strength * mix(0.2, crack, k));
            p = Vec3::new(p.z, p.x, p.y) * 2.7 + 7.9;
            foot *= 2.7;
            strength *= 0.35;
        }
        let mut r = plain(s, m);
        let crust = fbm(s.pattern / (0.3 * size), s.footprint / (0.3 * size), 2);
        r.albedo *= (1.0 - 0.7 * dark) * (0.85 + 0.4 * crust);
        r.emission += m.second * m.parameters.z * glow * (0.6 + 0.5 * glow);
        r.roughness = unit(m.roughness - 0.15 * dark);
        r
    }
}

fn cracks(p: Vec3) -> (Vec2, u32) {
    let low = (p - 0.5).floor();
    let mut candidates: Vec<(f32, u32)> = (0..8)
        .map(|i| {
            let cell = low + Vec3::new((i & 1) as f32, (i >> 1 & 1) as f32, (i >> 2) as f32);
            let h = cell_hash(cell.as_ivec3());
            ((cell + 0.5 + 0.55 * (parts_of(h) - 0.5) - p).length(), h)
        })
        .collect();
    candidates.sort_by(|a, b| a.0.total_cmp(&b.0));
    (Vec2::new(candidates[0].0, candidates[1].0), candidates[0].1)
}
