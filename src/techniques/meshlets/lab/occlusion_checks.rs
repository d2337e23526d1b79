//! Checks of occlusion culling: the depth pyramid test of every meshlet instance against the CPU reference.

use super::{
    checks::{cameras, draw, paths, shift_of, stage},
    reference::{Occlusion, sphere_of},
};
use crate::{
    LIST_MAX, MeshletsSettings,
    passes::culling::{DRAWN_UNSEEN, OCCLUDED, SEEN},
    scene_buffers,
};
use gpu::Gpu;
use lab::{Case, Effort, Property, TestBench, Verdict};
use scene::world::{Camera, World};
use std::sync::Arc;

pub struct Hidden;

pub struct OcclusionInput {
    world: Arc<World>,
    camera: Camera,
    size: [u32; 2],
    settings: MeshletsSettings,
    is_close: bool,
}

impl Property for Hidden {
    const NAME: &'static str = "occlusion";
    type Input = OcclusionInput;
    /// Culling results by meshlet instance; the pyramid, and the offsets of its levels.
    type Output = (Vec<u32>, Vec<f32>, Vec<u32>);

    fn cases(gpu: &Gpu, _: Effort) -> Vec<Case<Self::Input>> {
        let (relief, crowd) = (scene_buffers::relief(1500).map(Arc::new), scene_buffers::crowd(60, 16).map(Arc::new));
        let mut cases = Vec::new();
        for by in paths(gpu) {
            let settings = MeshletsSettings { by, ..Default::default() };
            let look = |world: &Result<Arc<World>, String>, camera, size, is_close| {
                world.clone().map(|world| OcclusionInput { world, camera, size, settings: settings.clone(), is_close })
            };
            let looks = [
                ("relief", look(&relief, scene_buffers::before_relief(), [256, 144], true)),
                ("crowd outside", look(&crowd, cameras()[0].1, [256, 144], false)),
                ("crowd below", look(&crowd, Camera { shift: shift_of(1), ..cameras()[1].1 }, [213, 117], false)),
            ];
            cases.extend(looks.map(|(name, input)| Case::tried(format!("{} {name}", by.name()), input)));
        }
        cases
    }

    fn run(bench: &mut TestBench, look: &Self::Input) -> anyhow::Result<Self::Output> {
        let (world, mut technique) = stage(bench, &look.world, LIST_MAX, false)?;
        for _ in 0..3 {
            draw(bench, &mut technique, &look.settings, &world, &look.camera, look.size)?;
        }
        let (Some(history), Some(targets)) = (&technique.history, technique.targets.first()) else {
            anyhow::bail!("nothing was drawn");
        };
        let (fates, pyramid) = (history.fates.clone(), targets.pyramid.clone());
        let levels = targets.levels.clone();
        Ok((bench.read_buffer(&fates)?, bench.read_buffer(&pyramid)?, levels))
    }

    fn verdict(look: &Self::Input, (fates, pyramid, level_first): &Self::Output) -> Verdict {
        let twin = Occlusion { camera: &look.camera, size: look.size, pyramid, level_first };
        let (mut tested, mut hidden, mut unclear, mut close) = (0, 0, 0, 0);
        let mut wrong = Vec::new();
        for (placed, fate) in fates.iter().enumerate().take(look.world.meshlet_instances.len()) {
            let is_hidden = match *fate {
                OCCLUDED | DRAWN_UNSEEN => true,
                SEEN => false,
                _ => continue,
            };
            let sphere = sphere_of(&look.world, placed);
            tested += 1;
            hidden += u32::from(is_hidden);
            let Some(expected) = twin.hides(sphere) else {
                unclear += 1;
                continue;
            };
            close += u32::from(twin.is_hidden(sphere.0, sphere.1, 0.99).is_some_and(|other| other != expected));
            if expected != is_hidden {
                wrong.push(format!("instance {placed} hidden: {is_hidden}, expected {expected}"));
            }
        }
        let passed = wrong.is_empty() && fates.len() == look.world.meshlet_instances.len() && tested > 20 && hidden > 0;
        let passed = passed && 10 * unclear < tested && (close > 10 || !look.is_close);
        let first = wrong.first().map_or(String::new(), |first| format!(", first {first}"));
        let text = format!(
            "{} of {tested} wrong, {hidden} hidden, {unclear} unclear, {close} hidden by less than a hundredth{first}",
            wrong.len()
        );
        Verdict { passed, text }
    }
}
