//! A frame of the window, from the panels to its presentation.

use super::App;
use crate::animation::figure_of_eight;
use crate::window::document::DocumentState;
use crate::window::gizmos;
use crate::window::lens_input::Area;
use crate::window::part_labels;
use crate::window::presenter::{Presenter, Shown};
use crate::window::saved_files::save_resource;
use ab::OF_B;
use anyhow::Result;
use base::timing::technique_of;
use egui::Rect;
use egui::epaint::ClippedShape;
use glam::Vec2;
use glass::Mode;
use gpu::Drawing;
use instrument::{FrameResults, WorldTime};
use lab::{Break, Progress};
use reflections::Reflections;
use renderer::{FrameParams, Repeat, ViewPlacement};
use scene::motif::UseFrame;
use scene::{Lens, SceneSettings, Source};
use std::time::{Duration, Instant};
use technique::Technique as _;
use techniques::{INFOS, Settings};
use ui::instruments::DrawnFrame;
use ui::keys::Focus;
use ui::pair_state::PairState;
use ui::{
    LensState, Level, Loading, MeasurementState, PresetState, SceneState, Strip, UiState, ViewState, lens_nodes,
    outside, part_nodes,
};

/// Points that a clip scrolls.
const CLIP_SCROLL: f32 = 900.0;

/// Until the writer takes more, or what is below the glass is there.
const CLIP_WAIT: Duration = Duration::from_millis(10);

/// On slow drivers another scene takes seconds: frames of the last one say so before.
#[derive(Default)]
pub(super) struct DrawnScene {
    last: Option<SceneSettings>,
    /// Frames whose panels said so.
    said: u8,
}

impl DrawnScene {
    /// The last one, where another has to be drawn.
    fn before(&self, now: &SceneSettings) -> Option<&SceneSettings> {
        let of = |scene: &SceneSettings| match scene.source {
            Source::World => (Some((scene.place, scene.sun_height < 0.0)), None),
            Source::Picture => (None, Some(scene.motif)),
        };
        self.last.as_ref().filter(|last| of(last) != of(now))
    }

    /// Instead of `now`; while its world is made, with its sun as before, and while its picture is painted.
    fn held(&self, now: &SceneSettings, is_making: bool) -> Option<SceneSettings> {
        let last = self.before(now)?.clone();
        match [&last, now].map(|scene| scene.source) {
            _ if self.said < 2 => Some(last),
            [Source::World, Source::World] if is_making => {
                Some(SceneSettings { place: now.place, instances: now.instances, ..last })
            }
            [_, Source::Picture] if is_making => Some(last),
            _ => None,
        }
    }
}

impl App {
    pub(super) fn draw(&mut self) -> Result<()> {
        self.change_gpu();
        if self.clip.is_due(Instant::now()) {
            self.redraw.request();
        }
        if !self.presenter.prepare(&mut self.redraw)? {
            return Ok(());
        }
        let requested_s = self.presenter.requested_s(self.redraw.pacing.begin());
        self.panels.ui.rate.begin(requested_s, self.presenter.now_s());
        self.lay_out();
        let area = self.area();
        if self.advance_motif(area) | self.input.lenses.advance(&mut self.document, area) {
            self.redraw.request();
        }
        self.presenter.take_timings(&mut self.redraw, &mut self.panels.ui.timings, &self.files.wake())?;
        self.presenter.measure_device(&mut self.redraw)?;
        for saved in self.presenter.capture.take_saved() {
            if let Err(why) = save_resource(saved, self.files.wake()) {
                self.say(Level::Error, why);
            }
        }
        self.follow_break();
        self.follow_edits();
        self.input.has_pair = self.presenter.pair.is_split();
        self.panels.update_device(self.presenter.surface.gpu());
        let renderer = &mut self.presenter.renderer;
        let is_whole = renderer.beginning().is_none() && !renderer.background().is_behind();
        self.presenter.captured.begin(is_whole);
        let time = match (self.panels.ui.instruments.request().time, self.presenter.captured.clip()) {
            (WorldTime::Runs, Some((_, step))) => WorldTime::Steps(step),
            (time, _) => time,
        };
        let was_refining = self.refining().is_some();
        let before = self.drawn_scene.before(&self.document.state().settings.scene);
        self.drawn_scene.said = before.map_or(0, |_| self.drawn_scene.said.saturating_add(1));
        let drawing = self.run_panels();
        self.take_waiting();
        if self.panels.ui.instruments.request().time.moves_after(time) {
            self.redraw.request();
        }
        match self.drawn_scene.held(&self.document.state().settings.scene, false) {
            Some(_) => self.redraw.request(),
            None => self.pass_files(time),
        }
        self.present(drawing, requested_s.is_some(), time)?;
        self.panels.ui.rate.end(self.presenter.now_s());
        self.session.touch(Instant::now());
        // Pipelines of edited shaders are created while a frame is recorded: their errors are known only now.
        let reports = self.report_shaders();
        let (renderer, state) = (&self.presenter.renderer, self.document.state());
        if reports || self.presenter.surface.is_stale() || renderer.is_measuring() {
            match time {
                WorldTime::Steps(_) => self.redraw.request_in(Duration::ZERO),
                WorldTime::Runs | WorldTime::Paused => self.redraw.request(),
            }
        } else if state.draws_world() && renderer.beginning().is_some() {
            self.redraw.request_in(Duration::ZERO);
        } else if renderer.is_unfinished(&state.settings) || self.presenter.pair.is_unfinished() {
            self.redraw.request_when_still();
        }
        if was_refining && self.refining().is_none() {
            self.redraw.request_in(Duration::ZERO);
        }
        match self.presenter.captured.clip() {
            Some((_, step)) if step.is_zero() => self.redraw.request_in(CLIP_WAIT),
            Some(_) => self.redraw.request(),
            None => {}
        }
        Ok(())
    }

