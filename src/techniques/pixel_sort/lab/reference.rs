//! CPU reference of the sort, and the invariants of every list.

pub use crate::key_of;

use super::measure::{Histogram, mean};
use crate::{CONSUMER_GROUP, PADDING, PixelSortSettings, SortedList, TILE};
use glam::Vec3;
use scene::world::VisibilityId;
use std::collections::{BTreeMap, BTreeSet, HashMap};

pub struct Image {
    pub size: [u32; 2],
    /// 0: none.
    pub ids: Vec<u32>,
}

/// In its 32-bit form, with the bucket of each entry.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ReferenceList {
    /// First entry and length, by tile.
    pub regions: Vec<[u32; 2]>,
    /// `y << 16 | x`, or padding.
    pub entries: Vec<u32>,
    /// Buckets by entry; 0 for padding.
    pub labels: Vec<u32>,
    /// Entries, pixels, pixels of unresolved keys, and workgroups of the consumer.
    pub counts: [u32; 6],
}

/// Progress of the sort in a tile, for replays.
pub enum Event<'a> {
    /// The pixels with an ID in the order of their slots: slot, entry, scrambled key.
    Read(&'a [(u32, u32, u32)]),
    /// After a round: the key that owns each bucket, and the keys without one.
    Claimed(&'a [u32], &'a BTreeSet<u32>),
    /// Bucket and rank of each pixel, in the same order, and the pixels of each bucket.
    Ranked(&'a [(u32, usize, u32)], &'a [u32]),
    /// The place of a bucket's pixel by its rank, and the list's length without padding behind it.
    LaidOut(&'a dyn Fn(usize, u32) -> u32, u32),
}

/// [`Keys`](crate::Keys) on the CPU.
#[derive(Clone, Debug)]
pub enum KeyMode {
    Whole,
    Meshlet,
    Material(Vec<u32>),
}

impl KeyMode {
    pub fn of(&self, id: u32) -> u32 {
        let id = VisibilityId(id);
        match self {
            Self::Whole => id.0,
            Self::Meshlet => id.meshlet_key(),
            Self::Material(material_of) => id.meshlet().map_or(0, |meshlet| material_of[meshlet] + 1),
        }
    }
}

impl Image {
    pub fn keyed(&self, mode: &KeyMode) -> Self {
        Self { size: self.size, ids: self.ids.iter().map(|id| mode.of(*id)).collect() }
    }

    /// 0 outside.
    fn key(&self, x: u32, y: u32) -> u32 {
        let inside = x < self.size[0] && y < self.size[1];
        if inside { key_of(self.ids[(y * self.size[0] + x) as usize]) } else { 0 }
    }

    fn key_of_entry(&self, entry: u32) -> u32 {
        if entry == PADDING { 0 } else { self.key(entry & 0xFFFF, entry >> 16) }
    }

    /// Distinct IDs in blocks of 8x4 pixels: mean over the blocks that have any.
    pub fn raster_coherence(&self) -> f64 {
        mean(&self.raster_histogram()).unwrap_or_default()
    }

    pub fn raster_histogram(&self) -> Histogram {
        let mut bins = [0; 33];
        for (x, y) in (0..self.size[1].div_ceil(4)).flat_map(|y| (0..self.size[0].div_ceil(8)).map(move |x| (x, y))) {
            bins[distinct((0..32).map(|i| self.key(8 * x + i % 8, 4 * y + i / 8)))] += 1;
        }
        bins
    }

    pub fn list_histogram(&self, listed: &ReferenceList) -> Histogram {
        let mut bins = [0; 33];
        for warp in listed.entries.chunks(32) {
            bins[distinct(warp.iter().map(|entry| self.key_of_entry(*entry)))] += 1;
        }
        bins
    }

    /// Sum of the distinct IDs in 32 entries of the list each, and the groups that have any.
    pub fn coherence(&self, listed: &ReferenceList) -> (u64, u64) {
        let kinds = listed.entries.chunks(32).map(|warp| distinct(warp.iter().map(|entry| self.key_of_entry(*entry))));
        kinds.fold((0, 0), |(sum, warps), n| (sum + n as u64, warps + u64::from(n > 0)))
    }
}

fn distinct(keys: impl Iterator<Item = u32>) -> usize {
    let (mut seen, mut n) = ([0; 32], 0);
    for key in keys {
        if key != 0 && !seen[..n].contains(&key) {
            seen[n] = key;
            n += 1;
        }
    }
    n
}

fn place_of(slot: u32, by_rows: bool) -> [u32; 2] {
    let spread = |from: u32| (0..6).map(|bit| (slot >> (2 * bit + from) & 1) << bit).sum();
    if by_rows { [slot % TILE, slot / TILE] } else { [spread(0), spread(1)] }
}

/// 0..255; 0 is black.
pub fn color_of(word: u32) -> Vec3 {
    let key = key_of(word);
    let (turn, byte) = ((key & 0xFFFF) as f32 / 65536.0, |shift: u32| (key >> shift & 0xFF) as f32 / 255.0);
    let channel = |third: f32| (((turn + third / 3.0).fract() * 6.0 - 3.0).abs() - 1.0).clamp(0.0, 1.0);
    let pure = Vec3::new(channel(0.0), channel(2.0), channel(1.0));
    match word {
        0 => Vec3::ZERO,
        _ => pure.lerp(Vec3::ONE, 0.35 * byte(24)) * (0.55 + 0.45 * byte(16)) * 255.0,
    }
}

/// `pixels`: at least 1; 31 for whole warps, else by eights up to 30.
pub fn class_of(pixels: u32) -> u32 {
    if pixels > 0 && pixels.is_multiple_of(32) { 31 } else { (pixels >> 3).min(30) }
}

/// The bucket of each key in the deterministic sort, and the keys that found no free one.
fn buckets_of(
    keys: &BTreeSet<u32>,
    settings: &PixelSortSettings,
    trace: &mut dyn FnMut(Event<'_>),
) -> (HashMap<u32, u32>, BTreeSet<u32>) {
    let n = settings.containers;
    let mut bucket: HashMap<u32, u32> = keys.iter().map(|key| (*key, key % n)).collect();
    if !settings.resolve {
        return (bucket, BTreeSet::new());
    }
    let (mut owner, mut pending) = (vec![0; n as usize], keys.clone());
    for step in 0..settings.tries {
        let candidate = |key: u32| ((key % n + step) % n) as usize;
        let before = owner.clone();
        for key in &pending {
            if before[candidate(*key)] == 0 {
                owner[candidate(*key)] = owner[candidate(*key)].max(*key);
            }
        }
        pending.retain(|key| {
            let got = owner[candidate(*key)] == *key;
            if got {
                bucket.insert(*key, candidate(*key) as u32);
            }
            !got
        });
        trace(Event::Claimed(&owner, &pending));
    }
    (bucket, pending)
}

/// Place of the `rank`th pixel of each bucket, and the list's length.
fn layout(counts: &[u32], settings: &PixelSortSettings) -> (Box<dyn Fn(usize, u32) -> u32>, u32) {
    let counts = counts.to_vec();
    if !settings.packed {
        let mut order: Vec<usize> = (0..counts.len()).collect();
        if settings.sort {
            order.sort_by_key(|c| std::cmp::Reverse(class_of(counts[*c]))); // stable
        }
        let (mut first, mut at) = (vec![0; counts.len()], 0);
        for c in order {
            first[c] = at;
            at += counts[c];
        }
        return (Box::new(move |c, rank| first[c] + rank), at);
    }
    // Whole warps; next to a remainder of 25 to 31 nothing fits either.
    let whole: Vec<u32> = counts.iter().map(|n| n / 32 + u32::from(n % 32 > 24)).collect();
    let (mut first, mut at) = (vec![0; counts.len()], 0);
    for (first, whole) in first.iter_mut().zip(&whole) {
        *first = at;
        at += 32 * whole;
    }
    let mut rest = vec![0; counts.len()];
    let eighths = |c: usize| counts[c].saturating_sub(32 * whole[c]).div_ceil(8);
    let mut holes = std::collections::VecDeque::new();
    for c in (0..counts.len()).filter(|c| eighths(*c) == 3) {
        rest[c] = at;
        holes.push_back(at + 24);
        at += 32;
    }
    for c in (0..counts.len()).filter(|c| eighths(*c) == 2) {
        rest[c] = at;
        at += 16;
    }
    for c in (0..counts.len()).filter(|c| eighths(*c) == 1) {
        rest[c] = holes.pop_front().unwrap_or_else(|| {
            at += 8;
            at - 8
        });
    }
    let place = move |c: usize, rank: u32| match rank.checked_sub(32 * whole[c]) {
        Some(tail) => rest[c] + tail,
        None => first[c] + rank,
    };
    (Box::new(place), at)
}

/// The deterministic sort's list.
pub fn sorted(image: &Image, settings: &PixelSortSettings) -> ReferenceList {
    traced(image, settings, &mut |_| ())
}

/// `trace` receives the progress in each tile.
pub fn traced(image: &Image, settings: &PixelSortSettings, trace: &mut dyn FnMut(Event<'_>)) -> ReferenceList {
    let [across, down] = SortedList::tiles_of(image.size);
    let mut listed = ReferenceList::default();
    for (ty, tx) in (0..down).flat_map(|y| (0..across).map(move |x| (y, x))) {
        let places = (0..TILE * TILE).map(|slot| (slot, place_of(slot, settings.by_rows)));
        let pixels: Vec<_> = places
            .map(|(slot, [x, y])| (slot, [tx * TILE + x, ty * TILE + y]))
            .map(|(slot, [x, y])| (slot, y << 16 | x, image.key(x, y)))
            .filter(|(_, _, key)| *key != 0)
            .collect();
        trace(Event::Read(&pixels));
        let (bucket, pending) = buckets_of(&pixels.iter().map(|(.., key)| *key).collect(), settings, trace);
        let mut counts = vec![0; settings.containers as usize];
        let ranked: Vec<_> = pixels
            .iter()
            .map(|(_, entry, key)| {
                let c = bucket[key] as usize;
                counts[c] += 1;
                listed.counts[2] += u32::from(pending.contains(key));
                (*entry, c, counts[c] - 1)
            })
            .collect();
        trace(Event::Ranked(&ranked, &counts));
        let (place, length) = layout(&counts, settings);
        trace(Event::LaidOut(&place, length));
        let (begin, length) = (listed.entries.len(), length.next_multiple_of(32));
        listed.regions.push([begin as u32, length]);
        listed.entries.resize(begin + length as usize, PADDING);
        listed.labels.resize(begin + length as usize, 0);
        for (entry, c, rank) in ranked {
            let at = begin + place(c, rank) as usize;
            listed.entries[at] = entry;
            listed.labels[at] = c as u32;
        }
        listed.counts[1] += pixels.len() as u32;
    }
    let entries = listed.entries.len() as u32;
    listed.counts[0] = entries;
    (listed.counts[3], listed.counts[4], listed.counts[5]) = (entries.div_ceil(CONSUMER_GROUP), 1, 1);
    listed
}

/// Invariants of every list of `image`, whatever its order (the numbers are the specification's).
pub fn properties(image: &Image, settings: &PixelSortSettings, listed: &ReferenceList) -> Result<(), String> {
    let check = |holds: bool, what: &dyn Fn() -> String| if holds { Ok(()) } else { Err(what()) };
    let [across, down] = SortedList::tiles_of(image.size);
    let [total, pixels, unresolved, groups, one, other] = listed.counts;
    let lengths: u64 = listed.regions.iter().map(|region| u64::from(region[1])).sum();
    check(u64::from(total) == lengths, &|| format!("counter {total}, regions of {lengths} entries (P1)"))?;
    let arguments = [groups, one, other];
    let right = [total.div_ceil(CONSUMER_GROUP), 1, 1];
    check(arguments == right, &|| format!("indirect arguments {arguments:?}, expected {right:?}"))?;
    check(settings.resolve || unresolved == 0, &|| format!("{unresolved} unresolved without trying"))?;
    let mut regions = listed.regions.clone();
    check(regions.len() as u32 == across * down, &|| format!("{} regions (P2)", regions.len()))?;
    regions.sort_unstable();
    let mut at = 0;
    for [first, length] in regions {
        // P7 follows: regions of whole warps that begin at whole warps share none.
        let whole = length.is_multiple_of(32) && first.is_multiple_of(32);
        // An empty tile's region may begin anywhere.
        check(whole && (first == at || length == 0), &|| format!("a region {first}+{length} where {at} was due (P2)"))?;
        at += length;
    }
    let (mut least, mut most) = (0, 0);
    for (tile, [first, length]) in listed.regions.iter().enumerate() {
        let origin = [tile as u32 % across * TILE, tile as u32 / across * TILE];
        let range = *first as usize..*first as usize + *length as usize;
        let lost = || format!("tile {tile} lies beyond the list (P2)");
        let entries = listed.entries.get(range.clone()).ok_or_else(lost)?;
        let labels = listed.labels.get(range).ok_or_else(lost)?;
        let [low, high] = tile_properties(image, settings, origin, entries, labels)
            .map_err(|problem| format!("{problem}, in tile {tile}"))?;
        (least, most) = (least + low, most + high);
    }
    let (tiles, all) = (listed.regions.len(), image.ids.iter().filter(|id| **id != 0).count());
    check(pixels as usize == all, &|| {
        format!("the list has every pixel of {tiles} tiles, but its count is {pixels} instead of {all} (P1)")
    })?;
    let expected = least..=most;
    check(expected.contains(&unresolved), &|| format!("{unresolved} unresolved counted, expected {expected:?}"))
}

/// Returns the least and the most pixels whose key is at home in another key's bucket.
fn tile_properties(
    image: &Image,
    settings: &PixelSortSettings,
    origin: [u32; 2],
    entries: &[u32],
    labels: &[u32],
) -> Result<[u32; 2], String> {
    let n = settings.containers;
    let mut is_listed = vec![false; (TILE * TILE) as usize];
    let mut bucket: HashMap<u32, u32> = HashMap::new();
    let (mut by_key, mut by_bucket): (BTreeMap<u32, u32>, BTreeMap<u32, u32>) = Default::default();
    let mut order: Vec<u32> = Vec::new();
    let mut padded = false;
    for (entry, label) in entries.iter().zip(labels) {
        if *entry == PADDING {
            padded = true;
            continue;
        }
        if padded && !settings.packed {
            return Err("padding before the end".into());
        }
        let (x, y) = (entry & 0xFFFF, entry >> 16);
        let (dx, dy) = (x.wrapping_sub(origin[0]), y.wrapping_sub(origin[1]));
        let key = image.key_of_entry(*entry);
        if dx >= TILE || dy >= TILE || key == 0 || std::mem::replace(&mut is_listed[(dy * TILE + dx) as usize], true) {
            return Err(format!("pixel {x},{y} is foreign, empty or listed twice (P3)"));
        }
        if *bucket.entry(key).or_insert(*label) != *label {
            return Err(format!("key {key:08x} is in buckets {label} and {} (P4)", bucket[&key]));
        }
        *by_key.entry(key).or_default() += 1;
        *by_bucket.entry(*label).or_default() += 1;
        if order.last() != Some(label) {
            order.push(*label);
        }
    }
    let side = |axis: usize| (image.size[axis] - origin[axis]).min(TILE);
    let pixels = (0..side(1)).flat_map(|y| (0..side(0)).map(move |x| (x, y)));
    let pixels: Vec<_> = pixels.filter(|(x, y)| image.key(origin[0] + x, origin[1] + y) != 0).collect();
    if let Some((x, y)) = pixels.iter().find(|(x, y)| !is_listed[(y * TILE + x) as usize]) {
        let (listed, [left, top]) = (by_key.values().sum::<u32>(), origin);
        return Err(format!("pixel {},{} is missing, {listed} of {} listed (P3)", left + x, top + y, pixels.len()));
    }
    let least = pixels.len().next_multiple_of(32);
    if entries.len() < least || !settings.packed && entries.len() > least {
        return Err(format!("{} entries for {} pixels (P1)", entries.len(), pixels.len()));
    }
    if !settings.packed {
        if order.len() != by_bucket.len() {
            return Err("a bucket is not in one piece (P4)".into());
        }
        let ranks: Vec<u32> =
            if settings.sort { order.iter().map(|c| 31 - class_of(by_bucket[c])).collect() } else { order.clone() };
        if !ranks.is_sorted() {
            return Err("buckets are out of order (P6)".into());
        }
    }
    let unresolved = windows(settings, n, &bucket, &by_key)?;
    if settings.packed {
        let kinds = entries.chunks(32).zip(labels.chunks(32)).map(|(entries, labels)| {
            let listed = entries.iter().zip(labels).filter(|(entry, _)| **entry != PADDING);
            distinct(listed.map(|(_, label)| label + 1)) as u32
        });
        let (got, best): (u32, u32) = (kinds.sum(), by_bucket.values().map(|n| n.div_ceil(32)).sum());
        if got != best {
            return Err(format!("{got} buckets in warps, {best} at best (P8)"));
        }
    }
    Ok(unresolved)
}

/// P4 and P5. Returns the least and the most pixels that can be unresolved.
fn windows(
    settings: &PixelSortSettings,
    n: u32,
    bucket: &HashMap<u32, u32>,
    by_key: &BTreeMap<u32, u32>,
) -> Result<[u32; 2], String> {
    let mut inside: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for (key, at) in bucket {
        let is_far = || (at + n - key % n) % n >= if settings.resolve { settings.tries } else { 1 };
        if *at >= n || is_far() {
            return Err(format!("key {key:08x} of home {} is in {at} (P5)", key % n));
        }
        inside.entry(*at).or_default().push(*key);
    }
    if !settings.resolve {
        return Ok([0, 0]);
    }
    let mut unresolved = [0, 0];
    for (at, keys) in inside.iter().filter(|(_, keys)| keys.len() > 1) {
        // One owns the bucket; the others are at home and found no free one in all of their window.
        let homely: Vec<u32> = keys.iter().copied().filter(|key| key % n == *at).collect();
        let strangers = keys.len() - homely.len();
        if strangers > 1 {
            return Err(format!("two keys that are not at home share {at} (P5)"));
        }
        let taken = |key: &u32| (0..settings.tries).all(|step| inside.contains_key(&((key % n + step) % n)));
        if homely.iter().filter(|key| !taken(key)).count() > 1 - strangers {
            return Err(format!("keys share {at} beside a free bucket (P5)"));
        }
        // Where no stranger owns it, one of those at home does; which one, only the list's maker knows.
        let pixels = || homely.iter().map(|key| by_key[key]);
        let (all, own) = (pixels().sum::<u32>(), 1 - strangers as u32);
        unresolved[0] += all - own * pixels().max().unwrap_or(0);
        unresolved[1] += all - own * pixels().min().unwrap_or(0);
    }
    Ok(unresolved)
}
