//! A tile of the mirrors' pixels: its words in the masks of all bounces.

use super::super::reference::stencil::Bounce;
use crate::{
    settings::Mapping,
    uniforms::{PlanBlock, WORD, place_of},
    views::VIEWS,
};
use std::collections::BTreeSet;
use technique::TilePlace;

pub const TILE: [u32; 2] = [64, 64];
pub const LANES_OF_WORD: usize = WORD as usize;
/// `WAY_..` of `shaders/reflections/uniforms.glsl`.
pub const LIVE_WORDS: u32 = 1;
pub const LANES: u32 = 2;
pub const PERSISTENT: u32 = 3;
pub const FIXED_LOOP: u32 = 4;
pub const PATH: u32 = 5;
pub const AUTO: u32 = 6;

pub struct Tile<'a> {
    pub plan: &'a PlanBlock,
    pub bounces: &'a [u32],
    pub trace: &'a [Bounce],
    pub corner: [u32; 2],
    pub columns: usize,
    pub pixels: Vec<u32>,
    pub words: Vec<u32>,
}

impl<'a> Tile<'a> {
    pub fn new(
        plan: &'a PlanBlock,
        mapping: Mapping,
        tiles: &TilePlace,
        bounces: &'a [u32],
        trace: &'a [Bounce],
    ) -> Self {
        let size = plan.size.to_array();
        let corner = [0, 1].map(|axis| tiles.at[axis] * TILE[axis]);
        let end = [0, 1].map(|axis| (corner[axis] + TILE[axis]).min(size[axis]));
        let places = (corner[1]..end[1]).flat_map(|y| (corner[0]..end[0]).map(move |x| [x, y]));
        let pixels: Vec<u32> =
            places.map(|at| place_of(mapping, size, at)).map(|(word, bit)| word * WORD + bit).collect();
        let words: BTreeSet<u32> = pixels.iter().map(|item| item / WORD).collect();
        let (columns, words) = ((end[0] - corner[0]) as usize, words.into_iter().collect());
        Self { plan, bounces, trace, corner, columns, pixels, words }
    }

    pub fn flags(&self, word: u32, bounce: usize) -> u32 {
        let items = (word * WORD) as usize..;
        let live = self.trace[bounce].live[items].iter().take(LANES_OF_WORD);
        live.enumerate().fold(0, |flags, (bit, live)| flags | u32::from(*live) << bit)
    }

    pub fn is_live(&self, item: u32, bounce: usize) -> bool {
        self.trace[bounce].live[item as usize]
    }

    pub fn memory(&self) -> Vec<u32> {
        let stored = |flags: u32| -> Vec<u32> {
            let byte = |byte: u32| (0..4).fold(0, |word, bit| word | (flags >> (4 * byte + bit) & 1) << (8 * bit));
            match self.stride() {
                1 => vec![flags],
                8 => (0..8).map(byte).collect(),
                _ => (0..32).map(|bit| flags >> bit & 1).collect(),
            }
        };
        let masks = 0..self.trace.len();
        masks.flat_map(|bounce| self.words.iter().flat_map(move |word| stored(self.flags(*word, bounce)))).collect()
    }

    pub fn memory_in(&self, masks: &[u32]) -> Vec<u32> {
        let (stride, all) = (self.stride(), self.plan.words as usize);
        let place = |bounce: usize, word: u32| (bounce * all + word as usize) * stride;
        let places = (0..self.trace.len()).flat_map(|bounce| self.words.iter().map(move |word| place(bounce, *word)));
        places.filter_map(|first| masks.get(first..first + stride)).flatten().copied().collect()
    }

    /// Words of memory for 32 items.
    pub fn stride(&self) -> usize {
        ((self.plan.live_words_at - self.plan.mask_at) / self.plan.words.max(1)) as usize
    }

    pub fn items(&self) -> Vec<String> {
        let pixel = |(place, item): (usize, &u32)| {
            let [x, y] =
                [self.corner[0] + (place % self.columns) as u32, self.corner[1] + (place / self.columns) as u32];
            let rest = match self.bounces[*item as usize] {
                0 => "no mirror".into(),
                1 => "1 bounce".into(),
                n => format!("{n} bounces"),
            };
            format!("pixel {x}, {y}: word {}, bit {}, {rest}", item / WORD, item % WORD)
        };
        let word = |word: &u32| {
            let masks: Vec<_> =
                (0..self.trace.len()).map(|bounce| format!("{:08x}", self.flags(*word, bounce))).collect();
            format!("word {word}: {}", masks.join(", then "))
        };
        self.pixels.iter().enumerate().map(pixel).chain(self.words.iter().map(word)).collect()
    }
}

pub fn color_of(bounces: u32) -> [u8; 3] {
    match bounces.checked_sub(1) {
        None => [36, 40, 50],
        Some(more) => ramp(more as f32 / 7.0),
    }
}

pub fn density(live: u32) -> [u8; 3] {
    match live.checked_sub(1) {
        None => [36, 40, 50],
        Some(more) => ramp(more as f32 / 31.0),
    }
}

fn ramp(part: f32) -> [u8; 3] {
    VIEWS[0].legend.ramp(part).to_array().map(|channel| channel.round() as u8)
}
