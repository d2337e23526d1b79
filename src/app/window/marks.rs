//! What is drawn over the picture to be taken hold of: the line of a split view, the handles of the lens under the pointer.

use crate::scene::Lens;
use crate::ui::hand_grip::Handle;
use egui::{Color32, Context, LayerId, Pos2, Stroke};
use glam::Vec2;

const DARK: Color32 = Color32::from_black_alpha(110);
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

/// The eight handles.
pub fn handles(ctx: &Context, lens: &Lens) {
    let painter = ctx.layer_painter(LayerId::background());
    for handle in Handle::ALL {
        let at: Vec2 = handle.place(lens) / ctx.pixels_per_point();
        painter.circle(Pos2::new(at.x, at.y), 3.5, LIGHT, Stroke::new(1.0, DARK));
    }
}
