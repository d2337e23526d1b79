//! State of B beside A, and the actions on both.

use crate::ab::{PairLayout, TimeRow};
use crate::base::difference::Difference;
use crate::lab::Break;
use crate::techniques::Settings;
use std::path::{Path, PathBuf};

/// Difference of both pictures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairDifference {
    /// Mean, largest, PSNR.
    pub numbers: Difference,
    /// Structural similarity.
    pub ssim: f64,
    /// Size of B, if it is another than that of A, at which both were compared.
    pub scaled_from: Option<[u32; 2]>,
}

/// B beside A.
#[derive(Clone, Copy)]
pub struct PairState<'a> {
    /// Whether the scene of B is drawn.
    pub is_ready: bool,
    /// Whether settings are equal, and the pictures will be once both have begun in the same frame: until then there is A alone.
    pub awaits_step: bool,
    /// Whether later frames of the same scene would change one of the pictures: mirrors, edges.
    pub is_unfinished: bool,
    /// What is dropped in B.
    pub broken: Option<Break>,
    /// The settings of B.
    pub settings: &'a Settings,
    /// What is displayed.
    pub layout: PairLayout,
    /// Size of B as a part of the size of A.
    pub scale: f32,
    /// Folder of its shaders, if it has its own.
    pub shaders: Option<&'a Path>,
    /// Of the last compared pictures.
    pub difference: Option<&'a PairDifference>,
    /// Times of the last measurement.
    pub rows: &'a [TimeRow],
    /// Progress of a measurement, 0 to 1.
    pub measured_part: Option<f32>,
}

/// An action on A and B.
#[derive(Clone, Debug, PartialEq)]
pub enum PairAction {
    /// The present settings become B; those of this section laid over them, if given.
    Pin(Option<(&'static str, toml::Table)>),
    /// B is removed.
    Remove,
    /// A becomes B, and B becomes A.
    Swap,
    /// Display both so.
    Layout(PairLayout),
    /// Measure the times of both.
    Measure,
    /// B has this part of the size of A.
    Scale(f32),
    /// B has the shaders of this folder; `None`: those of A.
    Shaders(Option<PathBuf>),
    /// Show the dialogue for that folder.
    PickShaders,
}

/// The other of both alone.
#[must_use]
pub fn flipped(now: PairLayout) -> PairLayout {
    if now == PairLayout::OnlyB { PairLayout::OnlyA } else { PairLayout::OnlyB }
}
