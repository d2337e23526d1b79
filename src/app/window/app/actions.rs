//! Actions of the window.

use super::App;
use crate::failure::Failure;
use crate::file_loader::{Content, FileRead, Kind, Outcome, Reading};
use crate::folders;
use crate::presets::LoadedPreset;
use crate::video::SavedFile;
use crate::window::clip_player::Pace;
use crate::window::command_line::command_line;
use crate::window::document::{Changed, DocumentState, Edit, Origin, SceneFiles};
use crate::window::file_dialog::Pick;
use crate::window::lens_input::{self, Area};
use crate::window::preset_list::AppliedPreset;
use crate::window::user_event::{self, UserEvent, send_shown};
use crate::window::window_pair::SideB;
use ab::PairLayout;
use anyhow::Result;
use base::job::spawn_detached;
use base::system::System;
use glass::{Mode, ShaderLanguage};
use instrument::{Recorded, WorldTime};
use lab::Break;
use media::clip;
use media::light_picture::FlatPicture;
use renderer::{ActiveView, ViewPlacement};
use scene::{Drift, LensGlass, Source};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use techniques::Settings;
use ui::instruments::{ActContext, Acted};
use ui::keys::{Shortcut, name};
use ui::manipulator::{InputEvent, Key};
use ui::pair_state::{PairAction, flipped};
use ui::{About, ClipAction, Level, OpenFiles, PanelKey, PresetAction, UiAction};

impl App {
    pub(super) fn apply_shortcut(&mut self, shortcut: Shortcut, repeat: bool) -> ControlFlow<()> {
        if repeat && !shortcut.repeats() {
            return ControlFlow::Continue(());
        }
        match shortcut {
            Shortcut::Quit => return ControlFlow::Break(()),
            Shortcut::TakePicture => self.take_screenshot(),
            Shortcut::Record => self.apply(UiAction::Record),
            Shortcut::RecordClip => self.apply(UiAction::RecordClip),
            Shortcut::Capture => {
                let capture = self.files.capture();
                self.report(About::Capture, capture);
            }
            Shortcut::Fullscreen => self.toggle_fullscreen(),
            Shortcut::TextSize(steps) => self.resize_text(steps),
            Shortcut::ToggleDrift => self.toggle_drift(),
            Shortcut::TogglePanels => self.panels.ui.toggle(),
            Shortcut::FlipGlass => self.flip_glass(),
            Shortcut::Preset(number) => {
                let preset = self.document.presets.names().get(number - 1);
                if let Some(name) = preset.map(|preset| preset.name.clone()) {
                    self.apply_preset_action(PresetAction::Load(name));
                }
            }
            Shortcut::Open => self.pick_file(),
            Shortcut::Undo => {
                let [undone, _] = self.document.last_steps();
                let changed = self.document.undo();
                self.show_step(changed, undone.map_or("Nothing to undo".into(), |step| format!("Undone: {step}")));
            }
            Shortcut::Redo => {
                let [_, redone] = self.document.last_steps();
                let changed = self.document.redo();
                self.show_step(changed, redone.map_or("Nothing to redo".into(), |step| format!("Redone: {step}")));
            }
            Shortcut::Panel(key) => self.panels.ui.press(key),
            // They would edit lenses that are not shown.
            Shortcut::Lens(_) if self.document.state().uses_motif() => {}
            Shortcut::Lens(key) => self.route_key(key, repeat),
            Shortcut::Escape => {
                if self.input.lenses.press().is_none() {
                    self.panels.ui.press(PanelKey::Close);
                }
                self.route_key(Key::Escape, repeat);
            }
        }
        self.redraw.request();
        ControlFlow::Continue(())
    }

    fn route_key(&mut self, key: Key, repeat: bool) {
        let area = self.area();
        self.input.lenses.handle(InputEvent::Key { key, repeat }, &mut self.document, area);
    }

    fn flip_glass(&mut self) {
        if let Some(layout) = self.presenter.pair.state().map(|state| flipped(state.layout)) {
            return self.apply_pair_action(PairAction::Layout(layout));
        }
        self.document.edit(Edit::Once, |state| {
            let mode = &mut state.settings.glass.mode;
            *mode = if *mode == Mode::Lens { Mode::Source } else { Mode::Lens };
        });
    }

