//! Fixture of the reflections' checks: a drawn world with mirrors.

use base::half;
use glam::{DVec3, Vec2, Vec3};
use gpu::{Frame, ImageView, Result};
use lab::{Case, Effort, TestBench, Verdict};
use media::{difference::Errors, pixels::pixels_of};
use meshlets::{Meshlets, MeshletsSettings};
use pixel_sort::PixelSort;
use reflections::{Extent, MirrorInput, Reflections, ReflectionsSettings, Work, lab::CastRay};
use scene::{
    SceneSettings,
    world::{Camera, GpuScene, Shadow, World},
};
use shade::{Shade, ShadeInput, ShadeSettings};
use std::sync::Arc;
use technique::{MirrorlessShading, Technique as _};

const SUN: Vec3 = Vec3::new(-0.5, 0.7, 0.5);

pub struct MirrorScene {
    pub world: GpuScene,
    pub camera: Camera,
    pub ids: ImageView,
    pub sort: PixelSort,
    pub reflections: Reflections,
    meshlets: Meshlets,
    shade: Shade,
    settings: ShadeSettings,
    sun: Vec3,
    shadow: Option<Shadow>,
    pub moving: Option<u32>,
}

impl MirrorScene {
    /// With the light of [`shading`] and [`SUN`].
    pub fn new(bench: &mut TestBench, world: World, size: [u32; 2]) -> Result<Self> {
        let (gpu, world) = (bench.gpu().clone(), Arc::new(world));
        let camera = SceneSettings::default().viewpoint(world.viewpoint, 0.0).camera();
        let world = bench.run(|frame| GpuScene::new(frame, world))?;
        let mut meshlets = Meshlets::new(&gpu)?;
        let ids = bench.run(|frame| meshlets.record(frame, &MeshletsSettings::default(), &world, &camera, size))?.ids;
        let (sort, shade, reflections) = (PixelSort::new(&gpu)?, Shade::new(&gpu)?, Reflections::new(&gpu)?);
        let (settings, sun) = (shading(), SUN.normalize());
        Ok(Self { world, camera, ids, sort, reflections, meshlets, shade, settings, sun, shadow: None, moving: None })
    }

    pub fn lit(self, settings: ShadeSettings, sun: Vec3) -> Self {
        Self { settings, sun, ..self }
    }

    pub fn cast_shadows(&mut self, bench: &mut TestBench) -> Result<()> {
        let Self { world, meshlets, sun, .. } = self;
        let shadow = bench.run(|frame| meshlets.shadow(frame, &MeshletsSettings::default(), world, *sun))?;
        self.shadow = Some(shadow);
        Ok(())
    }

    pub fn look_from(&mut self, bench: &mut TestBench, camera: Camera) -> Result<()> {
        let (size, Self { world, meshlets, .. }) = (self.ids.size(), &mut *self);
        let seen = bench.run(|frame| meshlets.record(frame, &MeshletsSettings::default(), world, &camera, size))?;
        (self.camera, self.ids) = (camera, seen.ids);
        Ok(())
    }

    /// From behind a mirror in the plane z = `plane`.
    pub fn look_from_behind(&mut self, bench: &mut TestBench, plane: f32) -> Result<()> {
        let behind = |at: Vec3| Vec3::new(at.x, at.y, 2.0 * plane - at.z);
        let Camera { eye, target, .. } = self.camera;
        self.look_from(bench, Camera { eye: behind(eye), target: behind(target), ..self.camera })
    }

    pub fn rays(&self) -> Vec<CastRay> {
        let ([width, height], [right, up]) = (self.ids.size(), self.camera.axes());
        let step = 2.0 * (0.5 * self.camera.angle).tan() / height as f32;
        let ray = |[x, y]: [u32; 2]| {
            let across = right * ((x as f32 + 0.5 - 0.5 * width as f32) * step);
            let down = up * ((0.5 * height as f32 - y as f32 - 0.5) * step);
            CastRay { origin: self.camera.eye, direction: (up.cross(right) + across + down).normalize() }
        };
        pixels_of([width, height]).map(ray).collect()
    }

    pub fn shade_by(&mut self, settings: ShadeSettings) {
        self.settings = settings;
    }

    pub fn record(&mut self, frame: &mut Frame, settings: &ReflectionsSettings, draws: bool) -> Result<ImageView> {
        let Self { world, camera, ids, sort, reflections, meshlets, shade, sun, shadow, moving, .. } = self;
        if draws {
            meshlets.record(frame, &MeshletsSettings::default(), world, camera, ids.size())?;
        }
        let scene = ShadeInput { world, camera, sun: *sun, shadow: shadow.as_ref(), detail: 1.0 };
        if !reflections.is_ready(frame, settings, &world.world, None)? {
            return shade.record(frame, &self.settings, &scene, ids, &shade::Work::Raster);
        }
        let shaded = shade.record_apart(frame, &self.settings, &scene, ids, &shade::Work::Raster)?;
        let extent = Extent { moving: *moving, ..Extent::WHOLE };
        reflections.record(frame, settings, &MirrorInput { world, ids, shaded: &shaded, lists: sort }, extent)
    }

    pub fn light<T: bytemuck::AnyBitPattern>(
        &mut self,
        bench: &mut TestBench,
        settings: &ReflectionsSettings,
    ) -> Result<Vec<T>> {
        let light = bench.run(|frame| self.record(frame, settings, false))?;
        bench.read(&light)
    }

