//! Application of an open window: its parts, and a frame from events to presentation.

mod lens_panels;
mod ui_actions;
mod user_events;
mod window_events;

use super::camera_input::CameraInput;
use super::device_panel;
use super::document::{Document, DocumentState, Origin, SceneFiles};
use super::files::Files;
use super::frame_pacing::{FramePacing, Next};
use super::glass_panels::GlassPanels;
use super::initial_layout::InitialLayout;
use super::lens_input::{Area, LensInput};
use super::panels::Panels;
use super::redraw_policy::RedrawPolicy;
use super::screenshot::Screenshot;
use super::session_writer::SessionWriter;
use super::shown_frames::ShownFrames;
use super::split::Split;
use super::user_event;
use super::window_surface::{Ready, WindowSurface};
use crate::app::crash_report;
use crate::app::last_session::{self, WindowState};
use crate::app::session::Session;
use crate::base::timing::FrameTiming;
use crate::renderer::{Background, FrameParams, Renderer, ViewPlacement, WorldLoader};
use crate::techniques::Settings;
use crate::ui::manipulator::hit_test::CursorShape;
use crate::ui::{About, Device, Extent, Level, Ui};
use anyhow::Result;
use glam::Vec2;
use std::collections::VecDeque;
use std::time::{Duration, Instant};
use winit::event_loop::EventLoopProxy;
use winit::keyboard::ModifiersState;

/// If waiting for the image took longer than this, the pointer is sampled again before drawing.
const LATCH: Duration = Duration::from_micros(500);

/// Polling interval for a frame whose results are awaited.
const LOOK_AGAIN: Duration = Duration::from_millis(30);

/// Largest age of the settings in a crash report.
const TELL_AGAIN: Duration = Duration::from_secs(1);

/// Number of frame timings kept for `--json`.
const KEPT: usize = 1000;

/// Polling interval of a window without a size: it may be resized without an event.
const NO_SIZE: Duration = Duration::from_millis(250);

/// State that lives as long as the window is open. Fields are dropped from the top, the surface with the device last.
pub struct App {
    renderer: Renderer,
    document: Document,
    split: Split,
    lenses: LensInput,
    camera: CameraInput,
    pacing: FramePacing,
    follow: RedrawPolicy,
    ledger: ShownFrames,
    files: Files,
    panels: Panels,
    plates: GlassPanels,
    ui: Ui,
    device: Device,
    modifiers: ModifiersState,
    has_alt_graph: bool,
    /// Deadline until which a character may still belong to the text field that lost the focus.
    typed_until: Option<Instant>,
    keeper: SessionWriter,
    /// State of the window at the last query; `None` before it was shown.
    window: Option<WindowState>,
    started: Instant,
    /// The latest frame timings, newest first.
    kept: VecDeque<FrameTiming>,
    /// The next frame is to be read back.
    wants_picture: bool,
    snapshot: Option<Screenshot>,
    /// Requested measurements, and whether a frame has shown that: compiling their shaders may take seconds.
    asked: Vec<(&'static str, bool)>,
    /// The [revision](Document::revision) that the last message was about.
    told_of: u64,
    /// The reported problem of the glass' text.
    words_problem: Option<String>,
    /// Time at which the settings were last stored for a crash report.
    told_at: Option<Instant>,
    /// Physical pixels per logical one, as used by the lenses.
    scale: f32,
    surface: WindowSurface,
}

/// Action of the event loop after an event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum After {
    /// Continue.
    GoOn,
    /// Exit.
    Quit,
}