    fn present(&mut self, drawing: Drawing, is_new: bool, time: WorldTime) -> Result<()> {
        self.lay_out();
        let area = self.area();
        let clip = self.presenter.captured.clip();
        let scene = &self.document.settings().scene;
        let renderer = &mut self.presenter.renderer;
        // It is known from the frame on that begins it.
        let is_making = match scene.source {
            Source::World => self.drawn_scene.said == 2 || renderer.worlds().making().is_some(),
            Source::Picture => {
                let size = area.px.as_uvec2().to_array();
                self.drawn_scene.said >= 2 && !renderer.background().is_painted(scene.motif, size)
            }
        };
        let held = self.drawn_scene.held(scene, is_making);
        // No pieces over another scene.
        let used = self.used_frame(area).filter(|_| held.is_none());
        let mut lenses = self.drawn_lenses(used.as_ref());
        let moved = self.document.state().selected.min(lenses.len().saturating_sub(1));
        if let Some(((part, _), lens)) = clip.zip(lenses.get_mut(moved)).filter(|_| used.is_none()) {
            lens.center = figure_of_eight(part, lens.center, lens.half(area.scale), area.px);
        }
        let is_calm = self.input.lenses.is_calm;
        // A clip goes round: its camera is where it was.
        let is_dragged = self.input.camera.is_held() || clip.is_some();
        let seconds = self.redraw.advance(&mut self.document, &lenses, is_dragged, is_calm, time);
        let (plates, panel_press, glows) = self.panels.glass(seconds, self.panel_scale(), is_calm);
        if glows {
            self.redraw.request();
        }
        let surface = &self.presenter.surface;
        let repeat = self.repeat();
        let is_looked_at = self.presenter.capture.awaits_passes() || self.presenter.capture.awaits_story();
        let (held_by, renderer) = (held.as_ref(), &self.presenter.renderer);
        let plan = self.redraw.plan(&self.document, (held_by, is_making), renderer, surface.number(), repeat);
        let (settings, DocumentState { view, drifted_s, .. }) = (self.document.settings(), self.document.state());
        let rests = time == WorldTime::Paused;
        self.presenter.pair.set_pace(rests, is_new.then_some((settings, area.px)));
        let shown = match is_new {
            _ if is_looked_at => Shown::Repeat,
            true => Shown::New,
            false => Shown::Refresh,
        };
        let resting = rests.then(|| settings.clone().resting());
        let settings = resting.as_ref().unwrap_or(settings);
        let held = held.map(|scene| Settings { scene, ..settings.clone() });
        let settings = held.as_ref().unwrap_or(settings);
        let preferred = self.panels.preferences().glass_of(settings);
        let settings = preferred.as_ref().unwrap_or(settings);
        let params = FrameParams {
            plates: if self.presenter.pair.is_on() { &[] } else { &plates },
            sheets: &self.panels.opaque_px(),
            press: self.input.lenses.press().or(self.input.motif.press()).or(panel_press),
            used: used.as_ref(),
            view: *view,
            split: self.input.split.at,
            scale: area.scale,
            seconds,
            center: self.panels.center(),
            drifted_s: *drifted_s,
            plan,
            ..FrameParams::of(settings, &lenses)
        };
        let free_px = self.free_above_legend(area);
        let of_b = self.presenter.pair.renderer();
        of_b.into_iter().for_each(|renderer| renderer.keep_within(free_px.as_uvec2()));
        self.presenter.renderer.keep_within(free_px.as_uvec2());
        let preset = || self.document.preset_text(area.px);
        self.presenter.present(&params, drawing, shown, preset, &mut self.redraw)?;
        let frame = DrawnFrame { params: &params };
        let is_recorded = self.presenter.captured.is_recording();
        let check = self.check.state();
        let results = FrameResults { is_recorded, check, ..self.presenter.capture.results() };
        if self.panels.ui.instruments.receive(&results, &frame) {
            self.redraw.request_in(Duration::ZERO);
        }
        self.session.note_for_crash_report(|| preset().unwrap_or_default());
        let scene = &self.document.state().settings.scene;
        let renderer = &mut self.presenter.renderer;
        let is_behind = renderer.worlds().making().is_some() || renderer.background().is_behind();
        if !self.presenter.surface.gpu().policy().is_slow || self.presenter.pair.is_on() {
            self.drawn_scene.last = None;
        } else if self.drawn_scene.held(scene, false).is_none() && !is_behind && renderer.beginning().is_none() {
            self.drawn_scene.last = Some(scene.clone());
            (self.drawn_scene.said > 0).then(|| self.redraw.request());
        }
        Ok(())
    }

