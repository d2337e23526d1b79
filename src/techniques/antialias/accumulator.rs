//! Accumulation of samples over frames.

use super::{
    history::{History, shift_of},
    input::{AntialiasInput, Change},
    passes::{Pipelines, RecordedFrame},
    reproject::Reprojection,
    settings::AntialiasSettings,
};
use crate::{
    gpu::{Frame, ImageView, Result},
    scene::world::Camera,
};
use glam::Vec2;

pub struct Antialias {
    pub(super) pipelines: Pipelines,
    pub(super) history: Option<History>,
    pub(super) index: u32,
    /// Samples since nothing changes.
    pub(super) at_rest: u32,
    pub(super) recorded: Option<RecordedFrame>,
    pub(super) reprojection: Reprojection,
}

impl Antialias {
    /// Subpixel offset of the next frame's samples of the world from the pixels' middle, in pixels.
    pub fn shift(&self, settings: &AntialiasSettings, change: Change, camera: &Camera) -> Vec2 {
        let begins = change == Change::Other || self.history.as_ref().is_none_or(|history| history.is_cut(camera));
        if begins { Vec2::ZERO } else { shift_of(self.index % settings.samples.max(1)) }
    }

    /// Part of a pixel's sides over which patterns and textures are averaged in the next frame, where there are `part`
    /// as many samples as pixels along each side: many samples at rest resolve more.
    pub fn detail(&self, settings: &AntialiasSettings, change: Change, part: f32) -> f32 {
        let at_rest = if change == Change::None { self.at_rest.min(settings.samples) } else { 0 };
        part * (1.0 / (at_rest + 1) as f32).max((settings.samples as f32).sqrt().recip())
    }

    /// Samples since nothing moves.
    pub fn samples_at_rest(&self) -> u32 {
        self.at_rest
    }

    /// Whether a picture at rest has fewer samples than are wanted.
    pub fn is_unfinished(&self, settings: &AntialiasSettings) -> bool {
        self.at_rest < settings.samples
    }

    /// Whether earlier frames count for one that `camera` sees while it moves: there are some, and it has not jumped.
    pub fn continues_for(&self, camera: &Camera) -> bool {
        self.history.as_ref().is_some_and(|history| history.continues_for(camera))
    }

    pub fn forget(&mut self) {
        (self.history, self.recorded, self.index, self.at_rest) = (None, None, 0, 0);
        self.reprojection.forget();
    }

    /// Keeps the depths of a finished picture that `camera` (shift included) saw, for [`reproject`](Self::reproject).
    pub fn keep(
        &mut self,
        frame: &mut Frame,
        settings: &AntialiasSettings,
        depth: &ImageView,
        camera: &Camera,
    ) -> Result<()> {
        self.reprojection.keep(frame, settings.drawn_by, depth, camera)
    }

    /// `picture`, display values of what was seen when depths were kept last, as the camera sees it `now`: Rgba8, of
    /// the same size, valid until the next call. Disoccluded pixels show their neighbours, and what was outside repeats
    /// the border. `None` where no depths are kept.
    pub fn reproject(
        &mut self,
        frame: &mut Frame,
        settings: &AntialiasSettings,
        picture: &ImageView,
        now: &Camera,
    ) -> Result<Option<ImageView>> {
        self.reprojection.record(frame, settings.drawn_by, picture, now)
    }

    /// Joins a frame's samples and those of earlier frames: linear light, Rgba16F, of the picture's size; the fourth
    /// channel is the number of averaged samples. Valid until the call after the next.
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
        let of = (settings, input);
        let recorded =
            RecordedFrame::record(frame, &self.pipelines, of, (&mut history, &block), change, self.recorded.take())?;
        let light = recorded.light();
        (self.history, self.recorded) = (Some(history), Some(recorded));
        Ok(light)
    }

    /// Repeats the passes of the last call of [`record`](Self::record) with the same light and without adding a sample.
    pub fn repeat(&mut self, frame: &mut Frame) -> Result<Option<ImageView>> {
        let Some(recorded) = &mut self.recorded else { return Ok(None) };
        recorded.repeat(frame, &self.pipelines)?;
        Ok(Some(recorded.light()))
    }

    /// With another light of the same samples.
    pub fn repeat_with_light(&mut self, frame: &mut Frame, light: &ImageView) -> Result<Option<ImageView>> {
        let Some(recorded) = &mut self.recorded else { return Ok(None) };
        recorded.repeat_with_light(frame, &self.pipelines, light)?;
        Ok(Some(recorded.light()))
    }
}
