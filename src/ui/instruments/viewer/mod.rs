//! Viewer of passes: what a pass reads and writes, under the pointer and pinned.

mod display;
mod picture_area;
mod pinned;
mod shell;
mod slots;
#[cfg(test)]
mod tests;

use self::pinned::{Clicked, Pinned, ViewerState};
use self::slots::Slots;
use super::{ArgumentInfo, Instrument, InstrumentInfo, InstrumentReport, PanelContext, PointedTexel, RunInfo, Signals};
use crate::layout::{PINNED, floating};
use crate::limits::brief;
use crate::timings::HoveredPass;
use crate::{UiAction, UiState};
use base::text::digits;
use egui::{Align2, Context, Pos2, Rect, pos2, vec2};
use instrument::{CapturePoint, FrameRequest, FrameResults, PassLimits, Pin, SavedResource};
use media::array::ArrayFormat;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

pub const INFO: InstrumentInfo = InstrumentInfo {
    id: "viewer",
    title: "Passes",
    arguments: &[ArgumentInfo {
        name: "capture-pass",
        value: "PASS/BINDING[:MIP]=FILE",
        doc: "Writes what a pass of the last frame has read or written: .npy, or .png or .exr for pictures; may be repeated",
        check: Some(|text| capture_of(text).map(drop)),
        is_repeated: true,
        writes: Some(|text| {
            let file = capture_of(text)?.1;
            ArrayFormat::of(file).map(|_| file.into())
        }),
        ..ArgumentInfo::NONE
    }],
    ..InstrumentInfo::NONE
};

/// Seconds for which the pointer rests on a row before its picture appears.
const HOVER_S: f64 = 0.15;
/// Seconds after which a pass without resources is known to have none.
const RESOURCES_S: f64 = 2.0;
/// Each pin costs a copy of its image in every frame.
const PINS_MOST: usize = 6;
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
    /// Whole resources to write to files.
    saved: Vec<CapturePoint>,
    /// Of a headless run.
    typed: Vec<(CapturePoint, PathBuf)>,
}

impl PassViewer {
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

    /// For all that is pinned.
    pub fn has_room(&self, space: Rect) -> bool {
        self.pinned.len() <= Slots::new(space, PINNED).all().len()
    }

    fn pointed<'a>(&self, at: egui::Pos2, state: &ViewerState<'a, '_>) -> Option<PointedTexel<'a>> {
        self.pinned.iter().find_map(|pinned| pinned.pointed(at, state))
    }

    /// Rectangles over which the renderer draws pictures.
    fn holes(&self) -> impl Iterator<Item = Rect> {
        self.visible().filter_map(|pinned| pinned.hole)
    }

    fn visible(&self) -> impl Iterator<Item = &Pinned> {
        self.pinned.iter().chain(self.hovered.iter().map(|(pinned, _)| pinned))
    }

    pub fn is_empty(&self) -> bool {
        self.hovered.is_none() && self.pinned.is_empty()
    }

    /// `hovered`: the row of the timings under the pointer. `below`: room below the story of `pixel`. Returns the pass whose details are requested.
    fn show(
        &mut self,
        ctx: &Context,
        free: Rect,
        hovered: Option<HoveredPass>,
        (below, pixel): (Option<Rect>, Option<Pos2>),
        state: &ViewerState<'_, '_>,
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
        let slots = Slots::new(free, PINNED).around(below, pixel);
        slots.assign(self.pinned.iter_mut().map(|pinned| &mut pinned.place));
        let (mut closed, mut detailed) = (None, None);
        for (index, pinned) in self.pinned.iter_mut().enumerate() {
            let Some(space) = pinned.place else { continue };
            // Pictures are seen through holes: of two panels that overlap, the picture would be behind both.
            if space_of_preview.is_some_and(|preview| preview.intersects(space)) {
                pinned.hole = None;
                self.shown.extend(pinned.pin(ctx, state));
                continue;
            }
            floating(ctx, &format!("pin {}", pinned.id), space, Align2::LEFT_BOTTOM, |ui| {
                match pinned.show(ui, PINNED, state) {
                    Some(Clicked::Close) => closed = Some(index),
                    Some(Clicked::Save) => self.saved.extend(pinned.saved_point(state)),
                    Some(Clicked::Details) => detailed = Some(pinned.pass.clone()),
                    None => {}
                }
            });
            self.shown.extend(pinned.pin(ctx, state));
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
        state: &ViewerState<'_, '_>,
        now_s: f64,
    ) -> Option<Rect> {
        let ((preview, since_s), now) = self.hovered.as_ref().zip(hovered)?;
        if now_s < *since_s + HOVER_S {
            return None;
        }
        let size = if now.costs.is_some() { PREVIEW } else { PINNED }.min(free.size());
        let above = if preview.has_none(state) { BARE } else { size.y } / 2.0;
        let top = (now.row.center().y - above).clamp(free.top(), (free.bottom() - size.y).max(free.top()));
        Some(Rect::from_min_size(pos2(free.right() - size.x, top), size))
    }
}

impl Instrument for PassViewer {
    fn is_shown(&self, _: &UiState<'_>) -> bool {
        !self.is_empty()
    }

