//! Replay of the stencil on one tile of the mirrors: words, ballots and lists from bounce to bounce.

mod steps;
#[cfg(test)]
mod tests;
mod tile;
mod work_steps;

use self::{
    steps::{FramePasses, Steps},
    tile::{AUTO, FIXED_LOOP, LANES, LIVE_WORDS, PATH, PERSISTENT, TILE, Tile},
};
use super::reference::stencil::{Bounce, Dispatch, Rule, traced};
use crate::{
    Reflections,
    passes::mask::{SizeResources, named},
    settings::{ReflectionsSettings, Work},
    uniforms::{BouncePush, CALL_BYTES, PlanBlock, SizeBuffers, WORD, groups_of, place_of, way},
};
use base::half;
use gpu::{Buffer, DevicePolicy, Frame, Memory, Resource, Result, Sampler};
use media::array::Array;
use technique::{
    FrameContext, MemoryComparison, NamedOutputs, Output, Replay, Replays, StoryPixel, Variant, all_words,
    size_of_array,
};

const CALL: usize = CALL_BYTES as usize / 4;

/// Each bounce is dispatched, so that its mask exists; queues have none and are shown by the automatic choice.
fn plan_of(settings: &ReflectionsSettings, policy: &DevicePolicy, size: [u32; 2]) -> PlanBlock {
    let work = if settings.work == Work::Queues { Work::Auto } else { settings.work };
    let settings = ReflectionsSettings { work, ..settings.clone() };
    PlanBlock { finish_below: 0, ..PlanBlock::new(&settings, policy, size, size) }
}

fn lists(plan: &PlanBlock) -> [bool; 2] {
    let is_auto = plan.way == AUTO;
    [is_auto || plan.way == LIVE_WORDS, is_auto && plan.gather_below > 0 || plan.way == LANES]
}

struct Snapshots {
    /// Bytes in `Work`: mask, two lists of words, two lists of lanes.
    masks: (Buffer, u64),
    lists: Vec<(&'static str, Buffer, [u64; 2])>,
}

impl Snapshots {
    fn new(frame: &Frame, plan: &PlanBlock) -> Result<Self> {
        let buffer = |name: &str, bytes| Buffer::new(frame.gpu(), &format!("replayed {name}"), bytes, Memory::Device);
        let (bytes, depth) = (4 * u64::from(plan.live_words_at - plan.mask_at), u64::from(plan.depth));
        let parts = [[plan.live_words_at, plan.words], [plan.live_lanes_at, WORD * plan.words]];
        let mut listed = Vec::new();
        for ((name, part), is_there) in LISTS.into_iter().zip(parts).zip(lists(plan)) {
            let [first, bytes] = part.map(|words| 4 * u64::from(words));
            if is_there {
                listed.push((name, buffer(name, bytes * depth)?, [first, bytes]));
            }
        }
        Ok(Self { masks: (buffer("masks", bytes * (depth + 1))?, bytes), lists: listed })
    }

    fn take(&self, frame: &mut Frame, work: &Buffer, plan: &PlanBlock, bounce: u32) -> Result<()> {
        let (masks, bytes) = &self.masks;
        let first = 4 * u64::from(plan.mask_at);
        frame.copy_part(PASS, work, first..first + bytes, masks, bytes * u64::from(bounce))?;
        for (_, list, [first, bytes]) in self.lists.iter().filter(|_| bounce < plan.depth) {
            let first = first + bytes * u64::from(bounce & 1);
            frame.copy_part(PASS, work, first..first + bytes, list, bytes * u64::from(bounce))?;
        }
        Ok(())
    }
}

const PASS: &str = "reflections/replay";

impl Replays for Reflections {
    const SHOWS: &'static str = "The bit stencil of one tile: words, ballots and lists from bounce to bounce.";

