//! Input router: the receivers of an event, in their order.
//!
//! Keys are shortcuts, unless a focused widget consumes them. Pointer, wheel and fingers belong to the panels, then to the line of a split
//! view, a motif of use, the camera, and the manipulator of the lenses. A lens precedes the camera and the line, but not the line's knob: the line and the
//! camera decline what is over a lens.

use super::document::{Document, DocumentState, Edit};
use super::input::{PointerInput, point};
use super::keyboard::KeyboardState;
use super::lens_input::{Area, LensInput};
use super::motif_input::MotifInput;
use super::split::Split;
use egui::CursorIcon;
use glam::Vec2;
use renderer::{ActiveView, ViewPlacement};
use scene::world::Viewpoint;
use ui::manipulator::{Button, Handled, InputEvent, LensEdit};
use ui::orbit::{CameraContext, Orbit};
use winit::event::{ElementState, MouseButton, TouchPhase, WindowEvent};

pub struct InputContext<'a> {
    pub document: &'a mut Document,
    pub area: Area,
    pub home: Viewpoint,
    pub redraws: bool,
    pub edit: Option<LensEdit>,
}

pub struct InputRouter {
    pub keyboard: KeyboardState,
    pub events: PointerInput,
    pub split: Split,
    pub has_pair: bool,
    pub camera: Orbit,
    pub motif: MotifInput,
    pub lenses: LensInput,
}

type Receiver = fn(&mut InputRouter, InputEvent, &mut InputContext<'_>) -> Handled;

impl InputRouter {
    const RECEIVERS: [Receiver; 4] = [Self::split_line, Self::motif, Self::camera, Self::manipulator];

    pub fn handle(&mut self, event: InputEvent, context: &mut InputContext<'_>) {
        for receiver in Self::RECEIVERS {
            match receiver(self, event, context) {
                Handled::No => {}
                Handled::Shared => context.redraws = true,
                Handled::Yes => break,
            }
        }
    }

    pub fn track(&mut self, event: &WindowEvent, document: &mut Document) {
        self.lenses.track(event);
        match event {
            WindowEvent::MouseInput { button: MouseButton::Back | MouseButton::Forward, .. } => {}
            WindowEvent::MouseInput { state: ElementState::Pressed, .. } => document.press(),
            WindowEvent::MouseInput { .. } | WindowEvent::Focused(false) => document.release(),
            WindowEvent::Touch(touch) => match touch.phase {
                TouchPhase::Started => document.press(),
                TouchPhase::Ended | TouchPhase::Cancelled => document.release(),
                TouchPhase::Moved => {}
            },
            _ => {}
        }
    }

    fn split_line(&mut self, event: InputEvent, context: &mut InputContext<'_>) -> Handled {
        let width = context.area.px.x;
        match event {
            InputEvent::Pressed(Button::Primary) if self.is_near_line(context.document, context.area) => {
                self.lenses.pointer().into_iter().for_each(|at| self.split.grab(at, width));
                return Handled::Yes;
            }
            InputEvent::Moved(at) if self.split.drag(at, width) => {
                context.area.hidden_from_px = self.hidden_from_px(context.document.state().view, width);
                return Handled::Shared;
            }
            InputEvent::Released(Button::Primary) | InputEvent::FocusLost => self.split.release(),
            _ => {}
        }
        Handled::No
    }

    fn motif(&mut self, event: InputEvent, context: &mut InputContext<'_>) -> Handled {
        if !context.document.state().uses_motif() {
            return Handled::No;
        }
        let feel = self.lenses.feel(&context.document.state().settings);
        let moves = self.motif.pointer(event, context.document, context.area, &feel);
        context.redraws |= moves || matches!(event, InputEvent::Moved(_) | InputEvent::Left);
        if MotifInput::takes(event) { Handled::Yes } else { Handled::Shared }
    }

    fn camera(&mut self, event: InputEvent, context: &mut InputContext<'_>) -> Handled {
        let InputContext { document, area, home, .. } = context;
        if !document.state().shows_world() {
            return Handled::No;
        }
        let pans = matches!(event, InputEvent::Pressed(Button::Secondary | Button::Other));
        let taken = self.lenses.is_over_lens(document.state(), *area) && !pans;
        let kind = match event {
            InputEvent::Moved(_) | InputEvent::Spread { .. } => self.camera.is_held().then_some(Edit::Orbit),
            InputEvent::Wheel(_) => (!taken).then_some(Edit::Zoom),
            _ => None,
        };
        let turn = |state: &mut DocumentState| {
            let scene = &mut state.settings.scene;
            let now = scene.viewpoint(*home, state.drifted_s);
            self.camera.handle(event, &mut CameraContext { scene, home: *home, now, area_px: area.px, taken })
        };
        let handled = match kind {
            Some(kind) => document.edit(kind, turn).0,
            None => document.adapt(turn),
        };
        context.redraws |= handled != Handled::No;
        handled
    }

    fn manipulator(&mut self, event: InputEvent, context: &mut InputContext<'_>) -> Handled {
        let (changed, edit) = self.lenses.handle(event, context.document, context.area);
        context.redraws |= changed;
        context.edit = edit;
        Handled::Yes
    }

    /// A lens over the line takes precedence, but not over its knob.
    fn is_near_line(&self, document: &Document, area: Area) -> bool {
        let has_view = document.state().view.is_some_and(|view| view.place == ViewPlacement::Split);
        let is_split = has_view || self.has_pair;
        let Some(at) = self.lenses.pointer().filter(|_| is_split && !area.over_panel) else { return false };
        self.split.is_on_knob(at, area.px, area.scale)
            || self.split.is_near(at, area.px.x, area.scale) && !self.lenses.hovers(document.state(), area)
    }

    pub fn cursor(&self, document: &Document, area: Area) -> Option<CursorIcon> {
        let of_picture = match document.state().uses_motif() {
            true => self.motif.cursor(document.state(), area),
            false => self.lenses.cursor(document.state(), area),
        };
        match of_picture {
            _ if self.split.is_held() => Some(CursorIcon::ResizeHorizontal),
            Some(_) if self.is_near_line(document, area) => Some(CursorIcon::ResizeHorizontal),
            cursor => cursor,
        }
    }

    pub fn hidden_from_px(&self, view: Option<ActiveView>, width_px: f32) -> f32 {
        match view.map(|view| view.place) {
            Some(ViewPlacement::Full) => 0.0,
            Some(ViewPlacement::Split) => self.split.at * width_px,
            Some(ViewPlacement::Lens) | None => f32::INFINITY,
        }
    }

    pub fn position_of(&self, event: &WindowEvent) -> Option<Vec2> {
        match event {
            WindowEvent::Touch(touch) => Some(point(&touch.location)),
            _ => self.lenses.pointer(),
        }
    }
}
