//! Input of the panels, and the handlers of their actions.

use super::super::command_line::command_line;
use super::super::comparison_labels;
use super::super::document::{Changed, DocumentState, Edit, Origin};
use super::super::files::Loaded;
use super::super::gizmos;
use super::super::keyboard::Focus;
use super::super::lens_input::{self, Area};
use super::App;
use super::window_events::STILL_TYPING;
use crate::app::session::LoadedPreset;
use crate::lab::Progress;
use crate::renderer::{MirrorPace, ViewPlacement};
use crate::scene::{GlassPanel, Press, Source};
use crate::techniques::{
    INFOS, Settings, Technique as _,
    reflections::{Reflections, Trace},
};
use crate::ui::panel_rects;
use crate::ui::view_labels;
use crate::ui::{About, Level, Loading, Measured, PresetAction, UiAction, UiState};
use anyhow::Result;
use egui::epaint::ClippedShape;
use glam::Vec2;
use std::path::{Path, PathBuf};
use std::time::Instant;

impl App {
    /// Runs the panels for a frame: their actions, their shapes, and the settings as they wrote them.
    pub(super) fn run_panels(&mut self) -> (Vec<UiAction>, crate::gpu::Drawing, Settings) {
        self.tell_of_words();
        self.tell_of_history();
        self.adapt_panels();
        let (cursor, area) = (self.cursor(), self.area());
        let view = self.document.state().view;
        let (hidden_from_px, lens, hint) = (area.hidden_from_px, self.lens_state(), self.shows_hint());
        let marks = self.lenses.marks(self.document.adapt(), area, self.ui.visible && hidden_from_px > 0.0);
        self.ui.was_dragged |= self.lenses.was_dragged();
        let line = self.is_split().then(|| self.split.at * self.surface.area_px().x);
        let mut written = self.document.settings().clone();
        let reports = self.renderer.reports(&written);
        let (mut measurements, psnr_db) = (self.renderer.measurements(&written), self.renderer.blur_psnr_db());
        for (technique, is_said) in &mut self.asked {
            let of_it = measurements.iter_mut().filter(|measurement| measurement.id == *technique);
            of_it.for_each(|measurement| measurement.card.progress = Progress::Running { rounds: 0, part: 0.0 });
            *is_said = true;
        }
        let measured_at = format!("{}.", self.renderer.subject(&written));
        let (draws_world, loading) = (self.draws_world(), self.loading());
        let strips = view.map_or(Vec::new(), |view| {
            let [area, scale] = [self.area().px, Vec2::splat(self.area().scale)];
            let line = if view.place == ViewPlacement::Split { self.split.at * area.x } else { 0.0 };
            let mut strips = comparison_labels::strips(
                &view,
                self.area().free_px.x,
                area / scale,
                scale.x,
                line / scale.x,
                &psnr_db,
            );
            let both = [area, self.free_above_legend()];
            strips.extend(comparison_labels::row_signs(&view, &written.summed_area, both, scale.x));
            if view.place == ViewPlacement::Split && strips.is_empty() {
                let free = egui::Rect::from_min_max(egui::Pos2::ZERO, egui::pos2(both[1].x, both[1].y) / scale.x);
                strips.extend(view_labels::sides(line / scale.x, free, ["Final image", view.view.title]));
            }
            strips
        });
        let active = self.document.state().origin.active(&written.glass);
        let active = active.map(|(name, as_loaded)| (name.to_owned(), as_loaded));
        let is_glass = written.display.panels.is_glass(self.surface.gpu().policy().glass_panels);
        let toolbar = is_glass && written.display.toolbar;
        let (history, names) = (self.document.holds(), self.document.state().files.names());
        let was_typing = self.panels.focus() == Focus::Text;
        let Self { panels, ui, device, files, surface, .. } = self;
        let mut actions = Vec::new();
        let (extent, pixels_per_point) = panels.extent();
        let line = line.map(|x| x / pixels_per_point);
        // If a view hides the lenses nothing is drawn around them.
        let whole = egui::Rect::from_min_size(egui::Pos2::ZERO, extent);
        let seen = whole.with_max_x(extent.x.min(hidden_from_px / pixels_per_point));
        let line_shapes = line.map(|x| gizmos::line(x, extent.y)).unwrap_or_default();
        let shapes = marks.shapes(pixels_per_point).into_iter().map(|shape| ClippedShape { clip_rect: seen, shape });
        let line_shapes = line_shapes.into_iter().map(|shape| ClippedShape { clip_rect: whole, shape });
        let shapes: Vec<ClippedShape> = shapes.chain(line_shapes).collect();
        let (drawing, delay) = panels.run(surface.window(), cursor, shapes, |root| {
            // egui may run this twice per frame, and the actions of the first run would be lost.
            let state = UiState {
                sections: written.sections(),
                infos: INFOS,
                shown: view,
                presets: files.presets(),
                active: active.as_ref().map(|(name, as_loaded)| (name.as_str(), *as_loaded)),
                history,
                device,
                measured: Measured { reports: &reports, measurements: &measurements },
                measured_at: measured_at.clone(),
                draws_world,
                files: &names,
                loading: loading.clone(),
                is_glass,
                toolbar,
                strips: strips.clone(),
                line,
                lens,
                hint,
            };
            actions.extend(ui.show(root, state));
        });
        let now = Instant::now();
        self.pacing.ask_within(delay, now);
        if was_typing && self.panels.focus() != Focus::Text {
            self.typed_until = Some(now + STILL_TYPING);
        }
        (actions, drawing, written)
    }

