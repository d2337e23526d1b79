//! Bins: for each tile of a grid over a body of lenses those that count there, as a mask, and the part of the glass.
//!
//! A lens counts in a tile if a pixel of it can be covered by the lens, melt into it or lie in its shadow. Between the tile's
//! middle and its pixels a distance changes by [`STEEP_HALF`] at most, where it is about true: beyond the corners of squarish
//! superellipses it dips by more, in faint shadow. The nearest lens bounds the others: one that is further by twice the
//! melting distance hardly changes what melts with it.

pub mod pass;

use crate::lens::shape::{Lens, edge_of, lens_edge};
use crate::lens::tiles::{EDGE_REACH, Outskirts, Own, Part, Spans, TILE, bend_of, bounds, spans_of, tile_part};
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
    pub const BLOCK: u32 = 4;
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

/// Words need their field, which a span has not.
fn of_tile(own: &[&Candidate<'_>]) -> Own {
    match own {
        _ if own.iter().any(|lens| lens.lens.letters.is_some()) => Own::Many,
        [one] => Own::One(one.at as u32),
        [one, other] => Own::Two([one.at as u32, other.at as u32]),
        _ => Own::Many,
    }
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
            parts[index] = part.map(|part| (part, of_tile(&own)));
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
    let part = |tile: UVec2| -> Option<(Part, Own)> {
        let within = tile.wrapping_sub(grid.corner);
        within.cmplt(grid.size).all().then(|| parts[(within.y * grid.size.x + within.x) as usize]).flatten()
    };
    Bins { words, spans: spans_of(drawn, size, part) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PassSettings as _;
    use crate::lens::shape::edge;
    use crate::settings::GlassSettings;
    use scene::{LensOutline, Shape};

    /// Parts of 1 that are no pattern.
    fn parts() -> impl Iterator<Item = f32> {
        let step = |n: u32| Some(n.wrapping_mul(1_664_525).wrapping_add(1_013_904_223));
        std::iter::successors(Some(7_u32), move |n| step(*n)).skip(1).map(|n| (n >> 8) as f32 / (1 << 24) as f32)
    }

    fn lenses(count: usize, size: Vec2, of: &mut impl Iterator<Item = f32>) -> Vec<scene::Lens> {
        let mut part = || of.next().unwrap_or_default();
        let mut lens = || {
            let shape = [Shape::Superellipse, Shape::Capsule, Shape::Rounded][(part() * 3.0) as usize];
            let (exponent, radius, angle) = (2.0 + 8.0 * part(), 20.0 * part(), 360.0 * part() - 180.0);
            // A first-order distance is true for about round outlines alone: at the tips of a needle it is a part of the way.
            let half = (4.0 + 60.0 * part() * part()) * Vec2::new(1.0, 0.5 + 1.5 * part());
            let outline = LensOutline { shape, exponent, radius, angle, ..LensOutline::default() }.sized(half);
            let strain = Vec2::new(0.1 * part() - 0.05, 0.1 * part() - 0.05);
            let container = [None, Some(1), Some(2)][(part() * 3.0) as usize];
            let center = (Vec2::new(part(), part()) * 1.4 - 0.2) * size;
            scene::Lens { center, outline, strain, container, ..scene::Lens::default() }
        };
        (0..count).map(|_| lens()).collect()
    }

    #[test]
    fn what_a_tile_leaves_out_changes_nothing() {
        let (size, mut of) = (UVec2::new(333, 217), parts());
        for (count, melt) in [(2, 45.0), (7, 20.0), (40, 0.0), (40, 12.0), (70, 45.0)] {
            let settings = GlassSettings { melt, ..GlassSettings::default() };
            let glass = settings.glass(&lenses(count, size.as_vec2(), &mut of), 1.0);
            let scope = scope(&glass, size, false).unwrap();
            let (bins, stride) = (bins(&glass, &scope, size), stride(count) as usize);
            let mut seen = 0;
            for point in (0..size.element_product()).step_by(7).map(|at| UVec2::new(at % size.x, at / size.x)) {
                let tile = (point / TILE).wrapping_sub(scope.grid.corner);
                let first = (tile.y.wrapping_mul(scope.grid.size.x).wrapping_add(tile.x) as usize).wrapping_mul(stride);
                let is_there = tile.cmplt(scope.grid.size).all();
                let words = if is_there { &bins.words[first..][..stride] } else { &[][..] };
                let is_own = |at: &usize| is_there && words[1 + at / 32] >> (at % 32) & 1 == 1;
                let own: Vec<&Lens> = (0..count).filter(is_own).map(|at| &glass.lenses.lens[at]).collect();
                let place = point.as_vec2() + 0.5;
                let most = [(place, EDGE_REACH), (place - Vec2::new(0.0, 14.0), scope.around.shadow_reach)];
                let is_inside = edge(&glass.lenses, place).d < -1.0;
                for (place, reach) in most.into_iter().take(if is_inside { 1 } else { 2 }) {
                    let (all, few) =
                        (edge(&glass.lenses, place), edge_of(own.iter().copied(), glass.lenses.melt, place));
                    if all.d < reach {
                        seen += 1;
                        // Observed: 0.026 px, where most of seventy lenses melt.
                        assert!((all.d - few.d).abs() < 0.05, "{count} {melt} {place}: {all:?}, in its tile {few:?}");
                    }
                }
            }
            assert!(seen > 200, "{seen}");
        }
    }
}
