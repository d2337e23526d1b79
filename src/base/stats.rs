//! Medians and percentiles, of a slice and of the last few values of something that keeps coming.

use std::collections::VecDeque;

/// The value below which the share `p` (0 to 1) of the values lies, linear between neighbours. Sorts the slice; NaN for an empty one.
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

/// The last `capacity` values of a quantity: a new one pushes the oldest out.
#[derive(Clone, Debug)]
pub struct Series {
    values: VecDeque<f64>,
    capacity: usize,
}

impl Series {
    /// An empty series that holds up to `capacity` values (at least one).
    pub fn new(capacity: usize) -> Self {
        let capacity = capacity.max(1);
        Self { values: VecDeque::with_capacity(capacity), capacity }
    }

    /// Adds the newest value.
    pub fn push(&mut self, value: f64) {
        if self.values.len() == self.capacity {
            self.values.pop_front();
        }
        self.values.push_back(value);
    }

    /// The newest value.
    pub fn last(&self) -> Option<f64> {
        self.values.back().copied()
    }

    /// The middle value.
    pub fn median(&self) -> Option<f64> {
        self.percentile(0.5)
    }

    /// The value that one in twenty exceeds.
    pub fn p95(&self) -> Option<f64> {
        self.percentile(0.95)
    }

    /// The value below which the share `p` (0 to 1) lies.
    pub fn percentile(&self, p: f64) -> Option<f64> {
        (!self.values.is_empty()).then(|| percentile(&mut self.iter().collect::<Vec<_>>(), p))
    }

    /// From the oldest to the newest.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = f64> + ExactSizeIterator + '_ {
        self.values.iter().copied()
    }

    /// How many values there are now.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether nothing was pushed yet.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Forgets all values, as after a change of settings that makes the old ones meaningless.
    pub fn clear(&mut self) {
        self.values.clear();
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
    fn a_series_keeps_the_newest() {
        let mut series = Series::new(3);
        assert_eq!((series.last(), series.median(), series.p95()), (None, None, None));
        for value in [1.0, 2.0, 3.0, 4.0] {
            series.push(value);
        }
        assert_eq!(series.iter().collect::<Vec<_>>(), [2.0, 3.0, 4.0]);
        assert_eq!((series.last(), series.median(), series.len()), (Some(4.0), Some(3.0), 3));
        series.clear();
        assert!(series.is_empty());
    }
}
