//! Filter of a chain, and a step of several levels.

use gpu::mip_size;

base::choices! {
    /// Filter from one level to the next.
    pub enum Filter {
        /// Weights 1 3 3 1 over 8 in x and y, five texels where a size is odd: blurs look smooth, not blocky.
        Tent = "tent",
        /// Exact mean of the area: 2x2 texels, up to 3x3 where a size is odd.
        Box = "box",
    }
}

impl Filter {
    /// On each side, beyond the box.
    pub fn reach(self) -> u32 {
        u32::from(self == Self::Tent)
    }

    pub fn constant(self) -> u32 {
        self.reach()
    }

    /// First and one past the last texel of a level with `n` texels that make those of the next.
    pub fn below(self, texels: [u32; 2], n: u32) -> [u32; 2] {
        let to = 2 * texels[1] + n % 2 + self.reach();
        [(2 * texels[0]).saturating_sub(self.reach()).min(n), to.min(n)]
    }
}

pub const TILE: u32 = 64;

/// Enough for 32768 texels.
pub const TIERS: usize = 4;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tier {
    pub level: u32,
    pub depth: u32,
    /// Of the last level.
    pub side: [u32; 2],
    pub first: [u32; 2],
    pub count: [u32; 2],
    /// In texels; 0 for the first tier: an image.
    pub texels: u32,
    pub counter: u32,
}

impl Tier {
    pub fn stride(&self) -> [u32; 2] {
        self.side.map(|side| side << self.depth)
    }

    /// log2 of a tile's extent without its halo, along an axis: a power of two in every tier but the first.
    pub fn shift(&self, n: u32, axis: usize) -> u32 {
        if self.covers(n, axis) { 15 } else { (self.side[axis] << self.depth).ilog2() }
    }

    pub fn covers(&self, n: u32, axis: usize) -> bool {
        self.side[axis] >= size(n, self.level + self.depth)
    }

    pub fn is_whole(&self, size_px: [u32; 2]) -> bool {
        (0..2).all(|axis| self.covers(size_px[axis], axis))
    }

    /// Texels that tiles `first..last` along an axis read; `n`: the picture's texels.
    pub fn reads(&self, filter: Filter, n: u32, axis: usize, tiles: [u32; 2]) -> [u32; 2] {
        self.span(filter, n, axis, tiles, 0)
    }

    /// Halo included, of the level `m` below the source.
    pub fn span(&self, filter: Filter, n: u32, axis: usize, tiles: [u32; 2], m: u32) -> [u32; 2] {
        let last = size(n, self.level + self.depth);
        let start = tiles.map(|tile| (tile * self.side[axis]).min(last));
        (m..self.depth).rev().fold(start, |span, m| filter.below(span, size(n, self.level + m)))
    }

    /// For texel `i` of the level `m` below the source.
    pub fn owner(&self, n: u32, axis: usize, m: u32, i: u32) -> u32 {
        let tiles = size(n, self.level + self.depth).div_ceil(self.side[axis]);
        (i / (self.side[axis] << (self.depth - m))).min(tiles - 1)
    }
}

pub fn size(n: u32, level: u32) -> u32 {
    mip_size([n; 2], level)[0]
}

pub fn tier(level: u32, depth: u32, side: [u32; 2]) -> Tier {
    Tier { level, depth, side, first: [0; 2], count: [0; 2], texels: 0, counter: 0 }
}