    /// Commits the fields that the panels report as changed, from the settings as they have `written` them.
    pub(super) fn commit(&mut self, actions: &[UiAction], mut written: Settings) {
        let field = |action: &UiAction| match action {
            UiAction::Changed { section, field } => Some((*section, *field)),
            _ => None,
        };
        let mut fields: Vec<_> = actions.iter().filter_map(field).collect();
        fields.sort_unstable();
        fields.dedup();
        if !fields.is_empty() {
            let changed = self.document.edit_fields(fields, &mut written, self.scale);
            self.show_changed(changed);
        }
    }

    /// Resolution scale and pace of the traced mirrors, with `scale` as the dynamic resolution proposes.
    pub(super) fn mirrors(&self, scale: f32, now: Instant) -> (f32, MirrorPace) {
        let DocumentState { settings, view, .. } = self.document.state();
        let (reflections, policy) = (&settings.reflections, self.surface.gpu().policy());
        let is_measured = self.renderer.measures_bounces();
        let is_shown = is_measured || view.is_some_and(|view| view.technique == Reflections::ID);
        if reflections.in_shares(policy.ray_queues, is_measured) {
            let pace = if self.follow.still_in(now).is_zero() { MirrorPace::Shares } else { MirrorPace::Paused };
            return (if reflections.trace == Trace::Off { 0.0 } else { 1.0 }, pace);
        }
        (if reflections.traces(policy.headless_mirrors, is_shown) { scale } else { 0.0 }, MirrorPace::AtOnce)
    }

    /// Advances glass panels and press glow; returns whether they need another frame.
    pub(super) fn pass_plates(&mut self, seconds: f32) -> (Vec<GlassPanel>, Option<Press>, bool) {
        let (panes, pressed) = (panel_rects::panes(self.panels.ctx()), self.panels.pressed());
        let pressed = pressed.filter(|_| !panes.is_empty());
        let more = self.plates.pass(seconds, panes, pressed, self.document.settings().hand.reduced_motion);
        let plates = self.plates.drawn(self.area().scale, self.panels.is_light);
        (plates, self.lenses.press().or(self.plates.press()), more)
    }

    /// Rectangles in pixels of panels that are not of glass.
    pub(super) fn sheets(&self) -> Vec<[Vec2; 2]> {
        let (sheets, scale) = (panel_rects::sheets(self.panels.ctx()), self.panels.extent().1);
        sheets.into_iter().map(|sheet| [sheet.min, sheet.max].map(|at| Vec2::new(at.x, at.y) * scale)).collect()
    }

