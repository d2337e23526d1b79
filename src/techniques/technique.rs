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

pub trait Technique: Sized {
    /// Word in pass paths, presets, `--set`, folders.
    const ID: &'static str;
    const TITLE: &'static str;
    /// Its page, in Markdown.
    const DOC: &'static str;
    const STAGE: Stage;
    const VIEWS: &'static [ViewInfo] = &[];
    const OUTPUTS: &'static [OutputInfo] = &[];
    /// Their size is the picture's, whatever the resolution of the world.
    const FIXED_PASSES: &'static [PassId] = &[];
    const MEASURES: Option<Measures> = None;
    /// Label and effect of the button for [`act`](Self::act).
    const ACTION: Option<(&'static str, &'static str)> = None;
    const BREAKS: &'static [BreakInfo] = &[];
    /// Empty if it has no [replay](Self::replay).
    const REPLAYS: &'static str = "";
    type Settings: settings::Settings;

    fn new(gpu: &Arc<Gpu>) -> gpu::Result<Self>;
    /// One field may set others.
    fn settle(_before: &Self::Settings, _now: &mut Self::Settings) {}
    fn apply_preset(_now: &mut Self::Settings) {}
    /// `is_shown`: a world is under the glass.
    fn views_world(_settings: &Self::Settings, _is_shown: bool) -> bool {
        Self::STAGE == Stage::World
    }
    /// And what to choose instead.
    fn unsupported(_settings: &Self::Settings, _gpu: &Gpu) -> Option<String> {
        None
    }
    /// Covers `picture`, sRGB-encoded; false if its subject is missing.
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
    /// Index by which shaders select a view.
    fn view_index(name: &str) -> gpu::Result<u32> {
        let index = (0..).zip(Self::VIEWS).find(|(_, view)| view.name == name).map(|(index, _)| index);
        index.ok_or_else(|| gpu::Error::Pass { pass: format!("{}/view", Self::ID), problem: format!("no view {name}") })
    }
    /// Outputs that are not made otherwise, for all later frames.
    fn prepare_outputs(&mut self, _names: &[&str]) {}
    /// `None` without what it needs ([`OutputInfo::needs`]).
    fn output(&self, _name: &str, _context: &FrameContext) -> Option<Output> {
        None
    }
    fn story_points() -> Vec<StoryPoint> {
        Vec::new()
    }
    fn evidence(&self, _context: &FrameContext) -> Vec<(&'static str, Output)> {
        Vec::new()
    }
    fn explain(&self, _settings: &Self::Settings, _pixel: &StoryPixel<'_>) -> Vec<Step> {
        Vec::new()
    }
    /// After the last frame, which made `context`: what [`replay`](Self::replay) must read.
    fn record_replay(
        &self,
        _frame: &mut Frame,
        _settings: &Self::Settings,
        _context: &FrameContext,
    ) -> gpu::Result<Vec<(&'static str, Output)>> {
        Ok(Vec::new())
    }
    /// The error is a sentence.
    fn replay(&self, _settings: &Self::Settings, _pixel: &StoryPixel<'_>) -> Result<Replay, String> {
        Err(format!("{} has no steps.", Self::TITLE))
    }
    fn on_timing(&mut self, _timing: &FrameTiming) -> gpu::Result<()> {
        Ok(())
    }
    fn wants_frame(&self) -> bool {
        false
    }
    fn table(&self) -> Option<Report> {
        None
    }
    fn restart(&mut self) {}

    fn comparison(&mut self) -> Option<&mut Comparison> {
        None
    }
    fn card(&self) -> Card {
        Card::default()
    }
    /// Apart from a missing world.
    fn why_not_measured(&self, _settings: &Self::Settings) -> Option<String> {
        None
    }
    fn act(&mut self) {}
    fn checks() -> Vec<Check>;
    fn benches() -> Vec<Bench>;
    fn source_tables() -> Vec<SourceTable> {
        Vec::new()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Drawn again only where the camera, the scene or a setting of this stage changes, with the world's pixels.
    World,
    /// Works on the finished picture under the glass.
    Picture,
    Glass,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ViewInfo {
    /// After the slash of `--view technique/name`.
    pub name: &'static str,
    pub title: &'static str,
    pub doc: &'static str,
    pub legend: Legend,
    /// At equal distances along a ramp, from its low end.
    pub ticks: &'static [&'static str],
    pub golden: Golden,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Golden {
    /// As for `--set`: what differs between drivers is fixed.
    pub settings: &'static [&'static str],
    /// Pixels that may differ by any step.
    pub ties: usize,
    pub is_kept: bool,
}

impl Golden {
    pub const fn with(settings: &'static [&'static str]) -> Self {
        Self { settings, ties: 0, is_kept: true }
    }

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
    pub const fn new(name: &'static str, title: &'static str, doc: &'static str, legend: Legend) -> Self {
        Self { name, title, doc, legend, ticks: &[], golden: Golden::with(&[]) }
    }

    pub const fn ticks(mut self, ticks: &'static [&'static str]) -> Self {
        self.ticks = ticks;
        self
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    pub title: String,
    pub head: Vec<&'static str>,
    pub rows: Vec<Vec<String>>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measures {
    pub label: &'static str,
    pub doc: &'static str,
    /// Choice of which the table's rows are values; empty if none.
    pub chooses: &'static str,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Measurement {
    pub id: &'static str,
    pub measures: Measures,
    pub why_not: Option<String>,
    pub card: Card,
}

#[derive(Clone, Copy)]
pub struct Info {
    pub id: &'static str,
    pub title: &'static str,
    pub doc: &'static str,
    pub stage: Stage,
    pub views: &'static [ViewInfo],
    pub outputs: &'static [OutputInfo],
    pub fixed_passes: &'static [PassId],
    pub measures: Option<Measures>,
    pub action: Option<(&'static str, &'static str)>,
    pub replays: &'static str,
    pub trials: Trials,
}

#[derive(Clone, Copy)]
pub struct Trials {
    pub checks: fn() -> Vec<Check>,
    pub benches: fn() -> Vec<Bench>,
    pub source_tables: fn() -> Vec<SourceTable>,
    pub breaks: &'static [BreakInfo],
}

impl Info {
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

    pub fn output(&self, name: &str) -> Result<&'static OutputInfo, String> {
        self.outputs.iter().find(|output| output.is_called(name)).ok_or_else(|| {
            let names: Vec<_> = self.outputs.iter().map(|output| output.example(0)).collect();
            let names = names.iter().map(String::as_str);
            format!("{} has no output {name:?}{}", self.id, text::suggestion(name, names))
        })
    }
}

pub(super) fn measurement<T: Technique>(technique: &T, settings: &T::Settings, has_world: bool) -> Option<Measurement> {
    let why_not = match T::STAGE == Stage::World && !has_world {
        true => Some("It measures the 3D scene, which is not shown".to_owned()),
        false => technique.why_not_measured(settings),
    };
    T::MEASURES.map(|measures| Measurement { id: T::ID, measures, why_not, card: technique.card() })
}

pub struct Section<'a> {
    pub id: &'static str,
    pub title: &'static str,
    pub settings: &'a mut dyn AnySettings,
}
