//! Check of moving pictures: most rays take over what the rays around them met, and show the same.

use super::scene::{MirrorScene, SUN, alike, shading};
use crate::{
    gpu::Gpu,
    lab::{Case, Effort, Property, TestBench, Verdict},
    techniques::{
        Technique as _,
        reflections::{
            Reflections, ReflectionsSettings, Work, fenced_mirror, furnace, mirror_cell, plane_mirror, tiled_room,
        },
    },
};

/// Of the pictures.
const SIZE: [u32; 2] = [323, 201];

/// A frame in motion beside the one with a ray for each pixel.
pub(super) struct TakenOver;

impl Property for TakenOver {
    const NAME: &'static str = "taken over";
    /// The scene, and the number of the frame.
    type Input = (&'static str, u32);
    /// Traced light at rest and in motion; rays that came first, others, and what was left of the others.
    type Output = ([Vec<u16>; 2], [u32; 3]);

    fn cases(_: &Gpu, _: Effort) -> Vec<Case<Self::Input>> {
        let all = ["a plane mirror", "a ball", "a cell", "bars", "few mirrors"]
            .into_iter()
            .flat_map(|scene| [0, 5].map(|number| (scene, number)));
        all.map(|input| Case { name: format!("{}, frame {}", input.0, input.1), input }).collect()
    }

    fn run(bench: &mut TestBench, (name, number): &Self::Input) -> anyhow::Result<Self::Output> {
        let world = match *name {
            "a plane mirror" => plane_mirror().0,
            "a ball" => tiled_room().world,
            "bars" => fenced_mirror(),
            "few mirrors" => furnace(),
            _ => mirror_cell(),
        };
        let mut scene = MirrorScene::new(bench, world, SIZE, shading(), SUN.normalize())?;
        let mut reflections = Reflections::new(bench.gpu())?;
        let settings = ReflectionsSettings { depth: 3, work: Work::Path, ..Default::default() };
        let mut traced = |moving| {
            scene.moving = moving;
            bench.run(|frame| scene.record(frame, &mut reflections, &settings, false))?;
            let Some((light, lists)) = reflections.traced().zip(reflections.lists()) else {
                anyhow::bail!("nothing was traced")
            };
            anyhow::Ok((bench.read::<u16>(&light)?, bench.read_buffer::<[u32; 16]>(&lists)?))
        };
        let (rest, _) = traced(None)?;
        let (motion, lists) = traced(Some(*number))?;
        let count = |list: usize| lists.get(list).map_or(0, |call| call[4]);
        // Weak mirrors have light between their rays only.
        let has_ray = |texel: &[u16]| texel[3] != 0;
        let both = rest.chunks_exact(4).zip(motion.chunks_exact(4)).filter(|(_, motion)| has_ray(motion));
        let (rest, motion): (Vec<&[u16]>, Vec<&[u16]>) = both.unzip();
        Ok(([rest.concat(), motion.concat()], [0, 1, 2].map(count)))
    }

    fn verdict((name, _): &Self::Input, ([rest, motion], [first, others, left]): &Self::Output) -> Verdict {
        let text = format!("{first} rays first, {others} others, {left} of them traced");
        let are_few = *others < SIZE[0] * SIZE[1] / 6;
        let is_whole = motion.len() as u64 / 4 == u64::from(*first) + u64::from(*others);
        let most = if are_few { 0.0 } else { 0.9 };
        Verdict { passed: is_whole && are_few == (*name == "few mirrors"), text }
            .and(Verdict::at_most(
                "part of the others that is traced",
                f64::from(*left) / f64::from((*others).max(1)),
                most,
            ))
            .and(alike(rest, motion))
    }
}
