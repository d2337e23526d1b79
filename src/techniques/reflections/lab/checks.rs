//! Checks: the stencil against a loop over its items, rays against a loop over all triangles.

use super::{
    reference::{
        rays::{Target, all_met, is_along, targets},
        stencil::{Rule, automatic, first_value, run},
    },
    scenes::{CastRay, Soup, soups},
};
use crate::{
    Mapping, ReflectionsSettings, Storage, Work,
    bvh::{Bvh, Limits, ResidentBvh},
    flat,
    passes::mask::{Bounces, SizeResources},
    pipelines::{Lanes, Pipelines},
    uniforms::{CALL_BYTES, PlanBlock, SizeBuffers, place_of, way, words_of},
};
use anyhow::Context as _;
use base::half;
use gpu::{Buffer, ComputePipeline, Gpu, Memory, gpu_struct};
use lab::{Case, Effort, Property, Reference, TestBench, Verdict, words_apart};
use media::pixels::pixels_of;

pub(super) struct Stencil;

pub struct Trial {
    size: [u32; 2],
    mapping: Mapping,
    depth: u32,
    storages: &'static [Storage],
    few: bool,
}

impl Trial {
    fn settings(&self, work: Work, storage: Storage) -> ReflectionsSettings {
        ReflectionsSettings { depth: self.depth, work, storage, mapping: self.mapping, ..Default::default() }
    }

    fn items(&self) -> Vec<bool> {
        let mut is_item = vec![false; words_of(self.mapping, self.size) as usize * 32];
        for at in pixels_of(self.size) {
            let (word, bit) = place_of(self.mapping, self.size, at);
            is_item[(word * 32 + bit) as usize] = true;
        }
        is_item
    }
}

const WHOLE: &str = "all bounces";

#[derive(PartialEq)]
pub struct StencilResult {
    values: Vec<u32>,
    live: Vec<bool>,
}

impl Reference for Stencil {
    const NAME: &'static str = "stencil";
    type Input = Trial;
    type Output = Vec<(String, StencilResult)>;

    fn cases(_: &Gpu, effort: Effort) -> Vec<Case<Trial>> {
        // Of 49 items 33 live: a lane more than a workgroup.
        let few = [[1, 1], [31, 1], [33, 1], [49, 1], [61, 47]];
        let of = |size: [u32; 2], mapping: Mapping, depth, storages, few| {
            let name = format!("{}x{} {}, depth {depth}", size[0], size[1], mapping.name());
            Case::new(name, Trial { size, mapping, depth, storages, few })
        };
        let case = |size, mapping, depth, storages| of(size, mapping, depth, storages, false);
        let mut all: Vec<_> = few
            .iter()
            .flat_map(|size| Mapping::ALL.iter().map(|mapping| case(*size, *mapping, 8, Storage::ALL)))
            .collect();
        all.push(of([1917, 1079], Mapping::Linear, 5, &[Storage::Bits], true));
        if effort == Effort::Full {
            all.push(case([1917, 1079], Mapping::Blocks, 8, Storage::ALL));
            all.extend((1..8).map(|depth| case([61, 47], Mapping::Linear, depth, Storage::ALL)));
        }
        all
    }

    fn cpu(trial: &Trial) -> Vec<(String, StencilResult)> {
        let is_item = trial.items();
        let left = |bounces| {
            let (values, live) = run(is_item.len() as u32, |item| is_item[item as usize], trial.depth, bounces);
            (String::new(), StencilResult { values, live })
        };
        vec![left(trial.depth), left(trial.depth / 2)]
    }

