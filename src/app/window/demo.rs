//! The demo while its window is open: hears events, lets hand and panels change things, draws.

use super::input::Input;
use super::pace::{Next, Pace};
use super::panels::Panels;
use super::stage::{Outcome, Stage};
use crate::scene::Lens;
use crate::ui::hand::{Hand, HandEffect, HandEvent, Table};
use anyhow::Result;
use glam::Vec2;
use std::time::Instant;
use winit::event::{ElementState, KeyEvent, WindowEvent};
use winit::keyboard::{Key, ModifiersState};

/// Everything that lives as long as the window is open.
pub struct Demo {
    panels: Panels,
    shows_panels: bool,
    input: Input,
    hand: Hand,
    lenses: Vec<Lens>,
    /// Where the pointer is, in pixels.
    pointer: Option<Vec2>,
    modifiers: ModifiersState,
    pace: Pace,
    started: Instant,
    frames: u64,
    stage: Stage,
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
    pub fn new(stage: Stage, lens: Option<Vec2>, started: Instant) -> Self {
        let panels = Panels::new(stage.window(), stage.gpu().facts().max_side);
        let size = Vec2::from(stage.size_px().map(|side| side as f32));
        let lens =
            Lens { center: lens.unwrap_or(size / 2.0), half: Vec2::new(190.0, 120.0), exponent: 4.5, angle: 0.0 };
        let mut pace = Pace::default();
        pace.ask(Instant::now());
        Self {
            panels,
            shows_panels: true,
            input: Input::default(),
            hand: Hand::default(),
            lenses: vec![lens],
            pointer: None,
            modifiers: ModifiersState::empty(),
            pace,
            started,
            frames: 0,
            stage,
        }
    }

    /// Takes in one event of the window.
    pub fn hear(&mut self, event: &WindowEvent) -> Result<After> {
        if *event == WindowEvent::RedrawRequested {
            self.draw()?;
            return Ok(After::GoOn);
        }
        if self.panels.hear(self.stage.window(), event) {
            self.pace.ask(Instant::now());
        }
        match event {
            WindowEvent::CloseRequested | WindowEvent::Destroyed => return Ok(After::Quit),
            WindowEvent::Resized(size) => {
                self.stage.resize((*size).into());
                self.pace.ask(Instant::now());
            }
            WindowEvent::ScaleFactorChanged { .. } => self.pace.ask(Instant::now()),
            WindowEvent::Occluded(hidden) => self.pace.hide(*hidden),
            WindowEvent::CursorMoved { position, .. } => {
                self.pointer = Some(Vec2::new(position.x as f32, position.y as f32));
            }
            WindowEvent::ModifiersChanged(now) => self.modifiers = now.state(),
            WindowEvent::KeyboardInput { event, is_synthetic: false, .. } if self.quits(event) => {
                return Ok(After::Quit);
            }
            _ => {}
        }
        self.lay_hand(event);
        Ok(After::GoOn)
    }

    /// Asks for a frame if one is due; what to wait for else.
    pub fn rest(&mut self) -> Next {
        let next = self.pace.next(Instant::now());
        if next == Next::Now {
            self.stage.window().request_redraw();
        }
        next
    }

    fn quits(&self, event: &KeyEvent) -> bool {
        let pressed = event.state == ElementState::Pressed && self.modifiers.control_key();
        pressed && matches!(&event.logical_key, Key::Character(text) if text.eq_ignore_ascii_case("q"))
    }

    fn lay_hand(&mut self, event: &WindowEvent) {
        let at = match event {
            WindowEvent::Touch(touch) => Some(Vec2::new(touch.location.x as f32, touch.location.y as f32)),
            _ => self.pointer,
        };
        let scale = self.stage.window().scale_factor() as f32;
        for event in self.input.translate(event, self.panels.wants(at), scale) {
            let effect = self.feel(event);
            if let Some(effect) = effect {
                self.apply(effect);
                self.pace.ask(Instant::now());
            }
        }
    }

    fn feel(&mut self, event: HandEvent) -> Option<HandEffect> {
        let mut table = table(&mut self.lenses, &self.stage);
        self.hand.feel(event, &mut table)
    }

    fn apply(&mut self, effect: HandEffect) {
        log::trace!("{effect:?}");
    }

    fn draw(&mut self) -> Result<()> {
        self.pace.begin();
        if self.stage.fit()? == Outcome::NoSize {
            return Ok(());
        }
        let over_panel = self.panels.wants(self.pointer).pointer;
        let cursor = self.hand.cursor(&table(&mut self.lenses, &self.stage), over_panel);
        let shows = self.shows_panels;
        let (drawing, delay) = self.panels.run(self.stage.window(), cursor, |ui| {
            if shows {
                egui::Window::new("Meniscus").show(ui, |ui| ui.label("panels"));
            }
        });
        self.pace.ask_within(delay, Instant::now());
        let lens = self.lenses[0];
        let outcome = self.stage.frame(|frame, target| {
            let clear = [lens.center.x / 1280.0, lens.center.y / 720.0, 0.3, 1.0];
            frame.raster("window/clear").color(&target.mip(0), Some(clear)).finish()?;
            Ok(drawing)
        })?;
        if outcome == Outcome::Again {
            self.pace.ask(Instant::now());
        }
        if self.frames == 0 {
            log::info!("first frame {:.0} ms after the start", self.started.elapsed().as_secs_f64() * 1e3);
        }
        self.frames += 1;
        while self.stage.take_timing().is_some() {}
        Ok(())
    }
}

fn table<'a>(lenses: &'a mut [Lens], stage: &Stage) -> Table<'a> {
    Table {
        lenses,
        area_px: Vec2::from(stage.size_px().map(|side| side as f32)),
        scale: stage.window().scale_factor() as f32,
        distance: &|lens, at| ((at - lens.center).abs() - lens.half).max_element(),
    }
}
