//! Replay that the panels show, of a tile of a frame.

use crate::app::replay::ReplayEvidence;
use crate::gpu::{Frame, ImageView};
use crate::renderer::{FrameParams, Renderer};
use crate::techniques::Replay;
use anyhow::Result;

/// The tile of the next frame that is asked for, and the last replay.
#[derive(Default)]
pub struct TileReplay {
    /// Technique and pixel.
    asked: Option<(&'static str, [u32; 2])>,
    read: Option<ReplayEvidence>,
    replay: Option<Replay>,
    /// The reason why the last one was refused.
    refusal: Option<String>,
}

impl TileReplay {
    /// Asks for the tile at a pixel of the next frame.
    pub fn ask(&mut self, technique: &'static str, pixel: [u32; 2]) {
        self.asked = Some((technique, pixel));
    }

    /// Removes the last one.
    pub fn end(&mut self) {
        *self = Self::default();
    }

    /// The last one.
    pub fn replay(&self) -> Option<&Replay> {
        self.replay.as_ref()
    }

    /// The reason why the last one was refused, once.
    pub fn take_refusal(&mut self) -> Option<String> {
        self.refusal.take()
    }

    /// Reads the evidence with the frame that was asked.
    pub fn read(
        &mut self,
        frame: &mut Frame,
        renderer: &Renderer,
        params: &FrameParams<'_>,
        target: &ImageView,
    ) -> Result<()> {
        if let Some((technique, pixel)) = self.asked.take() {
            let mut evidence = ReplayEvidence::new(technique, pixel);
            evidence.read(frame, renderer, params.settings, target)?;
            self.read = Some(evidence);
        }
        Ok(())
    }

    /// Whether a frame was asked.
    pub fn is_read(&self) -> bool {
        self.read.is_some()
    }

    /// Makes the steps, when the frame has ended and before another is recorded.
    pub fn make(&mut self, renderer: &Renderer, params: &FrameParams<'_>) -> Result<()> {
        let Some(evidence) = self.read.take() else { return Ok(()) };
        match evidence.replay(renderer, params.settings)? {
            Some(Ok(replay)) => self.replay = Some(replay),
            Some(Err(why)) => self.refusal = Some(why),
            None => {}
        }
        Ok(())
    }
}
