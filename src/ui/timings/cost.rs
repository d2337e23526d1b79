//! Costs per displayed frame, and their figures.

use base::timing::PictureStep;
use std::collections::VecDeque;

/// Largest denominator of "in 1 of 4 frames".
const OF_MOST: usize = 9;

/// Microseconds per displayed frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Figures {
    /// In the newest frame in which it ran, in the window or before.
    pub last: Option<f64>,
    /// In the last full frame.
    pub full: Option<f64>,
    /// Sum over the window, divided by all of its frames.
    pub mean: Option<f64>,
    pub longest: Option<f64>,
    /// Fraction of the time of all frames of the window, 0 to 1; at rest of the last full frame.
    pub share: f64,
    pub rests: bool,
}

/// While nothing below the glass is drawn: what drew it, in microseconds on GPU and CPU.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rest {
    pub us: [f64; 2],
    pub frames: usize,
    /// Of the last full frame; else a sum of the last runs of all techniques.
    pub is_full: bool,
}

impl Figures {
    /// At rest of the last full frame, or the last one with it.
    pub fn per_frame(&self) -> Option<f64> {
        self.full.filter(|_| self.rests).or(self.mean).or(self.last_run())
    }

    pub fn last_run(&self) -> Option<f64> {
        self.full.filter(|_| self.rests || self.mean.is_none()).or(self.last)
    }

    /// By the columns of the table.
    pub fn columns(&self) -> [Option<f64>; 4] {
        [self.last_run(), self.mean, self.longest, Some(self.share).filter(|share| *share > 0.0)]
    }
}

/// History of one pass, one technique or the frame.
#[derive(Default)]
pub(super) struct Cost {
    /// GPU and CPU microseconds of each frame of the history; `None` where it did not run, or the GPU has no timestamps.
    pub us: [VecDeque<Option<f64>>; 2],
    /// GPU and CPU microseconds of the newest frame in which it ran.
    pub(super) last: [Option<f64>; 2],
    pub(super) last_in: Option<u64>,
    /// GPU and CPU microseconds of the last full frame, if it ran in it, and of the steps so far of the next one.
    pub(super) full: [Option<f64>; 2],
    pub(super) steps: [Option<f64>; 2],
    pub(super) of_view: bool,
    /// Number of frames that its own figure and those of its parts come from.
    pub(super) frames_of_parts: usize,
    pub(super) place: usize,
    pub shown: [Figures; 2],
    /// Number of frames of the window in which it ran, and of all.
    pub(super) frames: [usize; 2],
    /// GPU microseconds of a frame in which it ran: mean of the last window in which it did.
    pub(super) run_us: Option<f64>,
}

impl Cost {
    pub fn new(age: usize) -> Self {
        let us = [(); 2].map(|()| VecDeque::from(vec![None; age]));
        Self { us, place: usize::MAX, ..Self::default() }
    }

    /// It has not run in the newest frame yet.
    pub fn extend(&mut self) {
        self.us.iter_mut().for_each(|series| series.push_back(None));
    }

    /// Its times in the newest frame.
    pub fn run(&mut self, us: [Option<f64>; 2], number: u64) {
        let newest = self.us.iter_mut().filter_map(VecDeque::back_mut);
        newest.zip(us).for_each(|(newest, us)| *newest = us);
        self.note(us, number);
    }

    /// Times in a frame that may not count.
    pub fn note(&mut self, us: [Option<f64>; 2], number: u64) {
        (self.last, self.last_in) = (us, Some(number));
    }

    /// The newest frame is this step of a full frame.
    pub fn draw(&mut self, step: PictureStep) {
        let now = self.us.each_ref().map(|series| series.back().copied().flatten());
        let mut sum = now;
        if matches!(step, PictureStep::Next | PictureStep::Last) {
            let sides = sum.iter_mut().zip(self.steps);
            sides.for_each(|(us, before)| *us = (*us).into_iter().chain(before).reduce(|a, b| a + b));
        }
        match step {
            PictureStep::First | PictureStep::Next => self.steps = sum,
            PictureStep::Whole | PictureStep::Last => self.full = sum,
        }
    }

