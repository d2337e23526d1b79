//! Tiles of the glass: 16 by 16 pixels, sorted by the distance to the outline and joined along rows. Software drivers
//! run both sides of a branch, GPUs do where neighbours differ: face, bevel, edge and shadow have separate shaders.

use super::shape::{Edge, Lenses, edge};
use glam::{UVec2, Vec2};
use gpu::{gpu_consts, gpu_struct};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Flat, without light of the rim: one sample.
    Face,
    /// Fully covered.
    Bevel,
    Edge,
    Shadow,
}

impl Part {
    pub const ALL: [Part; 4] = [Part::Face, Part::Bevel, Part::Edge, Part::Shadow];
}

gpu_consts! { "glass/shape.glsl":
    /// Pixels.
    pub const TILE: u32 = 16;
}

/// Lenses that count in a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Own {
    One(u32),
    Two([u32; 2]),
    /// Those of its bin.
    Many,
}

gpu_struct! {
    /// As in shaders/glass/span.vert.
    pub struct Span {
        /// Left, top, right, bottom (excluded).
        pub rectangle: [u32; 4],
        /// Places in the list of lenses.
        lens: [u32; 2],
    }
}

/// Disjoint, sorted by part, then by the number of their lenses.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spans {
    pub list: Vec<Span>,
    /// And the end.
    begin: [u32; Part::ALL.len() * Own::KINDS + 1],
}

impl Own {
    pub const KINDS: usize = 3;

    fn kind(self) -> usize {
        match self {
            Own::One(_) => 0,
            Own::Two(_) => 1,
            Own::Many => 2,
        }
    }

    fn lenses(self) -> [u32; 2] {
        match self {
            Own::One(lens) => [lens; 2],
            Own::Two(two) => two,
            Own::Many => [0; 2],
        }
    }
}

impl Span {
    pub fn of(rectangle: [u32; 4]) -> Span {
        Span { rectangle, lens: [0; 2] }
    }
}

impl Spans {
    pub fn whole(size: UVec2) -> Spans {
        let mut rows = Rows::default();
        rows[Part::Edge as usize * Own::KINDS + Own::Many.kind()].push(Span::of([0, 0, size.x, size.y]));
        Spans::of_rows(rows)
    }

    fn of_rows(rows: Rows) -> Spans {
        let mut spans = Spans::default();
        for (at, row) in rows.into_iter().enumerate() {
            spans.list.extend(row);
            spans.begin[at + 1] = spans.list.len() as u32;
        }
        spans
    }

    /// First, and number, of those whose lenses are of a kind.
    pub fn of_kind(&self, part: Part, kind: usize) -> (u32, u32) {
        let at = part as usize * Own::KINDS + kind;
        (self.begin[at], self.begin[at + 1] - self.begin[at])
    }

    pub fn of(&self, part: Part) -> &[Span] {
        let at = part as usize * Own::KINDS;
        &self.list[self.begin[at] as usize..self.begin[at + Own::KINDS] as usize]
    }

