//! Head of the dock: name, buttons, and what is spent on the GPU now.

use egui::{
    Align2, Color32, Pos2, Rect, Response, Sense, Shape, Stroke, Ui, UiBuilder, WidgetInfo, WidgetType, pos2, vec2,
};

use super::frame_rate::Rate;
use super::instruments::recording;
use super::keys::{self, Shortcut};
use super::timings::{FullFrame, Timings};
use super::{RecordingStage, RecordingState, UiAction, UiState, theme};
use base::text::{micros, percent, sentence};

const ICON: f32 = 22.0;
const BUTTONS: f32 = 8.0;
/// Room for the name of the program.
const NAME: f32 = 84.0;
/// Widths of the columns of costs, points.
const COLUMNS: [f32; 4] = [92.0, 53.0, 81.0, 52.0];
const LINE: f32 = 14.0;

const DRAWN: &str = "Displayed frames in a second. Idle: nothing is drawn, and nothing will change any more.";
const REFINING: &str = "The picture at rest gets more samples and more rays of its mirrors.";
const GLASS: &str =
    "GPU time of the lenses and panels of glass, per displayed frame: mean of the last second with frames.";
const SCENE: &str = "GPU time of everything else but the panels, per displayed frame: the picture under the glass, its mip chain, \
                     views. A scene at rest is not drawn again: last is the time of its last full frame.";
const PANELS: &str = "GPU time of the panels, per displayed frame: mean of the last second with frames.";

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Icon {
    Undo,
    Redo,
    Open,
    Camera,
    Record,
    Clip,
    More,
    Fold,
    Unfold,
    Glass,
    Techniques,
    Inspect,
}