impl App {
    /// `started`: launch time of the program, for the log.
    pub fn new(
        surface: WindowSurface,
        session: Session,
        opening: InitialLayout,
        wake: EventLoopProxy<super::UserEvent>,
        started: Instant,
    ) -> Result<Self> {
        let panels = Panels::new(surface.window(), surface.gpu().info().max_side);
        let Session { settings, picture, world, names, reading, message, shown, layout, preset, panels: left, .. } =
            session;
        if let Some(reading) = &reading {
            log::info!("{} is being read", reading.name);
        }
        // A file still being loaded has no content yet.
        let files = SceneFiles { picture: names.picture.zip(picture.clone()), world: names.world.zip(world.clone()) };
        let files_of_user = Files::new(&surface, wake.clone());
        let preset = preset.or_else(|| files_of_user.preset_of(&settings));
        let origin = Origin { preset, glass: settings.glass.clone(), layout };
        let state = DocumentState { settings, view: shown, files, origin, ..DocumentState::default() };
        let patience = user_event::when_painted(wake);
        let mut demo = Self {
            renderer: Renderer::new(
                surface.gpu(),
                Background::new(picture, patience.clone()),
                WorldLoader::new(world, patience),
            )?,
            document: Document::new(state),
            lenses: LensInput::new(opening),
            split: Split::default(),
            camera: CameraInput::new(*surface.gpu().policy()),
            pacing: FramePacing::default(),
            follow: RedrawPolicy::default(),
            ledger: ShownFrames::default(),
            files: files_of_user,
            ui: Ui::new(panels.ctx()),
            panels,
            plates: GlassPanels::default(),
            device: device_panel::device(surface.gpu()),
            modifiers: ModifiersState::empty(),
            has_alt_graph: false,
            typed_until: None,
            keeper: SessionWriter::new(last_session::place()),
            window: None,
            started,
            kept: VecDeque::new(),
            wants_picture: false,
            snapshot: None,
            asked: Vec::new(),
            told_of: 0,
            words_problem: None,
            told_at: None,
            scale: surface.window().scale_factor() as f32,
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
        message.into_iter().for_each(|message| demo.say(Level::Info, message));
        Ok(demo)
    }

    /// Requests a redraw.
    fn ask(&mut self) {
        let now = Instant::now();
        self.pacing.ask(now);
        // Before the first frame the size of this window is not known.
        if self.surface.number() > 0 {
            self.keeper.touch(now);
        }
    }

    /// Requests a frame if one is due; returns what to wait for otherwise.
    pub fn rest(&mut self) -> Next {
        let next = self.pacing.next(Instant::now());
        if next == Next::Now {
            self.surface.window().request_redraw();
        }
        self.note_state();
        match self.keep() {
            Some(due) => next.or_at(due),
            None => next,
        }
    }

    /// The window's area for the lenses, with the panels' claims at the pointer.
    fn area(&self) -> Area {
        self.area_at(self.lenses.pointer())
    }

    fn area_at(&self, at: Option<Vec2>) -> Area {
        let scale = self.surface.window().scale_factor() as f32;
        let (px, wants) = (self.surface.area_px(), self.panels.wants(at));
        let free = self.ui.free(egui::vec2(px.x, px.y) / scale);
        let (free_px, hidden_from_px) = (Vec2::new(free.right(), free.bottom()) * scale, self.hidden_from_px());
        Area { px, free_px, scale, wants, hidden_from_px }
    }

    /// Size in pixels, from the top left, free of panels and legend.
    fn free_above_legend(&self) -> Vec2 {
        let (px, scale) = (self.surface.area_px(), self.surface.window().scale_factor() as f32);
        let free = self.ui.free_above_legend(egui::vec2(px.x, px.y) / scale);
        Vec2::new(free.right(), free.bottom()) * scale
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
            // The pointer has moved meanwhile: handle its events first, so that the lens follows without lag.
            Ready::Yes { waited } if waited > LATCH => {
                self.pacing.ask_within(Duration::ZERO, Instant::now());
                return Ok(());
            }
            Ready::Yes { .. } => {}
        }
        let moved_at = self.pacing.begin();
        // Measured frames are not displayed: they run as fast as possible.
        let is_displayed = moved_at.is_some() && !self.renderer.is_comparing();
        let asked_s =
            moved_at.filter(|_| is_displayed).map(|at| at.saturating_duration_since(self.started).as_secs_f64());
        self.ui.rate.begin(asked_s, self.started.elapsed().as_secs_f64());
        let area = self.area();
        if self.lenses.pass_time(&mut self.document, area) {
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
        self.device.validation = device_panel::validation(self.surface.gpu());
        let (actions, drawing, shown) = self.run_panels();
        self.commit(&actions, shown);
        for action in actions {
            self.act(action);
        }
        self.show_files();
        let (area, now) = (self.area(), Instant::now());
        let lenses = self.lenses.drawn(self.document.state());
        let Settings { glass, scene, .. } = self.document.settings();
        let (seconds, more) = self.follow.frame(now, &lenses, glass, scene);
        let drifts = self.camera.drift(self.document.adapt(), seconds);
        let (plates, press, glows) = self.pass_plates(seconds);
        let sheets = self.sheets();
        if more || drifts || glows {
            self.ask();
        }
        let ([world_scale, mirror_scale], again) =
            self.camera.scales(self.document.state(), self.renderer.measures_bounces(), self.surface.number(), now);
        let (mirror_scale, mirror_pace) = self.mirrors(mirror_scale, now);
        if let Some(again) = again {
            self.pacing.ask_within(again, now);
        }
        let settings = self.document.settings();
        let is_incremental = self.surface.gpu().policy().incremental_world;
        let params = FrameParams {
            plates: &plates,
            sheets: &sheets,
            press,
            view: self.document.state().view,
            split: self.split.at,
            scale: area.scale,
            seconds,
            center: self.center(),
            drifted_s: self.document.state().drifted_s,
            world_scale,
            mirror_scale,
            mirror_pace,
            in_steps: is_incremental,
            gathers: !is_incremental || self.follow.still_in(now).is_zero(),
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
            self.snapshot = Some(Screenshot::new(number, read, self.seen()?));
        }
        if self.told_at.is_none_or(|at| at.elapsed() > TELL_AGAIN) {
            self.told_at = Some(Instant::now());
            crash_report::note_settings(self.seen().unwrap_or_default());
        }
        if self.snapshot.is_some() || self.renderer.is_looking_below() {
            self.pacing.ask_within(LOOK_AGAIN, Instant::now());
        }
        if let Some(number) = number {
            if number == 0 {
                log::info!("first frame {:.0} ms after the start", self.started.elapsed().as_secs_f64() * 1e3);
            }
            self.ledger.shown(number, is_displayed);
            self.begin_measuring();
            if self.renderer.is_in_steps() {
                self.camera.drew_part(number);
            }
        }
        self.ui.rate.end(self.started.elapsed().as_secs_f64());
        self.keeper.touch(now);
        self.note_state();
        // Pipelines of edited shaders are created while a frame is recorded: their errors are known only now.
        let told = self.files.tell_of_shaders(&self.surface, &mut self.ui.messages);
        if told || self.surface.is_stale() || self.renderer.is_measuring() {
            self.ask();
        } else if self.draws_world() && self.renderer.beginning().is_some() {
            self.pacing.ask_within(Duration::ZERO, now);
        } else if self.renderer.is_unfinished(self.document.settings()) {
            self.pacing.ask_within(self.follow.still_in(now), now);
        }
        Ok(())
    }

    fn cursor(&mut self) -> Option<CursorShape> {
        let near_line = self.is_near_line();
        let area = self.area();
        match self.lenses.cursor(self.document.adapt(), area) {
            _ if self.split.is_held() => Some(CursorShape::ResizeHorizontal),
            Some(_) if near_line => Some(CursorShape::ResizeHorizontal),
            cursor => cursor,
        }
    }

    /// Whether a split view is active.
    fn is_split(&self) -> bool {
        self.document.state().view.is_some_and(|view| view.place == ViewPlacement::Split)
    }

    /// Saves the settings as a preset before an abnormal exit; returns its name if that succeeded.
    pub fn save_rescued_preset(&mut self) -> Option<&'static str> {
        const NAME: &str = "rescued";
        let layout = self.layout();
        let has_shown_anything = self.surface.number() > 0;
        let saved = has_shown_anything
            .then(|| self.files.save_preset(NAME, self.document.settings(), Extent::Everything, layout.as_ref()))?;
        saved.inspect_err(|why| log::info!("nothing was kept: {why:#}")).ok().map(|_| NAME)
    }

    /// Shows a message in place of the one about the same subject.
    fn say_about(&mut self, about: About, level: Level, text: impl Into<String>) {
        self.ui.messages.say_about(about, level, text);
        self.ask();
    }

    /// Reports the result of an action.
    fn tell(&mut self, about: About, outcome: Result<impl Into<String>, impl Into<String>>) {
        match outcome {
            Ok(done) => self.say_about(about, Level::Info, done),
            Err(why) => self.say_about(about, Level::Error, why),
        }
    }

    /// Shows a message.
    fn say(&mut self, level: Level, text: impl Into<String>) {
        self.ui.messages.say(level, text);
        self.ask();
    }
}
