//! Labels over a picture of several parts side by side.

use egui::{Align2, Context, Id, LayerId, Order, Pos2, Rect, pos2, vec2};

use super::theme;

#[derive(Clone, Debug, PartialEq)]
pub struct Strip {
    pub place: Rect,
    pub name: String,
}

/// `x`: line of a split view, points from the left.
pub fn sides(x: f32, free: Rect, names: [&str; 2]) -> Vec<Strip> {
    let sides = [free.with_max_x(x), free.with_min_x(x)];
    let sign = |(side, name): (Rect, &str)| Strip { place: side, name: name.to_owned() };
    sides.into_iter().zip(names).map(sign).filter(|strip| strip.place.width() >= SIDE).collect()
}

/// Least width of a labelled side.
const SIDE: f32 = 90.0;

/// Label with this corner or side at `at`, moved into `space`.
pub fn sign(ctx: &Context, space: Rect, at: Pos2, align: Align2, name: &str) {
    let painter = ctx.layer_painter(LayerId::new(Order::Background, Id::new("strips")));
    let width = (space.width() - 12.0).max(8.0);
    let text = painter.layout(name.to_owned(), theme::font(theme::SMALL), theme::TEXT, width);
    let place = align.anchor_size(at, text.size() + vec2(10.0, 7.0));
    let x = place.left().min(space.right() - place.width()).max(space.left());
    let place = Rect::from_min_size(pos2(x, place.top()), place.size());
    painter.rect_filled(place, 5.0, theme::PANEL);
    painter.galley(place.min + vec2(5.0, 3.5), text, theme::TEXT);
}

pub fn show(ctx: &Context, strips: &[Strip]) {
    for Strip { place, name } in strips {
        sign(ctx, *place, place.center_top() + vec2(0.0, 14.0), Align2::CENTER_TOP, name);
    }
}
