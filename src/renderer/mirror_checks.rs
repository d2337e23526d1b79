//! Checks of the reflections together with the shading: all ways give the same picture, energy is conserved, and traced primary rays match
//! the visibility buffer.

use super::mirror_cones::{Cones, Widths};
use super::mirror_lamps::Lamps;
use super::mirror_light::{Cell, Coats, Hazy, Tiles};
use super::mirror_parts::{ByHardware, Dim, Plane, Resolved, Visited};
use crate::{
    base::{difference::Errors, half},
    gpu::{Frame, Gpu, ImageView, Result},
    lab::{Case, Check, Effort, Oracle, TestBench, Verdict},
    scene::{
        Place, SceneSettings,
        world::{Camera, GpuScene, Shadow, World, built_in},
    },
    techniques::{
        ShadedApart, Technique,
        meshlets::{Meshlets, MeshletsSettings},
        reflections::{
            Bvh, CastRay, Limits, Mapping, MirrorInput, Reflections, ReflectionsSettings, Storage, Work, cast, furnace,
            mirror_room,
        },
        shade::{self, Shade, ShadeInput, ShadeSettings, Split},
    },
};
use glam::Vec3;
use std::sync::Arc;

/// The checks added to `technique`'s own.
#[must_use]
pub fn checks(technique: &str) -> Vec<Check> {
    match technique {
        Reflections::ID => {
            vec![
                Check::of::<Ways>().depends_on_subgroups().draws(),
                Check::of::<InQueues>().depends_on_subgroups().draws(),
                Check::of::<Resolved>().depends_on_subgroups().draws(),
                Check::of::<Visited>().depends_on_subgroups().draws(),
                Check::of::<Plane>().depends_on_subgroups().draws(),
                Check::of::<Dim>().depends_on_subgroups().draws(),
                Check::of::<ByHardware>().depends_on_subgroups().draws(),
                Check::of::<Tiles>().depends_on_subgroups().draws(),
                Check::of::<Cell>().depends_on_subgroups().draws(),
                Check::of::<Coats>().depends_on_subgroups().draws(),
                Check::of::<Lamps>().depends_on_subgroups().draws(),
                Check::of::<Cones>().depends_on_subgroups().draws(),
                Check::of::<Widths>().depends_on_subgroups().draws(),
                Check::of::<Hazy>().depends_on_subgroups().draws(),
                Check::of::<Furnace>().depends_on_subgroups().draws(),
                Check::of::<Primaries>().draws(),
            ]
        }
        _ => vec![],
    }
}

/// A drawn and shaded world with mirrors.
pub(super) struct Mirrored {
    pub world: GpuScene,
    pub camera: Camera,
    pub ids: ImageView,
    meshlets: Meshlets,
    shade: Shade,
    settings: ShadeSettings,
    sun: Vec3,
    shadow: Option<Shadow>,
}

impl Mirrored {
    pub fn new(
        bench: &mut TestBench,
        world: World,
        size: [u32; 2],
        settings: ShadeSettings,
        sun: Vec3,
    ) -> Result<Self> {
        let (gpu, world) = (bench.gpu().clone(), Arc::new(world));
        let camera = SceneSettings::default().viewpoint(world.viewpoint, 0.0).camera();
        let world = bench.run(|frame| GpuScene::new(frame, world))?;
        let mut meshlets = Meshlets::new(&gpu)?;
        let ids = bench.run(|frame| meshlets.record(frame, &MeshletsSettings::default(), &world, &camera, size))?.ids;
        Ok(Self { world, camera, ids, meshlets, shade: Shade::new(&gpu)?, settings, sun, shadow: None })
    }

    /// Turns on the sun's shadows.
    pub fn cast_shadows(&mut self, bench: &mut TestBench) -> Result<()> {
        let Self { world, meshlets, sun, .. } = self;
        let shadow = bench.run(|frame| meshlets.shadow(frame, &MeshletsSettings::default(), world, *sun))?;
        self.shadow = Some(shadow);
        Ok(())
    }

