//! egui integration: its events, the input it claims, and its output.

use super::input::{PanelWants, icon};
use super::keyboard::Focus;
use super::panel_input::PanelInput;
use crate::gpu::Drawing;
use crate::ui::appearance;
use crate::ui::manipulator::hit_test::CursorShape;
use egui::{Context, Order, Pos2, Ui, ViewportId, epaint::ClippedShape};
use glam::Vec2;
use std::time::{Duration, Instant};
use winit::event::WindowEvent;
use winit::window::Window;

/// egui and its connection to the window.
pub struct Panels {
    ctx: Context,
    state: egui_winit::State,
    input: PanelInput,
    /// Panels have the light theme.
    pub is_light: bool,
}

impl Panels {
    /// `max_side`: the largest texture side of the device.
    pub fn new(window: &Window, max_side: u32) -> Self {
        let ctx = Context::default();
        let scale = window.scale_factor() as f32;
        let state = egui_winit::State::new(
            ctx.clone(),
            ViewportId::ROOT,
            window,
            Some(scale),
            window.theme(),
            Some(max_side as usize),
        );
        let input = PanelInput::new(&ctx, Instant::now());
        Self { ctx, state, input, is_light: false }
    }

    /// Size of the window in points, and pixels per point.
    pub fn extent(&self) -> (egui::Vec2, f32) {
        (self.ctx.content_rect().size(), self.ctx.pixels_per_point())
    }

    /// egui itself.
    pub fn ctx(&self) -> &Context {
        &self.ctx
    }

    /// Passes an event to egui. Returns whether it needs a redraw.
    pub fn hear(&mut self, window: &Window, event: &WindowEvent) -> bool {
        let repaint = self.state.on_window_event(window, event).repaint;
        self.input.note(self.state.egui_input().events.len(), Instant::now());
        repaint
    }

    /// The frame of [`Panels::run`] was drawn.
    pub fn end_frame(&mut self) {
        self.input.end_frame(Instant::now());
    }

    /// The input that panels claim with the pointer at `at` pixels. Panels are where the last frame had them; the pointer may have moved
    /// since.
    pub fn wants(&self, at: Option<Vec2>) -> PanelWants {
        PanelWants { pointer: self.ctx.egui_is_using_pointer() || at.is_some_and(|at| self.cover(at)) }
    }

    /// Kind of the focused widget.
    pub fn focus(&self) -> Focus {
        match (self.ctx.text_edit_focused(), self.ctx.egui_wants_keyboard_input()) {
            (true, _) => Focus::Text,
            (false, true) => Focus::Widget,
            (false, false) => Focus::None,
        }
    }

    /// Pressed position on a panel, in pixels.
    pub fn pressed(&self) -> Option<Vec2> {
        let (is_down, at) = self.ctx.input(|input| (input.pointer.primary_down(), input.pointer.interact_pos()));
        let at = at.filter(|_| is_down).map(|at| Vec2::new(at.x, at.y) * self.ctx.pixels_per_point())?;
        self.cover(at).then_some(at)
    }

    fn cover(&self, at_px: Vec2) -> bool {
        let at = at_px / self.ctx.pixels_per_point();
        self.ctx.layer_id_at(Pos2::new(at.x, at.y)).is_some_and(|layer| layer.order != Order::Background)
    }

    /// Runs a frame of the panels: returns the output, and the delay until their next frame. `cursor` is the pointer shape outside of
    /// panels; `marks`, in points, are drawn below them.
    pub fn run(
        &mut self,
        window: &Window,
        cursor: Option<CursorShape>,
        marks: Vec<ClippedShape>,
        mut ui: impl FnMut(&mut Ui),
    ) -> (Drawing, Duration) {
        let input = self.state.take_egui_input(window);
        let mut output = egui::FullOutput::default();
        for pass in self.input.passes(input, Instant::now()) {
            output.append(self.ctx.run_ui(pass, &mut ui));
        }
        if let Some(shape) = cursor {
            output.platform_output.cursor_icon = icon(shape);
        }
        self.state.handle_platform_output(window, output.platform_output);
        let delay = output.viewport_output.get(&ViewportId::ROOT).map_or(Duration::MAX, |root| root.repaint_delay);
        let (textures, pixels_per_point) = (output.textures_delta, output.pixels_per_point);
        if self.is_light {
            output.shapes.iter_mut().for_each(|clipped| appearance::lighten(&mut clipped.shape));
        }
        // A separate layer, so that changing marks do not change the panels' state.
        let [marks, panels] = [marks, output.shapes].map(|shapes| self.ctx.tessellate(shapes, pixels_per_point));
        (Drawing { marks, panels, textures, pixels_per_point }, delay)
    }
}
