//! Tests of the steps of a tile, without a GPU.

use super::{
    super::reference::stencil::traced,
    rule_of,
    steps::{FramePasses, OTHERS, Steps},
    tile::{TILE, Tile},
};
use crate::{
    settings::{Mapping, ReflectionsSettings, Storage, Work},
    uniforms::{PlanBlock, WORD, place_of, words_of},
};
use gpu::DevicePolicy;
use media::pixels::pixels_of;
use std::collections::BTreeSet;
use technique::{MemoryComparison, Role, TilePlace};

fn bounces(item: u32) -> u32 {
    match item / 150 % 3 {
        0 => 0,
        1 => item / 40 % 4,
        _ => item.wrapping_mul(2_654_435_761) >> 29,
    }
}

#[test]
fn no_pixel_is_doubled_and_each_word_is_of_a_tile() {
    for size in [[1, 1], [31, 1], [33, 70], [65, 33], [130, 40]] {
        for (mapping, storage) in
            [(Mapping::Blocks, Storage::Bits), (Mapping::Linear, Storage::Bytes), (Mapping::Blocks, Storage::U32)]
        {
            for work in Work::by_mask() {
                check(size, &ReflectionsSettings { depth: 5, work, storage, mapping, ..Default::default() });
            }
        }
    }
}

fn check(size: [u32; 2], settings: &ReflectionsSettings) {
    let mut plan = PlanBlock::new(settings, &DevicePolicy::new("software", "", 8), size, size);
    plan.finish_below = 0;
    let mut of_items = vec![0; (words_of(settings.mapping, size) * WORD) as usize];
    for at in pixels_of(size) {
        let (word, bit) = place_of(settings.mapping, size, at);
        let item = word * WORD + bit;
        of_items[item as usize] = bounces(item).min(plan.depth);
    }
    let trace = traced(&of_items, plan.depth, plan.way, &rule_of(&plan), plan.workers);
    let mut seen = BTreeSet::new();
    let count = [0, 1].map(|axis| size[axis].div_ceil(TILE[axis]));
    for at in pixels_of(count) {
        let tiles = TilePlace { at, count, size: [64.0, 64.0], name: "tile" };
        let tile = Tile::new(&plan, settings.mapping, &tiles, &of_items, &trace);
        seen.extend(tile.words.iter().copied());
        let steps = Steps::new(tile, Some(8), &[], FramePasses::Apart).all(&MemoryComparison::of("words", &[0], &[1]));
        for step in &steps[..steps.len() - 1] {
            let mut items: Vec<u32> = step.grids[0].cells.iter().filter_map(|cell| cell.item).collect();
            let all = items.len();
            items.sort_unstable();
            items.dedup();
            let place = format!("{size:?} {:?}, {}", settings.work, step.name);
            assert_eq!(items.len(), all, "{place}");
            let others = step.grids[0].cells.iter().filter(|cell| cell.color == OTHERS && cell.role != Role::Empty);
            let is_of_threads = step.grids[0].title.starts_with("Threads");
            let is_said = step.grids[0].title.contains("other tiles");
            let count = others.clone().count();
            assert!(others.clone().all(|cell| cell.role == Role::Faded && cell.item.is_none()), "{place}");
            assert!(!is_of_threads || is_said == (count > 0), "{place}: {count}");
        }
    }
    assert_eq!(seen.len(), plan.words as usize, "{size:?}: each word is of a tile");
}
