//! History of the costs of all passes.

use super::cost::{Cost, TechniqueCost};
use super::owners::{Owners, group_of};
use super::queue_axis::QueueAxis;
use super::recent::{FRAMES_RECENT, RecentFrames, TimedFrame};
use crate::base::timing::{FrameTiming, PassTiming};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::Range;
use std::sync::Arc;

/// Seconds covered by every figure, also in the headings of panels and sections.
pub const WINDOW_S: f64 = 1.0;
/// Seconds covered by the graph.
pub(super) const GRAPH_S: f64 = 6.0;
/// Largest number of frames in the history.
const FRAMES_MOST: usize = 1500;
/// Seconds between two updates of the figures: faster changes cannot be read.
const LOOK_S: f64 = 0.25;

/// Seconds between two updates of the graph: its repaint costs a software driver milliseconds.
const GRAPH_LOOK_S: f64 = 0.1;
/// GPU time of a frame in microseconds above which the graph is updated with the figures: one repaint in place of three.
const SLOW_FRAME_US: f64 = 8_000.0;

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Side {
    Gpu,
    Cpu,
    /// Bytes and bandwidths beside what the device can do.
    Limits,
}

/// Last updates of what is shown.
#[derive(Default)]
pub(super) struct Updates {
    /// Time of the figures' in seconds, and the number of frames then.
    pub(super) figures: Option<(f64, usize)>,
    /// Time of the graph's in seconds.
    graph_s: Option<f64>,
    /// Number of frames that the graph does not show yet.
    newer: usize,
}

/// History of all passes.
pub struct Timings {
    /// Arrival time of each frame of the history, in seconds.
    pub(super) at_s: VecDeque<f64>,
    /// Frame time outside of passes: gaps and waits.
    pub(super) rest: Cost,
    /// By pass path.
    pub(super) passes: Vec<(String, Cost)>,
    /// By technique.
    pub(super) techniques: Vec<(String, Cost)>,
    pub(super) frame: Cost,
    pub(super) pushed: usize,
    /// The newest frame is excluded from the history: drivers compiled in it.
    pub(super) compiles: bool,
    pub(super) updates: Updates,
    pub(super) open: BTreeSet<String>,
    pub(super) side: Side,
    /// The last frames.
    pub(in crate::ui) recent: RecentFrames,
    /// The queues of the displayed frame.
    pub(super) queues: QueueAxis,
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
            updates: Updates::default(),
            open: BTreeSet::new(),
            side: Side::Gpu,
            recent: RecentFrames::default(),
            queues: QueueAxis::default(),
        }
    }
}

impl Timings {
    /// Those of the last of these frames, with the open rows of `before`.
    pub(in crate::ui) fn of(frames: &[TimedFrame], before: &Self) -> Self {
        let mut timings = Self { open: before.open.clone(), side: before.side, ..Self::default() };
        let last = &frames[frames.len().saturating_sub(FRAMES_RECENT)..];
        last.iter().for_each(|frame| timings.push(&frame.timing, frame.at_s));
        timings.refresh();
        timings
    }

    /// Adds a finished frame that arrived at `at_s` seconds. A frame in which drivers compiled does not count.
    pub fn push(&mut self, timing: &FrameTiming, at_s: f64) {
        self.push_part(timing, timing, at_s);
    }

    /// The same of a frame `whole`, of which `timing` has the passes that count: those of A beside B.
    pub fn push_part(&mut self, timing: &FrameTiming, whole: &FrameTiming, at_s: f64) {
        self.pushed += 1;
        self.recent.push(TimedFrame { at_s, timing: Arc::new(whole.clone()) });
        self.compiles = timing.compiles;
        if timing.compiles {
            self.note(timing);
            return;
        }
        let age = self.at_s.len();
        push_all(&mut self.passes, timing.by_pass(), age);
        push_all(&mut self.techniques, whole.by_group(group_of), age);
        self.frame.push(Some([timing.gpu_us, Some(timing.cpu_us)]));
        let gpu_us: f64 = whole.passes.iter().filter_map(|pass| pass.gpu_us).sum();
        let cpu_us: f64 = whole.passes.iter().map(|pass| pass.cpu_us).sum();
        let rest_gpu = timing.gpu_us.map(|us| (us - gpu_us).max(0.0));
        self.rest.push(Some([rest_gpu, Some((timing.cpu_us - cpu_us).max(0.0))]));
        self.at_s.push_back(at_s);
        self.updates.newer += 1;
        let old = self.at_s.iter().take_while(|then| **then < at_s - GRAPH_S - LOOK_S).count();
        let old = old.max(self.at_s.len().saturating_sub(FRAMES_MOST));
        self.at_s.drain(..old);
        self.costs().for_each(|cost| cost.drop_oldest(old));
    }

    /// Adds a frame that repeats passes so that they can be looked at: only the last time of each pass follows from it.
    pub fn push_repeat(&mut self, timing: &FrameTiming) {
        self.pushed += 1;
        self.compiles = timing.compiles;
        self.note(timing);
    }