    /// What is being loaded or built.
    fn loading(&mut self) -> Option<Loading> {
        if let Some(reading) = self.files.reading() {
            let what = format!("Reading {} ...", reading.name);
            return Some(Loading { what, part: reading.part(), can_cancel: true });
        }
        if !self.draws_world() {
            return None;
        }
        if let Some(part) = self.renderer.beginning() {
            let what = "The driver compiles the 3D scene's shaders ...".into();
            return Some(Loading { what, part: Some(part), can_cancel: false });
        }
        let (place, part) = self.renderer.worlds().making()?;
        let what = format!("Making the 3D scene: {} ...", place.title());
        Some(Loading { what, part: Some(part), can_cancel: false })
    }

    /// Whether a world is drawn: it is under the glass, or the view shows its inside.
    pub(super) fn draws_world(&self) -> bool {
        let DocumentState { settings, view, .. } = self.document.state();
        settings.scene.source == Source::World || view.is_some_and(|view| settings.views_world(view.technique))
    }

    /// Applies an action.
    pub(super) fn act(&mut self, action: UiAction) {
        match action {
            UiAction::Changed { .. } => {}
            UiAction::View(view) => {
                self.document.edit(Edit::Once, |state| state.view = view);
                self.centre_split();
            }
            UiAction::Preset(wish) => self.apply_preset_action(wish),
            UiAction::Undo => match self.document.undo(self.scale) {
                Some(changed) => self.put_back(changed),
                None => self.say_about(About::History, Level::Info, "Nothing to undo"),
            },
            UiAction::Redo => match self.document.redo(self.scale) {
                Some(changed) => self.put_back(changed),
                None => self.say_about(About::History, Level::Info, "Nothing to redo"),
            },
            UiAction::CopyCommandLine => {
                let DocumentState { settings, lenses, view, files, .. } = self.document.state();
                let first = lenses.first().map(|lens| lens.center);
                let line = command_line(settings, *view, &files.names(), first);
                self.panels.ctx().copy_text(line.clone());
                self.say(Level::Info, format!("Copied: {line}"));
            }
            UiAction::PickFile => {
                let names = self.document.state().files.names();
                let open = names.picture.as_ref().or(names.world.as_ref());
                let folder = open.and_then(|name| Path::new(name).parent()).filter(|folder| folder.is_absolute());
                self.files.pick(self.surface.window(), folder);
            }
            UiAction::Press(key, times) => self.press(key, times),
            UiAction::ToggleDrift => self.camera.toggle_drift(&mut self.document),
            UiAction::TakePicture => self.take_picture(),
            UiAction::Open(file) => self.open(file),
            UiAction::Measure(technique) => self.asked.push((technique, false)),
            UiAction::StopMeasuring(technique) => {
                self.asked.retain(|(asked, _)| *asked != technique);
                self.renderer.stop_measuring(technique);
            }
            UiAction::Act(technique) => self.renderer.act(technique),
            UiAction::Copy(text) => {
                self.panels.ctx().copy_text(text);
                self.say(Level::Info, "Copied: the measurement, its columns between tabs");
            }
            UiAction::CancelReading => {
                if let Some(reading) = self.files.cancel() {
                    self.say(Level::Info, format!("Cancelled: {} was not read", reading.name));
                }
                self.expect_file();
            }
            UiAction::Close(of) => {
                self.document.edit(Edit::Once, |state| match of {
                    Source::Picture => state.files.picture = None,
                    Source::World => state.files.world = None,
                });
                self.follow.start();
            }
        }
        self.ask();
    }

    /// Opens a picture, a scene or a preset.
    pub(super) fn open(&mut self, file: PathBuf) {
        if let Some(preset) = self.files.take(file.clone(), self.document.settings()) {
            self.ui.answer(&file, preset.is_ok());
            self.load(None, preset);
        }
        self.expect_file();
    }

