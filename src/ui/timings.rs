//! What each pass costs: a history of the last frames, as a table summed by technique and as a graph.

use std::collections::{BTreeMap, BTreeSet};

use egui::{Align2, FontId, Rect, Response, Sense, Ui, WidgetInfo, WidgetType, pos2, vec2};

use super::{fold, theme, timings_graph};
use crate::base::stats::Series;
use crate::base::timing::{FrameTiming, PassTiming, technique_of};

/// How many frames the figures look back.
pub const FRAMES: usize = 240;
/// Seconds between two looks at the figures: faster ones cannot be read.
const LOOK_S: f64 = 0.25;
/// Width of a column of figures, in points.
const COLUMN: f32 = 54.0;

/// Last, median and 95th percentile in microseconds, as shown.
#[derive(Clone, Copy, Debug, Default)]
struct Figures {
    last: Option<f64>,
    median: Option<f64>,
    p95: Option<f64>,
}

/// The history of one pass, one technique or the frame.
pub(super) struct Cost {
    gpu: Series,
    cpu: Series,
    /// GPU microseconds of every frame, 0 where it did not run: all lines of the graph are equally long.
    pub(super) line: Series,
    /// Whether it ran in the last frame.
    is_live: bool,
    shown: [Figures; 2],
}

impl Cost {
    /// `age` frames went by without it.
    fn new(age: usize) -> Self {
        let mut line = Series::new(FRAMES);
        (0..age).for_each(|_| line.push(0.0));
        Self {
            gpu: Series::new(FRAMES),
            cpu: Series::new(FRAMES),
            line,
            is_live: false,
            shown: [Figures::default(); 2],
        }
    }

    fn push(&mut self, gpu_us: Option<f64>, cpu_us: f64) {
        gpu_us.into_iter().for_each(|us| self.gpu.push(us));
        self.cpu.push(cpu_us);
        self.line.push(gpu_us.unwrap_or(0.0));
        self.is_live = true;
    }

