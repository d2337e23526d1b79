//! Pixel lists made on the CPU, for tests and benchmarks.

use crate::input::{GROUP, TILE};
use gpu::{Buffer, Memory};
use lab::TestBench;
use technique::PixelList;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    Rows,
    Sorted,
    Shuffled,
}

pub(super) fn scrambled(mut x: u32) -> u32 {
    x = (x ^ x >> 16).wrapping_mul(0x7feb_352d);
    x = (x ^ x >> 15).wrapping_mul(0x846c_a68b);
    x ^ x >> 16
}

pub(super) fn list_of(
    bench: &mut TestBench,
    size: [u32; 2],
    ids: &[u32],
    order: Order,
    short: bool,
) -> anyhow::Result<PixelList> {
    let across = size[0].div_ceil(TILE);
    let (mut entries, mut tiles) = (vec![], vec![]);
    for tile in 0..across * size[1].div_ceil(TILE) {
        let origin = [tile % across * TILE, tile / across * TILE];
        let mut pixels = vec![];
        for y in origin[1]..(origin[1] + TILE).min(size[1]) {
            for x in origin[0]..(origin[0] + TILE).min(size[0]) {
                let id = ids[(y * size[0] + x) as usize];
                if id != 0 {
                    pixels.push((id, if short { (y - origin[1]) << 6 | (x - origin[0]) } else { y << 16 | x }));
                }
            }
        }
        pixels.resize(pixels.len().next_multiple_of(32), (u32::MAX, if short { 0xFFFF } else { u32::MAX }));
        match order {
            Order::Rows => {}
            Order::Sorted => pixels.sort_by_key(|(id, _)| *id),
            Order::Shuffled => pixels.sort_by_key(|(id, entry)| scrambled(entry ^ scrambled(*id))),
        }
        tiles.extend(std::iter::repeat_n(tile, pixels.len() / 32));
        entries.extend(pixels.iter().map(|(_, entry)| *entry));
    }
    let total = entries.len() as u32;
    if short {
        entries = entries.chunks(2).map(|pair| pair[0] | pair[1] << 16).collect();
    }
    entries.extend([0; GROUP as usize]);
    tiles.extend([0; 4]);
    let buffer = |bench: &mut TestBench, name: &str, words: &[u32]| -> anyhow::Result<Buffer> {
        let buffer = Buffer::new(bench.gpu(), name, size_of_val(words) as u64, Memory::Device)?;
        bench.run(|frame| frame.upload_buffer(&buffer, words))?;
        Ok(buffer)
    };
    Ok(PixelList {
        entries: buffer(bench, "entries", &entries)?,
        tiles: buffer(bench, "tiles", &tiles)?,
        arguments: buffer(bench, "arguments", &[total, total.div_ceil(GROUP), 1, 1])?,
        arguments_at: 4,
        count_at: 0,
        short,
    })
}
