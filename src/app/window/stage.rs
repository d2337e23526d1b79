//! The window on the GPU: its images, the frames on their way to it, and what happens when it changes.

use crate::app::failure::Failure;
use crate::base::timing::FrameTiming;
use crate::gpu::{self, Drawing, Frame, Frames, Gpu, Image, Options, Painter, PresentMode, Swapchain};
use anyhow::Result;
use std::sync::Arc;
use winit::window::Window;

/// What became of a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outcome {
    /// It is on its way to the window.
    Shown,
    /// The window has no size: there is nothing to draw to until it has one.
    NoSize,
    /// The window changed meanwhile: draw again.
    Again,
}

/// Fields are dropped from the top: what uses the swapchain goes before it, and the device last.
pub struct Stage {
    painter: Painter,
    swapchain: Swapchain,
    frames: Frames,
    gpu: Arc<Gpu>,
    window: Arc<Window>,
    mode: PresentMode,
    size_px: [u32; 2],
}

impl Stage {
    /// The device, chosen so that it can present to the window. `options.window` is filled in here.
    pub fn open(
        window: Arc<Window>,
        options: Options,
        mode: PresentMode,
        frames_in_flight: usize,
    ) -> Result<Self, Failure> {
        let gpu = Gpu::new(&Options { window: Some(window.clone()), ..options }).map_err(anyhow::Error::from)?;
        let size_px = window.inner_size().into();
        let swapchain = Swapchain::new(&gpu, size_px, mode).map_err(anyhow::Error::from)?;
        let frames = Frames::new(&gpu, frames_in_flight);
        let painter = Painter::new(&gpu, swapchain.format()).map_err(anyhow::Error::from)?;
        Ok(Self { painter, swapchain, frames, gpu, window, mode, size_px })
    }

    /// The device.
    pub fn gpu(&self) -> &Arc<Gpu> {
        &self.gpu
    }

    /// The window.
    pub fn window(&self) -> &Window {
        &self.window
    }

    /// Width and height in pixels that the next frame will have; 0x0 while there is nothing to draw to.
    pub fn size_px(&self) -> [u32; 2] {
        self.size_px
    }

    /// The window has this size now.
    pub fn resize(&mut self, size_px: [u32; 2]) {
        self.size_px = size_px;
    }

    /// From now on frames are shown so, and so many may be on their way.
    pub fn pace(&mut self, mode: PresentMode, frames_in_flight: usize) {
        self.mode = mode;
        self.frames.set_limit(frames_in_flight);
    }

    /// The oldest finished frame's timing that was not taken yet.
    pub fn take_timing(&mut self) -> Option<FrameTiming> {
        self.frames.take_timing()
    }

    /// Waits until every frame has ended, so that all timings can be taken.
    pub fn finish(&mut self) -> Result<()> {
        Ok(self.frames.wait()?)
    }

    /// Makes the window's images fit before anything is measured by them.
    pub fn fit(&mut self) -> Result<Outcome> {
        let size = self.swapchain.size();
        if self.swapchain.is_stale() || size != self.size_px || self.swapchain.mode() != self.mode {
            self.swapchain.rebuild(self.size_px, self.mode)?;
            self.painter.retarget(self.swapchain.format())?;
        }
        // The window system has the last word on the size.
        self.size_px = self.swapchain.size();
        Ok(if self.swapchain.is_empty() { Outcome::NoSize } else { Outcome::Shown })
    }

    /// One frame: `draw` records it into the window's image and returns what egui lays over it.
    pub fn frame(&mut self, draw: impl FnOnce(&mut Frame, &Image) -> Result<Drawing>) -> Result<Outcome> {
        if self.swapchain.is_empty() {
            return Ok(Outcome::NoSize);
        }
        let mut frame = self.frames.begin()?;
        let target = match self.swapchain.acquire(&mut frame) {
            Ok(target) => target,
            Err(gpu::Error::OutOfDate | gpu::Error::SurfaceLost) => return Ok(Outcome::Again),
            Err(error) => return Err(error.into()),
        };
        let drawing = draw(&mut frame, &target.image)?;
        self.painter.paint(&mut frame, &target.image, drawing)?;
        self.window.pre_present_notify();
        self.swapchain.present(&mut self.frames, frame, &target)?;
        Ok(if self.swapchain.is_stale() { Outcome::Again } else { Outcome::Shown })
    }
}
