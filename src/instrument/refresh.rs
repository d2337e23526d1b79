//! Time between two copies of pinned resources.

use super::picture::MAKE;
use base::timing::{FrameTiming, technique_of};
use std::time::{Duration, Instant};

/// A faster display shows every copy, a faster frame needs none.
const LEAST: Duration = Duration::from_millis(12);
/// A picture that is copied less often seems not to follow.
const MOST: Duration = Duration::from_millis(100);
/// Time between two copies over their own time: they take at most 2.5 per cent, which matters on software drivers.
const REST: u32 = 40;
/// Copies between two computations of figures: text that changes faster cannot be read.
const FIGURES_EVERY: u64 = 15;

pub(super) struct Refresh {
    least: Duration,
    cost: Duration,
    last: Option<(Instant, u64)>,
}

impl Default for Refresh {
    fn default() -> Self {
        Self { least: LEAST, cost: Duration::ZERO, last: None }
    }
}

impl Refresh {
    #[cfg(test)]
    pub fn set_least(&mut self, least: Duration) {
        self.least = least;
    }

    fn interval(&self) -> Duration {
        self.least.max((self.cost * REST).min(MOST))
    }

    pub fn is_due(&self) -> bool {
        self.last.is_none_or(|(at, _)| at.elapsed() >= self.interval())
    }

    pub fn copy(&mut self) {
        self.last = Some((Instant::now(), self.last.map_or(0, |(_, count)| count + 1)));
    }

    pub fn has_figures(&self) -> bool {
        self.last.is_some_and(|(_, count)| count.is_multiple_of(FIGURES_EVERY))
    }

    pub fn on_timing(&mut self, timing: &FrameTiming) {
        let is_part = |name: &str| technique_of(name) == "capture" || name == MAKE;
        if timing.passes.iter().any(|pass| technique_of(&pass.name) == "capture") {
            let parts = timing.passes.iter().filter(|pass| is_part(&pass.name));
            let us: f64 = parts.filter_map(|pass| pass.gpu_us).sum();
            self.cost = Duration::try_from_secs_f64(us * 1e-6).unwrap_or_default();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::timing::PassTiming;

    #[test]
    fn copies_take_a_fortieth_of_the_time() {
        let mut refresh = Refresh::default();
        let pass = |name: &str, us| PassTiming { name: name.into(), gpu_us: Some(us), ..Default::default() };
        let mut interval_ms = |passes: Vec<PassTiming>| {
            refresh.on_timing(&FrameTiming { passes, ..Default::default() });
            refresh.interval().as_secs_f64() * 1e3
        };
        assert_eq!(interval_ms(vec![]), 12.0);
        assert_eq!(interval_ms(vec![pass("capture/a b", 20.0), pass(MAKE, 8.0)]), 12.0, "a fast GPU");
        let passes =
            ["lens", "capture/a b", MAKE, "instrument/picture", "instrument/figures"].map(|name| pass(name, 1000.0));
        assert!(
            (interval_ms(passes.to_vec()) - 80.0).abs() < 1e-3,
            "figures are seldom, and a made picture is shown in every frame"
        );
        assert!((interval_ms(vec![pass("instrument/picture", 1.0)]) - 80.0).abs() < 1e-3, "a frame without copies");
        assert_eq!(interval_ms(vec![pass("capture/a b", 1e6)]), 100.0);
    }
}
