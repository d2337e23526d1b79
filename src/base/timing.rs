//! Timings of a frame, pass by pass, as shown by the panel and written as JSON.

use serde::Serialize;
use std::{collections::BTreeMap, fmt::Display};

/// Other passes are named by strings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassId(&'static str);

impl PassId {
    pub const fn new(name: &'static str) -> Self {
        Self(name)
    }

    pub fn part(self, part: impl Display) -> String {
        format!("{} {part}", self.0)
    }

    pub fn is(self, pass: &PassTiming) -> bool {
        pass.name.strip_prefix(self.0).is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '/']))
    }

    pub fn part_of(self, pass: &PassTiming) -> Option<&str> {
        pass.name.strip_prefix(self.0)?.strip_prefix(' ')
    }
}

impl AsRef<str> for PassId {
    fn as_ref(&self) -> &str {
        self.0
    }
}

impl From<PassId> for String {
    fn from(id: PassId) -> Self {
        id.0.into()
    }
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PassTiming {
    #[serde(skip)]
    pub name: String,
    /// `None` if the queue has no timestamps.
    pub gpu_us: Option<f64>,
    /// From the frame's first timestamp, or its queue's if [`FrameTiming::clocks_apart`].
    pub gpu_start_us: Option<f64>,
    pub cpu_us: f64,
    /// From the start of the frame's recording.
    pub cpu_start_us: f64,
    /// From the start of recording.
    pub submitted_us: f64,
    pub on_compute_queue: bool,
    #[serde(skip)]
    pub is_shared: bool,
    /// Recorded for a view, which is shown in place of the picture.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub of_view: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PictureStep {
    Whole,
    First,
    Next,
    Last,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct QueueWait {
    /// All later passes of its queue wait too.
    pub pass: usize,
    pub after: Option<usize>,
    pub resource: String,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct FrameTiming {
    pub frame: u64,
    /// Passes on two queues overlap: this is not their sum.
    pub gpu_us: Option<f64>,
    /// Without waiting.
    pub cpu_us: f64,
    /// Start of recording since an arbitrary time, the same for all frames of a run.
    pub begun_us: f64,
    /// Only with calibrated timestamps.
    pub gpu_after_us: Option<f64>,
    /// The queues' clocks are not comparable: each queue's passes start at 0.
    pub clocks_apart: bool,
    /// Drivers compile at the first use, and the times include that.
    pub compiles: bool,
    pub waits: Vec<QueueWait>,
    pub window_pass: Option<usize>,
    /// `None`: it stays, or is only refined.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub picture: Option<PictureStep>,
    #[serde(skip)]
    pub passes: Vec<PassTiming>,
}

pub fn technique_of(pass: &str) -> &str {
    pass.split_once('/').map_or(pass, |(technique, _)| technique)
}

impl FrameTiming {
    pub fn without_gpu_times(mut self) -> Self {
        (self.gpu_us, self.gpu_after_us) = (None, None);
        self.passes.iter_mut().for_each(|pass| (pass.gpu_us, pass.gpu_start_us) = (None, None));
        self
    }

    pub fn retain_passes(&mut self, mut keep: impl FnMut(usize, &PassTiming) -> bool) {
        let mut places = Vec::with_capacity(self.passes.len());
        let (mut index, mut kept) = (0, 0);
        self.passes.retain(|pass| {
            let is_kept = keep(index, pass);
            places.push(is_kept.then_some(kept));
            index += 1;
            kept += usize::from(is_kept);
            is_kept
        });
        let place = |index: usize| places.get(index).copied().flatten();
        self.waits.retain_mut(|wait| {
            let (Some(pass), after) = (place(wait.pass), wait.after.map(place)) else { return false };
            (wait.pass, wait.after) = (pass, after.flatten());
            after != Some(None)
        });
        self.window_pass = self.window_pass.and_then(place);
    }

    /// Until both CPU and GPU have finished; without a common clock as if both started at once.
    pub fn length_us(&self) -> f64 {
        self.cpu_us.max(self.gpu_after_us.unwrap_or(0.0) + self.gpu_us.unwrap_or(0.0))
    }

    pub fn us_of(&self, ids: &[PassId]) -> Option<f64> {
        let is = |pass: &&PassTiming| ids.iter().any(|id| id.is(pass));
        self.passes.iter().filter(is).filter_map(|pass| pass.gpu_us).reduce(|a, b| a + b)
    }

    pub fn us_of_technique(&self, technique: &str) -> Option<f64> {
        self.passes.iter().filter(|pass| technique_of(&pass.name) == technique).map(|pass| pass.gpu_us).sum()
    }

    pub fn by_group<'a>(&'a self, group: impl Fn(&'a PassTiming) -> &'a str) -> Vec<PassTiming> {
        sum_by(&self.passes, |pass| (group(pass), false))
    }

    pub fn by_pass(&self) -> Vec<PassTiming> {
        self.by_group(|pass| &pass.name)
    }

    pub fn by_pass_and_view(&self) -> Vec<PassTiming> {
        sum_by(&self.passes, |pass| (&pass.name, pass.of_view))
    }

    pub fn has_view(&self) -> bool {
        self.passes.iter().any(|pass| pass.of_view)
    }

    pub fn gpu_us_without_view(&self) -> Option<f64> {
        let of_view: f64 = self.passes.iter().filter(|pass| pass.of_view).filter_map(|pass| pass.gpu_us).sum();
        self.gpu_us.map(|us| (us - of_view).max(0.0))
    }
}

fn sum_by<'a>(passes: &'a [PassTiming], key: impl Fn(&'a PassTiming) -> (&'a str, bool)) -> Vec<PassTiming> {
    let mut rows: Vec<PassTiming> = Vec::new();
    let mut row_of = BTreeMap::new();
    for pass in passes {
        let (name, of_view) = key(pass);
        let row = *row_of.entry((name, of_view)).or_insert_with(|| {
            rows.push(PassTiming { name: name.to_owned(), of_view, ..Default::default() });
            rows.len() - 1
        });
        rows[row].cpu_us += pass.cpu_us;
        if let Some(us) = pass.gpu_us {
            *rows[row].gpu_us.get_or_insert(0.0) += us;
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pass(name: &str, gpu_us: Option<f64>, cpu_us: f64) -> PassTiming {
        PassTiming { name: name.into(), gpu_us, cpu_us, ..Default::default() }
    }

    #[test]
    fn sums_by_technique_in_order_of_appearance() {
        let frame = FrameTiming {
            passes: vec![
                pass("mip_chain/reduce", Some(1.0), 0.5),
                pass("glass/lens", None, 0.25),
                pass("mip_chain/reduce", Some(2.0), 0.5),
                pass("ui", Some(4.0), 1.0),
            ],
            ..Default::default()
        };
        assert_eq!(
            frame.by_group(|pass| technique_of(&pass.name)),
            [pass("mip_chain", Some(3.0), 1.0), pass("glass", None, 0.25), pass("ui", Some(4.0), 1.0)]
        );
        assert_eq!(frame.by_pass().len(), 3);
        assert_eq!(technique_of("ui"), "ui");
        assert_eq!(technique_of("a/b/c"), "a");
    }

    #[test]
    fn a_part_belongs_to_its_pass() {
        const LIST: PassId = PassId::new("a/list");
        let passes =
            ["a/list", "a/list marble", "a/lists", "a/list_2", "b/a/list"].map(|name| pass(name, Some(1.0), 0.0));
        let frame = FrameTiming { passes: passes.into(), ..Default::default() };
        assert_eq!(frame.us_of(&[LIST]), Some(2.0));
        assert_eq!(frame.us_of_technique("a"), Some(4.0));
        assert_eq!(LIST.part_of(&frame.passes[1]), Some("marble"));
        assert_eq!(LIST.part("marble"), frame.passes[1].name);
        assert_eq!(FrameTiming { passes: vec![pass("a/list", None, 0.0)], ..frame }.us_of(&[LIST]), None);
    }

    #[test]
    fn waits_are_between_the_passes_that_are_kept() {
        let wait = |pass, after| QueueWait { pass, after, resource: "list".into() };
        let mut frame = FrameTiming {
            passes: ["a", "B b", "c", "B d"].map(|name| pass(name, None, 0.0)).into(),
            waits: vec![wait(2, Some(0)), wait(2, Some(1)), wait(3, None), wait(2, None)],
            window_pass: Some(2),
            ..Default::default()
        };
        frame.retain_passes(|_, pass| !pass.name.starts_with("B "));
        assert_eq!(frame.passes.len(), 2);
        assert_eq!((frame.waits, frame.window_pass), (vec![wait(1, Some(0)), wait(1, None)], Some(1)));
    }
}
