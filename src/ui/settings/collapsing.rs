//! Collapsible sections and groups, segmented buttons and icon buttons.

use egui::collapsing_header::CollapsingState;
use egui::{
    Align, Color32, Context, Id, Layout, Rect, Response, Sense, Shape, Stroke, Ui, UiBuilder, WidgetInfo, WidgetType,
    pos2, vec2,
};

use super::super::{anchors, theme};
use std::collections::{BTreeMap, BTreeSet};

/// Sections (by id) and groups (`section/group`) that the user expanded (true) or collapsed.
pub type Folds = BTreeMap<String, bool>;

#[derive(Clone, Default)]
struct Memory {
    folds: Folds,
    unfold: BTreeSet<String>,
}

fn with_memory<T>(ctx: &Context, work: impl FnOnce(&mut Memory) -> T) -> T {
    ctx.data_mut(|data| work(data.get_temp_mut_or_default(Id::new("folds"))))
}

pub fn folds(ctx: &Context) -> Folds {
    with_memory(ctx, |memory| memory.folds.clone())
}

/// Restores the state of everything that has not been shown yet.
pub fn restore_folds(ctx: &Context, folds: Folds) {
    with_memory(ctx, |memory| memory.folds = folds);
}

pub fn unfold(ctx: &Context, key: &str) {
    with_memory(ctx, |memory| memory.unfold.insert(key.to_owned()));
}

/// Whether the user expanded something that is collapsed at first.
pub fn is_unfolded(ctx: &Context, key: &str) -> bool {
    with_memory(ctx, |memory| memory.folds.get(key).copied().unwrap_or_default())
}

pub fn set_unfolded(ctx: &Context, key: &str, is_open: bool) {
    with_memory(ctx, |memory| memory.folds.insert(key.to_owned(), is_open));
}

fn state(ui: &Ui, id: Id, key: &str, open_at_first: bool) -> CollapsingState {
    let (left, is_requested) = with_memory(ui.ctx(), |memory| {
        let is_requested = memory.unfold.remove(key);
        (memory.folds.get(key).copied(), is_requested)
    });
    let mut state = CollapsingState::load_with_default_open(ui.ctx(), id, left.unwrap_or(open_at_first));
    if is_requested {
        state.set_open(true);
    }
    state
}

fn toggle(ui: &Ui, state: &mut CollapsingState, key: &str) {
    state.toggle(ui);
    with_memory(ui.ctx(), |memory| memory.folds.insert(key.to_owned(), state.is_open()));
}

/// Closes a fold that `ui` shows.
pub fn close(ui: &Ui, key: &str) {
    let id = ui.make_persistent_id(("fold", key));
    with_memory(ui.ctx(), |memory| memory.folds.remove(key));
    let mut state = CollapsingState::load_with_default_open(ui.ctx(), id, false);
    state.set_open(false);
    state.store(ui.ctx());
}

const HEADING: f32 = 28.0;
/// Least size of what is clicked.
const HIT: egui::Vec2 = vec2(20.0, 20.0);
/// Seconds for which an opening section is scrolled into sight.
const SHOWS_S: f64 = 0.4;
/// Points from the left end of a collapsible heading to its name: room for the chevron.
const INDENT: f32 = 17.0;

#[derive(Clone, Copy, Default)]
pub struct Heading<'a> {
    pub title: &'a str,
    /// What it is set to.
    pub note: &'a str,
    pub dot: Option<Color32>,
    /// Fraction of the width that a bar of the dot's colour takes.
    pub bar: Option<f32>,
    pub tooltip: &'a str,
}

