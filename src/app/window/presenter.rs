//! Presenter: records frames into the window's surface, takes their timings, and reads screenshots back.

use super::captured_frames::CapturedFrames;
use super::redraw::Redraw;
use super::user_event::UserEvent;
use super::window_pair::WindowPair;
use super::window_surface::{Ready, WindowSurface};
use crate::page;
use crate::run_summary::{Run, RunLimits, rays_json};
use anyhow::Result;
use base::timing::FrameTiming;
use glam::Vec2;
use gpu::{Delayed, Drawing};
use instrument::{FrameCapture, Recorded};
use renderer::{FrameParams, Renderer};
use std::collections::VecDeque;
use std::time::{Duration, Instant};
use techniques::Settings;
use ui::Timings;
use winit::event_loop::EventLoopProxy;

/// After a longer wait for the image the pointer is sampled again.
const LATCH: Duration = Duration::from_micros(500);

const POLL: Duration = Duration::from_millis(30);

const TIMINGS_MOST: usize = 1000;

/// A window without a size may be resized without an event.
const NO_SIZE: Duration = Duration::from_millis(250);

/// What the timings of a frame are shown as.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shown {
    New,
    Repeat,
    /// Not at all: their figures would change each other for ever.
    Refresh,
}

/// Dropped from the top: the surface with the device last.
pub struct Presenter {
    pub renderer: Renderer,
    shown: Delayed<Shown>,
    pub capture: FrameCapture,
    pub pair: WindowPair,
    timings: VecDeque<FrameTiming>,
    pub captured: CapturedFrames,
    /// With whether a frame has announced it: compiling may take seconds.
    measurements: Vec<(&'static str, bool)>,
    started: Instant,
    pub surface: WindowSurface,
}

impl Presenter {
    pub fn new(surface: WindowSurface, renderer: Renderer, started: Instant) -> Self {
        Self {
            renderer,
            shown: Delayed::default(),
            capture: FrameCapture::new(surface.gpu(), crate::folders::cache()),
            pair: WindowPair::new(surface.gpu()),
            timings: VecDeque::new(),
            captured: CapturedFrames::default(),
            measurements: Vec::new(),
            started,
            surface,
        }
    }

    pub fn started(&self) -> Instant {
        self.started
    }

    pub fn area_px(&self) -> Vec2 {
        self.surface.area_px()
    }

    pub fn now_s(&self) -> f64 {
        self.started.elapsed().as_secs_f64()
    }

    pub fn prepare(&mut self, redraw: &mut Redraw) -> Result<bool> {
        match self.surface.prepare()? {
            Ready::NoSize => redraw.pacing.postpone(NO_SIZE, Instant::now()),
            Ready::Again { after } => redraw.pacing.postpone(after, Instant::now()),
            Ready::Yes { waited } if waited > LATCH => redraw.request_in(Duration::ZERO),
            Ready::Yes { .. } => return Ok(true),
        }
        Ok(false)
    }

    /// Seconds since the start; `None` if nothing new is displayed.
    pub fn requested_s(&mut self, moved_at: Option<Instant>) -> Option<f64> {
        let moved_at = moved_at.filter(|_| !self.renderer.is_comparing())?;
        Some(moved_at.saturating_duration_since(self.started).as_secs_f64())
    }

    pub fn take_timings(
        &mut self,
        redraw: &mut Redraw,
        panel: &mut Timings,
        wake: &EventLoopProxy<UserEvent>,
    ) -> Result<()> {
        while let Some(timing) = self.surface.take_timing() {
            let (own, is_new) = self.pair.on_timing(&timing, &mut self.renderer)?;
            redraw.resolution.on_timing(&own);
            let untimed = self.surface.gpu().untimed().is_some();
            let known = |timing: FrameTiming| if untimed { timing.without_gpu_times() } else { timing };
            let (own, timing) = (known(own), known(timing));
            match self.shown.take(timing.frame) {
                Some(Shown::New) => panel.push_part(&own, &timing, self.now_s()),
                Some(Shown::Repeat) => panel.push_repeat(&own),
                Some(Shown::Refresh) | None => {}
            }
            let ended = timing.frame;
            let [has_result, is_known] = self.capture.on_timing(&timing)?;
            if has_result || self.pair.is_measuring() {
                redraw.request();
            } else if is_new || is_known {
                redraw.request_in(Duration::ZERO);
            }
            self.timings.truncate(TIMINGS_MOST - 1);
            self.timings.push_front(timing);
            self.captured.take(ended, self.surface.gpu().info(), self.timings.make_contiguous(), wake)?;
        }
        Ok(())
    }

    pub fn measure_device(&mut self, redraw: &mut Redraw) -> Result<()> {
        if self.capture.measures_device() {
            self.surface.wait()?;
            self.capture.measure_device();
            redraw.request_in(Duration::ZERO);
        }
        Ok(())
    }