    /// At rest the last full frame, if it ran in it.
    pub fn figure_of(&self) -> FigureOf {
        match self.last_in {
            _ if self.full != [None; 2] && (self.shown[0].rests || !self.is_live()) => FigureOf::FullFrame,
            _ if self.is_live() => FigureOf::Window,
            Some(number) => FigureOf::Frame(number),
            None => FigureOf::Nothing,
        }
    }

    pub fn drop_oldest(&mut self, count: usize) {
        self.us.iter_mut().for_each(|series| drop(series.drain(..count)));
    }

    pub fn is_live(&self) -> bool {
        self.frames[0] > 0
    }

    /// "1 of 4" if it did not run in all frames of the window.
    pub fn in_frames(&self) -> Option<String> {
        part_of(self.frames).map(|[part, of]| format!("{part} of {of}"))
    }

    /// `window`: number of newest frames that count; `frames_us`: their GPU and CPU microseconds.
    pub fn update(&mut self, window: usize, frames_us: [f64; 2], rest: Option<Rest>) {
        let [_, cpu_us] = &self.us;
        let from = cpu_us.len().saturating_sub(window);
        self.frames = [cpu_us.range(from..).flatten().count(), cpu_us.len() - from];
        for (side, frames_us) in frames_us.into_iter().enumerate() {
            let us = || self.us[side].range(from..).flatten().copied();
            let sum: f64 = us().sum();
            if side == 0 && us().next().is_some() {
                self.run_us = Some(sum / us().count() as f64);
            }
            let (part, whole) = match rest {
                Some(rest) if rest.is_full => (self.full[side].unwrap_or(0.0), rest.us[side]),
                Some(rest) => (self.last[side].unwrap_or(0.0), rest.us[side]),
                None => (sum, frames_us),
            };
            self.shown[side] = Figures {
                last: self.last[side],
                full: self.full[side],
                mean: us().next().map(|_| sum / self.frames[1] as f64),
                longest: us().reduce(f64::max),
                share: (part / whole.max(1e-9)).min(1.0),
                rests: rest.is_some(),
            };
        }
    }
}

/// The nearest fraction with a small denominator; `None` for all or none.
pub(super) fn part_of([part, of]: [usize; 2]) -> Option<[usize; 2]> {
    if part == 0 || part == of {
        return None;
    }
    let exact = part as f64 / of as f64;
    if exact < 1.0 / OF_MOST as f64 {
        return Some([1, (of as f64 / part as f64).round() as usize]);
    }
    let all = (2..=OF_MOST).flat_map(|of| (1..of).map(move |part| [part, of]));
    // One frame more or less at the ends of the window keeps the fraction, where that is a small part of it.
    let near = |fraction: &[usize; 2]| (fraction[0] as f64 / fraction[1] as f64 - exact).abs();
    let within = if of <= OF_MOST { 1e-9 } else { 1.01 / of as f64 };
    all.clone().find(|fraction| near(fraction) <= within).or_else(|| all.min_by(|a, b| near(a).total_cmp(&near(b))))
}

#[derive(Clone, Debug, PartialEq)]
pub struct TechniqueCost {
    /// Microseconds on the GPU in the last full frame, or else per displayed frame.
    pub us: f64,
    /// Fraction of the GPU time of the same frames, 0 to 1.
    pub share: f64,
    pub of: CostOf,
    /// It ran in the last second with frames.
    pub is_now: bool,
}

impl TechniqueCost {
    /// An idle window draws nothing now.
    pub fn at(self, is_idle: bool) -> Self {
        Self { is_now: self.is_now && !is_idle, ..self }
    }
}

/// Frames that a cost was measured in.
#[derive(Clone, Debug, PartialEq)]
pub enum CostOf {
    /// Drawn in as many displayed ones.
    FullFrame(usize),
    /// "1 of 4" if it does not run in every one.
    LastSecond(Option<String>),
}

/// The last frame that drew all of the picture under the glass, or the sum of those that drew it in steps; without the passes of a view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FullFrame {
    /// Microseconds on the GPU.
    pub us: f64,
    /// Number of displayed frames.
    pub frames: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum FigureOf {
    Nothing,
    Window,
    FullFrame,
    Frame(u64),
}
