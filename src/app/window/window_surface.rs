//! Window surface on the GPU: its images, frames in flight, and resizing.

use super::frame_walls::FrameWalls;
use crate::failure::Failure;
use anyhow::Result;
use base::timing::FrameTiming;
use glam::Vec2;
use gpu::{
    Drawing, Format, Frame, Frames, Gpu, Image, ImageDesc, ImageView, Options, Painter, PresentMode, Swapchain, Target,
};
use media::picture::Picture;
use std::sync::Arc;
use std::time::{Duration, Instant};
use winit::window::Window;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ready {
    Yes {
        /// Time spent waiting, during which no events were handled.
        waited: Duration,
    },
    NoSize,
    Again {
        after: Duration,
    },
}

/// Dropped from the top: users of the swapchain before it, the device last.
pub struct WindowSurface {
    ready: Option<(Frame, Target)>,
    painter: Painter,
    swapchain: Swapchain,
    frames: Frames,
    /// Kept, since to drop them waits for the device.
    frames_of_poster: Option<Frames>,
    number: u64,
    failed: u32,
    lost_at: Option<Instant>,
    gpu: Arc<Gpu>,
    options: Options,
    walls: FrameWalls,
    window: Arc<Window>,
    mode: PresentMode,
    size_px: [u32; 2],
}

impl WindowSurface {
    pub fn open(
        window: Arc<Window>,
        options: Options,
        mode: PresentMode,
        frames_in_flight: usize,
    ) -> Result<Self, Failure> {
        let options = Options { window: Some(window.clone()), ..options };
        let gpu = Gpu::new(&options).map_err(anyhow::Error::from)?;
        Ok(Self::of_gpu(gpu, options, window, mode, frames_in_flight).map_err(anyhow::Error::from)?)
    }

    fn of_gpu(
        gpu: Arc<Gpu>,
        options: Options,
        window: Arc<Window>,
        mode: PresentMode,
        frames_in_flight: usize,
    ) -> gpu::Result<Self> {
        let size_px = window.inner_size().into();
        let frames = Frames::new(&gpu, frames_in_flight);
        let swapchain = Swapchain::new(&gpu, &frames, size_px, mode)?;
        let painter = Painter::new(&gpu, swapchain.format())?;
        Ok(Self {
            ready: None,
            painter,
            swapchain,
            frames,
            frames_of_poster: None,
            number: 0,
            failed: 0,
            lost_at: None,
            gpu,
            options,
            walls: FrameWalls::default(),
            window,
            mode,
            size_px,
        })
    }

    /// It needs no pipeline, and no frame that is counted.
    pub fn show_poster(&mut self, poster: &Picture) -> gpu::Result<()> {
        if self.swapchain.is_empty() || !self.swapchain.takes_copies() {
            return Ok(());
        }
        let mut frames = Frames::new(&self.gpu, 1);
        let mut frame = frames.begin()?;
        match self.swapchain.acquire(&mut frame) {
            Ok(target) => {
                let desc = ImageDesc::new("poster", poster.size, Format::Rgba8, &[]);
                let image = Image::new(&self.gpu, desc)?.mip(0);
                frame.upload(&image, &poster.rgba)?;
                frame.blit("poster", &image, &target.image.mip(0))?;
                self.swapchain.present(&mut frames, frame, &target)?;
            }
            Err(gpu::Error::OutOfDate | gpu::Error::SurfaceLost { .. } | gpu::Error::NoImageYet) => {
                self.swapchain.abandon(&mut frames, frame)?;
            }
            Err(error) => return Err(error),
        }
        frames.wait()?;
        self.frames_of_poster = Some(frames);
        Ok(())
    }

    pub fn on_gpu(&mut self, index: usize, frames_in_flight: usize) -> Result<Self> {
        let options = Options { gpu: Some(index.to_string()), ..self.options.clone() };
        let gpu = Gpu::new(&options)?;
        if let Some((frame, _)) = self.ready.take() {
            self.swapchain.abandon(&mut self.frames, frame)?;
        }
        self.swapchain.release()?;
        Ok(Self::of_gpu(gpu, options, self.window.clone(), self.mode, frames_in_flight)?)
    }

    pub fn take_textures(&mut self, of: &mut Self) {
        self.painter.take_textures(&mut of.painter);
    }

    pub fn gpu(&self) -> &Arc<Gpu> {
        &self.gpu
    }

    pub fn window(&self) -> &Window {
        &self.window
    }

    pub fn size_px(&self) -> [u32; 2] {
        self.size_px
    }

    pub fn area_px(&self) -> Vec2 {
        Vec2::new(self.size_px[0] as f32, self.size_px[1] as f32)
    }

    pub fn resize(&mut self, size_px: [u32; 2]) {
        self.size_px = size_px;
    }

