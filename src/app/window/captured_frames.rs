//! Frames of the window that are read back: for a screenshot, and for a recording.

use super::screenshot::Screenshot;
use super::user_event::UserEvent;
use super::window_recording::WindowRecording;
use crate::base::timing::FrameTiming;
use crate::gpu::{self, DeviceInfo, Format, Frame, ImageView, ReadBack};
use anyhow::Result;
use winit::event_loop::EventLoopProxy;

#[derive(Default)]
pub struct CapturedFrames {
    pub picture_requested: bool,
    screenshot: Option<Screenshot>,
    recording: Option<WindowRecording>,
}

#[derive(Default)]
pub struct FrameReads {
    size: [u32; 2],
    format: Option<Format>,
    preset: Option<String>,
    is_recorded: bool,
    picture: Option<ReadBack>,
    recorded: Option<ReadBack>,
}

impl FrameReads {
    pub fn record(&mut self, frame: &mut Frame, target: &ImageView) -> gpu::Result<()> {
        if self.format.is_some() {
            self.size = target.size();
            self.picture = self.preset.as_ref().map(|_| frame.read_image(target)).transpose()?;
            self.recorded = self.is_recorded.then(|| frame.read_image(target)).transpose()?;
        }
        Ok(())
    }
}

impl CapturedFrames {
    pub fn reads(
        &mut self,
        size: [u32; 2],
        format: Option<Format>,
        preset: impl FnOnce() -> Result<String>,
    ) -> Result<FrameReads> {
        let is_picture = std::mem::take(&mut self.picture_requested) && format.is_some();
        let preset = if is_picture { Some(preset()?) } else { None };
        Ok(FrameReads { size, format, preset, is_recorded: self.recording.is_some(), ..FrameReads::default() })
    }

    pub fn keep(&mut self, number: u64, reads: FrameReads) {
        let FrameReads { size, format, preset, picture, recorded, .. } = reads;
        let Some(format) = format else { return };
        if let Some((read, preset)) = picture.zip(preset) {
            self.screenshot = Some(Screenshot::new(number, size, format, read, preset));
        }
        if let Some((recording, read)) = self.recording.as_mut().zip(recorded) {
            recording.add(number, read);
        }
    }

    pub fn take(
        &mut self,
        ended: u64,
        facts: &DeviceInfo,
        timings: &[FrameTiming],
        wake: &EventLoopProxy<UserEvent>,
    ) -> Result<()> {
        if let Some(screenshot) = self.screenshot.take_if(|screenshot| screenshot.frame <= ended) {
            screenshot.save(facts, timings, wake.clone());
        }
        self.recording.as_mut().map_or(Ok(()), |recording| recording.take(ended))
    }

    pub fn is_waiting(&self) -> bool {
        self.screenshot.is_some() || self.recording.as_ref().is_some_and(WindowRecording::is_waiting)
    }

    pub fn is_recording(&self) -> bool {
        self.recording.is_some()
    }

    pub fn must_end(&self, size: [u32; 2], format: Format) -> bool {
        self.recording.as_ref().is_some_and(|recording| !recording.fits(size, format) || recording.has_failed())
    }

    pub fn start_recording(&mut self, size: [u32; 2], format: Format, wake: EventLoopProxy<UserEvent>) {
        self.recording = Some(WindowRecording::start(size, format, wake));
    }

    pub fn end_recording(&mut self) -> Result<()> {
        self.recording.take().map_or(Ok(()), WindowRecording::end)
    }
}
