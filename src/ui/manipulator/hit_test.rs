//! Hit test of lenses and their handles, and the resize that a handle does.

use egui::CursorIcon;
use glam::Vec2;
use scene::{Lens, Shape};

/// Smallest and largest half extent in logical pixels: the range of the size settings.
pub const HALF: [f32; 2] = [8.0, 2000.0];

/// Distance outside its edge at which a lens can be grabbed, in logical pixels.
const SLOP: f32 = 4.0;

/// Radius of a handle in logical pixels; less on a small lens, whose middle must stay free for moving.
const REACH: f32 = 12.0;
const REACH_SHARE: f32 = 0.35;

/// Distance of the rotation handle above the lens, logical pixels.
const TURN_ARM: f32 = 26.0;

/// Distance of the add button right of the lens, logical pixels.
const ADD_ARM: f32 = 28.0;
/// Logical pixels.
pub const ADD_RADIUS: f32 = 9.0;

/// Distance of a new lens from another, as a fraction of the sum of their half extents: near enough to merge.
const BESIDE: f32 = 1.02;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Part {
    Body,
    Handle(Handle),
    Turn,
    Add,
}

#[derive(Clone, Copy, Debug)]
pub struct Reach {
    /// Physical pixels per logical one.
    pub scale: f32,
    /// Pixels from the lens' edge, negative inside.
    pub distance: f32,
    pub turns: bool,
    pub adds: Option<Vec2>,
}

/// A corner (both components) or the middle of a side (one component).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Handle {
    /// -1 left, 0 middle, 1 right.
    x: i8,
    /// -1 top, 0 middle, 1 bottom.
    y: i8,
}

impl Handle {
    /// Corners first: where handles overlap they take precedence.
    pub const ALL: [Self; 8] = [
        Self { x: -1, y: -1 },
        Self { x: 1, y: -1 },
        Self { x: -1, y: 1 },
        Self { x: 1, y: 1 },
        Self { x: -1, y: 0 },
        Self { x: 1, y: 0 },
        Self { x: 0, y: -1 },
        Self { x: 0, y: 1 },
    ];

    fn direction(self) -> Vec2 {
        Vec2::new(f32::from(self.x), f32::from(self.y))
    }

    /// Inset of the handle from the box of the half axes, as a fraction. On a corner's diagonal, where |x/a|^n +
    /// |y/b|^n = 1 has x/a = y/b, it is 1 - x/a.
    fn inset(self, lens: &Lens) -> f32 {
        if self.x != 0 && self.y != 0 { 1.0 - (-1.0 / lens.outline.exponent.max(0.1)).exp2() } else { 0.0 }
    }

    /// From the opposite side to the handle, along each axis, in pixels.
    fn span(self, lens: &Lens, scale: f32) -> Vec2 {
        2.0 * lens.half(scale) - lens.outline.corner(scale) * self.inset(lens)
    }

    fn half_of_span(self, lens: &Lens, span: Vec2, scale: f32) -> Vec2 {
        let (inset, outline) = (self.inset(lens), &lens.outline);
        match outline.shape {
            Shape::Superellipse if !outline.has_field() => span / (2.0 - inset),
            // The corner is as large as the smaller half axis, which has the smaller span, unless it has its own size.
            _ => {
                let widest = span.min_element() / (2.0 - inset);
                let corner = match outline.shape {
                    _ if outline.has_field() => 1.0,
                    Shape::Rounded => (outline.radius * scale).max(1.0),
                    _ => widest,
                };
                0.5 * (span + inset * corner.min(widest))
            }
        }
    }

    pub fn place(self, lens: &Lens, scale: f32) -> Vec2 {
        let offset = (lens.half(scale) - lens.outline.corner(scale) * self.inset(lens)) * self.direction();
        lens.center + Vec2::from_angle(lens.angle()).rotate(offset)
    }

    /// The lens after its handle was dragged by `moved` pixels: the opposite side stays in place. With `keep_aspect`
    /// the half axes keep their ratio; dragging a side then also grows the lens evenly across.
    pub fn pull(self, lens: &Lens, moved: Vec2, keep_aspect: bool, scale: f32) -> Lens {
        let turn = Vec2::from_angle(lens.angle());
        let (moved, direction) = (Vec2::from_angle(-lens.angle()).rotate(moved), self.direction());
        let (span, before) = (self.span(lens, scale), lens.outline.half());
        let lever = span * direction;
        let half = if keep_aspect {
            before * aspect_scale(before, 1.0 + moved.dot(lever) / lever.length_squared().max(1e-12))
        } else {
            let grown = self.half_of_span(lens, span + moved * direction, scale) / scale;
            Vec2::select(direction.cmpne(Vec2::ZERO), clamp_half(grown), before)
        };
        let center = lens.center + turn.rotate(direction * (half - before) * scale);
        Lens { center, ..lens.sized(half) }
    }

    /// For its drag direction, the nearest of four.
    pub fn cursor(self, angle: f32) -> CursorIcon {
        let direction = Vec2::from_angle(angle).rotate(self.direction());
        let eighths = (direction.to_angle() / std::f32::consts::FRAC_PI_4).round() as i32;
        match eighths.rem_euclid(4) {
            0 => CursorIcon::ResizeHorizontal,
            1 => CursorIcon::ResizeNwSe,
            2 => CursorIcon::ResizeVertical,
            _ => CursorIcon::ResizeNeSw,
        }
    }
}

pub fn scaled(lens: &Lens, by: f32) -> Lens {
    let half = lens.outline.half();
    lens.sized(half * aspect_scale(half, by))
}