    fn record_replay(
        &self,
        frame: &mut Frame,
        settings: &ReflectionsSettings,
        context: &FrameContext,
    ) -> Result<NamedOutputs> {
        let Some(held) = self.shown().filter(|_| context.world.is_some()) else { return Ok(Vec::new()) };
        let plan = plan_of(settings, self.gpu.policy(), held.plan.size.to_array());
        let stencil = SizeResources { plan, room: SizeBuffers::counting(&self.gpu, &plan)? };
        let snapshots = Snapshots::new(frame, &plan)?;
        let bytes = 4 * u64::from(plan.words) * u64::from(plan.depth);
        let takers = Buffer::new(&self.gpu, "replayed takers", bytes, Memory::Device)?;
        frame.fill(PASS, &takers, u32::MAX)?;
        frame.fill(PASS, &stencil.room.control, 0)?;
        let block = frame.data("reflections plan", &[plan])?;
        let shared = stencil.shared(&block);
        let traced = held.room.traced.mip(0);
        let nearest = [("traced_light", Resource::from(traced.clone().through(Sampler::NearestClamp)))];
        let mark = self.pipelines.by_words("replay_mark")?;
        named(named(frame.compute(PASS, &mark), &shared), &nearest).dispatch_groups(groups_of(plan.words))?;
        named(frame.compute(PASS, &self.pipelines.plain("begin")?), &shared).dispatch_groups([1, 1, 1])?;
        snapshots.take(frame, &stencil.room.work, &plan, 0)?;
        let pipeline = self.pipelines.by_words("replay")?;
        for bounce in 0..plan.depth {
            let pass = named(frame.compute(PASS, &pipeline), &shared).bind("Takers", &takers);
            pass.dispatch_chain(&stencil.room.control, &[call_of(bounce)])?;
            snapshots.take(frame, &stencil.room.work, &plan, bounce + 1)?;
        }
        let words = Output::words;
        let mut read = vec![
            ("light", traced.into()),
            ("masks", words(&snapshots.masks.0)),
            ("calls", words(&stencil.room.control)),
            ("takers", words(&takers)),
        ];
        read.extend(snapshots.lists.iter().map(|(name, list, _)| (*name, words(list))));
        if self.is_by_mask {
            read.push(("own calls", words(&held.room.control)));
        }
        Ok(read)
    }

