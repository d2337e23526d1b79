//! History of the costs of all passes.

use super::cost::{Cost, CostOf, FigureOf, Figures, FullFrame, Rest, TechniqueCost};
use super::owners::{GLASS, Owners, PANELS, VIEW, group_of, group_of_named, is_of_pair};
use super::recent::{FRAMES_RECENT, RecentFrames, TimedFrame};
use base::timing::{FrameTiming, PassTiming, PictureStep};
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

/// Seconds covered by every figure.
pub const WINDOW_S: f64 = 1.0;
const FRAMES_MOST: usize = 1500;
/// Seconds between two updates of the figures: faster changes cannot be read.
const LOOK_S: f64 = 0.25;

#[derive(Clone, Copy, Default, PartialEq)]
pub(super) enum Side {
    #[default]
    Gpu,
    Cpu,
    Limits,
}

#[derive(Default)]
pub(super) struct FullFrames {
    last: Option<FullFrame>,
    /// The steps so far of the next one.
    steps: Option<FullFrame>,
    /// As of the last update of the figures.
    shown: Option<FullFrame>,
    /// Arrival of the newest step of a full frame, seconds.
    drawn_s: Option<f64>,
}

/// GPU microseconds per displayed frame of the last second; they add up to the time of the frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spent {
    pub glass_us: f64,
    /// Everything else.
    pub scene_us: f64,
    pub panels_us: f64,
    /// Nothing of it was drawn in that second.
    pub is_scene_still: bool,
}

#[derive(Default)]
pub struct Timings {
    /// Arrival time of each frame in seconds, and whether it shows a view.
    pub(super) at_s: VecDeque<(f64, bool)>,
    /// The newest frame is of A and B.
    has_pair: bool,
    pub(super) full: FullFrames,
    /// Frame time outside of passes: gaps and waits.
    pub(super) rest: Cost,
    pub(super) passes: Vec<(String, Cost)>,
    pub(super) techniques: Vec<(String, Cost)>,
    pub(super) frame: Cost,
    pub(super) pushed: usize,
    /// Drivers compiled in the newest frame, so it does not count.
    pub(super) compiles: bool,
    /// Time in seconds of the last update of the figures, and the number of frames then.
    pub(super) updated: Option<(f64, usize)>,
    pub(super) open: BTreeSet<String>,
    pub(super) side: Side,
    /// Column by which the table is sorted; `None`: in the order of a frame.
    pub(super) sorted_by: Option<usize>,
    pub(super) at_rest: Option<Rest>,
    pub(crate) recent: RecentFrames,
}

impl Timings {
    pub(crate) fn of(frames: &[TimedFrame], before: &Self) -> Self {
        let mut timings =
            Self { open: before.open.clone(), side: before.side, sorted_by: before.sorted_by, ..Self::default() };
        let last = &frames[frames.len().saturating_sub(FRAMES_RECENT)..];
        last.iter().for_each(|frame| timings.push(&frame.timing, frame.at_s));
        timings.refresh();
        timings
    }

    /// A frame in which drivers compiled does not count.
    pub fn push(&mut self, timing: &FrameTiming, at_s: f64) {
        self.push_part(timing, timing, at_s);
    }

