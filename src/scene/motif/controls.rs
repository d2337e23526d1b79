//! A control centre: switches and sliders that work.

use super::{Figure, Ink, Key, PartKind, Piece, Stage, Use};
use crate::SceneSettings;
use crate::spring::{Feel, SPRING};
use glam::Vec2;

/// Points.
const CELL: f32 = 78.0;
const GAP: f32 = 16.0;
const COLUMNS: f32 = 4.0;
const ROWS: f32 = 4.0;
/// Of fills, within the rim of the glass.
const INSET: f32 = 7.0;
const TRACK: Vec2 = Vec2::new(52.0, 30.0);
/// Encoded sRGB.
const ACCENT: [f32; 3] = [0.07, 0.47, 0.95];
const WARM: [f32; 3] = [0.95, 0.55, 0.10];
const GREEN: [f32; 3] = [0.16, 0.68, 0.34];
const PAPER: [f32; 3] = [0.97, 0.97, 0.98];
const DARK: [f32; 3] = [0.10, 0.10, 0.13];
/// Step of a slider by a key.
const STEP: f32 = 0.1;

#[derive(Clone, Copy)]
enum Control {
    /// Name, icon, colour when on, bit.
    Round(&'static str, usize, [f32; 3], u32),
    /// Title, what it does, colour when on, bit.
    Switch(&'static str, &'static str, [f32; 3], u32),
    /// Icon, and whether it is the light's, not the sound's.
    Slider(usize, bool),
}

/// Column, row, columns and rows.
type Cells = [f32; 4];

const CONTROLS: [(Control, Cells); 12] = [
    (Control::Round("Flight mode", 12, ACCENT, 0), [0.0, 0.0, 1.0, 1.0]),
    (Control::Round("Wireless", 13, ACCENT, 1), [1.0, 0.0, 1.0, 1.0]),
    (Control::Round("Quiet at night", 2, WARM, 2), [0.0, 1.0, 1.0, 1.0]),
    (Control::Round("Rotation lock", 14, GREEN, 3), [1.0, 1.0, 1.0, 1.0]),
    (Control::Slider(10, true), [2.0, 0.0, 1.0, 2.0]),
    (Control::Slider(3, false), [3.0, 0.0, 1.0, 2.0]),
    (Control::Switch("Dispersion", "Colours at the rim", GREEN, 4), [0.0, 2.0, 4.0, 1.0]),
    (Control::Switch("Night light", "Warmer after sunset", WARM, 5), [0.0, 3.0, 4.0, 1.0]),
    (Control::Round("Torch", 15, PAPER, 6), [0.0, 4.0, 1.0, 1.0]),
    (Control::Round("Timer", 11, WARM, 7), [1.0, 4.0, 1.0, 1.0]),
    (Control::Round("Camera", 0, ACCENT, 8), [2.0, 4.0, 1.0, 1.0]),
    (Control::Round("Play", 16, GREEN, 9), [3.0, 4.0, 1.0, 1.0]),
];

fn is_on(scene: &SceneSettings, bit: u32) -> bool {
    scene.switches >> bit & 1 == 1
}

fn goal(control: Control, scene: &SceneSettings) -> f32 {
    match control {
        Control::Round(_, _, _, bit) | Control::Switch(_, _, _, bit) => f32::from(u8::from(is_on(scene, bit))),
        Control::Slider(_, true) => scene.brightness,
        Control::Slider(_, false) => scene.volume,
    }
}

/// Name, and what it is.
pub fn part(piece: usize, scene: &SceneSettings) -> Option<(&'static str, PartKind)> {
    let (control, _) = CONTROLS.get(piece)?;
    Some(match *control {
        Control::Round(name, _, _, bit) | Control::Switch(name, _, _, bit) => {
            (name, PartKind::Switch(is_on(scene, bit)))
        }
        Control::Slider(_, is_light) => {
            (if is_light { "Brightness" } else { "Volume" }, PartKind::Slider(goal(*control, scene)))
        }
    })
}

/// The value of a slider.
pub fn level(piece: usize, scene: &SceneSettings) -> Option<f32> {
    let (control, _) = CONTROLS.get(piece)?;
    matches!(control, Control::Slider(..)).then(|| goal(*control, scene))
}

pub fn set_level(piece: usize, to: f32, scene: &mut SceneSettings) {
    match CONTROLS.get(piece) {
        Some((Control::Slider(_, true), _)) => scene.brightness = to.clamp(0.0, 1.0),
        Some((Control::Slider(_, false), _)) => scene.volume = to.clamp(0.0, 1.0),
        _ => {}
    }
}

fn unit(stage: &Stage) -> f32 {
    let (_, room) = stage.room();
    let whole = Vec2::new(COLUMNS * (CELL + GAP) - GAP, (ROWS + 1.0) * (CELL + GAP) - GAP);
    (room / whole).min_element().min(1.0)
}

pub fn settle(used: &mut Use, scene: &SceneSettings) {
    for (index, (control, _)) in CONTROLS.iter().enumerate() {
        used.pose_mut(index).value.at = goal(*control, scene);
    }
}

fn boxes(stage: &Stage) -> impl Iterator<Item = (Control, Vec2, Vec2)> {
    let (unit, (middle, _)) = (unit(stage), stage.room());
    let pitch = unit * (CELL + GAP);
    let whole = Vec2::new(COLUMNS, ROWS + 1.0) * pitch - unit * GAP;
    let corner = middle - 0.5 * whole;
    CONTROLS.iter().map(move |(control, [column, row, columns, rows])| {
        let low = corner + Vec2::new(*column, *row) * pitch;
        (*control, low, Vec2::new(*columns, *rows) * pitch - unit * GAP)
    })
}

pub fn pieces(used: &Use, stage: &Stage) -> Vec<Piece> {
    let unit = unit(stage);
    let piece = |(index, (control, low, size)): (usize, (Control, Vec2, Vec2))| {
        let inset = INSET * unit;
        let radius = match control {
            Control::Slider(..) => 0.5 * size.x,
            _ => 0.5 * size.y,
        };
        let mut piece = Piece::new(low, size, radius);
        let value = used.value(index);
        let fill = Figure::filled(Vec2::splat(inset), size - inset, radius - inset);
        match control {
            Control::Round(_, icon, color, _) => {
                let part = value.clamp(0.0, 1.0);
                piece.mark(Ink::Fixed(color), part, fill);
                let middle = 0.5 * size;
                let half = 17.0 * unit * (1.0 + 0.12 * (value - part));
                piece.mark(Ink::Voted, 1.0 - part, Figure::Icon { icon, middle, half });
                let on = if color == PAPER { DARK } else { [1.0; 3] };
                piece.mark(Ink::Fixed(on), part, Figure::Icon { icon, middle, half });
            }
            Control::Switch(title, what, color, _) => {
                piece.text(title, 19.0 * unit, Vec2::new(30.0, 36.0) * unit, 0.0);
                piece.mark(Ink::Voted, 0.85, Figure::text(what, 13.5 * unit, Vec2::new(30.0, 56.0) * unit, 0.0));
                switch(&mut piece, size, unit, value, color);
            }
            Control::Slider(icon, _) => {
                let top = size.y - inset - value * (size.y - 2.0 * inset);
                let Figure::Box { low, high, radius, width, .. } = fill else { return piece };
                piece.mark(Ink::Fixed(PAPER), 0.94, Figure::Box { low, high, radius, width, top });
                let (middle, half) = (Vec2::new(0.5 * size.x, size.y - 0.5 * size.x), 15.0 * unit);
                // The fill is below the icon, or not, or in part.
                let covered =
                    ((value * (size.y - 2.0 * inset) - middle.x + inset + half) / (2.0 * half)).clamp(0.0, 1.0);
                piece.mark(Ink::Fixed(DARK), covered, Figure::Icon { icon, middle, half });
                piece.mark(Ink::Voted, 1.0 - covered, Figure::Icon { icon, middle, half });
            }
        }
        if used.focus == Some(index) {
            let (out, width) = (Vec2::splat(4.0), 2.5);
            piece.mark(
                Ink::Voted,
                0.95,
                Figure::Box { low: -out, high: size + out, radius: radius + 4.0, width, top: f32::MIN },
            );
        }
        piece
    };
    boxes(stage).enumerate().map(piece).collect()
}

fn switch(piece: &mut Piece, size: Vec2, unit: f32, value: f32, color: [f32; 3]) {
    let track = TRACK * unit;
    let low = Vec2::new(size.x - track.x - 24.0 * unit, 0.5 * (size.y - track.y));
    let part = value.clamp(0.0, 1.0);
    let whole = Figure::filled(low, low + track, 0.5 * track.y);
    piece.mark(Ink::Voted, 0.28 * (1.0 - part), whole.clone());
    piece.mark(Ink::Fixed(color), part, whole);
    let knob = 0.5 * track.y - 3.0 * unit;
    // It is as wide as it is late: the spring shows.
    let stretch = 4.0 * unit * (4.0 * part * (1.0 - part));
    let way = track.x - 2.0 * (knob + 3.0 * unit);
    let middle = low + Vec2::new(knob + 3.0 * unit + value * way, 0.5 * track.y);
    let half = Vec2::new(knob + stretch, knob);
    piece.mark(Ink::Fixed([1.0; 3]), 1.0, Figure::filled(middle - half, middle + half, knob));
}

/// A slider follows the pointer from where it was; a switch follows it across.
pub fn drag(used: &mut Use, scene: &mut SceneSettings, stage: &Stage) {
    let (Some(held), Some(hand)) = (used.held, used.hand) else { return };
    let Some(piece) = held.piece else { return };
    let Some((control, _, size)) = boxes(stage).nth(piece) else { return };
    match control {
        Control::Slider(..) => {
            let length = size.y - 2.0 * INSET * unit(stage);
            set_level(piece, held.before + (held.at.y - hand.y) / length.max(1.0), scene);
            used.pose_mut(piece).value.at = level(piece, scene).unwrap_or_default();
        }
        Control::Switch(_, _, _, bit) if held.drags => {
            let way = hand.x - held.at.x;
            if way.abs() > 0.5 * TRACK.x * unit(stage) {
                scene.switches = if way > 0.0 { scene.switches | 1 << bit } else { scene.switches & !(1 << bit) };
            }
        }
        _ => {}
    }
}

pub fn act(piece: usize, scene: &mut SceneSettings) {
    if let Some((Control::Round(_, _, _, bit) | Control::Switch(_, _, _, bit), _)) = CONTROLS.get(piece) {
        scene.switches ^= 1 << bit;
    }
}

pub fn advance(used: &mut Use, seconds: f32, scene: &SceneSettings, feel: &Feel) -> bool {
    let mut moves = false;
    for (index, (control, _)) in CONTROLS.iter().enumerate() {
        moves |= used.pose_mut(index).value.advance(seconds, goal(*control, scene), &SPRING, feel);
    }
    moves
}

pub fn key(used: &mut Use, key: Key, is_down: bool, scene: &mut SceneSettings) -> bool {
    let count = CONTROLS.len();
    let step = match key {
        Key::Next => {
            used.focus = if is_down { used.focus.map_or(Some(0), |at| Some((at + 1) % count)) } else { used.focus };
            return true;
        }
        Key::Previous => {
            let before = |at: usize| (at + count - 1) % count;
            used.focus = if is_down { used.focus.map_or(Some(count - 1), |at| Some(before(at))) } else { used.focus };
            return true;
        }
        Key::Up | Key::Right => STEP,
        Key::Down | Key::Left => -STEP,
        Key::PageUp => 3.0 * STEP,
        Key::PageDown => -3.0 * STEP,
        Key::Home => -1.0,
        Key::End => 1.0,
        Key::Act => 0.0,
        Key::Letter(_) => return false,
    };
    let Some(focus) = used.focus else { return false };
    match (key, level(focus, scene)) {
        (Key::Act, _) => match is_down {
            true => used.pose_mut(focus).press.grab(Vec2::ZERO),
            false => {
                used.pose_mut(focus).press.stop();
                act(focus, scene);
            }
        },
        (_, Some(level)) if is_down => set_level(focus, level + step, scene),
        (_, None) if is_down => {
            if let Some((Control::Switch(_, _, _, bit), _)) = CONTROLS.get(focus) {
                scene.switches = if step > 0.0 { scene.switches | 1 << bit } else { scene.switches & !(1 << bit) };
            }
        }
        _ => {}
    }
    true
}
