//! The panels and their state.

use egui::{Align2, Context, Id, Rect, ScrollArea, Stroke, StrokeKind, Ui as EguiUi, pos2};

use super::controls::Part;
use super::frame_rate::{FrameRate, Rate};
use super::instruments::Instruments;
use super::instruments::Switch;
use super::keys::{self, Shortcut};
use super::layout::{LEAST, dock_width, floating};
use super::manipulator::Key as LensKey;
use super::messages::{self, Level, Messages};
use super::overlay::STRIP;
use super::presets::PresetAction;
use super::search::Target;
use super::settings::{collapsing, differences, highlight};
use super::state::{PanelKey, UiAction, UiState};
use super::timings::{self, PassRows, Timings};
use super::{anchors, controls, device, head, help, lens_menu, panel_rects, sheet, theme, tour, view_labels, views};

use lab::Progress;
use scene::GlassPanelKind;
use serde::{Deserialize, Serialize};
use technique::Measurement;

/// With less room beside the dock, a sheet covers it.
pub(super) const SHEET_LEAST: f32 = 420.0;
const HIDDEN: &str = "hidden";
/// Frames for which the focused widget is scrolled into view.
const FOLLOW_FRAMES: u8 = 4;

#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Tab {
    #[default]
    #[serde(alias = "controls")]
    Glass,
    Techniques,
    #[serde(alias = "timings")]
    Inspect,
    Device,
    Help,
}

impl Tab {
    /// The first three are always at the top, the others in the menu.
    const ALL: [(Self, &str, PanelKey, &str); 5] = [
        (Self::Glass, "Glass", PanelKey::Techniques, "What the lens looks like: presets and settings"),
        (Self::Techniques, "Techniques", PanelKey::Techniques, "What makes the picture, and what each part costs"),
        (
            Self::Inspect,
            "Inspect",
            PanelKey::Timings,
            "Why it is so: passes, pixels, A and B; the key moves the focus to the passes",
        ),
        (Self::Device, "Device", PanelKey::Device, "Display settings, and what the program runs on"),
        (Self::Help, "Help", PanelKey::Help, "Keys, mouse and pages"),
    ];

    pub(super) fn name(self) -> &'static str {
        Self::ALL.iter().find(|(tab, ..)| *tab == self).map_or("", |(_, name, ..)| name)
    }

    pub(super) fn of_part(part: Part) -> Self {
        match part {
            Part::Glass => Self::Glass,
            Part::Techniques => Self::Techniques,
            Part::Inspect => Self::Inspect,
            Part::Display => Self::Device,
        }
    }
}

