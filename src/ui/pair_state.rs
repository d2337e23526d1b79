//! State of B beside A, and the actions on both.

use ab::{PairDifference, PairLayout, TimeRow};
use lab::Break;
use std::path::{Path, PathBuf};
use techniques::Settings;

#[derive(Clone, Copy)]
pub struct PairState<'a> {
    pub is_ready: bool,
    /// Settings are equal, but the pictures will be only once both have begun in the same frame: A alone is displayed.
    pub awaits_step: bool,
    /// Later frames of the same scene would change one of the pictures.
    pub is_unfinished: bool,
    pub broken: Option<Break>,
    /// Of the side that the panels do not edit.
    pub other: &'a Settings,
    /// The panels edit B, else A.
    pub edits_b: bool,
    pub layout: PairLayout,
    /// Folder of its shaders, if other than A's.
    pub shaders: Option<&'a Path>,
    pub difference: Option<&'a PairDifference>,
    pub rows: &'a [TimeRow],
    /// By the IDs of techniques.
    pub techniques: &'a [TimeRow],
    /// 0 to 1.
    pub measured_part: Option<f32>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum PairAction {
    /// A's settings become B, with these values of a section.
    Pin(Option<(&'static str, toml::Table)>),
    Remove,
    Edit {
        b: bool,
    },
    Layout(PairLayout),
    Measure,
    /// Shaders of this folder; `None`: those of A.
    Shaders(Option<PathBuf>),
    PickShaders,
}

impl PairState<'_> {
    /// Of the side that the panels edit, and of the other one.
    pub fn names(&self) -> [&'static str; 2] {
        if self.edits_b { ["B", "A"] } else { ["A", "B"] }
    }
}

pub fn flipped(now: PairLayout) -> PairLayout {
    if now == PairLayout::OnlyB { PairLayout::OnlyA } else { PairLayout::OnlyB }
}