    fn advance_motif(&mut self, area: Area) -> bool {
        let feel = self.input.lenses.feel(&self.document.state().settings);
        self.document.state().uses_motif() && self.input.motif.advance(&mut self.document, area, &feel)
    }

    /// All that a frame has of a motif of use.
    pub(super) fn used_frame(&self, area: Area) -> Option<UseFrame> {
        let state = self.document.state();
        let feel = self.input.lenses.feel(&state.settings);
        // A clip goes down the list and back.
        let away = |(part, _): (f32, Duration)| CLIP_SCROLL * 0.5 * (1.0 - (part * std::f32::consts::TAU).cos());
        let scroll = self.presenter.captured.clip().map(|clip| state.settings.scene.scroll + away(clip));
        state.uses_motif().then(|| self.input.motif.frame(state, scroll, area, &feel))
    }

    pub(super) fn drawn_lenses(&self, used: Option<&UseFrame>) -> Vec<Lens> {
        let glass = &self.document.settings().glass;
        let mut lenses = match used {
            Some(used) => used.lenses(glass.lens_glass()),
            None => self.input.lenses.drawn(self.document.state()),
        };
        lenses.iter_mut().for_each(|lens| lens.glass = lens.glass.tinted(glass.tinted));
        lenses
    }

    /// For instruments, or to measure A and B.
    fn repeat(&self) -> Repeat {
        let Presenter { capture, pair, .. } = &self.presenter;
        let is_rays = |pass: &str| technique_of(pass.strip_prefix(OF_B).unwrap_or(pass)) == Reflections::ID;
        match (
            capture.awaits_story() || capture.awaited_passes().any(is_rays),
            capture.awaits_passes() || pair.is_measuring(),
        ) {
            (true, _) => Repeat::Rays,
            (false, true) => Repeat::Passes,
            (false, false) => Repeat::Nothing,
        }
    }

