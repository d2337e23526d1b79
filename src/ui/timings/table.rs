//! Table of costs.

use std::sync::Arc;

use egui::text::LayoutJob;
use egui::{Align2, Color32, Galley, Response, Sense, Ui, WidgetType, pos2, vec2};

use super::super::{cost_grid, settings::collapsing, theme};
use super::cost::{Cost, FigureOf, Figures};
use base::text::{micros, micros_in_unit, percent};

const GAP: f32 = 10.0;
/// Least width of names: with less, the longest times are dropped, then the shares.
const NAMES: f32 = 90.0;
/// Room for the star.
const STAR: f32 = 13.0;
const DASH: &str = "—";

pub(super) enum Mark {
    Technique { color: egui::Color32, open: Option<bool> },
    Pass,
    Frame,
}

/// Heads with tooltips, and the columns that are shown where one, two, three or four fit.
pub(super) struct Layout {
    pub heads: &'static [(&'static str, &'static str)],
    pub by_room: [&'static [usize]; 4],
}

pub(super) const TIMES: Layout = Layout {
    heads: &[
        ("last run", "In the newest frame in which it ran; at rest in the last full frame, which drew everything"),
        ("a frame", "Per displayed frame: its time in the last second, divided by all frames of that second"),
        ("longest", "In the frame of the last second that took longest"),
        ("share", "Share of the time of all frames of the last second; at rest of the last full frame"),
    ],
    by_room: [&[0], &[0, 1], &[0, 1, 3], &[0, 1, 2, 3]],
};

pub(super) type Cells = Vec<Option<[String; 2]>>;

pub(super) struct Row<'a> {
    pub title: &'a str,
    pub name: String,
    pub cost: &'a Cost,
    pub cells: Cells,
    /// Figures as they are read out.
    pub spoken: String,
    pub notes: Vec<String>,
    pub mark: Mark,
    /// Its figures are marked.
    pub is_costliest: bool,
}

impl<'a> Row<'a> {
    pub fn times(title: &'a str, name: String, cost: &'a Cost, side: usize, mark: Mark) -> Self {
        let figures = cost.shown[side];
        let share = [format!("{:.0}", 100.0 * figures.share), "%".into()];
        // A column has figures of the same frames.
        let [last, mean, longest, _] = figures.columns().map(|us| us.map(micros_in_unit));
        let spoken = texts(figures).join(", ");
        let cells = vec![last, mean, longest, Some(share).filter(|_| figures.share > 0.0)];
        Self { title, name, cost, cells, spoken, notes: Vec::new(), mark, is_costliest: false }
    }
}

/// From the right end of a row leftwards.
pub(super) struct Columns {
    layout: &'static Layout,
    shown: &'static [usize],
    figure: f32,
    unit: f32,
}

impl Columns {
    /// All columns are as wide as the widest possible figure, so that they do not move while figures change.
    pub fn new(ui: &Ui, layout: &'static Layout) -> Self {
        let width = |text: &str| ui.painter().layout_no_wrap(text.into(), theme::figures(), theme::TEXT).size().x;
        let (figure, unit) = (width("0000"), width(" µs"));
        let fit = ((ui.available_width() - NAMES) / (GAP + figure + unit)).floor() as i32;
        let shown = layout.by_room[fit.clamp(1, 4) as usize - 1];
        Self { layout, shown, figure, unit }
    }

    fn width(&self) -> f32 {
        self.shown.len() as f32 * (GAP + self.figure + self.unit)
    }

    /// Each column with its right end in a row that ends at `right`.
    fn places(&self, right: f32) -> impl Iterator<Item = (usize, f32)> {
        let (step, count) = (GAP + self.figure + self.unit, self.shown.len());
        (0..count).map(move |place| (self.shown[place], right - (count - 1 - place) as f32 * step))
    }
}