    pub fn present(
        &mut self,
        params: &FrameParams<'_>,
        drawing: Drawing,
        shown: Shown,
        preset: impl FnOnce() -> Result<String>,
        redraw: &mut Redraw,
    ) -> Result<()> {
        let size = self.area_px().as_uvec2().to_array();
        if !self.surface.is_readable() || self.captured.must_end(size) {
            self.end_recording()?;
        }
        let (renderer, capture) = (&mut self.renderer, &mut self.capture);
        let (pair, captured) = (&mut self.pair, &mut self.captured);
        let changes = renderer.changes();
        captured.picture_requested &= self.surface.is_readable();
        let has_page = captured.page_requested.is_some();
        let explained = capture.prepare();
        explained.iter().for_each(|outputs| renderer.prepare_outputs(outputs));
        if has_page && explained.is_none() {
            renderer.prepare_outputs(&[page::BELOW]);
        }
        let number = self.surface.frame(drawing, |frame, target| {
            capture.begin(frame);
            pair.record(frame, renderer, params, shown != Shown::Refresh, target)?;
            capture.end(frame, target, renderer.last_frame(), params.settings)?;
            captured.read(frame, target, preset, |frame| page::read_below(renderer, frame))?;
            // Over the picture that has been read.
            renderer.record_panels(frame, params, target)?;
            capture.draw(frame, target)
        })?;
        if has_page {
            renderer.prepare_outputs(&[]);
        }
        if explained.is_some() {
            renderer.prepare_outputs(&[]);
            self.surface.wait()?;
            redraw.request();
            capture.explain(renderer.last_frame(), params.settings)?;
        }
        if self.captured.is_waiting() || self.renderer.is_looking_below() || self.capture.is_polled() {
            redraw.request_in(POLL);
        }
        self.pair.due_in().into_iter().for_each(|delay| redraw.request_in(delay));
        let Some(number) = number else { return Ok(()) };
        if number == 0 {
            log::info!("first frame {:.0} ms after the start", self.now_s() * 1e3);
        }
        let is_refined = shown == Shown::Refresh && self.renderer.changes() != changes;
        self.shown.put(number, if is_refined { Shown::New } else { shown });
        for (technique, _) in self.measurements.extract_if(.., |(_, is_announced)| *is_announced) {
            self.renderer.measure(technique);
        }
        if self.renderer.is_incremental() {
            redraw.resolution.drew_part(number);
        }
        if let Some(is_shared) = self.renderer.shared_rays() {
            redraw.resolution.drew_mirrors(number, is_shared);
        }
        Ok(())
    }

    pub fn request_screenshot(&mut self) -> bool {
        self.captured.picture_requested = self.surface.is_readable();
        self.captured.picture_requested
    }

    /// Of the next frame.
    pub fn request_page(&mut self, page: String) -> bool {
        self.captured.page_requested = self.surface.is_readable().then_some(page);
        self.captured.page_requested.is_some()
    }

    /// Whether the recording begins.
    pub fn record_window(&mut self, wanted: Option<Recorded>, wake: EventLoopProxy<UserEvent>) -> Result<bool> {
        let begins = wanted.filter(|_| !self.captured.is_recording());
        match begins {
            Some(what) => self.captured.start_recording(what, self.area_px().as_uvec2().to_array(), wake)?,
            None if wanted.is_none() => self.end_recording()?,
            None => {}
        }
        Ok(begins.is_some())
    }

    pub fn end_recording(&mut self) -> Result<()> {
        if self.captured.is_recording() {
            self.surface.wait()?;
            self.captured.end_recording()?;
        }
        Ok(())
    }

    pub fn measure(&mut self, technique: &'static str) {
        self.measurements.push((technique, false));
    }

    pub fn stop_measuring(&mut self, technique: &'static str) {
        self.measurements.retain(|(requested, _)| *requested != technique);
        self.renderer.stop_measuring(technique);
    }

    pub fn announce_measurements(&mut self) -> Vec<&'static str> {
        let announced = |(technique, is_announced): &mut (&'static str, bool)| {
            *is_announced = true;
            *technique
        };
        self.measurements.iter_mut().map(announced).collect()
    }

    pub fn json(&mut self, validates: bool, settings: &Settings) -> String {
        let gpu = self.surface.gpu();
        let timings: Vec<FrameTiming> = std::mem::take(&mut self.timings).into_iter().rev().collect();
        let rays = self.renderer.rays_in_motion(settings);
        Run {
            facts: gpu.info(),
            size: self.area_px().as_uvec2().to_array(),
            frames: self.surface.number(),
            timings: &timings,
            walls_us: self.surface.walls().figures(&timings),
            validation: (validates, gpu.messages().len()),
            device_waits: gpu.waits(),
            limits: RunLimits::default(),
            b: None,
            mirrors_in_motion: rays.map(|(rays, reason)| rays_json(settings.reflections.rate, rays, reason)),
            against_rest: None,
            untimed: gpu.untimed(),
            reports: Vec::new(),
        }
        .json()
    }
}
