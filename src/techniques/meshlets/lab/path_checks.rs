//! Checks of culling: whatever is culled, the image stays the same bit for bit; and of the depth pyramid.

use super::{
    checks::{cameras, draw, paths, stage, unculled},
    reference::pyramid,
};
use crate::{
    By, Counts, LIST_MAX, Meshlets, MeshletsSettings,
    passes::{
        culling::{DRAWN_UNSEEN, FACES_AWAY, OCCLUDED, OUT_OF_FRUSTUM, SEEN},
        targets::{AT_ONCE, Pyramid},
    },
    scene_buffers,
    view_uniforms::pyramid_of,
};
use anyhow::ensure;
use base::job::Progress;
use gpu::Gpu;
use lab::{Case, Effort, Property, TestBench, Verdict, words_apart};
use media::difference::largest;
use scene::{
    Place,
    world::{Camera, Viewpoint, World, built_in},
};
use std::sync::Arc;

pub struct Culling;

/// Relative difference of depths. Observed: none beyond (Mesa 25.0.7).
pub const PATHS_APART: f64 = 1e-4;

/// By compute, whose corners are on the rasterizer's grid where depths are computed: steep surfaces differ more. Observed:
/// worst below 5e-3 (NVIDIA 580.159.04).
pub const COMPUTE_APART: f64 = 5e-3;

/// Pixels in which two surfaces may be equally deep to the last bit, such as intersecting balls; depths must be equal
/// there. Observed: worst 76, of the court at 2560x1440 (NVIDIA 580.159.04).
const TIES: usize = 8;
const WORLD_TIES: usize = 64;

pub struct Walk {
    by: By,
    list_max: u64,
    settings: MeshletsSettings,
    size: [u32; 2],
    place: Option<Place>,
    lists_all: bool,
    is_narrow: bool,
}

fn walk_in(world: &World) -> Vec<Camera> {
    let at = |orbit: f32, zoom: f32| {
        let home = world.viewpoint;
        Viewpoint { orbit: home.orbit + orbit, distance: home.distance * zoom, ..home }.camera()
    };
    [(0.0, 1.0), (4.0, 1.0), (160.0, 0.4), (4.0, 1.0)].map(|(orbit, zoom)| at(orbit, zoom)).to_vec()
}

fn walk() -> Vec<Camera> {
    let at = |orbit, height, distance| Viewpoint { orbit, height, distance, ..Viewpoint::default() }.camera();
    let turn = (0..5).map(|i| at(10.0 * i as f32, 12.0, 11.0 - 0.5 * i as f32));
    let mut cameras: Vec<Camera> = turn.chain(cameras().into_iter().map(|(_, camera)| camera)).collect();
    cameras.extend([at(200.0, 5.0, 6.0), at(20.0, 5.0, 6.0), at(201.0, 5.0, 6.0), at(201.0, 5.0, 6.0)]);
    cameras
}

// Longer than ten seconds: each path follows the whole walk of the camera with every kind of culling.
impl Property for Culling {
    const NAME: &'static str = "culling";
    const HAS_REFERENCE: bool = true;
    type Input = Walk;
    /// Number of cameras.
    type Output = usize;

