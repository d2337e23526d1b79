//! Actions of the window: those of shortcuts, panels and lenses, and messages of other threads.

use super::App;
use crate::app::failure::Failure;
use crate::app::file_loader::{Content, FileRead, Kind, Outcome, Reading};
use crate::app::presets::LoadedPreset;
use crate::app::window::UserEvent;
use crate::app::window::camera_input::toggle_drift;
use crate::app::window::document::{Changed, DocumentState, Edit, Origin};
use crate::app::window::keyboard::Shortcut;
use crate::app::window::lens_input::{self, Area, LensRequest};
use crate::app::window::preset_list::AppliedPreset;
use crate::app::window::tile_replay;
use crate::app::window::user_event;
use crate::base::clip;
use crate::scene::Source;
use crate::techniques::Settings;
use crate::ui::manipulator::{InputEvent, Key};
use crate::ui::pair_state::{PairAction, flipped};
use crate::ui::{About, Level, PanelKey, PresetAction, UiAction, lens_menu};
use anyhow::Result;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

impl App {
    /// Applies a shortcut; `Break` closes the window.
    pub(super) fn apply_shortcut(&mut self, shortcut: Shortcut, repeat: bool) -> ControlFlow<()> {
        if repeat && !shortcut.repeats() {
            return ControlFlow::Continue(());
        }
        match shortcut {
            Shortcut::Quit => return ControlFlow::Break(()),
            Shortcut::TakePicture => self.take_screenshot(),
            Shortcut::Record => self.toggle_recording(),
            Shortcut::Capture => {
                let capture = self.files.capture();
                self.report(About::Capture, capture);
            }
            Shortcut::Fullscreen => self.toggle_fullscreen(),
            Shortcut::TextSize(steps) => self.resize_text(steps),
            Shortcut::ToggleDrift => self.toggle_drift(),
            Shortcut::Panel(key) => self.panels.ui.press(key),
            Shortcut::Lens(Key::Space) if self.presenter.pair.is_on() => {
                if let Some(layout) = self.presenter.pair.state().map(|state| flipped(state.layout)) {
                    self.apply_pair_action(PairAction::Layout(layout));
                }
            }
            Shortcut::Lens(key) => self.route_key(key, repeat),
            Shortcut::Escape => {
                // Escape during a drag cancels it, and closes nothing.
                if self.input.lenses.press().is_none() {
                    self.panels.ui.press(PanelKey::Close);
                }
                self.route_key(Key::Escape, repeat);
            }
        }
        self.redraw.request();
        ControlFlow::Continue(())
    }

    /// Passes a key to the lenses.
    fn route_key(&mut self, key: Key, repeat: bool) {
        let area = self.area();
        let (changed, request) = self.input.lenses.handle(InputEvent::Key { key, repeat }, &mut self.document, area);
        if changed {
            self.redraw.request();
        }
        request.into_iter().for_each(|request| self.apply_request(request));
    }

