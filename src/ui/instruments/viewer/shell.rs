//! Panel around a picture that the renderer draws: a frame with a hole.

use crate::panel_rects;
use crate::theme;
use egui::{Color32, CornerRadius, Rect, Shape, Stroke, StrokeKind, Ui};

/// Fills `panel` except for `hole`; `below` is a place in the list of shapes under the content.
pub(super) fn fill(ui: &Ui, below: egui::layers::ShapeIdx, panel: Rect, hole: Option<Rect>) {
    let frame = theme::panel();
    let radius = frame.corner_radius;
    // Opaque on glass, too, and over other panels: nothing shines through.
    let fill = frame.fill.to_opaque();
    let mut shapes = Vec::new();
    match hole {
        None => shapes.push(Shape::rect_filled(panel, radius, fill)),
        Some(hole) => {
            let none = CornerRadius::ZERO;
            let (top, bottom) = (panel.with_max_y(hole.top()), panel.with_min_y(hole.bottom()));
            let row = panel.with_min_y(hole.top()).with_max_y(hole.bottom());
            let (left, right) = (row.with_max_x(hole.left()), row.with_min_x(hole.right()));
            shapes.push(Shape::rect_filled(top, CornerRadius { sw: 0, se: 0, ..radius }, fill));
            shapes.push(Shape::rect_filled(bottom, CornerRadius { nw: 0, ne: 0, ..radius }, fill));
            shapes.extend([left, right].map(|side| Shape::rect_filled(side, none, fill)));
            let edge = Stroke::new(1.0, Color32::from_white_alpha(28));
            shapes.push(Shape::rect_stroke(hole, none, edge, StrokeKind::Outside));
        }
    }
    shapes.push(Shape::rect_stroke(panel, radius, frame.stroke, StrokeKind::Inside));
    ui.painter().set(below, Shape::Vec(shapes));
    panel_rects::note_opaque(ui.ctx(), panel);
}