    /// Changes the camera.
    pub fn look_from(&mut self, bench: &mut TestBench, camera: Camera) -> Result<()> {
        let (size, Self { world, meshlets, .. }) = (self.ids.size(), &mut *self);
        let seen = bench.run(|frame| meshlets.record(frame, &MeshletsSettings::default(), world, &camera, size))?;
        (self.camera, self.ids) = (camera, seen.ids);
        Ok(())
    }

    /// Rays through the middle of each pixel.
    pub fn rays(&self) -> Vec<CastRay> {
        let ([width, height], [right, up]) = (self.ids.size(), self.camera.axes());
        let step = 2.0 * (0.5 * self.camera.angle).tan() / height as f32;
        let ray = |x: u32, y: u32| {
            let across = right * ((x as f32 + 0.5 - 0.5 * width as f32) * step);
            let down = up * ((0.5 * height as f32 - y as f32 - 0.5) * step);
            CastRay { origin: self.camera.eye, direction: (up.cross(right) + across + down).normalize() }
        };
        (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).map(|(x, y)| ray(x, y)).collect()
    }

    /// Changes the shading's settings.
    pub fn shade_by(&mut self, settings: ShadeSettings) {
        self.settings = settings;
    }

    /// Draws everything that is not reused between frames; returns the light.
    pub fn record(
        &mut self,
        frame: &mut Frame,
        reflections: &mut Reflections,
        settings: &ReflectionsSettings,
        draws: bool,
    ) -> Result<ImageView> {
        let Self { world, camera, ids, meshlets, shade, sun, shadow, .. } = self;
        if draws {
            meshlets.record(frame, &MeshletsSettings::default(), world, camera, ids.size())?;
        }
        let scene = ShadeInput { world, camera, sun: *sun, shadow: shadow.as_ref(), detail: 1.0 };
        if !reflections.is_ready(frame, settings, &world.world, None)? {
            return shade.record(frame, &self.settings, &scene, ids, &shade::Work::Raster);
        }
        let shaded = shade.record_apart(frame, &self.settings, &scene, ids, &shade::Work::Raster)?;
        reflections.record(frame, settings, &MirrorInput { world, ids, shaded: &shaded }, 1.0, true)
    }

    /// Shades everything but the mirrors, if they are traced.
    pub fn shaded_once(
        &mut self,
        bench: &mut TestBench,
        reflections: &mut Reflections,
        settings: &ReflectionsSettings,
    ) -> Result<Option<ShadedApart>> {
        let Self { world, camera, ids, shade, sun, shadow, .. } = self;
        let scene = ShadeInput { world, camera, sun: *sun, shadow: shadow.as_ref(), detail: 1.0 };
        bench.run(|frame| {
            let is_ready = reflections.is_ready(frame, settings, &world.world, None)?;
            let mut shaded = || shade.record_apart(frame, &self.settings, &scene, ids, &shade::Work::Raster);
            is_ready.then(&mut shaded).transpose()
        })
    }

    /// The reflections alone. They add to the light, which is returned and becomes brighter with every call, except in queues.
    pub fn reflect(
        &self,
        frame: &mut Frame,
        reflections: &mut Reflections,
        settings: &ReflectionsSettings,
        shaded: &ShadedApart,
    ) -> Result<ImageView> {
        let input = MirrorInput { world: &self.world, ids: &self.ids, shaded };
        reflections.record(frame, settings, &input, 1.0, true)
    }
}

pub(super) fn shading() -> ShadeSettings {
    ShadeSettings { split: Split::Off, haze: 0.0, clouds: 0.0, ..Default::default() }
}

/// All combinations of storage, mapping and way, at every subgroup size: the same bits.
struct Ways;

/// Parameters that differ between runs.
type Combination = (Work, Storage, Mapping);

