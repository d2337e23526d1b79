//! Request of instruments to the next frame, and results of those that have ended.

use super::{PassDetails, PassResources, Pin, PinResult, SavedResource, SeenTexels, StepsRequest, Story, StoryRequest};
use gpu::CapturePoint;
use lab::{Break, DeviceProbe};
use std::collections::BTreeMap;
use std::time::Duration;
use technique::Replay;
use techniques::Evidence;

/// How the world's time passes in a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WorldTime {
    #[default]
    Runs,
    Paused,
    /// One frame lasts that long, whatever it takes.
    Steps(Duration),
}

impl WorldTime {
    /// Whether the world moves in the next frame, of this time, though its time rested in the last one, or makes a step.
    pub fn moves_after(self, last: Self) -> bool {
        matches!(self, Self::Steps(_)) || last == Self::Paused && self == Self::Runs
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recorded {
    /// As it is drawn.
    Window,
    /// Eight seconds with the lens on a closed path, at a pace of their own.
    Clip,
}

/// The sum of what all instruments ask of the next frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrameRequest {
    /// Resources that are captured; those with a place are drawn there.
    pub pins: Vec<Pin>,
    /// Passes whose resources and bytes are listed; they are repeated until they are known.
    pub passes: Vec<String>,
    /// Lists whatever runs.
    pub lists_all: bool,
    /// Texels of the final image: left, top, width, height.
    pub texels: Option<[u32; 4]>,
    /// Pass whose pipelines and invocations are read.
    pub details: Option<String>,
    /// Bandwidth and clock of the device are measured.
    pub measures_device: bool,
    /// Resources that are read whole and written to files, once.
    pub saved: Vec<CapturePoint>,
    /// Answered once, and kept as long as they are requested; so are the steps.
    pub stories: Vec<StoryRequest>,
    pub steps: Option<StepsRequest>,
    pub time: WorldTime,
    pub records: Option<Recorded>,
    /// Runs as long as it is requested; whoever runs it adds its state to the results.
    pub check: Option<CheckRequest>,
}

/// The check that notices a break, with its shaders, on a device of its own. Another number runs it again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CheckRequest {
    pub of: Break,
    /// With the shaders as they are.
    pub is_mended: bool,
    pub number: u64,
}

#[derive(Clone, Debug, PartialEq)]
pub enum CheckRun {
    Idle,
    /// Both 0 before the first case.
    Running {
        done: usize,
        of: usize,
    },
    Failed {
        case: String,
        text: String,
    },
    Passed {
        cases: usize,
    },
    Refused(String),
}

impl FrameRequest {
    /// Outputs that the frames before must have, too.
    pub fn outputs(&self) -> &'static [(&'static str, &'static str)] {
        if self.stories.is_empty() { &[] } else { Evidence::new(None).outputs() }
    }
}

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

static NO_RESULTS: BTreeMap<u64, PinResult> = BTreeMap::new();

/// What was read of the frames that have ended.
#[derive(Clone, Copy)]
pub struct FrameResults<'a> {
    /// Of the last captured frame.
    pub passes: &'a [PassResources],
    /// By the ids of the pins.
    pub pins: &'a BTreeMap<u64, PinResult>,
    pub seen: Option<&'a SeenTexels>,
    pub saved: &'a [SavedResource],
    pub probe: ProbeState<'a>,
    pub clock: ClockState,
    pub details: Option<&'a PassDetails>,
    pub stories: &'a [Story],
    pub steps: Option<&'a Replay>,
    /// Number of a request for steps, and why it has none.
    pub refusal: Option<(u64, &'a str)>,
    pub check: &'a CheckRun,
    /// The window is.
    pub is_recorded: bool,
}

impl<'a> FrameResults<'a> {
    pub fn of_passes(passes: &'a [PassResources]) -> Self {
        let (probe, clock) = (ProbeState::Unknown, ClockState::Unknown);
        let (details, stories, steps, refusal) = (None, &[], None, None);
        Self {
            passes,
            pins: &NO_RESULTS,
            seen: None,
            saved: &[],
            probe,
            clock,
            details,
            stories,
            steps,
            refusal,
            check: &CheckRun::Idle,
            is_recorded: false,
        }
    }

    pub fn device(&self) -> Option<&'a DeviceProbe> {
        match self.probe {
            ProbeState::Known(probe) => Some(probe),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::WorldTime::{Paused, Runs};
    use super::*;

    #[test]
    fn the_world_moves_after_a_pause_and_in_a_step() {
        let step = WorldTime::Steps(Duration::from_millis(16));
        for (now, after) in [(step, [Runs, Paused, step].as_slice()), (Runs, &[Paused]), (Paused, &[])] {
            for last in [Runs, Paused, step] {
                assert_eq!(now.moves_after(last), after.contains(&last), "{now:?} after {last:?}");
            }
        }
    }
}
