//! Player of replays: a workgroup's steps beside the picture or over it.

mod clock;
mod tile_replay;

use self::tile_replay::TileReplay;
use super::{
    ActContext, Acted, ArgumentInfo, Draw, DrawnFrame, Instrument, InstrumentInfo, InstrumentReport, PanelContext,
    RunInfo, Signals, check_pixel, pixel_of,
};
use crate::layout::opaque;
use crate::pair_key::without_b;
use crate::replay::{StepCost, Times, describe, draw_step, show_still, text_height, tile_pixel};
use crate::settings::collapsing;
use crate::{UiAction, UiState, theme};
use clock::ReplayClock;
use egui::{
    Align2, Button, Context, EventFilter, Id, Key, LayerId, Order, Popup, Rect, Response, Slider, Stroke, StrokeKind,
    Ui, UiBuilder, WidgetInfo, WidgetType, pos2, vec2,
};
use instrument::{FrameRequest, FrameResults};
use std::ffi::OsStr;
use std::path::PathBuf;
use std::rc::Rc;
use technique::{Info, Replay, TilePlace};
use techniques::{INFOS, info, typed_info};

pub const INFO: InstrumentInfo = InstrumentInfo {
    id: "steps",
    title: "Step by step",
    arguments: &[
        ArgumentInfo {
            name: "steps",
            value: "TECHNIQUE[:X,Y]",
            doc: "Replays the workgroup of the tile at a pixel (or in the middle) of the last frame; exit code 1 if the GPU's memory differs from it",
            check: Some(|text| place_of(text).map(drop)),
            requires: Some("png-series"),
            ..ArgumentInfo::NONE
        },
        ArgumentInfo {
            name: "png-series",
            value: "DIR",
            doc: "Writes a picture of each of its steps into this folder",
            requires: Some("steps"),
            ..ArgumentInfo::NONE
        },
    ],
    ..InstrumentInfo::NONE
};

/// Least points beside the picture; with less it is over it.
const LEAST: f32 = 500.0;
const PICTURE: f32 = 200.0;
#[derive(Default)]
pub struct ReplayPlayer {
    clock: ReplayClock,
    /// It leaves a part of the picture's area: figures are legible without.
    is_beside: bool,
    technique: Option<&'static str>,
    tile: TileReplay,
    /// It leaves the whole picture free until a tile is clicked.
    is_choosing: bool,
    /// Of the pictures of a headless run.
    folder: PathBuf,
}

