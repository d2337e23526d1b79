//! What the panels show of the demo, and what is done when they ask for something.

use super::super::command_line::command_line;
use super::super::comparison;
use super::super::files::Loaded;
use super::super::marks;
use super::Demo;
use crate::renderer::{MirrorPace, ViewPlacement};
use crate::scene::{Plate, Press, Source};
use crate::techniques::{
    INFOS, Settings, Technique as _,
    reflections::{Reflections, Trace},
};
use crate::ui::glazing;
use crate::ui::{Level, Loading, Measured, UiAction, UiState, Wish, is_measuring};
use anyhow::Result;
use std::path::{Path, PathBuf};
use std::time::Instant;

impl Demo {
    pub(super) fn run_panels(&mut self) -> (Vec<UiAction>, crate::gpu::Drawing) {
        let cursor = self.cursor();
        // A view that fills the window hides the lenses.
        let sees_lenses = self.view.is_none_or(|view| view.place != ViewPlacement::Full);
        let marks = self.lenses.marks(&self.settings, self.area(), self.ui.visible && sees_lenses);
        let line = self.is_split().then(|| self.split.at * self.surface.area_px().x);
        let (reports, scatters) = (self.renderer.reports(&self.settings), self.renderer.scatters());
        let measured_at = format!("{}.", self.renderer.subject(&self.settings));
        let (answers, draws_world, loading) = (self.renderer.answers(), self.draws_world(), self.loading());
        self.forget_closed();
        let strips = self.view.map_or(Vec::new(), |view| {
            let [area, scale] = [self.area().px, glam::Vec2::splat(self.area().scale)];
            let line = if view.place == ViewPlacement::Split { self.split.at * area.x } else { 0.0 };
            let mut strips =
                comparison::strips(&view, self.area().free_px.x, area / scale, scale.x, line / scale.x, &reports);
            let both = [area, self.free_above_legend()];
            strips.extend(comparison::row_signs(&view, &self.settings.summed_area, both, scale.x));
            strips
        });
        let is_as_loaded = |loaded: &Settings| loaded.glass == self.settings.glass;
        let active = self.active.as_ref().map(|(name, loaded)| (name.clone(), is_as_loaded(loaded)));
        let is_glass = self.settings.display.panels.is_glass(self.surface.gpu().facts().is_software());
        let toolbar = is_glass && self.settings.display.toolbar;
        let Self { panels, ui, settings, view, device, files, surface, names, history, .. } = self;
        let mut actions = Vec::new();
        let (extent, pixels_per_point) = panels.extent();
        let mut shapes = line.map(|x| marks::line(x / pixels_per_point, extent.y)).unwrap_or_default();
        shapes.extend(marks.shapes(pixels_per_point));
        let (drawing, delay) = panels.run(surface.window(), cursor, shapes, |root| {
            // egui may run this twice for one frame, and what was asked for in the first run would be lost.
            let state = UiState {
                sections: settings.sections(),
                infos: INFOS,
                shown: *view,
                presets: files.presets(),
                active: active.as_ref().map(|(name, as_loaded)| (name.as_str(), *as_loaded)),
                history: history.holds(),
                device,
                measured: Measured { answers: &answers, reports: &reports, scatters: &scatters },
                measured_at: measured_at.clone(),
                draws_world,
                files: names,
                loading: loading.clone(),
                is_glass,
                toolbar,
                strips: strips.clone(),
            };
            actions.extend(ui.show(root, state));
        });
        self.pacing.ask_within(delay, Instant::now());
        (actions, drawing)
    }

    /// With which part of their pixels mirrors are traced, `scale` or another, and when.
    pub(super) fn mirrors(&self, scale: f32, now: Instant) -> (f32, MirrorPace) {
        let (reflections, software) = (&self.settings.reflections, self.surface.gpu().facts().is_software());
        let is_shown = self.view.is_some_and(|view| view.technique == Reflections::ID);
        if reflections.in_shares(software) {
            let pace = if self.follow.still_in(now).is_zero() { MirrorPace::Shares } else { MirrorPace::Paused };
            return (if reflections.trace == Trace::Off { 0.0 } else { 1.0 }, pace);
        }
        (if reflections.traces(software, is_shown) { scale } else { 0.0 }, MirrorPace::AtOnce)
    }