    /// A frame `whole`, of which `timing` has the passes that count: those of A beside B.
    pub fn push_part(&mut self, timing: &FrameTiming, whole: &FrameTiming, at_s: f64) {
        self.pushed += 1;
        self.recent.push(TimedFrame { at_s, timing: Arc::new(whole.clone()) });
        self.compiles = timing.compiles;
        if timing.compiles {
            timing.picture.into_iter().for_each(|step| self.draw(step, None));
            self.note(timing);
            return;
        }
        self.at_s.push_back((at_s, whole.has_view()));
        self.costs().for_each(Cost::extend);
        let (age, number) = (self.at_s.len(), timing.frame);
        let run = |cost: &mut Cost, us| cost.run(us, number);
        enter(&mut self.passes, &timing.by_pass_and_view(), age, run);
        enter(&mut self.techniques, &whole.by_group(group_of), age, run);
        self.frame.run([timing.gpu_us, Some(timing.cpu_us)], number);
        let gpu_us: f64 = whole.passes.iter().filter_map(|pass| pass.gpu_us).sum();
        let cpu_us: f64 = whole.passes.iter().map(|pass| pass.cpu_us).sum();
        let rest_gpu = timing.gpu_us.map(|us| (us - gpu_us).max(0.0));
        self.rest.run([rest_gpu, Some((timing.cpu_us - cpu_us).max(0.0))], number);
        timing.picture.into_iter().for_each(|step| self.draw(step, whole.gpu_us_without_view()));
        self.full.drawn_s = timing.picture.map(|_| at_s).or(self.full.drawn_s);
        self.has_pair = whole.passes.iter().any(|pass| is_of_pair(group_of(pass)));
        let old = self.at_s.iter().take_while(|(then, _)| *then < at_s - WINDOW_S - LOOK_S).count();
        let old = old.max(self.at_s.len().saturating_sub(FRAMES_MOST));
        self.at_s.drain(..old);
        self.costs().for_each(|cost| cost.drop_oldest(old));
    }

    /// `us`: its time, if known.
    fn draw(&mut self, step: PictureStep, us: Option<f64>) {
        let before = match step {
            PictureStep::Whole | PictureStep::First => Some(FullFrame { us: 0.0, frames: 0 }),
            PictureStep::Next | PictureStep::Last => self.full.steps,
        };
        let sum = before.zip(us).map(|(before, us)| FullFrame { us: before.us + us, frames: before.frames + 1 });
        let is_complete = matches!(step, PictureStep::Whole | PictureStep::Last);
        match is_complete {
            true => (self.full.last, self.full.steps) = (sum, None),
            false => self.full.steps = sum,
        }
        for cost in self.costs() {
            match sum {
                Some(_) => cost.draw(step),
                None if is_complete => cost.full = [None; 2],
                None => {}
            }
        }
    }

    /// A frame that repeats passes so that they can be looked at: only the last time of each pass follows from it.
    pub fn push_repeat(&mut self, timing: &FrameTiming) {
        self.pushed += 1;
        self.compiles = timing.compiles;
        self.note(timing);
    }

    /// Rows of a frame that does not count, so that no row appears later under the pointer.
    fn note(&mut self, timing: &FrameTiming) {
        let age = self.at_s.len();
        let note = |cost: &mut Cost, us| {
            if !timing.compiles {
                cost.note(us, timing.frame);
            }
        };
        enter(&mut self.passes, &timing.by_pass_and_view(), age, note);
        enter(&mut self.techniques, &timing.by_group(group_of), age, note);
    }

    fn costs(&mut self) -> impl Iterator<Item = &mut Cost> {
        let parts = self.passes.iter_mut().chain(&mut self.techniques).map(|(_, cost)| cost);
        parts.chain([&mut self.frame, &mut self.rest])
    }

    /// Number of frames in the last second that had frames, since a view was shown or closed; at least the newest.
    fn window(&self) -> usize {
        let Some((newest, view)) = self.at_s.back() else { return 0 };
        let frames = self.at_s.iter().rev();
        frames.take_while(|(at_s, of_view)| newest - at_s < WINDOW_S && of_view == view).count()
    }

    fn has_view(&self) -> bool {
        self.at_s.back().is_some_and(|(_, of_view)| *of_view)
    }

    /// A closed view, or a closed B, has no row.
    pub(super) fn is_open_now(&self, group: &str) -> bool {
        match group {
            VIEW => self.has_view(),
            group => self.has_pair || !is_of_pair(group),
        }
    }

    pub fn full_frame(&self) -> Option<FullFrame> {
        self.full.shown
    }