    /// What the last frame's rays brought.
    pub fn traced<T: bytemuck::AnyBitPattern>(&self, bench: &mut TestBench) -> anyhow::Result<Vec<T>> {
        let Some(traced) = self.reflections.traced() else { anyhow::bail!("nothing was traced") };
        Ok(bench.read(&traced)?)
    }

    /// What the rays of a frame brought, and the IDs.
    pub fn trace(
        &mut self,
        bench: &mut TestBench,
        settings: &ReflectionsSettings,
    ) -> anyhow::Result<(Vec<[u16; 4]>, Vec<u32>)> {
        bench.run(|frame| self.record(frame, settings, false))?;
        Ok((self.traced(bench)?, bench.read(&self.ids)?))
    }

    pub fn shaded_once(
        &mut self,
        bench: &mut TestBench,
        settings: &ReflectionsSettings,
    ) -> Result<Option<MirrorlessShading>> {
        let Self { world, camera, ids, reflections, shade, sun, shadow, .. } = self;
        let scene = ShadeInput { world, camera, sun: *sun, shadow: shadow.as_ref(), detail: 1.0 };
        bench.run(|frame| {
            let is_ready = reflections.is_ready(frame, settings, &world.world, None)?;
            let mut shaded = || shade.record_apart(frame, &self.settings, &scene, ids, &shade::Work::Raster);
            is_ready.then(&mut shaded).transpose()
        })
    }

    /// The reflections alone. They add to the light, which is returned and becomes brighter with every call, except in queues.
    pub fn reflect(
        &mut self,
        frame: &mut Frame,
        settings: &ReflectionsSettings,
        shaded: &MirrorlessShading,
        moving: Option<u32>,
    ) -> Result<ImageView> {
        let input = MirrorInput { world: &self.world, ids: &self.ids, shaded, lists: &self.sort };
        self.reflections.record(frame, settings, &input, Extent { moving, ..Extent::WHOLE })
    }

    /// The light with rays that were traced `shift` pixels beside. `None` without queues.
    pub fn reuse(
        &mut self,
        frame: &mut Frame,
        settings: &ReflectionsSettings,
        shaded: &MirrorlessShading,
        shift: Vec2,
    ) -> Result<Option<ImageView>> {
        let input = MirrorInput { world: &self.world, ids: &self.ids, shaded, lists: &self.sort };
        self.reflections.reuse(frame, settings, &input, shift, [1, 4])
    }
}

pub fn shading() -> ShadeSettings {
    ShadeSettings { split: Some(false), haze: 0.0, clouds: 0.0, ..Default::default() }
}

pub fn instance(scene: &MirrorScene, visibility: u32) -> Option<usize> {
    scene.world.world.meshlet_of(visibility).map(|placed| placed.instance as usize)
}

/// One way to find the work for each set of kernels.
const WORKS: [Work; 3] = [Work::Words, Work::Sorted, Work::Queues];

pub fn with_each_work<T: Copy>(of: &[T]) -> Vec<(Work, T)> {
    WORKS.into_iter().flat_map(|work| of.iter().map(move |other| (work, *other))).collect()
}

pub fn by_work() -> Vec<Case<Work>> {
    WORKS.map(|work| Case::new(work.name(), work)).into()
}

pub fn depths(effort: Effort, quick: &'static [u32]) -> &'static [u32] {
    if effort == Effort::Full { &[1, 2, 3, 4, 5, 6, 7, 8] } else { quick }
}

pub fn bounces(bench: &mut TestBench, world: World, size: [u32; 2], work: Work) -> anyhow::Result<Vec<f64>> {
    let mut scene = MirrorScene::new(bench, world, size)?;
    let settings = ReflectionsSettings { depth: 8, work, ..Default::default() };
    Ok(scene.trace(bench, &settings)?.0.iter().map(|texel| half::to_f64(texel[3])).collect())
}

pub fn color([r, g, b, _]: [u16; 4]) -> DVec3 {
    DVec3::new(half::to_f64(r), half::to_f64(g), half::to_f64(b))
}

/// A pixel with a larger difference, relative to its light, has hit something else.
pub const ALIKE: f64 = 0.02;
/// Part of the pixels that may: other kernels round otherwise. Observed: worst 5e-4 (Mesa 25.0.7, between frames at rest
/// and in motion; between kernels none).
pub const OTHERS: f64 = 5e-3;
/// Derived: both are half floats, and each is cut off by up to 2^-10, by half of that in the mean. Worst 6e-4 (Mesa 25.0.7).
const MEAN: f64 = 1e-3;

pub fn alike(words: &[u16], queues: &[u16]) -> Verdict {
    let error = |(a, b): (&u16, &u16)| (half::to_f64(*a) - half::to_f64(*b)).abs() / (half::to_f64(*a) + 0.05);
    let errors = Errors::of(words.iter().zip(queues).map(error));
    let other = words.iter().zip(queues).filter(|both| error(*both) > ALIKE || !error(*both).is_finite()).count();
    let missing = words.len().abs_diff(queues.len()) as f64;
    let lit = words.iter().filter(|value| **value != 0).count() as f64;
    Verdict::at_most("values missing", missing, 0.0)
        .and(Verdict::at_least("part that is lit", lit / words.len().max(1) as f64, 0.05))
        .and_at_most("mean error", errors.mean(), MEAN)
        .and_at_most("99 % error", errors.part(0.99), ALIKE)
        .and_at_most("part that shows something else", other as f64 / words.len().max(1) as f64, OTHERS)
}
