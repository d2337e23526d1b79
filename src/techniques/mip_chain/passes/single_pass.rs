//! Single-pass method: every level in one dispatch.

use crate::{
    pipelines::{Lanes, Pipelines, Recipe, constants, hardware_filter},
    pixel::ChainFormat,
    plan::{Aligned, Filter, Plan, TIERS, most_between, plan},
    settings::MipChainSettings,
};
use bytemuck::Zeroable;
use gpu::{
    Buffer, Feature, Format, Frame, Gpu, Image, ImageView, Memory, Resource, Result, Sampler, gpu_struct, mip_size,
};
use std::sync::{Arc, Mutex, PoisonError};

gpu_struct! {
    struct PassPush {
        size: [i32; 2],
        texel: [f32; 2],
        tier_count: u32,
        share: u32,
        sides: [u32; TIERS],
        shifts: u32,
        tiers: [[u32; 4]; TIERS],
    }
}

/// Storage images in the shader.
pub const LEVELS: usize = 16;

/// Four half floats.
const TEXEL: u64 = 8;

/// Counters are 0 between two chains: the last user resets each.
pub struct WorkgroupBuffers {
    pub counters: Buffer,
    texels: Buffer,
}

#[derive(Default)]
pub struct SinglePass {
    pub between: Mutex<Option<WorkgroupBuffers>>,
}

pub struct ChainRequest<'a> {
    /// Level `base` of the chain, or for level 0 a picture of its size.
    pub source: ImageView,
    pub base: u32,
    pub chain: &'a Image,
    pub format: ChainFormat,
    /// Level 0 included.
    pub levels: u32,
    pub top: bool,
    /// Left, top, right, bottom of level 0.
    pub part: Option<[u32; 4]>,
}

pub fn is_faulty(gpu: &Gpu) -> bool {
    gpu.policy().has_old_compiler
}

pub fn is_possible(gpu: &Gpu, size: [u32; 2]) -> bool {
    let facts = gpu.info();
    let fits = facts.storage_images as usize >= LEVELS && facts.max_side <= 1 << (LEVELS - 1);
    fits && !is_faulty(gpu) && most_between(size) * TEXEL <= u64::from(facts.storage_bytes)
}

impl SinglePass {
    pub fn record(
        &self,
        pipelines: &Pipelines,
        frame: &mut Frame,
        settings: &MipChainSettings,
        request: &ChainRequest<'_>,
    ) -> Result<()> {
        let gpu = pipelines.gpu().clone();
        let (size, format) = (mip_size(request.chain.size(), request.base), request.format);
        let plan = plan(size, request.levels.saturating_sub(request.base), settings.filter, request.part);
        let Some(first) = plan.tiers.first() else { return Ok(()) };
        let lanes = Lanes::of(&gpu, settings);
        let model = match (gpu.has(Feature::MemoryModel), gpu.has(Feature::ImageIndexing)) {
            (false, _) => "_old",
            (true, false) => "_switch",
            (true, true) => "",
        };
        let shader = format!("mip_chain/single_pass.comp:{}{}{model}", format.variant(), lanes.suffix());
        let mut constants = constants(format, settings.filter);
        constants.extend([("NEAR", plan.room[0]), ("KEPT", plan.room[1]), ("TOP", u32::from(request.top))]);
        constants.push(("ALIGNED", plan.aligned as u32));
        let rehearsal = u32::from(plan.rehearsed);
        constants.push(("REHEARSAL", rehearsal));
        let whole = settings.filter == Filter::Box && plan.ends_whole(size);
        constants.push(("WHOLE", u32::from(whole)));
        constants.push(("DEPTH", if plan.aligned == Aligned::None { 1 } else { first.depth }));
        // An H200 has too few bits for filtering values decoded from sRGB.
        let filters = !request.source.format().is_srgb();
        constants.push(("HARDWARE_FILTER", if filters { hardware_filter(&gpu, settings, format, size) } else { 0 }));
        if lanes.shuffles > 0 {
            constants.push(("SHUFFLES", lanes.shuffles));
            constants.push(("ROW_SHUFFLE", u32::from(lanes.size.is_some_and(|size| size >= 32))));
        }
        let pipeline = pipelines.pushing::<PassPush>(Recipe { shader, constants, subgroup: lanes.size })?;
        let between = self.between(&gpu, frame, &plan)?;
        let pass = frame.compute("mip_chain/single pass", &pipeline);
        let pass = pass.bind("source", sampled(&request.source, format)).bind_all("levels", level_images(request));
        let pass = pass.bind("Counters", &between.0).bind("Between", &between.1).push(&push(size, &plan));
        pass.dispatch_groups([first.count[0], first.count[1] + rehearsal, 1])
    }

    fn between(&self, gpu: &Arc<Gpu>, frame: &mut Frame, plan: &Plan) -> Result<(Buffer, Buffer)> {
        let (counters, texels) = (u64::from(plan.counters.max(1)) * 4, u64::from(plan.between.max(1)) * TEXEL);
        // Room to grow, within what a shader can bind.
        let roomy = texels.next_power_of_two().min(u64::from(gpu.info().storage_bytes).max(texels));
        let mut slot = self.between.lock().unwrap_or_else(PoisonError::into_inner);
        let fits = |buffers: &WorkgroupBuffers| buffers.counters.size() >= counters && buffers.texels.size() >= texels;
        let buffers = match slot.take().filter(fits) {
            Some(buffers) => buffers,
            None => {
                let counters = Buffer::new(gpu, "mip chain counters", counters.next_power_of_two(), Memory::Device)?;
                let texels = Buffer::new(gpu, "mip chain between tiers", roomy, Memory::Device)?;
                frame.fill("setup/mip chain counters", &counters, 0)?;
                WorkgroupBuffers { counters, texels }
            }
        };
        let buffers = slot.insert(buffers);
        Ok((buffers.counters.clone(), buffers.texels.clone()))
    }
}

/// Shaders decode sRGB themselves.
pub fn read(source: &ImageView, format: ChainFormat) -> ImageView {
    let own = source.format();
    source.clone().as_format(if format.is_srgb() { own.encoded() } else { own })
}

pub fn sampled(source: &ImageView, format: ChainFormat) -> ImageView {
    let sampler = if format == ChainFormat::R32F { Sampler::NearestClamp } else { Sampler::LinearClamp };
    read(source, format).through(sampler)
}

fn level_images(request: &ChainRequest<'_>) -> Vec<Resource> {
    let format: Format = request.format.stored();
    let last = request.levels.min(request.chain.mips()) - 1;
    let place = |level: u32| match level {
        0 if !request.top => request.base + 1,
        level => (request.base + level).min(last),
    };
    (0..LEVELS as u32).map(|level| request.chain.mip(place(level)).as_format(format).into()).collect()
}

fn push(size: [u32; 2], plan: &Plan) -> PassPush {
    let both = |pair: [u32; 2]| pair[0] | pair[1] << 16;
    let mut push = PassPush {
        size: size.map(|n| n as i32),
        texel: size.map(|n| 1.0 / n as f32),
        tier_count: plan.tiers.len() as u32,
        share: plan.share,
        ..Zeroable::zeroed()
    };
    for (t, tier) in plan.tiers.iter().enumerate() {
        let head = tier.level | tier.depth << 8 | tier.counter << 16;
        push.tiers[t] = [head, both(tier.first), both(tier.count), tier.texels];
        push.sides[t] = both(tier.side);
        push.shifts |= (tier.shift(size[0], 0) | tier.shift(size[1], 1) << 4) << (8 * t);
    }
    push
}