/// Returns the clicked column; `sorted_by` has a mark.
pub(super) fn heading(ui: &mut Ui, columns: &Columns, sorted_by: Option<Option<usize>>) -> Option<usize> {
    let mut clicked = None;
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 16.0), Sense::hover());
    for (column, x) in columns.places(rect.right()) {
        let (text, meaning) = columns.layout.heads[column];
        let font = theme::font(theme::SMALL);
        let is_sorted = sorted_by == Some(Some(column));
        let color = if is_sorted { theme::STRONG } else { theme::QUIET };
        let shown = if is_sorted { format!("{text} \u{2193}") } else { text.to_owned() };
        let ink = ui.painter().text(pos2(x, rect.center().y), Align2::RIGHT_CENTER, shown, font, color);
        let (sense, action) = match sorted_by {
            None => (Sense::hover(), ""),
            Some(_) if is_sorted => (Sense::click(), ".\nA click: in the order of a frame"),
            Some(_) => (Sense::click(), ".\nA click: costliest first"),
        };
        let head = ui.interact(ink.expand(2.0), ui.id().with(("head", column)), sense);
        if sorted_by.is_some() {
            theme::speak(&head, WidgetType::Button, &format!("Sort by {text}"));
        }
        if head.on_hover_text(format!("{meaning}{action}")).clicked() {
            clicked = Some(column);
        }
    }
    clicked
}

pub(super) fn row(ui: &mut Ui, columns: &Columns, row: Row<'_>) -> Response {
    let Row { title, name, cost, cells, spoken, mark, is_costliest, .. } = row;
    let indent = match mark {
        Mark::Technique { open: None, .. } | Mark::Frame => 15.0,
        Mark::Technique { .. } | Mark::Pass => 26.0,
    };
    let is_of_several = cost.frames_of_parts > 1;
    let room = ui.available_width() - columns.width() - indent - if is_of_several { STAR } else { 0.0 };
    let galley = name_galley(ui, &name, room);
    let height = (galley.size().y + 3.0).max(19.0);
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    // By kind and name: rows come and go, and the focus stays; a pass may be named like its group.
    let id = ui.id().with(("row", std::mem::discriminant(&mark), title));
    let response = ui.interact(rect, id, Sense::click());
    // A press elsewhere, such as on a lens, ends the preview of the row with the focus.
    if response.has_focus() && !response.contains_pointer() && ui.input(|input| input.pointer.any_pressed()) {
        response.surrender_focus();
    }
    let name_color = match (&mark, cost.is_live()) {
        (_, false) => theme::DIM,
        (Mark::Pass, true) => theme::QUIET.lerp_to_gamma(theme::TEXT, 0.5),
        (_, true) => theme::STRONG,
    };
    let is_frame = matches!(mark, Mark::Frame);
    let name_at = rect.left() + indent;
    if let Mark::Technique { color, open } = mark {
        let color = if cost.is_live() { color } else { color.gamma_multiply(0.4) };
        ui.painter().circle_filled(pos2(rect.left() + 5.0, rect.center().y), 3.5, color);
        if response.hovered() && open.is_some() {
            ui.painter().rect_filled(rect.expand2(vec2(4.0, 0.0)), 4.0, ui.visuals().faint_bg_color);
        }
        if let Some(open) = open {
            let at = pos2(rect.left() + 18.0, rect.center().y);
            collapsing::chevron(ui, at, if open { 1.0 } else { 0.0 }, name_color);
        }
    }
    let in_frames = cost.in_frames();
    let several = format!("of {} frames", cost.frames_of_parts);
    let marks: Vec<String> = match (&in_frames, is_of_several) {
        (Some(part), true) => vec![format!("{part} frames *"), "*".into()],
        (Some(part), false) => vec![format!("{part} frames")],
        (None, true) => vec![several.clone(), "*".into()],
        (None, false) => Vec::new(),
    };
    draw_name(ui, rect, [name_at, rect.right() - columns.width()], (galley, name_color), &marks);
    for (column, x) in columns.places(rect.right()) {
        let figure_at = pos2(x - columns.unit, rect.center().y);
        let (painter, right) = (ui.painter(), Align2::RIGHT_CENTER);
        let Some(Some([figure, unit])) = cells.get(column) else {
            painter.text(figure_at, right, DASH, theme::figures(), theme::DIM);
            continue;
        };
        let color = if is_costliest { theme::ACCENT } else { name_color };
        painter.text(figure_at, right, figure, theme::figures(), color);
        painter.text(figure_at, Align2::LEFT_CENTER, format!(" {unit}"), theme::figures(), theme::QUIET);
    }
    let seldom = in_frames.as_ref().map_or(String::new(), |part| format!(" in {part} frames"));
    let several = if is_of_several { format!(", {several}") } else { String::new() };
    let spoken = format!("{title}{seldom}{several}: {spoken}");
    theme::speak(&response, WidgetType::Button, &spoken);
    match is_frame {
        true => response.on_hover_ui(|ui| {
            ui.label(theme::heading(title));
            cost_grid::show(ui, &cost.shown.map(texts));
            let of = "At rest. The last run is of what drew the picture under the glass.";
            ui.label(theme::small(if cost.shown[0].rests { of.to_owned() } else { notes(cost) }));
        }),
        false => response,
    }
}

