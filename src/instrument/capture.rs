//! Capture of frames for instruments: takes a request, records what it needs, and has the results.

use super::device_limits::DeviceLimits;
use super::{FrameRequest, FrameResults, Pins, SavedResource};
use crate::base::timing::FrameTiming;
use crate::gpu::{CapturePoint, Frame, Gpu, ImageView, PassCapture};
use anyhow::Result;
use std::path::PathBuf;
use std::sync::Arc;

pub struct FrameCapture {
    pins: Pins,
    limits: DeviceLimits,
}

impl FrameCapture {
    /// `folder`: keeps the measured bandwidth of devices.
    pub fn new(gpu: &Arc<Gpu>, folder: Option<PathBuf>) -> Self {
        Self { pins: Pins::new(gpu), limits: DeviceLimits::new(gpu, folder) }
    }

    /// Whether the panels have to be drawn again at once.
    pub fn ask(&mut self, request: FrameRequest) -> bool {
        let FrameRequest { pins, passes, lists_all, texels, details, measures_device, saved, time: _ } = request;
        self.pins.list_all(lists_all);
        self.pins.set(pins, passes);
        saved.into_iter().for_each(|point| self.pins.save(point));
        self.pins.watch(texels);
        self.limits.set(measures_device, details.as_deref(), &mut self.pins)
    }

    pub fn results(&self) -> FrameResults<'_> {
        let (passes, pins, seen) = (self.pins.passes(), self.pins.results(), self.pins.seen());
        let (probe, clock, details) = self.limits.results();
        FrameResults { passes, pins, seen, probe, clock, details: Some(details) }
    }

    /// For the next frame alone.
    pub fn once(&mut self, points: Vec<CapturePoint>) {
        self.pins.capture_once(points);
    }

    pub fn begin(&mut self, frame: &mut Frame) {
        self.pins.begin(frame);
    }

    /// Returns what was captured in this frame.
    pub fn end(&mut self, frame: &mut Frame, target: &ImageView) -> Result<&PassCapture> {
        self.pins.end(frame, target)?;
        self.limits.record(frame, self.pins.captured_once())?;
        Ok(self.pins.captured_once())
    }

    /// Whether a result of a pin is new, and whether one about the device or the details is.
    pub fn on_timing(&mut self, timing: &FrameTiming) -> Result<[bool; 2]> {
        self.pins.on_timing(timing);
        let is_known = self.limits.on_timing(timing)?;
        Ok([self.pins.on_frame_end(timing.frame)?, is_known])
    }

    /// Passes that the next frame should record though it could omit them: a resource of them has not been captured yet.
    pub fn awaited_passes(&self) -> impl Iterator<Item = &str> {
        self.pins.awaited_passes()
    }

    pub fn awaits_passes(&self) -> bool {
        self.awaited_passes().next().is_some()
    }

    /// A later frame has to take results.
    pub fn is_polled(&self) -> bool {
        self.pins.is_behind() || self.pins.is_saving() || self.limits.awaits_figures()
    }

    pub fn take_saved(&mut self) -> Vec<SavedResource> {
        self.pins.take_saved()
    }

    pub fn measures_device(&self) -> bool {
        self.limits.measures()
    }

    /// With no frame in flight; it takes a while.
    pub fn measure_device(&mut self) {
        self.limits.measure();
    }
}
