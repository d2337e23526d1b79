//! Time against quality: the Pareto front of methods.

use super::comparison::{Alternative, Comparison};

#[derive(Clone, Debug, PartialEq)]
pub struct Pareto {
    pub reference: &'static str,
    pub points: Vec<ParetoPoint>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ParetoPoint {
    pub title: String,
    /// Median time, microseconds.
    pub us: f64,
    /// Against the reference.
    pub psnr_db: f64,
}

impl ParetoPoint {
    fn has_place(&self) -> bool {
        self.us > 0.0 && self.us.is_finite() && self.psnr_db.is_finite()
    }

    fn dominates(&self, other: &Self) -> bool {
        let (us, psnr_db) = (self.us.total_cmp(&other.us), self.psnr_db.total_cmp(&other.psnr_db));
        us.is_le() && psnr_db.is_ge() && (us.is_lt() || psnr_db.is_gt())
    }
}

impl Pareto {
    /// Of the alternatives with a time. `psnr_db`: against `reference`.
    pub fn of(comparison: &Comparison, reference: &'static str, psnr_db: &dyn Fn(usize) -> Option<f64>) -> Self {
        let point = |(row, one): (usize, &Alternative)| {
            Some(ParetoPoint { title: one.title.clone(), us: one.times()?.median, psnr_db: psnr_db(row)? })
        };
        Self { reference, points: comparison.alternatives().iter().enumerate().filter_map(point).collect() }
    }

    /// Indices of the points of which none is as good and faster, or as fast and better: the fastest first. By medians.
    fn front(&self) -> Vec<usize> {
        let placed = || self.points.iter().filter(|point| point.has_place());
        let is_best = |index: &usize| {
            let point = &self.points[*index];
            point.has_place() && !placed().any(|other| other.dominates(point))
        };
        let mut front: Vec<usize> = (0..self.points.len()).filter(is_best).collect();
        front.sort_by(|a, b| self.points[*a].us.total_cmp(&self.points[*b].us));
        front
    }

    pub fn sentence(&self) -> Option<String> {
        let names: Vec<&str> = self.front().into_iter().map(|index| self.points[index].title.as_str()).collect();
        let of = format!("no other is both faster and closer to {}", self.reference);
        (!names.is_empty()).then(|| format!("{}: {of}.", names.join(", ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pareto(points: &[(f64, f64)]) -> Pareto {
        let point = |(row, (us, psnr_db)): (usize, &(f64, f64))| ParetoPoint {
            title: format!("m{row}"),
            us: *us,
            psnr_db: *psnr_db,
        };
        Pareto { reference: "the exact mean", points: points.iter().enumerate().map(point).collect() }
    }

    #[test]
    fn the_front_has_no_dominated_point_and_all_others_are() {
        let all = pareto(&[(10.0, 30.0), (5.0, 20.0), (12.0, 29.0), (40.0, 50.0), (40.0, 45.0), (0.0, 99.0)]);
        assert_eq!(all.front(), [1, 0, 3], "without a time it has no place");
        assert_eq!(all.sentence().unwrap(), "m1, m0, m3: no other is both faster and closer to the exact mean.");
        assert_eq!(pareto(&[(7.0, 30.0), (7.0, 30.0), (8.0, 30.0)]).front(), [0, 1]);
        let none = pareto(&[(f64::NAN, 30.0), (1.0, f64::NAN)]);
        assert_eq!((none.front(), none.sentence()), (vec![], None));
        let mut state = 7u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f64::from(state >> 24)
        };
        let many: Vec<(f64, f64)> = (0..60).map(|_| (1.0 + next(), next())).collect();
        let (all, front) = (pareto(&many), pareto(&many).front());
        for (index, (us, up)) in many.iter().enumerate() {
            let is_beaten = many.iter().any(|(u, p)| u <= us && p >= up && (u < us || p > up));
            assert_eq!(front.contains(&index), !is_beaten, "{index}");
        }
        for two in front.windows(2) {
            assert!(all.points[two[0]].us <= all.points[two[1]].us);
        }
    }
}