    fn close(&mut self, _: &UiState<'_>, _: &mut Vec<UiAction>) -> bool {
        let had_pins = self.has_pins();
        if had_pins {
            (self.hovered, self.pinned) = (None, Vec::new());
        }
        had_pins
    }

    fn panel(&mut self, ctx: &Context, space: Rect, panel: &mut PanelContext<'_, '_>) -> Rect {
        std::mem::take(&mut panel.signals.clicked).iter().for_each(|pass| self.toggle(pass));
        let (results, timings) = (panel.state.results, panel.timings);
        let limits = |pass: &str| {
            let all = PassLimits::of(results.passes, |known| known == pass);
            all.map(|all| brief(&all, timings.run_us(pass), results.device())).unwrap_or_default()
        };
        let state = ViewerState {
            passes: results.passes,
            results: results.pins,
            cost: &|pass| timings.cost_text(pass),
            limits: &limits,
            infos: panel.state.infos,
            reach: panel.signals.reach,
        };
        let hovered = panel.signals.hovered.take().filter(|_| panel.is_free);
        let below = panel.signals.below_story;
        let pixel = panel.signals.story.map(|at| pos2(at[0] as f32, at[1] as f32) / ctx.pixels_per_point());
        let detailed = self.show(ctx, space, hovered, (below, pixel), &state);
        panel.signals.detailed.extend(detailed.map(|pass| (pass, &[][..])));
        let texel = |pinned: &Pinned| Some([pinned.pass.clone(), pinned.texel_text()?.to_owned()]);
        panel.signals.texel = self.pinned.iter().find_map(texel);
        panel.pointed = ctx.pointer_hover_pos().and_then(|at| self.pointed(at, &state));
        space
    }

    fn request(&mut self, signals: &mut Signals, frame: &mut FrameRequest) {
        frame.pins.append(&mut self.shown);
        frame.passes.extend(self.visible().map(|pinned| pinned.pass.clone()));
        frame.saved.append(&mut self.saved);
        frame.measures_device |= self.has_pins();
        signals.holes.extend(self.holes());
        signals.has_pins = self.has_pins();
    }

    fn argue(&mut self, _: &str, value: &OsStr, _: &RunInfo) -> Result<(), String> {
        let typed = value.to_string_lossy();
        let (point, file) = capture_of(&typed)?;
        self.saved.push(point.clone());
        self.typed.push((point, file.into()));
        Ok(())
    }

    fn report(&self, results: &FrameResults<'_>, _: [&str; 2]) -> Result<InstrumentReport, String> {
        let written = |(point, file): &(CapturePoint, PathBuf)| {
            let saved = results.saved.iter().find(|saved| saved.point == *point)?;
            Some(encoded(saved, file).map(|bytes| (file.clone(), bytes)))
        };
        let files = self.typed.iter().filter_map(written).collect::<Result<Vec<_>, _>>()?;
        Ok(InstrumentReport { option: "--capture-pass", files, ..InstrumentReport::default() })
    }
}

fn encoded(saved: &SavedResource, file: &Path) -> Result<Vec<u8>, String> {
    let array = saved.array.as_ref().map_err(|why| format!("--capture-pass: {why}"))?;
    let bytes = ArrayFormat::of(file)?.encode(array);
    bytes.map_err(|why| format!("--capture-pass {}: {why:#}", file.display()))
}

/// `mip_chain/single pass/levels[3]:4=level.npy`.
fn capture_of(text: &str) -> Result<(CapturePoint, &Path), String> {
    let split = || {
        let (path, file) = text.split_once('=').filter(|(_, file)| !file.is_empty())?;
        let (pass, binding) = path.rsplit_once('/').filter(|(pass, _)| !pass.is_empty())?;
        let (binding, mip) = match binding.split_once(':') {
            Some((binding, mip)) => (binding, Some(digits(mip)?)),
            None => (binding, None),
        };
        let point = CapturePoint { mip, ..CapturePoint::new(pass, binding) };
        (!binding.is_empty()).then_some((point, Path::new(file)))
    };
    split().ok_or_else(|| "expected PASS/BINDING[:MIP]=FILE, as in meshlets/resolve/depth=depth.npy".into())
}
