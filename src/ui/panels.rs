//! The panels and their state.

use egui::{Align2, Context, Id, Rect, ScrollArea, Stroke, StrokeKind, Ui as EguiUi, pos2};

use super::frame_rate::{FrameRate, Rate};
use super::instruments::Instruments;
use super::keys::{self, Shortcut};
use super::layout::{LEAST, dock_width, floating};
use super::manipulator::Key as LensKey;
use super::messages::{self, Level, Messages};
use super::search::Target;
use super::settings::{collapsing, differences, highlight};
use super::state::{PanelKey, UiAction, UiState};
use super::timings::{self, FullFrame, PassRows, Timings};
use super::{anchors, controls, device, help, lens_menu, panel_rects, sheet, theme, tour, view_labels, views};

use base::text::{micros, sentence};
use lab::Progress;
use scene::GlassPanelKind;
use serde::{Deserialize, Serialize};
use technique::Measurement;

/// With less room beside the dock, a sheet covers it.
pub(super) const SHEET_LEAST: f32 = 420.0;
const HIDDEN: &str = "hidden";
const NOW: &str = "GPU time of a displayed frame: mean of the last second with frames. Frames that are measured, or in which the driver \
                   compiles shaders, do not count. At rest: nothing is drawn, except the panels where they change.";
const FULL_FRAME: &str = "GPU time of the last frame that drew all of the picture, without a view. Later ones drew only what had \
                          changed, or refined it. Steps: displayed frames in which it was drawn, of which this is the sum.";
const REFINING: &str =
    "The picture at rest gets more samples and more rays of its mirrors. Idle: nothing will change any more.";
/// Frames for which the focused widget is scrolled into view.
const FOLLOW_FRAMES: u8 = 4;

#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Tab {
    #[default]
    Controls,
    Timings,
    Device,
    Help,
}

#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct SavedPanels {
    pub(super) tab: Tab,
    #[serde(default)]
    pub(super) was_dragged: bool,
    #[serde(default)]
    pub(super) tour_was_offered: bool,
    /// Sections and groups that the user expanded (true) or collapsed.
    #[serde(default)]
    pub(super) folds: collapsing::Folds,
    /// What instruments remember, and what older versions wrote, which no instrument reads.
    #[serde(flatten)]
    pub(super) instruments: toml::Table,
}

#[derive(Default)]
pub(super) struct FocusState {
    pub(super) pressed: Vec<PanelKey>,
    pub(super) is_requested: bool,
    pub(super) followed: Option<Id>,
    /// Frames of scrolling left: its parents may still be moving.
    pub(super) frames_left: u8,
}

pub struct Ui {
    pub visible: bool,
    pub was_dragged: bool,
    /// Push every finished frame here.
    pub timings: Timings,
    /// Report the begin and end of each frame to it.
    pub rate: FrameRate,
    pub messages: Messages,
    pub instruments: Instruments,
    pub(super) tab: Tab,
    pub(super) controls: controls::Controls,
    pub(super) help: help::Help,
    pub(super) sheet: sheet::Sheet,
    pub(super) focus: FocusState,
    /// Points from the legend's top to the window's bottom; 0 without a legend.
    pub(super) legend: f32,
}

impl Ui {
    pub fn new(ctx: &Context) -> Self {
        theme::install(ctx);
        Self {
            visible: true,
            was_dragged: false,
            timings: Timings::default(),
            rate: FrameRate::default(),
            messages: Messages::default(),
            instruments: Instruments::default(),
            tab: Tab::Controls,
            controls: controls::Controls::default(),
            help: help::Help::default(),
            sheet: sheet::Sheet::default(),
            focus: FocusState::default(),
            legend: 0.0,
        }
    }

    pub fn saved(&self, ctx: &Context) -> SavedPanels {
        SavedPanels {
            tab: self.tab,
            was_dragged: self.was_dragged,
            tour_was_offered: self.help.tour.was_offered,
            folds: collapsing::folds(ctx),
            instruments: self.instruments.save(),
        }
    }