    /// In the last full frame, else in the last second; `None` if it did not run then.
    pub fn cost_of(&self, technique: &str) -> Option<TechniqueCost> {
        let (_, cost) = self.techniques.iter().find(|(name, _)| name == technique)?;
        let (figures, is_now) = (cost.shown[0], cost.is_live());
        match self.full.shown {
            Some(full) => {
                let us = figures.full?;
                let share = (us / full.us.max(1e-9)).min(1.0);
                Some(TechniqueCost { us, share, of: CostOf::FullFrame(full.frames), is_now })
            }
            None => Some(TechniqueCost {
                us: figures.mean?,
                share: figures.share,
                of: CostOf::LastSecond(cost.in_frames()),
                is_now,
            }),
        }
    }

    /// If a view records the pass, too, the one for the picture.
    pub(super) fn pass(&self, pass: &str) -> Option<&Cost> {
        let costs = self.passes.iter().filter(|(name, _)| name == pass).map(|(_, cost)| cost);
        costs.min_by_key(|cost| cost.of_view)
    }

    /// GPU microseconds of a pass in a frame in which it runs: mean of the last window in which it did.
    pub fn run_us(&self, pass: &str) -> Option<f64> {
        self.pass(pass)?.run_us
    }

    /// GPU microseconds of a pass in a frame, while that is the newest in which it ran.
    pub fn us_in(&self, frame: u64, pass: &str) -> Option<f64> {
        let cost = self.pass(pass).filter(|cost| cost.last_in == Some(frame))?;
        cost.last[0]
    }

    /// GPU microseconds of a pass and its parts, or of all passes of a technique: in the last full frame, or else in
    /// the newest one in which one of them ran.
    pub fn step_us(&self, pass: &str) -> Option<f64> {
        let is_part =
            |name: &str| name.strip_prefix(pass).is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '/']));
        let parts = || self.passes.iter().filter(|(name, cost)| is_part(name) && !cost.of_view).map(|(_, cost)| cost);
        let full = parts().filter_map(|cost| cost.full[0]).reduce(|sum, us| sum + us);
        let newest = parts().filter_map(|cost| cost.last_in).max();
        let last = parts().filter(|cost| cost.last_in == newest).filter_map(|cost| cost.last[0]);
        full.or_else(|| last.reduce(|sum, us| sum + us))
    }

    /// Passes whose bytes are shown.
    pub fn limit_passes(&self) -> Vec<String> {
        // What is recorded beside the frame's passes is never listed with them.
        let is_listed =
            |name: &str| !["ui", "capture/", "instrument/", "read back/"].iter().any(|own| name.starts_with(own));
        let is_shown = |cost: &Cost| self.side == Side::Limits && (!cost.of_view || self.has_view());
        let shown = self.passes.iter().filter(|(_, cost)| is_shown(cost));
        shown.map(|(name, _)| name.clone()).filter(|name| is_listed(name)).collect()
    }

    /// As of the last update; `None` without times.
    pub(crate) fn spent(&self) -> Option<Spent> {
        let all_us = self.frame_gpu_us()?;
        let of = |group: &str| {
            let costs = self.techniques.iter().filter(|(name, _)| name == group);
            costs.filter_map(|(_, cost)| cost.shown[0].mean).sum::<f64>()
        };
        let [glass_us, panels_us] = [of(GLASS), of(PANELS)];
        let is_scene_still = self.full.drawn_s.is_none() || self.is_at_rest();
        Some(Spent { glass_us, scene_us: (all_us - glass_us - panels_us).max(0.0), panels_us, is_scene_still })
    }

    /// What is below the glass was drawn, and not in the last second.
    pub(crate) fn is_at_rest(&self) -> bool {
        let newest_s = self.at_s.back().map_or(0.0, |(at_s, _)| *at_s);
        self.full.drawn_s.is_some_and(|drawn_s| newest_s - drawn_s >= WINDOW_S)
    }

    fn rest(&self) -> Option<Rest> {
        if !self.is_at_rest() {
            return None;
        }
        if let Some(FullFrame { us, frames }) = self.full.shown {
            return Some(Rest { us: [us, self.frame.full[1].unwrap_or(0.0)], frames, is_full: true });
        }
        let shown = || self.techniques.iter().filter(|(name, _)| self.is_open_now(name)).map(|(_, cost)| cost);
        let us = [0, 1].map(|side| shown().filter_map(|cost| cost.last[side]).sum());
        let frames = shown().filter_map(|cost| cost.last_in).collect::<BTreeSet<_>>().len();
        Some(Rest { us, frames, is_full: false })
    }

    /// Per displayed frame, as of the last update.
    pub fn frame_gpu_us(&self) -> Option<f64> {
        self.frame.shown[0].mean
    }

    pub fn is_compiling(&self) -> bool {
        self.compiles
    }

    /// Updates the figures when due; requests a repaint while there are new frames.
    pub fn update(&mut self, ctx: &egui::Context) {
        let now_s = ctx.input(|input| input.time);
        if self.updated.is_some_and(|(_, frames)| frames == self.pushed) {
            return;
        }
        let wait_s = self.updated.map_or(0.0, |(at_s, _)| at_s + LOOK_S - now_s);
        if wait_s > 0.0 {
            ctx.request_repaint_after_secs(wait_s as f32);
            return;
        }
        self.updated = Some((now_s, self.pushed));
        self.refresh();
    }

    pub(crate) fn refresh(&mut self) {
        self.full.shown = self.full.last;
        self.recent.look();
        let window = self.window();
        let from = self.at_s.len() - window;
        let frames_us = self.frame.us.each_ref().map(|us| us.range(from..).flatten().sum());
        let rest = self.rest();
        self.at_rest = rest;
        self.costs().for_each(|cost| cost.update(window, frames_us, rest));
        self.frame.frames_of_parts = rest.map_or(0, |rest| rest.frames);
        if let Some(rest) = rest {
            for (figures, us) in self.frame.shown.iter_mut().zip(rest.us) {
                (figures.full, figures.share) = (Some(us), 1.0);
            }
            // Gaps of a frame are no part of a sum of several.
            let gaps = self.rest.shown.iter_mut().filter(|_| !rest.is_full);
            gaps.for_each(|gaps| *gaps = Figures { last: None, full: None, share: 0.0, ..*gaps });
        }
        for (group, cost) in &mut self.techniques {
            let own = self.passes.iter().filter(|(pass, cost)| group_of_named(pass, cost.of_view) == group);
            let frames = own.map(|(_, cost)| cost.figure_of()).filter(|of| *of != FigureOf::Nothing);
            cost.frames_of_parts = frames.chain([cost.figure_of()]).collect::<BTreeSet<_>>().len();
        }
    }
}

