//! A dock of 12 that magnifies under the pointer.

use super::{Figure, Ink, Key, PartKind, Piece, Stage, Sway, Use};
use crate::spring::{BACK, Feel, SPRING, Spring};
use glam::Vec2;

const NAMES: [&str; 12] =
    ["Camera", "Maps", "Night", "Sound", "Water", "Post", "Growth", "Optics", "Gems", "Weather", "Light", "Time"];
const COUNT: usize = NAMES.len();
/// Points.
const TILE: f32 = 60.0;
const GAP: f32 = 11.0;
/// Largest tile, relative to one at rest, and how far it reaches, in tiles.
const MAGNIFIED: f32 = 1.75;
const REACH: f32 = 2.6;
/// Neither overshoots, so that a tile does not leave the pointer.
const HOVER: Spring = Spring { rate: BACK, damping: 0.999 };

/// Tile and gap at rest.
fn sizes(stage: &Stage) -> (f32, f32) {
    let (_, room) = stage.room();
    // What a magnified dock has more than one at rest: the integral of the bump.
    let more = (MAGNIFIED - 1.0) * REACH;
    let tile = TILE.min(room.x / (COUNT as f32 + more + (COUNT as f32 - 1.0) * GAP / TILE));
    (tile, tile * GAP / TILE)
}

fn bottom(stage: &Stage) -> f32 {
    let (middle, room) = stage.room();
    middle.y + 0.5 * room.y - 20.0
}

/// Left ends of the tiles' cells at rest.
fn left(stage: &Stage) -> f32 {
    let (tile, gap) = sizes(stage);
    stage.room().0.x - 0.5 * (COUNT as f32 * (tile + gap) - gap)
}

/// Size of each tile, and its left end. The place under the pointer stays under it.
fn tiles(used: &Use, stage: &Stage) -> [(f32, f32); COUNT] {
    let ((tile, gap), first) = (sizes(stage), left(stage));
    let pitch = tile + gap;
    let (amount, at) = (used.hover.at.clamp(0.0, 1.2), used.hover_x);
    let size = |index: usize| {
        let middle = first + index as f32 * pitch + 0.5 * tile;
        let off = ((middle - at) / (REACH * pitch)).clamp(-1.0, 1.0);
        let bump = (0.5 * std::f32::consts::PI * off).cos().powi(2);
        tile * (1.0 + amount * (MAGNIFIED - 1.0) * bump)
    };
    let sizes: [f32; COUNT] = std::array::from_fn(size);
    // The part of the growth that is left of the pointer moves the beginning to the left.
    let before = |x: f32| {
        let cell = |(index, size): (usize, &f32)| {
            let part = ((x - first - index as f32 * pitch) / tile).clamp(0.0, 1.0);
            part * (size - tile)
        };
        sizes.iter().enumerate().map(cell).sum::<f32>()
    };
    let inside = at.clamp(first, first + COUNT as f32 * pitch - gap);
    let mut x = first - before(inside);
    sizes.map(|size| {
        let low = x;
        x += size + gap;
        (size, low)
    })
}

pub fn pieces(used: &Use, stage: &Stage) -> Vec<Piece> {
    let (bottom, (rest, _)) = (bottom(stage), sizes(stage));
    let tiles = tiles(used, stage);
    let mut all = Vec::new();
    for (index, (size, low)) in tiles.into_iter().enumerate() {
        let jump = used.value(index);
        let low = Vec2::new(low, bottom - size - 0.55 * rest * jump);
        let mut piece = Piece::new(low, Vec2::splat(size), 0.27 * size);
        piece.icon(index, Vec2::splat(0.5 * size), 0.29 * size);
        if used.open >> index & 1 == 1 {
            let middle = Vec2::new(0.5 * size, bottom - low.y + 9.0);
            piece.mark(Ink::Voted, 0.9, Figure::filled(middle - 2.5, middle + 2.5, 2.5));
        }
        all.push(piece);
    }
    // The name of the tile under the pointer.
    if let Some(named) = named(used, stage).filter(|_| used.hover.at > 0.3) {
        let (size, low) = tiles[named];
        let extent = Vec2::new(18.0 + 9.0 * NAMES[named].len() as f32, 30.0);
        let low = Vec2::new(low + 0.5 * (size - extent.x), bottom - MAGNIFIED * rest - extent.y - 14.0);
        let mut name = Piece { radius: 15.0, ..Piece::new(low, extent, 15.0) };
        name.mark(
            Ink::Voted,
            ((used.hover.at - 0.3) / 0.4).clamp(0.0, 1.0),
            Figure::text(NAMES[named], 16.0, Vec2::new(0.5 * extent.x, 20.5), 0.5),
        );
        all.push(name);
    }
    all
}

