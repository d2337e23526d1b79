//! Check of mirrors in moving pictures.

use super::{
    pass_checks::place_in,
    scene::{MirrorScene, alike},
};
use base::half;
use glam::{UVec2, Vec3};
use gpu::Gpu;
use lab::{Case, Effort, Property, TestBench, Verdict, words_apart};
use reflections::{
    Reflections, ReflectionsSettings, Work,
    lab::{fenced_mirror, furnace, mirror_cell, plane_mirror, tiled_room},
};
use scene::world::Camera;

const SIZE: [u32; 2] = [323, 201];
const DEPTH: u32 = 3;

pub(super) struct TakenOver;

impl Property for TakenOver {
    const NAME: &'static str = "taken over";
    /// The scene, the number of the frame, and whether the hierarchy has one level.
    type Input = (&'static str, u32, bool);
    /// Traced light at rest and in motion; counts of first rays, others, and remaining others; the last once more after
    /// another picture, and how many values of the light differ then; bounces of first rays of which too much or too
    /// little is kept.
    type Output = ([Vec<u16>; 2], [u32; 3], [u32; 3]);

    fn cases(_: &Gpu, _: Effort) -> Vec<Case<Self::Input>> {
        let all = ["a plane mirror", "a ball", "a cell", "bars", "few mirrors"]
            .into_iter()
            .flat_map(|scene| [(0, false), (5, true)].map(|(number, is_flat)| (scene, number, is_flat)));
        let levels = |is_flat| if is_flat { "one level" } else { "two levels" };
        all.map(|input| Case::new(format!("{}, frame {}, {}", input.0, input.1, levels(input.2)), input)).collect()
    }

    fn run(bench: &mut TestBench, (name, number, is_flat): &Self::Input) -> anyhow::Result<Self::Output> {
        let world = match *name {
            "a plane mirror" => plane_mirror().0,
            "a ball" => tiled_room().world,
            "bars" => fenced_mirror(),
            "few mirrors" => furnace(),
            _ => mirror_cell(),
        };
        let mut scene = MirrorScene::new(bench, world, SIZE)?;
        scene.reflections = Reflections::with_levels(bench.gpu(), *is_flat);
        let (rest, _) = traced(bench, &mut scene, None)?;
        let (motion, counts) = traced(bench, &mut scene, Some(*number))?;
        let Some(met) = scene.reflections.met() else { anyhow::bail!("nothing was kept") };
        let kept_wrong = kept_wrong(&bench.read_buffer::<u32>(&met)?, &motion, place_in(*number));
        // Nothing that was met in another picture may be taken over in this one.
        let camera = scene.camera;
        let aside = 0.1 * (camera.target - camera.eye).cross(Vec3::Y);
        scene.look_from(bench, Camera { eye: camera.eye + aside, target: camera.target - aside, ..camera })?;
        traced(bench, &mut scene, Some(*number))?;
        scene.look_from(bench, camera)?;
        let (again, [_, _, left]) = traced(bench, &mut scene, Some(*number))?;
        // Weak mirrors have light between their rays only.
        let has_ray = |texel: &[u16]| texel[3] != 0;
        let both = rest.chunks_exact(4).zip(motion.chunks_exact(4)).filter(|(_, motion)| has_ray(motion));
        let (rest, with_ray): (Vec<&[u16]>, Vec<&[u16]>) = both.unzip();
        let differ = words_apart(&again, &motion);
        Ok(([rest.concat(), with_ray.concat()], counts, [left, differ as u32, kept_wrong]))
    }

    fn verdict((name, ..): &Self::Input, ([rest, motion], [first, others, left], after): &Self::Output) -> Verdict {
        let text = format!("{first} rays first, {others} others, {left} of them traced");
        let are_few = *others < SIZE[0] * SIZE[1] / 6;
        let is_whole = motion.len() as u64 / 4 == u64::from(*first) + u64::from(*others);
        // Observed: worst 0.83, in the cell (Mesa 25.0.7).
        let most = if are_few { 0.0 } else { 0.9 };
        let after_text = format!(
            "after another picture {} of them, {} values differ; {} bounces are kept wrong",
            after[0], after[1], after[2]
        );
        Verdict::that(is_whole && are_few == (*name == "few mirrors"), text)
            .and(Verdict::that(*after == [*left, 0, 0], after_text))
            .and_at_most("part of the others that is traced", f64::from(*left) / f64::from((*others).max(1)), most)
            .and(alike(rest, motion))
    }
}

/// Bounces of first rays of which something is kept that they did not have, or nothing that they had.
fn kept_wrong(met: &[u32], traced: &[u16], place: UVec2) -> u32 {
    let size = UVec2::from_array(SIZE);
    let quads = (size + 1) / 2;
    let mut wrong = 0;
    for (number, texel) in (0..).zip(traced.chunks_exact(4)) {
        let at = UVec2::new(number % size.x, number / size.x);
        if (at & 1) != (place & 1) {
            continue;
        }
        let bounces = half::to_f64(texel[3]) as u32;
        for bounce in 0..DEPTH {
            let kept = met[((bounce * quads.y + at.y / 2) * quads.x + at.x / 2) as usize];
            wrong += u32::from((kept != u32::MAX) != (bounce < bounces));
        }
    }
    wrong
}

/// Traced light, and counts of first rays, others, and remaining others.
fn traced(bench: &mut TestBench, scene: &mut MirrorScene, moving: Option<u32>) -> anyhow::Result<(Vec<u16>, [u32; 3])> {
    let settings = ReflectionsSettings { depth: DEPTH, work: Work::Path, ..Default::default() };
    scene.moving = moving;
    bench.run(|frame| scene.record(frame, &settings, false))?;
    let Some((light, lists)) = scene.reflections.traced().zip(scene.reflections.lists()) else {
        anyhow::bail!("nothing was traced")
    };
    let lists = bench.read_buffer::<[u32; 16]>(&lists)?;
    Ok((bench.read::<u16>(&light)?, [0, 1, 2].map(|list| lists.get(list).map_or(0, |call| call[4]))))
}
