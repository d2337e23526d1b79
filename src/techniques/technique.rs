//! Interface of a technique, and its description for lists.

use super::{
    context::FrameContext,
    legend::Legend,
    output::{Output, OutputInfo},
    replay::Replay,
    story::{Step, StoryPixel, StoryPoint},
};
use crate::{
    base::{
        settings::{self, AnySettings},
        text,
        timing::{FrameTiming, PassId},
    },
    gpu::{self, Frame, Gpu, ImageView},
    lab::{Bench, BreakInfo, Card, Check, Comparison, SourceTable},
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
    const VIEWS: &'static [ViewInfo] = &[];
    /// Outputs by name: for `--save`.
    const OUTPUTS: &'static [OutputInfo] = &[];
    /// Passes whose size is the picture's, whatever the resolution of the world.
    const FIXED_PASSES: &'static [PassId] = &[];
    /// Measurement on request.
    const MEASURES: Option<Measures> = None;
    /// Button of its section for [`act`](Self::act): its label, and what it does.
    const ACTION: Option<(&'static str, &'static str)> = None;
    /// What can be dropped of it on purpose.
    const BREAKS: &'static [BreakInfo] = &[];
    /// Tile whose workgroup it [replays](Self::replay) step by step, in a sentence; empty where it replays none.
    const REPLAYS: &'static str = "";
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
    /// A setting that this device cannot follow, and what to choose instead.
    fn unsupported(_settings: &Self::Settings, _gpu: &Gpu) -> Option<String> {
        None
    }
    /// Draws the view `name`, sRGB-encoded, over the whole of `picture`; false if its subject is missing.
    ///
    /// # Errors
    /// An unknown name, or an error of the GPU.
    fn draw_view(
        &mut self,
        _frame: &mut Frame,
        name: &str,
        _settings: &Self::Settings,
        _context: &FrameContext,
        _picture: &ImageView,
    ) -> gpu::Result<bool> {
        Self::view_index(name).map(|_| false)
    }
    /// Index of a view in [`VIEWS`](Self::VIEWS), by which shaders select it.
    ///
    /// # Errors
    /// An unknown name.
    fn view_index(name: &str) -> gpu::Result<u32> {
        let index = (0..).zip(Self::VIEWS).find(|(_, view)| view.name == name).map(|(index, _)| index);
        index.ok_or_else(|| gpu::Error::Pass { pass: format!("{}/view", Self::ID), problem: format!("no view {name}") })
    }
    /// Requests outputs that are not made otherwise, for all later frames.
    fn prepare_outputs(&mut self, _names: &[&str]) {}
    /// The output `name` of the last frame, which made `context`; `None` if that frame lacks it ([`OutputInfo::needs`]) or the name is
    /// unknown.
    fn output(&self, _name: &str, _context: &FrameContext) -> Option<Output> {
        None
    }
    /// Resources of passes that [`explain`](Self::explain) needs.
    fn story_points() -> Vec<StoryPoint> {
        Vec::new()
    }
    /// What else of the last frame, which made `context`, [`explain`](Self::explain) needs, by name.
    fn evidence(&self, _context: &FrameContext) -> Vec<(&'static str, Output)> {
        Vec::new()
    }
    /// Its steps of a pixel's story, in order.
    fn explain(&self, _settings: &Self::Settings, _pixel: &StoryPixel<'_>) -> Vec<Step> {
        Vec::new()
    }
    /// Records on request, after the last frame, which made `context`: runs what [`replay`](Self::replay) shows, and returns by name what
    /// must be read of it.
    fn record_replay(
        &self,
        _frame: &mut Frame,
        _settings: &Self::Settings,
        _context: &FrameContext,
    ) -> gpu::Result<Vec<(&'static str, Output)>> {
        Ok(Vec::new())
    }
    /// The workgroup of the tile at a pixel, step by step; its evidence is what [`record_replay`](Self::record_replay) named.
    ///
    /// # Errors
    /// The reason why there is none, in a sentence.
    fn replay(&self, _settings: &Self::Settings, _pixel: &StoryPixel<'_>) -> Result<Replay, String> {
        Err(format!("{} has no steps.", Self::TITLE))
    }
    /// Takes its measurements from a finished frame.
    fn on_timing(&mut self, _timing: &FrameTiming) -> gpu::Result<()> {
        Ok(())
    }
    /// Whether a measurement waits for another frame.
    fn wants_frame(&self) -> bool {
        false
    }
    /// Counters of the last frames.
    fn table(&self) -> Option<Report> {
        None
    }
    /// Forgets what outlives a frame and changes a picture.
    fn restart(&mut self) {}

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
    /// Runs [`ACTION`](Self::ACTION).
    fn act(&mut self) {}
    /// Its checks.
    fn checks() -> Vec<Check>;
    /// Its benchmarks.
    fn benches() -> Vec<Bench>;
    /// Tables of source documents that it reprints.
    fn source_tables() -> Vec<SourceTable> {
        Vec::new()
    }
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
    /// Its golden picture.
    pub golden: Golden,
}

