//! Timeline: a frame with both queues and the CPU's recording on one axis, among the last frames.

mod axis_area;
mod axis_view;
mod frame_chart;
mod frame_series;
#[cfg(test)]
mod tests;

use self::axis_area::AxisArea;
use self::frame_chart::{cost, percentiles};
use self::frame_series::{FrameSeries, before};
use super::{DrawnFrame, Instrument, InstrumentInfo, PanelContext, Signals};
use crate::figure_table::{self, Figure};
use crate::keys::{Group, Held, Shortcut, key, keys};
use crate::layout::of_glass;
use crate::settings::collapsing;
use crate::timings::{FRAMES_RECENT, Owners, PassRows, TimedFrame, Timings};
use crate::{PanelKey, UiAction, UiState, theme};
use base::text::{counted, micros};
use base::timing::PictureStep;
use egui::{Align, Align2, Button, Context, DragValue, Key, Label, Layout, Rect, Ui, vec2};
use instrument::{FrameAxis, FrameRequest, FrameResults, WorldTime};
use std::sync::Arc;
use std::time::Duration;

/// Microseconds.
const BUDGETS_US: [f64; 2] = [10.0, 10e6];
/// Frame time of a display that does not report its rate, microseconds.
const DISPLAY_US: f64 = 1e6 / 60.0;

/// Points from which on all buttons are in one row.
const ONE_ROW: f32 = 420.0;
/// Width of the table of percentiles.
const PERCENTILES: f32 = 270.0;

/// Of the button.
const STEP: Duration = Duration::from_nanos(1_000_000_000 / 60);

const ID: &str = "timeline";
/// Microseconds, in the memory of the panels.
const BUDGET: &str = "budget_us";

pub const INFO: InstrumentInfo = InstrumentInfo {
    id: ID,
    title: "Timeline",
    keys: &[keys(
        Group::Inspect,
        &[key(Held::Nothing, Key::T, Shortcut::Panel(PanelKey::Instrument(ID)), "Timeline")],
        ": queues and CPU of a frame on one axis",
    )],
    switch: Some([
        "Timeline",
        "The last frames as columns, and one of them with both queues and the CPU on one axis (T)",
    ]),
    ..InstrumentInfo::NONE
};

#[derive(Default)]
pub struct Timeline {
    is_open: bool,
    area: AxisArea,
    /// `None`: a frame of the display.
    budget_us: Option<f64>,
    display_us: f64,
    frozen: Option<FrameSeries>,
    time: WorldTime,
    /// What it was measured at, alone and with its number.
    frozen_subject: Option<[String; 2]>,
    axis: Option<FrameAxis>,
}

struct ShownFrames {
    frames: Vec<TimedFrame>,
    chosen: usize,
    /// Percentiles are of the newest of as many.
    counted: usize,
}

impl Timeline {
    /// While it is closed the world's time passes, and frames are not frozen.
    fn toggle(&mut self) {
        self.is_open = !self.is_open;
        if !self.is_open {
            (self.time, self.frozen, self.axis) = (WorldTime::Runs, None, None);
        }
    }

    pub fn budget_us(&self) -> Option<f64> {
        self.budget_us
    }

    pub fn set_budget_us(&mut self, us: Option<f64>) {
        self.budget_us = us.filter(|us| us.is_finite()).map(|us| us.clamp(BUDGETS_US[0], BUDGETS_US[1]));
    }

    /// At the bottom of `space`. Returns the pass under the pointer and the clicked one, and its rectangle.
    fn show(&mut self, ctx: &Context, space: Rect, panel: &PanelContext<'_, '_>) -> (PassRows, Rect) {
        let mut rows = PassRows::default();
        let timings = panel.timings;
        self.display_us = panel.state.display_us.unwrap_or(DISPLAY_US).clamp(BUDGETS_US[0], BUDGETS_US[1]);
        let (owners, is_one_queue) = (Owners(panel.state.infos), panel.state.device.is_one_queue);
        let rect = of_glass(ctx, "timeline", (space, Align2::LEFT_BOTTOM), theme::chip(), |ui, inner| {
            ui.set_width(inner.x.max(1.0));
            ui.spacing_mut().item_spacing.y = 4.0;
            rows = self.content(ui, timings, (&owners, is_one_queue));
        });
        (rows, rect)
    }

