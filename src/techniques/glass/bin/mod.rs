//! Bins: for each tile of a grid over a body of lenses those that count there, as a mask, and the part of the glass.
//!
//! A lens counts in a tile if a pixel of it can be covered by the lens, melt into it or lie in its shadow. Its distance
//! changes by at most [`STEEP_HALF`] between the tile's middle and its pixels. The nearest lens bounds the others: one that
//! is further by twice the melting distance changes neither it nor what melts with it.

pub mod pass;

use crate::lens::shape::{Lens, edge_of, lens_edge};
use crate::lens::tiles::{EDGE_REACH, Outskirts, Part, Spans, TILE, bend_of, bounds, spans_of, tile_part};
use crate::passes::shown_area;
use crate::settings::Glass;
use glam::{IVec2, UVec2, Vec2};
use gpu::gpu_consts;

gpu_consts! { "glass/bin.comp":
    /// Half a tile's diagonal times the steepest that a distance is: it is exact to the first order only.
    const STEEP_HALF: f32 = 16.0;
    /// Part of the way to the rectangle around a lens that its distance has at least.
    const FLAT: f32 = 0.75;
}

gpu_consts! { "glass/blocks.glsl":
    /// Tiles on each side.
    pub const BLOCK: u32 = 8;
    const NOTHING: u32 = 4;
}

pub const EVERYWHERE: f32 = 1e9;

/// Tiles of a body: corner, columns and rows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Grid {
    pub corner: UVec2,
    pub size: UVec2,
}

/// What counts in the tiles.
#[derive(Clone, Copy, Debug)]
pub struct Scope {
    pub grid: Grid,
    /// Pixels outwards of the outline.
    pub reach: f32,
    pub around: Outskirts,
}

#[derive(Clone, Debug, Default)]
pub struct Bins {
    /// As in shaders/glass/shape.glsl.
    pub words: Vec<u32>,
    pub spans: Spans,
}

impl Grid {
    pub fn over(low: UVec2, high: UVec2) -> Grid {
        let corner = low / TILE;
        Grid { corner, size: high.map(|n| n.div_ceil(TILE)) - corner }
    }

    pub fn tiles(&self) -> u32 {
        self.size.element_product()
    }

    /// Column and row of blocks.
    pub fn blocks(&self) -> impl Iterator<Item = UVec2> + use<> {
        let size = self.size.map(|n| n.div_ceil(BLOCK));
        (0..size.y).flat_map(move |y| (0..size.x).map(move |x| UVec2::new(x, y)))
    }
}

/// Words of a tile: its head, and its mask.
pub fn stride(lenses: usize) -> u32 {
    1 + lenses.div_ceil(32) as u32
}

/// The glass as it is drawn; `everywhere`: the distance counts over the whole window.
pub fn scope(glass: &Glass, size: UVec2, everywhere: bool) -> Option<Scope> {
    let around = glass.outskirts();
    let drawn = bounds(&glass.lenses, &around, size);
    let (reach, area) = match () {
        () if everywhere || !glass.is_bounded => (EVERYWHERE, Some((UVec2::ZERO, size))),
        // Its shade is made in cells around all places that the glass shows.
        () if glass.is_legible => (
            EVERYWHERE,
            drawn.zip(shown_area(glass, size.to_array())).map(|(drawn, shown)| {
                let clamped = |corner: IVec2| corner.clamp(IVec2::ZERO, size.as_ivec2()).as_uvec2();
                (drawn.0.min(clamped(shown.0)), drawn.1.max(clamped(shown.1)))
            }),
        ),
        () => (EDGE_REACH, drawn),
    };
    let (low, high) = area?;
    Some(Scope { grid: Grid::over(low, high), reach, around })
}

pub fn bend(glass: &Glass) -> f32 {
    bend_of(&glass.lenses)
}

struct Candidate<'a> {
    at: usize,
    lens: &'a Lens,
    extent: Vec2,
}

