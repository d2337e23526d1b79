//! Check of the sun's depth map.

use super::{
    checks::{paths, stage, unculled},
    reference::nearest,
};
use crate::{By, MeshletsSettings, scene_buffers};
use glam::{Mat4, Vec3};
use gpu::Gpu;
use lab::{Case, Effort, Property, TestBench, Verdict};
use scene::world::World;
use std::sync::Arc;

pub struct ShadowCase {
    world: Arc<World>,
    settings: MeshletsSettings,
    sun: Vec3,
}

pub struct Sun;

/// The shaders' depth bias by slope, and a little.
pub(super) const BIAS: f64 = 1.6;
/// Depth tolerance beyond the reference's. Derived: a sum of four products of up to 1, interpolated, has some 10 roundings
/// of 2^-24, 6e-7, of terms that may be larger than their sum. Observed: none beyond (Mesa 25.0.7).
pub(super) const STEPS: f64 = 4e-6;

impl Property for Sun {
    const NAME: &'static str = "sun";
    type Input = ShadowCase;
    type Output = (Vec<f32>, Mat4);

    fn cases(gpu: &Gpu, _: Effort) -> Vec<Case<Self::Input>> {
        let crowd = scene_buffers::crowd(24, 12).map(Arc::new);
        let suns = [Vec3::new(0.4, 0.8, 0.3), Vec3::new(-2.0, 0.1, 0.0)];
        let case = |(i, by): (usize, By)| {
            let settings = MeshletsSettings { by, triangles: i % 2 == 0, shadow_side: 512, ..unculled() };
            let input = crowd.clone().map(|world| ShadowCase { world, settings, sun: suns[i % 2] });
            Case::tried(format!("{}, sun {}", by.name(), i % 2), input)
        };
        paths(gpu).into_iter().flat_map(|by| [by, by]).enumerate().map(case).collect()
    }

    fn run(bench: &mut TestBench, scene: &Self::Input) -> anyhow::Result<Self::Output> {
        let (world, mut technique) = stage(bench, &scene.world, 5000, false)?;
        let shadow = bench.run(|frame| technique.shadow(frame, &scene.settings, &world, scene.sun))?;
        Ok((bench.read(&shadow.depth)?, shadow.clip_from_world))
    }

    fn verdict(scene: &Self::Input, (depths, matrix): &Self::Output) -> Verdict {
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