fn combinations(full: bool) -> Vec<Combination> {
    let mut all = vec![];
    for work in Work::by_mask() {
        for storage in Storage::ALL {
            for mapping in Mapping::ALL {
                // The stencil's check covers storage and mapping of each way; here each appears at least once.
                if full || *storage == Storage::Bits || work == Work::Auto {
                    all.push((work, *storage, *mapping));
                }
            }
        }
    }
    all
}

impl Oracle for Ways {
    const NAME: &'static str = "ways";
    /// Bounces, size of the picture, whether all combinations are tried.
    type Input = (u32, [u32; 2], bool);
    /// Name and light of each combination; then the fraction of pixels with two bounces or more, or with one if no more are allowed.
    type Output = (Vec<(String, Vec<u16>)>, f64);

    fn cases(_: &Gpu, effort: Effort) -> Vec<Case<Self::Input>> {
        let full = effort == Effort::Full;
        let depths: &[u32] = if full { &[1, 2, 3, 4, 5, 6, 7, 8] } else { &[1, 3, 8] };
        let case = |depth: &u32| Case { name: format!("depth {depth}"), input: (*depth, [83, 47], full) };
        depths.iter().map(case).collect()
    }

    fn cpu(_: &Self::Input) -> Self::Output {
        (vec![], 0.0)
    }

    fn gpu(bench: &mut TestBench, (depth, size, full): &Self::Input) -> anyhow::Result<Self::Output> {
        let sun = Vec3::new(-0.5, 0.7, 0.5).normalize();
        let mut scene = Mirrored::new(bench, mirror_room(), *size, shading(), sun)?;
        let (mut found, mut deep) = (vec![], 0.0);
        for (lanes, mut reflections) in Reflections::variants(bench.gpu()) {
            for (work, storage, mapping) in combinations(*full) {
                let settings = ReflectionsSettings { depth: *depth, work, storage, mapping, ..Default::default() };
                let light = bench.run(|frame| scene.record(frame, &mut reflections, &settings, false))?;
                let name = format!("{lanes} {} {} {}", work.name(), storage.name(), mapping.name());
                found.push((name, bench.read(&light)?));
            }
            let Some(traced) = reflections.traced() else { anyhow::bail!("nothing was traced") };
            let least = f64::from(*depth.min(&2));
            let bounces = bench.read::<u16>(&traced)?.chunks_exact(4).filter(|t| half::to_f64(t[3]) >= least).count();
            deep = bounces as f64 / f64::from(size[0] * size[1]);
        }
        Ok((found, deep))
    }

    fn agree(_: &Self::Input, _: &Self::Output, (gpu, deep): &Self::Output) -> Verdict {
        let finite = gpu.iter().all(|(_, light)| light.iter().all(|half| half & 0x7C00 != 0x7C00));
        let first = gpu.first().map(|(_, light)| light);
        let wrong: Vec<_> =
            gpu.iter().filter(|(_, light)| Some(light) != first).map(|(name, _)| name.as_str()).collect();
        let text = format!("{} runs, finite: {finite}, other than the first: {}", gpu.len(), wrong.join("; "));
        Verdict { passed: finite && gpu.len() > 20 && wrong.is_empty() && *deep >= 0.1, text }
    }
}

/// Rays in queues show the same as those of the mask; over several frames the same bits as at once.
struct InQueues;

/// A pixel with a larger difference, relative to its light, has hit something else.
const ALIKE: f64 = 0.02;

impl Oracle for InQueues {
    const NAME: &'static str = "queues";
    type Input = u32;
    /// The light by words, in queues at once, and in queues over several frames; then the number of frames.
    type Output = ([Vec<u16>; 3], u32);

