//! Times of A and B, pass by pass, from frames that have both.

use super::pair::split;
use base::{
    stats::{median, median_interval_of},
    timing::{FrameTiming, PassTiming, technique_of},
};
use lab::ChangeVerdict;

/// Quantile of the normal distribution for 99.9 %: up to 50 rows together have 95 %.
const Z: f64 = 3.29;

/// From here on the extreme differences include the median with that probability: 2^(1 - n) is 0.1 %.
const N_LEAST: usize = 11;

/// Differences by the place of buffers in memory alone: 11 % of 32 us and 7 % of 112 us on an H100
/// (docs/measured/window.md). They cancel out in the sum.
fn placement_us(a_us: f64) -> f64 {
    (0.12 * a_us).max(1.5)
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeDifference {
    pub median_us: f64,
    /// Microseconds; 95 % for all rows together.
    pub interval_us: [f64; 2],
    /// Differences: each of two frames, one with A first and one with B first.
    pub n: usize,
    pub is_of_one_pass: bool,
}

impl TimeDifference {
    fn judged(&self, a_us: f64) -> ChangeVerdict {
        let least_us = ChangeVerdict::least_us(a_us);
        let counts_us = if self.is_of_one_pass { placement_us(a_us) } else { least_us };
        match self.n >= N_LEAST {
            true => ChangeVerdict::of(self.median_us, self.interval_us, least_us, counts_us),
            false => ChangeVerdict::Noisy,
        }
    }

    pub fn is_clear(&self, a_us: f64) -> bool {
        matches!(self.judged(a_us), ChangeVerdict::Slower | ChangeVerdict::Faster)
    }

    fn excludes_zero(&self) -> bool {
        self.interval_us[0] > 0.0 || self.interval_us[1] < 0.0
    }

    pub fn verdict(&self, a_us: f64) -> &'static str {
        match self.judged(a_us) {
            ChangeVerdict::Slower => "B is slower",
            ChangeVerdict::Faster => "B is faster",
            ChangeVerdict::Same => "the same",
            ChangeVerdict::Noisy if self.n < N_LEAST => "too few frames",
            ChangeVerdict::Noisy if self.is_of_one_pass && self.excludes_zero() => "too close to tell",
            ChangeVerdict::Noisy => "too noisy to tell",
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct TimeRow {
    pub pass: String,
    /// Median, microseconds; `None` if A has no such pass.
    pub a_us: Option<f64>,
    pub b_us: Option<f64>,
    pub difference: Option<TimeDifference>,
}

#[derive(Default)]
struct Series {
    pass: String,
    times: Vec<(u64, [Option<f64>; 2])>,
}

#[derive(Default)]
pub struct PairTimes {
    rows: Vec<Series>,
    techniques: Vec<Series>,
}

const FRAMES_MOST: usize = 480;

impl PairTimes {
    /// Frames in which the driver compiles shaders do not count.
    pub fn push(&mut self, timing: &FrameTiming) {
        if timing.compiles {
            return;
        }
        let timed = |passes: Vec<PassTiming>| {
            let timed = passes.into_iter().filter_map(|pass| Some((pass.name, Some(pass.gpu_us?))));
            timed.collect::<Vec<(String, Option<f64>)>>()
        };
        let sides = split(timing);
        let both = sides.each_ref().map(|own| {
            let passes = timed(own.by_pass());
            let sum = passes.iter().filter_map(|(_, us)| *us).reduce(|sum, us| sum + us);
            [(String::new(), sum)].into_iter().chain(passes).collect::<Vec<_>>()
        });
        Self::enter(&mut self.rows, timing.frame, both);
        let both = sides.each_ref().map(|own| timed(own.by_group(|pass| technique_of(&pass.name))));
        Self::enter(&mut self.techniques, timing.frame, both);
    }

    fn enter(rows: &mut Vec<Series>, frame: u64, both: [Vec<(String, Option<f64>)>; 2]) {
        for (side, (pass, us)) in
            (0..).zip(both).flat_map(|(side, passes)| passes.into_iter().map(move |one| (side, one)))
        {
            let known = rows.iter().position(|row| row.pass == pass);
            let index = known.unwrap_or_else(|| {
                rows.push(Series { pass, times: Vec::new() });
                rows.len() - 1
            });
            let times = &mut rows[index].times;
            match times.last_mut().filter(|(last, _)| *last == frame) {
                Some((_, both)) => both[side] = us,
                None => {
                    let mut both = [None; 2];
                    both[side] = us;
                    times.push((frame, both));
                }
            }
            if times.len() > FRAMES_MOST {
                times.remove(0);
            }
        }
    }

    pub fn clear(&mut self) {
        self.rows.clear();
        self.techniques.clear();
    }

    pub fn rows(&self) -> Vec<TimeRow> {
        self.rows.iter().map(Series::row).collect()
    }

    /// Sums of the passes of each technique, by its ID.
    pub fn techniques(&self) -> Vec<TimeRow> {
        self.techniques.iter().map(Series::row).collect()
    }
}

impl Series {
    fn row(&self) -> TimeRow {
        let side = |side: usize| {
            let mut times: Vec<f64> = self.times.iter().filter_map(|(_, both)| both[side]).collect();
            (!times.is_empty()).then(|| median(&mut times))
        };
        TimeRow { pass: self.pass.clone(), a_us: side(0), b_us: side(1), difference: self.difference() }
    }

    /// Pairs of frames of either order, so that the second one's gain from caches cancels out.
    fn difference(&self) -> Option<TimeDifference> {
        let apart = |both: [Option<f64>; 2]| Some(both[1]? - both[0]?);
        let of_order = |order: u64| {
            let frames = self.times.iter().filter(move |(frame, _)| frame % 2 == order);
            frames.filter_map(move |(_, both)| apart(*both))
        };
        let mut differences: Vec<f64> = of_order(0).zip(of_order(1)).map(|(a, b)| (a + b) / 2.0).collect();
        let n = differences.len();
        (n > 0).then(|| TimeDifference {
            median_us: median(&mut differences),
            interval_us: median_interval_of(&mut differences, Z),
            n,
            is_of_one_pass: !self.pass.is_empty(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(number: u64, passes: &[(&str, f64)]) -> FrameTiming {
        let pass =
            |(name, us): &(&str, f64)| PassTiming { name: (*name).into(), gpu_us: Some(*us), ..Default::default() };
        FrameTiming { frame: number, passes: passes.iter().map(pass).collect(), ..Default::default() }
    }

    /// The second of both is faster by 5 us.
    fn run(frames: u64, b_us: f64) -> PairTimes {
        let mut times = PairTimes::default();
        for number in 0..frames {
            let noise = (number * 7919 % 13) as f64 * 0.1;
            let [first, second] = if number % 2 == 0 { [0.0, 5.0] } else { [5.0, 0.0] };
            let passes = [
                ("list", 100.0 + noise - first),
                ("B list", b_us + noise - second),
                ("A and B compose", 50.0),
                ("read back", 70.0),
            ];
            times.push(&frame(number, &passes));
        }
        times
    }

    #[test]
    fn differences_are_free_of_the_order() {
        for (frames, b_us) in
            [(2, 100.0), (3, 100.0), (240, 100.0), (240, 104.0), (240, 102.0), (240, 95.0), (240, 80.0), (240, 115.0)]
        {
            let rows = run(frames, b_us).rows();
            let of = |name: &str| rows.iter().find(|row| row.pass == name).unwrap().clone();
            assert_eq!(rows.len(), 2, "what displays both is of none");
            for row in [of(""), of("list")] {
                let difference = row.difference.unwrap();
                assert!((difference.median_us - (b_us - 100.0)).abs() < 1e-9, "{frames}: {difference:?}");
                assert_eq!(difference.n as u64, frames / 2);
                let by = b_us - 100.0;
                let limit = if row.pass.is_empty() { 3.0 } else { 12.0 };
                assert_eq!(difference.is_clear(100.0), frames > 22 && by.abs() > limit, "{difference:?}");
                let wanted = match by {
                    _ if frames < 22 => "too few frames",
                    by if by > limit => "B is slower",
                    by if by < -limit => "B is faster",
                    by if by.abs() > 3.0 => "too close to tell",
                    _ => "the same",
                };
                assert_eq!(difference.verdict(100.0), wanted);
            }
        }
    }

    #[test]
    fn passes_of_a_technique_are_summed() {
        let mut times = PairTimes::default();
        for number in 0..40 {
            times.push(&frame(
                number,
                &[("a/one", 5.0), ("a/two", 6.0), ("B a/other", 90.0), ("b/x", 7.0), ("B b/x", 7.0)],
            ));
        }
        let of = |row: &TimeRow| {
            (row.pass.clone(), row.difference.unwrap().median_us, row.difference.unwrap().is_clear(11.0))
        };
        let techniques: Vec<_> = times.techniques().iter().map(of).collect();
        assert_eq!(techniques, [("a".to_owned(), 79.0, true), ("b".to_owned(), 0.0, false)]);
    }

    #[test]
    fn without_timestamps_nothing_is_timed() {
        let mut times = PairTimes::default();
        (0..80).for_each(|number| times.push(&frame(number, &[("list", 3.0), ("B list", 3.0)]).without_gpu_times()));
        let all = TimeRow { pass: String::new(), a_us: None, b_us: None, difference: None };
        assert_eq!(times.rows(), [all]);
    }

    #[test]
    fn passes_of_one_side_have_no_difference() {
        let mut times = PairTimes::default();
        times.push(&frame(0, &[("list", 3.0), ("B list", 4.0), ("B more", 2.0)]));
        times.push(&FrameTiming { compiles: true, ..frame(1, &[("list", 900.0)]) });
        let rows = times.rows();
        let more = rows.iter().find(|row| row.pass == "more").unwrap();
        assert_eq!((more.a_us, more.b_us, more.difference), (None, Some(2.0), None));
        let all = &rows[0];
        assert_eq!((all.pass.as_str(), all.a_us, all.b_us, all.difference), ("", Some(3.0), Some(6.0), None));
        times.clear();
        assert!(times.rows().is_empty());
    }

    /// Noise without a difference: in about 5 % of 200 runs of 40 rows an interval excludes zero.
    #[test]
    fn equal_sides_are_rarely_told_apart() {
        let mut state = 1u64;
        let mut uniform = || {
            state ^= state >> 12;
            state ^= state << 25;
            state ^= state >> 27;
            (state.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11) as f64 / (1u64 << 53) as f64
        };
        let mut alarms = 0;
        for _ in 0..200 {
            let is_alarm = (0..40).any(|_| {
                let times = (0..120).map(|frame| (frame, [0; 2].map(|_| Some(10.0 - uniform().ln())))).collect();
                Series { pass: String::new(), times }.difference().unwrap().excludes_zero()
            });
            alarms += u32::from(is_alarm);
        }
        // 10 are expected; 20 are three standard deviations more.
        assert!(alarms < 20, "{alarms} of 200");
    }
}
