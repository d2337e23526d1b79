//! The window on the GPU: its images, the frames on their way to it, and what happens when it changes.

use crate::app::failure::Failure;
use crate::base::timing::FrameTiming;
use crate::gpu::{
    self, Drawing, Format, Frame, Frames, Gpu, ImageView, Options, Painter, PresentMode, Swapchain, Target,
};
use anyhow::Result;
use glam::Vec2;
use std::sync::Arc;
use std::time::{Duration, Instant};
use winit::window::Window;

/// Whether a frame can be drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ready {
    /// It can.
    Yes {
        /// How long this took; what happened meanwhile was not heard of.
        waited: Duration,
    },
    /// The window has no size: there is nothing to draw to until it has one.
    NoSize,
    /// The window changed meanwhile, or is busy: ask again.
    Again {
        /// How long to wait before: the longer, the more often it was so.
        after: Duration,
    },
}

/// Fields are dropped from the top: what uses the swapchain goes before it, and the device last.
pub struct WindowSurface {
    ready: Option<(Frame, Target)>,
    painter: Painter,
    swapchain: Swapchain,
    frames: Frames,
    /// Frames begun so far; they are counted from 0.
    number: u64,
    /// How often in a row there was no image to draw to.
    failed: u32,
    gpu: Arc<Gpu>,
    window: Arc<Window>,
    mode: PresentMode,
    size_px: [u32; 2],
}

impl WindowSurface {
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
        Ok(Self { ready: None, painter, swapchain, frames, number: 0, failed: 0, gpu, window, mode, size_px })
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

    /// The same as a vector.
    pub fn area_px(&self) -> Vec2 {
        Vec2::new(self.size_px[0] as f32, self.size_px[1] as f32)
    }

    /// The window has this size now.
    pub fn resize(&mut self, size_px: [u32; 2]) {
        self.size_px = size_px;
    }

    /// From now on frames are shown so, and so many may be on their way.
    pub fn set_pacing(&mut self, mode: PresentMode, frames_in_flight: usize) {
        self.mode = mode;
        self.frames.set_limit(frames_in_flight);
    }

    /// The number that the next frame will have.
    pub fn number(&self) -> u64 {
        self.number.saturating_sub(u64::from(self.ready.is_some()))
    }

    /// The oldest finished frame's timing that was not taken yet.
    pub fn take_timing(&mut self) -> Option<FrameTiming> {
        self.frames.take_timing()
    }

    /// Gets an image of the window to draw to, waiting for one if need be.
    pub fn prepare(&mut self) -> Result<Ready> {
        if self.size_px.contains(&0) {
            // Whatever made it vanish may bring it back without a word.
            self.size_px = self.window.inner_size().into();
        }
        let fits =
            !self.swapchain.is_stale() && self.swapchain.size() == self.size_px && self.swapchain.mode() == self.mode;
        if !fits {
            self.ready = None; // what was recorded for the old images ends with them
            self.swapchain.rebuild(self.size_px, self.mode)?;
            self.painter.retarget(self.swapchain.format())?;
            // The window system has the last word on the size.
            self.size_px = self.swapchain.size();
        }
        if self.swapchain.is_empty() {
            return Ok(Ready::NoSize);
        }
        if self.ready.is_some() {
            return Ok(Ready::Yes { waited: Duration::ZERO });
        }
        let asked = Instant::now();
        let mut frame = self.frames.begin()?;
        self.number += 1;
        match self.swapchain.acquire(&mut frame) {
            Ok(target) => (self.ready, self.failed) = (Some((frame, target)), 0),
            Err(gpu::Error::OutOfDate | gpu::Error::SurfaceLost | gpu::Error::NoImageYet) => {
                self.failed = self.failed.saturating_add(1);
                return Ok(Ready::Again { after: pause(self.failed) });
            }
            Err(error) => return Err(error.into()),
        }
        Ok(Ready::Yes { waited: asked.elapsed() })
    }

    /// Draws the frame that was prepared: `draw` records it into the window's image, and `drawing` is laid over it. Its number, by
    /// which its timing will come; nothing where none was prepared.
    pub fn frame(
        &mut self,
        drawing: Drawing,
        draw: impl FnOnce(&mut Frame, &ImageView) -> Result<()>,
    ) -> Result<Option<u64>> {
        let Some((mut frame, target)) = self.ready.take() else { return Ok(None) };
        draw(&mut frame, &target.image.mip(0))?;
        self.painter.paint(&mut frame, &target.image, drawing)?;
        self.window.pre_present_notify();
        self.swapchain.present(&mut self.frames, frame, &target)?;
        Ok(Some(self.number - 1))
    }

    /// Whether what is drawn can be read back, and as what format.
    pub fn readable(&self) -> Option<Format> {
        self.swapchain.can_be_read().then(|| self.swapchain.format())
    }

    /// Whether the window changed while the last frame was drawn, so that it should be drawn again.
    pub fn is_stale(&self) -> bool {
        self.swapchain.is_stale()
    }
}

/// How long to wait after so many failures in a row: a window that is being resized fails once or twice and is to follow at once,
/// one whose display is asleep may fail for hours and is to cost nothing.
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
        // What it comes to in ten seconds, if nothing else takes time.
        let (mut passed, mut tries) = (Duration::ZERO, 0);
        while passed < Duration::from_secs(10) {
            tries += 1;
            passed += pause(tries);
        }
        assert!(tries < 120, "{tries}");
    }
}
