//! Dock at the window's right: head, tabs and what the open one has; folded, a bar of icons.

use egui::{Align2, Context, CursorIcon, Rangef, Rect, ScrollArea, Sense, Ui as EguiUi};

use super::frame_rate::Rate;
use super::head::{self, Icon};
use super::instruments::Switch;
use super::keys::{self, Shortcut};
use super::layout::{floating, of_glass, scrolled};
use super::pair_state::PairState;
use super::panels::Ui;
use super::presets::PresetAction;
use super::search::Target;
use super::settings::collapsing;
use super::timings::{self, PassRows};
use super::{PanelKey, UiAction, UiState, anchors, device, lens_menu, panel_rects, theme, tour};
use instrument::CheckRun;
use lab::Progress;
use scene::GlassPanelKind;
use serde::{Deserialize, Serialize};
use technique::Measurement;

/// Points, in a wide enough window.
const WIDTH: f32 = 316.0;
const WIDEST: f32 = 520.0;
const FOLDED: f32 = 42.0;
/// In a narrower window the dock is folded until the user unfolds it, points.
const FOLDS_BELOW: f32 = 940.0;
/// Of the edge that is dragged.
const EDGE: f32 = 6.0;
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
    pub(super) const ALL: [(Self, &str, PanelKey, &str); 5] = [
        (Self::Glass, "Glass", PanelKey::Techniques, "What the lens looks like: presets and settings"),
        (Self::Techniques, "Techniques", PanelKey::Techniques, "What makes the picture, and what each part costs"),
        (
            Self::Inspect,
            "Inspect",
            PanelKey::Timings,
            "Why it is so: passes, pixels, A and B; the key moves the focus to the passes",
        ),
        (Self::Device, "Device", PanelKey::Device, "Display settings, and what the program runs on"),
        (Self::Help, "Help", PanelKey::Help, "Keys, mouse, pages and licences"),
    ];

    pub(super) fn name(self) -> &'static str {
        Self::ALL.iter().find(|(tab, ..)| *tab == self).map_or("", |(_, name, ..)| name)
    }

    pub(super) fn of(section: &str) -> Self {
        match section {
            "glass" | "hand" => Self::Glass,
            "lab" => Self::Inspect,
            "display" => Self::Device,
            _ => Self::Techniques,
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

/// As the user left it.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Serialize)]
pub(super) struct Dock {
    #[serde(default, rename = "dock_is_folded", skip_serializing_if = "Option::is_none")]
    pub is_folded: Option<bool>,
    #[serde(default, rename = "dock_width", skip_serializing_if = "Option::is_none")]
    width: Option<f32>,
}

impl Dock {
    pub(super) fn is_folded(&self, window: f32) -> bool {
        self.is_folded.unwrap_or(window < FOLDS_BELOW)
    }

    pub fn width(&self, inner: Rect) -> f32 {
        if self.is_folded(inner.width() + 2.0 * theme::GAP) {
            return FOLDED;
        }
        let wanted = self.width.filter(|width| width.is_finite()).unwrap_or(WIDTH).clamp(WIDTH, WIDEST);
        wanted.min(inner.width()).min((inner.width() * 0.5).max(200.0))
    }

    /// The left edge makes the dock wider; a double click takes that back.
    fn drag_edge(&mut self, ctx: &Context, rect: Rect) {
        let edge = Rect::from_x_y_ranges(Rangef::new(rect.left() - EDGE, rect.left()), rect.y_range());
        let mut response = None;
        floating(ctx, "edge of the dock", edge, Align2::LEFT_TOP, |ui| {
            response = Some(ui.allocate_rect(edge, Sense::CLICK | Sense::DRAG));
        });
        let Some(response) = response else { return };
        if response.hovered() || response.dragged() {
            ctx.set_cursor_icon(CursorIcon::ResizeHorizontal);
        }
        if response.double_clicked() {
            self.width = None;
        } else if let Some(at) = response.interact_pointer_pos().filter(|_| response.dragged()) {
            self.width = Some((rect.right() - at.x).clamp(WIDTH, WIDEST));
        }
    }
}

impl Ui {
    pub(super) fn dock(
        &mut self,
        ctx: &Context,
        rect: Rect,
        state: &mut UiState<'_>,
        actions: &mut Vec<UiAction>,
    ) -> PassRows {
        let mut rows = PassRows::default();
        let is_needed =
            self.help.tour.is_running() || self.controls.search.is_open() || self.controls.path.is_open_below_tabs();
        if self.dock.is_folded(ctx.content_rect().width()) && !is_needed {
            self.bar(ctx, rect, state, actions);
            return rows;
        }
        // The scroll bar is in the margin, so that scrolling content is as wide as fixed content.
        const BAR: f32 = 10.0;
        let mut frame = theme::panel();
        frame.inner_margin.right -= BAR as i8;
        of_glass(ctx, "dock", (rect, Align2::RIGHT_TOP), frame, |ui, inner| {
            ui.set_width(inner.x - BAR);
            ui.set_max_height(inner.y);
            let shown = head::HeadState { busy: self.busy(state), rate: self.rate.shown() };
            let [fold, more] = head::show(ui, state, &self.timings, &shown, actions);
            if fold.clicked() {
                self.dock.is_folded = Some(true);
            }
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
            actions.extend(self.controls.path.show(ui, None));
            ui.set_width(inner.x);
            let scroll = ScrollArea::vertical().id_salt(self.tab as u8).auto_shrink([false, true]).content_margin(0);
            scrolled(ui, scroll, |ui| {
                ui.set_width(inner.x - BAR);
                self.follow_focus(ui);
                match self.tab {
                    Tab::Glass | Tab::Techniques => self.settings(ui, state, actions),
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
                        self.settings(ui, state, actions);
                    }
                    Tab::Device => {
                        self.settings(ui, state, actions);
                        actions.extend(device::show(ui, state.device).map(UiAction::UseGpu));
                    }
                    Tab::Help => self.help.show(ui, state.infos),
                }
            });
        });
        self.dock.drag_edge(ctx, rect);
        rows
    }

    fn settings(&mut self, ui: &mut EguiUi, state: &mut UiState<'_>, actions: &mut Vec<UiAction>) {
        let was_open = self.sheet.open.clone();
        let pages = (&mut self.help.page, &mut self.sheet.open);
        let is_idle = self.rate.shown() == Rate::Idle && state.scene.refining.is_none();
        self.controls.show(ui, self.tab, state, (&self.timings, &self.instruments, is_idle), pages, actions);
        if self.sheet.open.is_some() && self.sheet.open != was_open {
            self.help.page = None;
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

    fn open_target(&mut self, ctx: &Context, target: Target, actions: &mut Vec<UiAction>) {
        match target {
            Target::Run(action) => {
                match action {
                    UiAction::Measure(id) => (self.help.page, self.sheet.open) = (None, Some(id.to_owned())),
                    UiAction::Replay { .. } => (self.help.page, self.sheet.open) = (None, None),
                    _ => {}
                }
                actions.push(action);
            }
            Target::Page(id) => self.help.page = Some(id.to_owned()),
            Target::Tour if self.help.tour.is_running() => {}
            Target::Tour => self.help.tour.toggle(),
            Target::Setting { section, field, group } => {
                self.tab = Tab::of(section);
                let group = if group.is_empty() { "More" } else { group };
                for key in [section.to_owned(), format!("{section}/{group}")] {
                    collapsing::unfold(ctx, &key);
                }
                anchors::find_setting(ctx, section, field);
            }
        }
    }

    fn busy(&self, state: &UiState<'_>) -> Option<[&'static str; 2]> {
        let runs = |one: &Measurement| matches!(one.card.progress, Progress::Running { .. });
        let of_pair = |is: fn(&PairState<'_>) -> bool| state.pair.as_ref().is_some_and(is);
        let measures = state.measured.measurements.iter().any(runs) || of_pair(|pair| pair.measured_part.is_some());
        // Without frames in flight nothing is compiled.
        let is_idle = self.rate.shown() == Rate::Idle;
        let is_loading = state.scene.loading.is_some() || of_pair(|pair| !pair.is_ready);
        match () {
            () if measures => Some(["measuring", "Frames that are measured are no displayed frames and do not count."]),
            () if self.timings.is_compiling() && (!is_idle || is_loading) => {
                Some(["compiling", "The driver compiles shaders. Frames in which it does do not count."])
            }
            () if !is_idle => None,
            () if is_loading => Some(["loading", "What it loads is drawn as soon as it is there."]),
            () if matches!(state.results.check, CheckRun::Running { .. }) => {
                Some(["checking", "A check runs, on a device without a window."])
            }
            () if of_pair(|pair| pair.difference.is_none()) => {
                Some(["comparing", "The pictures of A and B are compared."])
            }
            () => None,
        }
    }

    /// Tabs and buttons one below the other. A click on a tab unfolds the dock.
    fn bar(&mut self, ctx: &Context, rect: Rect, state: &UiState<'_>, actions: &mut Vec<UiAction>) {
        floating(ctx, "dock", rect, Align2::RIGHT_TOP, |ui| {
            let frame = theme::panel().inner_margin(8);
            panel_rects::show(ui, frame, GlassPanelKind::Toolbar, |ui| {
                ui.spacing_mut().item_spacing.y = 2.0;
                if head::button(ui, Icon::Unfold, true, false, "Unfold the panel").clicked() {
                    self.dock.is_folded = Some(false);
                }
                let icons = [Icon::Glass, Icon::Techniques, Icon::Inspect];
                for ((tab, name, key, hint), icon) in Tab::ALL.into_iter().zip(icons) {
                    let hint = keys::hint(&format!("{name}: {hint}"), Shortcut::Panel(key));
                    let response = head::button(ui, icon, true, self.tab == tab, &hint);
                    if response.clicked() {
                        (self.dock.is_folded, self.tab) = (Some(false), tab);
                    }
                    if self.focus.is_requested && self.tab == tab {
                        response.request_focus();
                    }
                }
                collapsing::rule(ui);
                let more = head::buttons(ui, state, &self.timings, actions);
                self.menu(&more, actions);
                state.recording.into_iter().for_each(|recording| head::recorded(ui, recording));
            });
        });
    }

    /// What is not used in the first minutes.
    fn menu(&mut self, more: &egui::Response, actions: &mut Vec<UiAction>) {
        egui::Popup::menu(more).show(|ui| {
            let row = |ui: &mut EguiUi, text: &str, key: Option<PanelKey>, hint: &str| {
                let key = key.map(|key| keys::name(Shortcut::Panel(key))).unwrap_or_default();
                lens_menu::line(ui, true, text, &key).on_hover_text(hint).clicked()
            };
            if row(ui, "Search", Some(PanelKey::Search), "Actions, views, settings and pages by their names") {
                self.controls.search.open();
            }
            for (tab, name, key, hint) in &Tab::ALL[3..] {
                if row(ui, name, Some(*key), hint) {
                    self.tab = *tab;
                }
            }
            if row(ui, tour::TITLE, None, tour::HINT) {
                self.help.tour.toggle();
            }
            if let Some(file) = self.messages.last_file() {
                let name = file.file_name().unwrap_or_default().to_string_lossy();
                let hint = format!("The file that was written last: opens its folder\n{}", file.display());
                if row(ui, &format!("Show {name}"), None, &hint) {
                    actions.push(UiAction::ShowFile(file.to_owned()));
                }
            }
            for (title, hint, action) in COMMANDS {
                if row(ui, title, None, hint) {
                    actions.push(action);
                }
            }
        });
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