    fn content(&mut self, ui: &mut Ui, timings: &Timings, (owners, is_one_queue): (&Owners<'_>, bool)) -> PassRows {
        // A drag over the picture, of a lens, is what is looked at.
        let is_dragged = ui.input(|input| input.pointer.primary_down()) && !ui.ctx().egui_is_using_pointer();
        let shown = self.shown(timings, is_dragged);
        let now = shown.frames.get(shown.chosen);
        self.header(ui, (&shown, now), timings);
        let Some(now) = now else {
            let none = "No frame has been timed yet: still pictures are not drawn again. Move something.";
            ui.label(theme::small(none));
            return PassRows::default();
        };
        let mut budget_us = self.budget_us.unwrap_or(self.display_us);
        let budget_before = budget_us;
        let picked = frame_chart::show(ui, shown.frames.iter(), shown.chosen, budget_us);
        let is_known = self.axis.as_ref().is_some_and(|axis| Arc::ptr_eq(&axis.timing, &now.timing));
        if !is_known {
            let earlier = before(&shown.frames, shown.chosen);
            self.axis = Some(FrameAxis::of(now.timing.clone(), earlier, is_one_queue));
        }
        let rows = match &self.axis {
            Some(axis) => self.area.show(ui, axis, owners, budget_us),
            None => PassRows::default(),
        };
        self.footer(ui, &shown, &mut budget_us);
        if budget_us != budget_before {
            self.set_budget_us(Some(budget_us));
        }
        picked.into_iter().for_each(|index| self.choose(index, &shown, timings));
        rows
    }

    /// At rest the last frame that drew everything, else the newest one.
    fn shown(&self, timings: &Timings, is_dragged: bool) -> ShownFrames {
        match &self.frozen {
            Some(series) => {
                let (frames, chosen) = (series.frames().to_vec(), series.chosen());
                ShownFrames { frames, chosen, counted: chosen + 1 }
            }
            None => {
                let mut frames: Vec<TimedFrame> = timings.recent.displayed().cloned().collect();
                let full = timings.recent.full.as_ref().filter(|_| !is_dragged && timings.is_at_rest());
                let place = full.map(|full| {
                    let known = frames.iter().position(|frame| frame.timing.frame == full.timing.frame);
                    known.unwrap_or_else(|| {
                        frames.insert(0, full.clone());
                        0
                    })
                });
                let counted = frames.len();
                ShownFrames { chosen: place.unwrap_or(counted.saturating_sub(1)), frames, counted }
            }
        }
    }

    fn choose(&mut self, index: usize, shown: &ShownFrames, timings: &Timings) {
        match &mut self.frozen {
            Some(series) => series.choose(index),
            None => self.frozen = FrameSeries::new(shown.frames.clone(), index, timings),
        }
    }

    fn header(&mut self, ui: &mut Ui, (shown, now): (&ShownFrames, Option<&TimedFrame>), timings: &Timings) {
        let is_wide = ui.available_width() >= ONE_ROW;
        ui.horizontal(|ui| {
            ui.label(theme::heading("Timeline"));
            theme::from_right(ui, |ui| {
                ui.spacing_mut().item_spacing.x = 4.0;
                if collapsing::cross(ui, "Close the timeline (T)") {
                    self.toggle();
                }
                if is_wide {
                    self.time_buttons(ui);
                    ui.add_space(6.0);
                    self.frame_buttons(ui, shown, timings);
                }
                theme::rest(ui, |ui| {
                    ui.add(Label::new(theme::figure(now.map(frame_text).unwrap_or_default())).truncate());
                });
            });
        });
        if !is_wide {
            ui.horizontal(|ui| theme::from_right(ui, |ui| self.frame_buttons(ui, shown, timings)));
            ui.horizontal(|ui| theme::from_right(ui, |ui| self.time_buttons(ui)));
        }
    }

    fn time_buttons(&mut self, ui: &mut Ui) {
        let is_paused = self.time != WorldTime::Runs;
        let step = Button::new(theme::small("Step"));
        if ui.add_enabled(is_paused, step).on_hover_text("The world's time passes by 1/60 s").clicked() {
            (self.time, self.frozen) = (WorldTime::Steps(STEP), None);
        }
        let hint = "Pauses the world's time: the camera's drift and the particles";
        if ui.add(Button::new(theme::small("Pause")).selected(is_paused)).on_hover_text(hint).clicked() {
            self.time = if is_paused { WorldTime::Runs } else { WorldTime::Paused };
        }
    }

    fn frame_buttons(&mut self, ui: &mut Ui, shown: &ShownFrames, timings: &Timings) {
        let (chosen, count) = (shown.chosen, shown.frames.len());
        let mut step = |ui: &mut Ui, text: &str, name: &str, to: Option<usize>| {
            let response = ui.add_enabled(to.is_some(), Button::new(theme::small(text))).on_hover_text(name);
            theme::speak(&response, egui::WidgetType::Button, name);
            if let Some(to) = to.filter(|_| response.clicked()) {
                self.choose(to, shown, timings);
            }
        };
        step(ui, "▶", "Next frame", Some(chosen + 1).filter(|next| *next < count));
        step(ui, "◀", "Previous frame", chosen.checked_sub(1).filter(|_| count > 0));
        let is_frozen = self.frozen.is_some();
        let freeze = Button::new(theme::small("Freeze")).selected(is_frozen);
        let hint = "Timeline and table keep this frame";
        if ui.add_enabled(count > 0, freeze).on_hover_text(hint).clicked() {
            match is_frozen {
                true => self.frozen = None,
                false => self.choose(chosen, shown, timings),
            }
        }
    }

    fn footer(&mut self, ui: &mut Ui, shown: &ShownFrames, budget_us: &mut f64) {
        let last = shown.frames.get(..shown.counted).unwrap_or_default();
        let last = &last[last.len().saturating_sub(FRAMES_RECENT)..];
        let is_wide = ui.available_width() >= ONE_ROW;
        let layout = if is_wide { Layout::left_to_right(Align::Min) } else { Layout::top_down(Align::Min) };
        ui.with_layout(layout, |ui| {
            percentile_table(ui, last);
            self.budget_row(ui, last, budget_us);
        });
    }

    fn budget_row(&mut self, ui: &mut Ui, last: &[TimedFrame], budget_us: &mut f64) {
        ui.horizontal_wrapped(|ui| {
            let over = last.iter().filter(|frame| cost(&frame.timing) > *budget_us).count();
            ui.add(Label::new(theme::small("Budget")).extend());
            let mut ms = *budget_us * 1e-3;
            let [least, most] = BUDGETS_US.map(|us| us * 1e-3);
            let value = DragValue::new(&mut ms).range(least..=most).speed(0.05).max_decimals(2).suffix(" ms");
            if ui.add(value).on_hover_text("Drag, or click and type").changed() {
                *budget_us = ms * 1e3;
            }
            let color = if over > 0 { theme::BAD } else { theme::QUIET };
            let text = format!("{over} of {} over it", last.len());
            ui.add(Label::new(theme::small(text).color(color)).extend());
            let display = Button::new(theme::small("Display's"));
            let hint = format!("A frame of the display: {}", micros(self.display_us));
            if self.budget_us.is_some() && ui.add(display).on_hover_text(hint).clicked() {
                self.budget_us = None;
            }
            let Some(axis) = &self.axis else { return };
            if let Some(us) = axis.both_queues_us() {
                ui.add(Label::new(theme::small(format!("Both queues at once for {}", micros(us)))).extend());
            }
            axis.clocks.note().into_iter().for_each(|note| drop(ui.label(theme::small(note).color(theme::WARN))));
        });
    }
}

impl Instrument for Timeline {
    fn is_shown(&self, _: &UiState<'_>) -> bool {
        self.is_open
    }

