//! What each pass costs: a history of the last frames, as a table summed by technique and as a graph.

use std::collections::{BTreeMap, BTreeSet};

use egui::{Align2, FontId, Response, Sense, Ui, WidgetInfo, WidgetType, pos2, vec2};

use super::{fold, theme, timings_graph};
use crate::base::stats::Series;
use crate::base::text::{micros, micros_in_unit};
use crate::base::timing::{FrameTiming, PassTiming, technique_of};

/// How many frames the figures look back.
pub const FRAMES: usize = 240;
/// Seconds between two looks at the figures: faster ones cannot be read.
const LOOK_S: f64 = 0.25;
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
            pushed: 0,
            looked_at_s: None,
            looked_at_frame: 0,
            open: BTreeSet::new(),
            side: Side::Gpu,
        }
    }
}

impl Timings {
    /// Takes over a finished frame.
    pub fn push(&mut self, timing: &FrameTiming) {
        push_all(&mut self.passes, timing.by_pass(), self.pushed);
        push_all(&mut self.techniques, timing.by_technique(), self.pushed);
        self.frame.push(timing.gpu_us, timing.cpu_us);
        self.pushed += 1;
    }

    /// Forgets the past, as after a change that makes the old figures meaningless. Colours stay.
    pub fn clear(&mut self) {
        for (_, cost) in self.passes.iter_mut().chain(&mut self.techniques) {
            *cost = Cost::new(0);
        }
        self.frame = Cost::new(0);
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
        let columns = Columns::new(ui);
        heading(ui, &columns);
        let side = self.side as usize;
        let mut toggled = None;
        for (index, (technique, sum)) in self.techniques.iter().enumerate() {
            let passes: Vec<_> = self.passes.iter().filter(|(name, _)| technique_of(name) == technique).collect();
            let is_open = self.open.contains(technique);
            let has_more = passes.len() > 1 || passes.iter().any(|(name, _)| name != technique);
            let mark = Mark::Technique { color: theme::line_color(index), open: has_more.then_some(is_open) };
            if row(ui, &columns, (technique, technique), sum, side, mark).clicked() && has_more {
                toggled = Some(technique.clone());
            }
            if is_open {
                for (name, cost) in passes {
                    let short = name.split_once('/').map_or(name.as_str(), |(_, what)| what);
                    row(ui, &columns, (name, short), cost, side, Mark::Pass);
                }
            }
        }
        fold::rule(ui);
        row(ui, &columns, ("Frame", "Frame"), &self.frame, side, Mark::Frame);
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

/// The columns of figures that there is room for, from the right end of a row leftwards; all in points.
struct Columns {
    /// Which of last, median and 95th percentile are shown, the leftmost first.
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
            2 => &[1, 2],
            _ => &[0, 1, 2],
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
        let (text, font) = (["last", "median", "p95"][column], FontId::proportional(10.5));
        ui.painter().text(pos2(x, rect.center().y), Align2::RIGHT_CENTER, text, font, theme::QUIET);
    }
}

/// `path` is what is said of the row, `name` what stands in it.
fn row(ui: &mut Ui, columns: &Columns, (path, name): (&str, &str), cost: &Cost, side: usize, mark: Mark) -> Response {
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
        let Some(us) = cost.shown[side].all()[column] else {
            painter.text(figure_at, right, DASH, figure_font(), theme::QUIET.gamma_multiply(0.75));
            continue;
        };
        let [figure, unit] = micros_in_unit(us);
        painter.text(figure_at, right, figure, figure_font(), name_color);
        painter.text(figure_at, Align2::LEFT_CENTER, format!(" {unit}"), figure_font(), name_color.gamma_multiply(0.7));
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
        if !cost.is_live {
            ui.label(theme::small("Did not run in the last frame."));
        }
    })
}

/// What stands where there is no figure.
const DASH: &str = "—";

fn texts(figures: Figures) -> [String; 3] {
    figures.all().map(|us| us.map_or(DASH.into(), micros))
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::Rect;

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
        timings.push(&frame(&[("mip/a", Some(2.0)), ("mip/b", Some(3.0))]));
        timings.push(&frame(&[("glass/lens", None), ("mip/a", Some(4.0))]));
        let names: Vec<_> = timings.techniques.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["mip", "glass"]);
        let (mip, glass) = (&timings.techniques[0].1, &timings.techniques[1].1);
        assert_eq!(mip.gpu.iter().collect::<Vec<_>>(), [5.0, 4.0]);
        assert_eq!(glass.gpu.last(), None);
        assert_eq!((mip.line.len(), glass.line.len(), timings.frame.line.len()), (2, 2, 2));
        assert!(!timings.passes[1].1.is_live && timings.passes[0].1.is_live);
        timings.clear();
        assert_eq!((timings.techniques.len(), timings.frame.line.len()), (2, 0));
    }

    /// All texts that are drawn, with the places of their ink.
    fn texts_of(shape: &egui::Shape, found: &mut Vec<(String, Rect)>) {
        match shape {
            egui::Shape::Text(text) => found.push((text.galley.text().to_owned(), text.visual_bounding_rect())),
            egui::Shape::Vec(shapes) => shapes.iter().for_each(|shape| texts_of(shape, found)),
            _ => {}
        }
    }

    #[test]
    fn nothing_runs_into_anything_at_any_width_scale_or_time() {
        for (scale, width) in
            [1.0, 1.5, 2.0].into_iter().flat_map(|scale| [150.0, 172.0, 230.0, 288.0].map(|w| (scale, w)))
        {
            let mut timings = Timings::default();
            let names = ["ui", "mip_chain/level 1", "glass/lens", "a_technique_with_a_very_long_name/a_pass"];
            for us in [0.0, 0.05, 0.999, 12.34, 999.6, 141_230.0, 341_412.0, 3_034_141.0, 2.9e8] {
                timings.push(&frame(&names.map(|name| (name, Some(us)))));
            }
            timings.push(&frame(&[("ui", None)]));
            timings.open.extend(["glass".to_owned(), "mip_chain".to_owned()]);
            let builder = egui_kittest::Harness::builder().with_size([400.0, 400.0]).with_pixels_per_point(scale);
            let mut harness = builder.build_ui(|ui| {
                theme::install(ui.ctx());
                timings.look(ui.ctx());
                ui.set_width(width);
                timings.show(ui);
            });
            harness.run_steps(8);
            let mut texts = Vec::new();
            harness.output().shapes.iter().for_each(|clipped| texts_of(&clipped.shape, &mut texts));
            texts.retain(|(_, rect)| rect.is_positive());
            let is_figure = |(text, _): &&(String, Rect)| text.trim() == "ms" || text.trim() == "s";
            assert!(texts.iter().filter(is_figure).count() >= 4, "{texts:?}");
            let right = texts.iter().map(|(_, rect)| rect.right()).fold(0.0, f32::max);
            assert!(right <= 8.0 + width + 1.0, "{right} of {width}");
            for (index, (text, rect)) in texts.iter().enumerate() {
                for (other, place) in &texts[index + 1..] {
                    let apart = !rect.shrink(0.2).intersects(place.shrink(0.2));
                    assert!(apart, "{text:?} {rect:?} over {other:?} {place:?} in {width} at {scale}");
                }
            }
        }
    }

    #[test]
    fn figures_as_text() {
        let figures = Figures { last: None, median: Some(1.0), p95: Some(123_456.7) };
        assert_eq!(texts(figures), ["—", "1.00 µs", "123 ms"]);
    }
}
