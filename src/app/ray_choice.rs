//! Choice of `reflections.rate = "auto"`: whether mirrors of a moving picture have a ray for each pixel, by GPU time and display.

use base::stats::median;
use base::timing::FrameTiming;
use gpu::Delayed;
use reflections::{AutoRays, RaysReason, Reflections};
use std::collections::VecDeque;
use technique::Technique as _;

pub const UNKNOWN_INTERVAL_US: f64 = 1e6 / 60.0;
/// Part of the interval below which a ray for each pixel is tried.
const RAISE: f64 = 0.6;
/// Part above which such frames are too slow. The gap covers errors of predictions.
const LOWER: f64 = 0.85;
/// Up to four outliers do not change their median.
const FRAMES: usize = 9;
/// Cost over that of shared rays until measured: the court's on an H100, rounded up (docs/measured/reflections.md: 1.6
/// to 5.1).
const UNKNOWN_RATIO: f64 = 6.0;
/// Later frames show another place.
const SAME_PLACE: u64 = 240;
/// Frames for which shared rays are kept: each reversed change multiplies them.
const WAIT: [u32; 2] = [30, 1920];
const WAIT_FACTOR: u32 = 4;
const PROVEN: u32 = 600;
const RENEWED: f64 = 0.1;

/// Counts frames and reads no clock.
#[derive(Clone, Debug)]
pub struct RayChoice {
    interval_us: f64,
    auto: AutoRays,
    drawn: Delayed<bool>,
    /// Microseconds with the present choice, as with a ray for each pixel.
    recent: VecDeque<f64>,
    /// Microseconds with shared rays and with a ray for each pixel, and the measured frame.
    costs: [Option<(f64, u64)>; 2],
    ratio: Option<f64>,
    measured: u64,
    probes: bool,
    age: u32,
    wait: u32,
}

impl RayChoice {
    pub fn new(interval_us: f64) -> Self {
        Self {
            interval_us,
            auto: AutoRays { is_shared: true, why: RaysReason::Unmeasured },
            drawn: Delayed::default(),
            recent: VecDeque::new(),
            costs: [None; 2],
            ratio: None,
            measured: 0,
            probes: false,
            age: 0,
            wait: WAIT[0],
        }
    }

    pub fn set_interval_us(&mut self, interval_us: f64) {
        if (interval_us / self.interval_us - 1.0).abs() > 0.01 {
            self.interval_us = interval_us;
            self.recent.clear();
            (self.age, self.wait) = (0, WAIT[0]);
        }
    }

    pub fn auto(&self) -> AutoRays {
        AutoRays { is_shared: self.auto.is_shared && !self.probes, ..self.auto }
    }

    pub fn ratio(&self) -> f64 {
        self.ratio.unwrap_or(UNKNOWN_RATIO)
    }

    pub fn drew(&mut self, number: u64, is_shared: bool) {
        self.drawn.put(number, is_shared);
        self.probes &= is_shared;
    }

    pub fn on_timing(&mut self, timing: &FrameTiming) -> Option<bool> {
        let is_shared = self.drawn.take(timing.frame)?;
        let mirrors_us = timing.us_of_technique(Reflections::ID).filter(|us| *us > 0.0)?;
        if let Some(frame_us) = timing.gpu_us.filter(|_| !timing.compiles) {
            self.add(frame_us, mirrors_us, is_shared);
        }
        Some(is_shared)
    }

    fn add(&mut self, frame_us: f64, mirrors_us: f64, is_shared: bool) {
        self.measured += 1;
        let cost = &mut self.costs[usize::from(!is_shared)];
        let known = cost.map_or(mirrors_us, |(known, _)| 0.5 * (known + mirrors_us.min(4.0 * known)));
        *cost = Some((known, self.measured));
        if let [Some((shared_us, a)), Some((full_us, b))] = self.costs
            && a.abs_diff(b) < SAME_PLACE
        {
            self.ratio = Some((full_us / shared_us).clamp(1.0, 2.0 * UNKNOWN_RATIO));
        }
        if is_shared != self.auto.is_shared {
            return; // a frame at rest, or one that was in flight at the last change
        }
        let full_us = if is_shared { frame_us + (self.ratio() - 1.0) * mirrors_us } else { frame_us };
        self.age += 1;
        self.recent.push_front(full_us);
        self.recent.truncate(FRAMES);
        if self.recent.len() < FRAMES {
            return;
        }
        let full_us = median(&mut Vec::from(self.recent.clone()));
        let part = full_us / self.interval_us;
        match is_shared {
            true if self.age >= self.wait && part <= RAISE => self.change(full_us),
            true if self.age >= self.wait && self.ratio.is_none() && frame_us <= RAISE * self.interval_us => {
                (self.probes, self.age) = (true, 0);
            }
            false if part > LOWER => {
                self.wait = if self.age < PROVEN { (self.wait * WAIT_FACTOR).min(WAIT[1]) } else { WAIT[0] };
                self.change(full_us);
            }
            _ => self.renew(full_us),
        }
    }