    /// To be called before the first frame, or collapsed sections stay so.
    pub fn restore(&mut self, ctx: &Context, saved: SavedPanels) {
        (self.was_dragged, self.tab) = (saved.was_dragged, saved.tab);
        self.instruments.restore(&saved.instruments);
        collapsing::restore_folds(ctx, saved.folds);
        self.help.tour.offer(saved.tour_was_offered);
    }

    pub fn toggle(&mut self) {
        self.visible = !self.visible;
        if self.visible {
            self.messages.clear(HIDDEN);
        } else {
            self.messages.say_once(
                HIDDEN,
                Level::Info,
                format!("Panels hidden. Press {} to show them again.", keys::name(Shortcut::Lens(LensKey::H))),
            );
        }
    }

    pub fn type_path(&mut self, ctx: &Context) {
        (self.visible, self.tab) = (true, Tab::Controls);
        self.controls.type_path(ctx);
    }

    pub fn file_opened(&mut self, file: &std::path::Path, is_opened: bool) {
        self.controls.file_opened(file, is_opened);
    }

    /// Draws all panels in the root of the window (from `Context::run_ui`).
    pub fn show(&mut self, root: &mut EguiUi, state: UiState<'_>) -> Vec<UiAction> {
        let actions = self.panels(root.ctx(), state);
        self.instruments.ask();
        actions
    }

    fn panels(&mut self, ctx: &Context, mut state: UiState<'_>) -> Vec<UiAction> {
        let ctx = ctx.clone();
        let window = ctx.content_rect();
        let mut actions = Vec::new();
        self.keys(&ctx, &state, &mut actions);
        let mut free = window.shrink(theme::GAP);
        // Pinned passes are above the card and the toolbar of the last frame.
        let taken = std::mem::take(&mut self.legend);
        let mut hint_bottom = free.bottom();
        panel_rects::begin(&ctx, state.is_glass);
        differences::begin(&ctx, &state.sections, state.pair.map(|pair| pair.settings));
        if free.width() < LEAST.x || free.height() < LEAST.y {
            return actions;
        }
        if self.visible {
            self.timings.update(&ctx);
            self.rate.idle_in_s().into_iter().for_each(|wait_s| ctx.request_repaint_after_secs(wait_s as f32));
            let dock = Rect::from_min_max(pos2(free.right() - dock_width(free), free.top()), free.max);
            let rows = self.dock(&ctx, dock, &mut state, &mut actions);
            free.max.x = (dock.left() - theme::GAP).max(free.left());
            let toolbar = ctx.data_mut(|data| data.remove_temp::<f32>(Id::new("toolbar"))).unwrap_or(0.0);
            let above = Rect { max: pos2(free.right(), free.bottom() - taken.max(toolbar)), ..free };
            let (above, is_free) = self.sheet.beside(&ctx, above);
            let shown = (&self.timings, rows, self.help.page.is_none() && is_free);
            self.instruments.show(&ctx, above, shown, &state, &mut actions);
            self.page(&ctx, free, &mut state, &mut actions);
            let sheet = self.sheet(&ctx, (window, free), &mut state, &mut actions);
            free.max.x = sheet.map_or(free.max.x, |sheet| free.max.x.min(sheet.left() - theme::GAP)).max(free.left());
            if self.help.page.is_none() {
                view_labels::show(&ctx, state.view.strips);
            }
            hint_bottom = self.overlay(&ctx, (window, free), &state, &mut actions);
        }
        if state.has_hint
            && !self.was_dragged
            && !self.help.tour.is_running()
            && !self.instruments.is_any_shown(&state)
            && self.help.page.is_none()
        {
            let space =
                Rect { max: pos2(free.right(), hint_bottom.min(window.bottom() - self.legend - theme::GAP)), ..free };
            Self::hint(&ctx, space);
        }
        lens_menu::show(&ctx, &state, &mut actions);
        self.messages.expire(&ctx);
        if !self.messages.is_empty() || state.scene.loading.is_some() {
            // Where nothing is free, they are over the panels.
            let room = if free.width() < LEAST.x { window.shrink(theme::GAP) } else { free };
            let width = room.width().min(460.0);
            floating(&ctx, "messages", room, Align2::CENTER_TOP, |ui| {
                if state.scene.loading.is_some_and(|loading| messages::loading(ui, loading, width)) {
                    actions.push(UiAction::CancelReading);
                }
                self.messages.show(ui, width);
            });
        }
        self.mark_focus(&ctx);
        actions
    }

