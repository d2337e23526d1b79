//! The demo while its window is open: hears events, lets hand and panels change things, draws.

mod news;
mod wishes;

use super::camera_input::{CameraArea, CameraInput};
use super::facts;
use super::files::Files;
use super::follow::Follow;
use super::frame_pacing::{FramePacing, Next};
use super::history::History;
use super::ledger::Ledger;
use super::lens_input::{Area, LensInput, LensRequest};
use super::opening::Opening;
use super::panels::Panels;
use super::plates::Plates;
use super::snapshot::Snapshot;
use super::split::Split;
use super::wake;
use super::window_surface::{Ready, WindowSurface};
use crate::app::obituary;
use crate::app::session::Session;
use crate::base::timing::FrameTiming;
use crate::renderer::{ActiveView, Backdrop, FrameParams, Renderer, ViewPlacement, Worlds};
use crate::scene::Lens;
use crate::techniques::Settings;
use crate::ui::hand::{Button, HandEvent};
use crate::ui::hand_grip::CursorShape;
use crate::ui::orbit::Heard;
use crate::ui::{Device, Extent, Level, OpenFiles, Ui, UiAction, Wish};
use anyhow::Result;
use glam::Vec2;
use std::collections::VecDeque;
use std::time::{Duration, Instant};
use winit::event::{ElementState, KeyEvent, WindowEvent};
use winit::event_loop::EventLoopProxy;
use winit::keyboard::{Key, ModifiersState, NamedKey};

/// Longer than this is long enough to look again where the pointer is before drawing.
const LATCH: Duration = Duration::from_micros(500);

/// How soon to look whether the frame of a picture that is taken has ended.
const LOOK_AGAIN: Duration = Duration::from_millis(30);

/// How old the settings in a report may be.
const TELL_AGAIN: Duration = Duration::from_secs(1);

/// Frames whose times are kept for `--json`.
const KEPT: usize = 1000;

/// How often a window without a size is looked at: it may get one again without a word.
const NO_SIZE: Duration = Duration::from_millis(250);

/// Everything that lives as long as the window is open. Fields are dropped from the top, the surface with the device last.
pub struct Demo {
    renderer: Renderer,
    settings: Settings,
    view: Option<ActiveView>,
    split: Split,
    lenses: LensInput,
    camera: CameraInput,
    pacing: FramePacing,
    follow: Follow,
    ledger: Ledger,
    files: Files,
    panels: Panels,
    plates: Plates,
    ui: Ui,
    device: Device,
    /// Names of the files under the glass.
    names: OpenFiles,
    history: History,
    /// The settings as the history knows them.
    noted: Settings,
    /// Lenses that a preset has put elsewhere since, as they were.
    moved_lenses: Option<Vec<Lens>>,
    /// The preset that was loaded last, and the settings as it left them.
    active: Option<(String, Settings)>,
    modifiers: ModifiersState,
    started: Instant,
    /// The times of the last frames, the last first.
    kept: VecDeque<FrameTiming>,
    /// The next frame is to be read back.
    wants_picture: bool,
    snapshot: Option<Snapshot>,
    /// When the settings were last noted for a report.
    told_at: Option<Instant>,
    surface: WindowSurface,
}

/// What the event loop is to do after an event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum After {
    /// Go on.
    GoOn,
    /// End the program.
    Quit,
}

impl Demo {
    /// `started` is when the program began, for the log.
    ///
    /// # Errors
    /// What the GPU says to the pipelines.
    pub fn new(
        surface: WindowSurface,
        session: Session,
        opening: Opening,
        wake: EventLoopProxy<super::Wake>,
        started: Instant,
    ) -> Result<Self> {
        let panels = Panels::new(surface.window(), surface.gpu().facts().max_side);
        let Session { settings, picture, world, mut names, reading, shown, layout, panels: left, .. } = session;
        // What is named lies under the glass.
        if let Some(reading) = &reading {
            names = OpenFiles::default();
            log::info!("{} is being read", reading.name);
        }
        let patience = wake::when_painted(wake.clone());
        let mut demo = Self {
            renderer: Renderer::new(
                surface.gpu(),
                Backdrop::new(picture, patience.clone()),
                Worlds::new(world, patience),
            )?,
            lenses: LensInput::new(Vec::new(), &settings, layout, opening),
            noted: settings.clone(),
            settings,
            view: shown,
            split: Split::default(),
            camera: CameraInput::new(surface.gpu().facts().is_software()),
            pacing: FramePacing::default(),
            follow: Follow::default(),
            ledger: Ledger::default(),
            files: Files::new(&surface, wake),
            ui: Ui::new(panels.ctx()),
            panels,
            plates: Plates::default(),
            device: facts::device(surface.gpu()),
            names,
            history: History::default(),
            moved_lenses: None,
            active: None,
            modifiers: ModifiersState::empty(),
            started,
            kept: VecDeque::new(),
            wants_picture: false,
            snapshot: None,
            told_at: None,
            surface,
        };
        left.into_iter().for_each(|left| demo.ui.show_again(demo.panels.ctx(), left));
        demo.lay_out_again();
        let area = demo.area();
        if let Some(reading) = reading {
            demo.files.wait_for(reading);
            demo.expect_file();
        }
        demo.split.centre(area.free_px.x, area.px.x);
        demo.ask();
        Ok(demo)
    }

