//! Cost of each pass per displayed frame: its history, and the figures of the last second.

pub(super) mod graph;
mod queues;
mod table;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use egui::Ui;

use super::{collapsing, theme};
use crate::base::text::sentence;
use crate::base::timing::{FrameTiming, PassTiming, technique_of};
use crate::techniques::{Info, Stage};
use queues::QueueAxis;
pub(super) use queues::QueueNote;
use table::Mark;

/// Seconds covered by every figure, also in the headings of panels and sections.
pub const WINDOW_S: f64 = 1.0;
/// Seconds covered by the graph.
pub(super) const GRAPH_S: f64 = 6.0;
/// Largest number of frames in the history.
const FRAMES_MOST: usize = 1500;
/// Seconds between two updates of the figures: faster changes cannot be read.
const LOOK_S: f64 = 0.25;
/// Largest denominator of "in 1 of 4 frames".
const OF_MOST: usize = 9;

/// Microseconds per displayed frame, as shown.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Figures {
    /// In the newest frame of the window in which it ran.
    pub last: Option<f64>,
    /// Sum over the window, divided by all of its frames.
    pub mean: Option<f64>,
    /// In the longest frame of the window.
    pub longest: Option<f64>,
    /// Fraction of the time of all frames of the window, 0 to 1.
    pub share: f64,
}

/// History of one pass, one technique or the frame.
#[derive(Default)]
pub(super) struct Cost {
    /// GPU and CPU microseconds of each frame of the history; `None` where it did not run or has no timestamps.
    pub us: [VecDeque<Option<f64>>; 2],
    ran: VecDeque<bool>,
    /// Rank in the order of the frame.
    place: usize,
    pub shown: [Figures; 2],
    /// Number of frames of the window in which it ran, and number of frames.
    frames: [usize; 2],
}

impl Cost {
    /// With `age` frames without it.
    fn new(age: usize) -> Self {
        let mut cost = Self { place: usize::MAX, ..Self::default() };
        (0..age).for_each(|_| cost.push(None));
        cost
    }

    /// Adds a frame: its GPU and CPU times, or `None` if it did not run.
    fn push(&mut self, ran: Option<[Option<f64>; 2]>) {
        let us = ran.unwrap_or_default();
        self.us.iter_mut().zip(us).for_each(|(series, us)| series.push_back(us));
        self.ran.push_back(ran.is_some());
    }

    fn drop_oldest(&mut self, count: usize) {
        self.us.iter_mut().for_each(|series| drop(series.drain(..count)));
        self.ran.drain(..count);
    }

    /// Whether it ran in the window.
    pub fn is_live(&self) -> bool {
        self.frames[0] > 0
    }

    /// "1 of 4" if it did not run in all frames of the window.
    pub fn in_frames(&self) -> Option<String> {
        part_of(self.frames).map(|[part, of]| format!("{part} of {of}"))
    }

    /// Updates the figures. `window`: number of newest frames that count; `frames_us`: their GPU and CPU microseconds.
    fn update(&mut self, window: usize, frames_us: [f64; 2]) {
        let from = self.ran.len().saturating_sub(window);
        self.frames = [self.ran.range(from..).filter(|ran| **ran).count(), self.ran.len() - from];
        for (side, frames_us) in frames_us.into_iter().enumerate() {
            let us = || self.us[side].range(from..).flatten().copied();
            let sum: f64 = us().sum();
            self.shown[side] = Figures {
                last: us().next_back(),
                mean: us().next().map(|_| sum / self.frames[1] as f64),
                longest: us().reduce(f64::max),
                share: (sum / frames_us.max(1e-9)).min(1.0),
            };
        }
    }
}