impl ReplayPlayer {
    /// At the right of `space`; returns its rectangle.
    fn show(
        &mut self,
        ctx: &Context,
        space: Rect,
        replay: Option<(&Replay, bool)>,
        (infos, times): (&[Info], Times<'_>),
        actions: &mut Vec<UiAction>,
    ) -> Option<Rect> {
        let Some((replay, is_still)) = replay else {
            (self.technique, self.is_choosing) = (None, false);
            return None;
        };
        if let Some(pixel) = self.clicked(ctx, &replay.tiles) {
            self.is_choosing = false;
            actions.push(UiAction::Replay { technique: replay.technique, pixel: Some(pixel) });
        }
        if self.is_choosing {
            let text = format!("Click a {} in the picture. Escape leads back to the steps.", replay.tiles.name);
            opaque(ctx, "choice of a tile", (space, Align2::CENTER_TOP), theme::panel(), |ui, _| drop(ui.label(text)));
            return None;
        }
        let is_new = self.technique.replace(replay.technique) != Some(replay.technique);
        if is_new {
            self.clock = ReplayClock::default();
        }
        let now_s = ctx.input(|input| input.time);
        if let Some(wait_s) = self.clock.advance(now_s, replay.steps.len(), is_still) {
            ctx.request_repaint_after_secs(wait_s);
        }
        let is_narrow = space.width() < LEAST + PICTURE;
        let width = if !self.is_beside || is_narrow { space.width() } else { (0.56 * space.width()).max(LEAST) };
        let place = space.with_min_x(space.right() - width);
        if width < space.width() {
            outline_tile(ctx, &replay.tiles);
        }
        Some(opaque(ctx, "replay", (place, Align2::LEFT_TOP), theme::panel(), |ui, inner| {
            let inner = inner.max(vec2(1.0, 1.0));
            ui.set_width(inner.x);
            ui.set_height(inner.y);
            let title = infos.iter().find(|info| info.id == replay.technique).map_or("", |info| info.title);
            self.head(ui, (title, is_narrow), replay, actions);
            self.body(ui, (replay, times), is_new, actions);
        }))
    }

    /// Pixel of the picture; a click that moves a lens or the camera is none.
    fn clicked(&self, ctx: &Context, tiles: &TilePlace) -> Option<[u32; 2]> {
        let at = ctx.pointer_hover_pos()?;
        if ctx.layer_id_at(at).is_some_and(|layer| layer.order != Order::Background) || Popup::is_any_open(ctx) {
            return None;
        }
        let pixel = [at.x, at.y].map(|at| (at * ctx.pixels_per_point()).max(0.0) as u32);
        let under = [0, 1].map(|axis| (f64::from(pixel[axis]) / tiles.size[axis]) as u32);
        outline_tile(ctx, &TilePlace { at: under, ..*tiles });
        ctx.input(|input| input.pointer.primary_clicked()).then_some(pixel)
    }

    fn head(&mut self, ui: &mut Ui, (title, is_narrow): (&str, bool), replay: &Replay, actions: &mut Vec<UiAction>) {
        ui.horizontal(|ui| {
            ui.label(theme::heading(format!("{title}, step by step")));
            theme::from_right(ui, |ui| {
                if collapsing::cross(ui, "Close the steps (Esc)") {
                    actions.push(UiAction::EndReplay);
                }
                let (sign, hint) = match self.is_beside {
                    false => ("Beside", "Show the steps beside the picture"),
                    true => ("Large", "Show the steps over the whole picture"),
                };
                if !is_narrow && ui.button(sign).on_hover_text(hint).clicked() {
                    self.is_beside = !self.is_beside;
                }
                let hint = format!("Leaves the picture free: the {} that you click is shown", replay.tiles.name);
                if ui.button("Choose in the picture").on_hover_text(hint).clicked() {
                    self.is_choosing = true;
                    // An area is invisible in its first pass.
                    ui.ctx().request_repaint();
                }
                let again = ui.button("Again").on_hover_text("Replay this tile of the present frame");
                let [column, row] = replay.tiles.at;
                ui.label(theme::small(format!("{} {column}, {row}", replay.tiles.name)));
                if again.clicked() {
                    let pixel = Some(tile_pixel(ui.ctx(), &replay.tiles));
                    actions.push(UiAction::Replay { technique: replay.technique, pixel });
                }
            });
        });
        ui.add_space(4.0);
    }

    fn body(&mut self, ui: &mut Ui, (replay, times): (&Replay, Times<'_>), is_new: bool, actions: &mut Vec<UiAction>) {
        let Some(step) = replay.steps.get(self.clock.step()) else { return };
        let room = ui.available_rect_before_wrap();
        let controls = theme::ROW + 4.0;
        let height = text_height(replay, room.width());
        let bottom = (room.bottom() - height - controls - 8.0).max(room.top() + 1.0);
        let figure = room.with_max_y(bottom);
        let text = Rect::from_min_max(pos2(room.left(), bottom + 6.0), pos2(room.right(), room.bottom() - controls));
        let row = room.with_min_y(room.bottom() - controls);
        let before = Some(self.clock.transition()).filter(|(_, part)| *part < 1.0);
        let response = draw_step(ui, figure, replay, (&replay.steps, self.clock.step()), before);
        let cost = StepCost::of(replay, self.clock.step(), times);
        ui.scope_builder(UiBuilder::new().max_rect(text), |ui| describe(ui, (self.clock.step(), step), replay, cost));
        let slider = ui.scope_builder(UiBuilder::new().max_rect(row), |ui| self.controls(ui, replay.steps.len())).inner;
        if is_new || response.clicked() {
            slider.request_focus();
        }
        if slider.has_focus() {
            self.keys(ui.ctx(), slider.id, replay.steps.len(), actions);
        }
    }

    fn controls(&mut self, ui: &mut Ui, count: usize) -> Response {
        ui.horizontal_centered(|ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            let button = |ui: &mut Ui, sign: &str, name: &str| {
                let response = ui
                    .add(Button::new(sign).min_size(vec2(if sign.len() > 3 { 52.0 } else { 28.0 }, theme::ROW)))
                    .on_hover_text(name);
                theme::speak(&response, WidgetType::Button, name);
                response.clicked()
            };
            if button(ui, "\u{23ee}", "First step (Home)") {
                self.clock.pause_at(0, count);
            }
            if button(ui, "\u{25c0}", "Step back (\u{2190})") {
                self.clock.advance_by(-1, count);
            }
            let is_playing = self.clock.is_playing();
            let (sign, name) = if is_playing { ("Pause", "Pause (Space)") } else { ("Play", "Play (Space)") };
            if button(ui, sign, name) {
                self.clock.toggle(count);
            }
            if button(ui, "\u{25b6}", "Step forward (\u{2192})") {
                self.clock.advance_by(1, count);
            }
            if button(ui, "\u{23ed}", "Last step (End)") {
                self.clock.pause_at(count, count);
            }
            ui.add_space(6.0);
            let mut shown = self.clock.step() + 1;
            let slider = theme::from_right(ui, |ui| {
                ui.label(theme::figure(format!("{shown} / {count}")).color(theme::TEXT));
                ui.add_space(8.0);
                ui.spacing_mut().slider_width = (ui.available_width() - 18.0).max(20.0);
                let slider = Slider::new(&mut shown, 1..=count.max(1)).show_value(false).step_by(1.0);
                ui.add(slider)
            });
            slider.widget_info(|| WidgetInfo::slider(true, shown as f64, "Step"));
            if slider.changed() {
                self.clock.pause_at(shown - 1, count);
            }
            slider
        })
        .inner
    }

    /// Keys while the slider has the focus; it handles the arrows itself.
    fn keys(&mut self, ctx: &Context, slider: Id, count: usize, actions: &mut Vec<UiAction>) {
        let filter = EventFilter { horizontal_arrows: true, escape: true, ..EventFilter::default() };
        ctx.memory_mut(|memory| memory.set_focus_lock_filter(slider, filter));
        let pressed = |key| ctx.input(|input| input.key_pressed(key));
        if pressed(Key::Space) {
            self.clock.toggle(count);
        }
        if pressed(Key::Home) || pressed(Key::End) {
            self.clock.pause_at(if pressed(Key::Home) { 0 } else { count }, count);
        }
        if pressed(Key::Escape) {
            actions.push(UiAction::EndReplay);
        }
    }
}

impl Instrument for ReplayPlayer {
    fn is_shown(&self, state: &UiState<'_>) -> bool {
        state.results.steps.is_some()
    }