    /// Something moved.
    fn ask(&mut self) {
        self.pacing.ask(Instant::now());
    }

    /// Takes in one event of the window.
    ///
    /// # Errors
    /// The GPU's: the device is lost, or refuses something that it must do.
    pub fn hear(&mut self, event: &WindowEvent) -> Result<After> {
        if *event == WindowEvent::RedrawRequested {
            self.draw()?;
            return Ok(After::GoOn);
        }
        if !self.is_tab(event) && self.panels.hear(self.surface.window(), event) {
            self.follow.stir(Instant::now());
            self.ask();
        }
        self.lenses.note(event);
        match event {
            WindowEvent::CloseRequested | WindowEvent::Destroyed => return Ok(After::Quit),
            WindowEvent::Resized(size) => {
                self.surface.resize((*size).into());
                self.lay_out_again();
                self.ask();
            }
            WindowEvent::ScaleFactorChanged { inner_size_writer, .. } => {
                // The display's scale is known now: pixels that were asked for stay pixels.
                if let Some(size) = self.lenses.asked_size()
                    && let Err(why) = inner_size_writer.clone().request_inner_size(size)
                {
                    log::warn!("the window cannot be {}x{} pixels large: {why}", size.width, size.height);
                }
                let area = self.area();
                self.lenses.rescale(&self.settings, area);
                self.lay_out_again();
                self.ask();
            }
            WindowEvent::Occluded(hidden) => self.pacing.hide(*hidden, Instant::now()),
            WindowEvent::ModifiersChanged(now) => self.modifiers = now.state(),
            WindowEvent::DroppedFile(file) => {
                self.open(file.clone());
            }
            WindowEvent::KeyboardInput { event, is_synthetic: false, .. } if event.state == ElementState::Pressed => {
                if self.quits(event) {
                    return Ok(After::Quit);
                }
                let typing = self.panels.wants(None).keyboard;
                match &event.logical_key {
                    Key::Named(NamedKey::F2) if !event.repeat => self.take_picture(),
                    Key::Named(NamedKey::F12) if !event.repeat => match self.files.capture() {
                        Ok(what) => self.say(Level::Info, what),
                        Err(why) => self.say(Level::Error, why),
                    },
                    Key::Character(text) if !event.repeat && text.eq_ignore_ascii_case("f") && !typing => {
                        self.camera.toggle_drift(&mut self.settings);
                        self.ask();
                    }
                    _ => {}
                }
            }
            _ => {}
        }
        if !self.is_for_focus(event) {
            self.take_input(event);
        }
        Ok(After::GoOn)
    }

    /// Asks for a frame if one is due; what to wait for else.
    pub fn rest(&mut self) -> Next {
        let next = self.pacing.next(Instant::now());
        if next == Next::Now {
            self.surface.window().request_redraw();
        }
        next
    }

    /// The window as lenses know it, with the pointer where it is.
    fn area(&self) -> Area {
        self.area_at(self.lenses.pointer())
    }

    fn area_at(&self, at: Option<Vec2>) -> Area {
        let scale = self.surface.window().scale_factor() as f32;
        let (px, wants) = (self.surface.area_px(), self.panels.wants(at));
        let free = self.ui.free(egui::vec2(px.x, px.y) / scale);
        Area { px, free_px: Vec2::new(free.right(), free.bottom()) * scale, scale, wants }
    }

    /// Pixels that neither panels nor a legend cover, from the left and from the top.
    fn free_above_legend(&self) -> Vec2 {
        let (px, scale) = (self.surface.area_px(), self.surface.window().scale_factor() as f32);
        let free = self.ui.free_above_legend(egui::vec2(px.x, px.y) / scale);
        Vec2::new(free.right(), free.bottom()) * scale
    }

