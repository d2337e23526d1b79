//! Payoff of sorting: times of sorting and of shading, with and without a list.

use super::measure::Figures;
use base::{stats::Quartiles, text::micros};
use lab::{Alternative, Answer, Card, CardRow, CardTable, Cell, Column, Comparison, spread};

const SORTED: usize = 0;
const UNSORTED: usize = 1;

/// Microseconds on the GPU.
#[derive(Default)]
pub struct Payoff {
    pub comparison: Comparison,
    sort: Vec<f64>,
    list: Vec<f64>,
}

impl Payoff {
    /// Whether `frame` is shaded by the list, and whether nothing is known yet; `None` without a comparison.
    pub fn turn(&mut self, frame: u64) -> Option<(bool, bool)> {
        if !self.comparison.is_active() {
            return None;
        }
        let is_new = self.comparison.begin(frame, "", ["sorted", "unsorted"].map(Alternative::new).to_vec());
        if is_new {
            (self.sort, self.list) = Default::default();
        }
        Some((self.comparison.turn() == SORTED, is_new))
    }

    pub fn add(&mut self, frame: u64, sort_us: Option<f64>, shading_us: f64) {
        if !self.comparison.counts(frame) {
            return;
        }
        match sort_us {
            Some(sort_us) => {
                self.comparison.add(frame, SORTED, Some(sort_us + shading_us));
                self.sort.push(sort_us);
                self.list.push(shading_us);
            }
            None => self.comparison.add(frame, UNSORTED, Some(shading_us)),
        }
    }

    /// A warp executes the work of its IDs in sequence, so shading of T by raster takes T * d_list / d_raster by list,
    /// d being the mean distinct IDs of a warp: sorting pays from T = t_sort / (1 - d_list / d_raster) on. The cost of
    /// reading the list is in the measurement only.
    pub fn card(&self, figures: Option<&Figures>) -> Card {
        let [sort, list] = [&self.sort, &self.list].map(|us| Quartiles::of(us));
        let of = |index: usize| self.comparison.alternatives().get(index).and_then(Alternative::times);
        let raster = of(UNSORTED);
        let part_saved = figures.and_then(Figures::means).map(|[before, after]| 1.0 - after / before);
        let sort_us = sort.map(|times| times.median);
        let forecast = raster.zip(part_saved).zip(sort_us).map(|((raster, saved), sort)| raster.median * saved - sort);
        let break_even = part_saved.filter(|saved| *saved > 0.0).zip(sort_us).map(|(saved, sort)| sort / saved);
        let row = |name: &str, us: Option<f64>, range: Option<Quartiles>| {
            let range = range.map_or_else(Cell::none, |times| {
                Cell::new(times.high - times.low, format!("{} to {}", micros(times.low), micros(times.high)))
            });
            CardRow { title: name.into(), cells: vec![Cell::us(us), range], ..CardRow::default() }
        };
        let timed = |name: &str, times: Option<Quartiles>| row(name, times.map(|times| times.median), times);
        let rows = vec![
            timed("shading, unsorted", raster),
            timed("sort", sort),
            timed("shading, sorted", list),
            timed("sort and shading, sorted", of(SORTED)),
            timed("measured saving", self.comparison.difference(UNSORTED, SORTED)),
            row("predicted saving", forecast, None),
            row("predicted break-even", break_even, None),
        ];
        let columns = vec![
            Column::new("what", ""),
            Column::new("time", "Median on the GPU, of frames shaded both ways in turns"),
            Column::new("quartiles", "A quarter of the times is below the first, a quarter above the second"),
        ];
        let times = CardTable { title: String::new(), columns, rows };
        let notes = [
            "Measured saving: unsorted shading less sort and sorted shading, by their medians; its range is the least and most between their quartiles.",
            "Predicted saving: a model, unsorted shading x (1 - sorted / unsorted IDs per warp), less the sort. It holds for GPUs whose warps shade one ID after the other; what was measured decides.",
            "Predicted break-even: by this model, sorting pays where unsorted shading takes at least this long.",
        ];
        Card {
            progress: self.comparison.progress(),
            subject: self.comparison.subject().to_owned(),
            answer: Some(self.answer()),
            tables: std::iter::once(times).chain(figures.map(Figures::table)).collect(),
            notes: notes.map(str::to_owned).into(),
            pareto: None,
        }
    }

