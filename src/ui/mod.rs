//! Panels over the picture. They know settings, timings and plain facts, not Vulkan and not the window: the application hands over
//! a [`UiState`] every frame and does what comes back.

mod auto;
pub mod device;
mod fold;
pub mod hand;
pub mod hand_grip;
pub mod hand_words;
mod help;
mod markdown;
pub mod messages;
pub mod motion;
pub mod orbit;
pub mod presets;
pub mod rate;
mod report;
mod scatter;
#[cfg(test)]
mod tests;
pub mod theme;
pub mod timings;
mod timings_graph;
pub mod views;

use egui::{Align2, Area, Context, Id, Key, Order, Rect, ScrollArea, Ui as EguiUi, pos2, vec2};

pub use device::Device;
pub use messages::{Level, Messages};
pub use presets::Wish;
pub use rate::{FrameRate, Rate};
pub use timings::Timings;

use crate::base::text::micros;
use crate::renderer::ActiveView;
use crate::techniques::{Info, Report, Scatter, Section};

/// Width of the dock in points, where the window is wide enough.
const DOCK: f32 = 316.0;
/// Width of an opened page in points, where the window is wide enough.
const PAGE: f32 = 680.0;
/// Least room in points, across and down, in which panels are drawn: in less nothing could be read, and egui takes no negative sizes.
const LEAST: egui::Vec2 = vec2(200.0, 64.0);

/// What the panels show in a frame. What outlives frames (timings, messages) is in [`Ui`].
pub struct UiState<'a> {
    /// The settings, in the order to show them; written by the panels.
    pub sections: Vec<Section<'a>>,
    /// The techniques: their pages and views.
    pub infos: &'a [Info],
    /// The view that is on.
    pub shown: Option<ActiveView>,
    /// Names of the presets.
    pub presets: &'a [String],
    /// What the program runs on.
    pub device: &'a Device,
    /// Tables that techniques have measured, with the id of each.
    pub reports: &'a [(&'static str, Report)],
    /// Points that stand below those tables, with the id of each.
    pub scatters: &'a [(&'static str, Scatter)],
}

