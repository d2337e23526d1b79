//! Page beside the dock: a technique's text, or the tables of the sources.

use egui::{Align2, Context, Rect, pos2, vec2};

use super::layout::{floating, page_width};
use super::panels::{SHEET_LEAST, Ui};
use super::state::{UiAction, UiState};
use super::{panel_rects, source_tables, theme};
use crate::scene::GlassPanelKind;

impl Ui {
    /// The open page, in the area of the window that is free of the dock or, in a narrow window, over it.
    pub(super) fn page(
        &mut self,
        ctx: &Context,
        (window, free): (Rect, Rect),
        state: &UiState<'_>,
        actions: &mut Vec<UiAction>,
    ) {
        let Some(id) = self.help.page.clone() else { return };
        let info = state.infos.iter().find(|info| info.id == id);
        let is_tables = id == source_tables::PAGE;
        if info.is_none() && !is_tables {
            self.help.page = None;
            return;
        }
        let frame = theme::page();
        let margin = frame.total_margin().sum();
        let (free, width) = match is_tables {
            true => {
                let free = if free.width() < SHEET_LEAST { window.shrink(theme::GAP) } else { free };
                let needed = self.help.tables.width(ctx, state.measured.tables) + margin.x + 12.0;
                (free, needed.max(page_width(free)).min(free.width()))
            }
            false => (free, page_width(free)),
        };
        let rect = Rect::from_min_size(pos2(free.right() - width, free.top()), vec2(width, free.height()));
        floating(ctx, "page", rect, Align2::RIGHT_TOP, |ui| {
            let inner = (rect.size() - margin).max(egui::Vec2::ZERO);
            panel_rects::show(ui, frame, GlassPanelKind::Panel, |ui| {
                ui.set_width(inner.x);
                ui.set_height(inner.y);
                match info {
                    Some(info) => self.help.page(ui, info.title, info.doc),
                    None if self.help.tables.show(ui, state.measured.tables, actions) => self.help.page = None,
                    None => {}
                }
            });
        });
    }
}