    fn cases(_: &Gpu, effort: Effort) -> Vec<Case<u32>> {
        let depths: &[u32] = if effort == Effort::Full { &[1, 2, 3, 4, 5, 6, 7, 8] } else { &[1, 8] };
        depths.iter().map(|depth| Case { name: format!("depth {depth}"), input: *depth }).collect()
    }

    fn cpu(_: &u32) -> Self::Output {
        Default::default()
    }

    fn gpu(bench: &mut TestBench, depth: &u32) -> anyhow::Result<Self::Output> {
        let sun = Vec3::new(-0.5, 0.7, 0.5).normalize();
        let mut scene = Mirrored::new(bench, mirror_room(), [163, 97], shading(), sun)?;
        let mut reflections = Reflections::new(bench.gpu())?;
        let mut light = |work| {
            let settings = ReflectionsSettings { depth: *depth, work, ..Default::default() };
            let light = bench.run(|frame| scene.record(frame, &mut reflections, &settings, false))?;
            bench.read(&light)
        };
        let at_once = [light(Work::Words)?, light(Work::Queues)?];
        let settings = ReflectionsSettings { depth: *depth, work: Work::Queues, ..Default::default() };
        let Some(shaded) = scene.shaded_once(bench, &mut reflections, &settings)? else {
            anyhow::bail!("there is nothing to trace");
        };
        let input = MirrorInput { world: &scene.world, ids: &scene.ids, shaded: &shaded };
        let light = bench.run(|frame| reflections.record(frame, &settings, &input, 1.0, false))?;
        let mut frames = 1;
        while reflections.is_unfinished() && frames < 100 {
            bench.run(|frame| reflections.go_on(frame, &settings, &input, 1.0))?;
            frames += 1;
        }
        let [words, queues] = at_once;
        Ok(([words, queues, bench.read(&light)?], frames))
    }

    fn agree(_: &u32, _: &Self::Output, ([words, queues, shares], frames): &Self::Output) -> Verdict {
        let shares = Verdict { passed: *frames > 3 && shares == queues, text: format!("{frames} frames, the same") };
        shares.and(alike(words, queues))
    }
}

/// Whether two pictures agree except in a few pixels.
pub(super) fn alike(words: &[u16], queues: &[u16]) -> Verdict {
    let error = |(a, b): (&u16, &u16)| (half::to_f64(*a) - half::to_f64(*b)).abs() / (half::to_f64(*a) + 0.05);
    let errors = Errors::of(words.iter().zip(queues).map(error));
    let other = words.iter().zip(queues).filter(|both| error(*both) > ALIKE || !error(*both).is_finite()).count();
    let missing = words.len().abs_diff(queues.len()) as f64;
    let lit = words.iter().filter(|value| **value != 0).count() as f64;
    Verdict::at_most("values missing", missing, 0.0)
        .and(Verdict::at_least("part that is lit", lit / words.len().max(1) as f64, 0.05))
        .and(Verdict::at_most("mean error", errors.mean(), 1e-3))
        .and(Verdict::at_most("99 % error", errors.part(0.99), ALIKE))
        .and(Verdict::at_most("part that shows something else", other as f64 / words.len().max(1) as f64, 5e-3))
}

/// White furnace: perfect mirrors in a uniformly glowing room are as bright as the room, at any depth.
struct Furnace;

impl Oracle for Furnace {
    const NAME: &'static str = "furnace";
    /// Bounces, and how the work is found.
    type Input = (u32, Work);
    /// Relative errors of the pixels whose light was traced to its source; then their number.
    type Output = (Vec<f64>, usize);

    fn cases(_: &Gpu, effort: Effort) -> Vec<Case<Self::Input>> {
        let depths: &[u32] = if effort == Effort::Full { &[1, 2, 3, 4, 5, 6, 7, 8] } else { &[2, 8] };
        let both = depths.iter().flat_map(|depth| [Work::Words, Work::Queues].map(|work| (*depth, work)));
        both.map(|input| Case { name: format!("{}, depth {}", input.1.name(), input.0), input }).collect()
    }

