//! Rounds of a comparison in the frames of the window: a copy of the least bytes, then every method, each after a mark.

use super::{Alternative, Card, Cell, Column, Comparison, probe::Probe, timing_marks::between_marks};
use base::{
    stats,
    text::micros,
    timing::{FrameTiming, PassId},
};
use gpu::{Buffer, Delayed, Frame, Memory, ReadBack, Result};

const FLOOR: &str = "floor";
const RATIO: Column =
    Column::new("x minimum", "Times as long as it takes to move the least data that any method must move");

pub struct Rounds {
    pub comparison: Comparison,
    mark: PassId,
    /// Passes that judge a method; their time is not the method's.
    judge: PassId,
    copy: Option<(Probe, Buffer)>,
    round: usize,
    floor_us: Vec<f64>,
    /// By frame, what the first round read back of each method, and the error that follows from it.
    pub reads: Delayed<Vec<(usize, ReadBack)>>,
    pub errors: Vec<Option<f64>>,
}

impl Rounds {
    pub fn new(mark: PassId, judge: PassId) -> Self {
        let (copy, round, floor_us, reads, errors) = Default::default();
        Self { comparison: Comparison::default(), mark, judge, copy, round, floor_us, reads, errors }
    }

    /// Frees the copy's memory once no comparison runs.
    pub fn goes_on(&mut self) -> bool {
        if !self.comparison.is_active() {
            self.copy = None;
        }
        self.comparison.is_active()
    }

    pub fn is_pending(&self) -> bool {
        self.comparison.is_active() || self.reads.is_pending()
    }

    /// True if there are no measurements yet. `least`: bytes that any method must read and write.
    pub fn begin(
        &mut self,
        frame: &Frame,
        key: &str,
        methods: Vec<Alternative>,
        [reads, writes]: [u64; 2],
    ) -> Result<bool> {
        let count = methods.len();
        let is_new = self.comparison.begin(frame.number(), key, methods);
        if is_new {
            (self.round, self.floor_us, self.errors) = (0, Vec::new(), vec![None; count]);
            let mark = Buffer::new(frame.gpu(), "mark", 4, Memory::Device)?;
            self.copy = Some((Probe::new(frame.gpu(), reads, writes)?, mark));
        }
        Ok(is_new)
    }

    pub fn is_first(&self) -> bool {
        self.round == 0
    }

    /// Each round begins with another method: none always follows the same one. `method` records one by its number; in
    /// the first round it returns what its error follows from.
    pub fn record(
        &mut self,
        frame: &mut Frame,
        method: &mut dyn FnMut(&mut Frame, usize) -> Result<Option<ReadBack>>,
    ) -> Result<()> {
        let Some((probe, mark)) = &self.copy else { return Ok(()) };
        frame.fill(self.mark.part(FLOOR), mark, 0)?;
        probe.record(frame)?;
        let methods = self.comparison.alternatives();
        let mut reads = Vec::new();
        for turn in 0..methods.len() {
            let index = (turn + self.round) % methods.len();
            frame.fill(self.mark.part(&methods[index].name), mark, 0)?;
            reads.extend(method(frame, index)?.map(|read| (index, read)));
        }
        frame.fill(self.mark.part("end"), mark, 0)?;
        self.reads.put(frame.number(), reads);
        self.round += 1;
        Ok(())
    }

    pub fn on_timing(&mut self, timing: &FrameTiming, error: &dyn Fn(&ReadBack) -> Result<Option<f64>>) -> Result<()> {
        // What an earlier frame read may be of another size.
        let reads = self.reads.take(timing.frame).filter(|_| self.comparison.counts(timing.frame));
        let Some(reads) = reads else { return Ok(()) };
        for (index, read) in &reads {
            if let Some(known) = self.errors.get_mut(*index) {
                *known = error(read)?;
            }
        }
        if timing.compiles {
            return Ok(());
        }
        let times = between_marks(timing, self.mark, |pass| !self.judge.is(pass));
        let time = |name: &str| times.iter().find(|(of, _)| *of == name).map(|(_, us)| *us);
        self.floor_us.extend(time(FLOOR));
        let methods: Vec<Option<f64>> = self.comparison.alternatives().iter().map(|one| time(&one.name)).collect();
        for (index, us) in methods.into_iter().enumerate() {
            self.comparison.add(timing.frame, index, us);
        }
        Ok(())
    }

    /// `cells`: those after the ratio, from a method's number and error.
    pub fn card(&self, columns: &[Column], cells: &dyn Fn(usize, Option<f64>) -> Vec<Cell>) -> Card {
        let floor = (!self.floor_us.is_empty()).then(|| stats::median(&mut self.floor_us.clone()));
        let all = |index: usize, alternative: &Alternative| {
            let both = alternative.times().zip(floor).filter(|(_, floor)| *floor > 0.0);
            let mut all = vec![Cell::number(both.map(|(us, floor)| us.median / floor), 1)];
            all.extend(cells(index, self.errors.get(index).copied().flatten()));
            all
        };
        let mut card = Card::of(&self.comparison, "method", &[&[RATIO], columns].concat(), &all);
        card.answer = Some(self.comparison.verdict());
        card.notes.push(format!("The minimum here: {}.", floor.map_or("not known".into(), micros)));
        card
    }
}
