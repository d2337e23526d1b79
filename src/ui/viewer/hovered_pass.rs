//! A row of the timings under the pointer.

use egui::Rect;

/// A row of the timings under the pointer, or with the focus.
#[derive(Clone, Debug, PartialEq)]
pub struct HoveredPass {
    /// Name of the pass.
    pub pass: String,
    /// The row, in points.
    pub row: Rect,
    /// Its name.
    pub title: String,
    /// GPU and CPU: in the last frame with it, per displayed frame, in the longest frame.
    pub sides: [[String; 3]; 2],
    /// When it runs, and what a click does.
    pub notes: String,
}
