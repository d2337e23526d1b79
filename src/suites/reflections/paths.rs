//! Checks of the reflections together with the shading: all ways give the same picture, energy is conserved, and traced primary rays match
//! the visibility buffer.

use super::scene::{MirrorScene, OTHERS, alike, depths, instance, shading};
use base::{half, job::Progress};
use glam::Vec3;
use gpu::Gpu;
use lab::{Case, Effort, Property, TestBench, Verdict};
use media::difference::Errors;
use reflections::{
    Bvh, Extent, Limits, Mapping, MirrorInput, Reflections, ReflectionsSettings, Storage, Work,
    lab::{cast, furnace, mirror_room},
};
use scene::{Place, world::built_in};
use shade::ShadeSettings;

pub(super) struct AllPaths;

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

impl Property for AllPaths {
    const NAME: &'static str = "ways";
    /// Bounces, size of the picture, whether all combinations are tried.
    type Input = (u32, [u32; 2], bool);
    /// Name and light of each combination; then the fraction of pixels with two bounces or more, or with one if no more
    /// are allowed.
    type Output = (Vec<(String, Vec<u16>)>, f64);

    fn cases(_: &Gpu, effort: Effort) -> Vec<Case<Self::Input>> {
        let full = effort == Effort::Full;
        let depths = depths(effort, &[1, 3, 8]);
        let case = |depth: &u32| Case::new(format!("depth {depth}"), (*depth, [83, 47], full));
        depths.iter().map(case).collect()
    }

    fn run(bench: &mut TestBench, (depth, size, full): &Self::Input) -> anyhow::Result<Self::Output> {
        let mut scene = MirrorScene::new(bench, mirror_room(), *size)?;
        let (mut found, mut deep) = (vec![], 0.0);
        for (lanes, reflections) in Reflections::variants(bench.gpu()) {
            scene.reflections = reflections;
            for (work, storage, mapping) in combinations(*full) {
                let settings = ReflectionsSettings { depth: *depth, work, storage, mapping, ..Default::default() };
                let name = format!("{lanes} {} {} {}", work.name(), storage.name(), mapping.name());
                found.push((name, scene.light(bench, &settings)?));
            }
            let least = f64::from(*depth.min(&2));
            let bounces = scene.traced::<u16>(bench)?.chunks_exact(4).filter(|t| half::to_f64(t[3]) >= least).count();
            deep = bounces as f64 / f64::from(size[0] * size[1]);
        }
        Ok((found, deep))
    }

    fn verdict(_: &Self::Input, (gpu, deep): &Self::Output) -> Verdict {
        let finite = gpu.iter().all(|(_, light)| light.iter().all(|half| half & 0x7C00 != 0x7C00));
        let first = gpu.first().map(|(_, light)| light);
        let wrong: Vec<_> =
            gpu.iter().filter(|(_, light)| Some(light) != first).map(|(name, _)| name.as_str()).collect();
        let text = format!("{} runs, finite: {finite}, other than the first: {}", gpu.len(), wrong.join("; "));
        Verdict::that(finite && gpu.len() > 20 && wrong.is_empty() && *deep >= 0.1, text)
    }
}

pub(super) struct InQueues;

impl Property for InQueues {
    const NAME: &'static str = "queues";
    type Input = u32;
    /// The light by words, in queues at once, and in queues over several frames; then the number of frames.
    type Output = ([Vec<u16>; 3], u32);

    fn cases(_: &Gpu, effort: Effort) -> Vec<Case<u32>> {
        let depths = depths(effort, &[1, 8]);
        depths.iter().map(|depth| Case::new(format!("depth {depth}"), *depth)).collect()
    }