    fn gpu(bench: &mut TestBench, trial: &Trial) -> anyhow::Result<Vec<(String, StencilResult)>> {
        let gpu = bench.gpu().clone();
        let lanes = Lanes::all(&gpu);
        let pipelines = bench.kept(|gpu| {
            let of = |lanes: &Lanes| (*lanes, Pipelines::with_lanes(gpu, *lanes));
            Ok(lanes.iter().map(of).collect::<Vec<_>>())
        })?;
        let mut found = vec![];
        let some = [Work::Words, Work::Lanes, Work::Persistent];
        let works: Vec<_> = if trial.few { some.to_vec() } else { Work::by_mask().collect() };
        let first = if trial.few { pipelines.len() - 1 } else { 0 };
        for (lanes, pipelines) in &pipelines[first..] {
            for work in &works {
                for storage in trial.storages {
                    let settings = trial.settings(*work, *storage);
                    let plan = PlanBlock::new(&settings, gpu.policy(), trial.size, trial.size);
                    let mut held = SizeResources { plan, room: SizeBuffers::fitting(&gpu, None, &plan)? };
                    let halves =
                        if *work == Work::Path || trial.few { vec![None] } else { vec![None, Some(trial.depth / 2)] };
                    let rules = if *work == Work::Auto { &RULES[..] } else { &RULES[..1] };
                    for (half, rule) in halves.into_iter().flat_map(|half| rules.iter().map(move |rule| (half, rule))) {
                        // Threads that continue to the end leave no state at the half.
                        held.plan.finish_below = if half.is_none() { rule[0].saturating_mul(plan.words) } else { 0 };
                        held.plan.list_below = rule[1].saturating_mul(plan.words);
                        held.plan.gather_below = rule[2];
                        let until = half.map_or(WHOLE.to_owned(), |half| format!("{half} bounces"));
                        let of = [work.name(), storage.name()].join(" as ");
                        let name = format!("{of}, subgroups {lanes:?}, thresholds {rule:?}, {until}");
                        let left = stencil(bench, pipelines, &held, *storage, half);
                        found.push((name.clone(), left.with_context(|| name)?));
                    }
                }
            }
        }
        Ok(found)
    }

    fn agree(_: &Trial, cpu: &Vec<(String, StencilResult)>, gpu: &Vec<(String, StencilResult)>) -> Verdict {
        let wrong = |(name, left): &&(String, StencilResult)| *left != cpu[usize::from(!name.ends_with(WHOLE))].1;
        let wrong: Vec<_> = gpu.iter().filter(wrong).map(|(name, _)| name.as_str()).collect();
        let text = match wrong.len() {
            0 => format!("{} runs", gpu.len()),
            count => {
                format!("{count} of {} runs leave other pixels live or other values: {}", gpu.len(), wrong.join("; "))
            }
        };
        Verdict::that(!gpu.is_empty() && wrong.is_empty(), text)
    }
}

fn stencil(
    bench: &mut TestBench,
    pipelines: &Pipelines,
    held: &SizeResources,
    storage: Storage,
    half: Option<u32>,
) -> anyhow::Result<StencilResult> {
    let items = held.plan.words * 32;
    let first: Vec<u32> = (0..items).map(first_value).collect();
    let pipeline = pipelines.by_words("stencil")?;
    bench.run(|frame| {
        frame.upload_buffer(&held.room.state, &first)?;
        let plan = frame.data("plan", &[held.plan])?;
        held.mark(frame, pipelines, "stencil_mark", &plan, &[])?;
        held.bounce(frame, &pipeline, half.map_or(Bounces::Together, Bounces::First), &plan, &[])
    })?;
    let mut values: Vec<u32> = bench.read_buffer(&held.room.state)?;
    values.truncate(items as usize);
    let work: Vec<u32> = bench.read_buffer(&held.room.work)?;
    let mask = &work[held.plan.mask_at as usize..];
    let live = (0..items as usize).map(|item| match storage {
        Storage::Bits => mask[item / 32] >> (item % 32) & 1 != 0,
        Storage::Bytes => mask[item / 4] >> (8 * (item % 4)) & 0xFF != 0,
        Storage::U32 => mask[item] != 0,
    });
    let live = live.collect();
    let control: Vec<u32> = bench.read_buffer(&held.room.control)?;
    let calls: Vec<Call> = control.chunks_exact(CALL_BYTES as usize / 4).map(Call::new).collect();
    called(&held.plan, &calls[..half.unwrap_or(held.plan.depth) as usize])?;
    Ok(StencilResult { values, live })
}

