//! The sorted list: its buffers, and the parameters of a pass that reads it.

use super::PixelSortSettings;
use gpu::gpu_consts;
use gpu::{Buffer, Frame, Gpu, ImageView, Memory, Result};
use media::array::Element;
use std::sync::Arc;
use technique::{Output, OutputInfo, PixelList};

pub const TILE: u32 = PixelList::TILE;
/// Of a consumer's indirect dispatch.
pub const CONSUMER_GROUP: u32 = 128;
/// Bytes, in [`SortedList::counts`].
pub const ARGUMENTS_AT: u64 = 16;

gpu_consts! { "include/tile.glsl":
    pub const PADDING: u32 = u32::MAX;
}

/// Words: entries (padding too), pixels, pixels of keys without a free bucket, tiles, workgroups in x, y and z, spare.
pub const COUNTS: usize = 8;

const NEEDS: &str =
    "a list: a world that is shaded by one (shade.by = \"list\"), or scene.rerun = \"pixel_sort\" over a picture";

const fn words(name: &'static str, shape: &'static str, doc: &'static str) -> OutputInfo {
    OutputInfo { name, doc, elements: &[Element::U32], shape, needs: NEEDS }
}

pub(super) const OUTPUTS: [OutputInfo; 3] = [
    words("entries", "n", "The list: y << 16 | x of each pixel, all ones for padding; a short list is unpacked."),
    words("regions", "tiles x 2", "By tile, row by row: first entry of its part of the list, and number of entries."),
    words(
        "counts",
        "8",
        "Entries, pixels, pixels of keys without a bucket of their own, tiles, three numbers of workgroups, 0.",
    ),
];

/// Scrambles all 32 bits, no two words alike; 0 stays 0.
pub fn key_of(id: u32) -> u32 {
    let id = (id ^ id >> 15).wrapping_mul(0x2c1b_3c6d);
    let id = (id ^ id >> 12).wrapping_mul(0x297a_2d39);
    id ^ id >> 15
}

/// Regions of tiles begin at multiples of 32 entries, in no fixed order; within one, equal IDs are neighbours.
#[derive(Clone)]
pub struct SortedList {
    /// `y << 16 | x` or [`PADDING`]. Short: 16 bits, `y << 6 | x` within the tile or all ones.
    pub entries: Buffer,
    /// Short list only: the tile of each 32 entries.
    pub tiles: Buffer,
    /// First entry and number of entries.
    pub regions: Buffer,
    /// See [`COUNTS`]; the arguments of an indirect dispatch are at [`ARGUMENTS_AT`].
    pub counts: Buffer,
    /// By entry, if requested: its bucket; undefined for padding.
    pub labels: Buffer,
    pub short: bool,
    pub size: [u32; 2],
}

impl From<&SortedList> for PixelList {
    fn from(sorted: &SortedList) -> Self {
        Self {
            entries: sorted.entries.clone(),
            tiles: sorted.tiles.clone(),
            arguments: sorted.counts.clone(),
            arguments_at: ARGUMENTS_AT,
            count_at: 0,
            short: sorted.short,
        }
    }
}

impl SortedList {
    pub fn tiles_of(size: [u32; 2]) -> [u32; 2] {
        size.map(|n| n.div_ceil(TILE))
    }

    pub(super) fn output(&self, name: &str) -> Option<Output> {
        let [across, down] = Self::tiles_of(self.size);
        let words = |buffer: &Buffer, shape: &[usize]| {
            Some(Output::Buffer { buffer: buffer.clone(), element: Element::U32, shape: shape.to_vec() })
        };
        match name {
            "entries" => Some(Output::Entries { list: self.into(), across }),
            "regions" => words(&self.regions, &[(across * down) as usize, 2]),
            "counts" => words(&self.counts, &[COUNTS]),
            _ => None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub size: [u32; 2],
    pub tile_entries: u32,
    pub short: bool,
    pub labels: bool,
}

impl Shape {
    pub fn new(settings: &PixelSortSettings, size: [u32; 2], labels: bool) -> Self {
        Self {
            size,
            tile_entries: tile_entries(settings.packed, settings.containers),
            short: settings.short_list,
            labels,
        }
    }
}

/// Packed, a bucket of 17 pixels leaves 15 places empty, and none leaves more.
pub(super) fn tile_entries(packed: bool, containers: u32) -> u32 {
    let pixels = TILE * TILE;
    if packed { (pixels + 15 * containers + 31).next_multiple_of(32) } else { pixels }
}

/// The last sort, with what was sorted.
pub struct Sorted {
    pub ids: ImageView,
    /// [`Keys`](super::Keys) as a constant of shaders.
    pub keys: u32,
    pub material_of: Buffer,
    pub list: SortedList,
}

/// Each sort clears the counts of the next one, so there are two.
pub(super) struct ListBuffers {
    pub shape: Shape,
    list: SortedList,
    other_counts: Buffer,
    pub lengths: Buffer,
}

impl ListBuffers {
    pub fn new(frame: &mut Frame, shape: Shape) -> Result<Self> {
        let gpu: Arc<Gpu> = frame.gpu().clone();
        let [across, down] = SortedList::tiles_of(shape.size);
        let tiles = u64::from(across) * u64::from(down);
        let entries = tiles * u64::from(shape.tile_entries);
        let buffer = |name: &str, bytes: u64| Buffer::new(&gpu, &format!("pixel_sort {name}"), bytes, Memory::Device);
        let list = SortedList {
            entries: buffer("entries", entries * if shape.short { 2 } else { 4 })?,
            tiles: buffer("tiles", if shape.short { entries / 8 } else { 4 })?,
            regions: buffer("regions", tiles * 8)?,
            counts: buffer("counts", COUNTS as u64 * 4)?,
            labels: buffer("labels", if shape.labels { entries * 4 } else { 4 })?,
            short: shape.short,
            size: shape.size,
        };
        let (other_counts, lengths) = (buffer("counts", COUNTS as u64 * 4)?, buffer("lengths", tiles * 4)?);
        let clear = [0, 0, 0, across * down, 0, 1, 1, 0u32];
        frame.upload_buffer(&list.counts, &clear)?;
        Ok(Self { shape, list, other_counts, lengths })
    }

    pub fn next(&mut self) -> (SortedList, Buffer) {
        let now = self.list.clone();
        std::mem::swap(&mut self.list.counts, &mut self.other_counts);
        (now, self.list.counts.clone())
    }
}