    fn cases(gpu: &Gpu, effort: Effort) -> Vec<Case<Walk>> {
        let mut cases = Vec::new();
        for by in paths(gpu) {
            for bits in 0..8_u32 {
                if effort == Effort::Quick && ![1, 2, 4, 7].contains(&bits) {
                    continue;
                }
                let [frustum, cone, occlusion] = [0, 1, 2].map(|bit| bits >> bit & 1 == 1);
                let settings =
                    MeshletsSettings { by, frustum, cone, occlusion, triangles: bits != 2, ..Default::default() };
                let list_max = if bits == 7 { 3000 } else { LIST_MAX };
                let size = if bits == 4 { [213, 117] } else { [256, 144] };
                let name = format!("{} frustum {frustum} cone {cone} occlusion {occlusion}", by.name());
                let input = Walk { by, list_max, settings, size, place: None, lists_all: false, is_narrow: false };
                if by == By::Compute && occlusion {
                    let input = Walk { settings: input.settings.clone(), is_narrow: true, ..input };
                    cases.push(Case::new(format!("{name} narrow"), input));
                }
                cases.push(Case::new(name, input));
            }
            for (place, list_max) in [(Place::Court, LIST_MAX), (Place::Many, 50_000)] {
                let settings = MeshletsSettings { by, ..Default::default() };
                let name = format!("{} {}", by.name(), place.name());
                let (size, place) = ([256, 144], Some(place));
                let input = Walk { by, list_max, settings, size, place, lists_all: false, is_narrow: false };
                cases.push(Case::new(name, input));
            }
        }
        for (place, list_max) in [(None, 3000), (Some(Place::Court), LIST_MAX)] {
            let settings = MeshletsSettings { by: By::Vertex, ..unculled() };
            let name = format!("all listed, {}", place.map_or("crowd", Place::name));
            let size = [256, 144];
            let input = Walk { by: By::Vertex, list_max, settings, size, place, lists_all: true, is_narrow: false };
            cases.push(Case::new(name, input));
        }
        cases
    }

    fn run(bench: &mut TestBench, walk: &Walk) -> anyhow::Result<usize> {
        let (world, cameras, ties) = match walk.place {
            None => (scene_buffers::crowd(60, 16).map_err(anyhow::Error::msg)?, self::walk(), TIES),
            Some(place) => {
                let world = built_in(place, 200, &Progress::default());
                let cameras = walk_in(&world);
                (world, cameras, WORLD_TIES)
            }
        };
        let (world, mut culling) = stage(bench, &Arc::new(world), walk.list_max, walk.is_narrow)?;
        culling.list_all(walk.lists_all);
        let mut plain = Meshlets::listing(bench.gpu(), LIST_MAX)?.by_words();
        let all = unculled();
        let mut left_out = [0; 3];
        for (index, camera) in cameras.iter().enumerate() {
            let (ids, mut depths) = draw(bench, &mut plain, &all, &world, camera, walk.size)?;
            let (culled_ids, culled_depths) = draw(bench, &mut culling, &walk.settings, &world, camera, walk.size)?;
            let differ = words_apart(&ids, &culled_ids);
            ensure!(differ <= ties, "camera {index}: {differ} of {} IDs differ, {ties} may", ids.len());
            if walk.by != By::Vertex {
                let part = |(a, b): (&f32, &f32)| f64::from((a - b).abs() / a.max(*b).max(f32::MIN_POSITIVE));
                let same = ids.iter().zip(&culled_ids).map(|(a, b)| a == b);
                let both = depths.iter().zip(&culled_depths).zip(same);
                let apart = largest(both.filter(|(_, same)| *same).map(|(both, _)| part(both)));
                let most = if walk.by == By::Compute { COMPUTE_APART } else { PATHS_APART };
                ensure!(apart <= most, "camera {index}: depths of two paths differ by a part of {apart}");
                let all = MeshletsSettings { by: walk.by, ..all.clone() };
                depths = draw(bench, &mut plain, &all, &world, camera, walk.size)?.1;
            }
            let bits = |depths: &[f32]| depths.iter().map(|d| d.to_bits()).collect::<Vec<_>>();
            ensure!(bits(&depths) == bits(&culled_depths), "camera {index}: depths differ");
            let (counts, expected) = culling.counted(bench, &world.world)?;
            let expected = if walk.lists_all { Counts::default() } else { expected };
            ensure!(counts == expected, "camera {index}: counted {counts:?}, expected {expected:?}");
            left_out[0] += counts.out_of_frustum;
            left_out[1] += counts.facing_away;
            left_out[2] += counts.occluded;
        }
        for (on, (what, count)) in [walk.settings.frustum, walk.settings.cone, walk.settings.occlusion]
            .into_iter()
            .zip(["frustum", "cone", "occlusion"].into_iter().zip(left_out))
        {
            ensure!(on == (count > 0), "{what} on: {on}, and it left out {count}");
        }
        Ok(cameras.len())
    }