/// The widgets at the heading's right end are laid out from the right; they know whether it is open.
pub fn fold(
    ui: &mut Ui,
    key: &str,
    heading: Heading<'_>,
    open_at_first: bool,
    at_right: impl FnOnce(&mut Ui, bool),
    body: impl FnOnce(&mut Ui),
) {
    let Heading { title, note, dot, bar, tooltip } = heading;
    let mut state = state(ui, ui.make_persistent_id(("fold", key)), key, open_at_first);
    let (rect, mut response) = ui.allocate_exact_size(vec2(ui.available_width(), HEADING), Sense::click());
    let (now_s, opened) = (ui.input(|input| input.time), response.id.with("opened"));
    if response.clicked() {
        toggle(ui, &mut state, key);
        ui.data_mut(|data| data.insert_temp(opened, now_s));
    }
    theme::speak(&response, WidgetType::CollapsingHeader, title);
    if !tooltip.is_empty() {
        response = response.on_hover_text(tooltip);
    }

    let lit = if response.hovered() { theme::STRONG } else { theme::TEXT };
    chevron(ui, pos2(rect.left() + 5.0, rect.center().y), state.openness(ui.ctx()), lit);
    let mut left = rect.left() + INDENT;
    if let Some(color) = dot {
        ui.painter().circle_filled(pos2(left + 3.0, rect.center().y), 3.5, color);
        left += 13.0;
        let room = rect.right() - left;
        let bar =
            bar.map(|part| Rect::from_min_size(pos2(left, rect.bottom() - 3.0), vec2((part * room).max(1.0), 2.0)));
        if let Some(bar) = bar {
            ui.painter().rect_filled(bar, 1.0, color.gamma_multiply(0.7));
        }
    }
    let galley = ui.painter().layout_no_wrap(title.to_owned(), theme::font(theme::LARGE), theme::STRONG);
    let end = left + galley.size().x;
    ui.painter().galley(pos2(left, rect.center().y - galley.size().y / 2.0), galley, theme::STRONG);

    let right = rect.with_min_x(rect.center().x);
    let mut aside = ui.new_child(UiBuilder::new().max_rect(right).layout(Layout::right_to_left(Align::Center)));
    at_right(&mut aside, state.is_open());
    let room = aside.min_rect().left() - 6.0 - (end + 6.0);
    if !note.is_empty() && room > 24.0 {
        let text = egui::WidgetText::from(theme::small(note));
        let text = text.into_galley(ui, Some(egui::TextWrapMode::Truncate), room, egui::TextStyle::Small);
        ui.painter().galley(pos2(end + 6.0, rect.center().y - text.size().y / 2.0), text, theme::QUIET);
    }

    state.show_body_unindented(ui, |ui| {
        body(ui);
        ui.add_space(6.0);
    });
    // All of what was just asked for, or as much as fits.
    let since_s = now_s - ui.data(|data| data.get_temp(opened).unwrap_or(f64::NEG_INFINITY));
    if state.is_open() && since_s < SHOWS_S {
        let whole = rect.with_max_y(ui.min_rect().bottom().min(rect.top() + ui.clip_rect().height()));
        ui.scroll_to_rect(whole, None);
        ui.ctx().request_repaint();
    }
}

/// A caption that collapses the rows below it; closed, it shows how many are `differing` from their defaults.
pub fn group(
    ui: &mut Ui,
    section: &str,
    name: &str,
    open_at_first: bool,
    differing: usize,
    body: impl FnOnce(&mut Ui),
) {
    ui.add_space(2.0);
    let key = format!("{section}/{name}");
    let mut state = state(ui, ui.make_persistent_id(("group", &key)), &key, open_at_first);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 18.0), Sense::click());
    if response.clicked() {
        toggle(ui, &mut state, &key);
    }
    theme::speak(&response, WidgetType::CollapsingHeader, name);
    let color = if response.hovered() { theme::TEXT } else { theme::QUIET };
    let font = egui::TextStyle::Body.resolve(ui.style());
    let text = egui::WidgetText::from(theme::caption(name).color(color)).into_galley(ui, None, rect.width(), font);
    let left = rect.left() + INDENT;
    let end = left + text.size().x;
    ui.painter().galley(pos2(left, rect.center().y - text.size().y / 2.0), text, color);
    chevron(ui, pos2(rect.left() + 5.0, rect.center().y), state.openness(ui.ctx()), color);
    if !state.is_open() && differing > 0 {
        let at = pos2(end + 8.0, rect.center().y);
        ui.painter().circle_filled(at, 2.2, theme::ACCENT);
        response.on_hover_text(format!("{differing} changed"));
    }
    state.show_body_unindented(ui, body);
}

/// Points right when closed (0) and down when open (1).
pub fn chevron(ui: &Ui, center: egui::Pos2, openness: f32, color: Color32) {
    let turn = egui::emath::Rot2::from_angle(openness * std::f32::consts::FRAC_PI_2);
    let points = [vec2(-1.8, -3.6), vec2(1.8, 0.0), vec2(-1.8, 3.6)].map(|corner| center + turn * corner);
    ui.painter().add(Shape::line(points.to_vec(), Stroke::new(1.5, color)));
}