    /// Rows of a frame that does not count, so that no row appears later under the pointer.
    fn note(&mut self, timing: &FrameTiming) {
        let age = self.at_s.len();
        note_all(&mut self.passes, timing.by_pass(), age, timing.compiles);
        note_all(&mut self.techniques, timing.by_group(group_of), age, timing.compiles);
    }

    fn costs(&mut self) -> impl Iterator<Item = &mut Cost> {
        let parts = self.passes.iter_mut().chain(&mut self.techniques).map(|(_, cost)| cost);
        parts.chain([&mut self.frame, &mut self.rest])
    }

    /// The frames of the graph, by their number in the history.
    pub(super) fn graphed(&self) -> Range<usize> {
        let end = self.at_s.len().saturating_sub(self.updates.newer);
        let Some(newest) = end.checked_sub(1).map(|last| self.at_s[last]) else { return 0..0 };
        self.at_s.partition_point(|at_s| *at_s < newest - GRAPH_S)..end
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

    /// GPU microseconds of a pass in a frame in which it runs: mean of the last window in which it did.
    pub fn run_us(&self, pass: &str) -> Option<f64> {
        self.passes.iter().find(|(name, _)| name == pass)?.1.run_us
    }

    /// GPU microseconds of a pass and its parts in a frame in which they run, of a technique of all of its passes.
    pub fn step_us(&self, pass: &str) -> Option<f64> {
        let is_part =
            |name: &str| name.strip_prefix(pass).is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '/']));
        let parts = self.passes.iter().filter(|(name, _)| is_part(name));
        parts.filter_map(|(_, cost)| cost.run_us.or(cost.last[0])).reduce(|sum, us| sum + us)
    }

    /// Passes whose bytes are shown; none while other figures are.
    pub fn limit_passes(&self) -> Vec<String> {
        // What is recorded beside the frame's passes is never listed with them.
        let is_listed =
            |name: &str| !["ui", "capture/", "instrument/", "read back/"].iter().any(|own| name.starts_with(own));
        let shown = self.passes.iter().filter(|_| self.side == Side::Limits);
        shown.map(|(name, _)| name.clone()).filter(|name| is_listed(name)).collect()
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
        let is_slow = self.frame_gpu_us().is_some_and(|us| us > SLOW_FRAME_US);
        if !is_slow && self.updates.graph_s.is_none_or(|at_s| now_s - at_s >= GRAPH_LOOK_S) {
            (self.updates.graph_s, self.updates.newer) = (Some(now_s), 0);
        }
        if self.updates.figures.is_some_and(|(_, frames)| frames == self.pushed) {
            return;
        }
        let wait_s = self.updates.figures.map_or(0.0, |(at_s, _)| at_s + LOOK_S - now_s);
        if wait_s > 0.0 {
            ctx.request_repaint_after_secs(wait_s as f32);
            return;
        }
        self.updates.figures = Some((now_s, self.pushed));
        self.refresh();
    }

    /// Updates the figures to those of the newest frame.
    pub(in crate::ui) fn refresh(&mut self) {
        self.updates.newer = 0;
        self.recent.look();
        self.queues = self.recent.counted().map(|frame| QueueAxis::of(&frame.timing)).unwrap_or_default();
        let window = self.window();
        let from = self.at_s.len() - window;
        let frames_us = self.frame.us.each_ref().map(|us| us.range(from..).flatten().sum());
        self.costs().for_each(|cost| cost.update(window, frames_us));
        // Its passes last ran in different frames: a group at rest costs what they took together.
        for (group, cost) in self.techniques.iter_mut().filter(|(_, cost)| !cost.is_live()) {
            for (side, figures) in cost.shown.iter_mut().enumerate() {
                let own = self.passes.iter().filter(|(pass, _)| group_of(pass) == group);
                let last = own.filter_map(|(_, cost)| cost.last[side]).reduce(|sum, us| sum + us);
                figures.last = last.or(figures.last);
            }
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
pub(super) fn by_place(costs: &[(String, Cost)]) -> Vec<&(String, Cost)> {
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

/// Entries of the rows of a frame that does not count; their last times unless drivers compiled in it.
fn note_all(costs: &mut Vec<(String, Cost)>, rows: Vec<PassTiming>, age: usize, compiles: bool) {
    let order: Vec<String> = rows.iter().map(|row| row.name.clone()).collect();
    for row in rows {
        let place = costs.iter().position(|(name, _)| *name == row.name).unwrap_or_else(|| {
            costs.push((row.name.clone(), Cost::new(age)));
            costs.len() - 1
        });
        if !compiles {
            costs[place].1.last = [row.gpu_us, Some(row.cpu_us)];
        }
    }
    keep_order(costs, &order);
}

/// Ranks the entries by the `order` of a frame. An entry that has a rank keeps it: rows do not move under the pointer.
fn keep_order(costs: &mut [(String, Cost)], order: &[String]) {
    let mut names: Vec<String> = Vec::new();
    let mut standing: Vec<(usize, String)> = costs.iter().map(|(name, cost)| (cost.place, name.clone())).collect();
    standing.retain(|(place, _)| *place != usize::MAX);
    standing.sort();
    names.extend(standing.into_iter().map(|(_, name)| name));
    let mut at = 0;
    for name in order {
        match names.iter().position(|known| known == name) {
            Some(known) => at = at.max(known + 1),
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
