//! Viewer of passes: what a pass reads and writes, under the pointer and pinned.

mod display;
mod hovered_pass;
mod picture_area;
mod pinned;
mod shell;
mod slots;
#[cfg(test)]
mod tests;

pub use hovered_pass::{HoveredPass, RowCosts};
pub use pinned::{PointedTexel, ViewerState};

use self::pinned::{Clicked, Pinned};
use self::slots::Slots;
use super::UiAction;
use super::layout::floating;
use crate::instrument::Pin;
use egui::{Align2, Context, Rect, pos2, vec2};

/// Seconds for which the pointer rests on a row before its picture appears.
const HOVER_S: f64 = 0.15;
/// Seconds after which a pass without resources is known to have none.
const RESOURCES_S: f64 = 2.0;
/// Each pin costs a copy of its image in every frame.
const PINS_MOST: usize = 6;
const PANEL: egui::Vec2 = vec2(348.0, 340.0);
const PREVIEW: egui::Vec2 = vec2(348.0, 424.0);
/// About half the height of a panel without a picture.
const BARE: f32 = 100.0;

#[derive(Default)]
pub struct PassViewer {
    /// The pass whose picture is shown while the pointer is on its row, and since when, seconds.
    hovered: Option<(Pinned, f64)>,
    pinned: Vec<Pinned>,
    count: u64,
    /// Displayed in the last frame.
    shown: Vec<Pin>,
}

impl PassViewer {
    /// What the renderer captures and draws for the panels of this frame, and the passes that are looked at.
    pub fn pins(&self) -> (Vec<Pin>, Vec<String>) {
        let hovered = self.hovered.iter().map(|(pinned, _)| pinned);
        (self.shown.clone(), self.pinned.iter().chain(hovered).map(|pinned| pinned.pass.clone()).collect())
    }

    pub(super) fn begin(&mut self) {
        self.shown.clear();
    }

    /// Pins a pass, or removes all of its pins.
    pub fn toggle(&mut self, pass: &str) {
        let before = self.pinned.len();
        self.pinned.retain(|pinned| pinned.pass != pass);
        if self.pinned.len() < before {
            return;
        }
        if self.pinned.len() == PINS_MOST {
            self.pinned.remove(0);
        }
        self.count += 1;
        self.pinned.push(Pinned::new(self.count, pass));
    }

    pub fn is_pinned(&self, pass: &str) -> bool {
        self.pinned.iter().any(|pinned| pinned.pass == pass)
    }

    pub fn has_pins(&self) -> bool {
        !self.pinned.is_empty()
    }

    pub fn clear(&mut self) {
        (self.hovered, self.pinned) = (None, Vec::new());
    }

    pub fn pointed<'a>(&'a self, at: egui::Pos2, state: &ViewerState<'a>) -> Option<PointedTexel<'a>> {
        self.pinned.iter().find_map(|pinned| pinned.pointed(at, state))
    }

    /// Rectangles over which the renderer draws pictures.
    pub fn holes(&self) -> Vec<Rect> {
        let hovered = self.hovered.iter().map(|(pinned, _)| pinned);
        self.pinned.iter().chain(hovered).filter_map(|pinned| pinned.hole).collect()
    }

    pub fn is_empty(&self) -> bool {
        self.hovered.is_none() && self.pinned.is_empty()
    }

    /// `hovered`: the row of the timings under the pointer. Returns the pass whose details are requested.
    pub(super) fn show(
        &mut self,
        ctx: &Context,
        free: Rect,
        hovered: Option<HoveredPass>,
        state: &ViewerState<'_>,
        actions: &mut Vec<UiAction>,
    ) -> Option<String> {
        let now_s = ctx.input(|input| input.time);
        // What is pinned is visible already.
        let hovered = hovered.filter(|now| !self.is_pinned(&now.pass));
        let is_same = |(pinned, _): &(Pinned, f64)| hovered.as_ref().is_some_and(|now| now.pass == pinned.pass);
        if !self.hovered.as_ref().is_some_and(is_same) {
            self.hovered = hovered.as_ref().map(|now| {
                self.count += 1;
                (Pinned::new(self.count, &now.pass), now_s)
            });
        }
        let space_of_preview = self.preview_space(free, hovered.as_ref(), state, now_s);
        let slots = Slots::new(free, PANEL);
        slots.assign(self.pinned.iter_mut().map(|pinned| &mut pinned.slot));
        let (mut closed, mut moved, mut detailed) = (None, None, None);
        for (index, pinned) in self.pinned.iter_mut().enumerate() {
            let Some(space) = pinned.slot.map(|slot| slots.rect(slot)) else { continue };
            // Pictures are seen through holes: of two panels that overlap, the picture would be behind both.
            if space_of_preview.is_some_and(|preview| preview.intersects(space)) {
                pinned.hole = None;
                self.shown.extend(pinned.pin(ctx, state));
                continue;
            }
            floating(ctx, &format!("pin {}", pinned.id), space, Align2::LEFT_BOTTOM, |ui| {
                match pinned.show(ui, PANEL, state) {
                    Some(Clicked::Close) => closed = Some(index),
                    Some(Clicked::Save) => {
                        actions.extend(pinned.saved_point(state).map(UiAction::SaveResource));
                    }
                    Some(Clicked::MovedTo(at)) => moved = Some((index, slots.nearest(at))),
                    Some(Clicked::Details) => detailed = Some(pinned.pass.clone()),
                    None => {}
                }
            });
            self.shown.extend(pinned.pin(ctx, state));
        }
        if let Some((index, slot)) = moved {
            let before = self.pinned[index].slot.replace(slot);
            let others = self.pinned.iter_mut().enumerate().filter(|(other, _)| *other != index);
            others.filter(|(_, other)| other.slot == Some(slot)).for_each(|(_, other)| other.slot = before);
        }
        if let Some(index) = closed {
            self.pinned.remove(index);
        }
        let Some((preview, since_s)) = &mut self.hovered else { return detailed };
        let Some((now, space)) = hovered.zip(space_of_preview) else {
            let wait_s = *since_s + HOVER_S - now_s;
            ctx.request_repaint_after_secs(wait_s.max(0.0) as f32);
            return detailed;
        };
        let size = space.size();
        floating(ctx, "hovered pass", space, Align2::LEFT_TOP, |ui| preview.preview(ui, size, state, &now));
        self.shown.extend(preview.pin(ctx, state));
        let is_new = now_s - *since_s < RESOURCES_S;
        if !preview.is_complete(state) && (is_new || preview.has_resource(state)) {
            ctx.request_repaint();
        }
        detailed
    }

    /// Once the pointer has rested on its row.
    fn preview_space(
        &self,
        free: Rect,
        hovered: Option<&HoveredPass>,
        state: &ViewerState<'_>,
        now_s: f64,
    ) -> Option<Rect> {
        let ((preview, since_s), now) = self.hovered.as_ref().zip(hovered)?;
        if now_s < *since_s + HOVER_S {
            return None;
        }
        let size = if now.costs.is_some() { PREVIEW } else { PANEL }.min(free.size());
        let above = if preview.has_none(state) { BARE } else { size.y } / 2.0;
        let top = (now.row.center().y - above).clamp(free.top(), (free.bottom() - size.y).max(free.top()));
        Some(Rect::from_min_size(pos2(free.right() - size.x, top), size))
    }
}
