//! Sizes of dock and page, and floating areas.

use egui::{Align2, Area, Context, Id, Order, Rect, Vec2, vec2};

/// Width of the dock in points, in a wide enough window.
const DOCK: f32 = 316.0;
/// Width of an open page in points, in a wide enough window.
const PAGE: f32 = 680.0;

/// Smallest width and height in points in which panels are drawn: in less nothing could be read, and egui takes no negative sizes.
pub(super) const LEAST: Vec2 = vec2(200.0, 64.0);

/// Width of the dock within a window's border.
pub(super) fn dock_width(inner: Rect) -> f32 {
    DOCK.min(inner.width()).min((inner.width() * 0.5).max(200.0))
}

/// Width of a page in the area free of the dock: it leaves a lens visible beside it if there is room for both.
pub(super) fn page_width(free: Rect) -> f32 {
    PAGE.min((free.width() * 0.55).max(380.0)).min(free.width())
}

/// Floating area over the picture, anchored to a corner or side of `space`.
pub(super) fn floating(ctx: &Context, name: &str, space: Rect, align: Align2, add: impl FnOnce(&mut egui::Ui)) -> Rect {
    // The panels may leave an empty area.
    let space = Rect { max: space.max.max(space.min), ..space };
    // Without fade-in: with slow frames it would be missing from the first of them.
    let area = Area::new(Id::new(name)).order(Order::Middle).pivot(align).fixed_pos(align.pos_in_rect(&space));
    let area = area.fade_in(false);
    area.constrain_to(space.expand(1.0))
        .default_size(space.size())
        .show(ctx, |ui| {
            ui.set_max_size(space.size());
            add(ui);
        })
        .response
        .rect
}
