//! Frames of the window that are read back: for a screenshot, and for a recording.

use super::saved_files::save_screenshot;
use super::user_event::UserEvent;
use super::window_recording::WindowRecording;
use anyhow::Result;
use base::timing::FrameTiming;
use gpu::{DeviceInfo, Frame, ImageView};
use media::picture::Picture;
use std::collections::VecDeque;
use std::time::Instant;
use technique::{FrameRead, Output};
use winit::event_loop::EventLoopProxy;

#[derive(Default)]
pub struct CapturedFrames {
    pub picture_requested: bool,
    reads: VecDeque<CapturedFrame>,
    recording: Option<WindowRecording>,
}

struct CapturedFrame {
    read: FrameRead,
    recorded_at: Option<Instant>,
    /// Of a screenshot.
    preset: Option<String>,
}

impl CapturedFrame {
    fn picture(&self) -> Result<Picture> {
        let mut picture = self.read.picture()?;
        picture.rgba.chunks_exact_mut(4).for_each(|pixel| pixel[3] = 255);
        Ok(picture)
    }
}

impl CapturedFrames {
    pub fn read(
        &mut self,
        frame: &mut Frame,
        target: &ImageView,
        preset: impl FnOnce() -> Result<String>,
    ) -> Result<()> {
        let preset = std::mem::take(&mut self.picture_requested).then(preset).transpose()?;
        let recorded_at = self.recording.is_some().then(Instant::now);
        if preset.is_some() || recorded_at.is_some() {
            let read = Output::from(target).read(frame)?;
            self.reads.push_back(CapturedFrame { read, recorded_at, preset });
        }
        Ok(())
    }

    pub fn take(
        &mut self,
        ended: u64,
        facts: &DeviceInfo,
        timings: &[FrameTiming],
        wake: &EventLoopProxy<UserEvent>,
    ) -> Result<()> {
        while let Some(frame) = self.reads.pop_front_if(|frame| frame.read.frame() <= ended) {
            let picture = frame.picture()?;
            if let Some(preset) = frame.preset {
                save_screenshot(picture.clone(), preset, facts, timings, wake.clone());
            }
            if let Some((recording, at)) = self.recording.as_ref().zip(frame.recorded_at) {
                recording.add(at, picture.rgba);
            }
        }
        Ok(())
    }

    pub fn is_waiting(&self) -> bool {
        !self.reads.is_empty()
    }

    pub fn is_recording(&self) -> bool {
        self.recording.is_some()
    }

    pub fn must_end(&self, size: [u32; 2]) -> bool {
        self.recording.as_ref().is_some_and(|recording| recording.size != size || recording.has_failed())
    }

    pub fn start_recording(&mut self, size: [u32; 2], wake: EventLoopProxy<UserEvent>) {
        self.recording = Some(WindowRecording::start(size, wake));
    }

    /// Call when all frames have ended.
    pub fn end_recording(&mut self) -> Result<()> {
        let Some(recording) = self.recording.take() else { return Ok(()) };
        for frame in &mut self.reads {
            if let Some(at) = frame.recorded_at.take() {
                recording.add(at, frame.picture()?.rgba);
            }
        }
        self.reads.retain(|frame| frame.preset.is_some());
        Ok(())
    }
}