    pub fn pixels(&self, part: Part) -> u64 {
        let area = |Span { rectangle: [left, top, right, bottom], .. }: &Span| {
            u64::from(right - left) * u64::from(bottom - top)
        };
        self.of(part).iter().map(area).sum()
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Outskirts {
    /// Pixels to the dropped outline; 0: no shadow.
    pub shadow_reach: f32,
    /// Pixels downwards.
    pub shadow_drop: f32,
    pub rim_reach: f32,
}

gpu_consts! { "glass/bin.comp":
    /// And more, because the distance is exact to the first order only.
    const HALF_DIAGONAL: f32 = 13.0;
    /// Contour and antialiasing, pixels.
    pub const EDGE_REACH: f32 = 1.5;
}

const BETWEEN_PROBES: f32 = 5.7;

pub fn spans(lenses: &Lenses, around: &Outskirts, size: UVec2) -> Spans {
    let bend = bend_of(lenses);
    let part = |tile| tile_part(|point| edge(lenses, point), around, bend, tile);
    spans_of(bounds(lenses, around, size), size, |tile| Some((part(tile)?, Own::Many)))
}

type Rows = [Vec<Span>; Part::ALL.len() * Own::KINDS];

/// `part`: of the tile of this column and row.
pub fn spans_of(
    bounds: Option<(UVec2, UVec2)>,
    size: UVec2,
    mut part: impl FnMut(UVec2) -> Option<(Part, Own)>,
) -> Spans {
    let mut rows = Rows::default();
    let Some((low, high)) = bounds else { return Spans::default() };
    let (low, high) = (low / TILE, high.map(|n| n.div_ceil(TILE)));
    for y in low.y..high.y {
        let mut last = None;
        for x in low.x..high.x {
            let part = part(UVec2::new(x, y));
            let (left, top) = (x * TILE, y * TILE);
            let (right, bottom) = ((left + TILE).min(size.x), (top + TILE).min(size.y));
            if let Some((of, own)) = part {
                let row = &mut rows[of as usize * Own::KINDS + own.kind()];
                match row.last_mut() {
                    Some(span) if last == part => span.rectangle[2] = right,
                    _ => row.push(Span { rectangle: [left, top, right, bottom], lens: own.lenses() }),
                }
            }
            last = part;
        }
    }
    Spans::of_rows(rows)
}

/// Pixels that an outline may bend inwards between the probes of a tile.
pub fn bend_of(lenses: &Lenses) -> f32 {
    if lenses.lens.iter().any(|lens| lens.letters.is_some()) { BETWEEN_PROBES } else { 0.0 }
}

pub fn bounds(lenses: &Lenses, around: &Outskirts, size: UVec2) -> Option<(UVec2, UVec2)> {
    let mut low = Vec2::MAX;
    let mut high = Vec2::MIN;
    for lens in &lenses.lens {
        let reach = lens.reach() + lenses.melt * 0.25 + EDGE_REACH;
        let spread = Vec2::splat(around.shadow_reach);
        let down = Vec2::new(0.0, around.shadow_drop);
        low = low.min(lens.center - reach).min(lens.center - reach - spread + down);
        high = high.max(lens.center + reach).max(lens.center + reach + spread + down);
    }
    let low = low.max(Vec2::ZERO).floor().as_uvec2();
    let high = high.clamp(Vec2::ZERO, size.as_vec2()).ceil().as_uvec2();
    (low.cmplt(high).all()).then_some((low, high))
}

/// Of the lenses that count in the tile.
pub fn tile_part(edge: impl Fn(Vec2) -> Edge, around: &Outskirts, bend: f32, tile: UVec2) -> Option<Part> {
    let corner = (tile * TILE).as_vec2();
    let middle = corner + TILE as f32 * 0.5;
    let at_middle = edge(middle);
    if at_middle.d > HALF_DIAGONAL + EDGE_REACH {
        let dropped = edge(middle - Vec2::new(0.0, around.shadow_drop)).d;
        return (around.shadow_reach > 0.0 && dropped < around.shadow_reach + HALF_DIAGONAL).then_some(Part::Shadow);
    }
    if at_middle.d > -8.0 {
        return Some(Part::Edge);
    }
    // Where the outline bends inside, pixels at the rim of the tile decide.
    let last = TILE as f32 - 0.5;
    let rim = [0.5, TILE as f32 * 0.5, last];
    let (mut face, mut covered) = (at_middle.d + bend <= -at_middle.bevel.max(around.rim_reach), true);
    for y in rim {
        for x in rim {
            let e = edge(corner + Vec2::new(x, y));
            face &= e.d + bend <= -e.bevel.max(around.rim_reach);
            covered &= e.d + bend <= -0.6;
        }
    }
    Some(if face {
        Part::Face
    } else if covered {
        Part::Bevel
    } else {
        Part::Edge
    })
}
