//! Limits while frames are drawn: bandwidth and clock of the device, details of a pass. Unless they are asked for nothing is measured or
//! recorded.

use super::{ClockState, PassDetails, Pins, ProbeState};
use anyhow::Result;
use base::timing::FrameTiming;
use gpu::{Frame, Gpu, PassCapture};
use lab::{CLOCK_PASS, ClockPass, DeviceProbe};
use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

const CLOCK_EVERY: Duration = Duration::from_secs(1);
const CLOCK_OLD: Duration = Duration::from_secs(10);
/// Others may have shared the device: the shortest counts.
const CLOCK_TIMES: usize = 3;
const FELL: f64 = 1.1;

#[derive(Default)]
enum Bandwidth {
    #[default]
    Unknown,
    Announced,
    Known(DeviceProbe),
    Failed(String),
}

#[derive(Default)]
struct Clock {
    pass: Option<ClockPass>,
    recorded: Option<Instant>,
    measured: Option<Instant>,
    us: VecDeque<f64>,
    best_us: Option<f64>,
}

pub(super) struct DeviceLimits {
    gpu: Arc<Gpu>,
    folder: Option<PathBuf>,
    bandwidth: Bandwidth,
    clock: Clock,
    is_asked: bool,
    details: PassDetails,
}

impl DeviceLimits {
    pub fn new(gpu: &Arc<Gpu>, folder: Option<PathBuf>) -> Self {
        Self {
            gpu: gpu.clone(),
            folder,
            bandwidth: Bandwidth::default(),
            clock: Clock::default(),
            is_asked: false,
            details: PassDetails::default(),
        }
    }

    pub fn results(&self) -> (ProbeState<'_>, ClockState, &PassDetails) {
        let probe = match &self.bandwidth {
            Bandwidth::Unknown => ProbeState::Unknown,
            Bandwidth::Announced => ProbeState::Announced,
            Bandwidth::Known(probe) => ProbeState::Known(probe),
            Bandwidth::Failed(why) => ProbeState::Failed(why),
        };
        (probe, self.clock.state(), &self.details)
    }

    pub fn set(&mut self, is_asked: bool, pass: Option<&str>, pins: &mut Pins) -> bool {
        self.is_asked = is_asked;
        let is_new = self.details.follow(&self.gpu, pass, pins.passes());
        pins.count_invocations(pass);
        let is_due = is_asked && matches!(self.bandwidth, Bandwidth::Unknown);
        if is_due {
            self.bandwidth = Bandwidth::Announced;
        }
        is_new || is_due
    }

    pub fn measures(&self) -> bool {
        matches!(self.bandwidth, Bandwidth::Announced)
    }

    pub fn measure(&mut self) {
        self.bandwidth = match DeviceProbe::kept_or_measured(&self.gpu, self.folder.as_deref()) {
            Ok(probe) => {
                self.clock.best_us = probe.clock_us();
                Bandwidth::Known(probe)
            }
            Err(why) => Bandwidth::Failed(why.to_string()),
        };
    }

    pub fn record(&mut self, frame: &mut Frame, capture: &PassCapture) -> Result<()> {
        self.details.take_queries(frame.number(), capture);
        let is_due = self.is_asked && self.clock.recorded.is_none_or(|at| at.elapsed() >= CLOCK_EVERY);
        if is_due && !self.gpu.policy().runs_on_cpu {
            self.clock.recorded = Some(Instant::now());
            let pass = match &self.clock.pass {
                Some(pass) => pass,
                None => self.clock.pass.insert(ClockPass::new(&self.gpu)?),
            };
            pass.record(frame)?;
        }
        Ok(())
    }

    pub fn on_timing(&mut self, timing: &FrameTiming) -> Result<bool> {
        if let Some(us) = timing.us_of(&[CLOCK_PASS]).filter(|us| !timing.compiles && *us > 0.0) {
            self.clock.take(us);
        }
        Ok(self.details.on_frame_end(timing.frame)?)
    }

    pub fn awaits_figures(&self) -> bool {
        self.details.awaits_figures()
    }
}

impl Clock {
    fn take(&mut self, us: f64) {
        self.best_us = Some(self.best_us.map_or(us, |best| best.min(us)));
        self.us.push_back(us);
        self.us.drain(..self.us.len().saturating_sub(CLOCK_TIMES));
        self.measured = Some(Instant::now());
    }

    fn state(&self) -> ClockState {
        let is_new = self.measured.is_some_and(|at| at.elapsed() < CLOCK_OLD);
        let now_us = self.us.iter().copied().reduce(f64::min).filter(|_| is_new);
        match now_us.zip(self.best_us) {
            None => ClockState::Unknown,
            Some((now, best)) if now <= FELL * best => ClockState::Up,
            Some((now, best)) => ClockState::Fell(best / now),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_fell_where_its_shortest_times_are_long() {
        let mut clock = Clock::default();
        assert_eq!(clock.state(), ClockState::Unknown);
        clock.best_us = Some(20.0);
        for us in [40.0, 21.0, 80.0] {
            clock.take(us);
        }
        assert_eq!(clock.state(), ClockState::Up, "one of three is short");
        for us in [40.0, 60.0, 41.0] {
            clock.take(us);
        }
        assert_eq!(clock.state(), ClockState::Fell(0.5));
        clock.take(10.0);
        assert_eq!((clock.state(), clock.best_us), (ClockState::Up, Some(10.0)), "faster than when it was measured");
        clock.measured = Instant::now().checked_sub(CLOCK_OLD);
        assert_eq!(clock.state(), ClockState::Unknown, "too old");
    }
}