/// What the head shows beside the timings.
pub(super) struct HeadState {
    pub busy: Option<[&'static str; 2]>,
    pub rate: Rate,
}

/// Returns the responses of the buttons that fold the dock and open the menu.
pub(super) fn show(
    ui: &mut Ui,
    state: &UiState<'_>,
    timings: &Timings,
    head: &HeadState,
    actions: &mut Vec<UiAction>,
) -> [Response; 2] {
    // A narrow dock has the buttons in two rows.
    let wraps = ui.available_width() < NAME + BUTTONS * (ICON + 1.0);
    let layout = egui::Layout::left_to_right(egui::Align::Center).with_main_wrap(wraps);
    let row = vec2(ui.available_width(), ICON);
    let ends = ui.allocate_ui_with_layout(row, layout, |ui| {
        match state.recording {
            Some(recording) => recorded(ui, recording),
            None => drop(ui.label(egui::RichText::new("Meniscus").size(theme::TITLE).color(theme::STRONG))),
        }
        ui.spacing_mut().item_spacing.x = 1.0;
        ui.add_space((ui.available_width() - BUTTONS * (ICON + 1.0)).max(0.0));
        let more = buttons(ui, state, timings, actions);
        [button(ui, Icon::Fold, true, false, "Fold the panel"), more]
    });
    costs(ui, state, timings, head);
    ui.add_space(2.0);
    ends.inner
}

/// Returns the response of the button that opens the menu.
pub(super) fn buttons(ui: &mut Ui, state: &UiState<'_>, timings: &Timings, actions: &mut Vec<UiAction>) -> Response {
    let [can_undo, can_redo] = state.history;
    let going = state.recording.filter(|one| one.goes_on()).map(|one| matches!(one.stage, RecordingStage::Clip { .. }));
    for (icon, enabled, is_on, shortcut) in [
        (Icon::Undo, can_undo, false, Shortcut::Undo),
        (Icon::Redo, can_redo, false, Shortcut::Redo),
        (Icon::Open, true, false, Shortcut::Open),
        (Icon::Camera, state.is_readable, false, Shortcut::TakePicture),
        (Icon::Record, state.is_readable, going == Some(false), Shortcut::Record),
        (Icon::Clip, state.is_readable && going != Some(false), going == Some(true), Shortcut::RecordClip),
    ] {
        let mut hint = keys::hint(keys::text(shortcut), shortcut);
        match icon {
            Icon::Record => hint += &format!(". Without the panels. {}.", state.device.video),
            Icon::Clip => {
                let takes = timings.full_frame().and_then(|frame| recording::clip_takes(frame.us, state.device.video));
                let takes = takes.unwrap_or_default();
                hint += &format!(". {}. {}.{takes}", recording::CLIP, state.device.video);
            }
            _ => {}
        }
        if button(ui, icon, enabled, is_on, &hint).clicked() {
            actions.push(UiAction::Shortcut(shortcut));
        }
    }
    button(ui, Icon::More, true, false, "More: device, help, tour, copy command, defaults")
}

/// A red dot, and how much there is of it; in the bar of icons, where the button is red, its time alone.
pub(super) fn recorded(ui: &mut Ui, RecordingState { stage, bytes }: RecordingState) {
    let (text, hint) = match stage {
        RecordingStage::Window(seconds) => {
            let text = format!("{}:{:02}", seconds as u64 / 60, seconds as u64 % 60);
            (text, "The window is recorded, without the panels")
        }
        RecordingStage::Clip { part, .. } => (percent(part.into(), 0), "Eight seconds of video; Esc cancels it"),
        RecordingStage::Ending(part) => {
            (format!("Writing {}", percent(part.into(), 0)), "It has ended; the rest of its file is written")
        }
    };
    ui.ctx().request_repaint_after_secs(0.25);
    if !ui.layout().is_horizontal() {
        let shown = ui.label(theme::figure(text));
        theme::hint_aside(ui, &shown, hint);
        return;
    }
    // Painted, two lines in the place of the name: no text moves the buttons.
    let (place, response) = ui.allocate_exact_size(vec2(NAME - 6.0, ICON), Sense::hover());
    let [dot, left] = [4.0, 13.0].map(|x| place.left_center() + vec2(x, 0.0));
    ui.painter().circle_filled(dot, 3.5, theme::BAD);
    let lines = match stage {
        RecordingStage::Clip { left_s: Some(left_s), .. } => {
            [format!("Clip {text}"), format!("{} left", recording::minutes(left_s))]
        }
        RecordingStage::Clip { .. } => [format!("Clip {text}"), base::text::bytes(bytes)],
        _ => [text, base::text::bytes(bytes)],
    };
    for ((line, align), color) in
        lines.iter().zip([Align2::LEFT_BOTTOM, Align2::LEFT_TOP]).zip([theme::STRONG, theme::QUIET])
    {
        ui.painter().text(left, align, line, theme::font(theme::SMALL), color);
    }
    theme::speak(&response, WidgetType::Label, &lines.join(", "));
    theme::hint_aside(ui, &response, hint);
}

/// Four columns of one width each, so that no figure moves another.
fn costs(ui: &mut Ui, state: &UiState<'_>, timings: &Timings, head: &HeadState) {
    let is_still = head.rate == Rate::Idle && state.scene.refining.is_none();
    let (drawn, hint) = match (head.busy, head.rate, state.scene.refining) {
        (Some([busy, hint]), ..) => (busy.to_owned(), hint),
        (None, Rate::Idle, Some(part)) => (format!("refining {} %", (100.0 * part).floor().min(99.0)), REFINING),
        (None, Rate::Idle, None) => ("idle".into(), DRAWN),
        (None, rate, _) => (format!("{} / s", rate.text()), DRAWN),
    };
    let last = timings.full_frame().map(|FullFrame { us, .. }| format!("last {}", micros(us)));
    let now = |us: f64| if is_still { "at rest".to_owned() } else { micros(us) };
    let untimed = state.measured.untimed.map(sentence);
    let cells = match (&untimed, timings.spent()) {
        (Some(_), _) | (None, None) => [drawn, "—".into(), "—".into(), "—".into()],
        (None, Some(spent)) => {
            let scene = match last {
                Some(last) if spent.is_scene_still || is_still => last,
                _ => micros(spent.scene_us),
            };
            [drawn, now(spent.glass_us), scene, now(spent.panels_us)]
        }
    };
    let why = untimed.as_deref();
    let hints = [hint, why.unwrap_or(GLASS), why.unwrap_or(SCENE), why.unwrap_or(PANELS)];
    let (row, _) = ui.allocate_exact_size(vec2(ui.available_width(), 2.0 * LINE), Sense::hover());
    let scale = row.width() / COLUMNS.iter().sum::<f32>();
    let mut left = row.left();
    for (((name, value), hint), width) in
        ["drawn", "glass", "scene", "panels"].into_iter().zip(cells).zip(hints).zip(COLUMNS)
    {
        let place = Rect::from_min_size(pos2(left, row.top()), vec2(width * scale, row.height()));
        left += width * scale;
        let mut cell = ui.new_child(UiBuilder::new().max_rect(place));
        cell.spacing_mut().item_spacing.y = 0.0;
        let is_now = name == "drawn" || !value.starts_with("last");
        let color = if is_now { theme::TEXT } else { theme::QUIET };
        cell.add(egui::Label::new(theme::small(name)).truncate());
        cell.add(egui::Label::new(theme::figure(value).color(color)).truncate());
        theme::hint_aside(ui, &ui.interact(place, ui.id().with(name), Sense::hover()), hint);
    }
}

pub(super) fn button(ui: &mut Ui, icon: Icon, enabled: bool, is_on: bool, hint: &str) -> Response {
    let sense = if enabled { Sense::click() } else { Sense::hover() };
    let (rect, response) = ui.allocate_exact_size(vec2(ICON, ICON), sense);
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, enabled, hint));
    if enabled && (response.hovered() || response.has_focus()) {
        ui.painter().rect_filled(rect.shrink(1.0), 6.0, ui.visuals().widgets.hovered.bg_fill);
    }
    let color = match (enabled, is_on, response.hovered()) {
        (false, ..) => theme::QUIET.gamma_multiply(0.45),
        (true, true, _) if matches!(icon, Icon::Record | Icon::Clip) => theme::BAD,
        (true, true, _) => theme::ACCENT,
        (true, false, true) => theme::STRONG,
        (true, false, false) => theme::TEXT,
    };
    ui.painter().extend(shapes(icon, rect.center(), color, is_on));
    if icon == Icon::Clip {
        ui.painter().text(rect.center(), Align2::CENTER_CENTER, "8 s", theme::font(theme::SMALL), color);
    }
    theme::hint_aside(ui, &response, hint);
    response
}