/// The nearest fraction with a small denominator; `None` for all or none.
fn part_of([part, of]: [usize; 2]) -> Option<[usize; 2]> {
    if part == 0 || part == of {
        return None;
    }
    let exact = part as f64 / of as f64;
    if exact < 1.0 / OF_MOST as f64 {
        return Some([1, (of as f64 / part as f64).round() as usize]);
    }
    let all = (2..=OF_MOST).flat_map(|of| (1..of).map(move |part| [part, of]));
    // One frame more or less at the ends of the window keeps the fraction.
    let near = |fraction: &[usize; 2]| (fraction[0] as f64 / fraction[1] as f64 - exact).abs();
    let within = 1.01 / of as f64;
    all.clone().find(|fraction| near(fraction) <= within).or_else(|| all.min_by(|a, b| near(a).total_cmp(&near(b))))
}

/// Cost of a technique per displayed frame.
#[derive(Clone, Debug, PartialEq)]
pub struct TechniqueCost {
    /// Microseconds on the GPU per displayed frame.
    pub us: f64,
    /// Fraction of the GPU time of all frames, 0 to 1.
    pub share: f64,
    /// "1 of 4" if it does not run in every frame.
    pub in_frames: Option<String>,
}

#[derive(Clone, Copy, PartialEq)]
enum Side {
    Gpu,
    Cpu,
}

/// Titles, colours and order of the passes' owners. They follow from the list of techniques and never change at run time.
pub(super) struct Owners<'a>(pub &'a [Info]);

/// Owners of passes outside of techniques.
const IMAGE: &str = "renderer";
const PANELS: &str = "ui";

impl Owners<'_> {
    pub fn title(&self, id: &str) -> String {
        match id {
            PANELS => "Panels".into(),
            IMAGE => "Final image".into(),
            id => {
                let info = self.0.iter().find(|info| info.id == id);
                info.map_or_else(|| crate::base::text::title(id), |info| info.title.to_owned())
            }
        }
    }

    /// Display name of a pass: `Mip chain: single pass` for `mip_chain/single_pass`.
    pub fn pass_title(&self, path: &str) -> String {
        let title = self.title(technique_of(path));
        match path.split_once('/') {
            Some((_, pass)) => format!("{title}: {}", pass.replace('_', " ")),
            None => title,
        }
    }

    pub fn color(&self, id: &str) -> egui::Color32 {
        let known = self.0.iter().map(|info| info.id).chain([IMAGE, PANELS]);
        let place = known.clone().position(|known| known == id);
        let other = || known.count() + usize::from(id.bytes().fold(0, u8::wrapping_add) % 2);
        theme::line_color(place.unwrap_or_else(other))
    }

    /// The image is presented before the glass is drawn over it; the panels are last.
    fn order(&self, id: &str) -> (u8, usize) {
        match self.0.iter().position(|info| info.id == id) {
            Some(place) if self.0[place].stage != Stage::Glass => (0, place),
            Some(place) => (2, place),
            None if id == IMAGE => (1, 0),
            None => (3, usize::from(id == PANELS)),
        }
    }
}

/// History of all passes.
pub struct Timings {
    /// Arrival time of each frame of the history, in seconds.
    pub(super) at_s: VecDeque<f64>,
    /// Frame time outside of passes: gaps and waits.
    rest: Cost,
    /// By pass path.
    passes: Vec<(String, Cost)>,
    /// By technique.
    pub(super) techniques: Vec<(String, Cost)>,
    pub(super) frame: Cost,
    pushed: usize,
    /// The newest frame is excluded from the history: drivers compiled in it.
    compiles: bool,
    /// Time in seconds and number of frames at the last update.
    updated_at: Option<(f64, usize)>,
    open: BTreeSet<String>,
    side: Side,
    /// The newest frame on the queues' axis, and the displayed one.
    newest: QueueAxis,
    queues: QueueAxis,
}

impl Default for Timings {
    fn default() -> Self {
        Self {
            at_s: VecDeque::new(),
            rest: Cost::new(0),
            passes: Vec::new(),
            techniques: Vec::new(),
            frame: Cost::new(0),
            pushed: 0,
            compiles: false,
            updated_at: None,
            open: BTreeSet::new(),
            side: Side::Gpu,
            newest: QueueAxis::default(),
            queues: QueueAxis::default(),
        }
    }
}

