//! Capture of frames for instruments: takes a request, records what it needs, and has the results.

use super::device_limits::DeviceLimits;
use super::explanations::Explanations;
use super::{CheckRun, FrameRequest, FrameResults, Pins, SavedResource};
use anyhow::Result;
use base::timing::FrameTiming;
use gpu::{Frame, Gpu, ImageView, PassCapture};
use std::path::PathBuf;
use std::sync::Arc;
use technique::FrameContext;
use techniques::{Settings, Techniques};

pub struct FrameCapture {
    pins: Pins,
    limits: DeviceLimits,
    explanations: Explanations,
}

impl FrameCapture {
    /// `folder`: keeps the measured bandwidth of devices.
    pub fn new(gpu: &Arc<Gpu>, folder: Option<PathBuf>) -> Self {
        let explanations = Explanations::default();
        Self { pins: Pins::new(gpu), limits: DeviceLimits::new(gpu, folder), explanations }
    }

    /// Whether the panels have to be drawn again at once.
    pub fn ask(&mut self, request: FrameRequest) -> bool {
        let FrameRequest {
            pins,
            passes,
            lists_all,
            texels,
            details,
            measures_device,
            saved,
            stories,
            steps,
            time: _,
            records: _,
            check: _,
        } = request;
        self.explanations.ask(stories, steps);
        self.pins.list_all(lists_all);
        self.pins.set(pins, passes);
        saved.into_iter().for_each(|point| self.pins.save(point));
        self.pins.watch(texels);
        self.limits.set(measures_device, details.as_deref(), &mut self.pins)
    }

    pub fn results(&self) -> FrameResults<'_> {
        let (passes, pins, seen) = (self.pins.passes(), self.pins.results(), self.pins.seen());
        let (probe, clock, details) = self.limits.results();
        FrameResults {
            passes,
            pins,
            seen,
            saved: self.pins.saved(),
            probe,
            clock,
            details: Some(details),
            stories: self.explanations.told(),
            steps: self.explanations.replay(),
            refusal: self.explanations.refusal(),
            check: &CheckRun::Idle,
            is_recorded: false,
        }
    }

    /// Outputs that the next frame has to have, if it is explained: [`explain`](Self::explain) follows it.
    pub fn prepare(&mut self) -> Option<Vec<(&'static str, &'static str)>> {
        let (points, outputs) = self.explanations.prepare()?;
        self.pins.capture_once(points);
        Some(outputs)
    }

    pub fn begin(&mut self, frame: &mut Frame) {
        self.pins.begin(frame);
    }

    /// Reads the frame's picture: call it before anything is drawn over that. `last`: what the frame has recorded.
    pub fn end(
        &mut self,
        frame: &mut Frame,
        target: &ImageView,
        last: Option<(&Techniques, &FrameContext)>,
        settings: &Settings,
    ) -> Result<()> {
        self.pins.end(frame, target)?;
        self.limits.record(frame, self.pins.captured_once())?;
        self.explanations.read(frame, self.pins.captured_once(), last, settings, target)
    }

    /// The pinned pictures, over the frame's.
    pub fn draw(&mut self, frame: &mut Frame, target: &ImageView) -> Result<()> {
        Ok(self.pins.draw(frame, target)?)
    }

    /// In the last frame; valid until the next one begins.
    pub fn captured(&self) -> &PassCapture {
        self.pins.captured_once()
    }

    /// Call it when the frame has ended, before another is recorded.
    pub fn explain(&mut self, last: Option<(&Techniques, &FrameContext)>, settings: &Settings) -> Result<()> {
        self.explanations.explain(last, settings)
    }

    /// The next frame records all passes, for the story of a pixel.
    pub fn awaits_story(&self) -> bool {
        self.explanations.awaits_story()
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

    /// No frame follows.
    pub fn end_saves(&mut self) {
        self.pins.end_saves();
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