    fn replay(&self, settings: &ReflectionsSettings, pixel: &StoryPixel<'_>) -> std::result::Result<Replay, String> {
        let missing =
            "No mirror was traced in this frame: show the 3D scene, with reflections.trace and reflections.depth on.";
        let (Some(light), Some(held)) = (pixel.array("light"), self.shown()) else { return Err(missing.into()) };
        let size = size_of_array(light).filter(|size| *size == held.plan.size.to_array());
        let size = size.ok_or("The light of the mirrors was not read.")?;
        let plan = plan_of(settings, self.gpu.policy(), size);
        let bounces = bounces_of(light, settings, &plan).ok_or("The light of the mirrors was not read.")?;
        let trace = traced(&bounces, plan.depth, plan.way, &rule_of(&plan), plan.workers);
        let own = pixel.array("own calls").map(|gpu| {
            let PlanBlock { depth, way, workers, .. } = held.plan;
            (traced(&bounces, depth, way, &rule_of(&held.plan), workers), all_words(gpu))
        });
        let tiles = pixel.tiles(TILE, size);
        let tile = Tile::new(&plan, settings.mapping, &tiles, &bounces, &trace);
        let read = |name| pixel.array(name).map(all_words).unwrap_or_default();
        let [masks, calls, takers] = ["masks", "calls", "takers"].map(read);
        let mut all = vec![call_words(&trace, &calls), taker_words(&trace, &plan, &takers)];
        for (name, is_lanes) in LISTS.into_iter().zip([false, true]) {
            all.extend(pixel.array(name).map(|list| list_words(&trace, is_lanes, &all_words(list))));
        }
        let [cpu, gpu] = [0, 1].map(|side| all.iter().flat_map(|both| both[side].clone()).collect::<Vec<u32>>());
        let what = match plan.way {
            PERSISTENT => "words of its dispatches (a word may be any workgroup's, once)",
            _ => "words: arguments of its dispatches, its lists (sorted), and which workgroup took which word",
        };
        let mut comparisons = vec![
            MemoryComparison::of("words of this tile's masks", &tile.memory(), &tile.memory_in(&masks)),
            MemoryComparison::of(what, &cpu, &gpu),
        ];
        comparisons.extend(own.as_ref().map(|(trace, gpu)| {
            let [cpu, gpu] = call_words(trace, gpu);
            MemoryComparison::of("words of the frame's own dispatches", &cpu, &gpu)
        }));
        let at_once = "one dispatch for all bounces";
        let (runs, more, passes_of) = match &own {
            None if held.plan.thinned != 0 => (MOVING.into(), NOTES[2], FramePasses::Together),
            None if settings.work == Work::Sorted => (finding(Work::Sorted), NOTES[1], FramePasses::Apart),
            None => (finding(Work::Queues), NOTES[0], FramePasses::Queues),
            Some((trace, _)) if trace[0].call.finishes && plan.way != PATH => {
                (at_once.into(), NOTES[2], FramePasses::Together)
            }
            Some(_) => (finding(work_of(held.plan.way)), NOTES[1], FramePasses::Apart),
        };
        let variant = Variant { runs, when: "", shown: finding(work_of(plan.way)) };
        let items = tile.items();
        let steps = Steps::new(tile, self.pipelines.ballot(), &takers, passes_of).all(&comparisons[0]);
        Ok(Replay::new(tiles, steps, comparisons, variant.note(more)).items(items))
    }
}

const MOVING: &str =
    "three dispatches for all bounces (one pixel of 2x2 first, then the others by what those met, then what is left)";

const NOTES: [&str; 3] = [
    "Rays in queues have no mask; Timings has their times. The steps run the stencil over the number of bounces that each pixel of the frame took, with a dispatch for each bounce.",
    "The steps run the stencil over the number of bounces that each pixel took.",
    "The steps run the stencil over the number of bounces that each pixel took, with a dispatch for each, so that there is a mask between them.",
];

fn work_of(of: u32) -> Work {
    Work::ALL.iter().copied().find(|work| way(*work) == of).unwrap_or(Work::Auto)
}

fn finding(work: Work) -> String {
    match work {
        Work::Auto => "the work that the GPU chooses before each bounce".into(),
        Work::Queues => "queues of rays by material".into(),
        work => format!("the work {}", work.title()),
    }
}

const LISTS: [&str; 2] = ["live words", "live pixels"];

/// By the reference, and of the GPU.
type BothWords = [Vec<u32>; 2];

fn rule_of(plan: &PlanBlock) -> Rule {
    let PlanBlock { words, finish_below, list_below, gather_below, .. } = *plan;
    Rule { words, finish_below, list_below, gather_below }
}

fn bounces_of(light: &Array, settings: &ReflectionsSettings, plan: &PlanBlock) -> Option<Vec<u32>> {
    let [width, height] = plan.size.to_array();
    let texels = light.bytes.as_chunks::<8>().0;
    (texels.len() == width as usize * height as usize && light.shape.get(2) == Some(&4)).then_some(())?;
    let mut bounces = vec![0; (plan.words * WORD) as usize];
    for (place, texel) in (0..).zip(texels) {
        let (word, bit) = place_of(settings.mapping, [width, height], [place % width, place / width]);
        *bounces.get_mut((word * WORD + bit) as usize)? = half::to_f64(u16::from_le_bytes([texel[6], texel[7]])) as u32;
    }
    Some(bounces)
}

fn call_words(trace: &[Bounce], gpu: &[u32]) -> BothWords {
    let words = |bounce: &Bounce| {
        let Dispatch { way, groups: [x, y, z], lanes, words, done, next, finishes } = bounce.call;
        let mut call = [0; CALL];
        call[..9].copy_from_slice(&[x, y, z, way, lanes, words, done, next, u32::from(finishes)]);
        call
    };
    let cpu: Vec<u32> = trace.iter().flat_map(words).collect();
    let gpu = gpu[..cpu.len().min(gpu.len())].to_vec();
    [cpu, gpu]
}

/// The way decides who takes a word; for persistent workgroups time does, then each word is taken once.
fn taker_words(trace: &[Bounce], plan: &PlanBlock, gpu: &[u32]) -> BothWords {
    let mut cpu = vec![u32::MAX; plan.words as usize * plan.depth as usize];
    for (bounce, call) in trace.iter().map(|bounce| &bounce.call).enumerate().filter(|(_, call)| call.lanes > 0) {
        let first = bounce * plan.words as usize;
        let count = match call.way {
            LANES => call.lanes.div_ceil(WORD),
            LIVE_WORDS => call.words,
            _ => plan.words,
        };
        for at in 0..count {
            let place = first + at as usize;
            let Some(taker) = cpu.get_mut(place) else { break };
            *taker = match (call.way, gpu.get(place)) {
                (FIXED_LOOP, _) => at / 8,
                (PERSISTENT, Some(group)) if *group < call.groups[0] * call.groups[1] => *group,
                (PERSISTENT, _) => 0,
                _ => at,
            };
        }
    }
    [cpu, gpu.to_vec()]
}

fn list_words(trace: &[Bounce], is_lanes: bool, gpu: &[u32]) -> BothWords {
    let (mut cpu, mut read) = (Vec::new(), Vec::new());
    let depth = trace.len() - 1;
    for (bounce, Bounce { live, call }) in trace.iter().enumerate().take(depth) {
        let each = if is_lanes { live.len() } else { live.len() / WORD as usize };
        if !is_lanes && call.words == 0 {
            continue;
        }
        let is_listed = |place: &usize| match is_lanes {
            true => live[*place],
            false => live[WORD as usize * place..][..WORD as usize].contains(&true),
        };
        cpu.extend((0..each).filter(is_listed).map(|place| place as u32));
        let count = if is_lanes { call.lanes } else { call.words } as usize;
        let mut list: Vec<u32> = gpu.get(bounce * each..bounce * each + count).unwrap_or_default().to_vec();
        list.sort_unstable();
        read.extend(list);
    }
    [cpu, read]
}

fn call_of(bounce: u32) -> (u64, BouncePush) {
    (CALL_BYTES * u64::from(bounce), BouncePush { bounce })
}