    /// Hands an event of the window to the camera, the line of a split view and the lenses, in that order, if it is not the panels'.
    fn take_input(&mut self, event: &WindowEvent) {
        let at = match event {
            WindowEvent::Touch(touch) => Some(Vec2::new(touch.location.x as f32, touch.location.y as f32)),
            _ => self.lenses.pointer(),
        };
        for event in self.lenses.translate(event, self.area_at(at)) {
            if self.is_for_camera(event) || self.is_for_line(event) {
                continue;
            }
            let area = self.area();
            let (changed, request) = self.lenses.take(event, &mut self.settings, area);
            self.keep_shape();
            if changed {
                self.ask();
            }
            match request {
                Some(LensRequest::Preset(number)) => {
                    if let Some(name) = self.files.presets().get(number).map(|preset| preset.name.clone()) {
                        self.act(UiAction::Preset(Wish::Load(name)));
                    }
                }
                Some(LensRequest::TogglePanels) => self.ui.visible = !self.ui.visible,
                Some(LensRequest::ResetCamera) => self.camera.reset(&mut self.settings),
                None => {}
            }
        }
    }

    /// Whether the event was for the camera alone: lenses, panels and the line of a split view go first.
    fn is_for_camera(&mut self, event: HandEvent) -> bool {
        let (area, home) = (self.area(), self.renderer.home());
        let over_lens = self.lenses.is_over_lens(&self.settings, area);
        let around = CameraArea { px: area.px, home, over_lens, near_line: self.is_near_line() };
        let heard = self.camera.take(event, &mut self.settings, around);
        if heard != Heard::No {
            self.ask();
        }
        heard == Heard::Taken
    }

    /// Whether the event was for the line of a split view: a lens over it goes first, but not over its knob.
    fn is_for_line(&mut self, event: HandEvent) -> bool {
        let width = self.surface.area_px().x;
        match event {
            HandEvent::Pressed(Button::Primary) if self.is_near_line() => {
                self.lenses.pointer().into_iter().for_each(|at| self.split.take(at, width));
                true
            }
            HandEvent::Moved(at) if self.split.is_held() => {
                if self.split.moved(at, width) {
                    self.ask();
                }
                false
            }
            HandEvent::Released(Button::Primary) | HandEvent::FocusLost => {
                self.split.let_go();
                false
            }
            _ => false,
        }
    }

    /// Whether the pointer could take the line of a split view.
    fn is_near_line(&mut self) -> bool {
        let area = self.area();
        let Some(at) = self.lenses.pointer().filter(|_| self.is_split() && !area.wants.pointer) else { return false };
        self.split.is_on_knob(at, area.px, area.scale)
            || self.split.is_near(at, area.px.x, area.scale) && !self.lenses.hovers(&self.settings, area)
    }

    /// Ctrl+Tab moves the keyboard into the panels, and is nothing to the lenses.
    fn is_for_focus(&self, event: &WindowEvent) -> bool {
        let is_tab = |event: &KeyEvent| event.logical_key == Key::Named(NamedKey::Tab);
        matches!(event, WindowEvent::KeyboardInput { event, .. } if is_tab(event)) && self.modifiers.control_key()
    }

    /// Tab is the hand's, and egui would take it for its own widgets; a text that is typed into keeps it.
    fn is_tab(&self, event: &WindowEvent) -> bool {
        matches!(event, WindowEvent::KeyboardInput { event, .. } if event.logical_key == Key::Named(NamedKey::Tab))
            && !self.panels.wants(None).keyboard
            && !self.modifiers.control_key()
    }

    fn quits(&self, event: &KeyEvent) -> bool {
        self.modifiers.control_key()
            && matches!(&event.logical_key, Key::Character(text) if text.eq_ignore_ascii_case("q"))
    }

