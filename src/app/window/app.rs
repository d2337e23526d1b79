//! Application of an open window: its parts, and the dispatch of its events.

mod actions;
mod frame;
mod layout;
mod session;

use super::check_job::CheckJob;
use super::clip_player::ClipPlayer;
use super::document::{Document, DocumentState, Origin, SceneFiles};
use super::files::Files;
use super::input::PointerInput;
use super::input_router::{InputContext, InputRouter};
use super::keyboard::KeyboardState;
use super::lens_input::{InitialLayout, LensInput};
use super::motif_input::MotifInput;
use super::panels::Panels;
use super::presenter::Presenter;
use super::redraw::Redraw;
use super::session_writer::SessionWriter;
use super::split::Split;
use super::user_event::{self, UserEvent};
use super::window_pair::SideB;
use super::window_surface::WindowSurface;
use crate::last_session;
use crate::session::{Pictures, Session};
use anyhow::Result;
use egui_winit::accesskit_winit::Adapter;
use lab::Break;
use media::picture::Picture;
use renderer::{Background, Renderer, WorldLoader};
use scene::motif::UseEvent;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;
use ui::keys::{Focus, Shortcut};
use ui::manipulator::{InputEvent, LensEdit};
use ui::orbit::Orbit;
use ui::{Level, lens_menu};
use winit::event::WindowEvent;
use winit::event_loop::EventLoopProxy;

/// Dropped from the top: the presenter with the device last.
pub struct App {
    document: Document,
    input: InputRouter,
    redraw: Redraw,
    panels: Panels,
    files: Files,
    clip: ClipPlayer,
    session: SessionWriter,
    /// Dropped in B.
    broken: Break,
    /// B as it is displayed.
    followed: Option<Arc<SideB>>,
    check: CheckJob,
    drawn_scene: frame::DrawnScene,
    #[cfg(target_os = "linux")]
    drops: Option<super::discarded_drops::DiscardedDrops>,
    next_gpu: Option<usize>,
    waiting: Vec<Waiting>,
    /// Physical pixels per logical one.
    scale: f32,
    presenter: Presenter,
}

/// What follows a press that the panels take with the next frame.
enum Waiting {
    Shortcut { shortcut: Shortcut, repeat: bool },
    Input(InputEvent),
}

impl App {
    pub fn new(
        surface: WindowSurface,
        access: Adapter,
        session: Session,
        (opening, poster): (InitialLayout, Picture),
        wake: EventLoopProxy<UserEvent>,
        started: Instant,
    ) -> Result<Self> {
        let panels = Panels::new(surface.window(), access, surface.gpu());
        let Session {
            settings,
            pictures: Pictures { below: picture, sky },
            world,
            names,
            reading,
            message,
            shown,
            layout,
            preset,
            panels: left,
            window,
            ..
        } = session;
        let (picture_file, world_file) = (names.picture.zip(picture.clone()), names.world.zip(world.clone()));
        let files = SceneFiles { picture: picture_file, sky, world: world_file };
        let origin = Origin { preset, glass: settings.glass.clone(), layout };
        let state = DocumentState { settings, view: shown, files, origin, ..DocumentState::default() };
        let painted = user_event::when_painted(wake.clone());
        let poster = Arc::new(poster);
        let background = Background::new(picture, painted.clone()).with_poster(poster.clone());
        let worlds = WorldLoader::new(world, painted);
        let renderer = Renderer::new(surface.gpu(), background, worlds)?;
        let scale = surface.window().scale_factor() as f32;
        let mut app = Self {
            document: Document::new(state, scale),
            input: InputRouter {
                keyboard: KeyboardState::default(),
                events: PointerInput::default(),
                split: Split::default(),
                has_pair: false,
                camera: Orbit::default(),
                motif: MotifInput::default(),
                lenses: LensInput::new(opening),
            },
            redraw: Redraw::new(*surface.gpu().policy()),
            panels,
            #[cfg(target_os = "linux")]
            drops: super::discarded_drops::DiscardedDrops::of(surface.window()),
            broken: Break::None,
            followed: None,
            drawn_scene: frame::DrawnScene::default(),
            check: CheckJob::new(&surface.gpu().info().name, wake.clone()),
            files: Files::new(&surface, wake),
            clip: ClipPlayer::default(),
            session: SessionWriter::new(last_session::place()),
            next_gpu: None,
            waiting: Vec::new(),
            scale,
            presenter: Presenter::new(surface, renderer, started),
        };
        app.session.window = window;
        app.document.find_preset();
        let ctx = app.panels.ctx().clone();
        app.panels.ui.restore(&ctx, left.unwrap_or_default());
        app.note_display();
        app.lay_out();
        if let Some(reading) = reading {
            log::info!("{} is being read", reading.name);
            app.files.wait_for(reading);
            app.expect_file();
        }
        app.center_split();
        app.theme_as(&poster);
        app.redraw.request();
        message.into_iter().for_each(|message| app.say(Level::Info, message));
        Ok(app)
    }

