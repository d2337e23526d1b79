//! Checks of partial coverage: alpha-masked surfaces and transparent layers. Both paths, the sun's map, and culling that changes nothing.

use super::{
    checks::{cameras, draw, paths, shift_of, stage, unculled},
    layer_checks::{BIAS, STEPS},
    reference::{Pixel, layers, nearest, rasterize},
};
use crate::{LIST_MAX, Meshlets, MeshletsSettings, passes::culling::LAYERS, scene_buffers};
use glam::{Mat4, Vec3};
use gpu::Gpu;
use lab::{Case, Effort, Property, Reference, TestBench, Verdict, words_apart};
use scene::world::{AlphaMode, Camera, GpuScene, VisibilityId, World};
use std::sync::Arc;

pub struct Shot {
    world: Arc<World>,
    camera: Camera,
    size: [u32; 2],
    settings: MeshletsSettings,
    list_max: u64,
    by_words: bool,
    is_deep: bool,
}

const SIZES: [[u32; 2]; 4] = [[213, 117], [63, 65], [1, 1], [2, 90]];

fn shots(gpu: &Gpu, effort: Effort) -> Vec<Case<Shot>> {
    let world = scene_buffers::grove(60).map(Arc::new);
    let mut cases = vec![];
    for by in paths(gpu) {
        for (i, (name, camera)) in cameras().into_iter().enumerate() {
            let camera = Camera { shift: shift_of(i), ..camera };
            for (j, size) in SIZES.into_iter().enumerate() {
                if effort == Effort::Quick && j != i % 4 && j != 0 || effort == Effort::Quick && i > 2 {
                    continue;
                }
                let list_max = if (i + j) % 2 == 1 { 150 } else { LIST_MAX };
                let settings = MeshletsSettings { by, triangles: i != 1, ..Default::default() };
                let (by_words, is_deep) = (i % 2 == 1, i <= 2 && j == 0);
                let name = format!("{} {name} {}x{}", by.name(), size[0], size[1]);
                let shot = |world| Shot { world, camera, size, settings, list_max, by_words, is_deep };
                cases.push(Case::tried(name, world.clone().map(shot)));
            }
        }
    }
    cases
}

impl Shot {
    fn stage(&self, bench: &mut TestBench) -> anyhow::Result<(GpuScene, Meshlets)> {
        stage(bench, &self.world, self.list_max, self.by_words)
    }

    fn is_masked(&self, id: u32) -> bool {
        let [first, count] = self.world.spans()[1].1;
        VisibilityId(id).meshlet_key().checked_sub(1).is_some_and(|placed| (first..first + count).contains(&placed))
    }
}

pub struct Masks;

// Longer than ten seconds: the reference implementation rasterizes every triangle on the CPU.
impl Property for Masks {
    const NAME: &'static str = "masks";
    type Input = Shot;
    type Output = Vec<(Vec<u32>, Vec<f32>)>;

    fn cases(gpu: &Gpu, effort: Effort) -> Vec<Case<Shot>> {
        shots(gpu, effort)
    }

    fn run(bench: &mut TestBench, shot: &Shot) -> anyhow::Result<Self::Output> {
        let (world, mut technique) = shot.stage(bench)?;
        let mut seen = vec![];
        for _ in 0..2 {
            seen.push(draw(bench, &mut technique, &shot.settings, &world, &shot.camera, shot.size)?);
        }
        let mut plain = Meshlets::listing(bench.gpu(), LIST_MAX)?.by_words();
        seen.push(draw(bench, &mut plain, &unculled(), &world, &shot.camera, shot.size)?);
        Ok(seen)
    }

    fn verdict(shot: &Shot, gpu: &Self::Output) -> Verdict {
        let pixels = rasterize(&shot.world, &shot.camera, shot.size);
        let wrong = |(ids, depths): &(Vec<u32>, Vec<f32>)| {
            let all = pixels.iter().zip(ids.iter().zip(depths));
            all.filter(|(pixel, (id, depth))| !pixel.allows(**id, **depth)).count()
        };
        let (culled, all) = (&gpu[1].0, &gpu[2].0);
        let differ = words_apart(culled, all);
        let masked = all.iter().filter(|id| shot.is_masked(**id)).count();
        let unclear = pixels.iter().filter(|pixel| !pixel.is_clear()).count();
        let large = pixels.len() > 20_000;
        let may_show = |pixel: &Pixel| pixel.hits.iter().any(|hit| shot.is_masked(hit.id));
        let enough = !large || (masked > 1500 || !pixels.iter().any(may_show)) && unclear * 6 < pixels.len();
        let text = format!("{masked} of {} pixels show what is cut out, {unclear} may differ", pixels.len());
        Verdict::that(enough && gpu.len() == 3, text)
            .and_none("wrong", gpu.iter().map(wrong).sum::<usize>())
            // Observed: none (Mesa 25.0.7).
            .and_at_most("other than with everything drawn, by words and vertices", differ as f64, 4.0)
    }
}

