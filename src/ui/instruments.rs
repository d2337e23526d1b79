//! Viewer of passes, their details, inspector of pixels, timeline and player of replays, side by side.

use super::inspector::{self, Inspector, InspectorState};
use super::limits::{Details, brief};
use super::replay::ReplayPlayer;
use super::state::{UiAction, UiState};
use super::theme;
use super::timeline::Timeline;
use super::timings::{Owners, PassRows, Timings};
use super::viewer::{PassViewer, ViewerState};
use super::{pair_bar, pair_labels};
use crate::instrument::{PassLimits, Pin};
use egui::{Context, Rect};

#[derive(Default)]
pub struct Instruments {
    pub viewer: PassViewer,
    pub details: Details,
    pub inspector: Inspector,
    pub timeline: Timeline,
    limited: Vec<String>,
    pub replay: ReplayPlayer,
}

impl Instruments {
    pub fn pins(&self) -> (Vec<Pin>, Vec<String>) {
        let (pins, mut passes) = self.viewer.pins();
        passes.extend(self.details.pass().map(str::to_owned));
        passes.extend_from_slice(&self.limited);
        (pins, passes)
    }

    pub fn shows_limits(&self) -> bool {
        !self.limited.is_empty() || self.details.pass().is_some() || self.viewer.has_pins()
    }

    pub(super) fn begin(&mut self) {
        self.viewer.begin();
        self.limited.clear();
    }

    /// `is_free`: no page covers the picture. `rows`: of the timings, hovered and clicked.
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
        let (own, timeline) = if is_free {
            self.timeline.show(ctx, space, costs, (&Owners(state.infos), state.device.is_one_queue))
        } else {
            (PassRows::default(), None)
        };
        let space = timeline.map_or(space, |timeline| space.with_max_y(timeline.top() - theme::GAP));
        pair.into_iter().for_each(|pair| pair_labels::show(ctx, space, pair, state.view.line));
        let replay = state.instruments.replay.filter(|_| is_free);
        let player = self.replay.show(ctx, space, replay, (state.infos, &|pass| costs.step_us(pass)), actions);
        let space = player.map_or(space, |player| space.with_max_x((player.left() - theme::GAP).max(space.left())));
        let hovered = rows.hovered.or(own.hovered);
        rows.clicked.into_iter().chain(own.clicked).for_each(|pass| self.viewer.toggle(&pass));
        self.limited = rows.limited;
        let reach = if self.inspector.is_on() { inspector::REACH } else { 0 };
        let limits = &state.instruments.limits;
        let reached = |pass: &str| {
            let all = PassLimits::of(limits.passes, |known| known == pass);
            all.map(|all| brief(&all, costs.run_us(pass), limits.device())).unwrap_or_default()
        };
        let (passes, results) = (limits.passes, state.instruments.results);
        let passes = ViewerState { passes, results, cost: &|pass| costs.cost_text(pass), limits: &reached, reach };
        let inspected = InspectorState {
            has_pair: pair.is_some(),
            story: state.instruments.inspector.story.filter(|_| is_free),
            awaited: state.instruments.inspector.awaited.filter(|_| is_free),
            ..state.instruments.inspector
        };
        let story = self.inspector.story(ctx, space, &inspected, state.infos, (&self.viewer.holes(), actions));
        let space = match story {
            Some(story) if story.center().x < space.center().x => space.with_min_x(story.right() + theme::GAP),
            Some(story) => space.with_max_x(story.left() - theme::GAP),
            None => space,
        };
        let us = self.details.pass().and_then(|pass| costs.run_us(pass));
        let details = self.details.show(ctx, space, us, limits, actions).filter(|_| is_free);
        let space = details.map_or(space, |details| space.with_max_x(details.left() - theme::GAP));
        let asked = self.viewer.show(ctx, space, hovered.filter(|_| is_free), &passes, actions);
        asked.into_iter().for_each(|pass| self.details.toggle(&pass));
        self.inspector.show(ctx, &inspected, (&self.viewer, &passes, space), actions);
    }
}