/// Values of `finish_below`, `list_below` and `gather_below`: lanes; listed words; all words at first.
const RULES: [[u32; 3]; 3] = [[4, 1, 7], [2, 2, 0], [1, 0, 4]];

struct Call {
    groups: u32,
    way: u32,
    lanes: u32,
    words: u32,
    next: u32,
    finishes: bool,
}

impl Call {
    fn new(words: &[u32]) -> Self {
        let groups = words[0].saturating_mul(words[1]).saturating_mul(words[2]);
        Self { groups, way: words[3], lanes: words[4], words: words[5], next: words[7], finishes: words[8] != 0 }
    }
}

fn called(plan: &PlanBlock, calls: &[Call]) -> anyhow::Result<()> {
    let (auto, persistent) = (way(Work::Auto), way(Work::Persistent));
    let PlanBlock { words, finish_below, list_below, gather_below, .. } = *plan;
    let rule = Rule { words, finish_below, list_below, gather_below };
    let mut gathered = false;
    for (number, call) in calls.iter().enumerate().take_while(|(_, call)| call.lanes > 0) {
        if plan.way == auto {
            let (way, groups, finishes) = automatic(&rule, gathered, call.lanes, call.words);
            let rows = groups.min(1024).saturating_mul(groups.div_ceil(1024));
            let found = (call.way, call.groups, call.finishes);
            anyhow::ensure!(found == (way, rows, finishes), "bounce {number} called as {found:?}");
            gathered = way == 2;
        } else {
            anyhow::ensure!(call.way == plan.way, "bounce {number} called as {}", call.way);
        }
        let taken = call.next;
        anyhow::ensure!(plan.way != persistent || taken >= plan.words, "bounce {number}: {taken} words taken");
    }
    Ok(())
}

pub(super) struct Rays;

gpu_struct! {
    pub struct CastHit {
        /// In lengths of the direction.
        pub t: f32,
        pub visibility: u32,
        pub visits: u32,
    }
}
gpu_struct! {
    struct CastPush { count: u32 }
}

pub fn cast(bench: &mut TestBench, bvh: &Bvh, rays: &[CastRay]) -> anyhow::Result<Vec<CastHit>> {
    let count = rays.len();
    let form = |one_loop: u32| [("STACK", bvh.stack), ("ONE_LOOP", one_loop), ("FLAT", u32::from(bvh.is_flat))];
    let (by_level, by_node) = (form(0), form(1));
    let bvh = bench.run(|frame| ResidentBvh::new(frame, bvh))?;
    let mut found = vec![cast_by(bench, &bvh, rays, "buffers", &by_level)?];
    if bvh.has_texels {
        found.push(cast_by(bench, &bvh, rays, "texels", &by_node)?);
    }
    let first = found.swap_remove(0);
    let bits = |found: &CastHit| (found.t.to_bits(), found.visibility, found.visits);
    for other in found {
        let differ = first.iter().zip(&other).filter(|(a, b)| bits(a) != bits(b)).count();
        anyhow::ensure!(differ == 0, "{differ} of {count} rays meet something else in the other form of the traversal");
    }
    Ok(first)
}

pub(super) fn cast_by(
    bench: &mut TestBench,
    bvh: &ResidentBvh,
    rays: &[CastRay],
    variant: &str,
    constants: &[(&str, u32)],
) -> anyhow::Result<Vec<CastHit>> {
    let (gpu, count) = (bench.gpu().clone(), rays.len());
    let pipeline = ComputePipeline::new(&gpu, &format!("reflections/cast.comp:{variant}"), constants)?
        .with_push::<CastPush>()?
        .with_struct::<CastRay>("Casts")?
        .with_struct::<CastHit>("Finds")?;
    let finds = Buffer::new(&gpu, "finds", (count * size_of::<CastHit>()) as u64, Memory::Device)?;
    bench.run(|frame| {
        let casts = frame.data("casts", rays)?;
        let pass = frame.compute("cast", &pipeline).bind_named(bvh.bindings()).bind("Casts", &casts);
        pass.bind("Finds", &finds).push(&CastPush { count: count as u32 }).dispatch([count as u32, 1])
    })?;
    Ok(bench.read_buffer(&finds)?)
}

