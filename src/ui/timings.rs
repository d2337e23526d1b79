//! What each pass costs: a history of the last frames, as a table summed by technique and as a graph.

use std::collections::{BTreeMap, BTreeSet};

use egui::{Align2, FontId, Response, Sense, Ui, WidgetInfo, WidgetType, pos2, vec2};

use super::timings_queues::{self, QueueAxis, QueueNote};
use super::{fold, theme, timings_graph};
use crate::base::stats::Series;
use crate::base::text::{micros, micros_in_unit, sentence};
use crate::base::timing::{FrameTiming, PassTiming, technique_of};

/// How many frames the figures look back.
pub const FRAMES: usize = 240;
/// Seconds between two looks at the figures: faster ones cannot be read.
const LOOK_S: f64 = 0.25;
/// What did not run in so many frames one after the other runs no more: parts of a world that is drawn over several frames come back before.
const RECENT: usize = 12;
/// Space before a column of figures, in points.
const GAP: f32 = 10.0;
/// Least room for names, in points: where three columns leave less, the last frame's figures go, then the percentile's.
const NAMES: f32 = 90.0;

/// Last, median and 95th percentile in microseconds, as shown.
#[derive(Clone, Copy, Debug, Default)]
struct Figures {
    last: Option<f64>,
    median: Option<f64>,
    p95: Option<f64>,
}

impl Figures {
    /// In the order of the columns.
    fn all(self) -> [Option<f64>; 3] {
        [self.last, self.median, self.p95]
    }
}

/// The history of one pass, one technique or the frame.
pub(super) struct Cost {
    /// GPU and CPU microseconds of the frames in which it ran.
    ran: [Series; 2],
    /// The same of every frame, 0 where it did not run: all lines of the graph are equally long.
    pub(super) lines: [Series; 2],
    /// Frames since it ran.
    idle: usize,
    /// Where it stands among the others, in the frame's order.
    place: usize,
    shown: [Figures; 2],
    /// Parts of the time of all frames, 0 to 1.
    shares: [f64; 2],
}

impl Cost {
    /// `age` frames went by without it.
    fn new(age: usize) -> Self {
        let series = || Series::new(FRAMES);
        let mut cost = Self {
            ran: [series(), series()],
            lines: [series(), series()],
            idle: RECENT,
            place: usize::MAX,
            shown: [Figures::default(); 2],
            shares: [0.0; 2],
        };
        (0..age).for_each(|_| cost.rest());
        cost
    }

    fn push(&mut self, gpu_us: Option<f64>, cpu_us: f64) {
        for (side, us) in [gpu_us, Some(cpu_us)].into_iter().enumerate() {
            us.into_iter().for_each(|us| self.ran[side].push(us));
            self.lines[side].push(us.unwrap_or(0.0));
        }
        self.idle = 0;
    }

    /// A frame went by without it.
    fn rest(&mut self) {
        self.idle = self.idle.saturating_add(1);
        self.lines.iter_mut().for_each(|line| line.push(0.0));
    }

    /// Whether it ran in one of the last frames.
    fn is_live(&self) -> bool {
        self.idle < RECENT
    }