    fn look(&mut self) {
        let figures = |series: &Series| Figures { last: series.last(), median: series.median(), p95: series.p95() };
        self.shown = [figures(&self.gpu), figures(&self.cpu)];
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Side {
    Gpu,
    Cpu,
}

/// The history of all passes.
pub struct Timings {
    /// By pass path, in order of first appearance.
    passes: Vec<(String, Cost)>,
    /// By technique, in order of first appearance, which gives each its colour.
    pub(super) techniques: Vec<(String, Cost)>,
    pub(super) frame: Cost,
    interval: Series,
    pushed: usize,
    looked_at_s: Option<f64>,
    looked_at_frame: usize,
    open: BTreeSet<String>,
    side: Side,
}

impl Default for Timings {
    fn default() -> Self {
        Self {
            passes: Vec::new(),
            techniques: Vec::new(),
            frame: Cost::new(0),
            interval: Series::new(FRAMES),
            pushed: 0,
            looked_at_s: None,
            looked_at_frame: 0,
            open: BTreeSet::new(),
            side: Side::Gpu,
        }
    }
}

impl Timings {
    /// Takes over a finished frame. `interval_us`: microseconds since the frame before was shown, if the program did not idle
    /// in between; frames a second come from it.
    pub fn push(&mut self, timing: &FrameTiming, interval_us: Option<f64>) {
        push_all(&mut self.passes, timing.by_pass(), self.pushed);
        push_all(&mut self.techniques, timing.by_technique(), self.pushed);
        self.frame.push(timing.gpu_us, timing.cpu_us);
        interval_us.into_iter().for_each(|us| self.interval.push(us));
        self.pushed += 1;
    }

    /// Forgets the past, as after a change that makes the old figures meaningless. Colours stay.
    pub fn clear(&mut self) {
        for (_, cost) in self.passes.iter_mut().chain(&mut self.techniques) {
            *cost = Cost::new(0);
        }
        self.frame = Cost::new(0);
        self.interval.clear();
        (self.pushed, self.looked_at_s) = (0, None);
    }

    /// Frames a second, by the median interval.
    pub fn frames_per_second(&self) -> Option<f64> {
        self.interval.median().filter(|us| *us > 0.0).map(|us| 1e6 / us)
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
        self.frame.look();
        self.passes.iter_mut().chain(&mut self.techniques).for_each(|(_, cost)| cost.look());
    }

    /// Graph and table.
    pub fn show(&mut self, ui: &mut Ui) {
        if self.pushed == 0 {
            ui.label(theme::small("No frame has been timed yet."));
            return;
        }
        timings_graph::show(ui, self);
        ui.add_space(6.0);
        let sides =
            [(Side::Gpu, "GPU", "Between the timestamps around each pass"), (Side::Cpu, "CPU", "Recording each pass")];
        fold::segments(ui, &mut self.side, &sides);
        ui.add_space(2.0);
        heading(ui);
        let side = self.side as usize;
        let mut toggled = None;
        for (index, (technique, sum)) in self.techniques.iter().enumerate() {
            let passes: Vec<_> = self.passes.iter().filter(|(name, _)| technique_of(name) == technique).collect();
            let is_open = self.open.contains(technique);
            let has_more = passes.len() > 1 || passes.iter().any(|(name, _)| name != technique);
            let mark = Mark::Technique { color: theme::line_color(index), open: has_more.then_some(is_open) };
            if row(ui, technique, technique, sum, side, mark).clicked() && has_more {
                toggled = Some(technique.clone());
            }
            if is_open {
                for (name, cost) in passes {
                    let short = name.split_once('/').map_or(name.as_str(), |(_, what)| what);
                    row(ui, name, short, cost, side, Mark::Pass);
                }
            }
        }
        fold::rule(ui);
        row(ui, "Frame", "Frame", &self.frame, side, Mark::Frame);
        if let Some(technique) = toggled
            && !self.open.remove(&technique)
        {
            self.open.insert(technique);
        }
    }
}

fn push_all(costs: &mut Vec<(String, Cost)>, rows: Vec<PassTiming>, age: usize) {
    let mut rows: BTreeMap<String, (usize, PassTiming)> =
        rows.into_iter().enumerate().map(|(place, row)| (row.name.clone(), (place, row))).collect();
    for (name, cost) in costs.iter_mut() {
        match rows.remove(name) {
            Some((_, row)) => cost.push(row.gpu_us, row.cpu_us),
            None => {
                cost.is_live = false;
                cost.line.push(0.0);
            }
        }
    }
    let mut new: Vec<_> = rows.into_values().collect();
    new.sort_by_key(|(place, _)| *place);
    for (_, row) in new {
        let mut cost = Cost::new(age.min(FRAMES));
        cost.push(row.gpu_us, row.cpu_us);
        costs.push((row.name, cost));
    }
}

/// What stands before a row's name.
enum Mark {
    Technique { color: egui::Color32, open: Option<bool> },
    Pass,
    Frame,
}

fn columns(rect: Rect) -> [f32; 3] {
    [2.0, 1.0, 0.0].map(|column| rect.right() - column * COLUMN)
}

fn heading(ui: &mut Ui) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 16.0), Sense::hover());
    let font = FontId::proportional(10.5);
    let painter = ui.painter();
    painter.text(rect.left_center() + vec2(15.0, 0.0), Align2::LEFT_CENTER, "µs", font.clone(), theme::QUIET);
    for (x, text) in columns(rect).into_iter().zip(["last", "median", "p95"]) {
        painter.text(pos2(x, rect.center().y), Align2::RIGHT_CENTER, text, font.clone(), theme::QUIET);
    }
}