    fn run(bench: &mut TestBench, depth: &u32) -> anyhow::Result<Self::Output> {
        let mut scene = MirrorScene::new(bench, mirror_room(), [163, 97])?;
        let mut light = |work| {
            let settings = ReflectionsSettings { depth: *depth, work, ..Default::default() };
            scene.light(bench, &settings)
        };
        let at_once = [light(Work::Words)?, light(Work::Queues)?];
        let settings = ReflectionsSettings { depth: *depth, work: Work::Queues, ..Default::default() };
        let Some(shaded) = scene.shaded_once(bench, &settings)? else {
            anyhow::bail!("there is nothing to trace");
        };
        let input = MirrorInput { world: &scene.world, ids: &scene.ids, shaded: &shaded, lists: &scene.sort };
        let light = bench.run(|frame| {
            scene.reflections.record(frame, &settings, &input, Extent { at_once: false, ..Extent::WHOLE })
        })?;
        let mut frames = 1;
        while scene.reflections.is_unfinished() && frames < 100 {
            bench.run(|frame| scene.reflections.go_on(frame, &settings, &input, 1.0))?;
            frames += 1;
        }
        let [words, queues] = at_once;
        Ok(([words, queues, bench.read(&light)?], frames))
    }

    fn verdict(_: &u32, ([words, queues, shares], frames): &Self::Output) -> Verdict {
        let shares = Verdict::that(*frames > 3 && shares == queues, format!("{frames} frames, the same"));
        shares.and(alike(words, queues))
    }
}

type Lit = (Vec<u16>, Vec<u16>);

pub(super) struct Sorted;

impl Property for Sorted {
    const NAME: &'static str = "sorted hits";
    /// Bounces, and size of the picture: one tile of the sort, and several with parts of tiles.
    type Input = (u32, [u32; 2]);
    type Output = Vec<(String, [Lit; 2])>;

    fn cases(_: &Gpu, effort: Effort) -> Vec<Case<Self::Input>> {
        let depths = depths(effort, &[1, 8]);
        let both = depths.iter().flat_map(|depth| [[59, 47], [163, 97]].map(|size| (*depth, size)));
        both.map(|(depth, [w, h])| Case::new(format!("depth {depth}, {w}x{h}"), (depth, [w, h]))).collect()
    }

    fn run(bench: &mut TestBench, (depth, size): &Self::Input) -> anyhow::Result<Self::Output> {
        let mut scene = MirrorScene::new(bench, mirror_room(), *size)?;
        scene.shade_by(ShadeSettings { haze: 300.0, ..shading() });
        let mut found = vec![];
        for (storage, mapping, scale) in [
            (Storage::Bits, Mapping::Blocks, 1.0),
            (Storage::Bytes, Mapping::Linear, 1.0),
            (Storage::U32, Mapping::Blocks, 0.6),
            (Storage::Bits, Mapping::Linear, 0.6),
        ] {
            let mut light = |work| {
                let settings =
                    ReflectionsSettings { depth: *depth, work, storage, mapping, scale, ..Default::default() };
                let light = scene.light(bench, &settings)?;
                let traced = scene.traced::<[u16; 4]>(bench)?;
                anyhow::Ok((light, traced.iter().map(|texel| texel[3]).collect()))
            };
            let both = [light(Work::Words)?, light(Work::Sorted)?];
            found.push((format!("{} {} {scale}", storage.name(), mapping.name()), both));
        }
        Ok(found)
    }

    fn verdict(_: &Self::Input, found: &Self::Output) -> Verdict {
        let each =
            found.iter().map(|(name, [(words, ended), (sorted, sorted_ended)])| {
                let pixels = || ended.iter().zip(sorted_ended);
                let missing = pixels().filter(|(a, b)| (**a == 0) != (**b == 0)).count() as f64;
                let other = pixels().filter(|(a, b)| a != b).count() as f64 / ended.len().max(1) as f64;
                let verdict = alike(words, sorted)
                    .and_at_most("pixels with light in one only", missing, 0.0)
                    .and_at_most("part with another number of bounces", other, OTHERS);
                Verdict { text: format!("{name}: {}", verdict.text), ..verdict }
            });
        each.reduce(Verdict::and).unwrap_or_else(|| Verdict::that(false, "nothing was traced"))
    }
}

