//! What is drawn over the picture to be taken hold of: the line of a split view, the handles of the lens under the pointer, and a faint
//! line around the lens that keys and panels work on.

use crate::scene::Lens;
use crate::ui::hand_grip::{Handle, turn_place};
use egui::{Color32, Context, LayerId, Painter, Pos2, Shape, Stroke};
use glam::Vec2;

const DARK: Color32 = Color32::from_black_alpha(110);
const FAINT_DARK: Color32 = Color32::from_black_alpha(50);
const FAINT: Color32 = Color32::from_rgba_premultiplied(120, 120, 120, 120);
/// How far outside the lens the line of the selected one runs, in logical pixels.
const MARK: f32 = 5.0;
const LIGHT: Color32 = Color32::from_rgba_premultiplied(230, 230, 230, 230);

/// The line of a split view at `x_px`.
pub fn line(ctx: &Context, x_px: f32) {
    let painter = ctx.layer_painter(LayerId::background());
    let (x, range) = (x_px / ctx.pixels_per_point(), ctx.content_rect().y_range());
    painter.vline(x, range, Stroke::new(3.0, DARK));
    painter.vline(x, range, Stroke::new(1.0, LIGHT));
    let grip = Pos2::new(x, range.center());
    painter.circle(grip, 7.0, DARK, Stroke::new(1.5, LIGHT));
}

/// What is drawn around lenses.
#[derive(Clone, Debug)]
pub struct LensMarks {
    /// The lens whose handles are shown.
    pub handles: Option<Lens>,
    /// Whether that one has the ninth, which turns it.
    pub turns: bool,
    /// The selected lens, where there are others.
    pub selected: Option<Lens>,
    /// Physical pixels per logical one.
    pub scale: f32,
}

impl LensMarks {
    /// Draws them below the panels.
    pub fn draw(&self, ctx: &Context) {
        let painter = ctx.layer_painter(LayerId::background());
        let point = |at: Vec2| {
            let at = at / ctx.pixels_per_point();
            Pos2::new(at.x, at.y)
        };
        if let Some(lens) = &self.selected {
            let line: Vec<Pos2> = outline(lens, MARK * self.scale).into_iter().map(point).collect();
            painter.add(Shape::closed_line(line.clone(), Stroke::new(2.0, FAINT_DARK)));
            painter.add(Shape::closed_line(line, Stroke::new(1.0, FAINT)));
        }
        let Some(lens) = &self.handles else { return };
        for handle in Handle::ALL {
            dot(&painter, point(handle.place(lens)));
        }
        if self.turns {
            let (top, end) = (point(top_of(lens)), point(turn_place(lens, self.scale)));
            painter.line_segment([top, end], Stroke::new(2.0, DARK));
            painter.line_segment([top, end], Stroke::new(1.0, FAINT));
            painter.circle(end, 5.0, DARK, Stroke::new(1.5, LIGHT));
        }
    }
}

fn dot(painter: &Painter, at: Pos2) {
    painter.circle(at, 3.5, LIGHT, Stroke::new(1.0, DARK));
}

fn top_of(lens: &Lens) -> Vec2 {
    lens.center + Vec2::from_angle(lens.angle).rotate(Vec2::new(0.0, -lens.half.y))
}

/// The outline as a polygon, so many pixels farther out.
fn outline(lens: &Lens, out_px: f32) -> Vec<Vec2> {
    const POINTS: u16 = 128;
    let turn = Vec2::from_angle(lens.angle);
    let power = |x: f32| x.signum() * x.abs().powf(2.0 / lens.exponent);
    let (corner, core) = (lens.corner() + out_px, lens.half - lens.corner());
    let on = |index: u16| {
        // Half a step off the axes: the sides of a capsule run from one point to the next.
        let way = Vec2::from_angle((f32::from(index) + 0.5) / f32::from(POINTS) * std::f32::consts::TAU);
        lens.center + turn.rotate(core * way.signum() + corner * Vec2::new(power(way.x), power(way.y)))
    };
    (0..POINTS).map(on).collect()
}