    fn mark_focus(&self, ctx: &Context) {
        let focused = ctx.memory(|memory| memory.focused());
        let Some(widget) = focused.and_then(|id| ctx.read_response(id)) else { return };
        if self.focus.followed != focused {
            ctx.request_repaint(); // scrolled to below
        }
        let clip = widget.interact_rect.expand(4.0);
        let ring = Stroke::new(2.0, theme::ACCENT);
        let painter = ctx.layer_painter(widget.layer_id).with_clip_rect(clip);
        painter.rect_stroke(widget.rect.expand(1.5), 6.0, ring, StrokeKind::Outside);
    }

    pub fn press(&mut self, key: PanelKey) {
        self.focus.pressed.push(key);
    }

    fn keys(&mut self, ctx: &Context, state: &UiState<'_>, actions: &mut Vec<UiAction>) {
        self.focus.is_requested = false;
        for key in std::mem::take(&mut self.focus.pressed) {
            let view = |step| UiAction::View(views::next(state.infos, state.view.shown, step));
            let is_help = self.visible && self.tab == Tab::Help;
            // The widget with the focus goes with its tab: the new tab has it then.
            let has_focus = ctx.memory(|memory| memory.focused()).is_some();
            let mut open = |tab| {
                (self.visible, self.tab) = (true, tab);
                self.focus.is_requested |= has_focus;
            };
            match key {
                PanelKey::Focus => match ctx.memory(|memory| memory.focused()).filter(|_| self.visible) {
                    Some(id) => ctx.memory_mut(|memory| memory.surrender_focus(id)),
                    None => (self.visible, self.focus.is_requested) = (true, true),
                },
                PanelKey::Controls => open(Tab::Controls),
                PanelKey::Timings => {
                    open(Tab::Timings);
                    timings::request_focus(ctx);
                }
                PanelKey::Instrument(id) => self.visible |= self.instruments.press(id, state, actions),
                PanelKey::Device => open(Tab::Device),
                PanelKey::Help => open(if is_help { Tab::Controls } else { Tab::Help }),
                PanelKey::Open => actions.push(UiAction::PickFile),
                PanelKey::Undo => actions.push(UiAction::Undo),
                PanelKey::Redo => actions.push(UiAction::Redo),
                PanelKey::Search => {
                    self.visible = true;
                    self.controls.search.open();
                }
                PanelKey::NextView => actions.push(view(1)),
                PanelKey::PreviousView => actions.push(view(-1)),
                // egui closes an open list or menu.
                PanelKey::Close if egui::Popup::is_any_open(ctx) => {}
                PanelKey::Close if self.help.page.is_some() || self.sheet.open.is_some() => {
                    (self.help.page, self.sheet.open) = (None, None);
                }
                PanelKey::Close if self.instruments.close(state, actions) => {}
                PanelKey::Close | PanelKey::FinalImage => {
                    actions.extend(state.view.shown.map(|_| UiAction::View(None)));
                }
            }
        }
    }

    fn open_target(&mut self, ctx: &Context, target: Target, actions: &mut Vec<UiAction>) {
        match target {
            Target::View(view) => actions.push(UiAction::View(Some(view))),
            Target::Page(id) => self.help.page = Some(id.to_owned()),
            Target::Tour if self.help.tour.is_running() => {}
            Target::Tour => self.help.tour.toggle(),
            Target::Setting { section, field, group } => {
                self.tab = Tab::Controls;
                let group = if group.is_empty() { "More" } else { group };
                for key in [section.to_owned(), format!("{section}/{group}")] {
                    collapsing::unfold(ctx, &key);
                }
                highlight::find(ctx, section, field);
            }
        }
    }

