//! A world on GPU and CPU, for checks and benchmarks.

use super::reference::{
    gallery::{cast, cast_layers},
    light::Surroundings,
    map::Sky,
};
use crate::{
    frame::{SceneBlock, block, block_of},
    input::ShadeInput,
    layers::LAYERS,
    settings::ShadeSettings,
};
use base::half;
use glam::{Mat4, Vec2, Vec3, Vec4};
use gpu::{Format, ImageDesc, ImageView, Use};
use lab::TestBench;
use media::pixels::pixels_of;
use scene::world::{Camera, GpuScene, Shadow, World};
use std::sync::Arc;

pub(super) const SUN: Vec3 = Vec3::new(0.62, 0.55, 0.56);

pub(super) fn has_lanterns(world: &World) -> bool {
    world.lit_lamps(0.0).len() < world.lamps.len()
}

fn sun_of(world: &World) -> Vec3 {
    if !has_lanterns(world) { SUN.normalize() } else { Vec3::new(0.62, -0.2, 0.56).normalize() }
}

fn camera_of(world: &World) -> Camera {
    Camera { shift: Vec2::new(0.3, -0.2), ..world.viewpoint.camera() }
}

pub(super) struct Fixture {
    pub world: GpuScene,
    pub camera: Camera,
    pub sun: Vec3,
    pub ids: Vec<u32>,
    pub id_image: ImageView,
    pub shadow: Option<Shadow>,
}

impl Fixture {
    pub fn new(bench: &mut TestBench, size: [u32; 2], world: World, shadow_side: u32) -> anyhow::Result<Self> {
        let (camera, sun) = (camera_of(&world), sun_of(&world));
        let world = Arc::new(world);
        let resident = bench.run(|frame| GpuScene::new(frame, world.clone()))?;
        let shadow = if shadow_side > 0 { Some(shadow(bench, &world, sun, shadow_side)?) } else { None };
        let scene = ShadeInput { world: &resident, camera: &camera, sun, shadow: None, detail: 1.0 };
        let rays = block(&ShadeSettings::default(), &scene, size);
        let ids: Vec<u32> = pixels_of(size).map(|at| cast(&world, rays.eye, rays.ray(at)).0).collect();
        let desc = ImageDesc::new("ids", size, Format::R32U, &[Use::Sample]);
        let id_image = bench.image(desc, &ids)?.mip(0);
        Ok(Self { world: resident, camera, sun, ids, id_image, shadow })
    }

    pub fn scene(&self) -> ShadeInput<'_> {
        ShadeInput {
            world: &self.world,
            camera: &self.camera,
            sun: self.sun,
            shadow: self.shadow.as_ref(),
            detail: 1.0,
        }
    }
}

/// The matrix, and reversed depths without perspective, 1 nearest to the sun.
fn depths(world: &World, sun: Vec3, side: u32) -> (Mat4, Vec<f32>) {
    let middle = Vec3::new(0.0, 0.8, -1.0);
    let (half, deep) = (6.5, 40.0);
    let right = sun.cross(Vec3::Y).normalize();
    let up = right.cross(sun);
    let row = |axis: Vec3, scale: f32, from: f32| (axis * scale).extend(from - axis.dot(middle) * scale);
    let rows = [row(right, 1.0 / half, 0.0), row(-up, 1.0 / half, 0.0), row(sun, 1.0 / deep, 0.5)];
    let clip_from_world = Mat4::from_cols(rows[0], rows[1], rows[2], Vec4::W).transpose();
    let texel = |[x, y]: [u32; 2]| {
        let at = |i: u32| (2.0 * (i as f32 + 0.5) / side as f32 - 1.0) * half;
        let (id, far) = cast(world, middle + right * at(x) - up * at(y) + sun * (0.5 * deep), -sun);
        if id == 0 { 0.0 } else { 1.0 - far / deep }
    };
    (clip_from_world, pixels_of([side; 2]).map(texel).collect())
}

