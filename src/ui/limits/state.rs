//! Input of the panels about limits.

use crate::instrument::{PassDetails, PassResources};
use crate::lab::DeviceProbe;

#[derive(Clone, Copy, Default)]
pub enum ProbeState<'a> {
    #[default]
    Unknown,
    /// It is measured after this frame.
    Announced,
    Known(&'a DeviceProbe),
    Failed(&'a str),
}

/// The device's clock, judged by the time of a small computation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum ClockState {
    /// Not measured in the last seconds, or not the device's own.
    #[default]
    Unknown,
    /// As fast as when the device was measured.
    Up,
    /// Fraction of that.
    Fell(f64),
}

#[derive(Clone, Copy)]
pub struct LimitsState<'a> {
    /// Of the last captured frame.
    pub passes: &'a [PassResources],
    pub probe: ProbeState<'a>,
    pub clock: ClockState,
    pub details: &'a PassDetails,
}

impl<'a> LimitsState<'a> {
    pub fn device(&self) -> Option<&'a DeviceProbe> {
        match self.probe {
            ProbeState::Known(probe) => Some(probe),
            _ => None,
        }
    }
}