pub struct Layers;

impl Reference for Layers {
    const NAME: &'static str = "layers";
    type Input = Shot;
    /// By pixel, nearest first; `None` where uncertain.
    type Output = Vec<Option<Vec<u32>>>;

    fn cases(gpu: &Gpu, effort: Effort) -> Vec<Case<Shot>> {
        shots(gpu, effort)
    }

    fn cpu(shot: &Shot) -> Self::Output {
        layers(&shot.world, &shot.camera, shot.size)
    }

    fn gpu(bench: &mut TestBench, shot: &Shot) -> anyhow::Result<Self::Output> {
        let (world, mut technique) = shot.stage(bench)?;
        let record = |frame: &mut gpu::Frame, technique: &mut Meshlets| {
            technique.record(frame, &shot.settings, &world, &shot.camera, shot.size)
        };
        bench.run(|frame| record(frame, &mut technique))?;
        let seen = bench.run(|frame| record(frame, &mut technique))?;
        let Some(images) = seen.layers else { anyhow::bail!("no layers") };
        let mut read: Vec<Vec<u32>> = vec![];
        for image in &images {
            read.push(bench.read(image)?);
        }
        Ok((0..read[0].len()).map(|at| Some(read.iter().map(|layer| layer[at]).collect())).collect())
    }

    fn agree(shot: &Shot, cpu: &Self::Output, gpu: &Self::Output) -> Verdict {
        let (mut wrong, mut unclear, mut deep, mut deepest) = (vec![], 0, 0, 0);
        for (at, (right, actual)) in cpu.iter().zip(gpu).enumerate() {
            let Some(right) = right else {
                unclear += 1;
                continue;
            };
            let expected: Vec<u32> = (0..LAYERS).map(|k| right.get(k).copied().unwrap_or(0)).collect();
            deep += usize::from(right.len() > 1);
            deepest = deepest.max(right.len());
            if actual.as_ref() != Some(&expected) {
                let at = [at as u32 % shot.size[0], at as u32 / shot.size[0]];
                wrong.push(format!("{at:?}: {actual:?}, expected {right:?}"));
            }
        }
        let enough = !shot.is_deep || deep > 1000 && deepest > LAYERS && unclear * 4 < cpu.len();
        let passed = wrong.is_empty() && cpu.len() == gpu.len() && enough;
        let first = wrong.first().map_or(String::new(), |text| format!(", first {text}"));
        let (all, wrong) = (cpu.len(), wrong.len());
        let text =
            format!("{wrong} of {all} pixels wrong, {unclear} not sure, {deep} with several, {deepest} at most{first}");
        Verdict { passed, text }
    }
}

pub struct Shadows;

impl Property for Shadows {
    const NAME: &'static str = "cut shadows";
    type Input = Shot;
    type Output = (Vec<f32>, Mat4);

    fn cases(gpu: &Gpu, effort: Effort) -> Vec<Case<Shot>> {
        let mut cases = shots(gpu, effort);
        let mut seen = vec![];
        cases.retain(|case| {
            let key = case.input.as_ref().ok().map(|shot| (shot.settings.by, shot.by_words));
            let is_new = !seen.contains(&key);
            seen.push(key);
            is_new
        });
        cases
    }

    fn run(bench: &mut TestBench, shot: &Shot) -> anyhow::Result<Self::Output> {
        let (world, mut technique) = shot.stage(bench)?;
        let settings = MeshletsSettings { shadow_side: 512, ..shot.settings.clone() };
        let sun = Vec3::new(0.4, 0.8, 0.3);
        let shadow = bench.run(|frame| technique.shadow(frame, &settings, &world, sun))?;
        Ok((bench.read(&shadow.depth)?, shadow.clip_from_world))
    }

    fn verdict(shot: &Shot, (depths, matrix): &Self::Output) -> Verdict {
        let expected = nearest(&shot.world, matrix, 512, BIAS);
        let is_wrong = |(depth, [low, high]): &(&f32, &[f64; 2])| {
            f64::from(**depth) < low - STEPS || f64::from(**depth) > high + STEPS
        };
        let wrong = depths.iter().zip(&expected).filter(is_wrong).count();
        let mut solid = World::clone(&shot.world);
        solid.materials.iter_mut().for_each(|m| m.flags = m.flags & !3 | AlphaMode::Opaque as u32);
        (solid.masked, solid.blended) = (0, 0);
        let differ = depths.iter().zip(&nearest(&solid, matrix, 512, BIAS)).filter(is_wrong).count();
        let text = format!("{wrong} of {} texels wrong, {differ} other than of solid things", depths.len());
        Verdict::that(wrong == 0 && depths.len() == expected.len() && differ > 2000, text)
    }
}