/// Tables and plots, with the id of the technique that each belongs to.
type Measured<'a> = (&'a [(&'static str, Report)], &'a [(&'static str, Scatter)]);

/// What the user asked for.
#[derive(Clone, Debug, PartialEq)]
pub enum UiAction {
    /// A setting, already written, has a new value.
    Changed {
        /// The section's id.
        section: &'static str,
        /// The field's name.
        field: &'static str,
    },
    /// Show this view, or none.
    View(Option<ActiveView>),
    /// Load, save or reset settings.
    Preset(Wish),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Tab {
    Controls,
    Timings,
    Device,
    Help,
}

/// The panels and what they remember.
pub struct Ui {
    /// Whether the panels are shown.
    pub visible: bool,
    /// Costs of the last frames: push every finished frame here.
    pub timings: Timings,
    /// Frames a second: tell it when each begins and ends.
    pub rate: FrameRate,
    /// Messages over the picture; shown even while the panels are hidden.
    pub messages: Messages,
    tab: Tab,
    presets: presets::Presets,
    help: help::Help,
}

impl Ui {
    /// Puts the theme on.
    pub fn new(ctx: &Context) -> Self {
        theme::install(ctx);
        Self {
            visible: true,
            timings: Timings::default(),
            rate: FrameRate::default(),
            messages: Messages::default(),
            tab: Tab::Controls,
            presets: presets::Presets::default(),
            help: help::Help::default(),
        }
    }

    /// Draws everything, in the root of the window (as `Context::run_ui` gives it), and says what the user wants. Of the keys it
    /// reads F1, and Esc to close a page; all others are the hand's, H among them.
    pub fn show(&mut self, root: &mut EguiUi, mut state: UiState<'_>) -> Vec<UiAction> {
        let ctx = root.ctx().clone();
        let window = ctx.content_rect();
        self.keys(&ctx);
        let mut actions = Vec::new();
        let mut free = window.shrink(theme::GAP);
        if free.width() < LEAST.x || free.height() < LEAST.y {
            return actions;
        }
        if self.visible {
            self.timings.look(&ctx);
            self.rate.idle_in_s().into_iter().for_each(|wait_s| ctx.request_repaint_after_secs(wait_s as f32));
            let width = DOCK.min(free.width()).min((free.width() * 0.5).max(200.0));
            let dock = Rect::from_min_max(pos2(free.right() - width, free.top()), free.max);
            self.dock(&ctx, dock, &mut state, &mut actions);
            free.max.x = (dock.left() - theme::GAP).max(free.left());
            self.page(&ctx, free, &state);
            if let Some(shown) = state.shown.filter(|_| self.help.page.is_none()) {
                floating(&ctx, "legend", free, Align2::LEFT_BOTTOM, |ui| {
                    theme::chip()
                        .show(ui, |ui| views::legend(ui, &shown.view, (free.width() - 26.0).clamp(60.0, 420.0)));
                });
            }
        }
        self.messages.expire(&ctx);
        if !self.messages.is_empty() {
            let width = free.width().min(460.0);
            floating(&ctx, "messages", free, Align2::CENTER_TOP, |ui| self.messages.show(ui, width));
        }
        actions
    }

    fn keys(&mut self, ctx: &Context) {
        if ctx.egui_wants_keyboard_input() {
            return;
        }
        let pressed =
            |key| ctx.input(|input| input.key_pressed(key) && !input.modifiers.command && !input.modifiers.alt);
        if pressed(Key::F1) {
            let was_help = self.visible && self.tab == Tab::Help;
            (self.visible, self.tab) = (true, if was_help { Tab::Controls } else { Tab::Help });
        }
        if self.visible && pressed(Key::Escape) {
            self.help.page = None;
        }
    }

    fn dock(&mut self, ctx: &Context, rect: Rect, state: &mut UiState<'_>, actions: &mut Vec<UiAction>) {
        floating(ctx, "dock", rect, Align2::RIGHT_TOP, |ui| {
            // The scroll bar lies in the margin, so that what scrolls is as wide as what does not.
            const BAR: f32 = 10.0;
            let mut frame = theme::panel();
            frame.inner_margin.right -= BAR as i8;
            let inner = (rect.size() - frame.total_margin().sum()).max(egui::Vec2::ZERO);
            frame.show(ui, |ui| {
                ui.set_width(inner.x - BAR);
                ui.set_max_height(inner.y);
                self.head(ui);
                let tabs = [
                    (Tab::Controls, "Controls", ""),
                    (Tab::Timings, "Timings", ""),
                    (Tab::Device, "Device", ""),
                    (Tab::Help, "Help", ""),
                ];
                fold::segments(ui, &mut self.tab, &tabs);
                ui.add_space(4.0);
                ui.set_width(inner.x);
                let scroll =
                    ScrollArea::vertical().id_salt(self.tab as u8).auto_shrink([false, true]).content_margin(0);
                scroll.show(ui, |ui| {
                    ui.set_width(inner.x - BAR);
                    match self.tab {
                        Tab::Controls => self.controls(ui, state, actions),
                        Tab::Timings => self.timings.show(ui),
                        Tab::Device => device::show(ui, state.device),
                        Tab::Help => self.help.show(ui, state.infos),
                    }
                });
            });
        });
    }

    /// Name, frames a second, GPU time of a frame; in a narrow dock the figures alone.
    fn head(&self, ui: &mut EguiUi) {
        ui.horizontal(|ui| {
            if ui.available_width() >= 220.0 {
                ui.label(egui::RichText::new("Meniscus").size(17.0).color(theme::STRONG));
            }
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                ui.spacing_mut().item_spacing.x = 4.0;
                let figure = |text: String| theme::figure(text).color(theme::TEXT);
                ui.label(theme::small("GPU"));
                ui.label(figure(self.timings.frame_gpu_us().map_or("—".into(), micros)));
                ui.add_space(6.0);
                let rate = self.rate.shown();
                if rate != Rate::Idle {
                    ui.label(theme::small("fps"));
                }
                ui.label(figure(rate.text()));
            });
        });
        ui.add_space(2.0);
    }

    fn controls(&mut self, ui: &mut EguiUi, state: &mut UiState<'_>, actions: &mut Vec<UiAction>) {
        if state.infos.iter().any(|info| !info.views.is_empty()) {
            ui.label(theme::caption("View"));
            actions.extend(views::picker(ui, state.infos, state.shown).map(UiAction::View));
            ui.add_space(5.0);
        }
        ui.label(theme::caption("Presets"));
        actions.extend(self.presets.show(ui, state.presets).map(UiAction::Preset));
        ui.add_space(5.0);
        // The richest section is what people come for: it is open at first.
        let most = state.sections.iter().map(|section| section.settings.fields().len()).max().unwrap_or(0);
        for section in state.sections.iter_mut().filter(|section| !section.settings.fields().is_empty()) {
            fold::rule(ui);
            let has_page = state.infos.iter().any(|info| info.id == section.id && !info.doc.is_empty());
            let open = section.settings.fields().len() == most;
            actions.extend(self.section(ui, section, has_page, open, (state.reports, state.scatters)));
        }
    }

    /// One section; gives what was changed in it.
    fn section(
        &mut self,
        ui: &mut EguiUi,
        section: &mut Section<'_>,
        has_page: bool,
        open: bool,
        (reports, scatters): Measured<'_>,
    ) -> Vec<UiAction> {
        let Section { id, title, settings } = section;
        let changed = auto::changed_count(*settings);
        let (mut wants_page, mut wants_reset) = (false, false);
        let at_right = |ui: &mut EguiUi| {
            ui.spacing_mut().item_spacing.x = 2.0;
            if has_page {
                wants_page = fold::sign(ui, "?", 12.5, &format!("Read about {title}"));
            }
            if changed > 0 {
                wants_reset = fold::sign(ui, "↺", 13.0, &format!("Reset all of {title} ({changed} changed)"));
            }
        };
        let mut fields = Vec::new();
        let doc = settings.doc();
        fold::fold(ui, title, open, doc, at_right, |ui| {
            fields = auto::fields(ui, id, *settings);
            reports.iter().filter(|(of, _)| of == id).for_each(|(_, report)| report::show(ui, report));
            scatters.iter().filter(|(of, _)| of == id).for_each(|(_, scatter)| scatter::show(ui, id, scatter));
        });
        if wants_reset {
            for (index, field) in settings.fields().iter().enumerate() {
                if !settings.is_default(index) {
                    settings.reset(index);
                    fields.push(field.name);
                }
            }
        }
        if wants_page {
            self.help.page = Some(id.to_string());
        }
        fields.into_iter().map(|field| UiAction::Changed { section: id, field }).collect()
    }

    fn page(&mut self, ctx: &Context, free: Rect, state: &UiState<'_>) {
        let Some(info) = state.infos.iter().find(|info| self.help.page.as_deref() == Some(info.id)) else {
            self.help.page = None;
            return;
        };
        let width = PAGE.min(free.width());
        let rect = Rect::from_min_size(pos2(free.right() - width, free.top()), vec2(width, free.height()));
        floating(ctx, "page", rect, Align2::RIGHT_TOP, |ui| {
            let frame = theme::page();
            let inner = (rect.size() - frame.total_margin().sum()).max(egui::Vec2::ZERO);
            frame.show(ui, |ui| {
                ui.set_width(inner.x);
                ui.set_height(inner.y);
                self.help.page(ui, info.title, info.doc);
            });
        });
    }
}

/// A part of the window that lies over the picture, held to a corner or side of `space`.
fn floating(ctx: &Context, name: &str, space: Rect, align: Align2, add: impl FnOnce(&mut EguiUi)) -> Rect {
    // Shown at once: where a frame takes long, one that fades in would be missing from the first of them.
    let area = Area::new(Id::new(name)).order(Order::Middle).pivot(align).fixed_pos(align.pos_in_rect(&space));
    let area = area.fade_in(false);
    area.constrain_to(space.expand(1.0))
        .default_size(space.size())
        .show(ctx, |ui| {
            ui.set_max_size(space.size());
            add(ui);
        })
        .response
        .rect
}
