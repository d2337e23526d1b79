//! Gizmos over the picture: lines of split and broken views, handles of the selected lens, an outline of the one under
//! the pointer.

use super::split;
use egui::{Color32, Pos2, Rangef, Shape, Stroke, epaint::CircleShape};
use glam::Vec2;
use scene::Lens;
use ui::manipulator::hit_test::{ADD_RADIUS, Handle, turn_place};

const DARK: Color32 = Color32::from_black_alpha(110);
const FAINT_DARK: Color32 = Color32::from_black_alpha(50);
const FAINT: Color32 = Color32::from_rgba_premultiplied(120, 120, 120, 120);
/// Logical pixels from the lens.
const MARK: f32 = 3.0;
const LIGHT: Color32 = Color32::from_rgba_premultiplied(230, 230, 230, 230);

pub fn line(x: f32, height: f32) -> Vec<Shape> {
    let down = Rangef::new(0.0, height);
    let thick = |width: f32, color: Color32| Shape::vline(x, down, Stroke::new(width, color));
    let knob = Pos2::new(x, height - split::KNOB);
    let arrow = |side: f32| {
        let corners = [[3.0, -3.0], [6.0, 0.0], [3.0, 3.0]].map(|[out, down]| knob + egui::vec2(side * out, down));
        Shape::line(corners.to_vec(), Stroke::new(1.5, LIGHT))
    };
    let ground = circle(knob, split::KNOB_RADIUS, Color32::from_black_alpha(190), Stroke::new(1.5, LIGHT));
    vec![thick(3.0, DARK), thick(1.0, LIGHT), ground, arrow(-1.0), arrow(1.0)]
}

pub fn red_frame(window: egui::Rect) -> Shape {
    let stroke = Stroke::new(4.0, Color32::from_rgb(230, 50, 40));
    Shape::Rect(egui::epaint::RectShape::stroke(window, 0.0, stroke, egui::StrokeKind::Inside))
}

#[derive(Clone, Debug)]
pub struct LensMarks {
    pub selected: Option<Lens>,
    pub hovered: Option<Lens>,
    pub add: Option<Vec2>,
    pub scale: f32,
}

impl LensMarks {
    pub fn shapes(&self, pixels_per_point: f32) -> Vec<Shape> {
        let point = |at: Vec2| {
            let at = at / pixels_per_point;
            Pos2::new(at.x, at.y)
        };
        let mut all = Vec::new();
        if let Some(lens) = &self.hovered {
            let line: Vec<Pos2> = outline(lens, MARK * self.scale, self.scale).into_iter().map(point).collect();
            all.push(Shape::closed_line(line.clone(), Stroke::new(2.0, FAINT_DARK)));
            all.push(Shape::closed_line(line, Stroke::new(1.0, FAINT)));
        }
        if let Some(at) = self.add.map(point) {
            let arm = 0.45 * ADD_RADIUS;
            let radius = ADD_RADIUS * self.scale / pixels_per_point;
            all.push(circle(at, radius, Color32::from_black_alpha(150), Stroke::new(1.2, LIGHT)));
            for way in [egui::vec2(arm, 0.0), egui::vec2(0.0, arm)] {
                all.push(Shape::line_segment([at - way, at + way], Stroke::new(1.5, LIGHT)));
            }
        }
        let Some(lens) = &self.selected else { return all };
        all.extend(
            Handle::ALL.map(|handle| circle(point(handle.place(lens, self.scale)), 3.5, LIGHT, Stroke::new(1.0, DARK))),
        );
        let (top, end) = (point(top_of(lens, self.scale)), point(turn_place(lens, self.scale)));
        all.push(Shape::line_segment([top, end], Stroke::new(2.0, DARK)));
        all.push(Shape::line_segment([top, end], Stroke::new(1.0, FAINT)));
        all.push(circle(end, 5.0, DARK, Stroke::new(1.5, LIGHT)));
        all
    }
}

fn circle(center: Pos2, radius: f32, fill: Color32, stroke: Stroke) -> Shape {
    CircleShape { center, radius, fill, stroke }.into()
}

fn top_of(lens: &Lens, scale: f32) -> Vec2 {
    lens.center + Vec2::from_angle(lens.angle()).rotate(Vec2::new(0.0, -lens.half(scale).y))
}

fn outline(lens: &Lens, out_px: f32, scale: f32) -> Vec<Vec2> {
    const POINTS: u16 = 128;
    let turn = Vec2::from_angle(lens.angle());
    let power = |x: f32| x.signum() * x.abs().powf(2.0 / lens.outline.exponent);
    let inner = lens.outline.corner(scale);
    let (corner, core) = (inner + out_px, lens.half(scale) - inner);
    let on = |index: u16| {
        // The sides of a capsule run from one point to the next.
        let way = Vec2::from_angle((f32::from(index) + 0.5) / f32::from(POINTS) * std::f32::consts::TAU);
        lens.center + turn.rotate(core * way.signum() + corner * Vec2::new(power(way.x), power(way.y)))
    };
    (0..POINTS).map(on).collect()
}
