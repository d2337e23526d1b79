//! Layout of pixels, mask words and lists, and the uniform block that holds it.

use super::{Mapping, ReflectionsSettings, Storage, Work};
use crate::{
    gpu::{Buffer, DeviceInfo, DevicePolicy, Format, Gpu, Image, ImageDesc, Memory, Result, Use},
    gpu_struct,
};
use glam::{UVec2, Vec2};
use std::sync::Arc;

gpu_struct! {
    /// Buffer `Plan` of `shaders/reflections/uniforms.glsl`, where the fields are explained.
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

/// Pixels of one word.
pub const WORD: u32 = 32;
/// Bounces at the most.
pub const DEPTH_MOST: u32 = 8;
/// Bytes of `Call` in `shaders/reflections/uniforms.glsl`.
pub const CALL_BYTES: u64 = 64;
/// Bytes of a ray.
const RAY_BYTES: u64 = 32;
/// Frames in which each pixel of a weak mirror has a ray once.
const THINNED_PLACES: u32 = 16;
/// Threads of a workgroup of `reflections/follow.comp`.
pub const FOLLOWERS: u32 = 128;
/// Threads of a workgroup of `reflections/hits.comp`.
pub const HITS: u32 = 128;
/// Words in a row of workgroups, as `call_bounce` has it.
const ROW: u32 = 1024;
/// Workgroups of persistent threads: more than any GPU runs at once would only wait.
const WORKERS: u32 = 4096;

/// `WAY_..` of `shaders/reflections/uniforms.glsl`.
pub fn way(work: Work) -> u32 {
    match work {
        // Sorted hits look at every word.
        Work::Words | Work::Sorted => 0,
        Work::LiveWords => 1,
        Work::Lanes => 2,
        Work::Persistent => 3,
        Work::FixedLoop => 4,
        Work::Path => 5,
        // Queues are no way of finding work in the mask.
        Work::Auto | Work::Queues => 6,
    }
}

impl Storage {
    /// 32-bit words for 32 pixels.
    pub fn stride(self) -> u32 {
        match self {
            Self::Bits => 1,
            Self::Bytes => 8,
            Self::U32 => 32,
        }
    }
}

/// Pixels of the reflections where the picture has `whole`: their part, but no more than the device can hold the rays of.
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

/// Words of the mask.
pub fn words_of(mapping: Mapping, [width, height]: [u32; 2]) -> u32 {
    match mapping {
        Mapping::Linear => (width * height).div_ceil(WORD),
        Mapping::Blocks => width.div_ceil(8) * height.div_ceil(4),
    }
}

/// The word and the bit of a pixel.
pub fn place_of(mapping: Mapping, [width, _]: [u32; 2], [x, y]: [u32; 2]) -> (u32, u32) {
    match mapping {
        Mapping::Linear => ((y * width + x) / WORD, (y * width + x) % WORD),
        Mapping::Blocks => (y / 4 * width.div_ceil(8) + x / 8, y % 4 * 8 + x % 8),
    }
}

/// Workgroups of a dispatch of one for each of n words.
pub fn groups_of(words: u32) -> [u32; 3] {
    [words.min(ROW), words.div_ceil(ROW), 1]
}

impl PlanBlock {
    /// For `size` pixels of reflections in a picture of `whole`.
    pub fn new(settings: &ReflectionsSettings, policy: &DevicePolicy, size: [u32; 2], whole: [u32; 2]) -> Self {
        let words = words_of(settings.mapping, size);
        let mask_at = 0;
        // On a GPU threads that follow their pixels to the end are quickest at every depth, and listed words are scattered, so that their
        // rays have less in common: docs/measured/reflections.md.
        let (finish_below, list_below, gather_below) =
            if policy.compacts_rays { (2048, words / 10 * 9, 7) } else { (u32::MAX, words / 4, 0) };
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
            storage: match settings.storage {
                Storage::Bits => 0,
                Storage::Bytes => 1,
                Storage::U32 => 2,
            },
            mapping: match settings.mapping {
                Mapping::Linear => 0,
                Mapping::Blocks => 1,
            },
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

    /// Thins the rays of weak mirrors in frame `number` of a moving picture.
    #[must_use]
    pub fn thinned(self, number: u32) -> Self {
        match self.size == self.whole {
            true => Self { thinned: 1 + number % THINNED_PLACES, ..self },
            false => self,
        }
    }

    /// Bytes of what the first rays of a moving picture met.
    fn met_bytes(&self) -> u64 {
        let [width, height] = self.size.to_array().map(|side| u64::from(side.div_ceil(2)));
        4 * width * height * u64::from(self.depth.max(1))
    }

    /// Bytes of the buffer with the mask and the lists.
    pub fn work_bytes(&self) -> u64 {
        4 * u64::from(self.live_lanes_at + 2 * WORD * self.words)
    }
}

/// What the rays of a bounce hit.
pub struct HitBuffers {
    /// Visibility values by pixel; 0: the pixel has no ray, or it hits nothing.
    pub ids: Image,
    /// By item, 32-bit floats: lengths of the rays' directions.
    pub distances: Buffer,
}

/// Buffers and images of one size.
pub struct SizeBuffers {
    /// Pixels of the reflections, bytes of `work`, words of the mask.
    of: ([u32; 2], u64, u32),
    /// A `Call` for each bounce and one more.
    pub control: Buffer,
    /// Mask and lists.
    pub work: Buffer,
    /// A ray for each item.
    pub state: Buffer,
    /// Nodes visited by each item's rays.
    pub visits: Buffer,
    /// Traced light, and in the fourth channel how many bounces it took; 0: no mirror.
    pub traced: Image,
    /// In a moving picture what the first rays met: of each bounce a word for 2x2 pixels.
    pub met: Option<Buffer>,
    /// Where hits are sorted.
    pub hits: Option<HitBuffers>,
}

impl SizeBuffers {
    /// The one that is there if it fits.
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

    /// The buffers of sorted hits, if they are not there.
    pub fn add_hits(&mut self, gpu: &Arc<Gpu>) -> Result<()> {
        if self.hits.is_none() {
            let (size, _, words) = self.of;
            let ids = ImageDesc::new("reflections hits", size, Format::R32U, &[Use::Sample, Use::Storage]);
            let bytes = 4 * u64::from(words) * u64::from(WORD);
            let distances = Buffer::new(gpu, "reflections hit distances", bytes, Memory::Device)?;
            self.hits = Some(HitBuffers { ids: Image::new(gpu, ids)?, distances });
        }
        Ok(())
    }

    /// For a stencil that counts bounces and traces nothing: a word for each item, no light.
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
    /// Push constants of `reflections/bounce.comp`, `hits.comp` and `shade_hits.comp`.
    pub struct BouncePush { pub bounce: u32 }
}

gpu_struct! {
    /// Push constants of `reflections/follow.comp`: the list that it follows.
    pub struct FollowPush { pub list: u32 }
}

gpu_struct! {
    /// Push constants of `shaders/reflections/queues.glsl`.
    pub struct QueuePush { pub bounce: u32, pub first: u32, pub count: u32, pub kind: u32 }
}