/// To a thousandth of a degree: as many back give the very same lens.
pub fn turned(lens: &Lens, degrees: f32) -> Lens {
    if degrees == 0.0 {
        return *lens;
    }
    lens.turned(wrapped(((lens.outline.angle + degrees) * 1000.0).round() / 1000.0))
}

/// Degrees.
pub fn wrapped(angle: f32) -> f32 {
    if (-180.0..=180.0).contains(&angle) { angle } else { (angle + 180.0).rem_euclid(360.0) - 180.0 }
}

pub fn turn_place(lens: &Lens, scale: f32) -> Vec2 {
    lens.center + Vec2::from_angle(lens.angle()).rotate(Vec2::new(0.0, -lens.half(scale).y - TURN_ARM * scale))
}

/// Right of the lens, or else the first other side within `area_px`.
pub fn add_place(lens: &Lens, scale: f32, area_px: Vec2) -> Vec2 {
    let turn = Vec2::from_angle(lens.angle());
    let place = |side: Vec2| lens.center + turn.rotate(side * (lens.half(scale) + ADD_ARM * scale));
    let (low, high) = (Vec2::splat(ADD_RADIUS * scale), area_px - ADD_RADIUS * scale);
    let is_inside = |place: &Vec2| place.cmpge(low).all() && place.cmple(high).all();
    let sides = [Vec2::X, Vec2::NEG_X, Vec2::Y, Vec2::NEG_Y].map(place);
    // A lens larger than the window has no free side: the button is on the lens.
    sides.into_iter().find(is_inside).unwrap_or_else(|| sides[0].clamp(low, high.max(low)))
}

pub fn part_at(lens: &Lens, at: Vec2, reach: &Reach) -> Option<Part> {
    let near = (REACH * reach.scale).min(REACH_SHARE * lens.half(reach.scale).min_element());
    let handle = Handle::ALL.into_iter().find(|handle| handle.place(lens, reach.scale).distance(at) <= near);
    let turns = reach.turns && turn_place(lens, reach.scale).distance(at) <= REACH * reach.scale;
    let adds = reach.adds.is_some_and(|place| place.distance(at) <= REACH * reach.scale);
    adds.then_some(Part::Add)
        .or(handle.map(Part::Handle))
        .or((reach.distance <= SLOP * reach.scale).then_some(Part::Body))
        .or(turns.then_some(Part::Turn))
}

/// Candidate places for a new lens, across and down an area.
const PLACES: u8 = 15;

/// Centre of a new lens: beside `model`, wholly inside the area, as far from the others as possible. Without such a place, as near to
/// `model` as keeps it off the others, or as far off them as possible.
pub fn fresh_place(lenses: &[Lens], model: &Lens, area_px: Vec2, scale: f32) -> Vec2 {
    let (turn, half) = (Vec2::from_angle(model.angle()), model.half(scale));
    let away =
        [Vec2::X, Vec2::NEG_X, Vec2::Y, Vec2::NEG_Y].map(|side| model.center + turn.rotate(side * 2.0 * BESIDE * half));
    let room = |place: &Vec2| lenses.iter().map(|lens| lens.center.distance(*place)).fold(f32::MAX, f32::min);
    let inside = |place: &Vec2| (Vec2::ZERO.cmple(*place) & place.cmple(area_px)).all();
    // Half extents of its axis-aligned bounding box.
    let (sin, cos) = (turn.y.abs(), turn.x.abs());
    let reach = Vec2::new(cos * half.x + sin * half.y, sin * half.x + cos * half.y);
    let whole = |place: &Vec2| inside(&(*place - reach)) && inside(&(*place + reach));
    // In widths and heights of the lens; from 1 on they do not overlap.
    let apart = |place: &Vec2| {
        let from = |lens: &Lens| {
            let offset = Vec2::new(turn.x, -turn.y).rotate(*place - lens.center);
            (offset.abs() / (2.0 * half)).max_element()
        };
        lenses.iter().map(from).fold(1.0, f32::min)
    };
    let is_free = |place: &Vec2| whole(place) && apart(place) > 0.9 * BESIDE;
    let beside = away.into_iter().filter(is_free).max_by(|a, b| room(a).total_cmp(&room(b)));
    let nearer = |a: &Vec2, b: &Vec2| model.center.distance(*b).total_cmp(&model.center.distance(*a));
    let spare = area_px - 2.0 * reach;
    let part = |n: u8| f32::from(n) / f32::from(PLACES - 1);
    let places = (0..PLACES * PLACES).map(|n| reach + spare * Vec2::new(part(n % PLACES), part(n / PLACES)));
    let places = places.filter(|_| spare.min_element() >= 0.0);
    let anywhere = || places.max_by(|a, b| apart(a).total_cmp(&apart(b)).then_with(|| nearer(a, b)));
    // A lens larger than the window: a small offset keeps the new one visible.
    beside
        .or_else(anywhere)
        .unwrap_or_else(|| (model.center + 0.2 * half.min_element()).clamp(Vec2::ZERO, area_px.max(Vec2::ZERO)))
}

fn clamp_half(half: Vec2) -> Vec2 {
    half.clamp(Vec2::splat(HALF[0]), Vec2::splat(HALF[1]))
}

/// Scale nearest to `wanted` that keeps both half axes in their range; if none does, the lower bound wins.
fn aspect_scale(half: Vec2, aspect_wanted: f32) -> f32 {
    let [low, high] = HALF;
    aspect_wanted.min(high / half.max_element()).max(low / half.min_element())
}
