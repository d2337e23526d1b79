//! Panels over the picture: legend of the view, strip of scenes, first hint.

use super::layout::{floating, of_glass};
use super::panels::Ui;
use super::state::{UiAction, UiState};
use super::{scene_strip, theme, views};
use egui::{Align2, Area, Context, Event, Id, Order, Rect};

pub(super) const STRIP: &str = "scenes";
const STRIP_ROOM: f32 = 540.0;
/// With less height instruments need its room.
const STRIP_LEAST: f32 = 600.0;
/// Of one row, with the gap above it.
const STRIP_HEIGHT: f32 = 60.0 + scene_strip::NAME;
/// Points above the window's border of a split view's handle.
const HANDLE: f32 = 46.0;
pub(super) const HINT: &str = "Drag the lens; a right click shows what it can do. Ctrl + F finds everything else.";
const HINT_S: f64 = 8.0;

/// One line at the first start, until something is done or it was read.
#[derive(Default)]
pub(super) struct Hint {
    /// In this window or an earlier one.
    pub was_shown: bool,
    is_over: bool,
    since_s: Option<f64>,
}

impl Hint {
    pub fn restore(&mut self, was_shown: bool) {
        (self.was_shown, self.is_over) = (was_shown, was_shown);
    }

    /// `is_used`: something was done in this frame.
    fn is_due(&mut self, ctx: &Context, is_used: bool) -> bool {
        let now_s = ctx.input(|input| input.time);
        let left_s = HINT_S - (now_s - *self.since_s.get_or_insert(now_s));
        self.is_over |= is_used || left_s <= 0.0;
        self.was_shown = true;
        if !self.is_over {
            ctx.request_repaint_after_secs(left_s as f32);
        }
        !self.is_over
    }
}
impl Ui {
    /// Returns the bottom of the free part, and what legend and strip of scenes take of that.
    pub(super) fn overlay(
        &mut self,
        ctx: &Context,
        (window, free): (Rect, Rect),
        state: &mut UiState<'_>,
        actions: &mut Vec<UiAction>,
    ) -> (f32, Option<Rect>) {
        let handle = state.view.line.map_or(window.bottom(), |_| window.bottom() - HANDLE);
        let mut taken: Option<Rect> = None;
        // In a split view the legend is on the side that it explains, if there is room.
        let side = free.with_min_x(state.view.line.map_or(free.left(), |x| x + theme::GAP));
        let has_room = side.width() >= views::LEGEND_ROOM;
        if let Some(shown) = state.view.shown.filter(|_| self.help.page.is_none() && has_room) {
            let width = (side.width() - 26.0).clamp(60.0, 420.0);
            let place = of_glass(ctx, "legend", (side, Align2::LEFT_BOTTOM), theme::chip(), |ui, _| {
                actions.extend(views::card(ui, shown, width).map(UiAction::View));
            });
            self.legend = window.bottom() - place.top() + theme::GAP;
            taken = Some(place);
        }
        let above = free.with_max_y(free.bottom() - STRIP_HEIGHT);
        let has_height = free.height() >= STRIP_LEAST && self.instruments.viewer.has_room(above)
            || !self.instruments.is_any_shown(state);
        if self.help.page.is_none() && free.width() >= STRIP_ROOM && has_height {
            let beside = free.width() - theme::GAP - self.help.tour.width();
            let width = if self.help.tour.top.is_some() && beside >= STRIP_ROOM { beside } else { free.width() };
            let bottom = handle.min(free.bottom() - self.legend);
            let space = free.with_max_y(bottom);
            let place = floating(ctx, STRIP, space, Align2::LEFT_BOTTOM, |ui| {
                scene_strip::show(ui, width, state, &mut self.controls.pictures, actions);
            });
            taken = Some(taken.map_or(place, |taken| taken.union(place)));
            ctx.data_mut(|data| data.insert_temp(Id::new(STRIP), window.bottom() - place.top()));
        }
        (handle.min(window.bottom() - theme::GAP), taken)
    }

    /// Above the strip of scenes, where little is to be seen. It takes no pointer input.
    pub(super) fn hint(&mut self, ctx: &Context, space: Rect, is_used: bool) {
        let pressed = |event: &Event| {
            matches!(
                event,
                Event::PointerButton { .. } | Event::Key { .. } | Event::MouseWheel { .. } | Event::Touch { .. }
            )
        };
        let is_used = is_used || ctx.input(|input| input.events.iter().any(pressed));
        if self.hint.is_over || !self.hint.is_due(ctx, is_used) {
            return;
        }
        let area = Area::new(Id::new("hint")).order(Order::Background).interactable(false).fade_in(false);
        let area = area.pivot(Align2::LEFT_BOTTOM).fixed_pos(space.left_bottom()).constrain_to(space.expand(1.0));
        area.show(ctx, |ui| {
            ui.set_max_width(space.width());
            theme::chip().show(ui, |ui| ui.label(egui::RichText::new(HINT).color(theme::STRONG)));
        });
    }
}
