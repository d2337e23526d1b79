//! Layout of pixels, mask words and lists, and the uniform block that holds it.

use super::{Mapping, ReflectionsSettings, Storage, Work};
use glam::{UVec2, Vec2};
use gpu::{Buffer, DeviceInfo, DevicePolicy, Format, Gpu, Image, ImageDesc, Memory, Result, Use, gpu_struct};
use std::sync::Arc;

/// Visibility IDs.
pub const HIT_IDS: &str = "reflections hits";

gpu_struct! {
    /// As in `shaders/reflections/uniforms.glsl`.
    pub struct PlanBlock {
        pub size: UVec2,
        pub whole: UVec2,
        pub words: u32,
        pub blocks_across: u32,
        pub depth: u32,
        pub way: u32,
        pub storage: u32,
        pub mapping: u32,
        pub workers: u32,
        pub finish_below: u32,
        pub list_below: u32,
        pub gather_below: u32,
        pub mask_at: u32,
        pub live_words_at: u32,
        pub live_lanes_at: u32,
        pub view: u32,
        pub view_bounce: u32,
        pub shift: Vec2,
        pub least_detail: f32,
        pub thinned: u32,
    }
}

pub const WORD: u32 = 32;
pub const DEPTH_MOST: u32 = 8;
/// As in `shaders/reflections/uniforms.glsl`.
pub const CALL_BYTES: u64 = 64;
const RAY_BYTES: u64 = 32;
const THINNED_PLACES: u32 = 16;
pub const FOLLOWERS: u32 = 128;
pub const HITS: u32 = 128;
const ROW: u32 = 1024;
const WORKERS: u32 = 4096;

/// As in `shaders/reflections/uniforms.glsl`.
pub fn way(work: Work) -> u32 {
    match work {
        Work::Words | Work::Sorted => 0,
        Work::LiveWords => 1,
        Work::Lanes => 2,
        Work::Persistent => 3,
        Work::FixedLoop => 4,
        Work::Path => 5,
        Work::Auto | Work::Queues => 6,
    }
}

impl Storage {
    pub fn stride(self) -> u32 {
        match self {
            Self::Bits => 1,
            Self::Bytes => 8,
            Self::U32 => 32,
        }
    }
}

pub fn size_for(facts: &DeviceInfo, whole: [u32; 2], scale: f32) -> [u32; 2] {
    let scaled = |scale: f32| whole.map(|side| ((side as f32 * scale).round() as u32).clamp(1, side.max(1)));
    let mut scale = scale.clamp(0.01, 1.0);
    while u64::from(words_of(Mapping::Blocks, scaled(scale))) * u64::from(WORD) * RAY_BYTES
        > u64::from(facts.storage_bytes)
        && scale > 0.02
    {
        scale *= 0.95;
    }
    scaled(scale)
}

pub fn words_of(mapping: Mapping, [width, height]: [u32; 2]) -> u32 {
    match mapping {
        Mapping::Linear => (width * height).div_ceil(WORD),
        Mapping::Blocks => width.div_ceil(8) * height.div_ceil(4),
    }
}

pub fn place_of(mapping: Mapping, [width, _]: [u32; 2], [x, y]: [u32; 2]) -> (u32, u32) {
    match mapping {
        Mapping::Linear => ((y * width + x) / WORD, (y * width + x) % WORD),
        Mapping::Blocks => (y / 4 * width.div_ceil(8) + x / 8, y % 4 * 8 + x % 8),
    }
}

pub fn groups_of(words: u32) -> [u32; 3] {
    [words.min(ROW), words.div_ceil(ROW), 1]
}

impl PlanBlock {
    pub fn new(settings: &ReflectionsSettings, policy: &DevicePolicy, size: [u32; 2], whole: [u32; 2]) -> Self {
        let words = words_of(settings.mapping, size);
        let mask_at = 0;
        // On a GPU threads that follow their pixels are quickest at every depth, and listed words have less in common:
        // docs/measured/reflections.md.
        let (finish_below, list_below, gather_below) =
            if policy.runs_on_cpu { (2048, words / 10 * 9, 7) } else { (u32::MAX, words / 4, 0) };
        let live_words_at = mask_at + words * settings.storage.stride();
        Self {
            size: UVec2::from_array(size),
            whole: UVec2::from_array(whole),
            words,
            blocks_across: size[0].div_ceil(8),
            depth: settings.depth.min(DEPTH_MOST),
            way: way(settings.work),
            shift: Vec2::ZERO,
            least_detail: 0.0,
            thinned: 0,
            storage: settings.storage as u32,
            mapping: settings.mapping as u32,
            workers: WORKERS,
            finish_below,
            list_below,
            gather_below,
            mask_at,
            live_words_at,
            live_lanes_at: live_words_at + 2 * words,
            view: 0,
            view_bounce: settings.view_bounce,
        }
    }

