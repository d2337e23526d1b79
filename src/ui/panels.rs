//! The panels and their state.

use egui::{Align2, Context, Id, Rect, Stroke, StrokeKind, Ui as EguiUi};

use super::dock::{Dock, Tab};
use super::frame_rate::FrameRate;
use super::instruments::Instruments;
use super::keys::{self, Shortcut};
use super::layout::{LEAST, floating, of_glass, page_width};
use super::messages::{self, Level, Messages};
use super::overlay::{Hint, STRIP};
use super::pair_state::PairAction;
use super::settings::{collapsing, differences};
use super::state::{PanelKey, UiAction, UiState};
use super::timings::{self, Timings};
use super::{controls, help, lens_menu, panel_rects, sheet, theme, tour, view_labels, views};

use serde::{Deserialize, Serialize};

/// With less room beside the dock, a sheet covers it.
pub(super) const SHEET_LEAST: f32 = 420.0;
const HIDDEN: &str = "hidden";
/// Least width of messages beside instruments.
const MESSAGES: f32 = 300.0;

/// What instruments leave of the `free` part, if something of this width fits in there.
fn beside(rest: Rect, free: Rect, width: f32) -> Rect {
    let both = rest.intersect(free);
    if both.width() >= width && both.height() >= LEAST.y { both } else { free }
}

#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct SavedPanels {
    pub(super) tab: Tab,
    #[serde(default, alias = "was_dragged")]
    pub(super) hint_was_shown: bool,
    #[serde(flatten)]
    pub(super) dock: Dock,
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
    /// Push every finished frame here.
    pub timings: Timings,
    /// Report the begin and end of each frame to it.
    pub rate: FrameRate,
    pub messages: Messages,
    pub instruments: Instruments,
    pub(super) tab: Tab,
    pub(super) dock: Dock,
    pub(super) controls: controls::Controls,
    pub(super) help: help::Help,
    pub(super) sheet: sheet::Sheet,
    pub(super) focus: FocusState,
    pub(super) hint: Hint,
    /// Points from the legend's top to the window's bottom; 0 without a legend.
    pub(super) legend: f32,
}

impl Ui {
    pub fn new(ctx: &Context) -> Self {
        theme::install(ctx);
        Self {
            visible: true,
            timings: Timings::default(),
            rate: FrameRate::default(),
            messages: Messages::default(),
            instruments: Instruments::default(),
            tab: Tab::Glass,
            dock: Dock::default(),
            controls: controls::Controls::default(),
            help: help::Help::default(),
            sheet: sheet::Sheet::default(),
            focus: FocusState::default(),
            hint: Hint::default(),
            legend: 0.0,
        }
    }

    pub fn saved(&self, ctx: &Context) -> SavedPanels {
        SavedPanels {
            tab: self.tab,
            hint_was_shown: self.hint.was_shown,
            dock: self.dock,
            tour_was_offered: self.help.tour.was_offered,
            folds: collapsing::folds(ctx),
            instruments: self.instruments.save(),
        }
    }