impl Candidate<'_> {
    /// Pixels from the box to the rectangle around the lens.
    fn gap(&self, middle: Vec2, half_size: f32) -> f32 {
        ((middle - self.lens.center).abs() - self.extent - half_size).max(Vec2::ZERO).length()
    }

    fn counts(&self, middle: Vec2, within: f32) -> bool {
        FLAT * self.gap(middle, 0.5 * TILE as f32) <= within.max(0.0)
            && lens_edge(self.lens, middle).d - STEEP_HALF <= within
    }
}

fn nearest(near: &[&Candidate<'_>], middle: Vec2) -> f32 {
    let least = near.iter().fold(EVERYWHERE, |least: f32, lens| {
        if FLAT * lens.gap(middle, 0.0) < least { least.min(lens_edge(lens.lens, middle).d) } else { least }
    });
    least + STEEP_HALF
}

/// By the processor, for few lenses and for draws.
pub fn bins(glass: &Glass, scope: &Scope, size: UVec2) -> Bins {
    let Scope { grid, reach, around } = scope;
    let (lenses, melt) = (&glass.lenses.lens, glass.lenses.melt);
    let all: Vec<Candidate<'_>> =
        lenses.iter().enumerate().map(|(at, lens)| Candidate { at, lens, extent: lens.reach() }).collect();
    let (bend, drop) = (bend_of(&glass.lenses), Vec2::new(0.0, around.shadow_drop));
    let stride = stride(lenses.len()) as usize;
    let mut words = vec![0; grid.tiles() as usize * stride];
    let mut parts = vec![None; grid.tiles() as usize];
    let most = reach.max(around.shadow_reach) + 2.0 * melt;
    for block in grid.blocks() {
        let half = 0.5 * (BLOCK * TILE) as f32;
        let middle = ((grid.corner + block * BLOCK) * TILE).as_vec2() + half;
        let is_near = |lens: &&Candidate<'_>| FLAT * lens.gap(middle, half).min(lens.gap(middle - drop, half)) <= most;
        let near: Vec<&Candidate<'_>> = all.iter().filter(is_near).collect();
        for tile in (0..BLOCK * BLOCK).map(|at| block * BLOCK + UVec2::new(at % BLOCK, at / BLOCK)) {
            if tile.cmpge(grid.size).any() {
                continue;
            }
            let middle = ((grid.corner + tile) * TILE).as_vec2() + 0.5 * TILE as f32;
            let least = nearest(&near, middle);
            let within = reach.min(least) + 2.0 * melt;
            let has_shadow = around.shadow_reach > 0.0 && least > -1.0;
            let dropped = has_shadow.then(|| around.shadow_reach.min(nearest(&near, middle - drop)) + 2.0 * melt);
            let counts = |lens: &&&Candidate<'_>| {
                lens.counts(middle, within) || dropped.is_some_and(|within| lens.counts(middle - drop, within))
            };
            let own: Vec<&Candidate<'_>> = near.iter().filter(counts).copied().collect();
            let edge = |point: Vec2| edge_of(own.iter().map(|lens| lens.lens), melt, point);
            let part = tile_part(edge, around, bend, grid.corner + tile);
            let index = (tile.y * grid.size.x + tile.x) as usize;
            parts[index] = part;
            let words = &mut words[index * stride..][..stride];
            own.iter().for_each(|lens| words[1 + lens.at / 32] |= 1 << (lens.at % 32));
            let [low, high] =
                [own.first().map_or(0, |lens| lens.at / 32), own.last().map_or(0, |lens| lens.at / 32 + 1)];
            words[0] = part.map_or(NOTHING, |part| part as u32) | (low as u32) << 8 | (high as u32) << 16;
        }
    }
    if !glass.is_bounded {
        return Bins { words, spans: Spans::whole(size) };
    }
    let drawn = bounds(&glass.lenses, around, size);
    let part = |tile: UVec2| -> Option<Part> {
        let within = tile.wrapping_sub(grid.corner);
        within.cmplt(grid.size).all().then(|| parts[(within.y * grid.size.x + within.x) as usize]).flatten()
    };
    Bins { words, spans: spans_of(drawn, size, part) }
}