impl Timings {
    /// Adds a finished frame that arrived at `at_s` seconds. A frame in which drivers compiled does not count.
    pub fn push(&mut self, timing: &FrameTiming, at_s: f64) {
        self.pushed += 1;
        self.compiles = timing.compiles;
        if timing.compiles {
            return;
        }
        let age = self.at_s.len();
        push_all(&mut self.passes, timing.by_pass(), age);
        push_all(&mut self.techniques, timing.by_technique(), age);
        self.frame.push(Some([timing.gpu_us, Some(timing.cpu_us)]));
        let gpu_us: f64 = timing.passes.iter().filter_map(|pass| pass.gpu_us).sum();
        let cpu_us: f64 = timing.passes.iter().map(|pass| pass.cpu_us).sum();
        let rest_gpu = timing.gpu_us.map(|us| (us - gpu_us).max(0.0));
        self.rest.push(Some([rest_gpu, Some((timing.cpu_us - cpu_us).max(0.0))]));
        self.at_s.push_back(at_s);
        self.newest = QueueAxis::of(timing);
        let old = self.at_s.iter().take_while(|then| **then < at_s - GRAPH_S).count();
        let old = old.max(self.at_s.len().saturating_sub(FRAMES_MOST));
        self.at_s.drain(..old);
        self.costs().for_each(|cost| cost.drop_oldest(old));
    }

    fn costs(&mut self) -> impl Iterator<Item = &mut Cost> {
        let parts = self.passes.iter_mut().chain(&mut self.techniques).map(|(_, cost)| cost);
        parts.chain([&mut self.frame, &mut self.rest])
    }

    /// Number of frames in the last second that had frames; at least the newest.
    fn window(&self) -> usize {
        let Some(newest) = self.at_s.back() else { return 0 };
        self.at_s.iter().rev().take_while(|at_s| newest - **at_s < WINDOW_S).count()
    }

    /// Cost of a technique; `None` if it did not run in the window.
    pub fn cost_of(&self, technique: &str) -> Option<TechniqueCost> {
        let (_, cost) = self.techniques.iter().find(|(name, cost)| name == technique && cost.is_live())?;
        let figures = cost.shown[0];
        Some(TechniqueCost { us: figures.mean?, share: figures.share, in_frames: cost.in_frames() })
    }

    /// GPU microseconds of a displayed frame, as of the last update.
    pub fn frame_gpu_us(&self) -> Option<f64> {
        self.frame.shown[0].mean
    }

    /// Whether drivers compiled in the newest frame.
    pub fn is_compiling(&self) -> bool {
        self.compiles
    }

    /// Updates the figures when due; requests a repaint while there are new frames.
    pub fn update(&mut self, ctx: &egui::Context) {
        let now_s = ctx.input(|input| input.time);
        if self.updated_at.is_some_and(|(_, frames)| frames == self.pushed) {
            return;
        }
        let wait_s = self.updated_at.map_or(0.0, |(at_s, _)| at_s + LOOK_S - now_s);
        if wait_s > 0.0 {
            ctx.request_repaint_after_secs(wait_s as f32);
            return;
        }
        self.updated_at = Some((now_s, self.pushed));
        self.queues = self.newest.clone();
        let window = self.window();
        let from = self.at_s.len() - window;
        let frames_us = self.frame.us.each_ref().map(|us| us.range(from..).flatten().sum());
        self.costs().for_each(|cost| cost.update(window, frames_us));
    }