pub fn combo_icon(ui: &Ui, rect: Rect, _: &egui::style::WidgetVisuals, _is_open: bool) {
    chevron(ui, rect.center(), 1.0, theme::QUIET);
}

pub fn rule(ui: &mut Ui) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 1.0), Sense::hover());
    ui.painter().hline(rect.x_range(), rect.center().y, ui.visuals().widgets.noninteractive.bg_stroke);
}

/// Frameless text button. True when clicked.
pub fn sign(ui: &mut Ui, text: &str, hint: &str) -> bool {
    let text = egui::RichText::new(text).size(theme::LARGE).color(theme::QUIET);
    let response = ui.add(egui::Button::new(text).frame(false).min_size(HIT));
    theme::speak(&response, WidgetType::Button, hint);
    response.on_hover_text(hint).clicked()
}

pub fn cross(ui: &mut Ui, hint: &str) -> bool {
    let (rect, response) = ui.allocate_exact_size(HIT, Sense::click());
    cross_in(ui, rect, response, hint)
}

pub fn cross_in(ui: &Ui, rect: Rect, response: Response, hint: &str) -> bool {
    theme::speak(&response, WidgetType::Button, hint);
    let color = if response.hovered() || response.has_focus() { theme::STRONG } else { theme::QUIET };
    for side in [-1.0, 1.0] {
        let half = vec2(4.6, 4.6 * side);
        ui.painter().line_segment([rect.center() - half, rect.center() + half], Stroke::new(1.4, color));
    }
    response.on_hover_text(hint).clicked()
}

/// Equal widths, or, if a name does not fit, its own width plus an equal share of the rest.
fn widths<T>(ui: &Ui, width: f32, choices: &[(T, &str, &str)]) -> Vec<f32> {
    let font = egui::TextStyle::Body.resolve(ui.style());
    let needed = |name: &str| ui.painter().layout_no_wrap(name.into(), font.clone(), theme::TEXT).size().x;
    let needed: Vec<f32> = choices.iter().map(|(_, name, _)| needed(name)).collect();
    let (same, left) = (width / needed.len().max(1) as f32, width - needed.iter().sum::<f32>());
    if needed.iter().all(|needed| needed + 8.0 <= same) {
        return vec![same; needed.len()];
    }
    needed.iter().map(|one| one + left / needed.len() as f32).collect()
}

pub fn segments<T: Copy + PartialEq>(ui: &mut Ui, picked: &mut T, choices: &[(T, &str, &str)]) -> Option<Response> {
    let mut lit = None;
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), theme::ROW + 2.0), Sense::hover());
    ui.painter().rect_filled(rect, 7.0, ui.visuals().extreme_bg_color);
    let mut left = rect.left();
    for ((value, name, tooltip), width) in choices.iter().zip(widths(ui, rect.width(), choices)) {
        let place = Rect::from_min_size(pos2(left, rect.top()), vec2(width, rect.height()));
        left += width;
        let mut response = ui.interact(place, ui.id().with(("segment", name)), Sense::click());
        if response.clicked() {
            *picked = *value;
            response.mark_changed();
        }
        anchors::note(ui, || format!("tab {name}"), place);
        let is_on = *picked == *value;
        response.widget_info(|| WidgetInfo::selected(WidgetType::SelectableLabel, true, is_on, *name));
        if is_on {
            ui.painter().rect_filled(place.shrink(2.0), 5.0, ui.visuals().selection.bg_fill);
        } else if response.hovered() {
            ui.painter().rect_filled(place.shrink(2.0), 5.0, ui.visuals().widgets.inactive.bg_fill);
        }
        let color = if is_on {
            theme::STRONG
        } else if response.hovered() {
            theme::TEXT
        } else {
            theme::QUIET
        };
        let font = egui::TextStyle::Body.resolve(ui.style());
        ui.painter().text(place.center(), egui::Align2::CENTER_CENTER, name, font, color);
        if !tooltip.is_empty() {
            theme::hint_aside(ui, &response, tooltip);
        }
        if is_on {
            lit = Some(response);
        }
    }
    lit
}