    fn dock(&mut self, ctx: &Context, rect: Rect, state: &mut UiState<'_>, actions: &mut Vec<UiAction>) -> PassRows {
        let mut rows = PassRows::default();
        floating(ctx, "dock", rect, Align2::RIGHT_TOP, |ui| {
            // The scroll bar is in the margin, so that scrolling content is as wide as fixed content.
            const BAR: f32 = 10.0;
            let mut frame = theme::panel();
            frame.inner_margin.right -= BAR as i8;
            let inner = (rect.size() - frame.total_margin().sum()).max(egui::Vec2::ZERO);
            panel_rects::show(ui, frame, GlassPanelKind::Panel, |ui| {
                ui.set_width(inner.x - BAR);
                ui.set_max_height(inner.y);
                self.head(ui, state);
                let hints = [
                    ("What is shown and how", PanelKey::Controls),
                    ("What each pass costs; the key moves the focus to its rows", PanelKey::Timings),
                    ("What the program runs on", PanelKey::Device),
                    ("Keys, mouse and pages", PanelKey::Help),
                ];
                let hints = hints.map(|(text, key)| keys::hint(text, Shortcut::Panel(key)));
                let tabs = [
                    (Tab::Controls, "Controls", hints[0].as_str()),
                    (Tab::Timings, "Timings", hints[1].as_str()),
                    (Tab::Device, "Device", hints[2].as_str()),
                    (Tab::Help, "Help", hints[3].as_str()),
                ];
                let named = |name: &str| tabs.iter().find(|(_, of, _)| *of == name).map(|(tab, ..)| *tab);
                self.tab = self.help.tour.opens(ctx).and_then(named).unwrap_or(self.tab);
                let lit = collapsing::segments(ui, &mut self.tab, &tabs);
                if self.focus.is_requested {
                    lit.into_iter().for_each(|lit| lit.request_focus());
                }
                ui.add_space(4.0);
                if let Some(target) = self.controls.search.show(ui, state.infos, &state.sections) {
                    self.open_target(ctx, target, actions);
                }
                let seen = tour::Seen {
                    tab: tabs.iter().find(|(tab, ..)| *tab == self.tab).map_or("", |(_, name, _)| *name),
                    is_page_open: self.help.page.is_some(),
                    is_tried: &|id| self.instruments.is_tried(id, state),
                };
                self.help.tour.show(ui, state, seen);
                ui.set_width(inner.x);
                let scroll =
                    ScrollArea::vertical().id_salt(self.tab as u8).auto_shrink([false, true]).content_margin(0);
                scroll.show(ui, |ui| {
                    ui.set_width(inner.x - BAR);
                    self.follow_focus(ui);
                    match self.tab {
                        Tab::Controls => {
                            let was_open = self.sheet.open.clone();
                            let pages = (&mut self.help.page, &mut self.sheet.open);
                            let switches = self.instruments.switches(state);
                            let shown = (&self.timings, &self.instruments, &switches[..]);
                            let pressed = self.controls.show(ui, state, shown, pages, actions);
                            if let Some(id) = pressed {
                                self.instruments.press(id, state, actions);
                            }
                            if self.sheet.open.is_some() && self.sheet.open != was_open {
                                self.help.page = None;
                            }
                        }
                        Tab::Timings => {
                            self.instruments.tab(ui, state);
                            let (owners, subject) = (timings::Owners(state.infos), state.measured.subject);
                            rows = match self.instruments.frozen(subject) {
                                Some((table, subject)) => table.show(ui, &owners, (subject, &state.results)),
                                None => self.timings.show(ui, &owners, (subject, &state.results)),
                            };
                            anchors::note(ui, || "control passes".into(), ui.min_rect());
                        }
                        Tab::Device => actions.extend(device::show(ui, state.device).map(UiAction::UseGpu)),
                        Tab::Help => self.help.show(ui, state.infos),
                    }
                });
            });
        });
        rows
    }

    fn busy(&self, state: &UiState<'_>) -> Option<[&'static str; 2]> {
        let runs = |one: &Measurement| matches!(one.card.progress, Progress::Running { .. });
        // Without frames in flight nothing is compiled.
        let (is_idle, is_loading) = (self.rate.shown() == Rate::Idle, state.scene.loading.is_some());
        let is_drawing = !is_idle || is_loading;
        match self.timings.is_compiling() && is_drawing {
            _ if state.measured.measurements.iter().any(runs) => {
                Some(["measuring", "Frames that are measured are no displayed frames and do not count."])
            }
            true => Some(["compiling", "The driver compiles shaders. Frames in which it does do not count."]),
            false if is_idle && is_loading => Some(["loading", "What it loads is drawn as soon as it is there."]),
            false => None,
        }
    }

