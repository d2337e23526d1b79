//! A keyboard: the 48 keys that write, and a line of what is written.

use super::{Figure, Ink, Key, PartKind, Piece, Stage, Use};
use glam::Vec2;

/// First column in widths of a key, and the keys; lower case.
const ROWS: [(f32, &str); 5] =
    [(0.0, "`1234567890-="), (1.5, "qwertyuiop[]\\"), (1.75, "asdfghjkl;'"), (2.25, "zxcvbnm,./"), (3.75, " ")];
/// Widths of a key: of all rows, and of the space bar.
const WIDTH: f32 = 14.5;
const BAR: f32 = 6.25;
const LAST_OF_ROW: f32 = 1.5;
/// Points.
const UNIT: f32 = 58.0;
const MOST_WRITTEN: usize = 28;

fn unit(stage: &Stage) -> f32 {
    let (_, room) = stage.room();
    UNIT.min(room.x / WIDTH).min(room.y / 6.6)
}

fn letters() -> impl Iterator<Item = (usize, f32, char)> {
    ROWS.iter().enumerate().flat_map(|(row, (first, keys))| {
        keys.chars().enumerate().map(move |(column, letter)| (row, first + column as f32, letter))
    })
}

pub fn pieces(used: &Use, stage: &Stage) -> Vec<Piece> {
    let (unit, (middle, _)) = (unit(stage), stage.room());
    let corner = middle - Vec2::new(0.5 * WIDTH, 0.5 * 6.6) * unit;
    let gap = 0.12 * unit;
    let key = |(row, column, letter): (usize, f32, char)| {
        let width = match letter {
            ' ' => BAR,
            '\\' => LAST_OF_ROW,
            _ => 1.0,
        };
        let low = corner + Vec2::new(column, 1.6 + row as f32) * unit;
        let size = Vec2::new(width, 1.0) * unit - gap;
        let mut piece = Piece::new(low + 0.5 * gap, size, 0.22 * unit);
        let sign = letter.to_ascii_uppercase().to_string();
        let at = Vec2::new(0.5 * size.x, 0.5 * size.y + 0.13 * unit);
        piece.mark(Ink::Voted, 0.96, Figure::text(sign, 0.38 * unit, at, 0.5));
        piece
    };
    let mut all: Vec<Piece> = letters().map(key).collect();
    let size = Vec2::new(WIDTH, 1.15) * unit;
    let mut line = Piece::new(corner, size, 0.5 * size.y);
    let (text, alpha) = match used.typed.is_empty() {
        true => ("Write something".to_owned(), 0.7),
        false => (format!("{}|", used.typed), 1.0),
    };
    line.mark(Ink::Voted, alpha, Figure::text(text, 0.46 * unit, Vec2::new(0.55 * unit, 0.74 * unit), 0.0));
    all.push(line);
    all
}

/// A key; its name, but for the space bar's, is on it.
pub fn part(piece: usize) -> Option<(&'static str, PartKind)> {
    letters().nth(piece).map(|(_, _, letter)| (if letter == ' ' { "Space" } else { "" }, PartKind::Button))
}

pub fn write(used: &mut Use, piece: usize) {
    let Some((_, _, letter)) = letters().nth(piece) else { return };
    used.typed.push(letter);
    let surplus = used.typed.chars().count().saturating_sub(MOST_WRITTEN);
    used.typed.drain(..used.typed.char_indices().nth(surplus).map_or(0, |(at, _)| at));
}

/// The key with a sign of the American layout, shifted or not.
fn piece_of(sign: char) -> Option<usize> {
    const SHIFTED: &str = "~!@#$%^&*()_+{}|:\"<>?";
    const PLAIN: &str = "`1234567890-=[]\\;',./";
    let at = SHIFTED.chars().position(|shifted| shifted == sign);
    let plain = at.and_then(|at| PLAIN.chars().nth(at)).unwrap_or_else(|| sign.to_ascii_lowercase());
    letters().position(|(_, _, letter)| letter == plain)
}

pub fn key(used: &mut Use, key: Key, is_down: bool) -> bool {
    let sign = match key {
        Key::Letter(sign) => sign,
        Key::Act => ' ',
        Key::Left if is_down => return used.typed.pop().is_some(),
        _ => return false,
    };
    let Some(piece) = piece_of(sign) else { return false };
    if is_down {
        used.pose_mut(piece).press.grab(Vec2::ZERO);
        write(used, piece);
    } else {
        used.pose_mut(piece).press.stop();
    }
    true
}
