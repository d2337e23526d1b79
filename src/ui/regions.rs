//! Regions of the window: what the dock, an open page and the legend leave free, how wide they are, and areas held to a corner or side.

use super::{LEAST, Ui, theme};
use egui::{Align2, Area, Context, Id, Order, Rect, pos2};

/// Width of the dock in points, where the window is wide enough.
const DOCK: f32 = 316.0;
/// Width of an opened page in points, where the window is wide enough.
const PAGE: f32 = 680.0;

impl Ui {
    /// The part of a window of this size, in points, that the dock leaves free.
    pub fn free_of_dock(&self, window: egui::Vec2) -> Rect {
        let whole = Rect::from_min_size(egui::Pos2::ZERO, window);
        let inner = whole.shrink(theme::GAP);
        if !self.visible || inner.width() < LEAST.x || inner.height() < LEAST.y {
            return whole;
        }
        whole.with_max_x((inner.right() - dock_width(inner) - theme::GAP).max(inner.left()))
    }

    /// The part of a window of this size, in points, that no panel covers.
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
        // Where a page takes all of it, a lens lies below that.
        if right < LEAST.x { whole } else { Rect { max: pos2(right, whole.bottom()), ..whole } }
    }

    /// The same, above the legend of the view that was shown last.
    pub fn free_above_legend(&self, window: egui::Vec2) -> Rect {
        let free = self.free(window);
        let bottom = free.bottom() - self.legend;
        Rect { max: pos2(free.right(), if bottom < LEAST.y { free.bottom() } else { bottom }), ..free }
    }
}

/// How wide the dock is in what the border leaves of a window.
pub(super) fn dock_width(inner: Rect) -> f32 {
    DOCK.min(inner.width()).min((inner.width() * 0.5).max(200.0))
}

/// How wide a page is in what the dock leaves: beside it the lens is to be seen, where there is room for both.
pub(super) fn page_width(free: Rect) -> f32 {
    PAGE.min((free.width() * 0.55).max(380.0)).min(free.width())
}

/// A part of the window that lies over the picture, held to a corner or side of `space`.
pub(super) fn floating(ctx: &Context, name: &str, space: Rect, align: Align2, add: impl FnOnce(&mut egui::Ui)) -> Rect {
    // What is left of a window beside everything else may be nothing.
    let space = Rect { max: space.max.max(space.min), ..space };
    // Shown at once: where a frame takes long, one that fades in would be missing from the first of them.
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