    fn cpu(_: &Self::Input) -> Self::Output {
        (vec![], 0)
    }

    fn gpu(bench: &mut TestBench, (depth, work): &Self::Input) -> anyhow::Result<Self::Output> {
        let size = [97, 61];
        let mut scene = Mirrored::new(bench, furnace(), size, shading(), Vec3::NEG_Y)?;
        let mut reflections = Reflections::new(bench.gpu())?;
        let settings = ReflectionsSettings { depth: *depth, work: *work, ..Default::default() };
        let light = bench.run(|frame| scene.record(frame, &mut reflections, &settings, false))?;
        let light: Vec<u16> = bench.read(&light)?;
        let Some(traced) = reflections.traced() else { anyhow::bail!("nothing was traced") };
        let traced: Vec<u16> = bench.read(&traced)?;
        let mut errors = vec![];
        for (light, traced) in light.chunks_exact(4).zip(traced.chunks_exact(4)) {
            // At the last bounce the sky may have been substituted.
            if half::to_f64(traced[3]) >= f64::from(*depth) {
                continue;
            }
            let glow = crate::techniques::reflections::GLOW.to_array();
            let error = |c: usize| (half::to_f64(light[c]) / f64::from(glow[c]) - 1.0).abs();
            errors.push(error(0).max(error(1)).max(error(2)));
        }
        let count = errors.len();
        Ok((errors, count))
    }

    fn agree(_: &Self::Input, _: &Self::Output, (errors, count): &Self::Output) -> Verdict {
        let enough = Verdict { passed: *count > 2000, text: format!("{count} pixels") };
        enough.and(Verdict::within("relative error", &Errors::of(errors.iter().copied()), [1e-3, 2e-3, 4e-3]))
    }
}

/// Rays through the middle of each pixel against the visibility buffer.
struct Primaries;

impl Oracle for Primaries {
    const NAME: &'static str = "primaries";
    type Input = (Place, u32);
    /// Fractions of all pixels: those whose ray hits none of the surfaces visible around it, and those with a visible surface.
    type Output = [f64; 2];

    fn cases(_: &Gpu, effort: Effort) -> Vec<Case<Self::Input>> {
        let all = [("many", (Place::Many, 60)), ("court", (Place::Court, 0))];
        let chosen = if effort == Effort::Full { &all[..] } else { &all[..1] };
        chosen.iter().map(|(name, input)| Case { name: (*name).into(), input: *input }).collect()
    }

    fn cpu(_: &Self::Input) -> [f64; 2] {
        [0.0; 2]
    }

    fn gpu(bench: &mut TestBench, (place, instances): &Self::Input) -> anyhow::Result<[f64; 2]> {
        let size = [191, 107];
        let scene = Mirrored::new(bench, built_in(*place, *instances), size, shading(), Vec3::Y)?;
        let bvh =
            Bvh::build(&scene.world.world, Limits { buffer: 1 << 27, all: 1 << 30 }).map_err(anyhow::Error::msg)?;
        let found = cast(bench, &bvh, &scene.rays())?;
        let ids: Vec<u32> = bench.read(&scene.ids)?;
        // At edges the rasterizer's snapped corners may select a neighbour.
        let is_near = |at: usize, visibility: u32| {
            let (x, y) = (at as i64 % i64::from(size[0]), at as i64 / i64::from(size[0]));
            let near = (-1..2).flat_map(|j| (-1..2).map(move |i| (x + i, y + j)));
            let mut inside = near.filter(|(x, y)| (0..size[0].into()).contains(x) && (0..size[1].into()).contains(y));
            inside.any(|(x, y)| ids[(y * i64::from(size[0]) + x) as usize] == visibility)
        };
        let differ = found.iter().enumerate().filter(|(at, found)| !is_near(*at, found.visibility)).count();
        let seen = ids.iter().filter(|id| **id != 0).count();
        Ok([differ, seen].map(|count| count as f64 / ids.len() as f64))
    }

