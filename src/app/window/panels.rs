//! Panels of the window: egui with its events, the panels' state, and the glass they are drawn on.

use super::desktop_preferences::DesktopPreference;
use super::device_panel::DevicePanel;
use super::document::Document;
use super::event_clock::EventClock;
use super::glass_panels::GlassPanels;
use super::panel_fonts::PanelFonts;
use super::panel_input::PanelInput;
use egui::{Context, CursorIcon, Order, Pos2, ViewportId, epaint::ClippedShape};
use egui_winit::accesskit_winit::{Adapter, WindowEvent as AccessEvent};
use glam::Vec2;
use glass::problem_of_outlines;
use gpu::{Drawing, Gpu};
use scene::{GlassPanel, Press};
use std::time::{Duration, Instant};
use techniques::Settings;
use ui::device::take_shown;
use ui::keys::Focus;
use ui::names::in_panel_names;
use ui::regions::beside_dock;
use ui::{About, Device, Level, Preferences, Timings, Ui, appearance, lens_nodes, panel_rects};
use winit::event::WindowEvent;
use winit::window::Window;

#[derive(Default)]
struct Reported {
    revision: u64,
    text_problem: Option<String>,
}

pub struct Panels {
    ctx: Context,
    state: egui_winit::State,
    input: PanelInput,
    fonts: PanelFonts,
    pub ui: Ui,
    device: DevicePanel,
    glass: GlassPanels,
    /// Half way to the other theme text and ground would both be grey, on a slow driver for a second.
    is_light: Option<bool>,
    reported: Reported,
    desktop: Preferences,
    preferences: Preferences,
    is_read: bool,
    /// Time of a frame of the display, if known.
    pub display_us: Option<f64>,
}

impl Panels {
    pub fn new(window: &Window, access: Adapter, gpu: &Gpu) -> Self {
        let ctx = Context::default();
        let scale = window.scale_factor() as f32;
        let max_side = gpu.info().max_side as usize;
        let mut state =
            egui_winit::State::new(ctx.clone(), ViewportId::ROOT, window, Some(scale), window.theme(), Some(max_side));
        state.accesskit = Some(access);
        Self {
            input: PanelInput::new(&ctx, Instant::now()),
            fonts: PanelFonts::default(),
            ui: Ui::new(&ctx),
            ctx,
            state,
            device: DevicePanel::new(gpu),
            glass: GlassPanels::default(),
            is_light: None,
            reported: Reported::default(),
            desktop: Preferences::default(),
            preferences: Preferences::default(),
            is_read: false,
            display_us: None,
        }
    }

    pub fn handle_access(&mut self, event: AccessEvent) {
        match event {
            AccessEvent::InitialTreeRequested => {
                self.is_read = true;
                self.ctx.enable_accesskit();
            }
            AccessEvent::ActionRequested(request) => {
                self.state.on_accesskit_action_request(request);
                self.input.note(self.state.egui_input().events.len(), Instant::now());
            }
            AccessEvent::AccessibilityDeactivated => {
                self.is_read = false;
                self.ctx.disable_accesskit();
            }
        }
    }

    pub fn is_read(&self) -> bool {
        self.is_read
    }

    pub fn set_desktop(&mut self, preference: DesktopPreference) {
        match preference {
            DesktopPreference::Look { high_contrast, reduced_motion, reduced_transparency } => {
                (self.desktop.high_contrast, self.desktop.reduced_motion) = (high_contrast, reduced_motion);
                self.desktop.reduced_transparency = reduced_transparency;
            }
            DesktopPreference::TextScale(scale) => self.desktop.text_scale = scale,
        }
    }

    pub fn preferences(&self) -> Preferences {
        self.preferences
    }

    pub fn set_preferences(&mut self, settings: &Settings, scale: f32) {
        let Settings { display, hand, glass, .. } = settings;
        let own = Preferences {
            text_scale: display.text_scale,
            high_contrast: display.high_contrast,
            reduced_motion: hand.reduced_motion,
            reduced_transparency: glass.reduced_transparency,
        };
        self.preferences = if display.follow_desktop { own.and(self.desktop) } else { own };
        self.preferences.apply(&self.ctx, scale);
    }

    pub fn ctx(&self) -> &Context {
        &self.ctx
    }

    pub fn handle_event(&mut self, window: &Window, event: &WindowEvent) -> bool {
        let repaint = self.state.on_window_event(window, event).repaint;
        self.input.note(self.state.egui_input().events.len(), Instant::now());
        repaint
    }

    pub fn clock(&mut self) -> &mut EventClock {
        &mut self.input.clock
    }

    /// Panels are where the last frame had them.
    pub fn wants_pointer(&self, at: Option<Vec2>) -> bool {
        self.ui.instruments.takes_pointer() || self.ctx.egui_is_using_pointer() || at.is_some_and(|at| self.cover(at))
    }

    pub fn focus(&self) -> Focus {
        match (self.ctx.text_edit_focused(), self.ctx.egui_wants_keyboard_input()) {
            (true, _) => Focus::Text,
            (false, true) => Focus::Widget,
            (false, false) => Focus::None,
        }
    }