impl Property for Rays {
    const NAME: &'static str = "rays";
    type Input = Soup;
    type Output = [Vec<CastHit>; 3];

    fn cases(_: &Gpu, effort: Effort) -> Vec<Case<Soup>> {
        let all = soups(effort == Effort::Full);
        all.into_iter().map(|soup| Case::new(soup.name, soup)).collect()
    }

    fn run(bench: &mut TestBench, soup: &Soup) -> anyhow::Result<Self::Output> {
        let mut through = |most: u64, is_thorough: bool| {
            let bvh =
                flat::build(&soup.world, Limits { flat: most, is_thorough, ..LIMITS }).map_err(anyhow::Error::msg)?;
            anyhow::ensure!(bvh.is_flat == (most > 0), "the hierarchy has another number of levels");
            cast(bench, &bvh, &soup.rays)
        };
        Ok([through(0, false)?, through(u64::MAX, false)?, through(u64::MAX, true)?])
    }

    /// Where a ray runs along an edge or triangles are equally near, any of those is right.
    fn verdict(soup: &Soup, [two, one, thorough]: &Self::Output) -> Verdict {
        let bits = |hit: &CastHit| (hit.t.to_bits(), hit.visibility);
        let other = one.iter().zip(thorough).filter(|(a, b)| bits(a) != bits(b)).count();
        all_judged(soup, two, Ties::ToTheSmaller)
            .and(all_judged(soup, one, Ties::ToTheSmaller))
            .and_none("rays that meet something else in a thorough hierarchy", other)
    }
}

pub const LIMITS: Limits = Limits { buffer: 1 << 27, all: 1 << 30, flat: 0, is_thorough: false };

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Ties {
    ToTheSmaller,
    ToAny,
}

/// Relative to distances of at least 0.1. Derived: an origin and a corner, of up to 16, are each rounded by up to 2^-21.
pub(super) const DISTANCE: f64 = 1e-5;

pub(super) fn all_judged(soup: &Soup, gpu: &[CastHit], ties: Ties) -> Verdict {
    let targets = targets(&soup.world);
    let (mut wrong, mut excused, mut missed, mut worst) = (0, 0, 0, 0.0_f64);
    for (ray, found) in soup.rays.iter().zip(gpu) {
        match judged(&targets, ray, found, ties) {
            Judged::Right(error) => worst = worst.max(error),
            Judged::Excused => excused += 1,
            Judged::Wrong => wrong += 1,
        }
        missed += u32::from(found.visibility == 0);
    }
    let part = f64::from(excused) / soup.rays.len() as f64;
    Verdict::at_most("rays that are wrong", f64::from(wrong), 0.0)
        .and_at_most("excused, of all", part, soup.excused)
        .and_at_most("error of the distance", worst, DISTANCE)
        .and_at_most("misses out of a closed room", f64::from(if soup.closed { missed } else { 0 }), 0.0)
        .and_none("answers missing", soup.rays.len().abs_diff(gpu.len()))
}

enum Judged {
    Right(f64),
    Excused,
    Wrong,
}