    fn close(&mut self, state: &UiState<'_>, actions: &mut Vec<UiAction>) -> bool {
        if std::mem::take(&mut self.is_choosing) {
            return true;
        }
        actions.extend(state.results.steps.map(|_| UiAction::EndReplay));
        state.results.steps.is_some()
    }

    fn panel(&mut self, ctx: &Context, space: Rect, panel: &mut PanelContext<'_, '_>) -> Rect {
        let (state, timings) = (panel.state, panel.timings);
        self.tile.renew(ctx.egui_is_using_pointer());
        panel.actions.extend(self.tile.take_refusal().map(UiAction::Say));
        let replay = state.results.steps.filter(|_| panel.is_free).map(|replay| (replay, state.is_still));
        let rect = self.show(ctx, space, replay, (state.infos, &|pass| timings.step_us(pass)), panel.actions);
        rect.map_or(space, |rect| space.with_max_x((rect.left() - theme::GAP).max(space.left())))
    }

    fn request(&mut self, _: &mut Signals, frame: &mut FrameRequest) {
        frame.steps = self.tile.request();
    }

    fn receive(&mut self, results: &FrameResults<'_>, _: &DrawnFrame<'_>) -> bool {
        self.tile.receive(results)
    }

    fn act(&mut self, action: &UiAction, window: &ActContext<'_>, signals: &Signals) -> Acted {
        match action {
            UiAction::Replay { .. } if window.has_pair => {
                return Acted::Refused(without_b("The steps are of one picture"));
            }
            UiAction::Replay { technique, pixel } => {
                let place = || tile_replay::place(technique, window.lenses, window.scale, window.free_px);
                self.tile.ask(technique, pixel.or(signals.story).unwrap_or_else(place));
            }
            UiAction::EndReplay => self.tile.end(),
            UiAction::Changed { section, .. } => {
                self.tile.note_change(section);
                return Acted::No;
            }
            _ => return Acted::No,
        }
        Acted::Done
    }

