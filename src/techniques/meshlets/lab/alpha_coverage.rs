//! Reference of alpha coverage in double precision: `shaders/meshlets/alpha.glsl`.

use glam::{DMat3, DMat4, DVec2, DVec3, DVec4, Mat2, Vec2};
use gpu::gpu_consts;
use scene::world::{AlphaMode, NO_TEXTURE, SECOND_UV, WHOLE, World};

/// Distance from the alpha threshold within which rounding may decide.
const UNSURE: f32 = 0.012;

gpu_consts! { "meshlets/alpha.glsl":
    /// Samples along the longer axis of a pixel's footprint in the texture.
    const TAPS: u32 = 4;
}

pub struct Coverage<'a> {
    world: &'a World,
    world_from_clip: DMat4,
    size: [u32; 2],
}

impl<'a> Coverage<'a> {
    pub fn new(world: &'a World, clip_from_world: DMat4, size: [u32; 2]) -> Self {
        Self { world, world_from_clip: clip_from_world.inverse(), size }
    }

    /// `place`: pixels from the corner.
    fn ray(&self, place: DVec2) -> (DVec3, DVec3) {
        let clip = place / DVec2::new(f64::from(self.size[0]), f64::from(self.size[1])) * 2.0 - 1.0;
        let at = |depth: f64| {
            let point: DVec4 = self.world_from_clip * clip.extend(depth).extend(1.0);
            point.truncate() / point.w
        };
        let (near, far) = (at(0.9), at(0.3));
        (near, far - near)
    }

    /// `None` where rounding may decide.
    pub fn of(&self, id: u32, pixel: usize) -> Option<bool> {
        let world = self.world;
        let instance = world.instances[world.meshlet_of(id)?.instance as usize];
        let material = &world.materials[instance.material as usize];
        if material.alpha_mode() == AlphaMode::Opaque || material.flags & WHOLE != 0 {
            return Some(true);
        }
        let vertices = world.triangle_of(id)?;
        let corners = vertices.map(|vertex| instance.point(world.geometry.vertices[vertex].position).as_dvec3());
        let (side1, side2) = (corners[1] - corners[0], corners[2] - corners[0]);
        let weights = |place: DVec2| {
            let (from, along) = self.ray(place);
            (DMat3::from_cols(side1, side2, -along).inverse() * (from - corners[0])).truncate()
        };
        let at = DVec2::new((pixel as u32 % self.size[0]) as f64, (pixel as u32 / self.size[0]) as f64) + 0.5;
        let here = weights(at);
        let (right, down) = (weights(at + DVec2::X) - here, weights(at + DVec2::Y) - here);
        let here = here.clamp(DVec2::ZERO, DVec2::ONE);
        let here = here / here.element_sum().max(1.0);
        let alphas = vertices.map(|vertex| {
            let tangent = world.geometry.vertices[vertex].tangent;
            f64::from(tangent >> 1 & 7 | (tangent >> 16 & 31) << 3) / 255.0
        });
        let between = alphas[0] + (alphas[1] - alphas[0]) * here.x + (alphas[2] - alphas[0]) * here.y;
        let mut alpha = material.base.w * between as f32;
        if material.textures[0] != NO_TEXTURE {
            let is_second = material.flags & SECOND_UV != 0;
            let uvs = vertices.map(|vertex| {
                if is_second { world.geometry.second_uvs[vertex] } else { world.geometry.vertices[vertex].uv }
            });
            let by = if is_second { material.uv2 } else { material.uv };
            let turn = Mat2::from_cols(by[0], by[1]);
            let along = |weights: DVec2| -> Vec2 {
                let weights = weights.as_vec2();
                turn * ((uvs[1] - uvs[0]) * weights.x + (uvs[2] - uvs[0]) * weights.y)
            };
            let uv = turn * uvs[0] + by[2] + along(here);
            alpha *= world.sampled(material.textures[0], uv, along(right), along(down), TAPS).w;
        }
        let (least, unsure) = match material.alpha_mode() {
            AlphaMode::Blend => (1.0 / 255.0, 2.0 / 255.0),
            _ => (material.cutoff, UNSURE),
        };
        if (alpha - least).abs() < unsure { None } else { Some(alpha >= least) }
    }
}