fn judged(targets: &[Target], ray: &CastRay, found: &CastHit, ties: Ties) -> Judged {
    let met = all_met(targets, ray.origin, ray.direction);
    // Closer to an edge than this, single precision may see it on either side: as far as a point is off along each axis.
    const EDGE: f64 = 2e-5;
    let error = |t: f64| (f64::from(found.t) - t).abs() / t.max(0.1);
    let sure = met.iter().find(|met| met.inside > EDGE);
    if found.visibility == 0 {
        return match (sure, met.is_empty()) {
            (None, true) => Judged::Right(0.0),
            (None, false) => Judged::Excused,
            (Some(_), _) => Judged::Wrong,
        };
    }
    let Some(own) = met.iter().find(|met| met.visibility == found.visibility) else {
        let along = is_along(targets, found.visibility, ray.direction);
        return if along { Judged::Excused } else { Judged::Wrong };
    };
    // The flatter a ray meets a triangle, the less is known of the distance.
    let is_near = error(own.t) * own.facing.min(0.2) * 5.0 <= DISTANCE;
    let exact = met.iter().find(|met| met.inside >= 0.0);
    match sure {
        _ if !is_near => Judged::Wrong,
        // No certain hit is nearer; an exact tie goes to the smaller value.
        Some(sure) if sure.t < own.t && error(sure.t) > DISTANCE => Judged::Wrong,
        Some(sure) if sure.t == own.t && sure.visibility < own.visibility && ties == Ties::ToTheSmaller => {
            Judged::Wrong
        }
        _ if exact.is_some_and(|exact| {
            exact.visibility == found.visibility || ties == Ties::ToAny && exact.t == own.t && own.inside >= 0.0
        }) =>
        {
            Judged::Right(error(own.t) * own.facing.min(0.2) * 5.0)
        }
        _ => Judged::Excused,
    }
}

/// Masks, live pixels and words of each bounce, counted from synthetic traced light.
pub(super) struct Counts;

const COUNTED: [u32; 2] = [67, 41];

fn bounces_at([x, y]: [u32; 2]) -> u32 {
    if (x / 9 + y / 7).is_multiple_of(3) { 0 } else { (x * 7 + y * 3) % 9 }
}

impl Reference for Counts {
    const NAME: &'static str = "counts";
    type Input = Mapping;
    /// The masks, one bounce after the other; pixels and words by bounce.
    type Output = (Vec<u32>, Vec<u32>);

    fn cases(_: &Gpu, _: Effort) -> Vec<Case<Mapping>> {
        Mapping::ALL.iter().map(|mapping| Case::new(mapping.name(), *mapping)).collect()
    }

    fn cpu(mapping: &Mapping) -> Self::Output {
        let words = words_of(*mapping, COUNTED) as usize;
        let mut masks = vec![0u32; 8 * words];
        for at in pixels_of(COUNTED) {
            let (word, bit) = place_of(*mapping, COUNTED, at);
            (0..bounces_at(at) as usize).for_each(|live| masks[live * words + word as usize] |= 1 << bit);
        }
        let counts = masks.chunks_exact(words).flat_map(|mask| {
            [mask.iter().map(|word| word.count_ones()).sum(), mask.iter().filter(|word| **word != 0).count() as u32]
        });
        let counts = counts.collect();
        (masks, counts)
    }

    fn gpu(bench: &mut TestBench, mapping: &Mapping) -> anyhow::Result<Self::Output> {
        let gpu = bench.gpu().clone();
        let settings = ReflectionsSettings { depth: 8, mapping: *mapping, ..Default::default() };
        let plan = PlanBlock::new(&settings, gpu.policy(), COUNTED, COUNTED);
        let held = SizeResources { plan, room: SizeBuffers::fitting(&gpu, None, &plan)? };
        let texels: Vec<[u16; 4]> =
            pixels_of(COUNTED).map(|at| [0, 0, 0, half::from_f64(f64::from(bounces_at(at)))]).collect();
        let pipelines = Pipelines::new(&gpu);
        bench.run(|frame| frame.upload(&held.room.traced.mip(0), &texels))?;
        let [masks, counts] = bench.run(|frame| held.count(frame, &pipelines))?;
        Ok((bench.read_buffer(&masks)?, bench.read_buffer(&counts)?))
    }

    fn agree(_: &Mapping, cpu: &Self::Output, gpu: &Self::Output) -> Verdict {
        Verdict::none("words of masks that differ", words_apart(&cpu.0, &gpu.0))
            .and(Verdict::that(cpu.1 == gpu.1, format!("counts {:?}, expected {:?}", gpu.1, cpu.1)))
    }
}