    /// Graph, queues and table; `measured_at`: size and state of the displayed content.
    pub(super) fn show(&mut self, ui: &mut Ui, note: &QueueNote, owners: &Owners<'_>, measured_at: &str) {
        if self.at_s.is_empty() {
            let none = if self.compiles { "The driver compiles shaders ..." } else { "No frame has been timed yet." };
            ui.label(theme::small(none));
            return;
        }
        let sides =
            [(Side::Gpu, "GPU", "Between the timestamps around each pass"), (Side::Cpu, "CPU", "Recording each pass")];
        collapsing::segments(ui, &mut self.side, &sides);
        ui.add_space(4.0);
        let side = self.side as usize;
        graph::show(ui, self, side, owners);
        ui.add_space(4.0);
        if self.side == Side::Gpu {
            queues::show(ui, &self.queues, note, owners);
            ui.add_space(4.0);
        }
        let columns = table::Columns::new(ui);
        table::heading(ui, &columns);
        let mut toggled = None;
        for (technique, sum) in in_order(&self.techniques, owners) {
            let passes: Vec<_> =
                by_place(&self.passes).into_iter().filter(|(name, _)| technique_of(name) == technique).collect();
            let is_open = self.open.contains(technique);
            let has_more = passes.len() > 1 || passes.iter().any(|(name, _)| name != technique);
            let mark = Mark::Technique { color: owners.color(technique), open: has_more.then_some(is_open) };
            let title = owners.title(technique);
            if table::row(ui, &columns, (&title, title.clone()), sum, side, mark).clicked() && has_more {
                toggled = Some(technique.clone());
            }
            for (name, cost) in passes.into_iter().filter(|_| is_open) {
                let short = name.split_once('/').map_or(name.as_str(), |(_, what)| what).replace('_', " ");
                let names = (owners.pass_title(name), sentence(&short));
                table::row(ui, &columns, (&names.0, names.1), cost, side, Mark::Pass);
            }
        }
        let rest = ["Between passes, waiting", "Outside passes"][side];
        let short = ["Gaps, waiting", "Outside passes"][side];
        table::row(ui, &columns, (rest, short.into()), &self.rest, side, Mark::Frame);
        collapsing::rule(ui);
        table::row(ui, &columns, ("Frame", "Frame".into()), &self.frame, side, Mark::Frame);
        let frames = self.frame.frames[1];
        let plural = if frames == 1 { "" } else { "s" };
        let note =
            format!("Per displayed frame, over the last second with frames ({frames} frame{plural}). {measured_at}");
        ui.add_space(4.0);
        ui.add(egui::Label::new(theme::small(note)).wrap());
        if let Some(technique) = toggled
            && !self.open.remove(&technique)
        {
            self.open.insert(technique);
        }
    }
}

/// Techniques in the order of the frame.
pub(super) fn in_order<'a>(costs: &'a [(String, Cost)], owners: &Owners<'_>) -> Vec<&'a (String, Cost)> {
    let mut all = by_place(costs);
    all.sort_by_key(|(name, _)| owners.order(name));
    all
}

/// Passes in the order of the frame.
fn by_place(costs: &[(String, Cost)]) -> Vec<&(String, Cost)> {
    let mut all: Vec<_> = costs.iter().collect();
    all.sort_by_key(|(_, cost)| cost.place);
    all
}

fn push_all(costs: &mut Vec<(String, Cost)>, rows: Vec<PassTiming>, age: usize) {
    let order: Vec<String> = rows.iter().map(|row| row.name.clone()).collect();
    let mut rows: BTreeMap<String, (usize, PassTiming)> =
        rows.into_iter().enumerate().map(|(place, row)| (row.name.clone(), (place, row))).collect();
    let us = |row: &PassTiming| [row.gpu_us, Some(row.cpu_us)];
    for (name, cost) in costs.iter_mut() {
        cost.push(rows.remove(name).map(|(_, row)| us(&row)));
    }
    let mut new: Vec<_> = rows.into_values().collect();
    new.sort_by_key(|(place, _)| *place);
    for (_, row) in new {
        let mut cost = Cost::new(age);
        cost.push(Some(us(&row)));
        costs.push((row.name, cost));
    }
    keep_order(costs, &order);
}

/// Ranks the entries by the `order` of a frame. Entries that did not run in it keep their place behind their predecessor. A partial frame
/// moves no entry that has a rank.
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

#[cfg(test)]
mod tests;
