//! Regions of the window that are free of dock, page and legend.

use super::{
    dock::Dock,
    layout::{LEAST, page_width},
    panels::Ui,
    theme,
};
use egui::Rect;

impl Ui {
    pub fn free(&self, window: egui::Vec2) -> Rect {
        let whole = Rect::from_min_size(egui::Pos2::ZERO, window);
        let inner = whole.shrink(theme::GAP);
        if !self.visible || inner.width() < LEAST.x || inner.height() < LEAST.y {
            return whole;
        }
        let mut right = beside(self.dock, window).right();
        if self.help.page.is_some() {
            right = right - page_width(inner.with_max_x(right)) - theme::GAP;
        }
        // If a page covers all of it, a lens is below the page.
        if right < LEAST.x { whole } else { whole.with_max_x(right) }
    }

    pub fn free_above_legend(&self, window: egui::Vec2) -> Rect {
        let free = self.free(window);
        let bottom = free.bottom() - self.legend;
        if bottom < LEAST.y { free } else { free.with_max_y(bottom) }
    }
}

/// Beside the dock as it is at the first start.
pub fn beside_dock(window: egui::Vec2) -> Rect {
    beside(Dock::default(), window)
}

fn beside(dock: Dock, window: egui::Vec2) -> Rect {
    let whole = Rect::from_min_size(egui::Pos2::ZERO, window);
    let inner = whole.shrink(theme::GAP);
    if inner.width() < LEAST.x || inner.height() < LEAST.y {
        return whole;
    }
    whole.with_max_x((inner.right() - dock.width(inner) - theme::GAP).max(inner.left()))
}
