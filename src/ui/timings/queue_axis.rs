//! A frame on the axis of the GPU's queues.

use super::super::state::UiState;
use crate::base::text::micros;
use crate::base::timing::FrameTiming;
use crate::lab::Progress;
use crate::techniques::{Technique as _, particles::Particles};

#[derive(Clone, Debug, Default)]
pub(in crate::ui) struct QueueNote {
    pub is_one_queue: bool,
    /// Time saved by overlapping the queues, if measured.
    pub saved: Option<String>,
}

impl QueueNote {
    pub fn of(state: &UiState<'_>) -> Self {
        let is_one_queue = state.device.is_one_queue;
        let particles = state.measured.measurements.iter().find(|one| one.id == Particles::ID);
        let done = particles.filter(|one| matches!(one.card.progress, Progress::Done { .. }) && !is_one_queue);
        let saved = done.and_then(|one| Some(one.card.answer.as_ref()?.text.clone()));
        Self { is_one_queue, saved }
    }
}

/// Microseconds.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Bar {
    pub name: String,
    pub from: f64,
    pub to: f64,
}

#[derive(Clone, Debug, Default)]
pub(super) struct QueueAxis {
    /// Graphics queue, and compute queue.
    pub queues: [Vec<Bar>; 2],
    /// Each queue starts at its own first timestamp.
    pub is_apart: bool,
}

impl QueueAxis {
    pub fn of(timing: &FrameTiming) -> Self {
        let mut axis = Self { is_apart: timing.clocks_apart, ..Self::default() };
        for pass in &timing.passes {
            if let (Some(from), Some(us)) = (pass.gpu_start_us, pass.gpu_us) {
                let bar = Bar { name: pass.name.clone(), from, to: from + us };
                axis.queues[usize::from(pass.on_compute_queue)].push(bar);
            }
        }
        axis
    }

    /// Microseconds from the first timestamp to the last.
    pub fn end(&self) -> f64 {
        self.queues.iter().flatten().map(|bar| bar.to).fold(0.0, f64::max)
    }

    /// Busy microseconds: passes may overlap.
    pub fn busy(&self, queue: usize) -> f64 {
        merged(&self.queues[queue]).iter().map(|(from, to)| to - from).sum()
    }

    /// Microseconds in which both are busy.
    pub fn beside(&self) -> f64 {
        let [graphics, compute] = self.queues.each_ref().map(|bars| merged(bars));
        let pairs = graphics.iter().flat_map(|a| compute.iter().map(move |b| (a, b)));
        pairs.map(|(a, b)| (a.1.min(b.1) - a.0.max(b.0)).max(0.0)).sum()
    }

    pub fn words(&self, note: &QueueNote) -> String {
        let both = self.queues.iter().all(|bars| !bars.is_empty());
        let now = match both {
            _ if note.is_one_queue => "This device has one queue: graphics and compute cannot overlap.".to_owned(),
            false => "Nothing ran on the compute queue in this frame.".to_owned(),
            true if self.is_apart => {
                "The queues' clocks cannot be compared here: each row begins at its own first pass.".to_owned()
            }
            true => format!("Both at once for {}.", micros(self.beside())),
        };
        match &note.saved {
            Some(saved) => format!("{now} {saved}"),
            None => now,
        }
    }
}

/// Union of the bars' intervals, in order.
fn merged(bars: &[Bar]) -> Vec<(f64, f64)> {
    let mut spans: Vec<(f64, f64)> = bars.iter().map(|bar| (bar.from, bar.to)).collect();
    spans.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut whole: Vec<(f64, f64)> = Vec::new();
    for (from, to) in spans {
        match whole.last_mut() {
            Some(last) if from <= last.1 => last.1 = last.1.max(to),
            _ => whole.push((from, to)),
        }
    }
    whole
}
