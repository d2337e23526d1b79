//! Checks of the compute rasterizer: large triangles, slivers, crossings of the near plane, gaps at shared edges.

use super::{
    checks::{cameras, draw, stage},
    reference::rasterize,
};
use crate::{By, LIST_MAX, MeshletsSettings, scene_buffers};
use glam::{Vec2, Vec3};
use gpu::Gpu;
use lab::{Case, Effort, Property, Reference, TestBench, Verdict};
use media::pixels::pixels_of;
use scene::world::{Camera, World};
use std::{collections::BTreeSet, sync::Arc};

pub struct Seams;

pub struct InteriorView {
    world: Arc<World>,
    camera: Camera,
    size: [u32; 2],
    /// Triangles listed at once, and further tile items.
    list_max: u64,
    is_narrow: bool,
}

const SIZES: [[u32; 2]; 6] = [[320, 180], [63, 65], [1, 1], [2, 90], [97, 2], [257, 131]];

/// One pixel of n may differ from the reference: the last bits of an edge's ends behind the eye decide more than the
/// reference allows for. Observed: none in the quick cases (Mesa 25.0.7).
const WRONG: usize = 5000;

impl Property for Seams {
    const NAME: &'static str = "seams";
    type Input = InteriorView;
    type Output = [(Vec<u32>, Vec<f32>); 2];

    fn cases(_: &Gpu, effort: Effort) -> Vec<Case<InteriorView>> {
        let (room, crowd) = (scene_buffers::room(30).map(Arc::new), scene_buffers::crowd(24, 12).map(Arc::new));
        let mut dice = scene_buffers::Dice(5);
        let mut place = || Vec3::new(dice.roll(), dice.roll(), dice.roll()) * 39.0 - 19.5;
        let mut cases = vec![];
        let looks = if effort == Effort::Quick { 12 } else { 60 };
        for i in 0..looks {
            let (eye, target) = (place(), place());
            let camera = Camera {
                eye,
                target,
                angle: 0.4 + 0.5 * (i % 5) as f32,
                // Some cut off what fills pixels.
                near: if i % 3 == 2 { 4.0 } else { 0.02 },
                roll: 0.0,
                shift: Vec2::ZERO,
                center: Vec2::ZERO,
            };
            let (size, is_narrow) = (SIZES[i % 7 % 6], i % 2 == 1);
            let list_max = if i % 4 > 1 { 150 } else { LIST_MAX };
            let name = format!("room {i} {}x{} narrow {is_narrow}", size[0], size[1]);
            let view = |world| InteriorView { world, camera, size, list_max, is_narrow };
            cases.push(Case::tried(name, room.clone().map(view)));
        }
        for (i, (name, camera)) in cameras().into_iter().take(3).enumerate() {
            for is_narrow in [false, true] {
                let (size, list_max) = (SIZES[i % 2], LIST_MAX);
                let view = |world| InteriorView { world, camera, size, list_max, is_narrow };
                cases.push(Case::tried(format!("crowd {name} narrow {is_narrow}"), crowd.clone().map(view)));
            }
        }
        cases
    }

    fn run(bench: &mut TestBench, look: &InteriorView) -> anyhow::Result<Self::Output> {
        let (world, mut technique) = stage(bench, &look.world, look.list_max, look.is_narrow)?;
        let settings = MeshletsSettings { by: By::Compute, ..Default::default() };
        let mut frame = || draw(bench, &mut technique, &settings, &world, &look.camera, look.size);
        Ok([frame()?, frame()?])
    }

    fn verdict(look: &InteriorView, frames: &Self::Output) -> Verdict {
        let pixels = rasterize(&look.world, &look.camera, look.size);
        let count = |is_one: &dyn Fn(usize, u32, f32) -> bool| {
            let one = |(ids, depths): &(Vec<u32>, Vec<f32>)| {
                let all = ids.iter().zip(depths).enumerate();
                all.filter(|(at, (id, depth))| is_one(*at, **id, **depth)).count()
            };
            frames.iter().map(one).sum::<usize>() as f64
        };
        // Where the near plane cuts, nothing may be as right as a surface.
        let is_cut = look.camera.near > 1.0;
        let gaps = count(&|at, id, _| id == 0 && !pixels[at].hits.is_empty() && !is_cut);
        let wrong = count(&|at, id, depth| !pixels[at].allows(id, depth));
        let is_whole = frames.iter().all(|(ids, _)| ids.len() == pixels.len());
        let first = frames[0]
            .0
            .iter()
            .zip(&frames[0].1)
            .enumerate()
            .find(|(at, (id, depth))| !pixels[*at].allows(**id, **depth));
        let first = first
            .map_or(String::new(), |(at, found)| format!(", first wrong {at}: {found:x?}, expected {:x?}", pixels[at]));
        let unclear = pixels.iter().filter(|pixel| !pixel.is_clear()).count();
        let text = format!("{} pixels, {unclear} with several right answers{first}", pixels.len());
        Verdict::that(is_whole, text)
            .and_at_most("gaps", gaps, 0.0)
            .and_at_most("wrong", wrong, (2 * pixels.len() / WRONG) as f64)
            .and_none("other in the second frame", usize::from(frames[0] != frames[1]))
    }
}

/// Pixel centres on edges belong to the triangle whose top or left edge that is.
pub struct Edges;

impl Reference for Edges {
    const NAME: &'static str = "edges";
    type Input = bool;
    type Output = Vec<u32>;

    fn cases(_: &Gpu, _: Effort) -> Vec<Case<bool>> {
        [false, true].map(|is_narrow| Case::new(format!("narrow {is_narrow}"), is_narrow)).into()
    }

    fn cpu(_: &bool) -> Vec<u32> {
        let (size, side, [wide, high]) = scene_buffers::RULED;
        let seen = |x: u32, y: u32| {
            let (square, within) = ([(x - 2) / side, (y - 2) / side], [(x - 2) % side, (y - 2) % side]);
            let is_upper = within[0] + within[1] < side;
            2 * (square[1] * wide + square[0]) + u32::from(is_upper) + 1
        };
        let is_on = |x: u32, y: u32| (2..2 + side * wide).contains(&x) && (2..2 + side * high).contains(&y);
        pixels_of(size).map(|[x, y]| if is_on(x, y) { seen(x, y) } else { 0 }).collect()
    }

    fn gpu(bench: &mut TestBench, is_narrow: &bool) -> anyhow::Result<Vec<u32>> {
        let (world, camera) = scene_buffers::ruled().map_err(anyhow::Error::msg)?;
        let (world, mut technique) = stage(bench, &Arc::new(world), LIST_MAX, *is_narrow)?;
        let settings = MeshletsSettings { by: By::Compute, ..Default::default() };
        Ok(draw(bench, &mut technique, &settings, &world, &camera, scene_buffers::RULED.0)?.0)
    }

    fn agree(_: &bool, cpu: &Vec<u32>, gpu: &Vec<u32>) -> Verdict {
        // The GPU's numbers are arbitrary, but one to one.
        let both: BTreeSet<_> = cpu.iter().zip(gpu).collect();
        let [triangles, names] = [cpu, gpu].map(|all| all.iter().collect::<BTreeSet<_>>().len());
        let apart = both.len().abs_diff(triangles) + both.len().abs_diff(names);
        let nothing = cpu.iter().zip(gpu).filter(|(cpu, gpu)| (**cpu == 0) != (**gpu == 0)).count();
        Verdict::that(cpu.len() == gpu.len(), format!("{triangles} triangles"))
            .and_none("pixels of another triangle, at least", apart)
            .and_none("gaps and too many", nothing)
    }
}