fn shadow(bench: &mut TestBench, world: &World, sun: Vec3, side: u32) -> anyhow::Result<Shadow> {
    let (clip_from_world, texels) = depths(world, sun, side);
    let image = bench.image(ImageDesc::new("sun", [side; 2], Format::R32F, &[Use::Sample]), &texels)?;
    Ok(Shadow { depth: image.mip(0), clip_from_world })
}

pub(super) struct ReferenceScene {
    world: World,
    pub scene: SceneBlock,
    sky: Sky,
    shadow: Vec<f32>,
    weight: u32,
}

impl ReferenceScene {
    /// `side`: texels of the shadow map; 0: no shadow.
    pub fn new(settings: &ShadeSettings, size: [u32; 2], side: u32, world: World) -> Self {
        let (camera, sun) = (camera_of(&world), sun_of(&world));
        let (clip_from_world, shadow) = if side > 0 { depths(&world, sun, side) } else { (Mat4::IDENTITY, vec![]) };
        let scene = block_of(settings, &camera, sun, (side > 0).then_some((clip_from_world, side)), size);
        Self { sky: Sky::new(&scene), world, scene, shadow, weight: settings.weight }
    }

    #[cfg(test)]
    pub fn set_sky(&mut self, sky: Sky) {
        self.sky = sky;
    }

    pub fn surroundings(&self) -> Surroundings<'_> {
        let Self { world, scene, sky, shadow, weight } = self;
        Surroundings { weight: *weight, world, scene, sky, shadow }
    }

    pub fn seen(&self, at: [u32; 2]) -> u32 {
        cast(&self.world, self.scene.eye, self.scene.ray(at)).0
    }

    pub fn seen_layers(&self, at: [u32; 2]) -> [u32; LAYERS] {
        cast_layers(&self.world, self.scene.eye, self.scene.ray(at))
    }

    /// Whether it holds with all rays moved a hundredth of a pixel, to one of eight sides.
    pub fn any_aside(&mut self, holds: &dyn Fn(&Self) -> bool) -> bool {
        let SceneBlock { ray_first, ray_right, ray_down, .. } = self.scene;
        let mut sides = (-1..2).flat_map(|y| (-1..2).map(move |x| [x as f32, y as f32]));
        let found = sides.any(|[x, y]| {
            self.scene.ray_first = ray_first + 0.01 * (ray_right * x + ray_down * y);
            holds(self)
        });
        self.scene.ray_first = ray_first;
        found
    }
}

/// A pixel with a larger relative error is another side of a pattern. Derived: a sampler rounds its place along two axes
/// and between two levels to 1/256 of what two texels differ by, 0.012 between black and white; an sRGB texel is decoded
/// to half a step of 255, 0.0045 of white; the light is a half float, cut off at 0.001. Worst 0.002 (Mesa 25.0.7).
pub(super) const ALIKE: f64 = 0.02;

/// Pixels beyond [`ALIKE`] that the reference does not show a hundredth of a pixel aside, either.
pub(super) fn not_at_edges(
    errors: &[f64],
    reference: impl FnOnce() -> ReferenceScene,
    shows: &dyn Fn(&mut ReferenceScene, usize) -> bool,
) -> usize {
    let beyond: Vec<usize> = (0..errors.len()).filter(|at| errors[*at].is_nan() || errors[*at] > ALIKE).collect();
    // More than one of two hundred are too many anywhere.
    if beyond.is_empty() || 200 * beyond.len() > errors.len() {
        return beyond.len();
    }
    let mut reference = reference();
    beyond.into_iter().filter(|at| !shows(&mut reference, *at)).count()
}

pub(super) fn light_of(halves: &[u16]) -> Vec<Vec3> {
    halves.chunks_exact(4).map(|t| Vec3::from_array([t[0], t[1], t[2]].map(half::to_f32))).collect()
}