    fn cover(&self, at_px: Vec2) -> bool {
        let at = at_px / self.ctx.pixels_per_point();
        self.are_at(Pos2::new(at.x, at.y))
    }

    /// In points.
    fn are_at(&self, at: Pos2) -> bool {
        self.ctx.layer_id_at(at).is_some_and(|layer| layer.order != Order::Background)
    }

    /// Over a panel, for the next frame.
    pub fn has_press_waiting(&self) -> bool {
        let events = &self.state.egui_input().events;
        events
            .iter()
            .any(|event| matches!(event, egui::Event::PointerButton { pos, pressed: true, .. } if self.are_at(*pos)))
    }

    pub fn center(&self) -> Vec2 {
        let points = self.ctx.content_rect().size();
        Vec2::new(beside_dock(points).right() / points.x.max(1.0) - 1.0, 0.0)
    }

    pub fn set_light(&mut self, is_light: Option<bool>) -> bool {
        is_light.is_some_and(|is_light| self.is_light.replace(is_light).unwrap_or(false) != is_light)
    }

    pub fn report_document(&mut self, document: &Document) {
        const KEY: &str = "words";
        let now = document.revision();
        if std::mem::replace(&mut self.reported.revision, now) != now {
            self.ui.messages.settle(About::History);
        }
        let problem = problem_of_outlines(&document.state().settings.glass.font, &document.state().lenses);
        if problem == self.reported.text_problem {
            return;
        }
        match &problem {
            Some(why) => {
                self.ui.messages.hold(KEY, Level::Error, in_panel_names(why));
            }
            None => self.ui.messages.clear(KEY),
        }
        self.reported.text_problem = problem;
    }

    pub fn update_device(&mut self, gpu: &Gpu) {
        self.device.update(gpu, take_shown(&self.ctx));
    }

    pub fn device_changed(&mut self, gpu: &Gpu) {
        self.state.set_max_texture_side(gpu.info().max_side as usize);
        self.device = DevicePanel::new(gpu);
        self.ui.timings = Timings::default();
    }

    /// In pixels, with the pressed position, and whether another frame is needed.
    pub fn glass(&mut self, seconds: f32, scale: f32, is_still: bool) -> (Vec<GlassPanel>, Option<Press>, bool) {
        let panes = panel_rects::panes(&self.ctx);
        let (is_down, at) = self.ctx.input(|input| (input.pointer.primary_down(), input.pointer.interact_pos()));
        let at = at.filter(|_| is_down && !panes.is_empty());
        let at = at.map(|at| Vec2::new(at.x, at.y) * self.ctx.pixels_per_point()).filter(|at| self.cover(*at));
        let more = self.glass.advance(seconds, panes, at, is_still);
        let bright = if self.is_light == Some(true) { 1.0 } else { 0.0 };
        (self.glass.drawn(scale, bright), self.glass.press(), more)
    }

    pub fn opaque_px(&self) -> Vec<[Vec2; 2]> {
        let (rects, scale) = (panel_rects::opaque_rects(&self.ctx), self.ctx.pixels_per_point());
        rects.into_iter().map(|rect| [rect.min, rect.max].map(|at| Vec2::new(at.x, at.y) * scale)).collect()
    }

    /// `marks`, in points, are below the panels. egui may call `show` twice. Returns the delay until the next frame.
    pub fn run(
        &mut self,
        window: &Window,
        cursor: Option<CursorIcon>,
        marks: Vec<ClippedShape>,
        mut show: impl FnMut(&mut Ui, &Device, &mut egui::Ui),
    ) -> (Drawing, Duration) {
        let Self { ctx, state, input, ui, device, preferences, .. } = self;
        let begun = Instant::now();
        let raw = state.take_egui_input(window);
        let mut output = egui::FullOutput::default();
        for mut pass in input.passes(raw, Instant::now()) {
            preferences.calm(ctx, &mut pass.events);
            output.append(ctx.run_ui(pass, |root| show(ui, &device.shown, root)));
        }
        ui.messages.frame_drawn();
        if let Some(shape) = cursor {
            output.platform_output.cursor_icon = shape;
        }
        if let Some(update) = &mut output.platform_output.accesskit_update {
            lens_nodes::place_focus(ctx, update);
        }
        state.handle_platform_output(window, output.platform_output);
        let delay = output.viewport_output.get(&ViewportId::ROOT).map_or(Duration::MAX, |root| root.repaint_delay);
        let delay = self.fonts.follow(ctx, &output.shapes).map_or(delay, |wait| delay.min(wait));
        let (textures, pixels_per_point) = (output.textures_delta.into(), output.pixels_per_point);
        if self.preferences.high_contrast {
            output.shapes.iter_mut().for_each(|clipped| appearance::strengthen(&mut clipped.shape));
        } else if self.is_light == Some(true) {
            output.shapes.iter_mut().for_each(|clipped| appearance::lighten(&mut clipped.shape));
        }
        // A separate layer: changing marks do not change the panels' state.
        let [marks, panels] = [marks, output.shapes].map(|shapes| self.ctx.tessellate(shapes, pixels_per_point));
        log::trace!("panels: {:.3} ms", begun.elapsed().as_secs_f64() * 1e3);
        (Drawing { marks, panels, textures, pixels_per_point }, delay)
    }
}