    pub fn handle_event(&mut self, event: &WindowEvent) -> Result<ControlFlow<()>> {
        if *event == WindowEvent::RedrawRequested {
            self.panels.clock().begin_frame(Instant::now());
            self.document.clock = *self.panels.clock();
            self.draw()?;
            self.panels.clock().end_frame(Instant::now());
            self.document.clock = *self.panels.clock();
            return Ok(ControlFlow::Continue(()));
        }
        #[cfg(target_os = "linux")]
        for dropped in self.drops.as_mut().map_or_else(Vec::new, |drops| drops.before(event)) {
            match dropped {
                Ok(file) => self.open(file),
                Err(why) => self.say(Level::Error, why),
            }
        }
        if self.type_into_motif(event) {
            self.redraw.input_received();
            return Ok(ControlFlow::Continue(()));
        }
        let shortcut = self.input.keyboard.shortcut(event, self.panels.focus());
        let is_for_panels = shortcut.is_none_or(|(shortcut, _)| shortcut == Shortcut::Escape);
        if !is_for_panels || self.panels.handle_event(self.presenter.surface.window(), event) {
            self.redraw.input_received();
        }
        self.input.track(event, &mut self.document);
        match event {
            WindowEvent::CloseRequested | WindowEvent::Destroyed => return Ok(ControlFlow::Break(())),
            WindowEvent::Resized(size) => {
                self.presenter.surface.resize((*size).into());
                self.note_display();
                self.lay_out();
                self.redraw.request();
            }
            WindowEvent::ScaleFactorChanged { scale_factor, inner_size_writer } => {
                self.change_scale(*scale_factor as f32, inner_size_writer);
            }
            WindowEvent::Moved(_) => self.note_display(),
            WindowEvent::Occluded(hidden) => self.redraw.pacing.hide(*hidden, Instant::now()),
            WindowEvent::DroppedFile(file) => self.open(file.clone()),
            _ => {}
        }
        if let Some((shortcut, repeat)) = shortcut {
            let waits = !self.waiting.is_empty() || self.panels.has_press_waiting();
            if waits && !matches!(shortcut, Shortcut::Quit | Shortcut::Escape) {
                self.waiting.push(Waiting::Shortcut { shortcut, repeat });
                self.redraw.request();
                return Ok(ControlFlow::Continue(()));
            }
            return Ok(self.apply_shortcut(shortcut, repeat));
        }
        let area = self.area_at(self.input.position_of(event));
        for event in self.input.events.translate(event, area.over_panel, area.scale) {
            if self.waiting.is_empty() {
                self.route(event);
            } else {
                self.waiting.push(Waiting::Input(event));
                self.redraw.request();
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Keys of a motif of use, unless a panel has the keyboard.
    fn type_into_motif(&mut self, event: &WindowEvent) -> bool {
        if !self.document.state().uses_motif() || self.panels.focus() != Focus::None {
            return false;
        }
        let Some((key, is_down)) = self.input.keyboard.motif_key(event) else { return false };
        let (area, feel) = (self.area(), self.input.lenses.feel(&self.document.state().settings));
        self.input.motif.handle(UseEvent::Key { key, is_down }, &mut self.document, area, &feel)
    }

    /// After the panels took the presses before it.
    fn take_waiting(&mut self) {
        for waiting in std::mem::take(&mut self.waiting) {
            match waiting {
                Waiting::Shortcut { shortcut, repeat } if shortcut.works_with(self.panels.focus()) => {
                    let _ = self.apply_shortcut(shortcut, repeat);
                }
                Waiting::Shortcut { .. } => {}
                Waiting::Input(event) => self.route(event),
            }
        }
    }

    fn route(&mut self, event: InputEvent) {
        let (area, home) = (self.area(), self.presenter.renderer.home());
        let mut context = InputContext { document: &mut self.document, area, home, redraws: false, edit: None };
        self.input.handle(event, &mut context);
        let InputContext { redraws, edit, .. } = context;
        if redraws {
            self.redraw.request();
        }
        if edit == Some(LensEdit::Menu)
            && let Some(at) = self.input.lenses.pointer()
        {
            let at = at / self.panels.ctx().pixels_per_point();
            lens_menu::open(self.panels.ctx(), egui::pos2(at.x, at.y));
        }
    }
}
