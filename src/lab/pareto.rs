//! Points of a plot, time against quality, and their Pareto front.

use base::stats::Quartiles;
use base::text::fixed;

use super::comparison::{Comparison, spread};

/// More of the figure is better.
#[derive(Clone, Debug, PartialEq)]
pub struct Scatter {
    pub across: &'static str,
    pub up: &'static str,
    pub unit: &'static str,
    pub reference: &'static str,
    pub points: Vec<ScatterPoint>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ScatterPoint {
    pub row: usize,
    pub title: String,
    pub us: Quartiles,
    pub up: f64,
    pub ssim: Option<f64>,
}

impl ScatterPoint {
    pub fn has_place(&self) -> bool {
        self.us.median > 0.0 && self.us.median.is_finite() && self.up.is_finite()
    }

    fn dominates(&self, other: &Self) -> bool {
        let (us, up) = (self.us.median.total_cmp(&other.us.median), self.up.total_cmp(&other.up));
        us.is_le() && up.is_ge() && (us.is_lt() || up.is_gt())
    }
}

impl Scatter {
    /// Of the alternatives with a time. `quality`: PSNR in dB against `reference`, and SSIM.
    pub fn psnr(
        comparison: &Comparison,
        reference: &'static str,
        quality: &dyn Fn(usize) -> Option<(f64, Option<f64>)>,
    ) -> Self {
        let points = comparison.alternatives().iter().enumerate().filter_map(|(row, one)| {
            let (up, ssim) = quality(row)?;
            Some(ScatterPoint { row, title: one.title.clone(), us: one.times()?, up, ssim })
        });
        Self { across: "GPU time", up: "PSNR", unit: "dB", reference, points: points.collect() }
    }

    /// Indices of the points of which none is as good and faster, or as fast and better: the fastest first. By medians.
    pub fn front(&self) -> Vec<usize> {
        let placed = || self.points.iter().filter(|point| point.has_place());
        let is_best = |index: &usize| {
            let point = &self.points[*index];
            point.has_place() && !placed().any(|other| other.dominates(point))
        };
        let mut front: Vec<usize> = (0..self.points.len()).filter(is_best).collect();
        front.sort_by(|a, b| self.points[*a].us.median.total_cmp(&self.points[*b].us.median));
        front
    }

    pub fn describe(&self, index: usize) -> String {
        let ScatterPoint { title, us, up, ssim, .. } = &self.points[index];
        let ssim = ssim.map_or(String::new(), |ssim| format!(", SSIM {}", fixed(ssim, 4)));
        format!("{title}: {}, {} {}{ssim}", spread(us), fixed(*up, 1), self.unit)
    }

    pub fn sentence(&self) -> Option<String> {
        let names: Vec<&str> = self.front().into_iter().map(|index| self.points[index].title.as_str()).collect();
        let of = format!("Against {}, none is both faster and better than", self.reference);
        (!names.is_empty()).then(|| format!("{of}: {}.", names.join(", ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scatter(points: &[(f64, f64)]) -> Scatter {
        let point = |(row, (us, up)): (usize, &(f64, f64))| ScatterPoint {
            row,
            title: format!("m{row}"),
            us: Quartiles { low: us * 0.9, median: *us, high: us * 1.2, count: 12 },
            up: *up,
            ssim: None,
        };
        let points = points.iter().enumerate().map(point).collect();
        Scatter { across: "GPU time", up: "PSNR", unit: "dB", reference: "the exact mean", points }
    }

    #[test]
    fn the_front_has_no_dominated_point_and_all_others_are() {
        let all = scatter(&[(10.0, 30.0), (5.0, 20.0), (12.0, 29.0), (40.0, 50.0), (40.0, 45.0), (0.0, 99.0)]);
        assert_eq!(all.front(), [1, 0, 3], "without a time it has no place");
        assert_eq!(all.sentence().unwrap(), "Against the exact mean, none is both faster and better than: m1, m0, m3.");
        assert_eq!(scatter(&[(7.0, 30.0), (7.0, 30.0), (8.0, 30.0)]).front(), [0, 1]);
        let none = scatter(&[(f64::NAN, 30.0), (1.0, f64::NAN)]);
        assert_eq!((none.front(), none.sentence()), (vec![], None));
        let mut state = 7u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f64::from(state >> 24)
        };
        let many: Vec<(f64, f64)> = (0..60).map(|_| (1.0 + next(), next())).collect();
        let (all, front) = (scatter(&many), scatter(&many).front());
        for (index, (us, up)) in many.iter().enumerate() {
            let is_beaten = many.iter().any(|(u, p)| u <= us && p >= up && (u < us || p > up));
            assert_eq!(front.contains(&index), !is_beaten, "{index}");
        }
        for two in front.windows(2) {
            assert!(all.points[two[0]].us.median <= all.points[two[1]].us.median);
        }
    }
}
