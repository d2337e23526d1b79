//! Medians, quartiles and percentiles.

/// The `p` quantile (0 to 1) of the values, linear between neighbours. Sorts the slice; NaN for an empty one.
pub fn percentile(values: &mut [f64], p: f64) -> f64 {
    if values.is_empty() {
        return f64::NAN;
    }
    values.sort_unstable_by(f64::total_cmp);
    let place = p.clamp(0.0, 1.0) * (values.len() - 1) as f64;
    let below = place.floor() as usize;
    let above = (below + 1).min(values.len() - 1);
    values[below] + (values[above] - values[below]) * (place - below as f64)
}

/// The middle value (mean of the two middle ones for an even count). Sorts the slice; NaN for an empty one.
pub fn median(values: &mut [f64]) -> f64 {
    percentile(values, 0.5)
}

/// Median and quartiles of some values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quartiles {
    /// A quarter of the values is below it.
    pub low: f64,
    /// Half of them is.
    pub median: f64,
    /// Three quarters are.
    pub high: f64,
    /// Number of values.
    pub count: usize,
}

impl Quartiles {
    /// `None` without values.
    #[must_use]
    pub fn of(values: &[f64]) -> Option<Self> {
        let (mut values, count) = (values.to_vec(), values.len());
        let mut part = |p| percentile(&mut values, p);
        (count > 0).then(|| Self { low: part(0.25), median: part(0.5), high: part(0.75), count })
    }

    /// Whether their interquartile ranges overlap.
    #[must_use]
    pub fn overlaps(&self, other: &Self) -> bool {
        self.low <= other.high && other.low <= self.high
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_of_small_slices() {
        assert!(median(&mut []).is_nan());
        assert_eq!(median(&mut [3.0]), 3.0);
        assert_eq!(median(&mut [4.0, 1.0]), 2.5);
        assert_eq!(median(&mut [9.0, 1.0, 5.0]), 5.0);
        let mut hundred: Vec<f64> = (0..=100).rev().map(f64::from).collect();
        assert_eq!(percentile(&mut hundred, 0.95), 95.0);
        assert_eq!(percentile(&mut hundred, 2.0), 100.0);
        assert_eq!(percentile(&mut hundred, -1.0), 0.0);
    }

    #[test]
    fn quartiles_of_small_slices() {
        assert_eq!(Quartiles::of(&[]), None);
        let of = |values: &[f64]| Quartiles::of(values).unwrap();
        assert_eq!(of(&[5.0, 1.0, 3.0, 2.0, 4.0]), Quartiles { low: 2.0, median: 3.0, high: 4.0, count: 5 });
        assert!(of(&[1.0, 2.0, 3.0]).overlaps(&of(&[2.5])) && of(&[2.5]).overlaps(&of(&[1.0, 2.0, 3.0])));
        assert!(!of(&[1.0, 2.0, 3.0]).overlaps(&of(&[3.0, 3.0, 4.0])));
    }
}