    pub fn set_pacing(&mut self, mode: PresentMode, frames_in_flight: usize) {
        self.mode = mode;
        self.frames.set_limit(frames_in_flight);
    }

    pub fn number(&self) -> u64 {
        self.number.saturating_sub(u64::from(self.ready.is_some()))
    }

    pub fn take_timing(&mut self) -> Option<FrameTiming> {
        self.frames.take_timing()
    }

    pub fn prepare(&mut self) -> Result<Ready> {
        self.walls.begin();
        let prepared = self.acquire();
        if !matches!(prepared, Ok(Ready::Yes { .. })) {
            self.walls.cancel();
        }
        prepared
    }

    fn acquire(&mut self) -> Result<Ready> {
        if self.size_px.contains(&0) {
            self.size_px = self.window.inner_size().into();
        }
        let fits =
            !self.swapchain.is_stale() && self.swapchain.size() == self.size_px && self.swapchain.mode() == self.mode;
        if !fits {
            if let Some((frame, _)) = self.ready.take() {
                self.swapchain.abandon(&mut self.frames, frame)?;
            }
            match self.swapchain.rebuild(&self.frames, self.size_px, self.mode) {
                // A window that others destroyed gives no surface; its event may still be on its way.
                Err(gpu::Error::SurfaceLost { .. })
                    if self.lost_at.get_or_insert_with(Instant::now).elapsed() < GONE =>
                {
                    return Ok(self.again());
                }
                done => done?,
            }
            self.lost_at = None;
            self.painter.retarget(self.swapchain.format())?;
            self.size_px = self.swapchain.size();
        }
        self.swapchain.collect(&self.frames);
        if self.swapchain.is_empty() {
            return Ok(Ready::NoSize);
        }
        if self.ready.is_some() {
            return Ok(Ready::Yes { waited: Duration::ZERO });
        }
        let started = Instant::now();
        let mut frame = self.frames.begin()?;
        // The held image's frame may have ended: its acquisition semaphore is used again.
        if self.frames.in_flight() == 0 {
            self.swapchain.show()?;
        }
        self.number += 1;
        match self.swapchain.acquire(&mut frame) {
            Ok(target) => (self.ready, self.failed) = (Some((frame, target)), 0),
            Err(gpu::Error::OutOfDate | gpu::Error::SurfaceLost { .. } | gpu::Error::NoImageYet) => {
                self.swapchain.abandon(&mut self.frames, frame)?;
                return Ok(self.again());
            }
            Err(error) => return Err(error.into()),
        }
        Ok(Ready::Yes { waited: started.elapsed() })
    }

    fn again(&mut self) -> Ready {
        self.failed = self.failed.saturating_add(1);
        Ready::Again { after: pause(self.failed) }
    }

    pub fn frame(
        &mut self,
        drawing: Drawing,
        draw: impl FnOnce(&mut Frame, &ImageView) -> Result<()>,
    ) -> Result<Option<u64>> {
        let Some((mut frame, target)) = self.ready.take() else {
            self.painter.skip(drawing);
            return Ok(None);
        };
        draw(&mut frame, &target.image.mip(0))?;
        self.painter.paint(&mut frame, &target.image, drawing)?;
        self.window.pre_present_notify();
        self.swapchain.present(&mut self.frames, frame, &target)?;
        self.walls.end(self.number - 1);
        Ok(Some(self.number - 1))
    }

    /// Returns the time of the next look.
    pub fn show_ended(&mut self) -> Result<Option<Instant>> {
        if !self.swapchain.holds() {
            return Ok(None);
        }
        self.frames.poll()?;
        if self.frames.in_flight() > 0 {
            return Ok(Some(Instant::now() + LOOK));
        }
        self.swapchain.show()?;
        Ok(None)
    }

    pub fn walls(&self) -> &FrameWalls {
        &self.walls
    }

    pub fn wait(&mut self) -> Result<()> {
        Ok(self.frames.wait()?)
    }

    pub fn is_readable(&self) -> bool {
        self.swapchain.can_be_read()
    }

    pub fn is_stale(&self) -> bool {
        self.swapchain.is_stale()
    }
}

const LOOK: Duration = Duration::from_millis(1);

/// A window without a surface for longer is broken, not being destroyed.
const GONE: Duration = Duration::from_secs(10);

/// During a resize there are one or two failures and the window must follow at once; while the display sleeps they last
/// for hours and must cost nothing.
fn pause(failed: u32) -> Duration {
    const AT_ONCE: u32 = 3;
    Duration::from_millis(if failed <= AT_ONCE { 0 } else { 100 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_that_keeps_failing_does_not_spin() {
        assert_eq!([1, 2, 3].map(pause), [Duration::ZERO; 3]);
        let (mut passed, mut tries) = (Duration::ZERO, 0);
        while passed < Duration::from_secs(10) {
            tries += 1;
            passed += pause(tries);
        }
        assert!(tries < 120, "{tries}");
    }
}
