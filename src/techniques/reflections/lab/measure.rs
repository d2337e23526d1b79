//! Times and counts of each bounce, read some frames later.

use crate::{
    Reflections,
    passes::mask::pass_of,
    uniforms::{DEPTH_MOST, PlanBlock, WORD},
};
use base::{
    stats::Quartiles,
    text::{percent, thousands},
    timing::FrameTiming,
};
use gpu::{Buffer, Delayed, Frame, ReadBack, Result};
use lab::{Alternative, Answer, Card, Cell, Column, Comparison, Goal, spread};

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounce {
    pub lanes: u32,
    pub words: u32,
    pub us: Option<f64>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Figures {
    pub pixels: u32,
    pub words: u32,
    pub frame_us: Option<f64>,
    pub bounces: Vec<Bounce>,
}

impl Figures {
    fn new(plan: &PlanBlock, counts: &[u32], timing: &FrameTiming) -> Self {
        let time = |bounce: u32| {
            let name = pass_of(bounce);
            let passes = timing.passes.iter().filter(|pass| pass.name == name);
            passes.map(|pass| pass.gpu_us).reduce(|sum, us| Some(sum? + us?)).flatten()
        };
        let both = counts.chunks_exact(2).zip(0..plan.depth);
        let bounces = both.map(|(c, bounce)| Bounce { lanes: c[0], words: c[1], us: time(bounce) }).collect();
        Self { pixels: plan.size.x * plan.size.y, words: plan.words, frame_us: timing.gpu_us, bounces }
    }

    fn rate(&self, bounces: usize) -> Option<f64> {
        let later = self.bounces[bounces..].iter().map(|bounce| bounce.us).sum::<Option<f64>>()?;
        self.frame_us.map(|frame| 1e6 / (frame - later)).filter(|rate| rate.is_finite() && *rate > 0.0)
    }

    fn cells(&self, index: usize) -> Vec<Cell> {
        let part = |of: u32, whole: u32| f64::from(of) / f64::from(whole.max(1));
        let Some(bounce) = self.bounces.get(index) else { return Vec::new() };
        let skipped = 1.0 - part(bounce.words, self.words);
        vec![
            Cell::share(part(bounce.lanes, self.pixels)),
            Cell::share(part(bounce.lanes, bounce.words * WORD)),
            Cell::new(skipped, percent(skipped, 1)),
            Cell::number(self.rate(index + 1), 1),
        ]
    }
}

const COLUMNS: [Column; 4] = [
    Column::new("live pixels", "Pixels that trace a ray, of all pixels of the reflections"),
    Column::new(
        "threads with work",
        "Threads with a live pixel, of all 32 of each word that has one; a list of pixels fills all",
    ),
    Column::new(
        "words skipped",
        "Words of the mask, of 32 pixels each, that have no live pixel: threads end there at once",
    ),
    Column::new(
        "frames/s",
        "Frames per second there would be if this bounce were the last. Nearly equal where the rest of the frame takes most of the time",
    ),
];

pub struct Measure {
    pub comparison: Comparison,
    pending: Delayed<(PlanBlock, ReadBack)>,
    done: Option<Figures>,
    sums: Vec<f64>,
}

impl Default for Measure {
    fn default() -> Self {
        Self { comparison: Comparison::new(Goal::Settled), pending: Delayed::default(), done: None, sums: Vec::new() }
    }
}

impl Measure {
    pub fn mark(&self, technique: &mut Reflections) {
        technique.counts_bounces = self.comparison.is_active();
    }

    /// Of what the frame has traced.
    pub fn count(&mut self, technique: &mut Reflections, frame: &mut Frame) -> Result<()> {
        technique.counted.take().map_or(Ok(()), |(plan, counts)| self.begin(frame, &plan, &counts))
    }

    fn begin(&mut self, frame: &mut Frame, plan: &PlanBlock, counts: &Buffer) -> Result<()> {
        debug_assert!(counts.size() >= 8 * u64::from(DEPTH_MOST));
        let bounces = (1..=plan.depth).map(|bounce| Alternative::new(bounce.to_string())).collect();
        if self.comparison.begin(frame.number(), &format!("{}", plan.size), bounces) {
            (self.done, self.sums) = (None, Vec::new());
        }
        let read = frame.read_buffer(counts)?;
        self.pending.put(frame.number(), (*plan, read));
        Ok(())
    }

    pub fn on_timing(&mut self, timing: &FrameTiming) -> Result<()> {
        let read = self.pending.take(timing.frame).filter(|_| self.comparison.counts(timing.frame));
        let Some((plan, counts)) = read else { return Ok(()) };
        let figures = Figures::new(&plan, &counts.read::<u32>()?, timing);
        if !timing.compiles {
            for (index, bounce) in figures.bounces.iter().enumerate() {
                self.comparison.add(timing.frame, index, bounce.us);
            }
            self.sums.extend(figures.bounces.iter().map(|bounce| bounce.us).sum::<Option<f64>>());
        }
        self.done = Some(figures);
        Ok(())
    }

    pub fn is_pending(&self) -> bool {
        self.pending.is_pending() || self.comparison.is_active()
    }

    pub fn card(&self) -> Card {
        let cells = |index: usize, _: &Alternative| {
            self.done.as_ref().map_or_else(|| vec![Cell::none(); COLUMNS.len()], |figures| figures.cells(index))
        };
        let mut card = Card::of(&self.comparison, "bounce", &COLUMNS, &cells);
        if let Some(figures) = &self.done {
            card.subject = format!("{}, {} px of reflections", card.subject, thousands(figures.pixels.into()));
        }
        card.answer = Some(self.answer());
        card
    }

    fn answer(&self) -> Answer {
        if let Some(none) = self.comparison.no_verdict() {
            return none;
        }
        let Some(times) = Quartiles::of(&self.sums) else { return Answer::plain("No times.") };
        let (count, is_noisy) = (self.comparison.alternatives().len(), times.high > 1.2 * times.low);
        let noisy = if is_noisy { " Too noisy for a closer figure." } else { "" };
        Answer::plain(format!("{count} bounces take {} a frame.{noisy}", spread(&times)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ReflectionsSettings;
    use base::timing::PassTiming;
    use bytemuck::Zeroable as _;
    use glam::UVec2;

    #[test]
    fn counts_and_times_are_in_their_rows() {
        let plan = PlanBlock { size: UVec2::new(64, 10), words: 20, depth: 2, ..PlanBlock::zeroed() };
        let pass = |name: String, us| PassTiming { name, gpu_us: Some(us), ..PassTiming::default() };
        let passes = vec![pass(pass_of(1), 7.0), pass(pass_of(0), 30.0)];
        let timing = FrameTiming { passes, gpu_us: Some(1007.0), ..FrameTiming::default() };
        let figures = Figures::new(&plan, &[320, 15, 8, 1, 9, 9], &timing);
        let mut measure = Measure::default();
        measure.comparison.request(std::time::Instant::now());
        measure.comparison.begin(0, "", ["1", "2"].map(Alternative::new).to_vec());
        for _ in 0..20 {
            figures.bounces.iter().enumerate().for_each(|(index, bounce)| measure.comparison.add(0, index, bounce.us));
            measure.comparison.check(std::time::Instant::now());
            measure.sums.push(37.0);
        }
        measure.done = Some(figures);
        let card = measure.card();
        let texts =
            |row: usize| card.tables[0].rows[row].cells.iter().map(|cell| cell.text.clone()).collect::<Vec<_>>();
        assert_eq!(texts(0), ["30.0 µs", "30.0 to 30.0 µs", "50 %", "67 %", "25.0 %", "1000.0"]);
        assert_eq!(texts(1), ["7.00 µs", "7.00 to 7.00 µs", "1 %", "25 %", "95.0 %", "993.0"]);
        assert_eq!(card.answer.unwrap().text, "2 bounces take 37.0 µs (37.0 µs to 37.0 µs) a frame.");
        assert!(ReflectionsSettings::default().depth <= DEPTH_MOST);
    }
}
