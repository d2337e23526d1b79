//! Choice of the sort's shader variant, and the effect of the settings on it.

use super::{PixelSortSettings, list::tile_entries};
use gpu::gpu_consts;
use gpu::{Feature, Gpu};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Lanes {
    Shared,
    Usual,
    Of(u32),
}

impl Lanes {
    pub fn best(gpu: &Gpu) -> Self {
        if gpu.has(Feature::SubgroupShuffle) { Self::Usual } else { Self::Shared }
    }

    /// And whether its pool is of half words. A deterministic list needs full subgroups, and for fewer lanes more
    /// shared memory.
    pub fn chosen(self, gpu: &Gpu, settings: &PixelSortSettings) -> (Self, bool) {
        let (facts, half) = (gpu.info(), gpu.has(Feature::Storage16));
        let subgroup = facts.subgroup;
        let fits = |size: u32| {
            let words = rank_words(size, settings).max(tile_entries(settings.packed, settings.containers)) / 2;
            let all = subgroup.most.saturating_mul(size) >= THREADS && 4 * words + OTHER_BYTES <= facts.shared_bytes;
            half && subgroup.control && all
        };
        match self {
            Self::Shared => (self, false),
            _ if !settings.deterministic => (self, half),
            Self::Usual if fits(subgroup.size) => (Self::Of(subgroup.size), true),
            Self::Usual => (self, false),
            Self::Of(size) => (self, fits(size)),
        }
    }
}

gpu_consts! { "pixel_sort/sort_state.glsl":
    const THREADS: u32 = 512;
}

/// At most: four words for each of 256 buckets, and some more.
const OTHER_BYTES: u32 = 16 * 256 + 256;

fn rank_words(lanes: u32, settings: &PixelSortSettings) -> u32 {
    THREADS / lanes.min(32) * settings.containers
}

pub(super) type Constants = Vec<(&'static str, u32)>;

/// With this four workgroups fit in 48 KiB; the few entries beyond go to the list directly.
const PACKED_POOL: u32 = 4480;

/// `shared_bytes`: of a workgroup; `None` where the pool is of half words.
pub(super) fn constants(
    settings: &PixelSortSettings,
    totals: bool,
    labels: bool,
    lanes: Lanes,
    shared_bytes: Option<u32>,
) -> Constants {
    let containers = settings.containers;
    let whole = tile_entries(settings.packed, settings.containers);
    let spilling = if settings.packed && !settings.short_list { whole.min(PACKED_POOL) } else { whole };
    let narrow =
        shared_bytes.is_some_and(|bytes| settings.deterministic || 4 * spilling + 24 * containers + 4 * 64 > bytes);
    let list = if narrow { whole / 2 } else { spilling };
    // 24 words a bucket, or half words.
    let ranks = match (lanes, shared_bytes) {
        _ if !settings.deterministic => 0,
        (Lanes::Of(size), None) => rank_words(size, settings),
        _ => containers * 24,
    };
    let counts = totals && !settings.packed;
    vec![
        ("CONTAINERS", containers),
        ("TRIES", settings.tries.min(containers)),
        ("RESOLVE", settings.resolve.into()),
        ("SORT", (settings.sort && !settings.packed).into()),
        ("PACKED", settings.packed.into()),
        ("DETERMINISTIC", (settings.deterministic && !counts).into()),
        ("SHORT", settings.short_list.into()),
        ("MORTON", (!settings.by_rows).into()),
        ("RUNS", (counts || settings.in_runs && !settings.deterministic).into()),
        ("NARROW", narrow.into()),
        ("POOL", list.max(ranks).next_multiple_of(32)),
        ("TOTALS", totals.into()),
        ("LABELS", labels.into()),
    ]
}
