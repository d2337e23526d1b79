//! The demo while its window is open: hears events, lets hand and panels change things, draws.

use super::dynamic_resolution::DynamicResolution;
use super::facts;
use super::follow::Follow;
use super::frame_pacing::{FramePacing, Next};
use super::input::PointerInput;
use super::ledger::Ledger;
use super::marks;
use super::opening::{Opening, is_hold};
use super::panels::Panels;
use super::split::Split;
use super::window_surface::{Ready, WindowSurface};
use crate::app::layout::Layout;
use crate::app::presets::Presets;
use crate::app::session::Session;
use crate::gpu::{Capture, HotReload};
use crate::renderer::{ActiveView, Backdrop, FrameParams, Renderer, ViewPlacement, Worlds};
use crate::scene::{Lens, SceneSettings, Source, world::World};
use crate::techniques::{INFOS, Settings, glass::GlassSettings};
use crate::ui::hand::Hand;
use crate::ui::hand_grip::CursorShape;
use crate::ui::orbit::Orbit;
use crate::ui::{Device, Level, Ui, UiAction, UiState};
use anyhow::Result;
use glam::Vec2;
use std::sync::Arc;
use std::time::{Duration, Instant};
use winit::event::{ElementState, KeyEvent, WindowEvent};
use winit::event_loop::EventLoopProxy;
use winit::keyboard::{Key, ModifiersState, NamedKey};

/// Longer than this is long enough to look again where the pointer is before drawing.
const LATCH: Duration = Duration::from_micros(500);

/// How often a window without a size is looked at: it may get one again without a word.
const NO_SIZE: Duration = Duration::from_millis(250);