    fn change(&mut self, full_us: f64) {
        self.auto.is_shared = !self.auto.is_shared;
        self.auto.why = RaysReason::Time { full_us, interval_us: self.interval_us };
        self.recent.clear();
        self.age = 0;
    }

    fn renew(&mut self, full_us: f64) {
        let is_known = match self.auto.why {
            RaysReason::Time { full_us: said, interval_us } => {
                interval_us == self.interval_us && (full_us / said - 1.0).abs() < RENEWED
            }
            RaysReason::NoDisplay | RaysReason::Unmeasured => false,
        };
        if !is_known {
            self.auto.why = RaysReason::Time { full_us, interval_us: self.interval_us };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::timing::PassTiming;

    const LATE: usize = 2;

    fn timing(frame: u64, other_us: f64, mirrors_us: f64) -> FrameTiming {
        let pass = |name: &str, us| PassTiming { name: name.into(), gpu_us: Some(us), ..Default::default() };
        let passes = vec![pass("shade/list", other_us), pass("reflections/bounces", mirrors_us)];
        FrameTiming { frame, gpu_us: Some(other_us + mirrors_us), passes, ..Default::default() }
    }

    /// Milliseconds of other passes and of mirrors. Returns the frames at which the choice changed.
    fn run(choice: &mut RayChoice, frames: u64, gpu: impl Fn(u64, bool) -> [f64; 2]) -> Vec<u64> {
        let (mut late, mut changes) = (VecDeque::new(), Vec::new());
        let begun = choice.measured;
        for frame in 0..frames {
            let (is_shared, was) = (choice.auto().is_shared, choice.auto.is_shared);
            choice.drew(begun + frame, is_shared);
            let [other, mirrors] = gpu(frame, is_shared);
            late.push_back(timing(begun + frame, 1e3 * other, 1e3 * mirrors));
            if late.len() > LATE {
                late.pop_front().and_then(|timing| choice.on_timing(&timing));
            }
            if choice.auto.is_shared != was {
                changes.push(frame);
            }
        }
        changes
    }

    fn at_hz(hz: f64) -> RayChoice {
        RayChoice::new(1e6 / hz)
    }

    fn steady(other: f64, shared: f64, full: f64) -> impl Fn(u64, bool) -> [f64; 2] {
        move |_, is_shared| [other, if is_shared { shared } else { full }]
    }

    fn fast(other: impl Fn(u64) -> f64) -> impl Fn(u64, bool) -> [f64; 2] {
        move |frame, is_shared| [other(frame), if is_shared { 0.7 } else { 2.7 }]
    }

    #[test]
    fn a_fast_gpu_traces_every_pixel_within_a_second_and_stays() {
        for hz in [60.0, 120.0, 144.0] {
            let mut choice = at_hz(hz);
            let changes = run(&mut choice, 3600, fast(|_| 1.2));
            assert!(changes.len() == 1 && changes[0] < 90, "{hz} Hz: {changes:?}");
            let RaysReason::Time { full_us, interval_us } = choice.auto().why else { panic!("{:?}", choice.auto()) };
            assert!(
                (full_us - 3900.0).abs() < 400.0 && (interval_us * hz - 1e6).abs() < 1.0,
                "{full_us} of {interval_us}"
            );
        }
    }

    #[test]
    fn a_display_without_the_time_keeps_shared_rays() {
        for (hz, gpu) in
            [(240.0, [1.2, 0.7, 2.7]), (60.0, [6.0, 4.0, 14.0]), (60.0, [9.0, 3.0, 4.8]), (144.0, [4.0, 1.0, 5.0])]
        {
            let mut choice = at_hz(hz);
            assert_eq!(run(&mut choice, 3600, steady(gpu[0], gpu[1], gpu[2])), [0; 0], "{hz} Hz, {gpu:?}");
            assert!(matches!(choice.auto().why, RaysReason::Time { .. }));
        }
    }

    #[test]
    fn between_both_limits_nothing_changes_back_and_forth() {
        for tenth in 1..=12 {
            let whole = 16.67 * 0.1 * f64::from(tenth);
            for ratio in [1.5, 3.0, 5.0] {
                let full = 0.7 * whole;
                let changes = run(&mut at_hz(60.0), 36_000, steady(whole - full, full / ratio, full));
                assert!(changes.len() <= 2, "{tenth} tenths, {ratio}: {changes:?}");
            }
        }
    }

    #[test]
    fn spikes_change_nothing() {
        for (every, long) in [(10, 1), (10, 4), (60, 4), (600, 3)] {
            let gpu = fast(|frame| if frame % every < long { 40.0 } else { 1.2 });
            let changes = run(&mut at_hz(60.0), 6000, gpu);
            assert!(changes.len() <= 1, "{long} of {every}: {changes:?}");
        }
    }

    #[test]
    fn a_load_that_stays_is_followed_and_its_end_too() {
        let gpu = fast(|frame| if (1000..2000).contains(&frame) { 12.0 } else { 1.2 });
        let changes = run(&mut at_hz(60.0), 4000, gpu);
        assert_eq!(changes.len(), 3, "{changes:?}");
        assert!((1000..1012).contains(&changes[1]) && (2000..2060).contains(&changes[2]), "{changes:?}");
    }

    #[test]
    fn a_gpu_that_belies_every_prediction_changes_ever_more_rarely() {
        // Other passes take longer too: predictions from shared rays fit, and the frame does not.
        let gpu = |_, is_shared| if is_shared { [3.0, 1.0] } else { [12.0, 3.0] };
        let frames = 36_000;
        let changes = run(&mut at_hz(60.0), frames, gpu);
        assert!((2..=2 * (frames as usize / WAIT[1] as usize) + 8).contains(&changes.len()), "{changes:?}");
        let last = changes.windows(2).map(|pair| pair[1] - pair[0]).max();
        assert!(last.is_some_and(|frames| frames >= u64::from(WAIT[1])), "{changes:?}");
    }

    #[test]
    fn another_display_is_judged_anew() {
        let mut choice = at_hz(60.0);
        let gpu = || steady(2.0, 1.2, 6.0);
        assert_eq!(run(&mut choice, 600, gpu()).len(), 1);
        choice.set_interval_us(1e6 / 144.0);
        let changes = run(&mut choice, 600, gpu());
        assert!(choice.auto().is_shared && changes.len() == 1 && changes[0] < 2 * FRAMES as u64, "{changes:?}");
        choice.set_interval_us(1e6 / 60.0);
        assert_eq!(run(&mut choice, 600, gpu()).len(), 1);
        assert!(!choice.auto().is_shared);
    }

    #[test]
    fn one_frame_shows_the_cost_unless_frames_at_rest_have() {
        for rests in [0, 10] {
            let (mut choice, mut full) = (at_hz(60.0), 0);
            for frame in 0..rests {
                choice.drew(frame, false);
                choice.on_timing(&timing(frame, 2000.0, 4000.0));
            }
            for frame in rests..200 {
                let is_shared = choice.auto().is_shared;
                full += u32::from(!is_shared && choice.auto.is_shared);
                choice.drew(frame, is_shared);
                choice.on_timing(&timing(frame, 2000.0, if is_shared { 3000.0 } else { 4000.0 }));
            }
            assert!(!choice.auto().is_shared, "6 of 16.7 ms");
            assert_eq!(full, u32::from(rests == 0), "{rests} frames at rest");
        }
    }

    #[test]
    fn what_has_no_time_decides_nothing() {
        let mut choice = at_hz(60.0);
        for frame in 0..1000 {
            choice.drew(frame, true);
            let fast = timing(frame, 1000.0, 500.0);
            let timing = match frame % 4 {
                0 => FrameTiming { compiles: true, ..fast },
                1 => FrameTiming { gpu_us: None, ..fast },
                2 => FrameTiming { passes: Vec::new(), ..fast },
                _ => FrameTiming { frame: frame + 5000, ..fast },
            };
            choice.on_timing(&timing);
        }
        assert_eq!(choice.auto(), AutoRays { is_shared: true, why: RaysReason::Unmeasured });
    }
}