    fn draw(&mut self) -> Result<()> {
        match self.surface.prepare()? {
            Ready::NoSize => {
                self.pacing.put_off(NO_SIZE, Instant::now());
                return Ok(());
            }
            Ready::Again { after } => {
                self.pacing.put_off(after, Instant::now());
                return Ok(());
            }
            // The pointer has moved on meanwhile: hear of it first, so that the lens is where the hand is.
            Ready::Yes { waited } if waited > LATCH => {
                self.pacing.ask_within(Duration::ZERO, Instant::now());
                return Ok(());
            }
            Ready::Yes { .. } => {}
        }
        let moved_at = self.pacing.begin();
        let asked_s = moved_at.map(|at| at.saturating_duration_since(self.started).as_secs_f64());
        self.ui.rate.begin(asked_s, self.started.elapsed().as_secs_f64());
        let area = self.area();
        if self.lenses.pass_time(&self.settings, area) {
            self.ask();
        }
        while let Some(timing) = self.surface.take_timing() {
            self.renderer.on_timing(&timing)?;
            self.camera.on_timing(&timing);
            if self.ledger.take(timing.frame) {
                self.ui.timings.push(&timing, self.started.elapsed().as_secs_f64());
            }
            let ended = timing.frame;
            self.kept.truncate(KEPT - 1);
            self.kept.push_front(timing);
            self.finish_picture(ended);
        }
        self.device.validation = facts::validation(self.surface.gpu());
        let before = self.settings.clone();
        let (actions, drawing) = self.run_panels();
        self.settle(&before);
        for action in actions {
            self.act(action);
        }
        self.note();
        let shown = self.before_measuring(before);
        let (area, now) = (self.area(), Instant::now());
        let lenses = self.lenses.drawn(&self.settings, area);
        let (seconds, more) = self.follow.frame(now, &lenses, &self.settings.glass, &self.settings.scene);
        let drifts = self.camera.drift(&self.settings, seconds);
        let (plates, press, glows) = self.pass_plates(seconds);
        if more || drifts || glows {
            self.ask();
        }
        let ([world_scale, mirror_scale], again) = self.camera.scales(&self.settings, self.surface.number(), now);
        let (mirror_scale, mirror_pace) = self.mirrors(mirror_scale, now);
        if let Some(again) = again {
            self.pacing.ask_within(again, now);
        }
        let settings = shown.as_ref().unwrap_or(&self.settings);
        let is_quick = !self.surface.gpu().facts().is_software();
        let params = FrameParams {
            plates: &plates,
            press,
            view: self.view,
            split: self.split.at,
            scale: area.scale,
            seconds,
            drifted_s: self.camera.drifted_s(),
            world_scale,
            mirror_scale,
            mirror_pace,
            in_steps: settings.antialias.reproject.is_on(!is_quick),
            gathers: is_quick || self.follow.still_in(now).is_zero(),
            ..FrameParams::of(settings, &lenses)
        };
        let free_px = self.free_above_legend();
        let renderer = &mut self.renderer;
        renderer.keep_within(free_px.as_uvec2());
        let mut read = None;
        let is_taken = std::mem::take(&mut self.wants_picture);
        let format = self.surface.readable().filter(|_| is_taken);
        let number = self.surface.frame(drawing, |frame, target| {
            renderer.record(frame, &params, target)?;
            if let Some(format) = format {
                read = Some((target.size(), format, frame.read_image(target)?));
            }
            Ok(())
        })?;
        if let Some((number, read)) = number.zip(read) {
            self.snapshot = Some(Snapshot::new(number, read, self.seen()?));
        }
        if self.told_at.is_none_or(|at| at.elapsed() > TELL_AGAIN) {
            self.told_at = Some(Instant::now());
            obituary::note_settings(self.seen().unwrap_or_default());
        }
        if self.snapshot.is_some() {
            self.pacing.ask_within(LOOK_AGAIN, Instant::now());
        }
        if let Some(number) = number {
            if number == 0 {
                log::info!("first frame {:.0} ms after the start", self.started.elapsed().as_secs_f64() * 1e3);
            }
            self.ledger.shown(number, moved_at.is_some());
            if self.renderer.is_in_steps() {
                self.camera.drew_part(number);
            }
        }
        self.ui.rate.end(self.started.elapsed().as_secs_f64());
        // Pipelines of edited shaders are made while a frame is recorded: what is wrong with them is known only now.
        let told = self.files.tell_of_shaders(&self.surface, &mut self.ui.messages);
        if told || self.surface.is_stale() || self.renderer.is_measuring() {
            self.ask();
        } else if self.draws_world() && self.renderer.beginning().is_some() {
            self.pacing.ask_within(Duration::ZERO, now);
        } else if self.renderer.is_unfinished(&self.settings) {
            self.pacing.ask_within(self.follow.still_in(now), now);
        }
        Ok(())
    }

    fn cursor(&mut self) -> Option<CursorShape> {
        let near_line = self.is_near_line();
        match self.lenses.cursor(&self.settings, self.area()) {
            _ if self.split.is_held() => Some(CursorShape::ResizeHorizontal),
            Some(_) if near_line => Some(CursorShape::ResizeHorizontal),
            cursor => cursor,
        }
    }

    /// Whether a view is shown on one side of a line.
    fn is_split(&self) -> bool {
        self.view.is_some_and(|view| view.place == ViewPlacement::Split)
    }

    /// Keeps what was set, where the program must end without being asked to: the preset to go on with, if it could be kept.
    pub fn rescue(&mut self) -> Option<&'static str> {
        const NAME: &str = "rescued";
        let layout = self.lenses.layout(self.area());
        let has_shown_anything = self.surface.number() > 0;
        let saved = has_shown_anything
            .then(|| self.files.save_preset(NAME, &self.settings, Extent::Everything, layout.as_ref()))?;
        saved.inspect_err(|why| log::info!("nothing was kept: {why:#}")).ok().map(|_| NAME)
    }

    /// Says something over the picture.
    fn say(&mut self, level: Level, text: impl Into<String>) {
        self.ui.messages.say(level, text);
        self.ask();
    }
}
