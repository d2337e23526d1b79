//! Accumulation of samples over frames.

use super::{
    input::{AntialiasInput, Change},
    passes::{
        history::{History, shift_of},
        reproject::Reprojection,
        resolve::{Pipelines, RecordedFrame},
    },
    settings::AntialiasSettings,
};
use glam::Vec2;
use gpu::{Frame, ImageView, Result};
use scene::world::Camera;

pub struct Antialias {
    pub(super) pipelines: Pipelines,
    pub(super) history: Option<History>,
    pub(super) index: u32,
    pub(super) at_rest: u32,
    pub(super) recorded: Option<RecordedFrame>,
    pub(super) reprojection: Reprojection,
}

impl Antialias {
    /// Of the next frame, from the pixels' middle, in pixels.
    pub fn shift(&self, settings: &AntialiasSettings, change: Change, camera: &Camera) -> Vec2 {
        let begins = change == Change::Other || self.history.as_ref().is_none_or(|history| history.is_cut(camera));
        if begins { Vec2::ZERO } else { shift_of(self.index % settings.samples.max(1)) }
    }

    /// Footprint of patterns in the next frame, in parts of a pixel's sides; `part`: samples per pixel along each side.
    /// Many samples at rest resolve more.
    pub fn detail(&self, settings: &AntialiasSettings, change: Change, part: f32) -> f32 {
        let at_rest = if change == Change::None { self.at_rest.min(settings.samples) } else { 0 };
        part * (1.0 / (at_rest + 1) as f32).max((settings.samples as f32).sqrt().recip())
    }

    pub fn samples_at_rest(&self) -> u32 {
        self.at_rest
    }

    pub fn is_unfinished(&self, settings: &AntialiasSettings) -> bool {
        self.at_rest < settings.samples
    }

    /// Whether earlier frames count for a moving `camera`: it has not jumped.
    pub fn continues_for(&self, camera: &Camera) -> bool {
        self.history.as_ref().is_some_and(|history| history.continues_for(camera))
    }

    pub fn forget(&mut self) {
        (self.history, self.recorded, self.index, self.at_rest) = (None, None, 0, 0);
        self.reprojection.forget();
    }

    /// For [`reproject`](Self::reproject); `camera` includes the shift.
    pub fn keep(
        &mut self,
        frame: &mut Frame,
        settings: &AntialiasSettings,
        depth: &ImageView,
        camera: &Camera,
    ) -> Result<()> {
        self.reprojection.keep(frame, settings.drawn_by, depth, camera)
    }

    /// `picture` as the camera sees it `now`: display values, Rgba8, valid until the next call. Disoccluded pixels show
    /// their neighbours, and the border is repeated. `None` without kept depths.
    pub fn reproject(
        &mut self,
        frame: &mut Frame,
        settings: &AntialiasSettings,
        picture: &ImageView,
        now: &Camera,
    ) -> Result<Option<ImageView>> {
        self.reprojection.record(frame, settings.drawn_by, picture, now)
    }

    /// Linear light, Rgba16F; the fourth channel is the number of averaged samples. Valid until the call after the
    /// next.
    pub fn record(
        &mut self,
        frame: &mut Frame,
        settings: &AntialiasSettings,
        input: &AntialiasInput<'_>,
        change: Change,
    ) -> Result<ImageView> {
        let mut history = self.history.take().map_or_else(|| History::new(frame, input.whole), Ok)?;
        history.fit(frame, input.whole)?;
        let block = history.block(settings, input, change, self.at_rest == 0);
        if block.most == 0.0 {
            (self.index, self.at_rest) = (0, 0);
        }
        self.at_rest = if change == Change::None { self.at_rest + 1 } else { 0 };
        self.index = (self.index + 1) % settings.samples.max(1);
        let old = self.recorded.take();
        let recorded =
            RecordedFrame::record(frame, &self.pipelines, settings, input, (&mut history, &block), change, old)?;
        let light = recorded.light();
        (self.history, self.recorded) = (Some(history), Some(recorded));
        Ok(light)
    }

    /// Adds no sample.
    pub fn repeat(&mut self, frame: &mut Frame) -> Result<Option<ImageView>> {
        let Some(recorded) = &mut self.recorded else { return Ok(None) };
        recorded.repeat(frame, &self.pipelines)?;
        Ok(Some(recorded.light()))
    }

    pub fn repeat_with_light(&mut self, frame: &mut Frame, light: &ImageView) -> Result<Option<ImageView>> {
        let Some(recorded) = &mut self.recorded else { return Ok(None) };
        recorded.repeat_with_light(frame, &self.pipelines, light)?;
        Ok(Some(recorded.light()))
    }
}
