//! Checks of the targets beside the IDs: the sun's depth map, and fragments per pixel.

use super::{
    Meshlets, MeshletsSettings,
    checks::{cameras, paths},
    reference::{fragments, nearest},
    scene_buffers,
};
use crate::{
    base::half,
    gpu::{Feature, Format, Gpu, Image, ImageDesc, Use},
    lab::{Case, Effort, Property, Reference, TestBench, Verdict},
    scene::world::{GpuScene, World},
};
use glam::{Mat4, Vec3};
use std::sync::Arc;

/// A world, and how it is drawn.
pub struct ShadowCase {
    world: Arc<World>,
    settings: MeshletsSettings,
    /// To the sun.
    sun: Vec3,
    /// Index of the camera.
    camera: usize,
    size: [u32; 2],
}

impl ShadowCase {
    fn new(gpu: &Gpu) -> Vec<Result<Self, String>> {
        let crowd = scene_buffers::crowd(24, 12).map(Arc::new);
        let suns = [Vec3::new(0.4, 0.8, 0.3), Vec3::new(-2.0, 0.1, 0.0)];
        let one = |(i, by)| {
            let settings = MeshletsSettings {
                by,
                frustum: false,
                cone: false,
                occlusion: false,
                triangles: i % 2 == 0,
                shadow_side: 512,
                ..Default::default()
            };
            let (sun, camera, size) = (suns[i % 2], i % 4, [[113, 64], [64, 65]][i % 2]);
            crowd.clone().map(|world| Self { world, settings, sun, camera, size })
        };
        let paths: Vec<_> = paths(gpu).into_iter().flat_map(|by| [by, by]).collect();
        paths.into_iter().enumerate().map(one).collect()
    }
}

fn cases(gpu: &Gpu) -> Vec<Case<Result<ShadowCase, String>>> {
    let scenes = ShadowCase::new(gpu).into_iter().enumerate();
    scenes.map(|(i, input)| Case { name: format!("scene {i}, mesh {}", gpu.has(Feature::MeshShader)), input }).collect()
}

/// The sun's depth map is as deep as the nearest triangle.
pub struct Sun;

/// Shaders' bias of the depth by its slope, and a little.
pub(super) const BIAS: f64 = 1.6;
/// Beyond what the reference allows for: steps of the depth.
pub(super) const STEPS: f64 = 4e-6;

impl Property for Sun {
    const NAME: &'static str = "sun";
    type Input = Result<ShadowCase, String>;
    /// Depths, and the matrix.
    type Output = (Vec<f32>, Mat4);

    fn cases(gpu: &Gpu, _: Effort) -> Vec<Case<Self::Input>> {
        cases(gpu)
    }

    fn run(bench: &mut TestBench, scene: &Self::Input) -> anyhow::Result<Self::Output> {
        let scene = scene.as_ref().map_err(|e| anyhow::anyhow!("{e}"))?;
        let mut technique = Meshlets::listing(bench.gpu(), 5000)?;
        let world = bench.run(|frame| GpuScene::new(frame, scene.world.clone()))?;
        let shadow = bench.run(|frame| technique.shadow(frame, &scene.settings, &world, scene.sun))?;
        Ok((bench.read(&shadow.depth)?, shadow.clip_from_world))
    }

    fn verdict(scene: &Self::Input, (depths, matrix): &Self::Output) -> Verdict {
        let Ok(scene) = scene else { return Verdict { passed: false, text: "no world".into() } };
        let expected = nearest(&scene.world, matrix, scene.settings.shadow_side, BIAS);
        let is_right = |(depth, [low, high]): (&f32, &[f64; 2])| {
            let depth = f64::from(*depth);
            depth >= low - STEPS && depth <= high + STEPS
        };
        let wrong = depths.iter().zip(&expected).filter(|both| !is_right(*both)).count();
        let clear = expected.iter().filter(|[low, high]| *low > 0.0 && high - low < 0.02).count();
        let share = 100.0 * clear as f64 / expected.len() as f64;
        let passed = wrong == 0 && depths.len() == expected.len() && share > 10.0;
        Verdict { passed, text: format!("{wrong} of {} texels wrong, {share:.0} % known to 0.02", depths.len()) }
    }
}

/// Overdraw is as many fragments as there are.
pub struct Overdraw;

impl Reference for Overdraw {
    const NAME: &'static str = "overdraw";
    type Input = Result<ShadowCase, String>;
    /// By pixel: at least, at most.
    type Output = Vec<[usize; 2]>;

    fn cases(gpu: &Gpu, _: Effort) -> Vec<Case<Self::Input>> {
        cases(gpu)
    }

    fn cpu(scene: &Self::Input) -> Self::Output {
        let counted = scene.as_ref().map(|scene| fragments(&scene.world, &cameras()[scene.camera].1, scene.size));
        counted.unwrap_or_default()
    }

    fn gpu(bench: &mut TestBench, scene: &Self::Input) -> anyhow::Result<Self::Output> {
        let scene = scene.as_ref().map_err(|e| anyhow::anyhow!("{e}"))?;
        let mut technique = Meshlets::listing(bench.gpu(), 5000)?;
        let world = bench.run(|frame| GpuScene::new(frame, scene.world.clone()))?;
        let picture = Image::new(bench.gpu(), ImageDesc::new("picture", scene.size, Format::Rgba8, &[Use::Storage]))?;
        let camera = cameras()[scene.camera].1;
        let name = super::views::OVERDRAW;
        bench.run(|frame| technique.view(frame, name, &scene.settings, &world, &camera, &picture.mip(0)))?;
        let layer = technique.images.layer.get().ok_or_else(|| anyhow::anyhow!("nothing drawn"))?;
        let texels: Vec<[u16; 4]> = bench.read(&layer.mip(0))?;
        Ok(texels.iter().map(|texel| [half::to_f64(texel[0]) as usize; 2]).collect())
    }

    fn agree(_: &Self::Input, cpu: &Self::Output, gpu: &Self::Output) -> Verdict {
        let wrong = cpu.iter().zip(gpu).filter(|(range, n)| n[0] < range[0] || n[0] > range[1]).count();
        let clear = cpu.iter().filter(|[least, most]| least == most).count();
        let most = gpu.iter().map(|n| n[0]).max().unwrap_or(0);
        let passed = wrong == 0 && cpu.len() == gpu.len() && 2 * clear > cpu.len() && most > 2;
        let text = format!("{wrong} of {} pixels wrong, {clear} with one right answer, {most} at most", gpu.len());
        Verdict { passed, text }
    }
}
