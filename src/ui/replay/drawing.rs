//! Drawings over a grid of a figure.

use crate::theme;
use egui::epaint::{Mesh, PathShape, Shape, TessellationOptions, Tessellator};
use egui::{Color32, Context, Painter, Pos2, Rect, Stroke, Vec2, pos2, vec2};
use technique::{Drawing, Form, THIN};

/// Points of dashes and of the gaps between them.
const DASH: [f32; 2] = [4.0, 3.0];

const FILLED: f32 = 0.22;

/// `part`: opacity.
pub fn draw(painter: &Painter, area: Rect, cell: Vec2, drawings: &[Drawing], part: f32) {
    let painter = painter.with_clip_rect(painter.clip_rect().intersect(area));
    let place = |[x, y]: [f32; 2]| area.min + vec2(x, y) * cell;
    let mut all = Vec::new();
    for drawing in drawings {
        all.extend(shapes(drawing, drawing.points.iter().copied().map(place).collect(), cell, part));
    }
    painter.add(mesh_of(painter.ctx(), all));
    for drawing in drawings.iter().filter(|drawing| !drawing.label.is_empty()) {
        if let Some(at) = drawing.points.last() {
            label(&painter, area, place(*at), drawing, part);
        }
    }
}

/// A mesh keeps its colours in a light theme.
pub fn mesh_of(ctx: &Context, shapes: Vec<Shape>) -> Shape {
    let texels = ctx.fonts(|fonts| fonts.font_image_size());
    let mut tessellator = Tessellator::new(ctx.pixels_per_point(), TessellationOptions::default(), texels, Vec::new());
    let mut mesh = Mesh::default();
    shapes.into_iter().for_each(|shape| tessellator.tessellate_shape(shape, &mut mesh));
    Shape::mesh(mesh)
}

fn shapes(drawing: &Drawing, points: Vec<Pos2>, cell: Vec2, part: f32) -> Vec<Shape> {
    let color = theme::rgb(drawing.color).gamma_multiply(drawing.opacity * part);
    // Side by side: joined, sharp corners would be spikes.
    let ring = |points: Vec<Pos2>, width, fill| {
        let ends = points.iter().cycle().skip(1);
        let sides =
            points.iter().zip(ends).map(|(from, to)| Shape::line_segment([*from, *to], Stroke::new(width, color)));
        let mut all: Vec<Shape> = sides.collect();
        all.insert(0, Shape::Path(PathShape { points, closed: true, fill, stroke: Stroke::NONE.into() }));
        all
    };
    match drawing.form {
        Form::Line(width) => vec![Shape::line(points, Stroke::new(width, color))],
        Form::Ring(width) => ring(points, width, Color32::TRANSPARENT),
        Form::Area => ring(points, THIN, color.gamma_multiply(FILLED)),
        Form::Dashed(width) => Shape::dashed_line(&points, Stroke::new(width, color), DASH[0], DASH[1]),
        Form::Arrow(width) => arrow(points, Stroke::new(width, color)),
        Form::Strip => vec![strip(&points, color)],
        Form::Circle(radius) => {
            let circle = |at| Shape::circle_stroke(at, radius * cell.min_elem(), Stroke::new(THIN, color));
            points.into_iter().map(circle).collect()
        }
        Form::Dot(radius) => {
            let edge = Stroke::new(1.0, Color32::from_black_alpha(160));
            let dot = |at| [Shape::circle_filled(at, radius, color), Shape::circle_stroke(at, radius, edge)];
            points.into_iter().flat_map(dot).collect()
        }
    }
}

fn arrow(points: Vec<Pos2>, stroke: Stroke) -> Vec<Shape> {
    let ends = points.last().zip(points.iter().rev().nth(1)).map(|(tip, before)| (*tip, (*tip - *before).normalized()));
    let head = ends.filter(|(_, along)| along.is_finite()).map(|(tip, along)| {
        let wing = |side: f32| tip - 7.0 * along + side * 3.4 * along.rot90();
        Shape::convex_polygon(vec![tip, wing(1.0), wing(-1.0)], stroke.color, Stroke::NONE)
    });
    [Shape::line(points, stroke)].into_iter().chain(head).collect()
}

/// Areas have no smooth edges: lines along them do.
fn strip(points: &[Pos2], color: Color32) -> Shape {
    let mut mesh = Mesh::default();
    points.iter().for_each(|at| mesh.colored_vertex(*at, color));
    for first in 2..points.len() as u32 {
        mesh.add_triangle(first - 2, first - 1, first);
    }
    Shape::mesh(mesh)
}

/// Within the area, over a ground on which it is legible.
fn label(painter: &Painter, area: Rect, at: Pos2, drawing: &Drawing, part: f32) {
    let color = theme::rgb(drawing.color).lerp_to_gamma(Color32::WHITE, 0.35).gamma_multiply(part);
    let galley = painter.layout_no_wrap(drawing.label.clone(), theme::font(theme::SMALL), color);
    let size = galley.size();
    let most = (area.max - size - vec2(3.0, 2.0)).max(area.min);
    let corner = pos2((at.x + 7.0).min(most.x), (at.y - size.y - 3.0).clamp(area.top(), most.y));
    let ground = Rect::from_min_size(corner, size).expand2(vec2(3.0, 1.0));
    painter.rect_filled(ground, 3.0, Color32::from_black_alpha((190.0 * part) as u8));
    painter.add(egui::epaint::TextShape::new(corner, galley, color));
}
