//! Frames of the window that are read back: for a screenshot, and for a recording.

use super::saved_files::{save_page, save_screenshot};
use super::user_event::{UserEvent, send_written};
use crate::recording::{self, WindowRecording};
use anyhow::Result;
use base::timing::FrameTiming;
use gpu::{DeviceInfo, Frame, ImageView};
use instrument::Recorded;
use media::picture::Picture;
use std::collections::VecDeque;
use std::time::Duration;
use technique::{FrameRead, Output};
use ui::RecordingState;
use winit::event_loop::EventLoopProxy;

#[derive(Default)]
pub struct CapturedFrames {
    pub picture_requested: bool,
    /// A web page without its pictures.
    pub page_requested: Option<String>,
    /// The present frame is the next one of the clip.
    is_due: bool,
    reads: VecDeque<CapturedFrame>,
    recording: Option<WindowRecording>,
}

struct CapturedFrame {
    read: FrameRead,
    recorded_at: Option<Duration>,
    /// Of a screenshot.
    preset: Option<String>,
    /// And what is below the glass.
    page: Option<(String, FrameRead)>,
}

impl CapturedFrame {
    fn picture(&self) -> Result<Picture> {
        let mut picture = self.read.picture()?;
        picture.rgba.chunks_exact_mut(4).for_each(|pixel| pixel[3] = 255);
        Ok(picture)
    }
}

impl CapturedFrames {
    /// Before the panels. `is_whole`: what is below the glass is up to date.
    pub fn begin(&mut self, is_whole: bool) {
        self.is_due = is_whole && self.recording.as_ref().is_some_and(|clip| clip.room() > self.reads.len());
    }

    /// Part of the clip that is done, and the time of the present frame, 0 if it is none of the clip's.
    pub fn clip(&self) -> Option<(f32, Duration)> {
        let (part, step) = self.recording.as_ref()?.clip()?;
        Some((part, if self.is_due { step } else { Duration::ZERO }))
    }

    /// `target` has no panels and no pinned pictures yet.
    pub fn read(
        &mut self,
        frame: &mut Frame,
        target: &ImageView,
        preset: impl FnOnce() -> Result<String>,
        below: impl FnOnce(&mut Frame) -> Result<FrameRead>,
    ) -> Result<()> {
        let preset = std::mem::take(&mut self.picture_requested).then(preset).transpose()?;
        let is_due = self.is_due;
        let recorded = self.recording.as_mut().filter(|recording| is_due || recording.clip().is_none());
        let recorded_at = recorded.map(WindowRecording::next);
        let page = self.page_requested.take().map(|page| anyhow::Ok((page, below(frame)?))).transpose()?;
        if preset.is_some() || recorded_at.is_some() || page.is_some() {
            let read = Output::from(target).read(frame)?;
            self.reads.push_back(CapturedFrame { read, recorded_at, preset, page });
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
            if let Some((page, below)) = frame.page {
                save_page(page, below, picture.clone(), wake.clone());
            }
            if let Some((recording, at)) = self.recording.as_ref().zip(frame.recorded_at) {
                recording.add(at, picture.rgba);
            }
        }
        Ok(())
    }

    pub fn is_waiting(&self) -> bool {
        !self.reads.is_empty() || self.picture_requested || self.page_requested.is_some()
    }

    pub fn is_recording(&self) -> bool {
        self.recording.is_some()
    }

    pub fn state(&self) -> Option<RecordingState> {
        self.recording.as_ref().map(WindowRecording::state).or_else(recording::ending)
    }

    pub fn must_end(&self, size: [u32; 2]) -> bool {
        let is_done = |(part, _)| part >= 1.0;
        self.recording.as_ref().is_some_and(|recording| {
            recording.size != size || recording.has_stopped() || recording.clip().is_some_and(is_done)
        })
    }

    pub fn start_recording(&mut self, what: Recorded, size: [u32; 2], wake: EventLoopProxy<UserEvent>) -> Result<()> {
        self.recording = Some(WindowRecording::start(what, size, move |written| send_written(&wake, written))?);
        Ok(())
    }

    /// Call when all frames have ended.
    pub fn end_recording(&mut self) -> Result<()> {
        let Some(recording) = self.recording.take() else { return Ok(()) };
        for frame in &mut self.reads {
            if let Some(at) = frame.recorded_at.take() {
                recording.add(at, frame.picture()?.rgba);
            }
        }
        self.reads.retain(|frame| frame.preset.is_some() || frame.page.is_some());
        Ok(())
    }
}
