//! Comparison of a time with an earlier one.

use super::Spread;

/// Fewer runs than this say nothing: all of 5 runs are above all of 5 others in one of 126 tries by chance.
const RUNS_LEAST: usize = 10;

/// Factor by which the 95 % intervals of both medians are widened. Two of equal medians do not overlap in 0.6 % of all pairs, which is too
/// often for hundreds of rows; widened in less than one of 100 000.
const WIDENED: f64 = 1.7;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeVerdict {
    Slower,
    Faster,
    Same,
    Noisy,
}

impl ChangeVerdict {
    /// The rule for all times: slower or faster if the difference exceeds `counts_us` and its interval excludes zero, the same if the
    /// interval is within [`least_us`](Self::least_us).
    pub fn of(difference_us: f64, interval_us: [f64; 2], least_us: f64, counts_us: f64) -> Self {
        let [low, high] = interval_us;
        match difference_us {
            us if us > counts_us && low > 0.0 => Self::Slower,
            us if us < -counts_us && high < 0.0 => Self::Faster,
            _ if low >= -least_us && high <= least_us => Self::Same,
            _ => Self::Noisy,
        }
    }

    /// A smaller difference of a time does not count: 3 %, at least 1 us.
    pub fn least_us(old_us: f64) -> f64 {
        (0.03 * old_us).max(1.0)
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Slower => "slower",
            Self::Faster => "faster",
            Self::Same => "same",
            Self::Noisy => "too noisy to tell",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Change {
    /// Difference of the medians; positive: slower.
    pub difference_us: f64,
    /// Interval of the difference: no pair of values of both medians' widened intervals is outside.
    pub interval_us: [f64; 2],
    pub limit_us: f64,
    pub verdict: ChangeVerdict,
}

impl Change {
    pub fn new(old: &Spread, new: &Spread) -> Self {
        let difference_us = new.median - old.median;
        let ([old_low, old_high], [new_low, new_high]) = (widened(old), widened(new));
        let interval_us = [new_low - old_high, new_high - old_low];
        let limit_us = ChangeVerdict::least_us(old.median);
        let is_finite = difference_us.is_finite() && interval_us.iter().all(|us| us.is_finite());
        let verdict = match is_finite && old.n.min(new.n) >= RUNS_LEAST {
            true => ChangeVerdict::of(difference_us, interval_us, limit_us, limit_us),
            false => ChangeVerdict::Noisy,
        };
        Self { difference_us, interval_us, limit_us, verdict }
    }

    /// Another observation contradicts it.
    pub fn doubted(self) -> Self {
        Self { verdict: ChangeVerdict::Noisy, ..self }
    }
}

fn widened(times: &Spread) -> [f64; 2] {
    times.interval.map(|end| times.median + WIDENED * (end - times.median))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// xorshift64* (Vigna 2016).
    struct Dice(u64);

    impl Dice {
        fn uniform(&mut self) -> f64 {
            self.0 ^= self.0 >> 12;
            self.0 ^= self.0 << 25;
            self.0 ^= self.0 >> 27;
            (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11) as f64 / (1u64 << 53) as f64
        }

        /// A skewed spread, as GPUs have: most times just above the least, some far above.
        fn times(&mut self, median: f64, noise: f64, count: usize) -> Spread {
            let mut one = || {
                let (a, b) = (self.uniform().max(1e-12), self.uniform());
                let normal = (-2.0 * a.ln()).sqrt() * (core::f64::consts::TAU * b).cos();
                median * (noise * normal).exp()
            };
            Spread::of(&mut (0..count).map(|_| one()).collect::<Vec<_>>())
        }
    }

    #[test]
    fn equal_times_give_no_false_alarm() {
        let mut dice = Dice(7);
        for median in [2.0, 20.0, 500.0, 9000.0] {
            for noise in [0.002, 0.02, 0.1, 0.5] {
                for count in [5, 10, 50] {
                    // 20 tries would hide a rate of 5 %.
                    for attempt in 0..400 {
                        let [old, new] = [0; 2].map(|_| dice.times(median, noise, count));
                        let change = Change::new(&old, &new);
                        let context = format!("{median} us, noise {noise}, {count} runs, try {attempt}: {change:?}");
                        assert!(matches!(change.verdict, ChangeVerdict::Same | ChangeVerdict::Noisy), "{context}");
                    }
                }
            }
        }
    }

    #[test]
    fn real_changes_are_found() {
        let mut dice = Dice(11);
        for (factor, expected) in [(1.1, ChangeVerdict::Slower), (0.9, ChangeVerdict::Faster)] {
            for _ in 0..400 {
                let old = dice.times(200.0, 0.02, 50);
                let new = dice.times(200.0 * factor, 0.02, 50);
                assert_eq!(Change::new(&old, &new).verdict, expected, "{old:?} {new:?}");
            }
        }
    }

    #[test]
    fn a_clear_change_below_the_limit_is_none() {
        let mut dice = Dice(13);
        for _ in 0..400 {
            let (old, new) = (dice.times(500.0, 0.001, 50), dice.times(510.0, 0.001, 50));
            assert_eq!(Change::new(&old, &new).verdict, ChangeVerdict::Same, "2 % of a large time");
            let (old, new) = (dice.times(4.0, 0.001, 50), dice.times(4.8, 0.001, 50));
            assert_eq!(Change::new(&old, &new).verdict, ChangeVerdict::Same, "0.8 us of a small time");
        }
    }

    #[test]
    fn noise_and_missing_times_say_nothing() {
        let of = |median: f64, interval: [f64; 2], n| Spread { median, min: 0.0, p95: 0.0, n, interval };
        let verdict = |old: Spread, new: Spread| Change::new(&old, &new).verdict;
        let old = of(100.0, [90.0, 110.0], 50);
        assert_eq!(verdict(old, of(130.0, [122.0, 140.0], 50)), ChangeVerdict::Noisy, "the intervals overlap");
        assert_eq!(verdict(old, of(130.0, [125.0, 140.0], 50)), ChangeVerdict::Slower);
        assert_eq!(verdict(old, of(130.0, [125.0, 140.0], 9)), ChangeVerdict::Noisy, "nine runs are too few");
        assert_eq!(verdict(of(100.0, [90.0, 110.0], 0), old), ChangeVerdict::Noisy);
        assert_eq!(verdict(old, of(f64::NAN, [f64::NAN; 2], 50)), ChangeVerdict::Noisy);
        let change = Change::new(&old, &of(130.0, [125.0, 140.0], 50));
        assert_eq!((change.difference_us, change.interval_us, change.limit_us), (30.0, [4.5, 64.0], 3.0));
        assert_eq!(change.doubted(), Change { verdict: ChangeVerdict::Noisy, ..change });
    }
}