pub(super) fn in_order<'a>(costs: &'a [(String, Cost)], owners: &Owners<'_>) -> Vec<&'a (String, Cost)> {
    let mut all = by_place(costs);
    all.sort_by_key(|(name, _)| owners.order(name));
    all
}

pub(super) fn by_place(costs: &[(String, Cost)]) -> Vec<&(String, Cost)> {
    let mut all: Vec<_> = costs.iter().collect();
    all.sort_by_key(|(_, cost)| cost.place);
    all
}

/// Each row to its entry, of which a new one has frames from before.
fn enter(costs: &mut Vec<(String, Cost)>, rows: &[PassTiming], age: usize, take: impl Fn(&mut Cost, [Option<f64>; 2])) {
    for row in rows {
        let is = |(name, cost): &(String, Cost)| *name == row.name && cost.of_view == row.of_view;
        let place = costs.iter().position(is).unwrap_or_else(|| {
            costs.push((row.name.clone(), Cost { of_view: row.of_view, ..Cost::new(age) }));
            costs.len() - 1
        });
        take(&mut costs[place].1, [row.gpu_us, Some(row.cpu_us)]);
    }
    keep_order(costs, rows);
}

/// Ranks the entries by the `rows` of a frame. An entry that has a rank keeps it: rows do not move under the pointer.
fn keep_order(costs: &mut [(String, Cost)], rows: &[PassTiming]) {
    let standing = by_place(costs).into_iter().filter(|(_, cost)| cost.place != usize::MAX);
    let mut names: Vec<String> = standing.map(|(name, _)| name.clone()).collect();
    let mut at = 0;
    for PassTiming { name, .. } in rows {
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
