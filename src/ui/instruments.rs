//! Viewer of passes, inspector of pixels and player of replays, side by side.

use super::inspector::{self, Inspector, InspectorState};
use super::pair_bar;
use super::replay::ReplayPlayer;
use super::state::{UiAction, UiState};
use super::theme;
use super::timings::{PassRows, Timings};
use super::viewer::{PassViewer, ViewerState};
use egui::{Context, Rect};

/// Panels that show what the frames consist of.
#[derive(Default)]
pub struct Instruments {
    /// Resources of passes beside the panels.
    pub viewer: PassViewer,
    /// Loupe and stories of pixels.
    pub inspector: Inspector,
    /// A workgroup step by step.
    pub replay: ReplayPlayer,
}

impl Instruments {
    /// Draws them into `space`. `rows`: of the timings, under the pointer and clicked; `is_free`: no page covers the picture.
    pub(super) fn show(
        &mut self,
        ctx: &Context,
        space: Rect,
        (costs, rows, is_free): (&Timings, PassRows, bool),
        state: &UiState<'_>,
        actions: &mut Vec<UiAction>,
    ) {
        let pair = state.instruments.pair.as_ref().filter(|_| is_free);
        let bar = pair.map(|pair| pair_bar::show(ctx, space, pair, actions));
        let space = bar.map_or(space, |bar| space.with_min_y(bar.bottom() + theme::GAP));
        let replay = state.instruments.replay.filter(|_| is_free);
        let player = self.replay.show(ctx, space, replay, state.infos, actions);
        let space = player.map_or(space, |player| space.with_max_x((player.left() - theme::GAP).max(space.left())));
        rows.clicked.into_iter().for_each(|pass| self.viewer.toggle(&pass));
        let reach = if self.inspector.is_on() { inspector::REACH } else { 0 };
        let passes = ViewerState { cost: &|pass| costs.cost_text(pass), reach, ..state.instruments.viewer };
        let inspected = InspectorState {
            story: state.instruments.inspector.story.filter(|_| is_free),
            ..state.instruments.inspector
        };
        let story = self.inspector.story(ctx, space, &inspected, state.infos, actions);
        let space = match story {
            Some(story) if story.center().x < space.center().x => space.with_min_x(story.right() + theme::GAP),
            Some(story) => space.with_max_x(story.left() - theme::GAP),
            None => space,
        };
        self.viewer.show(ctx, space, rows.hovered.filter(|_| is_free), &passes, actions);
        self.inspector.show(ctx, &inspected, (&self.viewer, &passes, space), actions);
    }
}