    /// To be called before the first frame, or collapsed sections stay so.
    pub fn restore(&mut self, ctx: &Context, saved: SavedPanels) {
        (self.tab, self.dock) = (saved.tab, saved.dock);
        self.hint.restore(saved.hint_was_shown);
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
                format!("Panels hidden. Press {} to show them again.", keys::name(Shortcut::TogglePanels)),
            );
        }
    }

    /// Where the file was asked for.
    pub fn type_path(&mut self) {
        self.visible = true;
        self.controls.path.open();
    }

    pub fn file_opened(&mut self, file: &std::path::Path, is_opened: bool) {
        self.controls.path.file_opened(file, is_opened);
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
        // Instruments are above the legend, the strip and the tour's card of the last frame, whose places they do not change.
        let taken = std::mem::take(&mut self.legend);
        let (mut hint_bottom, mut rest) = (free.bottom(), free);
        panel_rects::begin(&ctx, state.is_glass);
        differences::begin(&ctx, &state.sections, state.pair.as_ref());
        if free.width() < LEAST.x || free.height() < LEAST.y {
            return actions;
        }
        if self.visible {
            self.timings.update(&ctx);
            self.rate.idle_in_s().into_iter().for_each(|wait_s| ctx.request_repaint_after_secs(wait_s as f32));
            let dock = free.with_min_x(free.right() - self.dock.width(free));
            let rows = self.dock(&ctx, dock, &mut state, &mut actions);
            free.max.x = (dock.left() - theme::GAP).max(free.left());
            let strip = ctx.data_mut(|data| data.remove_temp::<f32>(Id::new(STRIP))).unwrap_or(0.0);
            let card = self.help.tour.top.map_or(0.0, |top| free.bottom() + theme::GAP - top);
            let below = taken.max(strip).max(card);
            let above = free.with_max_y(free.bottom() - below);
            let (above, is_free) = self.sheet.beside(&ctx, above);
            let is_inspecting = self.tab == Tab::Inspect && !self.dock.is_folded(window.width());
            let open = [self.help.page.is_none() && is_free, is_inspecting];
            rest = self.instruments.show(&ctx, above, (&self.timings, rows), open, &state, &mut actions);
            self.page(&ctx, free, &mut state, &mut actions);
            if self.help.page.is_some() {
                rest.max.x = rest.max.x.min(free.right() - page_width(free) - theme::GAP);
            }
            let sheet = self.sheet(&ctx, (window, free), &mut state, &mut actions);
            free.max.x = sheet.map_or(free.max.x, |sheet| free.max.x.min(sheet.left() - theme::GAP)).max(free.left());
            if self.help.page.is_none() {
                view_labels::show(&ctx, state.view.strips);
            }
            let (floor, low) = self.overlay(&ctx, (window, free), &mut state, &mut actions);
            hint_bottom = low.map_or(floor, |low| low.top() - theme::GAP);
            let space = if self.help.page.is_some() { free.with_max_x(rest.right()) } else { free };
            let is_beside = low.is_none_or(|low| low.right() + theme::GAP + self.help.tour.width() <= space.right());
            let bottom = if is_beside { floor } else { hint_bottom };
            let is_busy = sheet.is_some() || self.help.page.is_some() || self.instruments.is_any_shown(&state);
            let seen = tour::Seen {
                tab: self.tab.name(),
                is_page_open: self.help.page.is_some(),
                is_busy,
                is_tried: &|id| self.instruments.is_tried(id, &state),
            };
            self.help.tour.show(&ctx, space.with_max_y(bottom.min(space.bottom())), &state, seen);
            self.help.tour.restore(&ctx, &mut state, &mut actions);
        }
        if state.has_hint
            && !self.help.tour.is_running()
            && !self.instruments.is_any_shown(&state)
            && self.help.page.is_none()
        {
            let space = free.with_max_y(hint_bottom.min(window.bottom() - self.legend - theme::GAP));
            self.hint(&ctx, space, !actions.is_empty());
        }
        lens_menu::show(&ctx, &state, &mut actions);
        self.messages.expire(&ctx);
        if !self.messages.is_empty() || state.scene.loading.is_some() {
            // Where nothing is free, they are over the panels.
            let room = if free.width() < LEAST.x { window.shrink(theme::GAP) } else { beside(rest, free, MESSAGES) };
            let width = room.width().min(460.0);
            floating(&ctx, "messages", room, Align2::CENTER_TOP, |ui| {
                if state.scene.loading.is_some_and(|loading| messages::loading(ui, loading, width)) {
                    actions.push(UiAction::CancelReading);
                }
                actions.extend(self.messages.show(ui, width));
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
                (self.visible, self.tab, self.dock.is_folded) = (true, tab, Some(false));
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
                PanelKey::Close if state.pair.is_some() => actions.push(UiAction::Pair(PairAction::Remove)),
                PanelKey::Close | PanelKey::FinalImage => {
                    actions.extend(state.view.shown.map(|_| UiAction::View(None)));
                }
            }
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
        let margin = frame.total_margin().sum().x;
        let width = (sheet::Sheet::width(ctx, section.title, measurement) + margin).min(space.width());
        let space = space.with_min_x(space.right() - width);
        Some(of_glass(ctx, "sheet", (space, Align2::LEFT_TOP), frame, |ui, room| {
            self.sheet.show(ui, room, measurement, section, actions);
        }))
    }
}