/// Without a key: in the menu, and found by the search.
pub(super) const COMMANDS: [(&str, &str, UiAction); 2] = [
    (
        "Copy command",
        "A command that starts the program with these settings, this view and this lens",
        UiAction::CopyCommandLine,
    ),
    (
        "Defaults",
        "Every setting as at first, background, camera and display included; one lens in the middle, no view. It can be undone.",
        UiAction::Preset(PresetAction::Reset),
    ),
];

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
            tab: Tab::Glass,
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
        (self.visible, self.tab) = (true, Tab::Techniques);
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
        // Pinned passes are above the card and the strip of the last frame.
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
            let strip = ctx.data_mut(|data| data.remove_temp::<f32>(Id::new(STRIP))).unwrap_or(0.0);
            let above = Rect { max: pos2(free.right(), free.bottom() - taken.max(strip)), ..free };
            let (above, is_free) = self.sheet.beside(&ctx, above);
            let shown = (&self.timings, rows, self.help.page.is_none() && is_free);
            self.instruments.show(&ctx, above, shown, &state, &mut actions);
            self.page(&ctx, free, &mut state, &mut actions);
            let sheet = self.sheet(&ctx, (window, free), &mut state, &mut actions);
            free.max.x = sheet.map_or(free.max.x, |sheet| free.max.x.min(sheet.left() - theme::GAP)).max(free.left());
            if self.help.page.is_none() {
                view_labels::show(&ctx, state.view.strips);
            }
            hint_bottom = self.overlay(&ctx, (window, free), &mut state, &mut actions);
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
            let (is_visible, now) = (self.visible, self.tab);
            let is_shown = |tab| is_visible && now == tab;
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
                PanelKey::Techniques => open(if is_shown(Tab::Techniques) { Tab::Glass } else { Tab::Techniques }),
                PanelKey::Timings => {
                    open(Tab::Inspect);
                    timings::request_focus(ctx);
                }
                PanelKey::Instrument(id) => self.visible |= self.instruments.press(id, state, actions),
                PanelKey::Device => open(Tab::Device),
                PanelKey::Help => open(if is_shown(Tab::Help) { Tab::Glass } else { Tab::Help }),
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
            Target::Run(action) => actions.push(action),
            Target::Page(id) => self.help.page = Some(id.to_owned()),
            Target::Tour if self.help.tour.is_running() => {}
            Target::Tour => self.help.tour.toggle(),
            Target::Setting { section, field, group } => {
                self.tab = Tab::of_part(Part::of(section));
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
                let shown = head::HeadState { busy: self.busy(state), rate: self.rate.shown() };
                let more = head::show(ui, state, &self.timings, &shown, actions);
                self.menu(&more, actions);
                let named = |name: &str| Tab::ALL.iter().find(|(_, of, ..)| *of == name).map(|(tab, ..)| *tab);
                self.tab = self.help.tour.opens(ctx).and_then(named).unwrap_or(self.tab);
                let hints = Tab::ALL.map(|(.., key, text)| keys::hint(text, Shortcut::Panel(key)));
                let tabs = Tab::ALL.iter().zip(&hints).map(|((tab, name, ..), hint)| (*tab, *name, hint.as_str()));
                let is_of_menu = matches!(self.tab, Tab::Device | Tab::Help);
                // The tab of the menu is there while it is open.
                let tabs: Vec<_> = tabs
                    .enumerate()
                    .filter(|(at, (tab, ..))| *at < 3 || is_of_menu && *tab == self.tab)
                    .map(|(_, one)| one)
                    .collect();
                let lit = collapsing::segments(ui, &mut self.tab, &tabs);
                if self.focus.is_requested {
                    lit.into_iter().for_each(|lit| lit.request_focus());
                }
                ui.add_space(4.0);
                if let Some(target) = self.controls.search.show(ui, state) {
                    self.open_target(ctx, target, actions);
                }
                let seen = tour::Seen {
                    tab: self.tab.name(),
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
                        Tab::Glass => self.settings(ui, Part::Glass, state, actions),
                        Tab::Techniques => self.settings(ui, Part::Techniques, state, actions),
                        Tab::Inspect => {
                            let pressed = switches(ui, &self.instruments.switches(state));
                            if let Some(id) = pressed {
                                self.instruments.press(id, state, actions);
                            }
                            self.instruments.tab(ui, state);
                            let (owners, subject) = (timings::Owners(state.infos), state.measured.subject);
                            rows = match self.instruments.frozen(subject) {
                                Some((table, subject)) => table.show(ui, &owners, (subject, &state.results)),
                                None => self.timings.show(ui, &owners, (subject, &state.results)),
                            };
                            anchors::note(ui, || "control passes".into(), ui.min_rect());
                            self.settings(ui, Part::Inspect, state, actions);
                        }
                        Tab::Device => {
                            self.settings(ui, Part::Display, state, actions);
                            actions.extend(device::show(ui, state.device).map(UiAction::UseGpu));
                        }
                        Tab::Help => self.help.show(ui, state.infos),
                    }
                });
            });
        });
        rows
    }

    fn settings(&mut self, ui: &mut EguiUi, part: Part, state: &mut UiState<'_>, actions: &mut Vec<UiAction>) {
        let was_open = self.sheet.open.clone();
        let pages = (&mut self.help.page, &mut self.sheet.open);
        self.controls.show(ui, part, state, (&self.timings, &self.instruments), pages, actions);
        if self.sheet.open.is_some() && self.sheet.open != was_open {
            self.help.page = None;
        }
    }

    /// What is not used in the first minutes.
    fn menu(&mut self, more: &egui::Response, actions: &mut Vec<UiAction>) {
        egui::Popup::menu(more).show(|ui| {
            let row = |ui: &mut EguiUi, text: &str, key: Option<PanelKey>, hint: &str| {
                let key = key.map(|key| keys::name(Shortcut::Panel(key))).unwrap_or_default();
                let clicked =
                    ui.add(egui::Button::new(text).right_text(theme::small(key))).on_hover_text(hint).clicked();
                if clicked {
                    ui.close();
                }
                clicked
            };
            if row(ui, "Search", Some(PanelKey::Search), "Actions, views, settings and pages by their names") {
                self.controls.search.open();
            }
            for (tab, name, key, hint) in &Tab::ALL[3..] {
                if row(ui, name, Some(*key), hint) {
                    self.tab = *tab;
                }
            }
            if row(ui, tour::TITLE, None, "Short steps through the program, each done by your own hand") {
                self.help.tour.toggle();
            }
            for (title, hint, action) in COMMANDS {
                if row(ui, title, None, hint) {
                    actions.push(action);
                }
            }
        });
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

/// Buttons of the instruments; returns the one that was pressed.
fn switches(ui: &mut EguiUi, all: &[Switch]) -> Option<&'static str> {
    let mut pressed = None;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = egui::vec2(4.0, 4.0);
        for Switch { id, label, hint, is_on } in all {
            if ui.add(egui::Button::new(*label).selected(*is_on)).on_hover_text(*hint).clicked() {
                pressed = Some(*id);
            }
        }
    });
    ui.add_space(4.0);
    pressed
}
