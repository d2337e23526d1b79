//! Medians, quartiles and percentiles.

/// `p`: 0 to 1, linear between neighbours. Sorts the slice; NaN for an empty one.
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

pub fn median(values: &mut [f64]) -> f64 {
    percentile(values, 0.5)
}

/// 95 %, for any distribution, by the normal approximation of the binomial one. With five values or less the smallest
/// and the largest.
pub fn median_interval(values: &mut [f64]) -> [f64; 2] {
    median_interval_of(values, 1.96)
}

/// `z`: standard deviations of the normal distribution.
pub fn median_interval_of(values: &mut [f64], z: f64) -> [f64; 2] {
    if values.is_empty() {
        return [f64::NAN; 2];
    }
    values.sort_unstable_by(f64::total_cmp);
    let count = values.len() as f64;
    let half = z * count.sqrt() / 2.0;
    let place = ((count / 2.0 - half).floor() as usize).max(1) - 1;
    [values[place], values[values.len() - 1 - place]]
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quartiles {
    pub low: f64,
    pub median: f64,
    pub high: f64,
    pub count: usize,
}

impl Quartiles {
    pub fn of(values: &[f64]) -> Option<Self> {
        let (mut values, count) = (values.to_vec(), values.len());
        let mut part = |p| percentile(&mut values, p);
        (count > 0).then(|| Self { low: part(0.25), median: part(0.5), high: part(0.75), count })
    }

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
    fn the_interval_of_a_median_has_its_probability() {
        let of = |count: u32| median_interval(&mut (1..=count).rev().map(f64::from).collect::<Vec<_>>());
        assert!(of(0)[0].is_nan() && of(0)[1].is_nan());
        assert_eq!((of(1), of(5), of(6)), ([1.0, 1.0], [1.0, 5.0], [1.0, 6.0]));
        assert_eq!(of(50), [18.0, 33.0]);
        for count in 6..200u32 {
            let j = of(count)[0] as u32;
            let mut coins = 0.5f64.powi(count as i32);
            let mut outside = 0.0;
            for heads in 0..j {
                outside += 2.0 * coins;
                coins *= f64::from(count - heads) / f64::from(heads + 1);
            }
            assert!(outside < 0.055, "{count} values: {outside}");
        }
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
