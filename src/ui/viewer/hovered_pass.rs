//! A row of the timings, or a bar of the timeline, under the pointer.

use egui::Rect;

/// A row of the timings or a bar of the timeline under the pointer, or a row with the focus.
#[derive(Clone, Debug, PartialEq)]
pub struct HoveredPass {
    /// Name of the pass.
    pub pass: String,
    /// The row, in points.
    pub row: Rect,
    /// Its costs, where no tooltip has them.
    pub costs: Option<RowCosts>,
}

/// Costs of a row.
#[derive(Clone, Debug, PartialEq)]
pub struct RowCosts {
    /// Its name.
    pub title: String,
    /// Whether it is a group: the picture is of its dearest pass.
    pub is_group: bool,
    /// GPU and CPU: in the last frame with it, per displayed frame, in the longest frame.
    pub sides: [[String; 3]; 2],
    /// When it runs, and what a click does.
    pub notes: String,
}