    /// Applies a request of the lenses.
    pub(super) fn apply_request(&mut self, request: LensRequest) {
        match request {
            LensRequest::Preset(number) => {
                if let Some(name) = self.document.presets.names().get(number).map(|preset| preset.name.clone()) {
                    self.apply(UiAction::Preset(PresetAction::Load(name)));
                }
            }
            LensRequest::TogglePanels => self.panels.ui.toggle(),
            LensRequest::Menu => {
                if let Some(at) = self.input.lenses.pointer() {
                    let at = at / self.panels.extent().1;
                    lens_menu::open(self.panels.ctx(), egui::pos2(at.x, at.y));
                    self.redraw.request();
                }
            }
        }
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
            fields.iter().for_each(|(section, _)| self.presenter.replay.note_change(section));
            let changed = self.document.edit_fields(fields, &mut written);
            self.show_changed(changed);
        }
    }

    /// Applies an action of the panels.
    pub(super) fn apply(&mut self, action: UiAction) {
        match action {
            UiAction::Changed { .. } => {}
            UiAction::View(view) => {
                self.document.edit(Edit::Once, |state| state.view = view);
                self.center_split();
            }
            UiAction::Preset(action) => self.apply_preset_action(action),
            UiAction::Undo => match self.document.undo() {
                Some(changed) => self.show_replaced(changed),
                None => self.say_about(About::History, Level::Info, "Nothing to undo"),
            },
            UiAction::Redo => match self.document.redo() {
                Some(changed) => self.show_replaced(changed),
                None => self.say_about(About::History, Level::Info, "Nothing to redo"),
            },
            UiAction::CopyCommandLine => self.copy_command_line(),
            UiAction::CopyShader(language) => self.copy_shader(language),
            UiAction::PickFile => {
                let names = self.document.state().files.names();
                let open = names.picture.as_ref().or(names.world.as_ref());
                let folder = open.and_then(|name| Path::new(name).parent()).filter(|folder| folder.is_absolute());
                self.files.pick(self.presenter.surface.window(), folder);
            }
            UiAction::Lens { index, number } => self.place_lens(index, number),
            UiAction::ShareGlass => self.share_glass(),
            UiAction::Press(key, times) => (0..times).for_each(|_| self.route_key(key, false)),
            UiAction::ToggleDrift => self.toggle_drift(),
            UiAction::TakePicture => self.take_screenshot(),
            UiAction::Record => self.toggle_recording(),
            UiAction::SaveResource(point) => {
                self.presenter.pins.save(point);
                self.redraw.request();
            }
            UiAction::Pair(action) => self.apply_pair_action(action),
            UiAction::Explain(Some(_)) if self.presenter.pair.is_on() => {
                self.say(Level::Info, "The story of a pixel is of one picture: remove B first (key B).");
            }
            UiAction::Explain(pixel) => self.presenter.inspected.ask(pixel),
            UiAction::Replay { .. } if self.presenter.pair.is_on() => {
                self.say(Level::Info, "The steps are of one picture: remove B first (key B).");
            }
            UiAction::Replay { technique, pixel } => {
                let told = self.presenter.inspected.story().map(|story| story.pixel);
                let lenses = self.input.lenses.drawn(self.document.state());
                let place = tile_replay::place(technique, &lenses, self.area().free_px);
                self.presenter.replay.ask(technique, pixel.or(told).unwrap_or(place));
            }
            UiAction::EndReplay => self.presenter.replay.end(),
            UiAction::Open(file) => self.open(file),
            UiAction::Clip(action) => self.apply_clip_action(action),
            UiAction::Measure(technique) => self.presenter.measure(technique),
            UiAction::StopMeasuring(technique) => self.presenter.stop_measuring(technique),
            UiAction::MeasureTable(table) => self.tables.measure(table),
            UiAction::StopTables => self.tables.stop(),
            UiAction::RunCheck => self.broken.run_check(),
            UiAction::ShowBreak => self.show_break(),
            UiAction::UseGpu(index) => self.request_gpu(index),
            UiAction::Act(technique) => self.presenter.renderer.act(technique),
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
                self.redraw.picture_changed();
            }
        }
        self.redraw.request();
    }

    fn share_glass(&mut self) {
        self.document.edit(Edit::Once, DocumentState::share_glass);
    }

    fn apply_pair_action(&mut self, action: PairAction) {
        self.mend_for(&action);
        let mut of = self.document.state().pair_settings();
        match action {
            PairAction::Pin(differing) => {
                let laid = differing.map_or(Ok(()), |(section, table)| of.lay(section, table));
                let wake = self.files.wake();
                let pinned = laid.and_then(|()| {
                    let load = || user_event::when_painted(wake.clone());
                    self.presenter.pair.pin(of, load).map_err(|why| format!("{why:#}"))
                });
                if let Err(why) = pinned {
                    self.say(Level::Error, why);
                }
            }
            PairAction::Remove => self.presenter.pair.remove(),
            PairAction::Swap => {
                if let Some(of) = self.presenter.pair.swap(of) {
                    let changed = self.document.edit(Edit::Once, |state| state.take_pair_settings(of)).1;
                    self.show_changed(changed);
                }
            }
            PairAction::Layout(layout) => self.presenter.pair.set_layout(layout),
            PairAction::Scale(scale) => self.presenter.pair.set_scale(scale),
            PairAction::PickShaders => {
                let open = self.presenter.pair.state().and_then(|state| state.shaders.map(Path::to_owned));
                self.files.pick_shaders(self.presenter.surface.window(), open.as_deref());
            }
            PairAction::Shaders(folder) => {
                let (painted, wake) = (self.files.wake(), self.files.wake());
                let load = || user_event::when_painted(painted.clone());
                let changed = move || drop(wake.send_event(UserEvent::Shaders));
                if let Err(why) = self.presenter.pair.set_shaders(folder, of, load, changed) {
                    self.say_about(About::File, Level::Error, format!("{why:#}"));
                }
            }
            PairAction::Measure => self.presenter.pair.measure(),
        }
        self.input.has_pair = self.presenter.pair.is_split();
        self.redraw.picture_changed();
    }

    fn toggle_drift(&mut self) {
        toggle_drift(&mut self.document, self.presenter.surface.gpu().policy().drifts);
    }

    fn take_screenshot(&mut self) {
        if self.presenter.request_screenshot() {
            self.redraw.request();
        } else {
            let why = "This display does not allow reading the window back; `meniscus headless --png FILE` renders a picture.";
            self.say_about(About::Picture, Level::Error, why);
        }
    }

    /// Opens a picture, a scene, a preset or a trace; a folder has the frames of a clip, or shaders for B.
    pub fn open(&mut self, file: PathBuf) {
        if file.is_dir() && !clip::has_pictures(&file) {
            self.panels.ui.file_opened(&file, true);
            return self.apply_pair_action(PairAction::Shaders(Some(file)));
        }
        if let Some(preset) = self.files.open(file.clone(), self.document.settings()) {
            self.panels.ui.file_opened(&file, preset.is_ok());
            self.show_preset(None, preset);
        }
        self.expect_file();
    }

    fn apply_preset_action(&mut self, action: PresetAction) {
        match action {
            PresetAction::Load(name) => {
                let preset = self.document.presets.load(&name, self.document.settings());
                self.show_preset(Some(name), preset);
            }
            PresetAction::Save(name, extent) => {
                let saved = self.document.save_preset(name, extent, self.presenter.area_px());
                let saved = saved.map(|file| format!("Saved {}", file.display()));
                self.report(About::Preset, saved.map_err(|error| format!("{error:#}")));
            }
            PresetAction::Delete(name) => {
                let deleted = self.document.presets.delete(&name);
                let deleted = deleted.map(|file| format!("Deleted {}", file.display()));
                self.report(About::Preset, deleted.map_err(|error| format!("{error:#}")));
            }
            PresetAction::Reset => {
                let area = self.area();
                let preset = self.document.presets.preset_of(&Settings::default());
                let changed = self.document.edit(Edit::Once, |state| reset(state, preset, area)).1;
                self.show_replaced(changed);
                self.say(Level::Info, "Everything is as it is at first. Ctrl+Z undoes this.");
            }
        }
    }

    /// Applies a preset and its lens layout, or reports why it is unusable. A named preset becomes the active one.
    fn show_preset(&mut self, name: Option<String>, preset: Result<AppliedPreset>) {
        let about = if name.is_some() { About::Preset } else { About::File };
        match preset {
            Ok(AppliedPreset { settings, layout, retired }) => {
                self.panels.ui.messages.settle(about);
                let (area, moves) = (self.area(), layout.is_some());
                let load = |state: &mut DocumentState| {
                    state.load_settings(settings, moves);
                    lens_input::load(state, layout, area);
                    state.origin.preset = name.map(|name| LoadedPreset { name, glass: state.settings.glass.clone() });
                };
                let changed = self.document.edit(Edit::Once, load).1;
                // A dragged lens keeps following, in its new shape.
                if moves {
                    self.show_replaced(changed);
                } else {
                    self.show_changed(changed);
                }
                retired.into_iter().for_each(|line| self.say(Level::Info, line));
            }
            Err(error) => self.say_about(about, Level::Error, format!("{error:#}")),
        }
    }

    /// Parts of the document were replaced: ends the drag of lenses that moved.
    fn show_replaced(&mut self, changed: Changed) {
        if changed.lenses {
            self.input.lenses.stop(self.document.state());
            // The window may have been larger.
            let area_px = self.presenter.area_px();
            self.document.adapt(|state| {
                for lens in &mut state.lenses {
                    lens.center = lens.center.clamp(glam::Vec2::ZERO, area_px);
                }
            });
        }
        if changed.view {
            self.center_split();
        }
        self.show_changed(changed);
    }

    /// Updates the window from the document.
    pub(super) fn show_changed(&mut self, changed: Changed) {
        if changed.files {
            self.redraw.picture_changed();
        }
        if changed.settings {
            let display = &self.document.settings().display;
            self.presenter.surface.set_pacing(display.present, display.frames_in_flight as usize);
        }
        if changed.any() {
            self.redraw.request();
        }
    }

    /// Handles a message from another thread.
    ///
    /// # Errors
    /// The file given at launch cannot be used.
    pub fn handle_message(&mut self, message: UserEvent) -> std::result::Result<(), Failure> {
        match message {
            // It may have been cancelled.
            UserEvent::Read => {
                // It may have been cancelled. A trace waits for one that was opened before it.
                while let Some((reading, outcome)) = self.files.take_read() {
                    self.panels.ui.file_opened(Path::new(&reading.name), outcome.is_ok());
                    self.show_read(reading, outcome)?;
                    self.expect_file();
                }
            }
            UserEvent::Picked(picked) => {
                self.files.was_picked();
                match picked {
                    Ok(file) => file.into_iter().for_each(|file| self.open(file)),
                    Err(why) => {
                        let ctx = self.panels.ctx().clone();
                        self.panels.ui.type_path(&ctx);
                        log::info!("no file dialogue: {why}");
                        let why = "This desktop offers no file dialogue. Type the path under Scene, or drop the file on the window.";
                        self.say_about(About::File, Level::Info, why);
                    }
                }
            }
            UserEvent::PickedShaders(picked) => {
                self.files.was_picked();
                match picked {
                    Ok(folder) => {
                        folder.into_iter().for_each(|folder| self.apply_pair_action(PairAction::Shaders(Some(folder))))
                    }
                    Err(why) => {
                        log::info!("no file dialogue: {why}");
                        let why = "This desktop offers no file dialogue. Drop the folder on the window.";
                        self.say_about(About::File, Level::Info, why);
                    }
                }
            }
            UserEvent::Written(written) => self.report_written(written),
            UserEvent::Painted => self.redraw.picture_changed(),
            UserEvent::Shaders => {
                self.report_shaders();
                self.redraw.request();
            }
            UserEvent::Measured => {
                self.tables.update();
                self.broken.update();
                self.redraw.request();
            }
            UserEvent::Access(event) => self.handle_access(event),
            UserEvent::Desktop(preference) => self.set_desktop(preference),
            // After a termination the event loop ends.
            UserEvent::Terminate => {}
        }
        Ok(())
    }

    /// Shows a file that was read: an edit, unless it was given at launch.
    fn show_read(&mut self, reading: Reading, outcome: Outcome) -> std::result::Result<(), Failure> {
        let FileRead { content, notes } = match outcome {
            Ok(read) => read,
            Err(why) if reading.option.is_some() => return Err(reading.failure(&why)),
            Err(why) => {
                self.say_about(About::File, Level::Error, why);
                return Ok(());
            }
        };
        let message = reading.message(&notes);
        self.panels.ui.messages.settle(About::File);
        if let Content::Trace(trace) = &content {
            self.panels.ui.open_trace(&reading.name, trace);
            self.redraw.request();
            return Ok(());
        }
        let is_option = reading.option.is_some();
        let show = |state: &mut DocumentState| match content {
            Content::Picture(picture) => {
                state.files.picture = Some((reading.name, picture));
                state.settings.scene.source = Source::Picture;
            }
            Content::World(world) => {
                state.files.world = Some((reading.name, world));
                state.settings.scene.source = Source::World;
                state.reset_camera();
            }
            Content::Trace(_) => {}
        };
        if is_option {
            self.document.adapt(show);
        } else {
            self.document.edit(Edit::Once, show);
        }
        self.redraw.picture_changed();
        message.into_iter().for_each(|message| self.say(Level::Info, message));
        Ok(())
    }

    /// Suppresses the built-in scene while the scene given at launch is being loaded.
    pub(super) fn expect_file(&mut self) {
        let is_first_scene = |reading: &Reading| reading.option.is_some() && reading.kind == Kind::World;
        let expects = self.files.reading().is_some_and(is_first_scene);
        self.presenter.renderer.worlds().expect_file(expects);
        self.redraw.request();
    }

    /// Shows the errors of edited shaders. Returns whether anything changed.
    pub(super) fn report_shaders(&mut self) -> bool {
        let shaders = [("", Some(&self.presenter.surface.gpu().shaders)), ("B: ", self.presenter.pair.shaders())];
        let (limits, messages) = (&mut self.presenter.limits, &mut self.panels.ui.messages);
        self.files.report_shaders(shaders, messages, (self.presenter.surface.gpu(), &mut limits.reload))
    }

    /// Reports the result of an action.
    pub(super) fn report(&mut self, about: About, outcome: std::result::Result<impl Into<String>, impl Into<String>>) {
        match outcome {
            Ok(done) => self.say_about(about, Level::Info, done),
            Err(why) => self.say_about(about, Level::Error, why),
        }
    }

    /// Shows a message in place of the one about the same subject.
    pub(super) fn say_about(&mut self, about: About, level: Level, text: impl Into<String>) {
        self.panels.ui.messages.say_about(about, level, text);
        self.redraw.request();
    }

    /// Shows a message.
    pub(super) fn say(&mut self, level: Level, text: impl Into<String>) {
        self.panels.ui.messages.say(level, text);
        self.redraw.request();
    }
}

/// State of the first launch: settings, the view, one lens in the middle, the initial camera. Files stay open.
fn reset(state: &mut DocumentState, preset: Option<LoadedPreset>, area: Area) {
    state.settings = Settings::default();
    state.origin = Origin { preset, glass: state.settings.glass.clone(), layout: None };
    (state.view, state.drifted_s) = (None, 0.0);
    lens_input::place(state, None, area);
}
