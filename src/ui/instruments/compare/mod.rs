//! A beside B: their bar, and the names beside the line.

mod bar;
#[cfg(test)]
mod tests;

use super::{Instrument, InstrumentInfo, PanelContext};
use crate::pair_key::{COMPARE, KEYS};
use crate::pair_state::PairAction;
use crate::{UiAction, UiState, theme, view_labels};
use ab::PairLayout;
use egui::{Align2, Context, Rect, pos2};

pub const INFO: InstrumentInfo = InstrumentInfo {
    id: COMPARE,
    title: "A and B",
    keys: &[KEYS],
    switch: Some([
        "Compare A and B",
        "A line through the lens: the picture as it is, A, at its left, and B at its right, which the panels then edit (B)",
    ]),
    ..InstrumentInfo::NONE
};

/// Points between a name and the line.
const BESIDE: f32 = 10.0;

#[derive(Default)]
pub struct Compare {
    shows_passes: bool,
}

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

    fn panel(&mut self, ctx: &Context, space: Rect, panel: &mut PanelContext<'_, '_>) -> Rect {
        let Some(pair) = panel.state.pair.as_ref().filter(|_| panel.is_free) else { return space };
        let bar = bar::show(ctx, space, pair, &mut self.shows_passes, panel.actions);
        let space = space.with_min_y(bar.bottom() + theme::GAP);
        let is_seen = pair.is_ready && !pair.awaits_step && matches!(pair.layout, PairLayout::Split(_));
        if let Some(x) = panel.state.view.line.filter(|_| is_seen) {
            for (align, by, name) in [(Align2::RIGHT_TOP, -BESIDE, "A"), (Align2::LEFT_TOP, BESIDE, "B")] {
                view_labels::sign(ctx, space, pos2(x + by, space.top() + 2.0), align, name);
            }
        }
        space
    }
}
