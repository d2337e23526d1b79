//! Timings of a frame, pass by pass, as shown by the panel and written as JSON.

use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, fmt::Display};

/// A pass that is found again in a [`FrameTiming`], declared by the code that records it. Other passes are named by strings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassId(&'static str);

impl PassId {
    /// `name` is a path, `technique/what`.
    #[must_use]
    pub const fn new(name: &'static str) -> Self {
        Self(name)
    }

    /// Name of a part of it: `shade/list marble`.
    #[must_use]
    pub fn part(self, part: impl Display) -> String {
        format!("{} {part}", self.0)
    }

    /// Whether a pass is this one or a part of it.
    #[must_use]
    pub fn is(self, pass: &PassTiming) -> bool {
        pass.name.strip_prefix(self.0).is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '/']))
    }

    /// The part of it that a pass is.
    #[must_use]
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

/// One pass of one frame. Its name is a path, `technique/what`.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct PassTiming {
    /// Path of the pass, for example `mip_chain/reduce`. In a trace it is the name of the event.
    #[serde(skip)]
    pub name: String,
    /// Microseconds between the pass' two timestamps; `None` if the queue has no timestamps.
    pub gpu_us: Option<f64>,
    /// Microseconds from the frame's first timestamp to this pass' first; of its queue, if [`FrameTiming::clocks_apart`].
    pub gpu_start_us: Option<f64>,
    /// Microseconds the CPU took to record it.
    pub cpu_us: f64,
    /// Microseconds from the start of the frame's recording to the start of this pass'.
    pub cpu_start_us: f64,
    /// Microseconds from the start of the frame's recording to the submission of its commands.
    pub submitted_us: f64,
    /// Whether it ran on the compute queue, beside the draws.
    pub on_compute_queue: bool,
}

/// A wait of a queue for the other one, by a semaphore.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct QueueWait {
    /// Index of the pass that waits, and with it all later ones of its queue.
    pub pass: usize,
    /// Index of the last pass that it waits for; `None`: one of an earlier frame.
    pub after: Option<usize>,
    /// The resource that both access.
    pub resource: String,
}

/// One finished frame: the total and its passes in the order they were recorded.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct FrameTiming {
    /// Number of the frame, counted from 0 at the start.
    pub frame: u64,
    /// Microseconds from the first timestamp to the last; passes on two queues overlap, so this is not their sum.
    pub gpu_us: Option<f64>,
    /// Microseconds the CPU took for the frame, waiting excluded.
    pub cpu_us: f64,
    /// Microseconds from an arbitrary start, the same for all frames of a run, to the start of its recording.
    pub begun_us: f64,
    /// Microseconds from the start of its recording to the first timestamp, if the device has calibrated timestamps.
    pub gpu_after_us: Option<f64>,
    /// Whether the two queues' clocks are not comparable: each queue's passes then start at 0.
    pub clocks_apart: bool,
    /// Whether a pipeline was used for the first time: drivers compile then, and the times include that.
    pub compiles: bool,
    /// Waits of its passes for the other queue.
    pub waits: Vec<QueueWait>,
    /// Index of the first pass that waits for the window's image.
    pub window_pass: Option<usize>,
    /// The passes. In a trace they are events of their own.
    #[serde(skip)]
    pub passes: Vec<PassTiming>,
}

/// The technique of a pass: the first component of its path.
pub fn technique_of(pass: &str) -> &str {
    pass.split_once('/').map_or(pass, |(technique, _)| technique)
}

impl FrameTiming {
    /// Keeps the passes for which `keep` is true, given their indices, and the waits between them.
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

    /// Microseconds from the start of its recording until both CPU and GPU have finished it; without a common clock as if both started at once.
    #[must_use]
    pub fn length_us(&self) -> f64 {
        self.cpu_us.max(self.gpu_after_us.unwrap_or(0.0) + self.gpu_us.unwrap_or(0.0))
    }

    /// Microseconds on the GPU of the passes `ids`; `None` if none of them has a time.
    #[must_use]
    pub fn us_of(&self, ids: &[PassId]) -> Option<f64> {
        let is = |pass: &&PassTiming| ids.iter().any(|id| id.is(pass));
        self.passes.iter().filter(is).filter_map(|pass| pass.gpu_us).reduce(|a, b| a + b)
    }

    /// Microseconds on the GPU of a technique's passes; `None` if one of them has no time.
    #[must_use]
    pub fn us_of_technique(&self, technique: &str) -> Option<f64> {
        self.passes.iter().filter(|pass| technique_of(&pass.name) == technique).map(|pass| pass.gpu_us).sum()
    }

    /// Sums by a group of each pass, in the order in which the groups first appear.
    pub fn by_group<'a>(&'a self, group: impl Fn(&'a str) -> &'a str) -> Vec<PassTiming> {
        sum_by(&self.passes, |pass| group(&pass.name))
    }

    /// Sums by technique, in the order in which the techniques first appear. A sum has a GPU time if one of its passes has one.
    pub fn by_technique(&self) -> Vec<PassTiming> {
        self.by_group(technique_of)
    }

    /// Sums by full name, in order of first appearance: a pass recorded five times in a frame is one row.
    pub fn by_pass(&self) -> Vec<PassTiming> {
        sum_by(&self.passes, |pass| &pass.name)
    }
}

fn sum_by<'a>(passes: &'a [PassTiming], key: impl Fn(&'a PassTiming) -> &'a str) -> Vec<PassTiming> {
    let mut rows: Vec<PassTiming> = Vec::new();
    let mut row_of = BTreeMap::new();
    for pass in passes {
        let name = key(pass);
        let row = *row_of.entry(name).or_insert_with(|| {
            rows.push(PassTiming { name: name.to_owned(), ..Default::default() });
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
            frame.by_technique(),
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
