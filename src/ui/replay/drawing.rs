//! Drawings over a grid of a figure.

use crate::techniques::{Drawing, Form};
use egui::epaint::{Mesh, Shape};
use egui::{Color32, FontId, Painter, Pos2, Rect, Stroke, Vec2, pos2, vec2};

/// Lengths of dashes and of the gaps between them, points.
const DASH: [f32; 2] = [4.0, 3.0];

/// Draws over a grid of `columns` whose cells are in `area`; `part`: opacity.
pub fn draw(painter: &Painter, area: Rect, cell: Vec2, drawings: &[Drawing], part: f32) {
    let painter = painter.with_clip_rect(painter.clip_rect().intersect(area));
    let place = |[x, y]: [f32; 2]| area.min + vec2(x, y) * cell;
    for drawing in drawings {
        let [red, green, blue] = drawing.color;
        let color = Color32::from_rgb(red, green, blue).gamma_multiply(drawing.opacity * part);
        let points: Vec<Pos2> = drawing.points.iter().copied().map(place).collect();
        match drawing.form {
            Form::Line(width) => {
                painter.line(points, Stroke::new(width, color));
            }
            Form::Dashed(width) => {
                let stroke = Stroke::new(width, color);
                painter.extend(Shape::dashed_line(&points, stroke, DASH[0], DASH[1]));
            }
            Form::Arrow(width) => arrow(&painter, points, Stroke::new(width, color)),
            Form::Strip => strip(&painter, &points, color),
            Form::Circle(radius) => points.iter().for_each(|at| {
                painter.circle_stroke(*at, radius * cell.min_elem(), Stroke::new(1.2, color));
            }),
            Form::Dot(radius) => points.iter().for_each(|at| {
                painter.circle(*at, radius, color, Stroke::new(1.0, Color32::from_black_alpha(160)));
            }),
        }
    }
    // Over all lines.
    for drawing in drawings.iter().filter(|drawing| !drawing.label.is_empty()) {
        if let Some(at) = drawing.points.last() {
            label(&painter, area, place(*at), drawing, part);
        }
    }
}

fn arrow(painter: &Painter, points: Vec<Pos2>, stroke: Stroke) {
    let ends = points.last().zip(points.iter().rev().nth(1)).map(|(tip, before)| (*tip, (*tip - *before).normalized()));
    painter.line(points, stroke);
    if let Some((tip, along)) = ends.filter(|(_, along)| along.is_finite()) {
        let wing = |side: f32| tip - 7.0 * along + side * 3.4 * along.rot90();
        painter.add(Shape::convex_polygon(vec![tip, wing(1.0), wing(-1.0)], stroke.color, Stroke::NONE));
    }
}

/// Areas have no smooth edges: lines along them do.
fn strip(painter: &Painter, points: &[Pos2], color: Color32) {
    let mut mesh = Mesh::default();
    points.iter().for_each(|at| mesh.colored_vertex(*at, color));
    for first in 2..points.len() as u32 {
        mesh.add_triangle(first - 2, first - 1, first);
    }
    painter.add(Shape::mesh(mesh));
}

/// Beside the place, within the area, over a ground on which it is legible.
fn label(painter: &Painter, area: Rect, at: Pos2, drawing: &Drawing, part: f32) {
    let [red, green, blue] = drawing.color;
    let color = Color32::from_rgb(red, green, blue).lerp_to_gamma(Color32::WHITE, 0.35).gamma_multiply(part);
    let galley = painter.layout_no_wrap(drawing.label.clone(), FontId::proportional(11.0), color);
    let size = galley.size();
    let most = (area.max - size - vec2(3.0, 2.0)).max(area.min);
    let corner = pos2((at.x + 7.0).min(most.x), (at.y - size.y - 3.0).clamp(area.top(), most.y));
    let ground = Rect::from_min_size(corner, size).expand2(vec2(3.0, 1.0));
    painter.rect_filled(ground, 3.0, Color32::from_black_alpha((190.0 * part) as u8));
    painter.add(egui::epaint::TextShape::new(corner, galley, color));
}