    /// `frames_us`: GPU and CPU microseconds of all frames.
    fn look(&mut self, frames_us: [f64; 2]) {
        let figures = |series: &Series| Figures { last: series.last(), median: series.median(), p95: series.p95() };
        self.shown = self.ran.each_ref().map(figures);
        let share = |side: usize| (self.lines[side].iter().sum::<f64>() / frames_us[side].max(1e-9)).min(1.0);
        self.shares = [share(0), share(1)];
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Side {
    Gpu,
    Cpu,
}

/// The history of all passes.
pub struct Timings {
    /// What no pass has of the frame: between passes, and waiting.
    pub(super) rest: Cost,
    /// By pass path, in order of first appearance.
    passes: Vec<(String, Cost)>,
    /// By technique, in order of first appearance, which gives each its colour.
    pub(super) techniques: Vec<(String, Cost)>,
    pub(super) frame: Cost,
    pushed: usize,
    looked_at_s: Option<f64>,
    looked_at_frame: usize,
    open: BTreeSet<String>,
    side: Side,
    /// The newest frame on the queues' axis, and the one that is shown.
    newest: QueueAxis,
    queues: QueueAxis,
}

impl Default for Timings {
    fn default() -> Self {
        Self {
            rest: Cost::new(0),
            passes: Vec::new(),
            techniques: Vec::new(),
            frame: Cost::new(0),
            pushed: 0,
            looked_at_s: None,
            looked_at_frame: 0,
            open: BTreeSet::new(),
            side: Side::Gpu,
            newest: QueueAxis::default(),
            queues: QueueAxis::default(),
        }
    }
}

impl Timings {
    /// Takes over a finished frame.
    pub fn push(&mut self, timing: &FrameTiming) {
        push_all(&mut self.passes, timing.by_pass(), self.pushed);
        push_all(&mut self.techniques, timing.by_technique(), self.pushed);
        self.frame.push(timing.gpu_us, timing.cpu_us);
        let gpu_us: f64 = timing.passes.iter().filter_map(|pass| pass.gpu_us).sum();
        let cpu_us: f64 = timing.passes.iter().map(|pass| pass.cpu_us).sum();
        self.rest.push(timing.gpu_us.map(|us| (us - gpu_us).max(0.0)), (timing.cpu_us - cpu_us).max(0.0));
        self.newest = QueueAxis::of(timing);
        self.pushed += 1;
    }

    /// Median GPU microseconds of a frame that a technique takes, and its part of the time of all frames; nothing where it did not run in
    /// any of the last few.
    pub fn cost_of(&self, technique: &str) -> Option<(f64, f64)> {
        let (_, cost) = self.techniques.iter().find(|(name, cost)| name == technique && cost.is_live())?;
        Some((cost.shown[0].median?, cost.shares[0]))
    }

    /// Forgets the past, as after a change that makes the old figures meaningless. Colours stay.
    pub fn clear(&mut self) {
        for (_, cost) in self.passes.iter_mut().chain(&mut self.techniques) {
            *cost = Cost::new(0);
        }
        (self.frame, self.rest) = (Cost::new(0), Cost::new(0));
        (self.newest, self.queues) = Default::default();
        (self.pushed, self.looked_at_s) = (0, None);
    }

    /// Median GPU microseconds of a frame, as last looked at.
    pub fn frame_gpu_us(&self) -> Option<f64> {
        self.frame.shown[0].median
    }

    /// Refreshes the figures when it is time; asks for another look while there are frames not yet looked at.
    pub fn look(&mut self, ctx: &egui::Context) {
        let now_s = ctx.input(|input| input.time);
        if self.looked_at_frame == self.pushed && self.looked_at_s.is_some() {
            return;
        }
        let wait_s = self.looked_at_s.map_or(0.0, |at_s| at_s + LOOK_S - now_s);
        if wait_s > 0.0 {
            ctx.request_repaint_after_secs(wait_s as f32);
            return;
        }
        (self.looked_at_s, self.looked_at_frame) = (Some(now_s), self.pushed);
        self.queues = self.newest.clone();
        let frames_us = self.frame.lines.each_ref().map(|line| line.iter().sum());
        [&mut self.frame, &mut self.rest].into_iter().for_each(|cost| cost.look(frames_us));
        self.passes.iter_mut().chain(&mut self.techniques).for_each(|(_, cost)| cost.look(frames_us));
    }

    /// Graph, queues and table; `title_of` a technique's id.
    pub(super) fn show(&mut self, ui: &mut Ui, note: &QueueNote, title_of: &dyn Fn(&str) -> Option<String>) {
        if self.pushed == 0 {
            ui.label(theme::small("No frame has been timed yet."));
            return;
        }
        let sides =
            [(Side::Gpu, "GPU", "Between the timestamps around each pass"), (Side::Cpu, "CPU", "Recording each pass")];
        fold::segments(ui, &mut self.side, &sides);
        ui.add_space(4.0);
        let (side, title) = (self.side as usize, |id: &str| title(id, title_of));
        timings_graph::show(ui, self, side, &title);
        ui.add_space(4.0);
        if self.side == Side::Gpu {
            let place = |id: &str| self.techniques.iter().position(|(name, _)| name == id).unwrap_or(0);
            timings_queues::show(ui, &self.queues, note, &|id| theme::line_color(place(id)), &title);
            ui.add_space(4.0);
        }
        let columns = Columns::new(ui);
        heading(ui, &columns);
        let mut toggled = None;
        for (index, (technique, sum)) in in_order(&self.techniques) {
            let passes = in_order(&self.passes).into_iter().map(|(_, pass)| pass);
            let passes: Vec<_> = passes.filter(|(name, _)| technique_of(name) == technique).collect();
            let is_open = self.open.contains(technique);
            let has_more = passes.len() > 1 || passes.iter().any(|(name, _)| name != technique);
            let mark = Mark::Technique { color: theme::line_color(index), open: has_more.then_some(is_open) };
            if row(ui, &columns, (technique, &title(technique)), sum, side, mark).clicked() && has_more {
                toggled = Some(technique.clone());
            }
            if is_open {
                for (name, cost) in passes {
                    let short = name.split_once('/').map_or(name.as_str(), |(_, what)| what);
                    row(ui, &columns, (name, &sentence(short)), cost, side, Mark::Pass);
                }
            }
        }
        let rest = ["Between passes, waiting", "Outside passes"][side];
        let short = ["Gaps, waiting", "Outside passes"][side];
        row(ui, &columns, (rest, short), &self.rest, side, Mark::Frame);
        fold::rule(ui);
        row(ui, &columns, ("Frame", "Frame"), &self.frame, side, Mark::Frame);
        if let Some(technique) = toggled
            && !self.open.remove(&technique)
        {
            self.open.insert(technique);
        }
    }
}

/// By their places in the frame; with the number of each, which is its colour.
pub(super) fn in_order(costs: &[(String, Cost)]) -> Vec<(usize, &(String, Cost))> {
    let mut all: Vec<_> = costs.iter().enumerate().collect();
    all.sort_by_key(|(index, (_, cost))| (cost.place, *index));
    all
}

/// What the panel calls the passes of one folder.
fn title(id: &str, title_of: &dyn Fn(&str) -> Option<String>) -> String {
    match id {
        "ui" => "Panels".into(),
        "renderer" => "Final image".into(),
        id => title_of(id).unwrap_or_else(|| crate::base::text::title(id)),
    }
}

fn push_all(costs: &mut Vec<(String, Cost)>, rows: Vec<PassTiming>, age: usize) {
    let order: Vec<String> = rows.iter().map(|row| row.name.clone()).collect();
    let mut rows: BTreeMap<String, (usize, PassTiming)> =
        rows.into_iter().enumerate().map(|(place, row)| (row.name.clone(), (place, row))).collect();
    for (name, cost) in costs.iter_mut() {
        match rows.remove(name) {
            Some((_, row)) => cost.push(row.gpu_us, row.cpu_us),
            None => cost.rest(),
        }
    }
    let mut new: Vec<_> = rows.into_values().collect();
    new.sort_by_key(|(place, _)| *place);
    for (_, row) in new {
        let mut cost = Cost::new(age.min(FRAMES));
        cost.push(row.gpu_us, row.cpu_us);
        costs.push((row.name, cost));
    }
    keep_order(costs, &order);
}

/// Gives each its place: those of a frame in its `order`; others, which did not run in it, stay behind what they stood behind. A frame that is only a
/// part of what runs moves nothing that has a place.
fn keep_order(costs: &mut [(String, Cost)], order: &[String]) {
    let is_whole = costs.iter().all(|(name, cost)| !cost.is_live() || order.contains(name));
    let mut names: Vec<String> = Vec::new();
    let mut standing: Vec<(usize, String)> = costs.iter().map(|(name, cost)| (cost.place, name.clone())).collect();
    standing.retain(|(place, _)| *place != usize::MAX);
    standing.sort();
    names.extend(standing.into_iter().map(|(_, name)| name));
    let mut at = 0;
    for name in order {
        match names.iter().position(|known| known == name) {
            Some(known) if known >= at => at = known + 1,
            Some(_) if !is_whole => {}
            Some(known) => {
                let moved = names.remove(known);
                names.insert(at - 1, moved);
            }
            None => {
                names.insert(at, name.clone());
                at += 1;
            }
        }
    }
    for (name, cost) in costs {
        cost.place = names.iter().position(|known| known == name).unwrap_or(usize::MAX);
    }
}

/// What stands before a row's name.
enum Mark {
    Technique { color: egui::Color32, open: Option<bool> },
    Pass,
    Frame,
}

/// The columns of figures that there is room for, from the right end of a row leftwards; all in points.
struct Columns {
    /// Which of last, median, 95th percentile and share are shown, the leftmost first.
    shown: &'static [usize],
    figure: f32,
    unit: f32,
}

impl Columns {
    /// All columns are as wide as the widest figure can be, so that they stand still while figures change.
    fn new(ui: &Ui) -> Self {
        let width = |text: &str| ui.painter().layout_no_wrap(text.into(), figure_font(), theme::TEXT).size().x;
        let (figure, unit) = (width("0000"), width(" µs"));
        let fit = ((ui.available_width() - NAMES) / (GAP + figure + unit)).floor() as i32;
        let shown: &[usize] = match fit {
            ..=1 => &[1],
            2 => &[1, 3],
            3 => &[1, 2, 3],
            _ => &[0, 1, 2, 3],
        };
        Self { shown, figure, unit }
    }

    /// How much of a row they take.
    fn width(&self) -> f32 {
        self.shown.len() as f32 * (GAP + self.figure + self.unit)
    }

    /// Each column with its right end in a row that ends at `right`.
    fn places(&self, right: f32) -> impl Iterator<Item = (usize, f32)> {
        let (step, count) = (GAP + self.figure + self.unit, self.shown.len());
        (0..count).map(move |place| (self.shown[place], right - (count - 1 - place) as f32 * step))
    }
}

fn figure_font() -> FontId {
    FontId::monospace(11.0)
}

fn heading(ui: &mut Ui, columns: &Columns) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 16.0), Sense::hover());
    for (column, x) in columns.places(rect.right()) {
        let (text, font) = (["last", "median", "p95", "share"][column], FontId::proportional(10.5));
        ui.painter().text(pos2(x, rect.center().y), Align2::RIGHT_CENTER, text, font, theme::QUIET);
    }
}