/// How a view's golden picture is made and compared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Golden {
    /// Settings, as `--set` takes them: what differs between drivers is fixed.
    pub settings: &'static [&'static str],
    /// Number of pixels that may differ by any step.
    pub ties: usize,
    /// Whether there is one: pictures that differ between drivers have none.
    pub is_kept: bool,
}

impl Golden {
    /// With these settings, without ties.
    #[must_use]
    pub const fn with(settings: &'static [&'static str]) -> Self {
        Self { settings, ties: 0, is_kept: true }
    }

    /// Views with this golden picture.
    #[must_use]
    pub const fn of<const N: usize>(self, mut views: [ViewInfo; N]) -> [ViewInfo; N] {
        let mut at = 0;
        while at < N {
            views[at].golden = self;
            at += 1;
        }
        views
    }
}

impl ViewInfo {
    /// `name` is the word after the slash, `title` the name for a person, `doc` a sentence.
    #[must_use]
    pub const fn new(name: &'static str, title: &'static str, doc: &'static str, legend: Legend) -> Self {
        Self { name, title, doc, legend, ticks: &[], golden: Golden::with(&[]) }
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
    /// [`Technique::FIXED_PASSES`].
    pub fixed_passes: &'static [PassId],
    /// [`Technique::MEASURES`].
    pub measures: Option<Measures>,
    /// [`Technique::ACTION`].
    pub action: Option<(&'static str, &'static str)>,
    /// [`Technique::REPLAYS`].
    pub replays: &'static str,
    /// Its checks and benchmarks.
    pub trials: Trials,
}

/// Checks and benchmarks of a technique.
#[derive(Clone, Copy)]
pub struct Trials {
    /// [`Technique::checks`].
    pub checks: fn() -> Vec<Check>,
    /// [`Technique::benches`].
    pub benches: fn() -> Vec<Bench>,
    /// [`Technique::source_tables`].
    pub source_tables: fn() -> Vec<SourceTable>,
    /// [`Technique::BREAKS`].
    pub breaks: &'static [BreakInfo],
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
            fixed_passes: T::FIXED_PASSES,
            measures: T::MEASURES,
            action: T::ACTION,
            replays: T::REPLAYS,
            trials: Trials {
                checks: T::checks,
                benches: T::benches,
                source_tables: T::source_tables,
                breaks: T::BREAKS,
            },
        }
    }

    /// The output of this name.
    ///
    /// # Errors
    /// Names the valid ones.
    pub fn output(&self, name: &str) -> Result<&'static OutputInfo, String> {
        self.outputs.iter().find(|output| output.is_called(name)).ok_or_else(|| {
            let names: Vec<_> = self.outputs.iter().map(|output| output.example(0)).collect();
            let names = names.iter().map(String::as_str);
            format!("{} has no output {name:?}{}", self.id, text::suggestion(name, names))
        })
    }
}

/// The measurement that a technique offers.
pub(super) fn measurement<T: Technique>(technique: &T, settings: &T::Settings, has_world: bool) -> Option<Measurement> {
    let why_not = match T::STAGE == Stage::World && !has_world {
        true => Some("It measures the 3D scene, which is not shown".to_owned()),
        false => technique.why_not_measured(settings),
    };
    T::MEASURES.map(|measures| Measurement { id: T::ID, measures, why_not, card: technique.card() })
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
