//! Whether sorting pays: what the sort costs beside what it saves the shading that reads its list.

use crate::{
    base::{
        stats::Series,
        text::micros,
        timing::{FrameTiming, PassTiming},
    },
    techniques::{Answer, Report, pixel_sort::Figures},
};

/// Frames whose times count.
const FRAMES: usize = 31;
/// Frames shaded each way before there is an answer.
const ENOUGH: usize = 5;
/// Frames from one that is shaded the other way to the next, once there is an answer.
const EVERY: u32 = 16;

/// An order in which pixels are shaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// As the sorted list has them.
    List,
    /// By blocks of 8x4 pixels.
    Raster,
}

/// Times of the last frames, microseconds on the GPU.
///
/// The score hands every ended frame to [`on_timing`](Self::on_timing). While `pixel_sort.measure` is on it asks
/// [`way`](Self::way) once for every frame that it shades, for only frames shaded both ways can be compared; it forgets
/// everything ([`Default`]) when the setting goes off or the size of the picture changes.
pub struct SortPayoff {
    sort: Series,
    list: Series,
    raster: Series,
    frames: u32,
}

impl Default for SortPayoff {
    fn default() -> Self {
        let series = || Series::new(FRAMES);
        Self { sort: series(), list: series(), raster: series(), frames: 0 }
    }
}

impl SortPayoff {
    /// Takes the times of the sort and of the shading out of a frame that has ended.
    pub fn on_timing(&mut self, timing: &FrameTiming) {
        // Views and measurements are no part of what the list costs.
        for (series, names) in [
            (&mut self.sort, &["pixel_sort/lengths", "pixel_sort/sort"][..]),
            (&mut self.list, &["shade/list"]),
            (&mut self.raster, &["shade/raster"]),
        ] {
            let is = |pass: &&PassTiming| names.iter().any(|name| is_part_of(&pass.name, name));
            let passes = timing.passes.iter().filter(is);
            if let Some(us) = passes.filter_map(|pass| pass.gpu_us).reduce(|a, b| a + b) {
                series.push(us);
            }
        }
    }

    /// How the frame that is recorded now is to be shaded where the settings say `chosen`: the other way until there are
    /// enough of it, and now and then.
    pub fn way(&mut self, chosen: Way) -> Way {
        let (other, times) = match chosen {
            Way::List => (Way::Raster, &self.raster),
            Way::Raster => (Way::List, &self.list),
        };
        self.frames += 1;
        let turn = if times.len() < ENOUGH { self.frames.is_multiple_of(2) } else { self.frames.is_multiple_of(EVERY) };
        if turn { other } else { chosen }
    }

    /// Whether more frames are needed for an answer, and there is hope: some devices give no times.
    #[must_use]
    pub fn is_measuring(&self) -> bool {
        self.frames < 100 && self.list.len().min(self.raster.len()) < ENOUGH
    }

    /// Times, gains and the answer. `figures` of the list allow for a forecast: where a warp does what each of its IDs
    /// needs one after the other, shading of T microseconds by raster takes T * d_list / d_raster by list, d being the
    /// mean distinct IDs of a warp; so sorting pays from T = t_sort / (1 - d_list / d_raster) on. What reading the list
    /// costs the shading is not in the forecast; it is in what was measured.
    #[must_use]
    pub fn report(&self, figures: Option<&Figures>) -> Option<Report> {
        let sort = self.sort.median()?;
        let [list, raster] = [&self.list, &self.raster].map(Series::median);
        let saved = figures.and_then(Figures::means).map(|[before, after]| 1.0 - after / before);
        let forecast = raster.zip(saved).map(|(raster, saved)| raster * saved - sort);
        let gain = list.zip(raster).map(|(list, raster)| raster - list - sort);
        let us = |us: Option<f64>| us.map_or("-".into(), micros);
        let rows = [
            ("sort", us(Some(sort))),
            ("shading, sorted", us(list)),
            ("shading, unsorted", us(raster)),
            ("break-even shading time", us(saved.filter(|saved| *saved > 0.0).map(|saved| sort / saved))),
            ("predicted saving", us(forecast)),
            ("measured saving", us(gain)),
        ];
        Some(Report {
            title: "Medians of the last frames on the GPU".into(),
            head: vec!["what", "time"],
            rows: rows.into_iter().map(|(what, us)| vec![what.into(), us]).collect(),
        })
    }
}