    fn answer(&self) -> Answer {
        let noisy = |us: [Quartiles; 2]| {
            let [unsorted, sorted] = us.map(|us| spread(&us));
            format!("Too noisy to tell whether sorting pays: {sorted} sorted, {unsorted} unsorted.")
        };
        let saved = match self.comparison.saved([UNSORTED, SORTED], &noisy) {
            Ok(saved) => saved,
            Err(none) => return none,
        };
        let pays = saved.median > 0.0;
        let [from, to] = if pays { [saved.low, saved.high] } else { [-saved.high, -saved.low] };
        let what = if pays { "saves" } else { "costs" };
        let text =
            format!("Sorting {what} {} a frame ({} to {}).", micros(saved.median.abs()), micros(from), micros(to));
        Answer { text, pays: Some(pays) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    fn figures(before: usize, after: usize) -> Figures {
        let (mut raster, mut list) = ([0; 33], [0; 33]);
        (raster[before], list[after]) = (10, 10);
        Figures { raster, list, entries: 320, pixels: 320, unresolved: 0 }
    }

    fn measured(sort: f64, list: f64, raster: f64, noise: f64) -> Payoff {
        let mut payoff = Payoff::default();
        assert_eq!(payoff.turn(0), None, "nothing was asked for");
        payoff.comparison.request(Instant::now());
        for frame in 0..1000_u32 {
            let Some((is_sorted, is_new)) = payoff.turn(frame.into()) else { break };
            assert_eq!((is_sorted, is_new), (frame % 2 == 0, frame == 0), "in turns");
            let factor = 1.0 + noise * (f64::from((frame * 7919 + 13) % 101) - 50.0) / 50.0;
            match is_sorted {
                true => payoff.add(frame.into(), Some(sort * factor), list * factor),
                false => payoff.add(frame.into(), None, raster * factor),
            }
            payoff.comparison.check(Instant::now());
        }
        payoff
    }

    #[test]
    fn times_are_joined() {
        let card = measured(10.0, 100.0, 200.0, 0.0).card(Some(&figures(4, 1)));
        let rows: Vec<[&str; 2]> =
            card.tables[0].rows.iter().map(|row| [row.title.as_str(), row.cells[0].text.as_str()]).collect();
        let expected = [
            ["shading, unsorted", "200 µs"],
            ["sort", "10.0 µs"],
            ["shading, sorted", "100 µs"],
            ["sort and shading, sorted", "110 µs"],
            ["measured saving", "90.0 µs"],
            ["predicted saving", "140 µs"],
            ["predicted break-even", "13.3 µs"],
        ];
        assert_eq!(rows, expected);
        assert_eq!(card.tables.len(), 2, "and the distinct IDs");
        let said = "Sorting saves 90.0 µs a frame (90.0 µs to 90.0 µs).";
        assert_eq!(card.answer, Some(Answer { text: said.into(), pays: Some(true) }));
    }

    #[test]
    fn a_loss_and_noise_are_said() {
        let loss = measured(30.0, 100.0, 110.0, 0.0).answer();
        assert_eq!(
            loss,
            Answer { text: "Sorting costs 20.0 µs a frame (20.0 µs to 20.0 µs).".into(), pays: Some(false) }
        );
        let noisy = measured(30.0, 100.0, 135.0, 0.6);
        let answer = noisy.answer();
        assert!(
            answer.text.starts_with("Too noisy to tell whether sorting pays: ") && answer.pays.is_none(),
            "{answer:?}"
        );
        assert_eq!(Payoff::default().answer().text, "Measuring ...");
    }
}