    fn argue(&mut self, name: &str, value: &OsStr, run: &RunInfo) -> Result<(), String> {
        if name == "png-series" {
            self.folder = value.into();
            return Ok(());
        }
        let typed = value.to_string_lossy();
        let (technique, pixel) = place_of(&typed)?;
        let info = typed_info(technique).map_err(|why| format!("--steps: {why}"))?;
        if info.lab.replays.is_empty() {
            let with: Vec<_> = INFOS.iter().filter(|info| !info.lab.replays.is_empty()).map(|info| info.id).collect();
            return Err(format!("--steps {technique}: it has no steps; expected one of {}", with.join(", ")));
        }
        let pixel = pixel.unwrap_or(run.size.map(|side| side / 2));
        self.tile.ask(info.id, pixel);
        check_pixel(&format!("--steps {technique}:"), pixel, run.size)
    }

    fn report(&self, results: &FrameResults<'_>, _: [&str; 2]) -> Result<InstrumentReport, String> {
        let technique = self.tile.request().map_or("", |asked| asked.technique);
        if let Some((_, why)) = results.refusal {
            return Err(format!("--steps {technique}: {why}"));
        }
        let Some(replay) = results.steps else { return Ok(InstrumentReport::default()) };
        let [column, row] = replay.tiles.at;
        let steps = &replay.steps;
        let mut text = format!("{technique}, tile {column}, {row}: {} steps\n{}\n", steps.len(), replay.note);
        (1..).zip(steps).for_each(|(number, step)| text += &format!("step {number:02} {}\n", step.name));
        replay.comparisons.iter().for_each(|comparison| text += &format!("{}\n", comparison.text));
        let wrong = replay.comparisons.iter().find(|comparison| !comparison.is_equal());
        let failure = wrong.map(|wrong| format!("--steps {technique}: {}", wrong.text));
        let title = info(technique).map_or("", |info| info.title);
        let replay = Rc::new(replay.clone());
        let picture = |number: usize| -> (PathBuf, Draw) {
            let replay = replay.clone();
            let draw = move |ui: &mut Ui| show_still(ui, &replay, title, number);
            (self.folder.join(format!("{number:02}.png")), Box::new(draw))
        };
        let drawings = (0..replay.steps.len()).map(picture).collect();
        Ok(InstrumentReport { text, option: "--png-series", drawings, failure, ..InstrumentReport::default() })
    }
}

/// `pixel_sort:640,360`.
fn place_of(text: &str) -> Result<(&str, Option<[u32; 2]>), String> {
    let (technique, pixel) = text.split_once(':').map_or((text, None), |(technique, pixel)| (technique, Some(pixel)));
    if technique.is_empty() {
        return Err("expected TECHNIQUE or TECHNIQUE:X,Y, such as pixel_sort:640,360".into());
    }
    Ok((technique, pixel.map(pixel_of).transpose()?))
}

fn outline_tile(ctx: &Context, tiles: &TilePlace) {
    let painter = ctx.layer_painter(LayerId::new(Order::Background, Id::new("tile of the replay")));
    let scale = f64::from(ctx.pixels_per_point());
    let point = |tile: [u32; 2]| {
        let [x, y] = [0, 1].map(|axis| (f64::from(tile[axis]) * tiles.size[axis] / scale) as f32);
        pos2(x, y)
    };
    let place = Rect::from_min_max(point(tiles.at), point(tiles.at.map(|at| at + 1))).intersect(ctx.content_rect());
    painter.rect_stroke(place, 0.0, Stroke::new(3.5, egui::Color32::from_black_alpha(140)), StrokeKind::Outside);
    painter.rect_stroke(place, 0.0, Stroke::new(1.5, theme::ACCENT), StrokeKind::Outside);
}
