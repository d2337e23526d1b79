//! Parts of a window that the dock and an open page leave free.

use super::{DOCK, LEAST, PAGE, Ui, theme};
use egui::{Rect, pos2};

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