    fn pick_file(&mut self) {
        let names = self.document.state().files.names();
        let open = names.picture.as_ref().or(names.world.as_ref());
        let folder = open.and_then(|name| Path::new(name).parent()).filter(|folder| folder.is_absolute());
        self.files.pick(Pick::File, self.presenter.surface.window(), folder);
    }

    pub(super) fn commit(&mut self, actions: &[UiAction], mut written: Settings) {
        let field = |action: &UiAction| match action {
            UiAction::Changed { section, field } => Some((*section, *field)),
            _ => None,
        };
        let mut fields: Vec<_> = actions.iter().filter_map(field).collect();
        fields.sort_unstable();
        fields.dedup();
        if !fields.is_empty() {
            let changed = self.document.edit_fields(fields, &mut written);
            self.show_changed(changed);
        }
    }

    pub(super) fn apply(&mut self, action: UiAction) {
        match action {
            // Both would have one line.
            UiAction::View(view) if self.presenter.pair.is_on() && is_split(view) => {
                self.remove_pair(view);
                self.center_split();
            }
            UiAction::View(view) => {
                self.document.edit(Edit::Once, |state| state.view = view);
                self.center_split();
            }
            UiAction::Preset(action) => self.apply_preset_action(action),
            UiAction::CopyCommandLine => self.copy_command_line(),
            UiAction::CopyShader(language) => self.copy_shader(language),
            UiAction::Lens { index, number } => self.place_lens(index, number),
            UiAction::Operate { piece, to } => self.input.motif.operate(piece, to, &mut self.document),
            UiAction::ShareGlass => {
                self.document.edit(Edit::Once, DocumentState::share_glass);
            }
            UiAction::Shortcut(shortcut) => {
                if self.apply_shortcut(shortcut, false).is_break() {
                    let _ = self.files.wake().send_event(UserEvent::Terminate);
                }
            }
            UiAction::Pair(action) => self.apply_pair_action(action),
            UiAction::Open(file) => self.open(file),
            UiAction::Clip(action) => {
                match action {
                    ClipAction::Toggle => self.clip.toggle(),
                    ClipAction::Seek(frame) => self.clip.seek(frame),
                }
                self.redraw.picture_changed();
            }
            UiAction::Measure(technique) => self.presenter.measure(technique),
            UiAction::StopMeasuring(technique) => self.presenter.stop_measuring(technique),
            UiAction::Lay(arguments) => self.lay(&arguments),
            UiAction::UseGpu(index) => self.request_gpu(index),
            UiAction::Act(technique) => self.presenter.renderer.restart_technique(technique),
            UiAction::Copy(text) => {
                self.say(Level::Info, format!("Copied: {} lines", text.lines().count()));
                self.panels.ctx().copy_text(text);
            }
            UiAction::CancelReading => {
                if let Some(reading) = self.files.reading.take() {
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
            UiAction::Say(text) => self.say(Level::Info, text),
            UiAction::ShowFile(file) => {
                let wake = self.files.wake();
                spawn_detached("shown folder", move || folders::show(&file), move |shown| send_shown(&wake, shown));
            }
            action => self.act(&action),
        }
        self.redraw.request();
    }

    pub(super) fn act(&mut self, action: &UiAction) {
        let (has_pair, area) = (self.presenter.pair.is_on(), self.area());
        let lenses = self.drawn_lenses(self.used_frame(area).as_ref());
        let is_readable = self.presenter.surface.is_readable();
        let window = ActContext { has_pair, is_readable, lenses: &lenses, scale: area.scale, free_px: area.free_px };
        match self.panels.ui.instruments.act(action, &window) {
            Acted::No | Acted::Done => {}
            Acted::Refused(why) => self.say(Level::Info, why),
            Acted::Failed(why) => self.say_about(About::Picture, Level::Error, why),
        }
    }

    fn apply_pair_action(&mut self, action: PairAction) {
        match action {
            PairAction::Pin(differing) => {
                let mut laid = Ok(());
                let opens = !self.presenter.pair.is_on();
                self.edit_pair(|state| {
                    let mut b = state.as_b();
                    laid = differing.map_or(Ok(()), |(section, table)| b.lay(section, table));
                    if laid.is_ok() {
                        (state.b, state.edits_b) = (Some(Arc::new(b)), state.edits_b || opens);
                    }
                });
                match laid {
                    Err(why) => self.say(Level::Error, why),
                    Ok(()) if opens => self.split_lens(),
                    Ok(()) => {}
                }
            }
            PairAction::Remove => self.remove_pair(self.document.state().view),
            PairAction::Edit { b } => self.document.edit_b(b),
            PairAction::Shaders(folder) => self.edit_pair(|state| {
                let b = state.b.as_deref().cloned().unwrap_or_else(|| state.as_b());
                state.b = Some(Arc::new(SideB { shaders: folder, ..b }));
            }),
            PairAction::Layout(layout) => {
                if matches!(layout, PairLayout::Split(_)) && is_split(self.document.state().view) {
                    self.document.edit(Edit::Once, |state| state.view = None);
                }
                self.presenter.pair.set_layout(layout);
            }
            PairAction::PickShaders => {
                let open = self.presenter.pair.state().and_then(|state| state.shaders.map(Path::to_owned));
                self.files.pick(Pick::Shaders, self.presenter.surface.window(), open.as_deref());
            }
            PairAction::Measure => self.presenter.pair.measure(),
        }
        self.redraw.picture_changed();
    }

    /// A stays.
    fn remove_pair(&mut self, view: Option<ActiveView>) {
        let differs = self.document.state().has_other_b();
        self.edit_pair(|state| (state.b, state.view) = (None, view));
        if differs {
            let undo = name(Shortcut::Undo);
            // The next edit takes the line away, this one does not.
            self.panels.report_document(&self.document);
            self.say_about(
                About::History,
                Level::Info,
                format!("A is kept. B's changes are dropped: {undo} brings them back."),
            );
        }
    }

    /// The line goes through the lens, which stays where it is.
    fn split_lens(&mut self) {
        let (state, width_px) = (self.document.state(), self.presenter.area_px().x);
        let lens = state.lenses.get(state.selected).map(|lens| lens.center.x);
        lens.into_iter().for_each(|x| self.input.split.put(x, width_px));
        self.presenter.pair.set_layout(PairLayout::Split(self.input.split.at));
    }

    fn toggle_drift(&mut self) {
        let by_default = !self.presenter.surface.gpu().policy().is_slow;
        self.document.edit_both(Edit::Once, |state| {
            let scene = &mut state.settings.scene;
            scene.drift = if scene.drifts(by_default) { Drift::Off } else { Drift::On };
        });
    }

    fn take_screenshot(&mut self) {
        if self.presenter.request_screenshot() {
            self.redraw.request();
        } else {
            let why = "This display does not allow reading the window back; `meniscus headless --png FILE` renders a picture.";
            self.say_about(About::Picture, Level::Error, why);
        }
    }

    pub fn open(&mut self, file: PathBuf) {
        if file.is_dir() && !clip::has_pictures(&file) {
            self.panels.ui.file_opened(&file, true);
            return self.apply_pair_action(PairAction::Shaders(Some(file)));
        }
        if let Some(preset) = self.files.open(file.clone(), &self.document.edited_settings()) {
            self.panels.ui.file_opened(&file, preset.is_ok());
            self.show_preset(None, preset);
        }
        self.expect_file();
    }

    fn apply_preset_action(&mut self, action: PresetAction) {
        match action {
            PresetAction::Load(name) => {
                let preset = self.document.presets.load(&name, &self.document.edited_settings());
                self.show_preset(Some(name), preset);
            }
            PresetAction::Save(name, extent) => {
                let saved = self.document.save_preset(name, extent, self.presenter.area_px());
                let saved = saved.map(|file| Some(SavedFile { file, note: None }));
                self.report_saved(About::Preset, saved.map_err(|error| format!("{error:#}")));
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
                let undo = name(Shortcut::Undo);
                self.say(Level::Info, format!("Everything is as it is at first. {undo} undoes this."));
            }
        }
    }

    fn show_preset(&mut self, name: Option<String>, preset: Result<AppliedPreset>) {
        match preset {
            Ok(AppliedPreset { settings, layout, retired }) => {
                self.panels.ui.messages.settle(if name.is_some() { About::Preset } else { About::File });
                let (area, moves) = (self.area(), layout.is_some());
                let load = |state: &mut DocumentState| {
                    lens_input::load(state, settings, layout, area);
                    let is_placed = state.origin.layout.is_some();
                    let loaded = if is_placed { state.stored_settings() } else { state.shown() };
                    state.origin.preset = name.map(|name| LoadedPreset { name, glass: loaded.glass });
                };
                let changed = self.document.edit(Edit::Once, load).1;
                if moves {
                    self.show_replaced(changed);
                } else {
                    self.show_changed(changed);
                }
                retired.into_iter().for_each(|line| self.say(Level::Info, line));
            }
            Err(error) if name.is_some() => self.say_about(About::Preset, Level::Error, format!("{error:#}")),
            Err(error) => self.say(Level::Error, format!("{error:#}")),
        }
    }

    fn show_step(&mut self, changed: Option<Changed>, text: String) {
        if let Some(changed) = changed {
            if changed.pair && !self.follow_pair() {
                self.document.adapt(|state| state.b = None);
            }
            self.show_replaced(changed);
        }
        self.panels.report_document(&self.document);
        self.say_about(About::History, Level::Info, text);
    }

    fn show_replaced(&mut self, changed: Changed) {
        if changed.lenses || changed.glass {
            self.input.lenses.stop(self.document.state());
        }
        if changed.lenses {
            let area = self.area();
            self.document.adapt(|state| {
                for lens in &mut state.lenses {
                    lens.center = lens.center.clamp(glam::Vec2::ZERO, area.px);
                }
            });
            self.input.lenses.restore(&mut self.document, area);
        }
        if changed.view {
            self.center_split();
        }
        self.show_changed(changed);
    }

    fn show_changed(&mut self, changed: Changed) {
        if changed.files {
            self.redraw.picture_changed();
        }
        if changed.settings {
            let display = &self.document.state().settings.display;
            self.presenter.surface.set_pacing(display.present, display.frames_in_flight as usize);
        }
        if changed.any() {
            self.redraw.request();
        }
    }

    /// Fails if the file given at launch cannot be used.
    pub fn handle_message(&mut self, message: UserEvent) -> Result<(), Failure> {
        match message {
            UserEvent::Read => {
                if let Some((reading, outcome)) = self.files.take_read() {
                    self.panels.ui.file_opened(Path::new(&reading.name), outcome.is_ok());
                    self.show_read(reading, outcome)?;
                    self.expect_file();
                }
            }
            UserEvent::Picked(of, picked) => {
                self.files.is_picking = false;
                match (picked, of) {
                    (Ok(None), _) => {}
                    (Ok(Some(file)), Pick::File) => self.open(file),
                    (Ok(folder), Pick::Shaders) => self.apply_pair_action(PairAction::Shaders(folder)),
                    (Err(why), of) => {
                        log::info!("no file dialogue: {why}");
                        let else_do = match of {
                            Pick::File => {
                                self.panels.ui.type_path();
                                "Type the path, or drop the file on the window."
                            }
                            Pick::Shaders => "Drop the folder on the window.",
                        };
                        let why = format!("This desktop offers no file dialogue. {else_do}");
                        self.say_about(About::File, Level::Info, why);
                    }
                }
            }
            UserEvent::Written(written) => self.report_saved(About::Picture, written),
            UserEvent::NotShown(why) => self.say(Level::Error, why),
            UserEvent::Painted => self.redraw.picture_changed(),
            UserEvent::Shaders => {
                self.report_shaders();
                self.redraw.request();
            }
            UserEvent::Measured => {
                self.check.update();
                self.redraw.request();
            }
            UserEvent::Access(event) => {
                self.panels.handle_access(event);
                self.redraw.request_in(Duration::ZERO);
            }
            UserEvent::Desktop(preference) => {
                self.panels.set_desktop(preference);
                self.redraw.request();
            }
            UserEvent::Terminate => {}
        }
        Ok(())
    }

    fn show_read(&mut self, reading: Reading, outcome: Outcome) -> Result<(), Failure> {
        let FileRead { content, notes } = match outcome {
            Ok(read) => read,
            Err(why) if reading.option.is_some() => return Err(reading.failure(&why)),
            Err(why) => {
                self.say(Level::Error, why);
                return Ok(());
            }
        };
        let message = reading.message(&notes);
        self.panels.ui.messages.settle(About::File);
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

    pub(super) fn expect_file(&mut self) {
        let is_first_scene = |reading: &Reading| reading.option.is_some() && reading.kind == Kind::World;
        let expects = self.files.reading.as_ref().is_some_and(is_first_scene);
        self.presenter.renderer.worlds().expect_file(expects);
        self.redraw.request();
    }

    pub(super) fn report_shaders(&mut self) -> bool {
        let shaders = [("", Some(&self.presenter.surface.gpu().shaders)), ("B: ", self.presenter.pair.shaders())];
        self.files.report_shaders(shaders, &mut self.panels.ui.messages)
    }

    fn report(&mut self, about: About, outcome: Result<impl Into<String>, impl Into<String>>) {
        match outcome {
            Ok(done) => self.say_about(about, Level::Info, done),
            Err(why) => self.say_about(about, Level::Error, why),
        }
    }

    pub(super) fn say_about(&mut self, about: About, level: Level, text: impl Into<String>) {
        self.panels.ui.messages.say_about(about, level, text);
        self.redraw.request();
    }

    pub(super) fn say(&mut self, level: Level, text: impl Into<String>) {
        self.panels.ui.messages.say(level, text);
        self.redraw.request();
    }

    pub(super) fn follow_break(&mut self) {
        let wanted = self.document.state().settings.lab.r#break;
        if std::mem::replace(&mut self.broken, wanted) == wanted {
            return;
        }
        let info = techniques::broken(wanted).map(|(_, info)| info);
        let (settings, wake) = (self.document.settings().clone(), self.files.wake());
        let load = || user_event::when_painted(wake.clone());
        if let Err(why) = self.presenter.pair.set_break(info, settings, load) {
            self.say(Level::Error, format!("{why:#}"));
        }
        self.follow_pair();
        self.redraw.picture_changed();
    }

    /// Unless something is dropped in B on purpose; a line says why.
    pub(super) fn follow_pair(&mut self) -> bool {
        let state = self.document.state();
        if state.settings.lab.r#break != Break::None {
            return true;
        }
        let (painted, wake) = (self.files.wake(), self.files.wake());
        let load = || user_event::when_painted(painted.clone());
        let changed = move || drop(wake.send_event(UserEvent::Shaders));
        self.followed = state.b.clone();
        let followed = self.presenter.pair.follow(state.b.as_deref(), self.document.settings(), load, changed);
        self.redraw.picture_changed();
        if let Err(why) = &followed {
            self.say(Level::Error, format!("{why:#}"));
        }
        followed.is_ok()
    }

    /// Edits of B by panels, presets, keys and the wheel.
    pub(super) fn follow_edits(&mut self) {
        let now = self.document.state().b.as_ref();
        if self.followed.as_ref().map(Arc::as_ptr) != now.map(Arc::as_ptr) {
            self.follow_pair();
        }
    }

    /// What is dropped in B on purpose is whole again.
    fn edit_pair(&mut self, change: impl FnOnce(&mut DocumentState)) {
        let (_, changed) = self.document.edit_both(Edit::Once, |state| {
            state.settings.lab.r#break = Break::None;
            change(state);
            if state.b.is_some() {
                state.view = state.view.filter(|_| !is_split(state.view));
            }
        });
        if changed.pair && !self.follow_pair() {
            self.document.take_back();
        }
        self.show_changed(changed);
    }

    fn lay(&mut self, arguments: &[&str]) {
        let settings = self.document.edited_settings().with_arguments(arguments);
        let changed = self.document.edit(Edit::Once, |state| state.take(settings)).1;
        self.show_changed(changed);
        self.redraw.picture_changed();
    }

    pub(super) fn pass_files(&mut self, time: WorldTime) {
        let SceneFiles { picture, sky, world } = &self.document.state().files;
        let picture = picture.as_ref().map(|(_, picture)| picture.clone());
        let (sky, world) = (sky.clone(), world.as_ref().map(|(_, world)| world.clone()));
        self.follow_clip(picture.as_ref(), time);
        let position_s = self.clip.position_s();
        let of_b = self.presenter.pair.renderer();
        for renderer in std::iter::once(&mut self.presenter.renderer).chain(of_b) {
            renderer.background().set_file(picture.clone());
            renderer.background().set_clip_time(position_s);
            renderer.worlds().set_file(world.clone());
            renderer.worlds().set_sky(sky.clone());
        }
    }

    fn follow_clip(&mut self, picture: Option<&FlatPicture>, time: WorldTime) {
        let clip = match picture {
            Some(FlatPicture::Moving(clip)) => Some(clip),
            _ => None,
        };
        self.clip.set(clip, self.input.lenses.is_calm);
        let Some(clip) = clip else { return };
        if let Some(line) = clip.take_news() {
            self.say(Level::Info, line);
        }
        let scene = &self.document.state().settings.scene;
        let time = if scene.source == Source::Picture { time } else { WorldTime::Paused };
        let is_behind = self.presenter.renderer.background().is_behind();
        let wait = self.clip.advance(Instant::now(), Pace { speed: scene.speed, time, is_behind });
        wait.into_iter().for_each(|wait| self.redraw.request_in(wait));
    }

    pub(super) fn open_files(&self) -> OpenFiles {
        OpenFiles { clip: self.clip.state(), ..self.document.state().files.names() }
    }

    fn copy_command_line(&mut self) {
        let edited = self.document.edited();
        let lens_at = edited.lenses.first().map(|lens| lens.center);
        let line = command_line(&edited.shown(), edited.view, &edited.files.names(), lens_at, System::CURRENT);
        self.panels.ctx().copy_text(line.clone());
        self.say(Level::Info, format!("Copied: {line}"));
    }

    fn copy_shader(&mut self, language: ShaderLanguage) {
        let (mut edited, area) = (self.document.edited().into_owned(), self.area());
        // The pieces of a motif are lenses there.
        if let Some(used) = self.used_frame(area) {
            edited.lenses = used.lenses(edited.shown().glass.lens_glass());
        }
        let tinted = edited.settings.glass.tinted;
        edited.lenses.iter_mut().for_each(|lens| lens.glass = lens.glass.tinted(tinted));
        let glass = self.presenter.renderer.glass();
        match glass.copied(language, &edited.shown().glass, &edited.lenses, area.px, area.scale) {
            Ok(page) if language == ShaderLanguage::Page => {
                if self.presenter.request_page(page) {
                    self.redraw.request();
                } else {
                    let why = "This display does not allow reading the window back; `meniscus headless --copy-as lens.html` writes a page.";
                    self.say_about(About::Picture, Level::Error, why);
                }
            }
            Ok(text) => {
                let lines = text.lines().count();
                self.panels.ctx().copy_text(text);
                let (name, what) = (language.name(), language.hint());
                let text = format!("Copied: this glass in {name}, {lines} lines to paste into a program. {what}.");
                self.say(Level::Info, text);
            }
            Err(why) => self.say(Level::Error, format!("Copy as {}: {why}", language.name())),
        }
    }

    /// As instruments request it.
    pub(super) fn record_window(&mut self, wanted: Option<Recorded>) {
        match self.presenter.record_window(wanted, self.files.wake()) {
            // The head of the panels says it as well.
            Ok(true) if !self.panels.ui.visible => {
                let key = name(Shortcut::Record);
                self.say_about(About::Picture, Level::Info, format!("The window is recorded; {key} ends it."));
            }
            Ok(true) => self.redraw.request(),
            Ok(false) => {}
            Err(error) => {
                self.say_about(About::Picture, Level::Error, format!("{error:#}"));
                self.act(&UiAction::Record);
            }
        }
    }

    fn report_saved(&mut self, about: About, saved: Result<Option<SavedFile>, String>) {
        match saved {
            Ok(Some(SavedFile { file, note })) => self.panels.ui.messages.say_saved(about, file, note),
            Ok(None) => self.say_about(about, Level::Info, "The clip was cancelled."),
            Err(why) => self.say_about(about, Level::Error, why),
        }
        self.redraw.request();
    }
}

fn is_split(view: Option<ActiveView>) -> bool {
    view.is_some_and(|view| view.place == ViewPlacement::Split)
}

/// Files stay open.
fn reset(state: &mut DocumentState, preset: Option<LoadedPreset>, area: Area) {
    state.settings = Settings::default();
    state.origin = Origin { preset, glass: state.settings.glass.clone(), layout: None };
    (state.view, state.drifted_s) = (None, 0.0);
    lens_input::place(state, LensGlass::default(), None, area);
}