impl SortPayoff {
    /// The answer in a sentence.
    #[must_use]
    pub fn answer(&self) -> Option<Answer> {
        let sort = self.sort.median()?;
        let Some((list, raster)) = self.list.median().zip(self.raster.median()) else {
            return Some(Answer { text: "Shading sorted and unsorted, to compare ...".into(), pays: None });
        };
        let gain = raster - list - sort;
        let what = if gain > 0.0 { "saves" } else { "costs" };
        let figures = format!("shading from {} to {}, sort {}", micros(raster), micros(list), micros(sort));
        let text = format!("Sorting {what} {} a frame: {figures}.", micros(gain.abs()));
        Some(Answer { text, pays: Some(gain > 0.0) })
    }
}

/// Whether a pass is `name`, or one of several that have its work: `shade/list marble`.
fn is_part_of(pass: &str, name: &str) -> bool {
    pass.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::timing::PassTiming;

    fn frame(passes: &[(&str, f64)]) -> FrameTiming {
        let pass =
            |(name, us): &(&str, f64)| PassTiming { name: (*name).into(), gpu_us: Some(*us), ..PassTiming::default() };
        FrameTiming { passes: passes.iter().map(pass).collect(), ..FrameTiming::default() }
    }

    fn figures(before: usize, after: usize) -> Figures {
        let (mut raster, mut list) = ([0; 33], [0; 33]);
        (raster[before], list[after]) = (10, 10);
        Figures { raster, list, entries: 320, pixels: 320, unresolved: 0 }
    }

    #[test]
    fn medians_are_joined() {
        let mut payoff = SortPayoff::default();
        assert_eq!(payoff.report(None), None);
        for us in [90.0, 100.0, 400.0] {
            payoff.on_timing(&frame(&[("pixel_sort/lengths", 4.0), ("pixel_sort/sort", 6.0), ("shade/list", us)]));
            payoff.on_timing(&frame(&[
                ("shade/raster", 2.0 * us),
                ("pixel_sort/measure list", 1e6),
                ("shade/sky", 1e6),
            ]));
        }
        let report = payoff.report(Some(&figures(4, 1))).unwrap();
        let said = "Sorting saves 90.0 µs a frame: shading from 200 µs to 100 µs, sort 10.0 µs.";
        assert_eq!(payoff.answer(), Some(Answer { text: said.into(), pays: Some(true) }));
        assert_eq!(report.head, ["what", "time"]);
        let expected = [
            ["sort", "10.0 µs"],
            ["shading, sorted", "100 µs"],
            ["shading, unsorted", "200 µs"],
            // 10 / (1 - 1/4)
            ["break-even shading time", "13.3 µs"],
            // 200 * 3/4 - 10
            ["predicted saving", "140 µs"],
            ["measured saving", "90.0 µs"],
        ];
        assert_eq!(report.rows, expected);
    }

    #[test]
    fn a_loss_and_an_unknown_gain_are_said() {
        let mut payoff = SortPayoff::default();
        payoff.on_timing(&frame(&[("pixel_sort/sort", 30.0), ("shade/list", 100.0)]));
        assert_eq!(payoff.answer().unwrap().pays, None);
        payoff.on_timing(&frame(&[("shade/raster", 110.0)]));
        let said = "Sorting costs 20.0 µs a frame: shading from 110 µs to 100 µs, sort 30.0 µs.";
        assert_eq!(payoff.answer(), Some(Answer { text: said.into(), pays: Some(false) }));
    }

    #[test]
    fn both_ways_come_to_their_turn() {
        for chosen in [Way::List, Way::Raster] {
            let mut payoff = SortPayoff::default();
            let mut shaded = Vec::new();
            for _ in 0..100 {
                let way = payoff.way(chosen);
                shaded.push(way);
                payoff.on_timing(&frame(&[(if way == Way::List { "shade/list" } else { "shade/raster" }, 1.0)]));
                assert_eq!(payoff.is_measuring(), shaded.iter().filter(|way| **way != chosen).count() < ENOUGH);
            }
            let others = shaded[50..].iter().filter(|way| **way != chosen).count();
            assert!((1..=50 / EVERY as usize + 1).contains(&others), "{others}");
        }
    }
}