/// Everything that lives as long as the window is open. Fields are dropped from the top, the stage with the device last.
pub struct Demo {
    pub(super) renderer: Renderer,
    pub(super) settings: Settings,
    /// The glass as it was at the start or when a preset was loaded: what R goes back to.
    pub(super) home: GlassSettings,
    /// Where the lenses were then, if a preset said so.
    pub(super) home_layout: Option<Layout>,
    pub(super) lenses: Vec<Lens>,
    /// Until somebody takes hold of something.
    pub(super) opening: Option<Opening>,
    pub(super) shown: Option<ActiveView>,
    pub(super) split: Split,
    pub(super) input: PointerInput,
    pub(super) hand: Hand,
    /// The hand on the camera.
    pub(super) orbit: Orbit,
    /// Seconds for which the camera has drifted.
    pub(super) drifted_s: f32,
    pub(super) resolution: DynamicResolution,
    /// The scene as the last frame had it, and how far the camera had drifted then.
    pub(super) seen_scene: Option<(SceneSettings, Option<f32>)>,
    /// Until when the lenses moved by themselves, while they do.
    pub(super) moved_at: Option<Instant>,
    /// Where the pointer is, in pixels.
    pub(super) pointer: Option<Vec2>,
    modifiers: ModifiersState,
    pub(super) panels: Panels,
    pub(super) ui: Ui,
    pub(super) presets: Presets,
    pub(super) preset_names: Vec<String>,
    device: Device,
    pub(super) wake: EventLoopProxy<super::Wake>,
    pub(super) capture: Option<Capture>,
    /// Shaders whose errors are being shown.
    pub(super) broken_shaders: Vec<String>,
    _hot_reload: Option<HotReload>,
    pub(super) pacing: FramePacing,
    pub(super) follow: Follow,
    ledger: Ledger,
    started: Instant,
    pub(super) surface: WindowSurface,
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
        let lenses = session.lenses(surface.area_px(), surface.window().scale_factor() as f32);
        let Session { settings, picture, world, shown, layout, .. } = session;
        let presets = Presets::of_this_user();
        let patience = super::wake::when_painted(wake.clone());
        let mut demo = Self {
            renderer: Renderer::new(
                surface.gpu(),
                Backdrop::new(picture, patience.clone()),
                Worlds::new(world, patience),
            )?,
            home: settings.glass.clone(),
            home_layout: layout,
            lenses,
            opening: Some(opening),
            settings,
            shown,
            split: Split::default(),
            input: PointerInput::default(),
            hand: Hand::default(),
            orbit: Orbit::default(),
            drifted_s: 0.0,
            resolution: DynamicResolution::default(),
            seen_scene: None,
            moved_at: None,
            pointer: None,
            modifiers: ModifiersState::empty(),
            ui: Ui::new(panels.ctx()),
            panels,
            preset_names: presets.names(),
            presets,
            device: facts::device(surface.gpu()),
            _hot_reload: super::wake::watch_shaders(&surface, wake.clone()),
            wake,
            capture: None,
            broken_shaders: Vec::new(),
            pacing: FramePacing::default(),
            follow: Follow::default(),
            ledger: Ledger::default(),
            started,
            surface,
        };
        demo.ask();
        Ok(demo)
    }

    /// Something moved.
    pub(super) fn ask(&mut self) {
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
            self.ask();
        }
        if is_hold(event) {
            self.opening = None;
        }
        match event {
            WindowEvent::CloseRequested | WindowEvent::Destroyed => return Ok(After::Quit),
            WindowEvent::Resized(size) => {
                self.surface.resize((*size).into());
                self.lay_out_again();
                self.ask();
            }
            WindowEvent::ScaleFactorChanged { inner_size_writer, .. } => {
                self.keep_asked_size(inner_size_writer);
                self.rescale_lenses();
                self.lay_out_again();
                self.ask();
            }
            WindowEvent::Occluded(hidden) => self.pacing.hide(*hidden),
            WindowEvent::CursorMoved { position, .. } => {
                self.pointer = Some(Vec2::new(position.x as f32, position.y as f32));
            }
            WindowEvent::CursorLeft { .. } => self.pointer = None,
            WindowEvent::ModifiersChanged(now) => self.modifiers = now.state(),
            WindowEvent::DroppedFile(file) => self.take_file(file.clone()),
            WindowEvent::KeyboardInput { event, is_synthetic: false, .. } if event.state == ElementState::Pressed => {
                if self.quits(event) {
                    return Ok(After::Quit);
                }
                let typing = self.panels.wants(None).keyboard;
                match &event.logical_key {
                    Key::Named(NamedKey::F12) if !event.repeat => self.take_capture(),
                    Key::Character(text) if !event.repeat && text.eq_ignore_ascii_case("f") && !typing => {
                        self.toggle_drift();
                    }
                    _ => {}
                }
            }
            _ => {}
        }
        self.lay_hand(event);
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

    /// Tab is the hand's, and egui would take it for its own widgets; a text that is typed into keeps it.
    fn is_tab(&self, event: &WindowEvent) -> bool {
        matches!(event, WindowEvent::KeyboardInput { event, .. } if event.logical_key == Key::Named(NamedKey::Tab))
            && !self.panels.wants(None).keyboard
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
                self.ask();
                return Ok(());
            }
            Ready::Yes { .. } => {}
        }
        let moved = self.pacing.begin();
        self.pass_time();
        while let Some(timing) = self.surface.take_timing() {
            self.renderer.on_timing(&timing)?;
            self.resolution.on_timing(&timing);
            if let Some(interval_us) = self.ledger.take(timing.frame) {
                self.ui.timings.push(&timing, interval_us);
            }
        }
        self.device.validation = facts::validation(self.surface.gpu());
        let scale = self.surface.window().scale_factor() as f32;
        let before = self.settings.clone();
        let (actions, drawing) = self.run_panels();
        self.settle(&before);
        for action in actions {
            self.act(action);
        }
        let lenses = self.drawn();
        let now = Instant::now();
        let (seconds, more) = self.follow.frame(now, &lenses, &self.settings.glass, &self.settings.scene);
        if more {
            self.pacing.ask_within(Duration::ZERO, now);
        }
        self.drift(seconds);
        let world_scale = self.world_scale(now);
        let (settings, view, split, drifted_s) = (&self.settings, self.shown, self.split.at, self.drifted_s);
        let params = FrameParams { settings, lenses: &lenses, view, split, scale, seconds, drifted_s, world_scale };
        let renderer = &mut self.renderer;
        let number = self.surface.frame(drawing, |frame, target| Ok(renderer.record(frame, &params, target)?))?;
        if let Some(number) = number {
            if number == 0 {
                log::info!("first frame {:.0} ms after the start", self.started.elapsed().as_secs_f64() * 1e3);
            }
            self.ledger.shown(number, moved, Instant::now());
        }
        if self.surface.is_stale() || self.renderer.is_measuring() {
            self.ask();
        }
        Ok(())
    }

    fn run_panels(&mut self) -> (Vec<UiAction>, crate::gpu::Drawing) {
        let cursor = self.cursor();
        let marks = self.lens_marks();
        let line = self.is_split().then(|| self.split.at * self.surface.area_px().x);
        let reports = self.renderer.reports(&self.settings);
        let Self { panels, ui, settings, shown, device, preset_names, surface, .. } = self;
        let mut actions = Vec::new();
        let (drawing, delay) = panels.run(surface.window(), cursor, |root| {
            line.into_iter().for_each(|x| marks::line(root.ctx(), x));
            marks.draw(root.ctx());
            // egui may run this twice for one frame, and what was asked for in the first run would be lost.
            let state = UiState {
                sections: settings.sections(),
                infos: INFOS,
                shown: *shown,
                presets: preset_names,
                device,
                reports: &reports,
            };
            actions.extend(ui.show(root, state));
        });
        self.pacing.ask_within(delay, Instant::now());
        (actions, drawing)
    }

    fn cursor(&mut self) -> Option<CursorShape> {
        let over_panel = self.panels.wants(self.pointer).pointer;
        let near_line = self.is_near_line();
        let cursor = self.with_table(|hand, table| hand.cursor(table, over_panel));
        match cursor {
            _ if self.split.is_held() => Some(CursorShape::ResizeHorizontal),
            Some(CursorShape::Default) if near_line => Some(CursorShape::ResizeHorizontal),
            cursor => cursor,
        }
    }

    /// Whether a view is shown on one side of a line.
    pub(super) fn is_split(&self) -> bool {
        self.shown.is_some_and(|shown| shown.place == ViewPlacement::Split)
    }

    /// Says something over the picture.
    pub(super) fn say(&mut self, level: Level, text: impl Into<String>) {
        self.ui.messages.say(level, text);
        self.ask();
    }

    /// Puts another picture under the glass.
    pub(super) fn show_picture(&mut self, picture: crate::base::picture::Picture) {
        self.renderer.backdrop().set_file(Some(Arc::new(picture)));
        self.settings.scene.source = Source::Picture;
        self.follow.start();
        self.ask();
    }

    /// Puts another world under the glass.
    pub(super) fn show_world(&mut self, world: Arc<World>) {
        self.renderer.worlds().set_file(Some(world));
        self.settings.scene.source = Source::World;
        self.reset_camera();
        self.follow.start();
        self.ask();
    }
}
