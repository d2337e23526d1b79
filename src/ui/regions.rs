//! Layout regions of the window: areas free of dock, page and legend, their widths, and floating areas.

use super::{LEAST, Ui, theme};
use egui::{Align2, Area, Context, Id, Order, Rect, pos2};

/// Width of the dock in points, in a wide enough window.
const DOCK: f32 = 316.0;
/// Width of an open page in points, in a wide enough window.
const PAGE: f32 = 680.0;

impl Ui {
    /// The part of a window of this size, in points, free of the dock.
    pub fn free_of_dock(&self, window: egui::Vec2) -> Rect {
        let whole = Rect::from_min_size(egui::Pos2::ZERO, window);
        let inner = whole.shrink(theme::GAP);
        if !self.visible || inner.width() < LEAST.x || inner.height() < LEAST.y {
            return whole;
        }
        whole.with_max_x((inner.right() - dock_width(inner) - theme::GAP).max(inner.left()))
    }

    /// The part of a window of this size, in points, free of panels.
    pub fn free(&self, window: egui::Vec2) -> Rect {
        let whole = Rect::from_min_size(egui::Pos2::ZERO, window);
        let inner = whole.shrink(theme::GAP);
        if !self.visible || inner.width() < LEAST.x || inner.height() < LEAST.y {
            return whole;
        }
        let mut right = self.free_of_dock(window).right();
        if self.help.page.is_some() {
            right = right - page_width(Rect { max: pos2(right, inner.bottom()), ..inner }) - theme::GAP;
        }
        // If a page covers all of it, a lens is below the page.
        if right < LEAST.x { whole } else { Rect { max: pos2(right, whole.bottom()), ..whole } }
    }

    /// The same, above the legend of the last shown view.
    pub fn free_above_legend(&self, window: egui::Vec2) -> Rect {
        let free = self.free(window);
        let bottom = free.bottom() - self.legend;
        Rect { max: pos2(free.right(), if bottom < LEAST.y { free.bottom() } else { bottom }), ..free }
    }
}

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