    /// Of two coincident triangles the one drawn first stays.
    fn agree(_: &Self::Input, _: &[f64; 2], [differ, seen]: &[f64; 2]) -> Verdict {
        Verdict::at_most("part of the pixels that differ", *differ, 0.004).and(Verdict::at_least(
            "part in which something is seen",
            *seen,
            0.1,
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In a window nothing blocks: the hierarchy is built beside the frames, and one kernel is compiled per frame. Longer than ten seconds:
    /// each way starts with a renderer that has compiled nothing.
    #[test]
    fn reflections_come_while_frames_go_on_at_once_or_in_shares() {
        use crate::renderer::{Background, FrameParams, FramePlan, LoadMode, MirrorPace, Renderer, WorldLoader};
        let gpu = Gpu::headless(true).unwrap();
        let (messages, size) = (gpu.messages(), [96, 54]);
        let works = ["queues", "words"].map(|work| format!("reflections.work={work}"));
        let has = gpu.has(crate::gpu::Feature::RayQuery);
        let hardware = works.iter().filter(|_| has).map(|work| (work, "hardware", MirrorPace::AtOnce));
        let usual = [MirrorPace::AtOnce, MirrorPace::Shares].map(|pace| (&works[0], "shader", pace));
        for (work, traversal, mirror_pace) in usual.into_iter().chain(hardware) {
            let go_on = || LoadMode::Background(Arc::new(|| ()));
            let worlds = WorldLoader::new(None, go_on());
            let mut renderer = Renderer::new(&gpu, Background::new(None, go_on()), worlds).unwrap();
            let mut settings = crate::techniques::Settings::default();
            for set in ["scene.place=many", "scene.instances=9", "scene.antialias=off", work] {
                settings.lay(crate::base::settings::parse_set(set).unwrap()).unwrap();
            }
            let set = format!("reflections.traversal={traversal}");
            settings.lay(crate::base::settings::parse_set(&set).unwrap()).unwrap();
            let plan = FramePlan { mirror_pace, gathers: false, ..FramePlan::WHOLE };
            let params = FrameParams { plan, ..FrameParams::of(&settings, &[]) };
            let uses = [crate::gpu::Use::Color];
            let target = crate::gpu::ImageDesc::new("target", size, crate::gpu::Format::Rgba8, &uses);
            let target = crate::gpu::Image::new(&gpu, target).unwrap().mip(0);
            let mut frames = crate::gpu::Frames::new(&gpu, 1);
            // Mirrors that are switched off during their construction request nothing.
            let plan = FramePlan { mirror_scale: 0.0, ..FramePlan::WHOLE };
            let off = FrameParams { plan, ..FrameParams::of(&settings, &[]) };
            let mut asks = |params: &FrameParams<'_>, renderer: &mut Renderer| {
                frames.once(|frame| renderer.record(frame, params, &target)).unwrap();
                renderer.is_unfinished(&settings)
            };
            let begun = (0..600).any(|_| {
                std::thread::sleep(std::time::Duration::from_millis(10));
                asks(&params, &mut renderer)
            });
            assert!(!begun || !asks(&off, &mut renderer), "{mirror_pace:?} {work} {traversal}");
            let traced = (0..600).any(|_| {
                let ((), timing) = frames.once(|frame| renderer.record(frame, &params, &target)).unwrap();
                renderer.on_timing(&timing).unwrap();
                std::thread::sleep(std::time::Duration::from_millis(10));
                let bounce = timing.passes.iter().any(|pass| pass.name.starts_with("reflections/bounce"));
                bounce && !renderer.is_unfinished(&settings)
            });
            assert!(traced, "{mirror_pace:?} {work} {traversal}");
        }
        drop(gpu);
        assert_eq!(messages.all(), Vec::<String>::new());
    }
}