    fn run_panels(&mut self) -> Drawing {
        self.panels.report_document(&self.document);
        self.theme_panels();
        let area = self.area();
        let cursor = self.input.cursor(&self.document, area);
        let (line, shapes) = self.overlay(area);
        let (strips, lens, has_hint, loading) =
            (self.strips(area), self.lens_state(), self.shows_hint(area), self.loading());
        let refining = self.refining();
        let (lenses, parts) = (self.lens_nodes(area), self.motif_parts(area));
        let (announced, panel_scale) = (self.presenter.announce_measurements(), self.panel_scale());
        let (state, renderer) = (self.document.state(), &self.presenter.renderer);
        let (a, edits_b) = (self.document.settings(), state.is_of_b());
        let mut written = self.document.edited_settings().into_owned();
        let (reports, mut measurements) = (renderer.reports(a), renderer.measurements(a));
        for measurement in measurements.iter_mut().filter(|measurement| announced.contains(&measurement.id)) {
            measurement.card.progress = Progress::Running { rounds: 0, part: 0.0 };
        }
        let subject = format!("{}.", renderer.subject(a));
        let untimed = self.presenter.surface.gpu().untimed();
        let measured = MeasurementState { reports: &reports, measurements: &measurements, subject: &subject, untimed };
        let view = ViewState { shown: state.view, strips: &strips, line };
        let presets = PresetState { list: self.document.presets.names(), active: self.document.active_preset() };
        let (history, files) = (self.document.can_undo_and_redo(), self.open_files());
        let results = FrameResults { check: self.check.state(), ..self.presenter.capture.results() };
        let display_us = self.panels.display_us;
        let is_readable = self.presenter.surface.is_readable();
        let recording = self.presenter.captured.state();
        let is_still = self.input.lenses.is_calm;
        let pair = self.presenter.pair.state();
        let pair = pair.map(|pair| if edits_b { PairState { edits_b, other: a, ..pair } } else { pair });
        let scene = SceneState { draws_world: state.draws_world(), files: &files, loading: loading.as_ref(), refining };
        let surface = &self.presenter.surface;
        let is_glass = !self.panels.preferences().high_contrast
            && pair.is_none()
            && written.display.panels.is_glass(!surface.gpu().policy().is_slow);
        let was_typing = self.panels.focus() == Focus::Text;
        let mut actions = Vec::new();
        let (drawing, delay) = self.panels.run(surface.window(), cursor, shapes, |ui, device, root| {
            actions.extend(lens_nodes::show(root, &lenses));
            actions.extend(part_nodes::show(root, &parts, panel_scale));
            let (sections, infos) = (written.sections(), INFOS);
            let state = UiState {
                sections,
                infos,
                view,
                presets,
                history,
                device,
                measured,
                results,
                pair,
                is_readable,
                recording,
                is_still,
                display_us,
                scene,
                is_glass,
                has_hint,
                lens,
            };
            actions.extend(ui.show(root, state));
        });
        self.input.keyboard.panels_ran();
        let request = self.panels.ui.instruments.take_request();
        self.record_window(request.records);
        if self.check.follow(request.check) | self.presenter.capture.ask(request) {
            self.redraw.request_in(Duration::ZERO);
        }
        if self.presenter.capture.awaits_passes() {
            self.redraw.request();
        }
        self.redraw.request_in(delay);
        if was_typing && self.panels.focus() != Focus::Text {
            self.input.keyboard.end_typing();
        }
        self.commit(&actions, written);
        actions.into_iter().for_each(|action| self.apply(action));
        drawing
    }

    /// Line of a split view, in points, and the shapes below the panels.
    fn overlay(&self, area: Area) -> (Option<f32>, Vec<ClippedShape>) {
        let is_visible =
            self.panels.ui.visible && area.hidden_from_px > 0.0 && self.presenter.captured.clip().is_none();
        let marks = self.input.lenses.marks(self.document.state(), area, is_visible);
        // egui knows neither before its first pass.
        let pixels_per_point = self.panel_scale();
        let extent = egui::vec2(area.px.x, area.px.y) / pixels_per_point;
        let is_split = self.document.state().view.is_some_and(|view| view.place == ViewPlacement::Split)
            || self.presenter.pair.is_split();
        let line = is_split.then(|| self.input.split.at * area.px.x / pixels_per_point);
        let whole = Rect::from_min_size(egui::Pos2::ZERO, extent);
        let seen = whole.with_max_x(extent.x.min(area.hidden_from_px / pixels_per_point));
        let holes = self.panels.ui.instruments.holes();
        let clipped = |clip: Rect, shapes: Vec<egui::Shape>| {
            let parts = outside(clip, holes).into_iter();
            parts.flat_map(move |clip_rect| {
                shapes.clone().into_iter().map(move |shape| ClippedShape { clip_rect, shape })
            })
        };
        let mut line_shapes = line.map(|x| gizmos::line(x, extent.y)).unwrap_or_default();
        line_shapes.extend((self.broken != Break::None).then(|| gizmos::red_frame(whole)));
        (line, clipped(seen, marks.shapes(pixels_per_point)).chain(clipped(whole, line_shapes)).collect())
    }