fn named(used: &Use, stage: &Stage) -> Option<usize> {
    let ((tile, gap), first) = (sizes(stage), left(stage));
    let index = ((used.hover_x - first + 0.5 * gap) / (tile + gap)).floor();
    (0.0..COUNT as f32).contains(&index).then_some(index as usize)
}

/// The pointer is over the dock, or a key has chosen a tile.
fn goal(used: &Use, stage: &Stage) -> (f32, Option<f32>) {
    let ((tile, gap), first) = (sizes(stage), left(stage));
    if let Some(focus) = used.focus {
        return (1.0, Some(first + focus as f32 * (tile + gap) + 0.5 * tile));
    }
    let end = first + COUNT as f32 * (tile + gap) - gap;
    let is_over = |hand: &Vec2| {
        let high = bottom(stage) - tile * (1.0 + (MAGNIFIED - 1.0) * used.hover.at.clamp(0.0, 1.0));
        (first - gap..=end + gap).contains(&hand.x) && (high - gap..=bottom(stage) + 24.0).contains(&hand.y)
    };
    match used.hand.filter(is_over) {
        Some(hand) => (1.0, Some(hand.x)),
        None => (0.0, None),
    }
}

pub fn advance(used: &mut Use, seconds: f32, stage: &Stage, feel: &Feel) -> bool {
    let (goal, at) = goal(used, stage);
    let mut moves = false;
    if let Some(at) = at {
        // A key moves it there, a pointer is there.
        let part =
            if used.focus.is_some() && feel.appears { 1.0 - (-BACK * seconds.clamp(0.0, 1.0)).exp() } else { 1.0 };
        let next = used.hover_x + (at - used.hover_x) * part;
        moves |= (next - at).abs() > 0.05;
        used.hover_x = if (next - at).abs() > 0.05 { next } else { at };
    }
    moves |= used.hover.advance(seconds, goal, &HOVER, feel);
    for pose in &mut used.poses {
        moves |= pose.value.advance(seconds, 0.0, &SPRING, feel);
    }
    moves
}

pub fn part(used: &Use, piece: usize) -> Option<(&'static str, PartKind)> {
    NAMES.get(piece).map(|name| (*name, PartKind::Switch(used.open >> piece & 1 == 1)))
}

/// It jumps, and is open or closed from then on.
pub fn act(used: &mut Use, tile: usize) {
    if tile >= COUNT {
        return;
    }
    used.open ^= 1 << tile;
    let pose = used.pose_mut(tile);
    pose.value = Sway { speed: 14.0, ..pose.value };
}

pub fn key(used: &mut Use, key: Key, is_down: bool, stage: &Stage) -> bool {
    let focus = used.focus.or_else(|| named(used, stage).filter(|_| used.hover.at > 0.5));
    let next = match key {
        Key::Left | Key::Previous => focus.map_or(COUNT - 1, |focus| focus.saturating_sub(1)),
        Key::Right | Key::Next => focus.map_or(0, |focus| (focus + 1).min(COUNT - 1)),
        Key::Home => 0,
        Key::End => COUNT - 1,
        Key::Act => {
            let Some(focus) = focus else { return false };
            match is_down {
                true => used.pose_mut(focus).press.grab(Vec2::ZERO),
                false => {
                    used.pose_mut(focus).press.stop();
                    act(used, focus);
                }
            }
            return true;
        }
        _ => return false,
    };
    if is_down {
        if used.hover.at == 0.0 {
            let (tile, gap) = sizes(stage);
            used.hover_x = left(stage) + next as f32 * (tile + gap) + 0.5 * tile;
        }
        (used.focus, used.hand) = (Some(next), None);
    }
    true
}
