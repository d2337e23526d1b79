//! A row of the timings, or a bar of the timeline, under the pointer.

use egui::Rect;

/// A row of the timings or a bar of the timeline under the pointer, or a row with the focus.
#[derive(Clone, Debug, PartialEq)]
pub struct HoveredPass {
    pub pass: String,
    pub row: Rect,
    /// Where no tooltip has them.
    pub costs: Option<RowCosts>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct RowCosts {
    pub title: String,
    /// The picture is of the group's dearest pass.
    pub is_group: bool,
    /// GPU and CPU: in the last frame with it, per displayed frame, in the longest frame.
    pub sides: [[String; 3]; 2],
    /// When it runs, and what a click does.
    pub notes: String,
}
