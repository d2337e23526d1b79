//! Page of the sources' tables, beside the dock.

use egui::{Align2, Context, Rect, pos2, vec2};

use super::layout::{floating, page_width};
use super::panels::{SHEET_LEAST, Ui};
use super::state::{UiAction, UiState};
use super::{panel_rects, theme};
use crate::scene::GlassPanelKind;

impl Ui {
    /// In the area of the window that is free of the dock or, in a narrow window, over it.
    pub(super) fn tables_page(
        &mut self,
        ctx: &Context,
        (window, free): (Rect, Rect),
        state: &UiState<'_>,
        actions: &mut Vec<UiAction>,
    ) {
        let frame = theme::page();
        let margin = frame.total_margin().sum();
        let free = if free.width() < SHEET_LEAST { window.shrink(theme::GAP) } else { free };
        let needed = self.help.tables.width(ctx, state.measured.tables) + margin.x + 12.0;
        let width = needed.max(page_width(free)).min(free.width());
        let rect = Rect::from_min_size(pos2(free.right() - width, free.top()), vec2(width, free.height()));
        floating(ctx, "page", rect, Align2::RIGHT_TOP, |ui| {
            let inner = (rect.size() - margin).max(egui::Vec2::ZERO);
            panel_rects::show(ui, frame, GlassPanelKind::Panel, |ui| {
                ui.set_width(inner.x);
                ui.set_height(inner.y);
                if self.help.tables.show(ui, state.measured.tables, actions) {
                    self.help.page = None;
                }
            });
        });
    }
}