    fn verdict(walk: &Walk, cameras: &usize) -> Verdict {
        let text = format!("images equal at {}x{} from {cameras} cameras", walk.size[0], walk.size[1]);
        Verdict::that(*cameras > 0, text)
    }
}

impl Meshlets {
    fn counted(&mut self, bench: &mut TestBench, world: &World) -> anyhow::Result<(Counts, Counts)> {
        let history = self.history.as_ref().ok_or_else(|| anyhow::anyhow!("nothing drawn yet"))?;
        let (work, fates) = (history.work.clone(), history.fates.clone());
        let work: Vec<u32> = bench.read_buffer(&work)?;
        let fates: Vec<u32> = bench.read_buffer(&fates)?;
        ensure!(fates.len() == world.meshlet_instances.len(), "{} fates", fates.len());
        let mut expected = Counts::default();
        for (fate, instance) in fates.iter().zip(&world.meshlet_instances) {
            match *fate {
                SEEN | DRAWN_UNSEEN => {
                    expected.drawn[0] += 1;
                    let meshlet = &world.geometry.meshlets[instance.meshlet as usize];
                    expected.triangles[0] += u64::from(meshlet.triangles);
                }
                OUT_OF_FRUSTUM => expected.out_of_frustum += 1,
                FACES_AWAY => expected.facing_away += 1,
                OCCLUDED => expected.occluded += 1,
                _ => {}
            }
        }
        let together = |[first, second]: [u64; 2]| [first + second, 0];
        let counts = Counts::new(&work, None);
        Ok((Counts { drawn: together(counts.drawn), triangles: together(counts.triangles), ..counts }, expected))
    }
}

pub struct Depths;

const SIZES: [[u32; 2]; 11] =
    [[1, 1], [2, 1], [1, 3], [5, 3], [63, 65], [64, 64], [65, 127], [320, 180], [129, 1], [1, 200], [1000, 67]];

impl Property for Depths {
    const NAME: &'static str = "pyramid";
    type Input = [u32; 2];
    /// By each number of levels at once; and the depth.
    type Output = ([Vec<f32>; 2], Vec<f32>);

    fn cases(_: &Gpu, effort: Effort) -> Vec<Case<[u32; 2]>> {
        let mut sizes = SIZES.to_vec();
        if effort == Effort::Full {
            sizes.extend([[2560, 1440], [4097, 31], [1919, 1079]]);
        }
        sizes.into_iter().map(|size| Case::new(format!("{}x{}", size[0], size[1]), size)).collect()
    }

    fn run(bench: &mut TestBench, size: &[u32; 2]) -> anyhow::Result<Self::Output> {
        let world = Arc::new(scene_buffers::crowd(24, 12).map_err(anyhow::Error::msg)?);
        let (world, mut technique) = stage(bench, &world, LIST_MAX, false)?;
        let camera = cameras()[2].1;
        let (_, depth) = draw(bench, &mut technique, &Default::default(), &world, &camera, *size)?;
        let targets = technique.targets.first().ok_or_else(|| anyhow::anyhow!("no images"))?;
        let mut made = |at_once| -> anyhow::Result<Vec<f32>> {
            let pyramids = Pyramid::new(bench.gpu(), at_once)?;
            bench.run(|frame| pyramids.record(frame, targets))?;
            Ok(bench.read_buffer(&targets.pyramid)?)
        };
        Ok(([made(1)?, made(AT_ONCE)?], depth))
    }

    fn verdict(size: &[u32; 2], (texels, depth): &Self::Output) -> Verdict {
        let expected = pyramid(depth, *size);
        let (first, total) = pyramid_of(*size);
        let flat: Vec<f32> = expected.iter().flatten().copied().collect();
        let passed = texels.iter().all(|texels| flat == *texels)
            && total as usize == flat.len()
            && first.len() == expected.len() + 1;
        let distinct = depth.iter().any(|d| *d != depth[0]) || depth.len() < 4;
        Verdict::that(passed && distinct, format!("{} levels of {total} texels, equal: {passed}", expected.len()))
    }
}
