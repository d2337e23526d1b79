//! Input of the panels about limits.

use crate::instrument::{PassDetails, PassResources};
use crate::lab::DeviceProbe;

/// Bandwidth of the device.
#[derive(Clone, Copy, Default)]
pub enum ProbeState<'a> {
    /// Not requested yet.
    #[default]
    Unknown,
    /// It is measured after this frame.
    Announced,
    /// The measured one.
    Known(&'a DeviceProbe),
    /// Why there is none.
    Failed(&'a str),
}

/// The device's clock, as the time of a small computation shows it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum ClockState {
    /// Not measured in the last seconds, or not the device's own.
    #[default]
    Unknown,
    /// As fast as it was when the device was measured.
    Up,
    /// This part of it.
    Fell(f64),
}

/// Limits of the passes and of the device.
#[derive(Clone, Copy)]
pub struct LimitsState<'a> {
    /// The passes of the last captured frame.
    pub passes: &'a [PassResources],
    /// Bandwidth of the device.
    pub probe: ProbeState<'a>,
    /// Its clock.
    pub clock: ClockState,
    /// The pass that is looked at.
    pub details: &'a PassDetails,
}

impl<'a> LimitsState<'a> {
    /// The measured bandwidth.
    #[must_use]
    pub fn device(&self) -> Option<&'a DeviceProbe> {
        match self.probe {
            ProbeState::Known(probe) => Some(probe),
            _ => None,
        }
    }
}
