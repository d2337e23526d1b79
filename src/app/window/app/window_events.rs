//! Window events: keys, pointer, touch, files, sizes, dispatched to the parts that handle them.

use super::super::camera_input::CameraArea;
use super::super::keyboard::{self, Focus, Shortcut};
use super::super::lens_input::LensRequest;
use super::{After, App};
use crate::ui::manipulator::{Button, InputEvent, Key};
use crate::ui::orbit::Heard;
use crate::ui::{About, PanelKey, PresetAction, UiAction};
use anyhow::Result;
use glam::Vec2;
use std::time::{Duration, Instant};
use winit::event::{ElementState, TouchPhase, WindowEvent};
use winit::keyboard::{Key as WinitKey, ModifiersState, NamedKey};

/// Time after a text field loses the focus in which a character may still belong to it.
pub(super) const STILL_TYPING: Duration = Duration::from_millis(800);

impl App {
    /// Handles a window event.
    ///
    /// # Errors
    /// The device is lost, or fails in a required operation.
    pub fn hear(&mut self, event: &WindowEvent) -> Result<After> {
        if *event == WindowEvent::RedrawRequested {
            self.draw()?;
            self.panels.end_frame();
            return Ok(After::GoOn);
        }
        let shortcut = self.shortcut(event);
        let is_theirs = shortcut.is_none_or(|(shortcut, _)| shortcut == Shortcut::Escape);
        if !is_theirs || self.panels.hear(self.surface.window(), event) {
            self.follow.request_animation(Instant::now());
            self.ask();
        }
        self.lenses.note(event);
        match event {
            WindowEvent::MouseInput { state: ElementState::Pressed, .. } => self.document.press(),
            WindowEvent::MouseInput { .. } | WindowEvent::Focused(false) => self.document.release(),
            WindowEvent::Touch(touch) => match touch.phase {
                TouchPhase::Started => self.document.press(),
                TouchPhase::Ended | TouchPhase::Cancelled => self.document.release(),
                TouchPhase::Moved => {}
            },
            _ => {}
        }
        match event {
            WindowEvent::CloseRequested | WindowEvent::Destroyed => return Ok(After::Quit),
            WindowEvent::Resized(size) => {
                self.surface.resize((*size).into());
                self.lay_out_again();
                self.ask();
            }
            WindowEvent::ScaleFactorChanged { inner_size_writer, .. } => {
                // The display's scale is known now: sizes requested in pixels stay so.
                if let Some(size) = self.lenses.asked_size()
                    && let Err(why) = inner_size_writer.clone().request_inner_size(size)
                {
                    log::warn!("the window cannot be {}x{} pixels large: {why}", size.width, size.height);
                }
                let scale = self.area().scale;
                self.document.rescale(scale / std::mem::replace(&mut self.scale, scale));
                self.lay_out_again();
                self.ask();
            }
            WindowEvent::Occluded(hidden) => self.pacing.hide(*hidden, Instant::now()),
            WindowEvent::ModifiersChanged(now) => self.modifiers = now.state(),
            WindowEvent::DroppedFile(file) => {
                self.open(file.clone());
            }
            _ => {}
        }
        if let Some((shortcut, repeat)) = shortcut {
            return Ok(self.obey(shortcut, repeat));
        }
        self.take_input(event);
        Ok(After::GoOn)
    }

    /// Passes an event that panels do not consume to the camera, the line of a split view and the lenses, in that order.
    fn take_input(&mut self, event: &WindowEvent) {
        let at = match event {
            WindowEvent::Touch(touch) => Some(Vec2::new(touch.location.x as f32, touch.location.y as f32)),
            _ => self.lenses.pointer(),
        };
        for event in self.lenses.translate(event, self.area_at(at)) {
            if !self.is_for_camera(event) && !self.is_for_line(event) {
                self.handle(event);
            }
        }
    }

    /// Applies an event to the lenses.
    pub(super) fn handle(&mut self, event: InputEvent) {
        let area = self.area();
        let (changed, request) = self.lenses.take(event, &mut self.document, area);
        if changed {
            self.ask();
        }
        match request {
            Some(LensRequest::Preset(number)) => {
                if let Some(name) = self.files.presets().get(number).map(|preset| preset.name.clone()) {
                    self.act(UiAction::Preset(PresetAction::Load(name)));
                }
            }
            Some(LensRequest::TogglePanels) => self.ui.toggle(),
            Some(LensRequest::Menu) => self.open_menu(),
            None => {}
        }
    }