    fn press(&mut self, _: &UiState<'_>, _: &mut Vec<UiAction>) -> bool {
        self.toggle();
        true
    }

    fn close(&mut self, _: &UiState<'_>, _: &mut Vec<UiAction>) -> bool {
        let was_open = self.is_open;
        was_open.then(|| self.toggle());
        was_open
    }

    fn frozen(&mut self, measured_at: &str) -> Option<(&mut Timings, &str)> {
        let Some(series) = &mut self.frozen else {
            self.frozen_subject = None;
            return None;
        };
        let [subject, note] = self.frozen_subject.get_or_insert_with(|| [measured_at.to_owned(), String::new()]);
        // In the note below the table, where it moves no row.
        *note = format!("{subject} Frozen at frame {}.", series.chosen_number());
        Some((&mut series.table, note))
    }

    fn panel(&mut self, ctx: &Context, space: Rect, panel: &mut PanelContext<'_, '_>) -> Rect {
        if !self.is_open || !panel.is_free {
            return space;
        }
        let (rows, rect) = self.show(ctx, space, panel);
        let hovered = &mut panel.signals.hovered;
        *hovered = hovered.take().or(rows.hovered);
        panel.signals.clicked.extend(rows.clicked);
        space.with_max_y(rect.top() - theme::GAP)
    }

