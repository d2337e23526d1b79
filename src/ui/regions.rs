//! Regions of the window that are free of dock, page and legend.

use super::{
    layout::{LEAST, dock_width, page_width},
    panels::Ui,
    theme,
};
use egui::{Rect, pos2};

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

    /// As [`free`](Self::free), above the legend of the last shown view.
    pub fn free_above_legend(&self, window: egui::Vec2) -> Rect {
        let free = self.free(window);
        let bottom = free.bottom() - self.legend;
        Rect { max: pos2(free.right(), if bottom < LEAST.y { free.bottom() } else { bottom }), ..free }
    }
}