    fn head(&self, ui: &mut EguiUi, state: &UiState<'_>) {
        let figure = |text: String| theme::figure(text).color(theme::TEXT);
        let busy = self.busy(state);
        let rate = self.rate.shown();
        ui.horizontal(|ui| {
            if ui.available_width() >= 220.0 {
                ui.label(egui::RichText::new("Meniscus").size(17.0).color(theme::STRONG));
            }
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                ui.spacing_mut().item_spacing.x = 4.0;
                match (busy, rate, state.scene.refining) {
                    (Some([busy, hint]), ..) => {
                        ui.label(figure(busy.into())).on_hover_text(hint);
                    }
                    (None, Rate::Idle, Some(part)) => {
                        let text = format!("refining {} %", (100.0 * part).floor().min(99.0));
                        ui.label(figure(text)).on_hover_text(REFINING);
                    }
                    _ => {
                        if rate != Rate::Idle {
                            ui.label(theme::small("fps"));
                        }
                        ui.label(figure(rate.text()));
                    }
                }
            });
        });
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = egui::vec2(4.0, 1.0);
            let mut named = |name: &str, value: String, hint: &str| {
                ui.label(theme::small(name)).on_hover_text(hint);
                ui.label(figure(value)).on_hover_text(hint);
                ui.add_space(4.0);
            };
            if let Some(why) = state.measured.untimed {
                return named("GPU", "no times".into(), &sentence(why));
            }
            let is_still = rate == Rate::Idle && state.scene.refining.is_none();
            let now = match self.timings.frame_gpu_us() {
                _ if busy.is_some() => None,
                Some(_) if is_still => Some("at rest".into()),
                now => now.map(micros),
            };
            now.into_iter().for_each(|now| named("GPU now", now, NOW));
            if let Some(FullFrame { us, frames }) = self.timings.full_frame() {
                let steps = if frames > 1 { format!(" in {frames} steps") } else { String::new() };
                named("last full frame", format!("{}{steps}", micros(us)), FULL_FRAME);
            }
        });
        ui.add_space(2.0);
    }

    /// Scrolls to the newly focused widget if it is not wholly visible.
    fn follow_focus(&mut self, ui: &EguiUi) {
        let now = ui.ctx().memory(|memory| memory.focused());
        if std::mem::replace(&mut self.focus.followed, now) != now {
            self.focus.frames_left = FOLLOW_FRAMES;
        }
        if self.focus.frames_left == 0 {
            return;
        }
        self.focus.frames_left -= 1;
        ui.ctx().request_repaint();
        if let Some(widget) = now.and_then(|id| ui.ctx().read_response(id))
            && widget.layer_id == ui.layer_id()
            && !widget.interact_rect.contains_rect(widget.rect.shrink(1.0))
        {
            ui.scroll_to_rect(widget.rect.expand(8.0), None);
        }
    }

    /// Beside the dock or, in a narrow window, over it.
    fn sheet(
        &mut self,
        ctx: &Context,
        (window, free): (Rect, Rect),
        state: &mut UiState<'_>,
        actions: &mut Vec<UiAction>,
    ) -> Option<Rect> {
        let is_open = |id: &str| self.sheet.open.as_deref() == Some(id);
        let measurement = state.measured.measurements.iter().find(|one| is_open(one.id))?;
        let section = state.sections.iter_mut().find(|section| section.id == measurement.id)?;
        if self.help.page.is_some() {
            return None;
        }
        let space = if free.width() < SHEET_LEAST { window.shrink(theme::GAP) } else { free };
        let frame = theme::panel();
        let margin = frame.total_margin().sum();
        let width = (sheet::Sheet::width(ctx, section.title, measurement) + margin.x).min(space.width());
        let space = space.with_min_x(space.right() - width);
        Some(floating(ctx, "sheet", space, Align2::LEFT_TOP, |ui| {
            let room = (space.size() - margin).max(egui::Vec2::ZERO);
            panel_rects::show(ui, frame, GlassPanelKind::Panel, |ui| {
                self.sheet.show(ui, room, measurement, section, actions);
            });
        }))
    }
}