    fn request(&mut self, _: &mut Signals, frame: &mut FrameRequest) {
        frame.time = self.time;
    }

    /// A step ends with its frame.
    fn receive(&mut self, _: &FrameResults<'_>, _: &DrawnFrame<'_>) -> bool {
        if self.time == WorldTime::Steps(STEP) {
            self.time = WorldTime::Paused;
        }
        false
    }

    fn save(&self, memory: &mut toml::Table) {
        memory.extend(self.budget_us.map(|us| (BUDGET.to_owned(), us.into())));
    }

    fn restore(&mut self, memory: &toml::Table) {
        self.set_budget_us(memory.get(BUDGET).and_then(toml::Value::as_float));
    }
}

/// Half, 95 and 99 of 100 frames take at most as long.
fn percentile_table(ui: &mut Ui, last: &[TimedFrame]) {
    const PARTS: [(&str, &str); 3] = [
        ("50 %", "Half of the frames take at most as long; those in which drivers compiled are excluded"),
        ("95 %", "19 of 20 frames take at most as long"),
        ("99 %", "99 of 100 frames take at most as long"),
    ];
    let sides = ["GPU", "CPU"].into_iter().zip(percentiles(last.iter()));
    let rows = sides.filter_map(|(side, us)| Some((side.to_owned(), Vec::from(us?.map(|us| Figure::new(micros(us)))))));
    let rows: Vec<_> = rows.collect();
    ui.allocate_ui(vec2(PERCENTILES.min(ui.available_width()), 0.0), |ui| {
        ui.set_max_width(PERCENTILES);
        figure_table::show(ui, "percentiles", (&counted(last.len(), "frame"), &PARTS), &rows);
    });
}

fn frame_text(frame: &TimedFrame) -> String {
    let timing = &frame.timing;
    let gpu = timing.gpu_us.map_or("no timestamps".into(), micros);
    let about = match timing.picture {
        _ if timing.compiles => ", driver compiles",
        Some(PictureStep::Whole) => ", drew everything",
        Some(PictureStep::Last) => ", last step of a full frame",
        Some(PictureStep::First | PictureStep::Next) => ", step of a full frame",
        None => ", drew only what lies over the scene",
    };
    format!("Frame {}: GPU {gpu}, CPU {}{about}", timing.frame, micros(timing.cpu_us))
}