/// White furnace: perfect mirrors in a uniformly glowing room are as bright as the room, at any depth.
pub(super) struct Furnace;

impl Property for Furnace {
    const NAME: &'static str = "furnace";
    /// Bounces, and how the work is found.
    type Input = (u32, Work);
    /// Relative errors of the pixels whose light was traced to its source; then their number.
    type Output = (Vec<f64>, usize);

    fn cases(_: &Gpu, effort: Effort) -> Vec<Case<Self::Input>> {
        let depths = depths(effort, &[2, 8]);
        let both = depths.iter().flat_map(|depth| [Work::Words, Work::Sorted, Work::Queues].map(|work| (*depth, work)));
        both.map(|input| Case::new(format!("{}, depth {}", input.1.name(), input.0), input)).collect()
    }

    fn run(bench: &mut TestBench, (depth, work): &Self::Input) -> anyhow::Result<Self::Output> {
        let size = [97, 61];
        let mut scene = MirrorScene::new(bench, furnace(), size)?.lit(shading(), Vec3::NEG_Y);
        let settings = ReflectionsSettings { depth: *depth, work: *work, ..Default::default() };
        let light: Vec<u16> = scene.light(bench, &settings)?;
        let traced: Vec<u16> = scene.traced(bench)?;
        let mut errors = vec![];
        for (light, traced) in light.chunks_exact(4).zip(traced.chunks_exact(4)) {
            // At the last bounce the sky may have been substituted.
            if half::to_f64(traced[3]) >= f64::from(*depth) {
                continue;
            }
            let glow = reflections::lab::GLOW.to_array();
            let error = |c: usize| (half::to_f64(light[c]) / f64::from(glow[c]) - 1.0).abs();
            errors.push(error(0).max(error(1)).max(error(2)));
        }
        let count = errors.len();
        Ok((errors, count))
    }

    fn verdict(_: &Self::Input, (errors, count): &Self::Output) -> Verdict {
        let enough = Verdict::that(*count > 2000, format!("{count} pixels"));
        // Derived: the traced light and the sum are half floats, each cut off by up to 2^-10, by half of that in the mean.
        enough.and(Verdict::within("relative error", &Errors::of(errors.iter().copied()), [1e-3, 2e-3, 2e-3]))
    }
}

pub(super) struct Primaries;

impl Property for Primaries {
    const NAME: &'static str = "primaries";
    type Input = (Place, u32);
    /// Fractions of all pixels: those whose ray hits none of the surfaces visible around it, and those with a surface
    /// of the world.
    type Output = [f64; 2];

    fn cases(_: &Gpu, effort: Effort) -> Vec<Case<Self::Input>> {
        let all = [("many", (Place::Many, 60)), ("court", (Place::Court, 0))];
        effort.of(&all, 1).iter().map(|(name, input)| Case::new(*name, *input)).collect()
    }

    fn run(bench: &mut TestBench, (place, instances): &Self::Input) -> anyhow::Result<[f64; 2]> {
        let size = [191, 107];
        let scene = MirrorScene::new(bench, built_in(*place, *instances, &Progress::default()), size)?;
        let limits = Limits { buffer: 1 << 27, all: 1 << 30, flat: 0, is_thorough: false };
        let bvh = Bvh::build(&scene.world.world, limits).map_err(anyhow::Error::msg)?;
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
        let seen = ids.iter().filter(|id| instance(&scene, **id).is_some()).count();
        Ok([differ, seen].map(|count| count as f64 / ids.len() as f64))
    }

    /// Of two coincident triangles the one drawn first stays. Observed: worst 5e-4 (Mesa 25.0.7).
    fn verdict(_: &Self::Input, [differ, seen]: &[f64; 2]) -> Verdict {
        Verdict::at_most("part of the pixels that differ", *differ, 0.004).and(Verdict::at_least(
            "part in which something is seen",
            *seen,
            0.1,
        ))
    }
}