    pub fn thinned(self, number: u32) -> Self {
        match self.size == self.whole {
            true => Self { thinned: 1 + number % THINNED_PLACES, ..self },
            false => self,
        }
    }

    fn met_bytes(&self) -> u64 {
        let [width, height] = self.size.to_array().map(|side| u64::from(side.div_ceil(2)));
        4 * width * height * u64::from(self.depth.max(1))
    }

    pub fn work_bytes(&self) -> u64 {
        4 * u64::from(self.live_lanes_at + 2 * WORD * self.words)
    }
}

pub struct HitBuffers {
    /// 0: no ray, or no hit.
    pub ids: Image,
    /// In lengths of the rays' directions.
    pub distances: Buffer,
}

pub struct SizeBuffers {
    of: ([u32; 2], u64, u32),
    pub control: Buffer,
    pub work: Buffer,
    pub state: Buffer,
    pub visits: Buffer,
    /// Fourth channel: bounces; 0: no mirror.
    pub traced: Image,
    /// Moving pictures: a word for each bounce of 2x2 pixels.
    pub met: Option<Buffer>,
    pub hits: Option<HitBuffers>,
}

impl SizeBuffers {
    pub fn fitting(gpu: &Arc<Gpu>, held: Option<Self>, plan: &PlanBlock) -> Result<Self> {
        let of = (plan.size.to_array(), plan.work_bytes(), plan.words);
        let mut room = match held.filter(|held| held.of == of) {
            Some(held) => held,
            None => Self::new(gpu, plan, of.0, RAY_BYTES)?,
        };
        let bytes = plan.met_bytes();
        if plan.thinned != 0 && room.met.as_ref().is_none_or(|met| met.size() != bytes) {
            room.met = Some(Buffer::new(gpu, "reflections met", bytes, Memory::Device)?);
        }
        Ok(room)
    }

    pub fn add_hits(&mut self, gpu: &Arc<Gpu>) -> Result<()> {
        if self.hits.is_none() {
            let (size, _, words) = self.of;
            let ids = ImageDesc::new(HIT_IDS, size, Format::R32U, &[Use::Sample, Use::Storage]);
            let bytes = 4 * u64::from(words) * u64::from(WORD);
            let distances = Buffer::new(gpu, "reflections hit distances", bytes, Memory::Device)?;
            self.hits = Some(HitBuffers { ids: Image::new(gpu, ids)?, distances });
        }
        Ok(())
    }

    pub fn counting(gpu: &Arc<Gpu>, plan: &PlanBlock) -> Result<Self> {
        Self::new(gpu, plan, [1, 1], 4)
    }

    fn new(gpu: &Arc<Gpu>, plan: &PlanBlock, lit: [u32; 2], item_bytes: u64) -> Result<Self> {
        let of = (plan.size.to_array(), plan.work_bytes(), plan.words);
        let items = u64::from(plan.words) * u64::from(WORD);
        let buffer = |name: &str, bytes| Buffer::new(gpu, &format!("reflections {name}"), bytes, Memory::Device);
        let uses = [Use::Sample, Use::Storage];
        Ok(Self {
            of,
            control: buffer("control", CALL_BYTES * u64::from(DEPTH_MOST + 1))?,
            work: buffer("work", plan.work_bytes())?,
            state: buffer("rays", item_bytes * items)?,
            visits: buffer("visits", 4 * items)?,
            traced: Image::new(gpu, ImageDesc::new("traced light", lit, Format::Rgba16F, &uses))?,
            met: None,
            hits: None,
        })
    }
}

gpu_struct! {
    pub struct BouncePush { pub bounce: u32 }
}

gpu_struct! {
    pub struct FollowPush { pub list: u32 }
}

gpu_struct! {
    pub struct QueuePush { pub bounce: u32, pub first: u32, pub count: u32, pub kind: u32 }
}
