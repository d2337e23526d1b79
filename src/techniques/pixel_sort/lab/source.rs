//! Published kernel of the source document, a baseline for the benchmarks.

use super::reference::{Image, key_of};
use crate::{PADDING, PixelSortSettings, SortedList, TILE};
use glam::UVec2;
use gpu::{Buffer, ComputePipeline, Frame, Gpu, ImageView, Memory, Result, Sampler, gpu_struct};
use lab::TestBench;
use std::sync::Arc;

const LANES: u32 = 32;

gpu_struct! {
    struct SourcePush { size: UVec2 }
}

pub struct SourceKernel {
    sort: ComputePipeline,
    entries: Buffer,
    counter: Buffer,
    size: [u32; 2],
}

impl SourceKernel {
    pub fn new(gpu: &Arc<Gpu>, settings: &PixelSortSettings, size: [u32; 2]) -> Result<Option<Self>> {
        let subgroup = gpu.info().subgroup;
        if !(subgroup.min..=subgroup.max).contains(&LANES) {
            return Ok(None);
        }
        let constants = [("RESOLVE", settings.resolve.into()), ("SORT", settings.sort.into())];
        let sort = ComputePipeline::with_subgroup(gpu, "pixel_sort/source.comp", &constants, LANES)?;
        let tiles: u64 = SortedList::tiles_of(size).into_iter().map(u64::from).product();
        let buffer = |name, bytes| Buffer::new(gpu, name, bytes, Memory::Device);
        let entries = buffer("source entries", tiles * u64::from(TILE * TILE) * 4)?;
        Ok(Some(Self { sort: sort.with_push::<SourcePush>()?, entries, counter: buffer("source counter", 4)?, size }))
    }

    /// 0 is a pixel: the list is cleared to padding.
    pub fn record(&self, frame: &mut Frame, ids: &ImageView) -> Result<()> {
        self.clear(frame)?;
        let [across, down] = SortedList::tiles_of(self.size);
        frame
            .compute("pixel_sort/source", &self.sort)
            .bind("ids", ids.clone().through(Sampler::NearestClamp))
            .bind("Entries", &self.entries)
            .bind("Counter", &self.counter)
            .push(&SourcePush { size: UVec2::from_array(self.size) })
            .dispatch_groups([across, down, 1])
    }

    pub fn clear(&self, frame: &mut Frame) -> Result<()> {
        frame.fill("pixel_sort/clear list", &self.entries, PADDING)?;
        frame.fill("pixel_sort/clear counter", &self.counter, 0)
    }

    pub fn is_cleared(&self, bench: &mut TestBench) -> anyhow::Result<bool> {
        let entries: Vec<u32> = bench.read_buffer(&self.entries)?;
        Ok(bench.read_buffer::<u32>(&self.counter)? == [0] && entries.iter().all(|entry| *entry == PADDING))
    }

    /// Each pixel once, by tiles, with equal keys adjacent.
    pub fn is_right(&self, bench: &mut TestBench, image: &Image) -> anyhow::Result<bool> {
        let total: Vec<u32> = bench.read_buffer(&self.counter)?;
        let entries: Vec<u32> = bench.read_buffer(&self.entries)?;
        Ok(lists_all(image, &entries, total[0] as usize))
    }
}

/// Each pixel with an ID once, and no 32 of them have two tiles.
fn lists_all(image: &Image, entries: &[u32], total: usize) -> bool {
    let [width, height] = image.size;
    let mut left: Vec<bool> = image.ids.iter().map(|id| key_of(*id) != 0).collect();
    let mut take = |entry: u32| {
        let (x, y) = (entry & 0xFFFF, entry >> 16);
        x < width && y < height && std::mem::replace(&mut left[(y * width + x) as usize], false)
    };
    let tile_of = |entry: u32| [(entry & 0xFFFF) / TILE, (entry >> 16) / TILE];
    let Some(listed) = entries.get(..total) else { return false };
    let right = listed.chunks(32).all(|warp| {
        let some = || warp.iter().copied().filter(|entry| *entry != PADDING);
        some().all(|entry| some().next().map(tile_of) == Some(tile_of(entry))) && some().all(&mut take)
    });
    right && !left.contains(&true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_right_when_all_pixels_are_in_it_once_and_by_tile() {
        let image = Image { size: [65, 1], ids: (0..65).collect() };
        let mut entries: Vec<u32> = (1..64).chain([PADDING, 64]).chain([PADDING; 31]).collect();
        assert!(lists_all(&image, &entries, 96), "the first pixel has no ID");
        assert!(!lists_all(&image, &entries, 64), "one is missing");
        assert!(!lists_all(&image, &entries, 97), "more than there are");
        entries.swap(63, 64);
        assert!(!lists_all(&image, &entries, 96), "a group of two tiles");
        entries.swap(63, 64);
        entries[63] = 5;
        assert!(!lists_all(&image, &entries, 96), "one is there twice");
    }
}