    fn apply_preset_action(&mut self, wish: PresetAction) {
        match wish {
            PresetAction::Load(name) => {
                let preset = self.files.load_preset(&name, self.document.settings());
                self.load(Some(name), preset);
            }
            PresetAction::Save(name, extent) => {
                let layout = self.layout();
                let saved = self.files.save_preset(&name, self.document.settings(), extent, layout.as_ref());
                if saved.is_ok() {
                    let state = self.document.adapt();
                    state.origin.preset = Some(LoadedPreset { name, glass: state.settings.glass.clone() });
                }
                let saved = saved.map(|file| format!("Saved {}", file.display()));
                self.tell(About::Preset, saved.map_err(|error| format!("{error:#}")));
            }
            PresetAction::Delete(name) => {
                let deleted = self.files.delete_preset(&name).map(|file| format!("Deleted {}", file.display()));
                self.tell(About::Preset, deleted.map_err(|error| format!("{error:#}")));
            }
            PresetAction::Reset => {
                let area = self.area();
                let preset = self.files.preset_of(&Settings::default());
                let changed = self.document.edit(Edit::Once, |state| defaults(state, preset, area)).1;
                self.put_back(changed);
                self.say(Level::Info, "Everything is as it is at first. Ctrl+Z undoes this.");
            }
        }
    }

    /// Applies a preset and its lens layout, or reports why it is unusable. A named preset becomes the active one.
    fn load(&mut self, name: Option<String>, preset: Result<Loaded>) {
        let about = if name.is_some() { About::Preset } else { About::File };
        match preset {
            Ok(Loaded { settings, layout, retired }) => {
                self.ui.messages.settle(about);
                let (area, moves) = (self.area(), layout.is_some());
                let load = |state: &mut DocumentState| {
                    let before = std::mem::replace(&mut state.settings, settings);
                    state.settings.settle(&before);
                    lens_input::load(state, layout, area);
                    state.origin.preset = name.map(|name| LoadedPreset { name, glass: state.settings.glass.clone() });
                };
                let changed = self.document.edit(Edit::Once, load).1;
                // A dragged lens keeps following, in its new shape.
                if moves {
                    self.put_back(changed)
                } else {
                    self.show_changed(changed)
                }
                retired.into_iter().for_each(|line| self.say(Level::Info, line));
            }
            Err(error) => self.say_about(about, Level::Error, format!("{error:#}")),
        }
    }

    /// Starts the measurements that a frame has announced.
    pub(super) fn begin_measuring(&mut self) {
        for (technique, _) in self.asked.extract_if(.., |(_, is_said)| *is_said) {
            self.renderer.measure(technique);
        }
    }

    /// Before the first input, adapts the lens layout to the current window size.
    pub(super) fn lay_out_again(&mut self) {
        let area = self.area();
        self.lenses.lay_out_again(self.document.adapt(), area);
    }

    /// Parts of the document were replaced: ends the drag of lenses that moved.
    fn put_back(&mut self, changed: Changed) {
        if changed.lenses {
            self.lenses.rest(self.document.state());
            // The window may have been larger.
            let area_px = self.area().px;
            for lens in &mut self.document.adapt().lenses {
                lens.center = lens.center.clamp(Vec2::ZERO, area_px);
            }
        }
        if changed.view {
            self.centre_split();
        }
        self.show_changed(changed);
    }

    /// Updates the window from the document.
    fn show_changed(&mut self, changed: Changed) {
        if changed.files {
            self.follow.start();
        }
        if changed.settings {
            let display = &self.document.settings().display;
            self.surface.set_pacing(display.present, display.frames_in_flight as usize);
        }
        if changed.any() {
            self.ask();
        }
    }

    fn centre_split(&mut self) {
        let area = self.area();
        self.split.centre(area.free_px.x, area.px.x);
    }
}

/// State of the first launch: settings, the view, one lens in the middle, the initial camera. Files stay open.
fn defaults(state: &mut DocumentState, preset: Option<LoadedPreset>, area: Area) {
    state.settings = Settings::default();
    state.origin = Origin { preset, glass: state.settings.glass.clone(), layout: None };
    (state.view, state.drifted_s) = (None, 0.0);
    lens_input::place(state, None, area);
}