    /// Panels of glass, where glass is pressed, and whether another frame is wanted for them.
    pub(super) fn pass_plates(&mut self, seconds: f32) -> (Vec<Plate>, Option<Press>, bool) {
        let (panes, pressed) = (glazing::panes(self.panels.ctx()), self.panels.pressed());
        let pressed = pressed.filter(|_| !panes.is_empty());
        let more = self.plates.pass(seconds, panes, pressed, self.settings.hand.reduced_motion);
        (self.plates.drawn(self.area().scale), self.lenses.press().or(self.plates.press()), more)
    }

    /// What is being made or read.
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
        let what = format!("Making the 3D scene: {} ...", crate::base::text::title(place.name()));
        Some(Loading { what, part: Some(part), can_cancel: false })
    }

    /// Another built-in picture or world puts a file away.
    fn forget_closed(&mut self) {
        if self.renderer.backdrop().file().is_none() {
            self.names.picture = None;
        }
        if !self.renderer.worlds().has_file() {
            self.names.world = None;
        }
    }

    /// Whether a world is drawn: it lies under the glass, or the view shows its inside.
    pub(super) fn draws_world(&self) -> bool {
        self.settings.scene.source == Source::World
            || self.view.is_some_and(|view| self.settings.views_world(view.technique))
    }

    /// Does what the panels ask for.
    pub(super) fn act(&mut self, action: UiAction) {
        match action {
            UiAction::Changed { .. } => {}
            UiAction::View(view) => {
                self.view = view;
                let area = self.area();
                self.split.centre(area.free_px.x, area.px.x);
            }
            UiAction::Preset(wish) => self.grant(wish),
            UiAction::Undo | UiAction::Redo => {
                self.note();
                let (before, lenses) = (self.settings.clone(), self.lenses.lenses_mut());
                let is_undo = action == UiAction::Undo;
                let done = if is_undo {
                    self.history.undo(&mut self.settings, lenses)
                } else {
                    self.history.redo(&mut self.settings, lenses)
                };
                if done {
                    // Not settled: what a field set besides itself is taken back by itself.
                    self.follow_settings(&before);
                    self.noted = self.settings.clone();
                } else {
                    self.say(Level::Info, if is_undo { "Nothing to undo" } else { "Nothing to redo" });
                }
            }
            UiAction::CopyCommandLine => {
                let first = self.lenses.lenses().first().map(|lens| lens.center);
                let line = command_line(&self.settings, self.view, &self.names, first);
                self.panels.ctx().copy_text(line.clone());
                self.say(Level::Info, format!("Copied: {line}"));
            }
            UiAction::PickFile => {
                let open = self.names.picture.as_ref().or(self.names.world.as_ref());
                let folder = open.and_then(|name| Path::new(name).parent()).filter(|folder| folder.is_absolute());
                self.files.pick(self.surface.window(), folder);
            }
            UiAction::Open(file) => self.open(file),
            UiAction::CancelReading => {
                if let Some(reading) = self.files.cancel() {
                    self.say(Level::Info, format!("Cancelled: {} was not read", reading.name));
                }
                self.expect_file();
            }
            UiAction::Close(of) => {
                match of {
                    Source::Picture => self.renderer.backdrop().set_file(None),
                    Source::World => self.renderer.worlds().set_file(None),
                }
                self.follow.start();
            }
        }
        self.ask();
    }

    /// Opens a picture, a scene or a preset.
    pub(super) fn open(&mut self, file: PathBuf) {
        if let Some(preset) = self.files.take(file, &self.settings) {
            self.load(preset);
        }
        self.expect_file();
    }

    fn grant(&mut self, wish: Wish) {
        match wish {
            Wish::Load(name) => {
                let preset = self.files.load_preset(&name, &self.settings);
                let is_there = preset.is_ok();
                self.load(preset);
                self.active = is_there.then(|| (name, self.settings.clone()));
            }
            Wish::Save(name, extent) => {
                let layout = self.lenses.layout(self.area());
                match self.files.save_preset(&name, &self.settings, extent, layout.as_ref()) {
                    Ok(file) => {
                        self.active = Some((name, self.settings.clone()));
                        self.say(Level::Info, format!("Saved {}", file.display()));
                    }
                    Err(error) => self.say(Level::Error, format!("{error:#}")),
                }
            }
            Wish::Delete(name) => match self.files.delete_preset(&name) {
                Ok(file) => self.say(Level::Info, format!("Deleted {}", file.display())),
                Err(error) => self.say(Level::Error, format!("{error:#}")),
            },
            Wish::Reset => {
                self.load(Ok((Settings::default(), None)));
                self.active = None;
                self.say(Level::Info, "All settings have their default values. Ctrl+Z undoes this.");
            }
        }
    }

    /// Takes the settings of a preset, and puts the lenses where it says; or says why it cannot be used.
    pub(super) fn load(&mut self, preset: Result<Loaded>) {
        match preset {
            Ok((settings, layout)) => {
                self.note();
                if layout.is_some() {
                    self.moved_lenses = Some(self.lenses.lenses().to_vec());
                }
                let before = std::mem::replace(&mut self.settings, settings);
                let area = self.area();
                self.lenses.load(&mut self.settings, layout, area);
                self.settle(&before);
                self.note();
                self.ask();
            }
            Err(error) => self.say(Level::Error, format!("{error:#}")),
        }
    }

    /// Lets the history know what was changed.
    pub(super) fn note(&mut self) {
        let lenses = self.moved_lenses.take();
        if self.settings != self.noted || lenses.is_some() {
            self.history.note(&self.noted, &self.settings, lenses, Instant::now());
            self.noted = self.settings.clone();
        }
    }

    /// The settings that this frame shows, where it is the one in which somebody asks for a measurement: the words that say so come before
    /// the frame that may take long.
    pub(super) fn before_measuring(&mut self, mut before: Settings) -> Option<Settings> {
        if before == self.settings {
            return None;
        }
        let count = |settings: &mut Settings| {
            settings.sections().iter().filter(|section| is_measuring(&*section.settings)).count()
        };
        let begins = count(&mut self.settings) > count(&mut before);
        if begins {
            self.ask();
        }
        begins.then_some(before)
    }

    /// The hand has changed or selected a lens, whose shape the settings now say: that is nothing to undo in the panels.
    pub(super) fn keep_shape(&mut self) {
        let (noted, now) = (&mut self.noted.glass, &self.settings.glass);
        (noted.half_width, noted.half_height, noted.angle) = (now.half_width, now.half_height, now.angle);
        (noted.shape, noted.exponent, noted.radius) = (now.shape, now.exponent, now.radius);
        (noted.text, noted.weight) = (now.text, now.weight);
    }

    /// While nothing was pressed, lays the lenses out for the window as it is now: that is nothing to undo.
    pub(super) fn lay_out_again(&mut self) {
        let area = self.area();
        self.lenses.lay_out_again(&mut self.settings, area);
        self.keep_shape();
    }

    /// The settings may have been changed: lets those that follow others follow. `before` is what they were.
    pub(super) fn settle(&mut self, before: &Settings) {
        if self.settings != *before {
            self.settings.settle(before);
            self.follow_settings(before);
        }
    }

    /// Lets the window and the lenses follow the settings; `before` is what they were.
    fn follow_settings(&mut self, before: &Settings) {
        if self.settings == *before {
            return;
        }
        let display = &self.settings.display;
        self.surface.set_pacing(display.present, display.frames_in_flight as usize);
        let area = self.area();
        self.lenses.reshape(&self.settings, area);
        self.ask();
    }
}