fn row(ui: &mut Ui, path: &str, name: &str, cost: &Cost, side: usize, mark: Mark) -> Response {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 19.0), Sense::click());
    let name_color = match (&mark, cost.is_live) {
        (_, false) => theme::QUIET.gamma_multiply(0.75),
        (Mark::Pass, true) => theme::QUIET.lerp_to_gamma(theme::TEXT, 0.5),
        (_, true) => theme::STRONG,
    };
    let mut name_at = rect.left() + 15.0;
    match mark {
        Mark::Technique { color, open } => {
            let color = if cost.is_live { color } else { color.gamma_multiply(0.4) };
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
    let texts = texts(cost.shown[side]);
    let columns = columns(rect);
    let name_end = columns[0] - COLUMN + 2.0;
    let galley = egui::WidgetText::from(egui::RichText::new(name).color(name_color)).into_galley(
        ui,
        Some(egui::TextWrapMode::Truncate),
        name_end - name_at,
        egui::TextStyle::Body,
    );
    let at = pos2(name_at, rect.center().y - galley.size().y / 2.0);
    ui.painter().galley(at, galley, name_color);
    for (x, text) in columns.into_iter().zip(&texts) {
        let color = if text == DASH { theme::QUIET.gamma_multiply(0.75) } else { name_color };
        ui.painter().text(pos2(x, rect.center().y), Align2::RIGHT_CENTER, text, FontId::monospace(11.0), color);
    }
    let spoken = format!("{path}: {} {} {} µs", texts[0], texts[1], texts[2]);
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, &spoken));
    response.on_hover_ui(|ui| {
        ui.label(theme::heading(path));
        for (side, figures) in ["GPU", "CPU"].into_iter().zip(cost.shown) {
            let [last, median, p95] = self::texts(figures);
            ui.label(theme::figure(format!("{side}  last {last:>9}  median {median:>9}  p95 {p95:>9}")));
        }
        if !cost.is_live {
            ui.label(theme::small("Did not run in the last frame."));
        }
    })
}

/// What stands where there is no figure.
const DASH: &str = "—";

fn texts(figures: Figures) -> [String; 3] {
    [figures.last, figures.median, figures.p95].map(|figure| match figure {
        Some(us) if us.abs() < 99_999.95 => format!("{us:.1}"),
        Some(us) => format!("{us:.0}"),
        None => DASH.into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(passes: &[(&str, Option<f64>)]) -> FrameTiming {
        let pass = |(name, gpu_us): &(&str, Option<f64>)| PassTiming {
            name: (*name).into(),
            gpu_us: *gpu_us,
            cpu_us: 1.0,
            ..Default::default()
        };
        let passes: Vec<_> = passes.iter().map(pass).collect();
        FrameTiming { frame: 0, gpu_us: Some(10.0), cpu_us: 5.0, passes }
    }

    #[test]
    fn a_pass_that_stops_keeps_its_figures_and_is_grey() {
        let mut timings = Timings::default();
        timings.push(&frame(&[("mip/a", Some(2.0)), ("mip/b", Some(3.0))]), Some(1e4));
        timings.push(&frame(&[("glass/lens", None), ("mip/a", Some(4.0))]), Some(1e4));
        let names: Vec<_> = timings.techniques.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["mip", "glass"]);
        let (mip, glass) = (&timings.techniques[0].1, &timings.techniques[1].1);
        assert_eq!(mip.gpu.iter().collect::<Vec<_>>(), [5.0, 4.0]);
        assert_eq!(glass.gpu.last(), None);
        assert_eq!((mip.line.len(), glass.line.len(), timings.frame.line.len()), (2, 2, 2));
        assert!(!timings.passes[1].1.is_live && timings.passes[0].1.is_live);
        assert_eq!(timings.frames_per_second(), Some(100.0));
        timings.clear();
        assert_eq!((timings.techniques.len(), timings.frames_per_second()), (2, None));
    }

    #[test]
    fn figures_as_text() {
        assert_eq!(texts(Figures { last: None, median: Some(1.0), p95: Some(123_456.7) }), ["—", "1.0", "123457"]);
    }
}
