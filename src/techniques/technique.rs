//! Interface of a technique, and its description for lists.

use super::context::FrameContext;
use super::legend::Legend;
use super::output::{Output, OutputInfo};
use crate::{
    base::{
        settings::{self, AnySettings},
        text,
        timing::FrameTiming,
    },
    gpu::{self, Frame, Gpu, ImageView},
    lab::{Bench, Card, Check, Comparison},
};
use std::sync::Arc;

/// Interface of a technique to panels, presets, tests, `verify` and `bench`. Recording is separate: each has
/// its own inputs and outputs, and the renderer calls it by name.
pub trait Technique: Sized {
    /// Word in pass paths, presets, `--set`, folders.
    const ID: &'static str;
    /// Name for a person.
    const TITLE: &'static str;
    /// Its page, in Markdown.
    const DOC: &'static str;
    /// Stage of the frame, which determines the dependencies of its results.
    const STAGE: Stage;
    /// Pictures of its inner workings.
    const VIEWS: &'static [ViewInfo];
    /// Outputs by name: for `--save`.
    const OUTPUTS: &'static [OutputInfo];
    /// Measurement on request.
    const MEASURES: Option<Measures> = None;
    /// Settings that can change while it runs.
    type Settings: settings::Settings;

    /// Makes its pipelines.
    fn new(gpu: &Arc<Gpu>) -> gpu::Result<Self>;
    /// Called after someone changed the settings: one field may set others (a preset of the technique's own).
    fn settle(_before: &Self::Settings, _now: &mut Self::Settings) {}
    /// Applies a preset of the technique by name: overwrites all its settings.
    fn apply_preset(_now: &mut Self::Settings) {}
    /// Whether its views and its table are of a drawn world; `is_shown`: whether a world is under the glass.
    fn views_world(_settings: &Self::Settings, _is_shown: bool) -> bool {
        Self::STAGE == Stage::World
    }
    /// Draws the view `name`, sRGB-encoded, over the whole of `picture`; false if its subject is missing.
    ///
    /// # Errors
    /// An unknown name, or an error of the GPU.
    fn draw_view(
        &mut self,
        frame: &mut Frame,
        name: &str,
        settings: &Self::Settings,
        context: &FrameContext,
        picture: &ImageView,
    ) -> gpu::Result<bool>;
    /// The output `name` as the last frame left it; `context` is what that frame made. Nothing where that frame has none, as
    /// [`OutputInfo::needs`] says, or the name is not known.
    fn output(&self, name: &str, context: &FrameContext) -> Option<Output>;
    /// Takes its measurements from a frame that has ended.
    fn on_timing(&mut self, timing: &FrameTiming) -> gpu::Result<()>;
    /// Whether a measurement waits for another frame.
    fn wants_frame(&self) -> bool;
    /// Counters of the last frames.
    fn table(&self) -> Option<Report>;
    /// The comparison behind [`MEASURES`](Self::MEASURES).
    fn comparison(&mut self) -> Option<&mut Comparison> {
        None
    }
    /// Results of the measurement.
    fn card(&self) -> Card {
        Card::default()
    }
    /// Reason why it cannot measure now, although a world is drawn if it needs one.
    fn why_not_measured(&self, _settings: &Self::Settings) -> Option<String> {
        None
    }
    /// Its checks.
    fn checks() -> Vec<Check>;
    /// Its benchmarks.
    fn benches() -> Vec<Bench>;
}

/// Stage of a frame in which a technique works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// It makes the world's picture: drawn again only where the camera, the scene or a setting of this stage changes, with as
    /// many pixels as the world has.
    World,
    /// It works on the finished picture under the glass.
    Picture,
    /// It draws over the picture.
    Glass,
}

/// A named picture of a technique's inner workings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ViewInfo {
    /// Word after the slash of `--view technique/name`.
    pub name: &'static str,
    /// Name for a person.
    pub title: &'static str,
    /// Content in a sentence.
    pub doc: &'static str,
    /// Legend of its colours.
    pub legend: Legend,
    /// Figures at equal distances along a ramp of colours, from its low end to its high one; none where its ends say enough.
    pub ticks: &'static [&'static str],
}

impl ViewInfo {
    /// `name` is the word after the slash, `title` the name for a person, `doc` a sentence.
    #[must_use]
    pub const fn new(name: &'static str, title: &'static str, doc: &'static str, legend: Legend) -> Self {
        Self { name, title, doc, legend, ticks: &[] }
    }

    /// The same with figures along its ramp.
    #[must_use]
    pub const fn ticks(mut self, ticks: &'static [&'static str]) -> Self {
        self.ticks = ticks;
        self
    }
}

/// A small table of a technique's counters.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Title of the measurement.
    pub title: String,
    /// Head of each column.
    pub head: Vec<&'static str>,
    /// Rows of as many cells.
    pub rows: Vec<Vec<String>>,
}

/// A measurement that a technique offers: an action, which runs, can be stopped and ends by itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measures {
    /// The words on its button.
    pub label: &'static str,
    /// Measured quantity, in a sentence.
    pub doc: &'static str,
    /// The choice of the section of which the rows of its table are values; empty where they are none.
    pub chooses: &'static str,
}

/// A measurement as it is now.
#[derive(Clone, Debug, PartialEq)]
pub struct Measurement {
    /// The technique's id.
    pub id: &'static str,
    /// Available measurement.
    pub measures: Measures,
    /// Reason why it cannot run now.
    pub why_not: Option<String>,
    /// Results.
    pub card: Card,
}

/// A technique without its types, for lists.
#[derive(Clone, Copy)]
pub struct Info {
    /// [`Technique::ID`].
    pub id: &'static str,
    /// [`Technique::TITLE`].
    pub title: &'static str,
    /// [`Technique::DOC`].
    pub doc: &'static str,
    /// [`Technique::STAGE`].
    pub stage: Stage,
    /// [`Technique::VIEWS`].
    pub views: &'static [ViewInfo],
    /// [`Technique::OUTPUTS`].
    pub outputs: &'static [OutputInfo],
    /// [`Technique::MEASURES`].
    pub measures: Option<Measures>,
    /// [`Technique::checks`].
    pub checks: fn() -> Vec<Check>,
    /// [`Technique::benches`].
    pub benches: fn() -> Vec<Bench>,
}

impl Info {
    /// Description of a technique.
    #[must_use]
    pub const fn of<T: Technique>() -> Self {
        Self {
            id: T::ID,
            title: T::TITLE,
            doc: T::DOC,
            stage: T::STAGE,
            views: T::VIEWS,
            outputs: T::OUTPUTS,
            measures: T::MEASURES,
            checks: T::checks,
            benches: T::benches,
        }
    }
}

/// The settings of one technique, with its name: what panels and `--set` work on.
pub struct Section<'a> {
    /// Word in presets and `--set`.
    pub id: &'static str,
    /// Name for a person.
    pub title: &'static str,
    /// The settings.
    pub settings: &'a mut dyn AnySettings,
}

impl Info {
    /// The output of this name.
    ///
    /// # Errors
    /// Names the valid ones.
    pub fn output(&self, name: &str) -> std::result::Result<&'static OutputInfo, String> {
        self.outputs.iter().find(|output| output.is_called(name)).ok_or_else(|| {
            let names: Vec<_> = self.outputs.iter().map(|output| output.example(0)).collect();
            let names = names.iter().map(String::as_str);
            format!("{} has no output {name:?}{}", self.id, text::suggestion(name, names))
        })
    }
}
