//! A beside B: their bar, the labels over the picture, and the table of their times.

mod bar;
mod labels;
#[cfg(test)]
mod tests;

use super::{Instrument, InstrumentInfo, PanelContext};
use crate::pair_key::{COMPARE, KEYS};
use crate::pair_state::PairAction;
use crate::{UiAction, UiState, theme};
use egui::{Context, Rect, Ui};

pub const INFO: InstrumentInfo = InstrumentInfo {
    id: COMPARE,
    title: "A and B",
    keys: &[KEYS],
    switch: Some([
        "Compare A and B",
        "Keep the present settings as B beside those that you change from now on, A, in the same frames (B)",
    ]),
    ..InstrumentInfo::NONE
};

#[derive(Default)]
pub struct Compare;

impl Instrument for Compare {
    /// The picture is visible beside its bar.
    fn is_shown(&self, _: &UiState<'_>) -> bool {
        false
    }

    fn is_on(&self, state: &UiState<'_>) -> bool {
        state.pair.is_some()
    }

    fn press(&mut self, state: &UiState<'_>, actions: &mut Vec<UiAction>) -> bool {
        let action = if self.is_on(state) { PairAction::Remove } else { PairAction::Pin(None) };
        actions.push(UiAction::Pair(action));
        false
    }

    fn tab(&mut self, ui: &mut Ui, state: &UiState<'_>) {
        state.pair.iter().for_each(|pair| bar::table(ui, pair));
    }

    fn panel(&mut self, ctx: &Context, space: Rect, panel: &mut PanelContext<'_, '_>) -> Rect {
        let Some(pair) = panel.state.pair.as_ref().filter(|_| panel.is_free) else { return space };
        let bar = bar::show(ctx, space, pair, panel.actions);
        let space = space.with_min_y(bar.bottom() + theme::GAP);
        labels::show(ctx, space, pair, panel.state.view.line);
        space
    }
}