/// Within 14 points.
fn shapes(icon: Icon, center: Pos2, color: Color32, is_on: bool) -> Vec<Shape> {
    let stroke = Stroke::new(1.4, color);
    let at = |x: f32, y: f32| center + vec2(x, y);
    let line = |points: &[[f32; 2]]| Shape::line(points.iter().map(|[x, y]| at(*x, *y)).collect(), stroke);
    let dot = |x: f32, radius: f32| Shape::circle_filled(at(x, 0.0), radius, color);
    match icon {
        Icon::Undo | Icon::Redo => {
            let side = if icon == Icon::Undo { 1.0 } else { -1.0 };
            let arc = (0..=12).map(|step| {
                let angle = std::f32::consts::PI * (step as f32 / 12.0 - 0.5);
                [side * (1.0 + 4.0 * angle.cos()), 1.0 + 4.0 * angle.sin()]
            });
            let mut points = vec![[side * -5.0, -3.0]];
            points.extend(arc);
            points.push([side * -2.0, 5.0]);
            vec![line(&points), line(&[[side * -2.2, -6.0], [side * -5.2, -3.0], [side * -2.2, 0.0]])]
        }
        Icon::Open => vec![
            line(&[[-6.0, 4.5], [-6.0, -4.5], [-2.0, -4.5], [-0.5, -2.5], [4.5, -2.5], [4.5, -0.5]]),
            line(&[[-6.0, 4.5], [-3.8, -0.5], [6.5, -0.5], [4.3, 4.5], [-6.0, 4.5]]),
        ],
        Icon::Camera => vec![
            Shape::rect_stroke(Rect::from_min_max(at(-6.5, -3.2), at(6.5, 5.0)), 2.0, stroke, egui::StrokeKind::Middle),
            Shape::circle_stroke(at(0.0, 0.9), 2.5, stroke),
            line(&[[-2.4, -3.2], [-1.4, -5.0], [1.4, -5.0], [2.4, -3.2]]),
        ],
        Icon::Record if is_on => vec![Shape::rect_filled(Rect::from_center_size(center, vec2(9.0, 9.0)), 2.0, color)],
        Icon::Record => vec![Shape::circle_stroke(center, 6.0, stroke), dot(0.0, 3.2)],
        Icon::Clip => vec![line(&[[-8.0, 7.0], [8.0, 7.0]])],
        Icon::More => vec![dot(-5.0, 1.5), dot(0.0, 1.5), dot(5.0, 1.5)],
        Icon::Fold | Icon::Unfold => {
            let side = if icon == Icon::Fold { 1.0 } else { -1.0 };
            let angle = |x: f32| line(&[[side * (x - 2.0), -4.5], [side * (x + 2.5), 0.0], [side * (x - 2.0), 4.5]]);
            vec![angle(-2.5), angle(2.5)]
        }
        Icon::Glass => vec![
            Shape::rect_stroke(Rect::from_min_max(at(-6.5, -5.0), at(6.5, 5.0)), 5.0, stroke, egui::StrokeKind::Middle),
            line(&[[-3.8, 0.4], [-3.4, -1.4], [-1.6, -2.4]]),
        ],
        Icon::Techniques => [-3.0, 0.5, 4.0]
            .into_iter()
            .zip([true, false, false])
            .map(|(y, is_whole)| {
                let below = [[-6.5, y], [0.0, y + 3.0], [6.5, y]];
                let all = [&below[..], &[[0.0, y - 3.0], below[0]]].concat();
                line(if is_whole { &all } else { &below })
            })
            .collect(),
        Icon::Inspect => vec![Shape::circle_stroke(at(-1.2, -1.2), 4.3, stroke), line(&[[2.0, 2.0], [6.0, 6.0]])],
    }
}