/// `path` is what is said of the row, `name` what stands in it.
fn row(ui: &mut Ui, columns: &Columns, (path, name): (&str, &str), cost: &Cost, side: usize, mark: Mark) -> Response {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 19.0), Sense::click());
    let name_color = match (&mark, cost.is_live()) {
        (_, false) => theme::DIM,
        (Mark::Pass, true) => theme::QUIET.lerp_to_gamma(theme::TEXT, 0.5),
        (_, true) => theme::STRONG,
    };
    let mut name_at = rect.left() + 15.0;
    match mark {
        Mark::Technique { color, open } => {
            let color = if cost.is_live() { color } else { color.gamma_multiply(0.4) };
            ui.painter().circle_filled(pos2(rect.left() + 5.0, rect.center().y), 3.5, color);
            if response.hovered() && open.is_some() {
                ui.painter().rect_filled(rect.expand2(vec2(4.0, 0.0)), 4.0, ui.visuals().faint_bg_color);
            }
            if let Some(open) = open {
                let at = pos2(rect.left() + 18.0, rect.center().y);
                fold::chevron(ui, at, if open { 1.0 } else { 0.0 }, name_color);
                name_at += 11.0;
            }
        }
        Mark::Pass => name_at += 11.0,
        Mark::Frame => {}
    }
    let name_end = rect.right() - columns.width();
    let galley = egui::WidgetText::from(egui::RichText::new(name).color(name_color)).into_galley(
        ui,
        Some(egui::TextWrapMode::Truncate),
        (name_end - name_at).max(0.0),
        egui::TextStyle::Body,
    );
    let at = pos2(name_at, rect.center().y - galley.size().y / 2.0);
    ui.painter().galley(at, galley, name_color);
    for (column, x) in columns.places(rect.right()) {
        let figure_at = pos2(x - columns.unit, rect.center().y);
        let (painter, right) = (ui.painter(), Align2::RIGHT_CENTER);
        let share = [format!("{:.0}", 100.0 * cost.shares[side]), "%".into()];
        let figure = match cost.shown[side].all().get(column) {
            Some(us) => us.map(micros_in_unit),
            None => Some(share).filter(|_| cost.shares[side] > 0.0),
        };
        let Some([figure, unit]) = figure else {
            painter.text(figure_at, right, DASH, figure_font(), theme::DIM);
            continue;
        };
        painter.text(figure_at, right, figure, figure_font(), name_color);
        painter.text(figure_at, Align2::LEFT_CENTER, format!(" {unit}"), figure_font(), theme::QUIET);
    }
    let [last, median, p95] = texts(cost.shown[side]);
    let spoken = format!("{path}: {last}, {median}, {p95}");
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, &spoken));
    response.on_hover_ui(|ui| {
        ui.label(theme::heading(path));
        for (side, figures) in ["GPU", "CPU"].into_iter().zip(cost.shown) {
            let [last, median, p95] = self::texts(figures);
            ui.label(theme::figure(format!("{side}  last {last:>9}  median {median:>9}  p95 {p95:>9}")));
        }
        let [gpu, cpu] = cost.shares.map(|share| format!("{:.1} %", 100.0 * share));
        ui.label(theme::small(format!("Of the time of the last {FRAMES} frames: GPU {gpu}, CPU {cpu}.")));
        if !cost.is_live() {
            ui.label(theme::small(format!("Did not run in the last {RECENT} frames.")));
        }
    })
}

/// What stands where there is no figure.
const DASH: &str = "—";

fn texts(figures: Figures) -> [String; 3] {
    figures.all().map(|us| us.map_or(DASH.into(), micros))
}

#[cfg(test)]
#[path = "timings_tests.rs"]
mod tests;
