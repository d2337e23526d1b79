//! A beside B: their bar, the labels over the picture, and the table of their times.

mod bar;
mod labels;
#[cfg(test)]
mod tests;

use super::{Instrument, InstrumentInfo, PanelContext};
use crate::ui::UiState;
use crate::ui::theme;
use egui::{Context, Rect, Ui};

pub const INFO: InstrumentInfo = InstrumentInfo { id: "compare", title: "A and B", ..InstrumentInfo::NONE };

#[derive(Default)]
pub struct Compare;

impl Instrument for Compare {
    /// The picture is visible beside its bar.
    fn is_shown(&self, _: &UiState<'_>) -> bool {
        false
    }

    fn tab(&mut self, ui: &mut Ui, state: &UiState<'_>) {
        state.instruments.pair.iter().for_each(|pair| bar::table(ui, pair));
    }

    fn panel(&mut self, ctx: &Context, space: Rect, panel: &mut PanelContext<'_, '_>) -> Rect {
        let Some(pair) = panel.state.instruments.pair.as_ref().filter(|_| panel.is_free) else { return space };
        let bar = bar::show(ctx, space, pair, panel.actions);
        let space = space.with_min_y(bar.bottom() + theme::GAP);
        labels::show(ctx, space, pair, panel.state.view.line);
        space
    }
}