pub(super) fn notes(cost: &Cost) -> String {
    let several = match cost.frames_of_parts {
        0 | 1 => "",
        _ => {
            " Its passes ran last in several frames, so they do not add up to its figure, which is of one of those frames or of the last second."
        }
    };
    // A figure and its unit stay on one line.
    let [gpu, cpu] = cost.shown.map(|figures| percent(figures.share, 1).replace(' ', "\u{a0}"));
    let when = match cost.in_frames() {
        _ if !cost.is_live() => {
            let of = match cost.figure_of() {
                FigureOf::FullFrame => "Time and share are of the last full frame.",
                _ => "The time is of the last frame in which it ran.",
            };
            return format!(
                "Grey: it did not run in the last second, since what it makes is still the same or nothing uses it. {of}{several}"
            );
        }
        Some(part) => format!("It runs in {part} frames"),
        None => "It runs in every frame".to_owned(),
    };
    let of = if cost.shown[0].rests { "last full frame" } else { "last second's frames" };
    format!("{when}. Share of the {of}: GPU {gpu}, CPU {cpu}.{several}")
}

fn name_galley(ui: &Ui, name: &str, room: f32) -> Arc<Galley> {
    let mut job = LayoutJob::simple(
        name.to_owned(),
        egui::TextStyle::Body.resolve(ui.style()),
        Color32::PLACEHOLDER,
        room.max(1.0),
    );
    job.wrap.max_rows = 2;
    ui.painter().layout_job(job)
}

/// Followed by the first of the marks for which there is room.
fn draw_name(ui: &Ui, row: egui::Rect, [from, to]: [f32; 2], (name, color): (Arc<Galley>, Color32), marks: &[String]) {
    let at = pos2(from, row.center().y - name.size().y / 2.0);
    let end = from + name.size().x + 6.0;
    ui.painter().galley(at, name, color);
    let layout = |mark: &String| ui.painter().layout_no_wrap(mark.clone(), theme::font(theme::SMALL), theme::QUIET);
    if let Some(mark) = marks.iter().map(layout).find(|mark| end + mark.size().x <= to) {
        ui.painter().galley(pos2(end, row.center().y - mark.size().y / 2.0 + 0.5), mark, theme::QUIET);
    }
}

/// The dot of a group as a button that pins the picture of a pass; returns whether it was clicked.
pub(super) fn pin(ui: &Ui, row: &Response, pass: &str) -> bool {
    let place = egui::Rect::from_min_size(row.rect.min - vec2(2.0, 0.0), vec2(14.0, row.rect.height()));
    let response = ui.interact(place, row.id.with("pin"), Sense::CLICK);
    theme::speak(&response, WidgetType::Button, &format!("Pin {pass}"));
    if response.hovered() {
        let dot = pos2(row.rect.left() + 5.0, row.rect.center().y);
        ui.painter().circle_stroke(dot, 5.5, egui::Stroke::new(1.2, theme::STRONG));
    }
    response.on_hover_text(format!("Pin the picture of {pass}, or release it")).clicked()
}

pub(super) fn texts(figures: Figures) -> [String; 3] {
    [figures.last, figures.mean, figures.longest].map(|us| us.map_or(DASH.into(), micros))
}