    fn strips(&self, area: Area) -> Vec<Strip> {
        let DocumentState { view, settings, .. } = self.document.state();
        let Some(view) = view else { return Vec::new() };
        let line_px = if view.place == ViewPlacement::Split { self.input.split.at * area.px.x } else { 0.0 };
        let room = part_labels::Room {
            px: area.px,
            free_above_legend_px: self.free_above_legend(area),
            line_px,
            scale: self.panel_scale(),
        };
        part_labels::labels(view, &settings.summed_area, &room)
    }

    fn free_above_legend(&self, area: Area) -> Vec2 {
        let scale = self.panel_scale();
        let free = self.panels.ui.free_above_legend(egui::vec2(area.px.x, area.px.y) / scale);
        Vec2::new(free.right(), free.bottom()) * scale
    }

    fn lens_state(&self) -> LensState {
        let state = self.document.state();
        let at = state.lenses.get(state.selected).map_or(Vec2::ZERO, |lens| lens.center / self.scale);
        let (count, is_reference) = (state.lenses.len(), state.settings.glass.mode == Mode::Source);
        let by_default = !self.presenter.surface.gpu().policy().is_slow;
        LensState {
            count,
            selected: state.selected,
            has_several_glasses: !state.have_one_glass(),
            can_add: !is_reference && count < glass::MOST_LENSES,
            is_reference,
            at: at.to_array(),
            drifts: state.shows_world().then(|| state.settings.scene.drifts(by_default)),
        }
    }

    /// The flat picture contains the hint.
    fn shows_hint(&self, area: Area) -> bool {
        self.document.state().shows_world()
            && area.hidden_from_px > 0.0
            && self.presenter.renderer.beginning().is_none()
    }

    /// Of A and B; `None` if nothing will change.
    fn refining(&self) -> Option<f32> {
        let pair = self.presenter.pair.refinement();
        let own = self.presenter.renderer.refinement(&self.document.state().settings);
        own.into_iter().chain(pair).chain(self.redraw.sharpens.then_some(0.0)).reduce(f32::min)
    }

    fn loading(&mut self) -> Option<Loading> {
        if let Some(reading) = &self.files.reading {
            let what = format!("Reading {} ...", reading.name);
            return Some(Loading { what, part: reading.part(), can_cancel: true });
        }
        let draws_world = self.document.state().draws_world();
        if let Some(part) = self.presenter.renderer.beginning().filter(|_| draws_world) {
            let what = "The driver compiles the 3D scene's shaders ...".into();
            return Some(Loading { what, part: Some(part), can_cancel: false });
        }
        let making = self.presenter.renderer.worlds().making().filter(|_| draws_world);
        if making.is_none() && self.drawn_scene.said == 0 {
            return None;
        }
        let name =
            ui::built_in_scene(&self.document.settings().clone().sections()).map_or("the scene", |(name, _)| name);
        let (doing, part) = making.map_or(("Loading", None), |(_, part)| ("Making", Some(part)));
        Some(Loading { what: format!("{doing} {name} ..."), part, can_cancel: false })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use scene::Place;

    #[test]
    fn the_last_scene_stays_until_two_frames_say_that_another_is_loading() {
        let last = SceneSettings { place: Place::Court, ..SceneSettings::default() };
        let mut drawn = DrawnScene { last: Some(last.clone()), said: 0 };
        let moved = SceneSettings { sun_height: last.sun_height + 1.0, ..last.clone() };
        assert_eq!(drawn.before(&moved), None);
        let next = SceneSettings { place: Place::Pool, ..last.clone() };
        for said in 0..3 {
            drawn.said = said;
            assert_eq!(drawn.held(&next, false), Some(last.clone()).filter(|_| said < 2));
        }
        let night = SceneSettings { sun_height: -9.0, ..next.clone() };
        assert_eq!(drawn.held(&night, true), Some(next.clone()), "the sun sets where the pool is");
        let picture = SceneSettings { source: Source::Picture, ..next.clone() };
        drawn.last = Some(picture);
        assert_eq!(drawn.held(&next, true), None, "or the world would never be made");
        drawn.last = Some(next.clone());
        let list = SceneSettings { source: Source::Picture, ..next.clone() };
        assert_eq!([true, false].map(|paints| drawn.held(&list, paints)), [Some(next.clone()), None]);
        assert_eq!(DrawnScene::default().before(&next), None);
    }
}