    /// Lets the camera handle the event, after lenses, panels and the line of a split view; returns whether it consumed it.
    fn is_for_camera(&mut self, event: InputEvent) -> bool {
        let (area, home) = (self.area(), self.renderer.home());
        let over_lens = self.lenses.is_over_lens(self.document.adapt(), area);
        let around = CameraArea { px: area.px, home, over_lens, near_line: self.is_near_line() };
        let heard = self.camera.take(event, &mut self.document, around);
        if heard != Heard::No {
            self.ask();
        }
        heard == Heard::Taken
    }

    /// Lets the line of a split view handle the event; returns whether it consumed it. A lens over the line takes precedence, but not over
    /// its knob.
    fn is_for_line(&mut self, event: InputEvent) -> bool {
        let width = self.surface.area_px().x;
        match event {
            InputEvent::Pressed(Button::Primary) if self.is_near_line() => {
                self.lenses.pointer().into_iter().for_each(|at| self.split.take(at, width));
                true
            }
            InputEvent::Moved(at) if self.split.is_held() => {
                if self.split.moved(at, width) {
                    self.ask();
                }
                false
            }
            InputEvent::Released(Button::Primary) | InputEvent::FocusLost => {
                self.split.let_go();
                false
            }
            _ => false,
        }
    }

    /// Whether the pointer can grab the line of a split view.
    pub(super) fn is_near_line(&mut self) -> bool {
        let area = self.area();
        let Some(at) = self.lenses.pointer().filter(|_| self.is_split() && !area.wants.pointer) else { return false };
        self.split.is_on_knob(at, area.px, area.scale)
            || self.split.is_near(at, area.px.x, area.scale) && !self.lenses.hovers(self.document.adapt(), area)
    }

    /// The shortcut of a pressed key, and whether it repeats; `None` if the panels or a text field consume the key.
    fn shortcut(&mut self, event: &WindowEvent) -> Option<(Shortcut, bool)> {
        let WindowEvent::KeyboardInput { event, is_synthetic: false, .. } = event else {
            self.has_alt_graph &= *event != WindowEvent::Focused(false);
            return None;
        };
        let is_down = event.state == ElementState::Pressed;
        if event.logical_key == WinitKey::Named(NamedKey::AltGraph) {
            self.has_alt_graph = is_down;
        }
        if !is_down {
            return None;
        }
        // winit does not report AltGr as a modifier.
        let alt_graph = if self.has_alt_graph { ModifiersState::ALT } else { ModifiersState::empty() };
        let shortcut = keyboard::shortcut(&event.logical_key, event.physical_key, self.modifiers | alt_graph);
        let focus = self.panels.focus();
        let now = Instant::now();
        if focus == Focus::None && self.typed_until.is_some_and(|until| now < until) {
            // The rest of what was being typed when the text field lost the focus.
            if event.text.is_some() && shortcut.is_none_or(Shortcut::is_typing) {
                self.typed_until = Some(now + STILL_TYPING);
                return None;
            }
        }
        let shortcut = shortcut.filter(|shortcut| shortcut.works_with(focus))?;
        Some((shortcut, event.repeat))
    }

    /// Applies a shortcut.
    fn obey(&mut self, shortcut: Shortcut, repeat: bool) -> After {
        if repeat && !shortcut.repeats() {
            return After::GoOn;
        }
        match shortcut {
            Shortcut::Quit => return After::Quit,
            Shortcut::TakePicture => self.take_picture(),
            Shortcut::Capture => {
                let capture = self.files.capture();
                self.tell(About::Capture, capture);
            }
            Shortcut::ToggleDrift => self.camera.toggle_drift(&mut self.document),
            Shortcut::Panel(key) => self.ui.press(key),
            Shortcut::Lens(key) => self.handle(InputEvent::Key { key, repeat }),
            Shortcut::Escape => {
                self.ui.press(PanelKey::Close);
                self.handle(InputEvent::Key { key: Key::Escape, repeat });
            }
        }
        self.ask();
        After::GoOn
    }
}
