//! Key of A and B, and the message about what is of one picture.

use super::PanelKey;
use super::keys::{Group, Held, Line, Shortcut, key, keys};
use egui::Key;

pub const COMPARE: &str = "compare";

pub const KEYS: Line = keys(
    Group::Inspect,
    &[key(Held::Nothing, Key::B, Shortcut::Panel(PanelKey::Instrument(COMPARE)), "Compare A and B")],
    " beside a line; again, or Esc: A alone",
);

pub fn without_b(why: &str) -> String {
    format!("{why}: close A and B first ({}).", KEYS.name())
}
