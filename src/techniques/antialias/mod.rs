//! Temporal antialiasing: each frame samples the world at another subpixel offset, and the picture is the mean over frames.

mod bench;
mod checks;
mod history;
mod passes;
mod reference;
mod reproject;
mod reproject_checks;
mod settings;
mod views;

pub use history::shift_of;
pub use reference::catmull_rom;
pub use reproject::reaches;
pub use settings::{AntialiasSettings, joined_size};

use self::{
    history::History,
    passes::{Joined, Pipelines},
    reproject::Reprojection,
};
use super::{A_WORLD, COLOURS, FrameContext, Output, OutputInfo, Stage, Technique, ViewInfo};
use crate::base::timing::PassId;
use crate::{
    base::array::Element,
    gpu::{Frame, Gpu, ImageView, Result},
    lab::{Bench, Check},
    scene::world::Camera,
};
use glam::Vec2;
use std::sync::Arc;

/// One frame's samples.
#[derive(Clone, Copy)]
pub struct AntialiasInput<'a> {
    /// Linear light, Rgba16F.
    pub light: &'a ImageView,
    /// R32U visibility values.
    pub ids: &'a ImageView,
    /// R32F or D32: distance of the near plane over the distance ahead, 0 where nothing is seen.
    pub depth: &'a ImageView,
    /// With which all of them were drawn, shift included.
    pub camera: &'a Camera,
    /// Factor on the light before the tone curve.
    pub exposure: f32,
    /// Pixels of the picture.
    pub whole: [u32; 2],
}

/// Relation of this frame to the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Nothing: another world, another light.
    Other,
    /// The camera has moved, or the number of samples is another.
    Moved,
    /// All is as it was, but for where in their pixels samples were taken.
    None,
}

/// The antialiasing technique.
pub struct Antialias {
    pipelines: Pipelines,
    history: Option<History>,
    /// Number of the sample that is taken next.
    index: u32,
    /// Samples since all is as it was.
    at_rest: u32,
    /// Recording of the last frame.
    joined: Option<Joined>,
    reprojection: Reprojection,
}

impl Technique for Antialias {
    const ID: &'static str = "antialias";
    const TITLE: &'static str = "Antialiasing";
    const DOC: &'static str = include_str!("../../../docs/antialias.md");
    const STAGE: Stage = Stage::World;
    const VIEWS: &'static [ViewInfo] = &views::VIEWS;
    const FIXED_PASSES: &[PassId] = &[passes::RESOLVE, reproject::FRONT, reproject::REPROJECT];
    const OUTPUTS: &'static [OutputInfo] = &[OutputInfo {
        name: "light",
        doc: "Linear light as it is shown, the mean over several frames, before particles, exposure and tone curve; in the fourth channel how many samples it is the mean of.",
        elements: &[Element::F16],
        shape: COLOURS,
        needs: A_WORLD,
    }];
    type Settings = AntialiasSettings;

    fn new(_: &Arc<Gpu>) -> Result<Self> {
        let reprojection = Reprojection::default();
        Ok(Self { pipelines: Pipelines::default(), history: None, index: 0, at_rest: 0, joined: None, reprojection })
    }

    fn draw_view(
        &mut self,
        frame: &mut Frame,
        name: &str,
        _: &Self::Settings,
        context: &FrameContext,
        picture: &ImageView,
    ) -> Result<bool> {
        let Some(joined) = self.joined.as_ref().filter(|_| context.world.is_some()) else { return Ok(false) };
        let view = Self::view_index(name)?;
        joined.view(frame, &self.pipelines, view, picture).map(|()| true)
    }

    fn output(&self, name: &str, context: &FrameContext) -> Option<Output> {
        let world = context.world.as_ref()?;
        (name == "light").then(|| (&world.resolved).into())
    }

    fn checks() -> Vec<Check> {
        checks::all()
    }

    fn benches() -> Vec<Bench> {
        vec![bench::RESOLVE]
    }
}

impl Antialias {
    /// Subpixel offset at which the next frame, seen by `camera`, samples the world, from the pixels' middle, in pixels.
    #[must_use]
    pub fn shift(&self, settings: &AntialiasSettings, change: Change, camera: &Camera) -> Vec2 {
        let begins = change == Change::Other || self.history.as_ref().is_none_or(|history| history.is_cut(camera));
        if begins { Vec2::ZERO } else { shift_of(self.index % settings.samples.max(1)) }
    }

    /// Part of a pixel's sides over which patterns and textures are averaged in the next frame, where there are `part` as many samples as
    /// pixels along each side: many samples at rest have much to tell of each pixel.
    #[must_use]
    pub fn detail(&self, settings: &AntialiasSettings, change: Change, part: f32) -> f32 {
        let at_rest = if change == Change::None { self.at_rest.min(settings.samples) } else { 0 };
        part * (1.0 / (at_rest + 1) as f32).max((settings.samples as f32).sqrt().recip())
    }

    /// Samples since nothing moves any more.
    #[must_use]
    pub fn samples_at_rest(&self) -> u32 {
        self.at_rest
    }

    /// Whether a picture at rest is the mean of fewer samples than are wanted.
    #[must_use]
    pub fn is_unfinished(&self, settings: &AntialiasSettings) -> bool {
        self.at_rest < settings.samples
    }

    /// Whether the frames before count for one that `camera` sees while it moves: there are some, and it has not jumped.
    #[must_use]
    pub fn goes_on(&self, camera: &Camera) -> bool {
        self.history.as_ref().is_some_and(|history| history.goes_on(camera))
    }

    /// Nothing of the frames before is used any more.
    pub fn forget(&mut self) {
        (self.history, self.joined, self.index, self.at_rest) = (None, None, 0, 0);
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

    /// `picture`, display values of what was seen when depths were kept last, as the camera sees it `now`: Rgba8, of the same size, until
    /// the next call. What was hidden then shows what was beside it, and what was outside repeats the border. Nothing where no depths are
    /// kept.
    pub fn reproject(
        &mut self,
        frame: &mut Frame,
        settings: &AntialiasSettings,
        picture: &ImageView,
        now: &Camera,
    ) -> Result<Option<ImageView>> {
        self.reprojection.record(frame, settings.drawn_by, picture, now)
    }

    /// Joins a frame's samples and those of the frames before: linear light, Rgba16F, of the picture's size; in the fourth channel how many
    /// samples it is the mean of. It stays as it is until the call after the next.
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
        let joined = Joined::record(frame, &self.pipelines, of, (&mut history, &block), change, self.joined.take())?;
        let light = joined.light();
        (self.history, self.joined) = (Some(history), Some(joined));
        Ok(light)
    }

    /// Repeats the last call of [`record`](Self::record) with another light of the same samples.
    pub fn again(&mut self, frame: &mut Frame, light: &ImageView) -> Result<Option<ImageView>> {
        let Some(joined) = &mut self.joined else { return Ok(None) };
        joined.again(frame, &self.pipelines, light)?;
        Ok(Some(joined.light()))
    }
}
