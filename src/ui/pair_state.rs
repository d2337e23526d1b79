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
    pub settings: &'a Settings,
    pub layout: PairLayout,
    /// Size of B as a fraction of that of A.
    pub scale: f32,
    /// Folder of its shaders, if other than A's.
    pub shaders: Option<&'a Path>,
    pub difference: Option<&'a PairDifference>,
    pub rows: &'a [TimeRow],
    /// 0 to 1.
    pub measured_part: Option<f32>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum PairAction {
    /// The present settings become B, with these values of a section.
    Pin(Option<(&'static str, toml::Table)>),
    Remove,
    Swap,
    Layout(PairLayout),
    Measure,
    Scale(f32),
    /// Shaders of this folder; `None`: those of A.
    Shaders(Option<PathBuf>),
    PickShaders,
}

pub fn flipped(now: PairLayout) -> PairLayout {
    if now == PairLayout::OnlyB { PairLayout::OnlyA } else { PairLayout::OnlyB }
}
