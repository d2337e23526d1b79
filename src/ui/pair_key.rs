//! Key of A and B, and the message about what is of one picture.

use super::PanelKey;
use super::keys::{Held, Line, Shortcut, key, keys};
use egui::Key;

pub const COMPARE: &str = "compare";

pub const KEYS: Line = keys(
    &[key(Held::Nothing, Key::B, Shortcut::Panel(PanelKey::Instrument(COMPARE)), "The present settings become B")],
    ", beside A; again: no B",
);

/// There is a B.
pub fn without_b(why: &str) -> String {
    format!("{why}: remove B first ({}).", KEYS.name())
}
